//! Tests `lookalike.spark` on two executors in processes of their own.
//!
//! A test takes ten to twenty seconds, most of them Spark's own, so the checks of a change run those that are marked as
//! the core: the same answer as on one machine, killed executors and jobs, Spark Connect. All of them run in
//! `cargo xtask spark`.

use super::environments::{Environment, wheel};
use crate::run::{self, output, run};
use anyhow::Result;
use std::path::Path;

/// Requirement of the tests, beside Python, that this machine lacks: the Java machine that Spark needs, which PyPI has
/// not. Those in its packages lack a module that Spark asks for.
pub(crate) fn missing() -> Option<&'static str> {
    let reason = "no `java` of version 17 or later here (Debian's package default-jre-headless)";
    run::missing(|| java_version().is_some_and(|version| version >= 17), &["default-jre-headless"], reason)
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

fn java_version() -> Option<u32> {
    // Versions before 9 are called 1.x, and have no such option.
    let text = output(Path::new("java"), &["--version"]).ok()?;
    text.split_whitespace().nth(1)?.split('.').next()?.parse().ok()
}
