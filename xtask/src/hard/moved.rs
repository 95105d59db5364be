//! Tests that take long and that a change seldom breaks: another processor, other tools, whole engines.

use crate::arm;
use crate::python::{self, coming, engines, server};
use anyhow::Result;

/// The tests of the core with the NEON kernel. A change of a kernel is held to the scalar one on every machine; here it
/// is run on the processor that it is for.
pub(super) fn arm() -> Result<String> {
    arm::test()?;
    Ok("all tests of the core passed".to_owned())
}

/// The Python package beside versions that are newer than those that are pinned.
pub(super) fn newest() -> Result<String> {
    python::test_newest()?;
    Ok("all tests of the package passed".to_owned())
}

pub(super) fn coming() -> Result<String> {
    coming::test()?;
    Ok("both pages have the answers that they show".to_owned())
}

pub(super) fn spark() -> Result<String> {
    python::spark::test()?;
    Ok("all tests passed".to_owned())
}

pub(super) fn engines() -> Result<String> {
    engines::test()?;
    Ok("the recipes of the engines that can be had here".to_owned())
}

pub(super) fn server() -> Result<String> {
    server::test(server::MANY_EXAMPLES)?;
    Ok(format!("{} requests of each kind for each operation", server::MANY_EXAMPLES))
}
