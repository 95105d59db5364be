//! Virtual environments of Python below target/, and the wheel that is tested in them.
//!
//! All checks of a change share one environment, whose packages are pinned in `xtask/python/tests.txt`: the wheel is
//! built, and pyo3 compiled, for one interpreter, and a release of another project breaks no change of ours. Searches
//! that need other versions have environments of their own. An environment notes what was installed in it, so that a
//! later run asks no network.

use crate::run::{forget_this_package, root, run, succeeds, target};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of the file that lists what was installed.
const NOTE: &str = "installed.txt";

/// Time of one test: what none takes on a machine that is busy with other work.
const TEST_SECONDS: u32 = 600;

/// The features of the wheel that is tested: those of the command that the tests of Rust have compiled. A wheel that a
/// user builds has neither.
const FEATURES: &str = "remote,server,tls";

/// Tells the versions of Python for which packages are pinned.
const PINNED: &str = "import sys; sys.exit(not (3, 10) <= sys.version_info < (3, 14))";

/// A virtual environment.
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// The environment with the packages of `xtask/python/NAME.in`.
    pub(crate) fn prepare(name: &str) -> Result<Self> {
        Self::filled(&format!("python-{name}"), &format!("{name}.in"))
    }

    /// The environment of all checks of a change.
    pub(crate) fn shared() -> Result<Self> {
        Self::filled("python", if succeeds("python3", &["-c", PINNED]) { "tests.txt" } else { "tests.in" })
    }

    /// The environment of this name, filled with the packages of a list unless it notes that it was.
    fn filled(name: &str, list: &str) -> Result<Self> {
        let list = root().join("xtask/python").join(list);
        let wanted = fs::read_to_string(&list).with_context(|| format!("cannot read {}", list.display()))?;
        let environment = Self { folder: target().join(name) };
        let note = environment.folder.join(NOTE);
        if fs::read_to_string(&note).is_ok_and(|installed| installed == wanted) {
            return Ok(environment);
        }
        println!("installing what {} lacks", environment.folder.display());
        if !environment.folder.join("pyvenv.cfg").is_file() {
            run(Command::new("python3").args(["-m", "venv"]).arg(&environment.folder))?;
        }
        environment.install(&["--requirement", &list.display().to_string()])?;
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

    /// Runs pytest with a limit of time for each test.
    pub(crate) fn pytest(&self) -> Command {
        let mut command = self.module(&["pytest", "--quiet", "-p", "no:cacheprovider", "--durations=5"]);
        command.arg(format!("--timeout={TEST_SECONDS}"));
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

/// Builds the wheel of these sources, with the profile of the tests of Rust, whose compiled dependencies it shares:
/// a release compiles all of them once more, for minutes.
pub(crate) fn wheel() -> Result<PathBuf> {
    let folder = target().join("python-wheel");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    let mut build = Environment::shared()?.module(&["maturin", "build", "--profile", "dev", "--quiet"]);
    forget_this_package(&mut build);
    run(build.args(["--features", FEATURES, "--out"]).arg(&folder))?;
    let mut files = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    Ok(files.next().context("maturin has built no wheel")??.path())
}

/// The folder of the Python package.
fn package() -> PathBuf {
    root().join("crates/lookalike-python")
}
