//! Tests the Python package: pytest, the examples in docstrings, types, and what the guide shows beside other tools.

pub(crate) mod browser;
pub(crate) mod environments;
pub(crate) mod server;
pub(crate) mod spark;

use crate::run::{self, root, run, succeeds};
use anyhow::{Result, bail};
use environments::{Environment, wheel};
use std::path::Path;

/// Ends well if this is a Python that the package supports, and virtual environments can be made.
const CHECK: &str = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))";

/// The engines, with what pip installs for each, and the test of its recipe.
const ENGINES: [(&str, &str, &str); 2] = [
    ("Ray", "ray[data]>=2.47", "tests/test_engines.py::test_ray"),
    ("Spark", "pyspark>=4", "tests/test_engines.py::test_spark"),
];

/// Requirement of the tests that this machine lacks.
pub(crate) fn missing() -> Option<&'static str> {
    let reason = "no python3 of 3.10 or later with venv here (Debian's package python3-venv)";
    run::missing(|| succeeds("python3", &["-c", CHECK]), &["python3", "python3-venv"], reason)
}

/// Builds the package and tests it beside the versions of other packages that are pinned.
pub(crate) fn test() -> Result<()> {
    test_wheel(&wheel()?)
}

/// Builds the package and tests it beside the newest versions of other packages.
pub(crate) fn test_newest() -> Result<()> {
    test_in(&Environment::prepare("newest")?, &wheel()?)
}

/// Runs what docs/datatrove.md and docs/text-dedup.md show, before and after: the two tools bring other versions of
/// packages than the tests of ours need.
pub(crate) fn test_tools() -> Result<()> {
    let environment = Environment::prepare("coming")?;
    run(&mut environment.module(&["pip", "install", "--quiet", "--no-deps", "text-dedup==0.4.0"]))?;
    environment.install_wheel(&wheel()?)?;
    run(environment.pytest().arg("tests/coming_from"))
}

/// Runs the recipes of docs/engines.md, of those engines that can be installed here: they are a gigabyte of packages,
/// and Spark needs a Java machine.
pub(crate) fn test_engines() -> Result<()> {
    let environment = Environment::prepare("engines")?;
    environment.install_wheel(&wheel()?)?;
    for (name, package, test) in ENGINES {
        let lacks = spark::missing().filter(|_| name == "Spark");
        match lacks.map_or_else(|| environment.install(&[package]), |reason| bail!(reason)) {
            Ok(()) => run(environment.pytest().arg(test))?,
            Err(error) => eprintln!("!! NOT RUN: the recipe for {name} of docs/engines.md: {error:#}"),
        }
    }
    Ok(())
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
