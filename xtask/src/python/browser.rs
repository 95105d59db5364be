//! Tests the pages that the command makes in Chromium, driven from a virtual environment under target/.

use super::environments::Environment;
use crate::run::{self, command, root, run};
use anyhow::{Context, Result};
use std::path::PathBuf;

/// Requirement of the tests, beside Python, that this machine lacks.
pub(crate) fn missing() -> Option<&'static str> {
    let reason = "no `chromium` and `chromedriver` here (Debian's package chromium-driver)";
    run::missing(|| chromium().is_some(), &["chromium", "chromium-driver"], reason)
}

/// Tests the pages of the command.
pub(crate) fn test() -> Result<()> {
    let [chromium, driver] = chromium().context(missing().unwrap_or_default())?;
    let mut tests = Environment::shared()?.pytest();
    tests.env("CHROMIUM", chromium).env("CHROMEDRIVER", driver).env("LOOKALIKE", command()?);
    run(tests.arg("browser").current_dir(root()))
}

/// The browser and its driver.
fn chromium() -> Option<[PathBuf; 2]> {
    let found = |name: &str| {
        let folders = std::env::var_os("PATH")?;
        std::env::split_paths(&folders).map(|folder: PathBuf| folder.join(name)).find(|path| path.is_file())
    };
    Some([found("chromium")?, found("chromedriver")?])
}
