//! What is stored and read: long runs of tests that CI runs on fewer cases.

use crate::run::cargo;
use anyhow::Result;

/// Cases of damaged work folders.
const DAMAGE_CASES: &str = "500";
/// Random trees of files.
const TREE_CASES: &str = "5000";
/// Cases of each property.
const PROPERTY_CASES: &str = "20000";

/// Seconds for which the index is held to a plain map.
const INDEX_SECONDS: &str = "600";
/// Kills of a process that changes an index.
const INDEX_KILLS: &str = "300";
/// Kills of each command that changes an index.
const COMMAND_KILLS: &str = "200";

/// Random operations on an index with a disk that fails and a machine that loses power, and kills of a real process.
pub(super) fn index() -> Result<String> {
    let test = ["test", "--release", "-p", "lookalike-index", "--lib", "an_index_is_a_map"];
    cargo(&test, &[("LOOKALIKE_INDEX_SECONDS", INDEX_SECONDS)])?;
    cargo(&["test", "--release", "-p", "lookalike-index", "--test", "kills"], &[("LOOKALIKE_KILLS", INDEX_KILLS)])?;
    Ok(format!("{INDEX_SECONDS} seconds beside a plain map, {INDEX_KILLS} kills: every acknowledged change"))
}

/// Kills of each command that changes an index: the state before or after it, and the same bytes when it is run again.
pub(super) fn kills() -> Result<String> {
    let test = ["test", "--release", "-p", "lookalike-cli", "--test", "cli", "running::index_kills"];
    cargo(&test, &[("LOOKALIKE_INDEX_KILLS", COMMAND_KILLS)])?;
    Ok(format!("{COMMAND_KILLS} kills of each command: one change, whole or absent, the same bytes when run again"))
}

/// Kills jobs and damages their work folders.
pub(super) fn damage() -> Result<String> {
    let test = ["test", "--release", "-p", "lookalike-cli", "--test", "cli", "running::damage"];
    cargo(&test, &[("LOOKALIKE_DAMAGE_CASES", DAMAGE_CASES)])?;
    Ok(format!("{DAMAGE_CASES} cases: the same bytes or a refusal"))
}

/// Reads random trees of files by random inputs.
pub(super) fn trees() -> Result<String> {
    let test = ["test", "--release", "-p", "lookalike-cli", "--test", "cli", "inputs::random_trees"];
    cargo(&test, &[("LOOKALIKE_TREE_CASES", TREE_CASES)])?;
    Ok(format!("{TREE_CASES} trees: each readable file read once, each record kept, removed or named"))
}

/// The laws of stored formats and of readers on random content.
pub(super) fn properties() -> Result<String> {
    for (package, test) in [("lookalike", "stored"), ("lookalike-io", "readers")] {
        let test = ["test", "--release", "-p", package, "--test", test];
        cargo(&test, &[("PROPTEST_CASES", PROPERTY_CASES)])?;
    }
    Ok(format!("{PROPERTY_CASES} cases of each property: no finding"))
}
