//! `cargo xtask hard [TARGET...]`: long searches for faults, which CI does not run.
//!
//! Each target is bounded in time, ends with an error at the first finding, and says what it did in a line for the
//! table of `bench/results/DATE-hard.md`. Without arguments all targets run.

mod budgets;
mod corpora;
mod floods;
mod fuzz;
mod growth;
mod moved;
mod stored;

use crate::run::{output, root};
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// A search for faults.
struct Target {
    name: &'static str,
    /// What it tries, for the table.
    tries: &'static str,
    /// Runs it and says in a few words what was done.
    run: fn() -> Result<String>,
}

const TARGETS: &[Target] = &[
    Target { name: "corpora", tries: "corpora on which a join does most work, by all methods", run: corpora::run_all },
    Target { name: "damage", tries: "jobs killed at random whose work folders are then damaged", run: stored::damage },
    Target {
        name: "index",
        tries: "an index beside a plain map, with failing disks, power losses, kills",
        run: stored::index,
    },
    Target { name: "kills", tries: "every command that changes an index, killed at any moment", run: stored::kills },
    Target {
        name: "stored",
        tries: "readers and stored formats on random and forged content",
        run: stored::properties,
    },
    Target {
        name: "trees",
        tries: "file trees with links, odd names, doubles and archives, by random inputs",
        run: stored::trees,
    },
    Target {
        name: "budgets",
        tries: "unusual inputs in little memory: long documents, many fields, empty lines, low limits",
        run: budgets::run_all,
    },
    Target {
        name: "growth",
        tries: "every command on n, 2n and 4n documents that are all alike, or tokens: time and memory",
        run: growth::run_all,
    },
    Target { name: "arm", tries: "the core on 64-bit ARM, emulated: the NEON kernel", run: moved::arm },
    Target {
        name: "newest",
        tries: "the Python package beside the newest versions of pandas, polars, pyarrow",
        run: moved::newest,
    },
    Target {
        name: "coming",
        tries: "docs/datatrove.md and docs/text-dedup.md beside the two tools",
        run: moved::coming,
    },
    Target { name: "spark", tries: "all tests of lookalike.spark", run: moved::spark },
    Target { name: "engines", tries: "the recipes for Ray and Spark of docs/engines.md", run: moved::engines },
    Target { name: "server", tries: "the interface of the server, by many requests", run: moved::server },
    Target {
        name: "floods",
        tries: "a server under floods of 64 connections: answers nobody takes, large bodies, costly questions",
        run: floods::run_all,
    },
    Target { name: "fuzz", tries: "every fuzz target on its corpus, ten minutes each", run: fuzz::run_all },
];

const HEADING: &str = "# Long searches for faults\n\nWritten by `cargo xtask hard`.\n\n\
                       | target | what it tries | what was done | minutes |\n|---|---|---|---|\n";

/// Runs the targets of these names, or all, and writes `bench/results/DATE-hard.md`.
pub(crate) fn run(names: &[String]) -> Result<()> {
    if let Some(unknown) = names.iter().find(|name| TARGETS.iter().all(|target| target.name != **name)) {
        let known: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        bail!("no target is named {unknown}; there are: {}", known.join(", "));
    }
    let date = output(Path::new("date"), &["-u", "+%F"])?;
    let path = root().join("bench/results").join(format!("{}-hard.md", date.trim()));
    let mut table = match fs::read_to_string(&path) {
        Ok(table) => table,
        Err(_) => HEADING.to_owned(),
    };
    for target in TARGETS.iter().filter(|target| names.is_empty() || names.iter().any(|name| name == target.name)) {
        println!("{}: {}", target.name, target.tries);
        let begun = Instant::now();
        let done = (target.run)().with_context(|| format!("target {} has a finding", target.name))?;
        let minutes = begun.elapsed().as_secs_f64() / 60.0;
        writeln!(table, "| {} | {} | {done} | {minutes:.1} |", target.name, target.tries)?;
        // After each: they take hours together.
        fs::write(&path, &table).with_context(|| format!("cannot write {}", path.display()))?;
    }
    println!("wrote {}", path.display());
    Ok(())
}
