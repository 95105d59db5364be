//! lookalike beside its peers from PyPI: builds what is compared and starts `bench/peers/run.py`.
//!
//! All else is the script's: it makes its own virtual environment under `target/`, checks every answer against the exact
//! one, and writes the dated table to `bench/results`.

use crate::run::{cargo, root, succeeds};
use anyhow::{Context, Result, bail};
use std::process::Command;

/// The peers' wheels, and NumPy's, start at this version.
const LEAST_PYTHON: &str = "import sys; sys.exit(sys.version_info < (3, 11))";

/// Runs the comparison; `arguments` go to the script (`--help` lists them).
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let Some(python) = find_python() else {
        eprintln!("===========================================================================");
        eprintln!("NOT MEASURED: the comparison with the peers needs Python 3.11 or later with");
        eprintln!("pip and venv, as python3 on the PATH (Debian: python3-venv, python3-pip).");
        eprintln!("===========================================================================");
        bail!("no usable python3");
    };
    cargo(&["build", "--release", "--package", "lookalike-cli"], &[])?;
    // the limit that stands beside all: reading and parsing, and nothing else
    cargo(&["build", "--release", "--package", "lookalike-io", "--example", "parse_only"], &[])?;
    let script = root().join("bench/peers/run.py");
    let status = Command::new(python).arg(&script).args(arguments).current_dir(root()).status();
    if !status.with_context(|| format!("cannot run {python}"))?.success() {
        bail!("{} failed", script.display());
    }
    Ok(())
}

/// A Python that is new enough and can make environments with pip in them.
fn find_python() -> Option<&'static str> {
    let is_usable =
        |python: &&str| succeeds(python, &["-c", LEAST_PYTHON]) && succeeds(python, &["-c", "import venv, ensurepip"]);
    ["python3", "python"].into_iter().find(is_usable)
}
