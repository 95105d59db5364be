//! Running other programs.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// Runs cargo in the workspace and fails if it fails.
pub(crate) fn cargo(arguments: &[&str], environment: &[(&str, &str)]) -> Result<()> {
    println!("cargo {}", arguments.join(" "));
    let mut command = Command::new(env!("CARGO"));
    forget_this_package(&mut command);
    let status = command.args(arguments).envs(environment.iter().copied()).current_dir(root()).status();
    if !status.context("cannot run cargo")?.success() {
        bail!("cargo {} failed", arguments.join(" "));
    }
    Ok(())
}

/// The features that tests are built with: all of the command.
pub(crate) const ALL_FEATURES: &str = "lookalike-cli/remote,lookalike-cli/server,lookalike-cli/tls";

/// The command as the tests of Rust use it, built where it is not. Building it alone would choose other features of the
/// crates that it uses, and compile most of them again.
pub(crate) fn command() -> Result<PathBuf> {
    cargo(&["test", "--workspace", "--features", ALL_FEATURES, "--no-run", "--quiet"], &[])?;
    Ok(built("lookalike"))
}

/// A program of the workspace, as tests are built. This one is built anew while it runs, so the system may not tell
/// where it is.
pub(crate) fn built(name: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    target.join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Hides from a command that builds what cargo tells this program of its own package: crates whose build scripts look
/// at it would be built anew.
pub(crate) fn forget_this_package(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
            command.env_remove(name);
        }
    }
}

/// Runs a command that prints what it does, and fails if it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot run {:?}", command.get_program()))?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}

/// Runs a program silently and tells whether it succeeded.
pub(crate) fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    let status = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// What a program prints.
pub(crate) fn output(program: &Path, arguments: &[&str]) -> Result<String> {
    let name = program.display();
    let output = Command::new(program).args(arguments).current_dir(root()).output();
    let output = output.with_context(|| format!("cannot run {name}"))?;
    if !output.status.success() {
        bail!("{name} {} failed:\n{}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
