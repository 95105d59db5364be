//! The corpora on which a join can do far too much work, with all methods.

use crate::run::{cargo, output, root};
use anyhow::Result;
use std::path::Path;

/// Times that `auto` may take, as a multiple of the best method: two, and what a shared machine adds to that.
const MAX_RATIO: &str = "3";

pub(super) fn run() -> Result<String> {
    cargo(&["build", "--release", "--package", "lookalike-cli"], &[])?;
    let binary = root().join("target/release/lookalike").display().to_string();
    let table = output(Path::new("python3"), &["bench/hard/run.py", &binary, "--most", MAX_RATIO])?;
    println!("{table}");
    let rows = table.lines().count().saturating_sub(2);
    Ok(format!("{rows} jobs by three methods each: auto within {MAX_RATIO} times the best"))
}
