//! The comparison with peers from PyPI: a Python program under `bench/peers` that sets up its own environment.

use crate::run::{cargo, root, succeeds};
use anyhow::{Context, Result, bail};
use std::process::Command;

/// Builds what is measured and runs the comparison with the given arguments (`--help` lists them).
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    if !succeeds("python3", &["-c", "import venv, ensurepip"]) {
        println!("SKIPPED: the comparison with peers needs python3 with venv and pip");
        return Ok(());
    }
    cargo(&["build", "--release", "--package", "lookalike-cli"], &[])?;
    cargo(&["build", "--release", "--package", "lookalike-io", "--example", "parse_only"], &[])?;
    let mut command = Command::new("python3");
    let status = command.arg(root().join("bench/peers/run.py")).args(arguments).current_dir(root()).status();
    if !status.context("cannot run python3")?.success() {
        bail!("bench/peers/run.py failed");
    }
    Ok(())
}
