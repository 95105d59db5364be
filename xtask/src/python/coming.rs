//! Runs what docs/datatrove.md and docs/text-dedup.md show, before and after, in a virtual environment under target/:
//! the two tools bring other versions of packages than the tests of ours need.

use super::environments::{Environment, wheel};
use crate::run::run;
use anyhow::Result;

/// The tools, and what their deduplication imports: datatrove leaves that to the user.
const TOOLS: [&str; 17] = [
    "pytest>=8",
    "pytest-timeout",
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
fn environment() -> Result<Environment> {
    let environment = Environment::prepare("python-coming", &TOOLS)?;
    run(&mut environment.module(&["pip", "install", "--quiet", "--no-deps", WITHOUT_DEPENDENCIES]))?;
    Ok(environment)
}

/// Builds the package and runs both pages.
pub(crate) fn test() -> Result<()> {
    let environment = environment()?;
    environment.install_wheel(&wheel()?)?;
    run(environment.pytest().arg("tests/coming_from"))
}
