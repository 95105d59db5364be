//! lookalike beside its peers from PyPI: builds what is compared and starts `bench/peers/run.py`.
//!
//! `cargo xtask peers sketches` compares the signature kernels alone (`sketch_speed.py`). All else is the scripts':
//! they make a virtual environment under `target/`, check every answer against the exact one, and write dated tables to
//! `bench/results`.

use crate::run::{cargo, root, succeeds};
use anyhow::{Context, Result, bail};
use std::process::Command;

/// The peers' wheels, and NumPy's, start at this version.
const MIN_PYTHON: &str = "import sys; sys.exit(sys.version_info < (3, 11))";

/// Runs the comparison; `arguments` go to the script (`--help` lists them). `sketches` alone compares signature
/// kernels.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let Some(python) = find_python() else {
        eprintln!("===========================================================================");
        eprintln!("NOT MEASURED: the comparison with the peers needs Python 3.11 or later with");
        eprintln!("pip and venv, as python3 on the PATH (Debian: python3-venv, python3-pip).");
        eprintln!("===========================================================================");
        bail!("no usable python3");
    };
    cargo(&["build", "--release", "--package", "lookalike-cli"], &[])?;
    // the limits that stand beside all: reading, parsing and hashing tokens, and nothing else
    cargo(&["build", "--release", "--package", "lookalike-io", "--example", "floor"], &[])?;
    let mut command = Command::new(python);
    if arguments == ["sketches"] {
        cargo(&["build", "--release", "--package", "lookalike-core", "--example", "sketch_speed"], &[])?;
        command.arg("bench/peers/sketch_speed.py").arg("target/release/examples/sketch_speed");
    } else {
        command.arg("bench/peers/run.py").args(arguments);
    }
    let status = command.current_dir(root()).status();
    if !status.with_context(|| format!("cannot run {python}"))?.success() {
        bail!("the comparison failed");
    }
    Ok(())
}

/// A Python that is new enough and can make environments with pip in them.
fn find_python() -> Option<&'static str> {
    let is_usable =
        |python: &&str| succeeds(python, &["-c", MIN_PYTHON]) && succeeds(python, &["-c", "import venv, ensurepip"]);
    ["python3", "python"].into_iter().find(is_usable)
}
