//! Tests the pages that the command makes in Chromium, driven from a virtual environment under target/.

use super::environments::Environment;
use crate::run::{command, root, run, succeeds};
use anyhow::Result;
use std::path::PathBuf;

/// Debian's browser and its driver.
const DEBIAN_CHROMIUM: [&str; 5] = ["install", "--yes", "--quiet", "chromium", "chromium-driver"];

/// What this machine lacks for the tests beside Python. Debian's browser is installed by a service that tests changes.
pub(crate) fn missing() -> Option<&'static str> {
    if chromium().is_none() && std::env::var("CI").as_deref() == Ok("true") {
        println!("installing Chromium");
        let _ = succeeds("apt-get", &["update", "--quiet"]) && succeeds("apt-get", &DEBIAN_CHROMIUM);
    }
    chromium().is_none().then_some("no `chromium` and `chromedriver` here (Debian's package chromium-driver)")
}

/// Tests the pages of the command.
pub(crate) fn test() -> Result<()> {
    let Some([chromium, driver]) = chromium() else { anyhow::bail!("{}", missing().unwrap_or_default()) };
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
