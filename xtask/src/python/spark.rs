//! Tests `lookalike.spark` on two executors in processes of their own, in a virtual environment under target/: the
//! engine is half a gigabyte of packages, which the other tests of the Python package do not need.

use super::environments::{Environment, wheel};
use crate::run::{run, succeeds};
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// What the tests use beside the package. pandas 3 is newer than what pyspark supports.
const TOOLS: [&str; 4] = ["pytest>=8", "pyspark>=4.1", "pandas<3", "pyarrow>=16"];

/// The Java machine that Spark needs, which PyPI has not: those in its packages lack a module that Spark asks for.
const DEBIAN_JAVA: [&str; 4] = ["install", "--yes", "--quiet", "default-jre-headless"];

/// What this machine lacks for the tests beside Python. Debian's Java is installed by a service that tests changes.
pub(crate) fn missing() -> Option<&'static str> {
    if !has_java() && std::env::var("CI").as_deref() == Ok("true") {
        println!("installing Java");
        let _ = succeeds("apt-get", &["update", "--quiet"]) && succeeds("apt-get", &DEBIAN_JAVA);
    }
    (!has_java()).then_some("no `java` of version 17 or later here (Debian's package default-jre-headless)")
}

/// The environment of the tests.
pub(crate) fn environment() -> Result<Environment> {
    Environment::prepare("python-spark", &TOOLS)
}

/// Builds the package and tests the jobs.
pub(crate) fn test() -> Result<()> {
    test_wheel(&wheel()?)
}

/// Tests the jobs of the package as it is built.
pub(crate) fn test_wheel(wheel: &Path) -> Result<()> {
    let environment = environment()?;
    println!("lookalike.spark, in {}", environment.folder().display());
    environment.install_wheel(wheel)?;
    run(&mut environment.module(&["pytest", "--quiet", "-p", "no:cacheprovider", "--durations=5", "tests/spark"]))
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
