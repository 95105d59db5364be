//! `cargo xtask test`: everything that has to pass; `cargo xtask quick`: what finds most faults in a few minutes.
//!
//! Compiling takes most of the time, so the workspace is compiled once for clippy and the documentation, and once for
//! tests: those of the server, of pages and of the package use the command and the dependencies of the tests of Rust.
//! What other languages need is downloaded while Rust compiles, for the one waits for the network and the other for the
//! processor. Their tests come after the tests of Rust, one suite at a time: each of them uses all cores.
//!
//! What a change seldom breaks is run by `cargo xtask hard`.

use crate::python::environments::{self, Environment};
use crate::python::{self, browser, server, spark};
use crate::run::{ALL_FEATURES, cargo, root, succeeds};
use crate::steps::Steps;
use crate::{layers, limit, lines, packages};
use anyhow::{Result, anyhow, ensure};
use std::path::PathBuf;
use std::thread;

/// Runs all steps up to the first that fails, and prints what each took.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    let result = all(&mut steps);
    println!("\n{steps}");
    result?;
    println!("all checks passed");
    Ok(())
}

/// Runs the steps that are quick where most is compiled.
pub(crate) fn quick() -> Result<()> {
    let mut steps = Steps::default();
    let result = checks(&mut steps).and_then(|()| {
        steps.run("unit tests", || test(&["--workspace", "--lib"]))?;
        steps.run("suite of the command", || test(&["--package", "lookalike-cli", "--test", "cli", "suite::"]))
    });
    println!("\n{steps}");
    result
}

fn all(steps: &mut Steps) -> Result<()> {
    steps.run("setup", set_up)?;
    let no_python = python::missing();
    let no_spark = no_python.or_else(spark::missing);
    let no_browser = no_python.or_else(browser::missing);
    thread::scope(|scope| {
        let environment = scope.spawn(move || match no_python {
            None => Environment::shared().map(drop),
            Some(_) => Ok(()),
        });
        rust(steps)?;
        steps.run("packages of Python, the rest", || environment.join().map_err(|_| anyhow!("a thread has died"))?)
    })?;
    steps.run_if(no_browser, "pages in Chromium", browser::test)?;
    steps.run_if(no_python, "interface of the server", || server::test(server::FEW_EXAMPLES))?;
    // One wheel for all tests of the package.
    let wheel = if no_python.is_none() { steps.run("wheel", environments::wheel)? } else { PathBuf::new() };
    steps.run_if(no_python, "Python package", || python::test_wheel(&wheel))?;
    steps.run_if(no_spark, "lookalike.spark", || spark::test_core(&wheel))
}

/// The checks and tests of Rust.
fn rust(steps: &mut Steps) -> Result<()> {
    checks(steps)?;
    let doc = ["doc", "--workspace", "--features", ALL_FEATURES, "--no-deps", "--document-private-items", "--quiet"];
    steps.run("docs", || cargo(&doc, &[("RUSTDOCFLAGS", "-D warnings")]))?;
    steps.run("packages", || packages::check(&root(), None))?;
    // Stores and the server are features: who leaves them out must not be left with what does not build.
    let none = ["clippy", "--package", "lookalike-cli", "--no-default-features", "--quiet", "--", "-D", "warnings"];
    steps.run("clippy, no features", || cargo(&none, &[]))?;
    let compile = ["test", "--workspace", "--features", ALL_FEATURES, "--no-run", "--quiet"];
    steps.run("tests of Rust, compiled", || cargo(&compile, &[]))?;
    steps.run("tests of Rust", || test(&["--workspace"]))
}

/// The checks that run no code of the project.
fn checks(steps: &mut Steps) -> Result<()> {
    steps.run("format", || cargo(&["fmt", "--all", "--check"], &[]))?;
    steps.run("layers", layers::check)?;
    steps.run("lines", || lines::check(&root()))?;
    let clippy = ["clippy", "--workspace", "--all-targets", "--features", ALL_FEATURES, "--quiet", "--"];
    steps.run("clippy", || cargo(&[&clippy[..], &["-D", "warnings"]].concat(), &[]))
}

/// Runs tests of Rust, each with a limit of time.
fn test(chosen: &[&str]) -> Result<()> {
    let runner = limit::runner()?;
    if runner.is_none() {
        println!("tests have no limit of time here: the path of this checkout holds a space");
    }
    let environment: Vec<(&str, &str)> = runner.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    cargo(&[&["test", "--features", ALL_FEATURES], chosen].concat(), &environment)
}

/// Adds the parts of the toolchain that a minimal installation lacks.
fn set_up() -> Result<()> {
    let is_there = ["fmt", "clippy"].iter().all(|command| succeeds("cargo", &[command, "--version"]));
    let is_set_up = is_there || succeeds("rustup", &["component", "add", "rustfmt", "clippy"]);
    ensure!(is_set_up, "rustfmt or clippy is missing, and rustup cannot add it");
    Ok(())
}
