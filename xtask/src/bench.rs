//! The main job on real documents: what it removes and how long it takes.
//!
//! The documents lie outside the project: in `../shared/data`, or where `LOOKALIKE_DATA` says. Each file is
//! decompressed to `target/bench-data` and deduplicated several times; the median counts.

use crate::run::{cargo, output, root};
use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const RUNS: usize = 7;

/// Runs all measurements and writes `bench/results/DATE-dedup.md`.
pub(crate) fn run() -> Result<()> {
    let corpora = prepare_corpora()?;
    if corpora.is_empty() {
        println!("SKIPPED: no folder of real documents; set LOOKALIKE_DATA");
        return Ok(());
    }
    cargo(&["build", "--release", "--package", "lookalike-cli"], &[])?;
    cargo(&["build", "--release", "--package", "lookalike-io", "--example", "floor"], &[])?;
    let mut table = heading()?;
    for corpus in &corpora {
        let row = measure(corpus)?;
        println!("{}", row.trim_end());
        table.push_str(&row);
    }
    let share = share_of_reading(&corpora)?;
    println!("{share}");
    table.push_str(&share);
    table.push_str(&two_threads(&corpora)?);
    table.push_str(&growth()?);
    let date = output(Path::new("date"), &["-u", "+%F"])?;
    let path = root().join("bench/results").join(format!("{}-dedup.md", date.trim()));
    fs::create_dir_all(root().join("bench/results"))?;
    fs::write(&path, table).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}

fn heading() -> Result<String> {
    let cores = std::thread::available_parallelism()?;
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor = processor.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("unknown processor");
    Ok(format!(
        "# dedup on real documents\n\n\
         `lookalike dedup FILE -o OUT --removed FILE` with the defaults (word:5, threshold 0.8, exact), output \
         written.\n\
         Floor: reading, parsing and hashing tokens alone, nothing kept (the example `floor`). Medians of {RUNS} runs \
         in turn;\n{cores} threads, {}. A shared machine: compare within this table only.\n\n\
         | corpus | MB | documents | kept | identical | equal | near | floor s | seconds | MB/s | peak MB | \
         peak B per B |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n",
        processor.trim_start_matches([' ', '\t', ':']),
    ))
}

fn measure(corpus: &Path) -> Result<String> {
    let folder = root().join("target/bench-data");
    let summary = folder.join("summary.json");
    let mut times = Vec::new();
    let mut floors = Vec::new();
    for _ in 0..RUNS {
        floors.push(floor(corpus)?);
        // A new file, as most are: giving the blocks of an old one back to the disk takes longer than writing.
        remove(&folder.join("out.jsonl"))?;
        let start = Instant::now();
        let mut command = Command::new(root().join("target/release/lookalike"));
        command.arg("dedup").arg(corpus).arg("-o").arg(folder.join("out.jsonl"));
        command.arg("--removed").arg(folder.join("removed.jsonl")).arg("--summary").arg(&summary);
        let status = command.stderr(Stdio::null()).status().context("cannot run lookalike")?;
        if !status.success() {
            bail!("lookalike dedup {} failed", corpus.display());
        }
        times.push(start.elapsed().as_secs_f64());
    }
    let seconds = median(times);
    let floor = median(floors);
    let report: serde_json::Value = serde_json::from_str(&fs::read_to_string(&summary)?)?;
    let megabytes = fs::metadata(corpus)?.len() as f64 / 1e6;
    let mut row = String::new();
    write!(row, "| {} | {megabytes:.0} ", corpus.file_stem().unwrap_or_default().to_string_lossy())?;
    for count in ["documents", "kept", "removed_identical", "removed_equal", "removed_near"] {
        write!(row, "| {} ", report["result"][count])?;
    }
    let peak = report["peak_bytes"].as_u64().context("no peak in the summary")? as f64 / 1e6;
    let speed = megabytes / seconds;
    let share = peak / megabytes;
    writeln!(row, "| {floor:.2} | {seconds:.2} | {speed:.0} | {peak:.0} | {share:.2} |")?;
    Ok(row)
}

/// Seconds of reading a corpus with two threads, parsing it and hashing its tokens.
fn floor(corpus: &Path) -> Result<f64> {
    let mut command = Command::new(root().join("target/release/examples/floor"));
    let result = command.arg("tokens").arg(corpus).arg("2").output().context("cannot run the example `floor`")?;
    let report: serde_json::Value = serde_json::from_slice(&result.stdout).context("the example `floor` failed")?;
    report["seconds"].as_f64().context("no seconds of the floor")
}

/// Cost by size, of those generated corpora that are at hand (`bench/peers/generate.py N` makes one of N documents).
fn growth() -> Result<String> {
    const RUNS: usize = 3;
    let mut table = String::new();
    for millions in [1, 2, 4, 8] {
        let corpus = root().join(format!("target/bench-data/generated_{millions}000000.jsonl"));
        if !corpus.exists() {
            continue;
        }
        if table.is_empty() {
            table.push_str(
                "\nGenerated documents, medians of 3 (`bench/peers/generate.py`):\n\n\
                 | millions | MB | exact s | minhash s | exact s / million | minhash s / million | peak MB |\n\
                 |---|---|---|---|---|---|---|\n",
            );
        }
        let run = |method| -> Result<(f64, u64)> {
            let runs = (0..RUNS).map(|_| run_over_all(&["dedup", "--method", method], std::slice::from_ref(&corpus)));
            let runs: Vec<Measured> = runs.collect::<Result<_>>()?;
            let peak = runs.iter().map(|run| run.peak_bytes).max().unwrap_or(0);
            Ok((median(runs.iter().map(|run| run.seconds).collect()), peak))
        };
        let (exact, exact_peak) = run("exact")?;
        let (minhash, minhash_peak) = run("minhash")?;
        let megabytes = fs::metadata(&corpus)?.len() / 1_000_000;
        let size = f64::from(millions);
        let peak = exact_peak.max(minhash_peak) / 1_000_000;
        let row = format!(
            "| {millions} | {megabytes} | {exact:.2} | {minhash:.2} | {:.2} | {:.2} | {peak} |\n",
            exact / size,
            minhash / size
        );
        print!("{row}");
        table.push_str(&row);
    }
    Ok(table)
}

/// What a job over all corpora took.
struct Measured {
    seconds: f64,
    /// Of that, its first stage.
    reading: f64,
    peak_bytes: u64,
}

/// How a job over all corpora at once compares with its first stage.
fn share_of_reading(corpora: &[PathBuf]) -> Result<String> {
    let mut pairs = Vec::new();
    let mut shares = Vec::new();
    for _ in 0..RUNS {
        let joined = run_over_all(&["pairs", "--method", "exact"], corpora)?;
        pairs.push(joined.seconds);
        shares.push(joined.seconds / joined.reading);
    }
    Ok(format!(
        "\n`pairs --method exact` over all corpora in one run, output written, median of {RUNS}: {:.2} s, {:.2} \
         times its stage of reading and shingling.\n",
        median(pairs),
        median(shares)
    ))
}

/// How two threads compare with one, in turn, on all corpora together and on each large one that is at hand.
fn two_threads(corpora: &[PathBuf]) -> Result<String> {
    const LARGE_BYTES: u64 = 100_000_000;
    let made = ["rust_docs", "generated_1000000"].map(|name| root().join(format!("target/bench-data/{name}.jsonl")));
    let is_large = |path: &&PathBuf| fs::metadata(path).is_ok_and(|file| file.len() > LARGE_BYTES);
    let mut jobs = vec![("all of the above", corpora.to_vec())];
    for corpus in corpora.iter().chain(&made).filter(is_large) {
        jobs.push((corpus.file_stem().and_then(OsStr::to_str).unwrap_or_default(), vec![corpus.clone()]));
    }
    let mut table = format!(
        "\n`dedup`, output written, one thread and two in turn, medians of {RUNS}:\n\n\
         | corpus | method | one thread s | two threads s | times as fast |\n|---|---|---|---|---|\n"
    );
    for (name, files) in jobs {
        for method in ["exact", "minhash"] {
            let mut one = Vec::new();
            let mut two = Vec::new();
            for _ in 0..RUNS {
                one.push(run_over_all(&["dedup", "--method", method, "--threads", "1"], &files)?.seconds);
                two.push(run_over_all(&["dedup", "--method", method, "--threads", "2"], &files)?.seconds);
            }
            let one = median(one);
            let two = median(two);
            let row = format!("| {name} | {method} | {one:.2} | {two:.2} | {:.2} |\n", one / two);
            print!("{row}");
            table.push_str(&row);
        }
    }
    Ok(table)
}

/// Runs a job over all corpora, whose common ids are told apart.
fn run_over_all(arguments: &[&str], corpora: &[PathBuf]) -> Result<Measured> {
    let folder = root().join("target/bench-data");
    let summary = folder.join("summary.json");
    let out = folder.join("out");
    remove(&out)?;
    let mut command = Command::new(root().join("target/release/lookalike"));
    command.args(arguments).args(corpora).arg("-o").arg(&out).arg("--summary").arg(&summary);
    let start = Instant::now();
    if !command.stderr(Stdio::null()).status().context("cannot run lookalike")?.success() {
        bail!("lookalike {} over all corpora failed", arguments.join(" "));
    }
    let seconds = start.elapsed().as_secs_f64();
    let report: serde_json::Value = serde_json::from_str(&fs::read_to_string(&summary)?)?;
    let reading = report["stages"][0]["seconds"].as_f64().context("no stage in the summary")?;
    Ok(Measured { seconds, reading, peak_bytes: report["peak_bytes"].as_u64().unwrap_or(0) })
}

fn remove(output: &Path) -> Result<()> {
    if output.is_dir() {
        fs::remove_dir_all(output)?;
    } else if output.exists() {
        fs::remove_file(output)?;
    }
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Decompresses the corpora that are at hand.
fn prepare_corpora() -> Result<Vec<PathBuf>> {
    let source = std::env::var_os("LOOKALIKE_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    let target = root().join("target/bench-data");
    fs::create_dir_all(&target)?;
    let mut corpora = Vec::new();
    for entry in fs::read_dir(&source).into_iter().flatten() {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(name) = name.strip_suffix(".zst").filter(|name| name.ends_with(".jsonl")) else { continue };
        let corpus = target.join(name);
        if !corpus.exists() {
            zstd::stream::copy_decode(File::open(&path)?, File::create(&corpus)?)?;
        }
        corpora.push(corpus);
    }
    corpora.sort();
    Ok(corpora)
}
