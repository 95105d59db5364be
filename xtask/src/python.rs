//! Builds the Python package into a virtual environment under target/, and tests it there: pytest, the examples in
//! docstrings, types.

use crate::run::{root, run};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the tests use beside the package.
const TOOLS: [&str; 9] = [
    "maturin>=1.9,<2",
    "pytest>=8",
    "mypy>=1.11",
    "numpy",
    "pandas",
    "polars",
    "pyarrow>=16",
    "typing-extensions",
    "datasets",
];

/// Builds, installs and tests the package.
pub(crate) fn test() -> Result<()> {
    let package = root().join("crates/lookalike-python");
    let environment = environment("python")?;
    let python = python_in(&environment);
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--upgrade"]).args(TOOLS))?;
    let wheel = build(&python, &package, &target().join("python-wheel"))?;
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps"]).arg(wheel))?;
    let module = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.arg("-m").args(arguments).current_dir(&package);
        command
    };
    run(&mut module(&["pytest", "--quiet", "-p", "no:cacheprovider", "tests"]))?;
    println!("the recipes for Ray and Spark are run by `cargo xtask engines`");
    // From the installed package: a folder of sources lacks the native part.
    run(&mut module(&["pytest", "--quiet", "-p", "no:cacheprovider", "--doctest-modules", "--pyargs", "lookalike"]))?;
    let recipes = root().join("docs/python.md").display().to_string();
    run(&mut module(&["pytest", "--quiet", "-p", "no:cacheprovider", "--doctest-glob=*.md", &recipes]))?;
    let cache = environment.join("mypy-cache").display().to_string();
    run(&mut module(&["mypy", "--cache-dir", &cache, "--strict", "python/lookalike"]))?;
    run(&mut module(&["mypy.stubtest", "lookalike._lookalike"]))
}

/// The folder for all that is built.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The virtual environment of this name, made if it is not there.
pub(crate) fn environment(name: &str) -> Result<PathBuf> {
    let folder = target().join(name);
    if !folder.join("pyvenv.cfg").is_file() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    Ok(folder)
}

/// The interpreter of a virtual environment.
pub(crate) fn python_in(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// Builds the wheel into a folder that holds nothing else afterwards.
pub(crate) fn build(python: &Path, package: &Path, out: &Path) -> Result<PathBuf> {
    if out.exists() {
        std::fs::remove_dir_all(out).with_context(|| format!("cannot remove {}", out.display()))?;
    }
    let build = ["-m", "maturin", "build", "--release", "--quiet", "--out"];
    run(Command::new(python).args(build).arg(out).current_dir(package))?;
    let mut files = std::fs::read_dir(out).with_context(|| format!("cannot read {}", out.display()))?;
    let file = files.next().context("maturin has built no wheel")??;
    Ok(file.path())
}
