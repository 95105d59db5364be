//! Virtual environments of Python below target/, and the wheel that is tested in them.
//!
//! An environment notes what was installed in it, so that a later run asks no network. The wheel is built by one that
//! does nothing else: pyo3 is compiled for the interpreter that builds, and would be again for each further one.

use crate::run::{forget_this_package, root, run};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of the file that lists what was installed.
const NOTE: &str = "installed.txt";

/// A virtual environment that holds the packages it was prepared with.
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// The environment of this name, made and filled unless it was filled with the same packages before.
    pub(crate) fn prepare(name: &str, packages: &[&str]) -> Result<Self> {
        let environment = Self { folder: target().join(name) };
        let (note, wanted) = (environment.folder.join(NOTE), packages.join("\n"));
        if fs::read_to_string(&note).is_ok_and(|installed| installed == wanted) {
            return Ok(environment);
        }
        println!("installing what {} lacks", environment.folder.display());
        if !environment.folder.join("pyvenv.cfg").is_file() {
            run(Command::new("python3").args(["-m", "venv"]).arg(&environment.folder))?;
        }
        environment.install(packages)?;
        fs::write(&note, wanted).with_context(|| format!("cannot write {}", note.display()))?;
        Ok(environment)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs a module of the interpreter, such as pip, in the folder of the package.
    pub(crate) fn module(&self, arguments: &[&str]) -> Command {
        let interpreter = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
        let mut command = Command::new(self.folder.join(interpreter));
        command.arg("-m").args(arguments).current_dir(package());
        command
    }

    /// Installs packages that no note names.
    pub(crate) fn install(&self, packages: &[&str]) -> Result<()> {
        run(self.module(&["pip", "install", "--quiet", "--upgrade"]).args(packages))
    }

    /// Installs a wheel in place of the one before, and nothing that it depends on.
    pub(crate) fn install_wheel(&self, wheel: &Path) -> Result<()> {
        run(self.module(&["pip", "install", "--quiet", "--force-reinstall", "--no-deps"]).arg(wheel))
    }
}

/// The environment that builds the wheel.
pub(crate) fn builder() -> Result<Environment> {
    Environment::prepare("python-build", &["maturin>=1.9,<2"])
}

/// Builds the wheel of these sources, with the profile of the tests of Rust, whose compiled dependencies it shares:
/// a release compiles all of them once more, for minutes.
pub(crate) fn wheel() -> Result<PathBuf> {
    let folder = target().join("python-wheel");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    let mut build = builder()?.module(&["maturin", "build", "--profile", "dev", "--quiet", "--out"]);
    forget_this_package(&mut build);
    run(build.arg(&folder))?;
    let mut files = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    Ok(files.next().context("maturin has built no wheel")??.path())
}

/// The folder of the Python package.
fn package() -> PathBuf {
    root().join("crates/lookalike-python")
}

/// The folder for all that is built.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
