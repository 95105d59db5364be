//! Runs the recipes for Ray and Spark of docs/engines.md in a virtual environment under target/. They stand apart from
//! the other tests of the Python package, for they are a gigabyte of packages and need a Java machine.

use crate::python::{build, environment, python_in, target};
use crate::run::{root, run, succeeds};
use anyhow::{Result, ensure};
use std::path::Path;
use std::process::Command;

/// What the recipes use beside the engines.
const TOOLS: [&str; 6] = ["maturin>=1.9,<2", "pytest>=8", "numpy", "pandas<3", "polars", "pyarrow>=16"];

/// Installs the package and the engines, and runs the recipes of those that can be had.
pub(crate) fn test() -> Result<()> {
    let python = python_in(&environment("python-engines")?);
    pip(&python, &TOOLS)?;
    let wheel = build(&python, &root().join("crates/lookalike-python"), &target().join("engines-wheel"))?;
    pip(&python, &["--force-reinstall", "--no-deps", &wheel.display().to_string()])?;
    let engines = [("Ray", "test_ray", ray(&python)), ("Spark", "test_spark", spark(&python))];
    let mut are_run = 0;
    for (name, test, prepared) in engines {
        match prepared {
            Ok(()) => {
                run(&mut recipe(&python, test))?;
                are_run += 1;
            }
            Err(error) => notice(name, &error),
        }
    }
    println!("engines: {are_run} of 2 run");
    Ok(())
}

fn pip(python: &Path, arguments: &[&str]) -> Result<()> {
    run(Command::new(python).args(["-m", "pip", "install", "--quiet"]).args(arguments))
}

fn ray(python: &Path) -> Result<()> {
    pip(python, &["ray[data]>=2.47"])
}

/// Installs Spark. It needs a whole Java machine, which PyPI has not: those in its packages are cut down, and lack the
/// module for vectors that Spark asks for.
fn spark(python: &Path) -> Result<()> {
    ensure!(succeeds("java", &["-version"]), "no `java` of version 17 or later is found");
    pip(python, &["pyspark>=4"])
}

fn recipe(python: &Path, test: &str) -> Command {
    let file = format!("tests/test_engines.py::{test}");
    let mut command = Command::new(python);
    command.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "--durations=3", &file]);
    command.current_dir(root().join("crates/lookalike-python"));
    command
}

/// What nobody should overlook.
fn notice(engine: &str, error: &anyhow::Error) {
    let line = "!".repeat(100);
    eprintln!("{line}\n!! NOT RUN: the recipe for {engine} of docs/engines.md, which cannot be installed here:");
    eprintln!("!! {error:#}\n{line}");
}
