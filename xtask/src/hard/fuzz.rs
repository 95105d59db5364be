//! Every fuzz target for some minutes, on the corpus that earlier runs have left in `fuzz/corpus`.

use crate::run::{root, run};
use anyhow::{Context, Result, bail};
use std::fs;
use std::process::Command;

/// Seconds of each target, unless `LOOKALIKE_FUZZ_SECONDS` says otherwise.
const SECONDS: u64 = 600;
/// Memory that a target may use: inputs are small, and no reader may take much for a small file.
const MAX_MIB: u64 = 1024;
/// Seconds that an input may take.
const MAX_SECONDS_OF_INPUT: u64 = 20;

pub(super) fn run_all() -> Result<String> {
    let seconds = match std::env::var("LOOKALIKE_FUZZ_SECONDS") {
        Ok(text) => text.parse().context("LOOKALIKE_FUZZ_SECONDS is no number")?,
        Err(_) => SECONDS,
    };
    let targets = targets()?;
    for target in &targets {
        let limits = [
            format!("-max_total_time={seconds}"),
            format!("-rss_limit_mb={MAX_MIB}"),
            format!("-malloc_limit_mb={MAX_MIB}"),
            format!("-timeout={MAX_SECONDS_OF_INPUT}"),
        ];
        let mut command = Command::new("cargo");
        command.args(["+nightly", "fuzz", "run", target, "--"]).args(limits).current_dir(root());
        run(&mut command).with_context(|| format!("fuzz target {target}"))?;
    }
    Ok(format!("{} targets of {seconds} s: no finding", targets.len()))
}

/// Names of the files in `fuzz/fuzz_targets`.
fn targets() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("fuzz/fuzz_targets"))? {
        let path = entry?.path();
        names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    }
    if names.is_empty() {
        bail!("fuzz/fuzz_targets is empty");
    }
    names.sort();
    Ok(names)
}
