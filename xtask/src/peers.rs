//! lookalike beside its peers from PyPI: builds what is compared and starts `bench/peers/run.py`.
//!
//! `cargo xtask peers sketches` compares the signature kernels alone (`sketch_speed.py`). All else is the scripts':
//! they make a virtual environment under `target/`, check every answer against the exact one, and write their tables to
//! `target/bench-results`.

use crate::run::{cargo, root, run as run_command, succeeds};
use anyhow::{Result, ensure};
use std::process::Command;

/// The peers' wheels, and NumPy's, start at this version; the environment needs pip.
const MIN_PYTHON: &str = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";

/// Runs the comparison; `arguments` go to the script (`--help` lists them). `sketches` alone compares signature
/// kernels.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    ensure!(
        succeeds("python3", &["-c", MIN_PYTHON]),
        "the comparison needs python3 of 3.11 or later with pip and venv"
    );
    cargo(&["build", "--release", "--package", "lookalike-cli"], &[])?;
    // the limits that stand beside all: reading, parsing and hashing tokens, and nothing else
    cargo(&["build", "--release", "--package", "lookalike-io", "--example", "floor"], &[])?;
    let mut command = Command::new("python3");
    if arguments == ["sketches"] {
        cargo(&["build", "--release", "--package", "lookalike-core", "--example", "sketch_speed"], &[])?;
        command.arg("bench/peers/sketch_speed.py").arg("target/release/examples/sketch_speed");
    } else {
        command.arg("bench/peers/run.py").args(arguments);
    }
    run_command(command.current_dir(root()))
}
