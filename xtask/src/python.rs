//! Builds the Python package into a virtual environment under target/, and tests it there: pytest, the examples in
//! docstrings, types.

use crate::run::{root, run, succeeds};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the tests use beside the package.
const TOOLS: [&str; 10] = [
    "maturin>=1.9,<2",
    "pytest>=8",
    "mypy>=1.11",
    "matplotlib",
    "numpy",
    "pandas",
    "polars",
    "pyarrow>=16",
    "typing-extensions",
    "datasets",
];

/// Ends well if this is a Python that the package supports, and virtual environments can be made.
const CHECK: &str = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))";

/// Tests the package if there is a Python for it. Debian's is installed for that by a service that tests changes.
pub(crate) fn test_if_possible() -> Result<()> {
    if !is_possible() && std::env::var("CI").as_deref() == Ok("true") {
        println!("installing Python");
        let install = ["install", "--yes", "--quiet", "python3", "python3-venv"];
        let _ = succeeds("apt-get", &["update", "--quiet"]) && succeeds("apt-get", &install);
    }
    if is_possible() {
        return test();
    }
    println!("SKIPPED: the Python package: no python3 of 3.10 or later with venv here (Debian's package python3-venv)");
    Ok(())
}

/// Whether there is a Python for the package.
pub(crate) fn is_possible() -> bool {
    succeeds("python3", &["-c", CHECK])
}

/// Builds, installs and tests the package.
pub(crate) fn test() -> Result<()> {
    let package = root().join("crates/lookalike-python");
    let environment = environment("python")?;
    let python = python_in(&environment);
    println!("the Python package, in {}", environment.display());
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--upgrade"]).args(TOOLS))?;
    let wheel = build(&python, &package, &target().join("python-wheel"))?;
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps"]).arg(wheel))?;
    let module = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.arg("-m").args(arguments).current_dir(&package);
        command
    };
    run(&mut module(&["pytest", "--quiet", "-p", "no:cacheprovider", "--ignore=tests/spark", "tests"]))?;
    println!("the recipes for Ray and Spark are run by `cargo xtask engines`");
    // From the installed package: a folder of sources lacks the native part.
    // This part needs pyspark, and is tested apart.
    let spark = format!("--ignore-glob={}/*/lookalike/spark*", environment.display());
    let examples = ["--doctest-modules", &spark, "--pyargs", "lookalike"];
    run(module(&["pytest", "--quiet", "-p", "no:cacheprovider"]).args(examples))?;
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
