//! `cargo xtask test`: everything that has to pass.
//!
//! What other languages need is downloaded while Rust compiles, for the one waits for the network and the other for the
//! processor. Their tests come after the tests of Rust, one suite at a time: each of them uses all cores, and the wheel
//! takes over what the tests have compiled.

use crate::python::{self, browser, coming, environments, server, spark};
use crate::run::{cargo, root, succeeds};
use crate::steps::Steps;
use crate::{arm, layers, lines, packages};
use anyhow::{Result, anyhow, bail};
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

fn all(steps: &mut Steps) -> Result<()> {
    steps.run("setup", set_up)?;
    let no_python = python::missing();
    let no_spark = no_python.or_else(spark::missing);
    let no_browser = no_python.or_else(browser::missing);
    thread::scope(|scope| {
        let environments = scope.spawn(move || prepare([no_python, no_spark, no_browser]));
        rust(steps)?;
        steps.run("packages of Python, the rest", || environments.join().map_err(|_| anyhow!("a thread has died"))?)
    })?;
    match no_browser {
        Some(reason) => steps.skip("pages in Chromium", reason),
        None => steps.run("pages in Chromium", browser::test)?,
    }
    match no_python {
        Some(reason) => steps.skip("interface of the server", reason),
        None => steps.run("interface of the server", server::test)?,
    }
    python(steps, no_python, no_spark)
}

/// Makes the environments of the tests that can be run.
fn prepare([no_python, no_spark, no_browser]: [Option<&str>; 3]) -> Result<()> {
    if no_python.is_none() {
        environments::builder()?;
        python::environment()?;
        // Where it cannot be had, its step says so.
        let _ = coming::environment();
        server::environment()?;
    }
    if no_spark.is_none() {
        spark::environment()?;
    }
    if no_browser.is_none() {
        browser::environment()?;
    }
    Ok(())
}

/// The tests of the Python package, with one wheel for all.
fn python(steps: &mut Steps, no_python: Option<&str>, no_spark: Option<&str>) -> Result<()> {
    if let Some(reason) = no_python {
        steps.skip("Python package", reason);
        steps.skip("coming from other tools", reason);
        steps.skip("lookalike.spark", reason);
        return Ok(());
    }
    let wheel = steps.run("wheel", environments::wheel)?;
    steps.run("Python package", || python::test_wheel(&wheel))?;
    match coming::environment() {
        Ok(environment) => steps.run("coming from other tools", || coming::test_wheel(&environment, &wheel))?,
        Err(error) => steps.skip("coming from other tools", format!("the tools cannot be installed: {error:#}")),
    }
    if let Some(reason) = no_spark {
        steps.skip("lookalike.spark", reason);
        return Ok(());
    }
    steps.run("lookalike.spark", || spark::test_wheel(&wheel))
}

/// The checks and tests of Rust.
fn rust(steps: &mut Steps) -> Result<()> {
    steps.run("format", || cargo(&["fmt", "--all", "--check"], &[]))?;
    let clippy = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
    steps.run("clippy", || cargo(&clippy, &[]))?;
    // Who leaves the stores out must not be left with what does not build.
    let small = ["clippy", "--package", "lookalike-cli", "--no-default-features", "--quiet", "--", "-D", "warnings"];
    steps.run("clippy, no stores", || cargo(&small, &[]))?;
    let doc = ["doc", "--workspace", "--no-deps", "--document-private-items", "--quiet"];
    steps.run("docs", || cargo(&doc, &[("RUSTDOCFLAGS", "-D warnings")]))?;
    steps.run("layers", || layers::check(&root()))?;
    steps.run("lines", || lines::check(&root()))?;
    steps.run("packages", || packages::check(&root(), None))?;
    steps.run("tests of Rust, compiled", || cargo(&["test", "--workspace", "--no-run", "--quiet"], &[]))?;
    steps.run("tests of Rust", || cargo(&["test", "--workspace", "--quiet"], &[]))?;
    if cfg!(target_arch = "aarch64") {
        // The tests before were those of this kernel.
        return Ok(());
    }
    if let Some(reason) = arm::missing() {
        steps.skip("NEON kernel", reason);
        return Ok(());
    }
    steps.run("NEON kernel", arm::test)
}

/// Adds the parts of the toolchain that a minimal installation lacks.
fn set_up() -> Result<()> {
    for component in ["rustfmt", "clippy"] {
        let command = component.trim_start_matches("rust");
        if succeeds("cargo", &[command, "--version"]) {
            continue;
        }
        println!("installing {component}");
        if !succeeds("rustup", &["component", "add", component]) {
            bail!("cargo {command} is missing and rustup cannot add {component}");
        }
    }
    Ok(())
}
