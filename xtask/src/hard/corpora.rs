//! The corpora on which a join can do far too much work, with all methods.

use crate::run::{cargo, root, run};
use anyhow::Result;
use std::process::Command;

/// Times that `auto` may take, as a multiple of the best method: two, and what a shared machine adds to that.
const MAX_RATIO: &str = "3";

pub(super) fn run_all() -> Result<String> {
    cargo(&["build", "--release", "--package", "lookalike-cli"], &[])?;
    let binary = root().join("target/release/lookalike");
    let mut command = Command::new("python3");
    run(command.arg("bench/hard/run.py").arg(binary).args(["--most", MAX_RATIO]).current_dir(root()))?;
    Ok(format!("`auto` within {MAX_RATIO} times the best method on each"))
}
