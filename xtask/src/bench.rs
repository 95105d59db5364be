//! The main job on real documents: what it removes, how long it takes, and what a second thread brings.
//!
//! The documents lie outside the project: in `../shared/data`, or where `LOOKALIKE_DATA` says. Each file is
//! decompressed to `target/bench-data`; generated corpora that are there (`bench/peers/generate.py`) are measured
//! beside them. Medians count.

use crate::run::{cargo, release_binary, root, target, write_table};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const RUNS: usize = 7;
/// Corpora of fewer bytes say nothing about threads.
const LARGE_BYTES: u64 = 100_000_000;

/// The floor is reading, parsing and hashing tokens alone: the example `floor`.
const HEADING: &str = "\
| corpus | MB | documents | kept | identical | equal | near | floor s | seconds | MB/s | peak MB | peak B per B |
|---|---|---|---|---|---|---|---|---|---|---|---|
";

/// Runs all measurements.
pub(crate) fn run() -> Result<()> {
    let corpora = prepare_corpora()?;
    if corpora.is_empty() {
        println!("SKIPPED: no folder of real documents; set LOOKALIKE_DATA");
        return Ok(());
    }
    let program = release_binary()?;
    cargo(&["build", "--release", "--package", "lookalike-io", "--example", "floor"], &[])?;
    let generated =
        ["rust_docs", "generated_1000000", "generated_4000000"].map(|name| corpus_path(&format!("{name}.jsonl")));
    let generated = generated.into_iter().filter(|path| path.exists());
    let every: Vec<PathBuf> = corpora.iter().cloned().chain(generated).collect();
    let threads = std::thread::available_parallelism()?;
    let mut table = format!("Medians of {RUNS} runs in turn, {threads} threads:\n\n{HEADING}");
    for corpus in &every {
        let row = measure(&program, corpus)?;
        println!("{}", row.trim_end());
        table.push_str(&row);
    }
    table.push_str(&share_of_reading(&program, &corpora)?);
    table.push_str(
        "\n`dedup`, one thread and two in turn:\n\n\
         | corpus | method | one thread s | two threads s | times as fast |\n|---|---|---|---|---|\n",
    );
    table.push_str(&two_threads(&program, "all real ones", &corpora)?);
    for corpus in every.iter().filter(|path| fs::metadata(path).is_ok_and(|file| file.len() > LARGE_BYTES)) {
        table.push_str(&two_threads(&program, &name(corpus), std::slice::from_ref(corpus))?);
    }
    write_table("dedup.md", &table)
}

/// A row of a corpus.
fn measure(program: &Path, corpus: &Path) -> Result<String> {
    let removed = corpus_path("removed.jsonl").display().to_string();
    let mut floors = Vec::new();
    let mut jobs = Vec::new();
    for _ in 0..RUNS {
        floors.push(floor(corpus)?);
        jobs.push(run_job(program, &["dedup", "--removed", &removed], &[corpus.to_owned()])?);
    }
    let seconds = median(jobs.iter().map(|(seconds, _)| *seconds));
    let floor = median(floors.into_iter());
    let (_, summary) = &jobs[0];
    let megabytes = fs::metadata(corpus)?.len() as f64 / 1e6;
    let mut row = format!("| {} | {megabytes:.0} ", name(corpus));
    for count in ["documents", "kept", "removed_identical", "removed_equal", "removed_near"] {
        write!(row, "| {} ", summary["result"][count])?;
    }
    let peak = summary["peak_bytes"].as_u64().context("no peak in the summary")? as f64 / 1e6;
    let speed = megabytes / seconds;
    let share = peak / megabytes;
    writeln!(row, "| {floor:.2} | {seconds:.2} | {speed:.0} | {peak:.0} | {share:.2} |")?;
    Ok(row)
}

/// Seconds of reading a corpus with two threads, parsing it and hashing its tokens.
fn floor(corpus: &Path) -> Result<f64> {
    let mut command = Command::new(target().join("release/examples/floor"));
    let result = command.arg("tokens").arg(corpus).arg("2").output().context("cannot run the example `floor`")?;
    let report: Value = serde_json::from_slice(&result.stdout).context("the example `floor` failed")?;
    report["seconds"].as_f64().context("no seconds of the floor")
}

/// Compares a job over all corpora at once with its first stage.
fn share_of_reading(program: &Path, corpora: &[PathBuf]) -> Result<String> {
    let mut pairs = Vec::new();
    let mut shares = Vec::new();
    for _ in 0..RUNS {
        let (seconds, summary) = run_job(program, &["pairs", "--method", "exact"], corpora)?;
        let reading = summary["stages"][0]["seconds"].as_f64().context("no stage in the summary")?;
        pairs.push(seconds);
        shares.push(seconds / reading);
    }
    Ok(format!(
        "\n`pairs --method exact` over all real corpora in one run: {:.2} s, {:.2} times its stage of reading and \
         shingling.\n",
        median(pairs.into_iter()),
        median(shares.into_iter())
    ))
}

/// Rows of how two threads compare with one, in turn.
fn two_threads(program: &Path, name: &str, corpora: &[PathBuf]) -> Result<String> {
    let mut rows = String::new();
    for method in ["exact", "minhash"] {
        let mut one = Vec::new();
        let mut two = Vec::new();
        for _ in 0..RUNS {
            one.push(run_job(program, &["dedup", "--method", method, "--threads", "1"], corpora)?.0);
            two.push(run_job(program, &["dedup", "--method", method, "--threads", "2"], corpora)?.0);
        }
        let one = median(one.into_iter());
        let two = median(two.into_iter());
        let row = format!("| {name} | {method} | {one:.2} | {two:.2} | {:.2} |\n", one / two);
        print!("{row}");
        rows.push_str(&row);
    }
    Ok(rows)
}

/// Runs a job over corpora, with its output written; returns the seconds that it took, and its summary.
fn run_job(program: &Path, arguments: &[&str], corpora: &[PathBuf]) -> Result<(f64, Value)> {
    let summary = corpus_path("summary.json");
    let out = corpus_path(if corpora.len() == 1 { "out.jsonl" } else { "out" });
    // A new output, as most are: giving the blocks of an old one back to the disk takes longer than writing.
    if out.is_dir() {
        fs::remove_dir_all(&out)?;
    } else if out.exists() {
        fs::remove_file(&out)?;
    }
    let mut command = Command::new(program);
    command.args(arguments).args(corpora).arg("-o").arg(&out).arg("--summary").arg(&summary);
    let start = Instant::now();
    if !command.stderr(Stdio::null()).status().context("cannot run lookalike")?.success() {
        bail!("{command:?} failed");
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok((seconds, serde_json::from_str(&fs::read_to_string(&summary)?)?))
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn name(corpus: &Path) -> String {
    corpus.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn corpus_path(name: &str) -> PathBuf {
    root().join("target/bench-data").join(name)
}

/// Decompresses the corpora that are at hand.
fn prepare_corpora() -> Result<Vec<PathBuf>> {
    let source = std::env::var_os("LOOKALIKE_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    fs::create_dir_all(corpus_path(""))?;
    let mut corpora = Vec::new();
    for entry in fs::read_dir(&source).into_iter().flatten() {
        let path = entry?.path();
        let Some(corpus) = path.file_name().unwrap_or_default().to_str().and_then(|name| name.strip_suffix(".zst"))
        else {
            continue;
        };
        if !corpus.ends_with(".jsonl") {
            continue;
        }
        let corpus = corpus_path(corpus);
        if !corpus.exists() {
            crate::run::run(Command::new("zstd").args(["-dq"]).arg(&path).arg("-o").arg(&corpus))?;
        }
        corpora.push(corpus);
    }
    corpora.sort();
    Ok(corpora)
}
