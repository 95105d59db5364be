//! Running other programs.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;
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
    target().join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Builds the command for measurements, and returns its path.
pub(crate) fn release_binary() -> Result<PathBuf> {
    cargo(&["build", "--release", "--package", "lookalike-cli"], &[])?;
    Ok(target().join("release/lookalike"))
}

/// The folder for all that is built.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Writes a table of measurements; what is new in it goes to a page of `bench/results` by hand.
pub(crate) fn write_table(name: &str, table: &str) -> Result<()> {
    let path = target().join("bench-results").join(name);
    fs::create_dir_all(path.with_file_name(""))?;
    fs::write(&path, table).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}

/// `None` if something is there. A service that tests changes installs Debian's packages where it is not.
pub(crate) fn missing(is_there: impl Fn() -> bool, packages: &[&str], reason: &'static str) -> Option<&'static str> {
    if !is_there() && std::env::var("CI").as_deref() == Ok("true") {
        println!("installing {}", packages.join(" "));
        let install = [&["install", "--yes", "--quiet"], packages].concat();
        let _ = succeeds("apt-get", &["update", "--quiet"]) && succeeds("apt-get", &install);
    }
    (!is_there()).then_some(reason)
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

/// Crates of the workspace, as cargo describes them.
pub(crate) fn packages() -> Result<Vec<Value>> {
    let metadata = output(Path::new(env!("CARGO")), &["metadata", "--no-deps", "--format-version", "1"])?;
    let mut metadata: Value = serde_json::from_str(&metadata).context("cannot read cargo metadata")?;
    match metadata["packages"].take() {
        Value::Array(packages) => Ok(packages),
        _ => bail!("no packages in cargo metadata"),
    }
}

/// Standard output of a program.
pub(crate) fn output(program: &Path, arguments: &[&str]) -> Result<String> {
    let name = program.display();
    let output = Command::new(program).args(arguments).current_dir(root()).output();
    let output = output.with_context(|| format!("cannot run {name}"))?;
    if !output.status.success() {
        bail!("{name} {} failed:\n{}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The paths below `root` of its files, in order, but hidden ones and those that are built.
pub(crate) fn files_below(root: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    list_below(root, "", &mut files)?;
    Ok(files)
}

/// Appends the paths of the files in `folder`, whose own path is `prefix`, with a `/` at its end unless it is empty.
fn list_below(folder: &Path, prefix: &str, files: &mut Vec<String>) -> Result<()> {
    let failed = || format!("cannot read {}", folder.display());
    let mut entries = fs::read_dir(folder).with_context(failed)?.collect::<Result<Vec<_>, _>>().with_context(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_folder = entry.file_type().with_context(failed)?.is_dir();
        if name.starts_with('.') || is_folder && name == "target" {
            continue;
        }
        let path = format!("{prefix}{name}");
        if is_folder {
            list_below(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
