//! `cargo xtask hard [TARGET...]`: long searches for faults, which CI does not run.
//!
//! Each target is bounded in time, ends with an error at the first finding, and says what it did in a line of a table.
//! Without arguments all targets run.

mod budgets;
mod floods;
mod fuzz;
mod growth;
mod measured;

use crate::arm;
use crate::python::{self, server, spark};
use crate::run::{cargo, release_binary, root, run as run_command, write_table};
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::process::Command;
use std::time::Instant;

/// A search for faults: its name, what it tries, for the table, and how.
type NamedSearch = (&'static str, &'static str, FaultSearch);

enum FaultSearch {
    /// Tests that CI runs on fewer cases: arguments of `cargo test`, a variable and the number of cases it asks for.
    Cases(&'static [[&'static str; 3]]),
    /// A task that only passes or fails.
    Task(fn() -> Result<()>),
    /// A search that returns figures.
    Figures(fn() -> Result<String>),
}

/// Times that `auto` may take, as a multiple of the best method: two, and what a shared machine adds to that.
const MAX_RATIO: &str = "3";

const TARGETS: &[NamedSearch] = &[
    ("corpora", "corpora on which a join does most work, by all methods", FaultSearch::Task(compare_methods)),
    (
        "damage",
        "jobs killed at random whose work folders are then damaged",
        FaultSearch::Cases(&[["-p lookalike-cli --test cli running::damage", "LOOKALIKE_DAMAGE_CASES", "500"]]),
    ),
    (
        "index",
        "an index beside a plain map, with failing disks, power losses, kills of a real process",
        FaultSearch::Cases(&[
            ["-p lookalike-index --lib an_index_is_a_map", "LOOKALIKE_INDEX_SECONDS", "600"],
            ["-p lookalike-index --test kills", "LOOKALIKE_KILLS", "300"],
        ]),
    ),
    (
        "kills",
        "every command that changes an index, killed at any moment",
        FaultSearch::Cases(&[["-p lookalike-cli --test cli running::index_kills", "LOOKALIKE_INDEX_KILLS", "200"]]),
    ),
    (
        "stored",
        "readers and stored formats on random and forged content",
        FaultSearch::Cases(&[
            ["-p lookalike --test stored", "PROPTEST_CASES", "20000"],
            ["-p lookalike-io --test readers", "PROPTEST_CASES", "20000"],
        ]),
    ),
    (
        "trees",
        "file trees with links, odd names, doubles and archives, by random inputs",
        FaultSearch::Cases(&[["-p lookalike-cli --test cli inputs::random_trees", "LOOKALIKE_TREE_CASES", "5000"]]),
    ),
    ("budgets", "little memory: long documents, many fields, empty lines", FaultSearch::Figures(budgets::run_all)),
    ("growth", "every command on n, 2n and 4n documents, or tokens, all alike", FaultSearch::Figures(growth::run_all)),
    ("arm", "the core on 64-bit ARM, emulated: the NEON kernel", FaultSearch::Task(arm::test)),
    ("newest", "the Python package beside the newest pandas, polars, pyarrow", FaultSearch::Task(python::test_newest)),
    ("coming", "docs/datatrove.md and docs/text-dedup.md beside the two tools", FaultSearch::Task(python::test_tools)),
    ("spark", "all tests of lookalike.spark", FaultSearch::Task(spark::test)),
    ("engines", "the recipes for Ray and Spark of docs/engines.md", FaultSearch::Task(python::test_engines)),
    (
        "server",
        "the interface of the server, 100 requests a kind and operation",
        FaultSearch::Task(|| server::test(100)),
    ),
    ("floods", "a server under floods of 64 connections", FaultSearch::Figures(floods::run_all)),
    ("fuzz", "every fuzz target on its corpus, ten minutes each", FaultSearch::Figures(fuzz::run_all)),
];

const HEADING: &str = "| target, without a finding | what it tries | figures | minutes |\n|---|---|---|---|\n";

/// Runs the targets of these names, or all.
pub(crate) fn run(names: &[String]) -> Result<()> {
    if let Some(unknown) = names.iter().find(|name| TARGETS.iter().all(|target| target.0 != **name)) {
        let known: Vec<&str> = TARGETS.iter().map(|target| target.0).collect();
        bail!("no target is named {unknown}; there are: {}", known.join(", "));
    }
    let mut table = HEADING.to_owned();
    let is_chosen = |target: &&NamedSearch| names.is_empty() || names.iter().any(|name| name == target.0);
    for (name, tries, search) in TARGETS.iter().filter(is_chosen) {
        println!("{name}: {tries}");
        let begun = Instant::now();
        let figures = search.run().with_context(|| format!("target {name} has a finding"))?;
        let minutes = begun.elapsed().as_secs_f64() / 60.0;
        writeln!(table, "| {name} | {tries} | {figures} | {minutes:.1} |")?;
        // After each: they take hours together.
        write_table("hard.md", &table)?;
    }
    Ok(())
}

impl FaultSearch {
    fn run(&self) -> Result<String> {
        match self {
            Self::Cases(all) => {
                for [arguments, variable, cases] in *all {
                    let arguments: Vec<&str> = ["test", "--release"].into_iter().chain(arguments.split(' ')).collect();
                    cargo(&arguments, &[(variable, cases)])?;
                }
                Ok(all.iter().map(|[_, variable, cases]| format!("{variable}={cases} ")).collect())
            }
            Self::Task(task) => task().map(|()| String::new()),
            Self::Figures(figures) => figures(),
        }
    }
}

/// The corpora on which a join can do far too much work, with all methods.
fn compare_methods() -> Result<()> {
    let mut command = Command::new("python3");
    command.arg("bench/hard/run.py").arg(release_binary()?).args(["--most", MAX_RATIO]).current_dir(root());
    run_command(&mut command)
}
