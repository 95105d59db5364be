//! Tests `lookalike.spark` on two executors in processes of their own.
//!
//! A test takes ten to twenty seconds, most of them Spark's own, so the checks of a change run those that are marked as
//! the core: the same answer as on one machine, killed executors and jobs, Spark Connect. All of them run in
//! `cargo xtask spark`.

use super::environments::{Environment, wheel};
use crate::run::{run, succeeds};
use anyhow::Result;
use std::path::Path;
use std::process::Command;

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

/// Builds the package and tests all of the jobs.
pub(crate) fn test() -> Result<()> {
    test_wheel(&wheel()?, &[])
}

/// Tests the core of the jobs of the package as it is built.
pub(crate) fn test_core(wheel: &Path) -> Result<()> {
    test_wheel(wheel, &["-m", "core"])
}

fn test_wheel(wheel: &Path, chosen: &[&str]) -> Result<()> {
    let environment = Environment::shared()?;
    environment.install_wheel(wheel)?;
    run(environment.pytest().args(chosen).arg("tests/spark"))
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
