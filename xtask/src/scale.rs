//! What a budget of memory costs, and how cost grows with the number of documents.
//!
//! Corpora are generated: pages of words from a vocabulary of 100,000, of which one in six is a near-copy of one of the
//! last hundred. They, and what does not fit into memory, need some 35 GB of disk.

use crate::run::{cargo, output, root};
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const MIB: u64 = 1 << 20;

/// Runs all measurements and writes `bench/results/DATE-scale.md`.
pub(crate) fn run() -> Result<()> {
    cargo(&["build", "--release", "--package", "lookalike-cli"], &[])?;
    let mut table = heading()?;
    table.push_str(&budgets()?);
    table.push_str(&growth()?);
    let date = output(Path::new("date"), &["-u", "+%F"])?;
    let path = root().join("bench/results").join(format!("{}-scale.md", date.trim()));
    fs::write(&path, table).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}

fn heading() -> Result<String> {
    let cores = std::thread::available_parallelism()?;
    Ok(format!(
        "# Memory budgets and growth\n\n\
         `cargo xtask scale`: `lookalike dedup FILE --dry-run --removed FILE --method METHOD --memory SIZE`, on \
         generated pages of which one in six is a near-copy; {cores} threads. Peak is the largest resident size of the \
         process, as the system tells it; seconds are those of one run, and in the default budget the median of three. \
         A shared machine: compare within this table only.\n\n"
    ))
}

/// The same corpus in ever less memory, and a corpus of ten times the memory.
fn budgets() -> Result<String> {
    let mut table = "| corpus MiB | documents | method | budget MiB | seconds | peak MiB | of budget | same bytes |\n\
                     |---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for (corpus_mib, budgets_mib) in [(512, &[16_384, 256, 64][..]), (10_240, &[1024][..])] {
        let corpus = generate(&format!("pages_{corpus_mib}_mib"), 250..550, |bytes, _| bytes >= corpus_mib * MIB)?;
        for method in ["exact", "minhash"] {
            let mut first = None;
            for &budget_mib in budgets_mib {
                let measured = measure(&corpus, method, budget_mib * MIB)?;
                let Measured { documents, seconds, peak_bytes, removed } = measured;
                let same = match &first {
                    None => "-",
                    Some(first) if *first == removed => "yes",
                    Some(_) => bail!("{} differs in {budget_mib} MiB", corpus.display()),
                };
                let share = 100 * peak_bytes / (budget_mib * MIB);
                let row = format!(
                    "| {corpus_mib} | {documents} | {method} | {budget_mib} | {seconds:.1} | {} | {share} % \
                     | {same} |\n",
                    peak_bytes / MIB
                );
                print!("{row}");
                table.push_str(&row);
                first.get_or_insert(removed);
            }
        }
        fs::remove_file(corpus)?;
    }
    Ok(table)
}

/// One to ten million documents, in the memory that a job has by default and in little.
fn growth() -> Result<String> {
    // With the rounds whose median counts.
    const BUDGETS: [(&str, u64, usize); 2] = [("default", 0, 3), ("1 GiB", 1024 * MIB, 1)];
    let mut table = "\n| million documents | MB | method | budget | seconds | of the first | peak MiB |\n\
                     |---|---|---|---|---|---|---|\n"
        .to_owned();
    let mut first: Option<Vec<f64>> = None;
    for millions in [1u64, 2, 5, 10] {
        let corpus = generate(&format!("short_{millions}_million"), 60..140, |_, count| count >= millions * 1_000_000)?;
        let megabytes = fs::metadata(&corpus)?.len() / 1_000_000;
        let mut all_seconds = Vec::new();
        let jobs = ["exact", "minhash"].into_iter().flat_map(|method| BUDGETS.map(|budget| (method, budget)));
        for (method, (name, budget_bytes, rounds)) in jobs {
            let measured = (0..rounds).map(|_| measure(&corpus, method, budget_bytes));
            let mut measured = measured.collect::<Result<Vec<_>>>()?;
            measured.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
            let Measured { seconds, peak_bytes, .. } = measured[rounds / 2];
            let ratio = first.as_ref().map_or(1.0, |first| seconds / first[all_seconds.len()]);
            all_seconds.push(seconds);
            let peak_mib = peak_bytes / MIB;
            let row =
                format!("| {millions} | {megabytes} | {method} | {name} | {seconds:.1} | {ratio:.1} | {peak_mib} |\n");
            print!("{row}");
            table.push_str(&row);
        }
        first.get_or_insert(all_seconds);
        fs::remove_file(corpus)?;
    }
    Ok(table)
}

struct Measured {
    documents: u64,
    seconds: f64,
    peak_bytes: u64,
    /// The rows of the removed documents, summed up.
    removed: String,
}

/// Runs a job; a budget of 0 means the default.
fn measure(corpus: &Path, method: &str, budget_bytes: u64) -> Result<Measured> {
    let folder = root().join("target/bench-data");
    let summary = folder.join("scale.json");
    let removed = folder.join("scale-removed.csv");
    let mut command = Command::new(root().join("target/release/lookalike"));
    command.arg("dedup").arg(corpus).args(["--dry-run", "--method", method]).arg("--temp-dir").arg(&folder);
    command.arg("--removed").arg(&removed).arg("--summary").arg(&summary);
    if budget_bytes > 0 {
        command.arg(format!("--memory={budget_bytes}B"));
    }
    let start = Instant::now();
    if !command.stderr(Stdio::null()).status().context("cannot run lookalike")?.success() {
        bail!("{command:?} failed");
    }
    let seconds = start.elapsed().as_secs_f64();
    let report: serde_json::Value = serde_json::from_str(&fs::read_to_string(&summary)?)?;
    Ok(Measured {
        documents: report["result"]["documents"].as_u64().unwrap_or(0),
        seconds,
        peak_bytes: report["peak_bytes"].as_u64().unwrap_or(0),
        removed: output(Path::new("cksum"), &[&removed.to_string_lossy()])?,
    })
}

/// Writes pages with a number of words in `lengths` until `is_enough` says so, given bytes and pages.
fn generate(name: &str, lengths: std::ops::Range<u64>, is_enough: impl Fn(u64, u64) -> bool) -> Result<PathBuf> {
    let folder = root().join("target/bench-data");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{name}.jsonl"));
    let mut file = BufWriter::with_capacity(1 << 20, File::create(&path)?);
    let mut chance = Chance(1);
    let vocabulary: Vec<String> = (0..100_000).map(|_| format!("{:x}", chance.below(1 << 28))).collect();
    let mut recent: Vec<Vec<u64>> = Vec::new();
    let mut bytes = 0;
    let mut count = 0;
    let mut line = String::new();
    while !is_enough(bytes, count) {
        let slot = chance.below(100) as usize;
        let page = match recent.get(slot) {
            Some(earlier) if chance.below(6) == 0 => {
                let mut page = earlier.clone();
                for _ in 0..chance.below(5) {
                    let place = chance.below(page.len() as u64) as usize;
                    page[place] = chance.below(vocabulary.len() as u64);
                }
                page
            }
            _ => {
                let words = lengths.start + chance.below(lengths.end - lengths.start);
                (0..words).map(|_| chance.below(vocabulary.len() as u64)).collect()
            }
        };
        line.clear();
        write!(line, "{{\"id\":\"page-{count}\",\"text\":\"")?;
        page.iter().for_each(|&word| {
            line.push_str(&vocabulary[word as usize]);
            line.push(' ');
        });
        line.push_str("\"}\n");
        file.write_all(line.as_bytes())?;
        (bytes, count) = (bytes + line.len() as u64, count + 1);
        if slot < recent.len() { recent[slot] = page } else { recent.push(page) }
    }
    // What is still being written to the disk would take its share of the measurement.
    file.into_inner()?.sync_all()?;
    Ok(path)
}

/// The same numbers in every run (xorshift64: Marsaglia 2003).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}
