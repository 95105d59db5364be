//! Every fuzz target for some minutes, on what earlier runs have found.
//!
//! `fuzz/corpora.tar.zst` holds the inputs of all targets, so that the minutes of all runs add up. It is unpacked
//! beside what `fuzz/corpus` holds already; afterwards inputs that reach nothing new are dropped, and the rest is
//! packed again.

use crate::run::{output, root, run};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds of each target, unless `LOOKALIKE_FUZZ_SECONDS` says otherwise.
const SECONDS: u64 = 600;
/// Memory that a target may use: inputs are small, and no reader may take much for a small file.
const MAX_MIB: u64 = 1024;
/// Seconds that an input may take.
const MAX_SECONDS_OF_INPUT: u64 = 20;
/// The archive is small and written seldom.
const COMPRESSION: &str = "zstd -19";

pub(super) fn run_all() -> Result<String> {
    let seconds = match std::env::var("LOOKALIKE_FUZZ_SECONDS") {
        Ok(text) => text.parse().context("LOOKALIKE_FUZZ_SECONDS is no number")?,
        Err(_) => SECONDS,
    };
    let targets: Vec<String> = output(Path::new("cargo"), &["fuzz", "list"])?.lines().map(str::to_owned).collect();
    unpack(&archive(), &root().join("fuzz"))?;
    for target in &targets {
        fuzz(target, seconds)?;
    }
    let inputs = pack(&targets, &root().join("fuzz"), &archive())?;
    Ok(format!("{} targets of {seconds} s, {inputs} inputs kept", targets.len()))
}

/// Runs a target, and leaves inputs in its corpus that each reach something of their own.
fn fuzz(target: &str, seconds: u64) -> Result<()> {
    let limits = [
        format!("-max_total_time={seconds}"),
        format!("-rss_limit_mb={MAX_MIB}"),
        format!("-malloc_limit_mb={MAX_MIB}"),
        format!("-timeout={MAX_SECONDS_OF_INPUT}"),
    ];
    let cargo_fuzz = |command: &str| {
        let mut cargo = Command::new("cargo");
        cargo.args(["+nightly", "fuzz", command, target]).current_dir(root());
        cargo
    };
    run(cargo_fuzz("run").arg("--").args(limits)).with_context(|| format!("fuzz target {target}"))?;
    run(&mut cargo_fuzz("cmin")).with_context(|| format!("corpus of fuzz target {target}"))
}

fn archive() -> PathBuf {
    root().join("fuzz/corpora.tar.zst")
}

fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    run(Command::new("tar").arg("--zstd").arg("-xf").arg(archive).arg("-C").arg(folder))
}

/// Packs the corpora in a fixed order and without times, and returns the number of inputs.
fn pack(targets: &[String], folder: &Path, archive: &Path) -> Result<usize> {
    let staged = archive.with_extension("partial");
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"]);
    tar.args(["--use-compress-program", COMPRESSION, "-cf"]).arg(&staged).arg("-C").arg(folder);
    run(tar.args(targets.iter().map(|target| format!("corpus/{target}"))))?;
    fs::rename(&staged, archive)?;
    let inputs = targets.iter().map(|target| Ok(fs::read_dir(folder.join("corpus").join(target))?.count()));
    inputs.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_corpora_come_back() {
        let folder = root().join("target/tmp/packed-corpora");
        let corpus = folder.join("corpus/pages");
        fs::create_dir_all(&corpus).unwrap();
        fs::write(corpus.join("b"), [0, 255]).unwrap();
        fs::write(corpus.join("a"), "").unwrap();
        let archive = folder.join("corpora.tar.zst");
        let targets = ["pages".to_owned()];
        assert_eq!(pack(&targets, &folder, &archive).unwrap(), 2);
        let first = fs::read(&archive).unwrap();
        fs::remove_dir_all(folder.join("corpus")).unwrap();
        unpack(&archive, &folder).unwrap();
        assert_eq!(fs::read(corpus.join("b")).unwrap(), [0, 255]);
        assert_eq!(pack(&targets, &folder, &archive).unwrap(), 2);
        assert_eq!(fs::read(&archive).unwrap(), first);
        fs::remove_dir_all(&folder).unwrap();
    }
}
