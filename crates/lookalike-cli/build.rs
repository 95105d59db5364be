//! Says of which commit and for which platform the command is built.

use std::process::Command;

fn main() {
    // Any commit, and any change of branch, is written there.
    if let Some(path) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={path}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    let commit = git(&["rev-parse", "--short=9", "HEAD"]).map_or_else(String::new, |commit| format!("{commit}, "));
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo:rustc-env=LOOKALIKE_BUILD= ({commit}{target})");
}

/// Revision of these sources by git; nothing outside of a clone, or without git. A packaged crate stands in no clone of
/// ours, whatever folder it was unpacked to.
fn git(arguments: &[&str]) -> Option<String> {
    let is_clone = std::path::Path::new("../../.git").exists();
    let output = is_clone.then(|| Command::new("git").args(arguments).output())?.ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
