//! Tests the Python package: pytest, the examples in docstrings, types.

pub(crate) mod browser;
pub(crate) mod coming;
pub(crate) mod engines;
pub(crate) mod environments;
pub(crate) mod server;
pub(crate) mod spark;

use crate::run::{root, run, succeeds};
use anyhow::Result;
use environments::{Environment, wheel};
use std::path::Path;

/// What the tests use beside the package, in the newest versions.
const NEWEST: [&str; 11] = [
    "pytest>=8",
    "pytest-timeout",
    "mypy>=1.11",
    "matplotlib",
    "numpy",
    "pandas",
    "polars",
    "pyarrow>=16",
    "typing-extensions",
    "datasets",
    // Beside which the module is tested that takes its place.
    "datasketch==2.0.0",
];

/// Ends well if this is a Python that the package supports, and virtual environments can be made.
const CHECK: &str = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))";

/// What this machine lacks for the tests. Debian's Python is installed by a service that tests changes.
pub(crate) fn missing() -> Option<&'static str> {
    let is_there = || succeeds("python3", &["-c", CHECK]);
    if !is_there() && std::env::var("CI").as_deref() == Ok("true") {
        println!("installing Python");
        let install = ["install", "--yes", "--quiet", "python3", "python3-venv"];
        let _ = succeeds("apt-get", &["update", "--quiet"]) && succeeds("apt-get", &install);
    }
    (!is_there()).then_some("no python3 of 3.10 or later with venv here (Debian's package python3-venv)")
}

/// Builds the package and tests it beside the versions of other packages that are pinned.
pub(crate) fn test() -> Result<()> {
    test_wheel(&wheel()?)
}

/// Builds the package and tests it beside the newest versions of other packages.
pub(crate) fn test_newest() -> Result<()> {
    test_in(&Environment::prepare("python-newest", &NEWEST)?, &wheel()?)
}

/// Tests the package as it is built.
pub(crate) fn test_wheel(wheel: &Path) -> Result<()> {
    test_in(&Environment::shared()?, wheel)
}

fn test_in(environment: &Environment, wheel: &Path) -> Result<()> {
    println!("the Python package, in {}", environment.folder().display());
    environment.install_wheel(wheel)?;
    run(environment.pytest().args(["--ignore=tests/spark", "--ignore=tests/coming_from", "tests"]))?;
    println!("the recipes for Ray and Spark are run by `cargo xtask engines`");
    // From the installed package: a folder of sources lacks the native part.
    // This part needs pyspark, and is tested apart.
    let spark = format!("--ignore-glob={}/*/lookalike/spark*", environment.folder().display());
    let examples = ["--doctest-modules", &spark, "--pyargs", "lookalike"];
    run(environment.pytest().args(examples))?;
    let recipes = ["docs/python.md", "docs/datasketch.md"].map(|page| root().join(page));
    run(environment.pytest().arg("--doctest-glob=*.md").args(recipes))?;
    let cache = environment.folder().join("mypy-cache").display().to_string();
    run(&mut environment.module(&["mypy", "--cache-dir", &cache, "--strict", "python/lookalike"]))?;
    run(&mut environment.module(&["mypy.stubtest", "lookalike._lookalike"]))
}
