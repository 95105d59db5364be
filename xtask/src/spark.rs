//! Tests `lookalike.spark` on two executors in processes of their own, in a virtual environment under target/: the
//! engine is half a gigabyte of packages, which the other tests of the Python package do not need.

use crate::python::{build, environment, python_in, target};
use crate::run::{root, run, succeeds};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the tests use beside the package. pandas 3 is newer than what pyspark supports.
const TOOLS: [&str; 5] = ["maturin>=1.9,<2", "pytest>=8", "pyspark>=4.1", "pandas<3", "pyarrow>=16"];

/// The Java machine that Spark needs, which PyPI has not: those in its packages lack a module that Spark asks for.
const DEBIAN_JAVA: [&str; 4] = ["install", "--yes", "--quiet", "default-jre-headless"];

/// Tests the jobs if there is a Java machine. Debian's is installed for that by a service that tests changes.
pub(crate) fn test_if_possible() -> Result<()> {
    if !has_java() && std::env::var("CI").as_deref() == Ok("true") {
        println!("installing Java");
        let _ = succeeds("apt-get", &["update", "--quiet"]) && succeeds("apt-get", &DEBIAN_JAVA);
    }
    let missing = match (has_java(), crate::python::is_possible()) {
        (true, true) => return test(),
        (false, _) => "no `java` of version 17 or later here (Debian's package default-jre-headless)",
        (true, false) => "no python3 of 3.10 or later with venv here (Debian's package python3-venv)",
    };
    println!("SKIPPED: lookalike.spark: {missing}");
    Ok(())
}

/// Installs the package and Spark, and runs the tests.
pub(crate) fn test() -> Result<()> {
    let python = python_in(&environment("python-spark")?);
    println!("lookalike.spark, in {}", python.display());
    pip(&python, &TOOLS)?;
    pip(&python, &["--force-reinstall", "--no-deps", &wheel(&python)?.display().to_string()])?;
    let mut tests = Command::new(&python);
    tests.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "--durations=5", "tests/spark"]);
    run(tests.current_dir(root().join("crates/lookalike-python")))
}

/// The wheel of these sources: what is built already is not built again.
fn wheel(python: &Path) -> Result<PathBuf> {
    let folder = target().join("python-wheel");
    build(python, &root().join("crates/lookalike-python"), &folder)
}

fn pip(python: &Path, arguments: &[&str]) -> Result<()> {
    run(Command::new(python).args(["-m", "pip", "install", "--quiet"]).args(arguments))
}

fn has_java() -> bool {
    // Versions before 9 are called 1.x, and have no such option.
    succeeds("java", &["--version"]) && java_version().is_some_and(|version| version >= 17)
}

fn java_version() -> Option<u32> {
    let output = Command::new("java").arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let number = text.split_whitespace().nth(1)?;
    number.split('.').next()?.parse().ok()
}
