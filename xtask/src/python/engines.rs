//! Runs the recipes for Ray and Spark of docs/engines.md in a virtual environment under target/. They stand apart from
//! the other tests of the Python package, for they are a gigabyte of packages and need a Java machine.

use super::environments::{Environment, wheel};
use crate::run::{run, succeeds};
use anyhow::{Result, ensure};

/// What the recipes use beside the engines.
const TOOLS: [&str; 6] = ["pytest>=8", "pytest-timeout", "numpy", "pandas<3", "polars", "pyarrow>=16"];

/// Installs the package and the engines, and runs the recipes of those that can be had.
pub(crate) fn test() -> Result<()> {
    let environment = Environment::prepare("python-engines", &TOOLS)?;
    environment.install_wheel(&wheel()?)?;
    let engines = [("Ray", "test_ray", ray(&environment)), ("Spark", "test_spark", spark(&environment))];
    let mut are_run = 0;
    for (name, test, prepared) in engines {
        match prepared {
            Ok(()) => {
                let file = format!("tests/test_engines.py::{test}");
                run(environment.pytest().arg(file))?;
                are_run += 1;
            }
            Err(error) => notice(name, &error),
        }
    }
    println!("engines: {are_run} of 2 run");
    Ok(())
}

fn ray(environment: &Environment) -> Result<()> {
    environment.install(&["ray[data]>=2.47"])
}

/// Installs Spark. It needs a whole Java machine, which PyPI has not: those in its packages are cut down, and lack the
/// module for vectors that Spark asks for.
fn spark(environment: &Environment) -> Result<()> {
    ensure!(succeeds("java", &["-version"]), "no `java` of version 17 or later is found");
    environment.install(&["pyspark>=4"])
}

/// What nobody should overlook.
fn notice(engine: &str, error: &anyhow::Error) {
    let line = "!".repeat(100);
    eprintln!("{line}\n!! NOT RUN: the recipe for {engine} of docs/engines.md, which cannot be installed here:");
    eprintln!("!! {error:#}\n{line}");
}
