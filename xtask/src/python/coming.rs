//! Runs what docs/datatrove.md and docs/text-dedup.md show, before and after, in a virtual environment under target/:
//! the two tools bring other versions of packages than the tests of ours need.

use super::environments::{Environment, wheel};
use crate::run::run;
use anyhow::Result;
use std::path::Path;

/// The tools, and what their deduplication imports: datatrove leaves that to the user.
const TOOLS: [&str; 16] = [
    "pytest>=8",
    "numpy",
    "pyarrow>=16",
    "datatrove==0.10.1",
    "orjson",
    "spacy",
    "tokenizers",
    // Version 4 hashes no strings, which datatrove gives it.
    "xxhash<4",
    "datasets",
    "click",
    "click-option-group",
    "regex",
    "rich",
    "scipy",
    "setuptools",
    "tqdm",
];

/// Most of what this one depends on is for its other commands: a gigabyte.
const WITHOUT_DEPENDENCIES: &str = "text-dedup==0.4.0";

/// The environment of both tools.
pub(crate) fn environment() -> Result<Environment> {
    let environment = Environment::prepare("python-coming", &TOOLS)?;
    run(&mut environment.module(&["pip", "install", "--quiet", "--no-deps", WITHOUT_DEPENDENCIES]))?;
    Ok(environment)
}

/// Builds the package and runs both pages.
pub(crate) fn test() -> Result<()> {
    test_wheel(&environment()?, &wheel()?)
}

/// Runs both pages with the package as it is built.
pub(crate) fn test_wheel(environment: &Environment, wheel: &Path) -> Result<()> {
    environment.install_wheel(wheel)?;
    let pytest = ["pytest", "--quiet", "-p", "no:cacheprovider", "tests/coming_from"];
    run(&mut environment.module(&pytest))
}
