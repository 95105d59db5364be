//! `lookalike pairs` and `lookalike clusters`: what is near-duplicate, without removing anything.

use crate::Outcome;
use crate::args::{InputArgs, RunArgs, SearchArgs, TextArgs, options};
use crate::progress::{Terminal, watch_interrupts};
use crate::summary::{Summary, counted, thousands};
use anyhow::Result;
use clap::{Args, ValueEnum};
use lookalike::{Corpus, Session, check_outputs, pipeline, write_cluster_groups, write_cluster_rows, write_pairs};
use serde::Serialize;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

const STDOUT: &str = "-";

/// Arguments of `lookalike pairs`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  lookalike pairs news.jsonl --threshold 0.6 -o pairs.csv
  lookalike pairs news.jsonl | head")]
pub(crate) struct PairsArgs {
    #[command(flatten)]
    input: InputArgs,
    /// File for the pairs: a, b, similarity (.jsonl, .csv, .tsv)
    #[arg(short, long, value_name = "FILE", default_value = STDOUT, help_heading = "Output")]
    output: PathBuf,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    run: RunArgs,
}

/// Arguments of `lookalike clusters`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A cluster is a connected component: a chain of near-duplicates leads from any member to any other, but two members may be \
far apart. Documents without a near-duplicate are in no cluster.

Examples:
  lookalike clusters news.jsonl -o clusters.tsv
  lookalike clusters news.jsonl --format json")]
pub(crate) struct ClustersArgs {
    #[command(flatten)]
    input: InputArgs,
    /// File for the clusters (.jsonl, .csv, .tsv: a row a document; .json: groups)
    #[arg(short, long, value_name = "FILE", default_value = STDOUT, help_heading = "Output")]
    output: PathBuf,
    /// rows: cluster, key; json: one array of groups [default: by the ending of FILE]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    format: Option<ClusterFormat>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    run: RunArgs,
}

/// Answers of `--format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ClusterFormat {
    /// A row a document.
    Rows,
    /// One JSON array of groups.
    Json,
}

#[derive(Debug, Serialize)]
struct PairsReport {
    documents: u64,
    empty: u64,
    bad_records: u64,
    pairs: u64,
    candidates: u64,
}

#[derive(Debug, Serialize)]
struct ClustersReport {
    documents: u64,
    empty: u64,
    bad_records: u64,
    clusters: u64,
    clustered_documents: u64,
    largest_cluster: u64,
}

/// Runs `lookalike pairs`.
pub(crate) fn run_pairs(args: &PairsArgs) -> Result<Outcome> {
    watch_interrupts();
    let options = options(&args.input, &args.text, &args.search, &args.run)?;
    lookalike::io::RowFormat::of(&args.output)?;
    check_outputs(&args.input.inputs, [Some(&args.output), args.run.summary.as_ref()].into_iter().flatten())?;
    let progress = Terminal::new(args.run.progress, 4);
    let session = Session::new(&options, &progress)?;
    let corpus = pipeline::read(&args.input.inputs, &session)?;
    let found = pipeline::pairs(&corpus, &session)?;
    progress.finish();
    let pairs = write_pairs(&args.output, &corpus, &found)?;
    let candidates = found.joined.candidates;
    let report = PairsReport {
        documents: corpus.len() as u64,
        empty: corpus.empty,
        bad_records: corpus.bad_records,
        pairs,
        candidates,
    };
    eprintln!(
        "{}: {} at {} or above",
        counted(report.documents, "document"),
        counted(pairs, "pair"),
        options.threshold
    );
    eprintln!("method: {}; {}", found.method, counted(candidates, "candidate"));
    if let Some(path) = &args.run.summary {
        Summary::new("pairs", &report, &found.method, &session, &options).write(path)?;
    }
    Ok(outcome(&corpus, &args.run, pairs))
}

/// Runs `lookalike clusters`.
pub(crate) fn run_clusters(args: &ClustersArgs) -> Result<Outcome> {
    watch_interrupts();
    let options = options(&args.input, &args.text, &args.search, &args.run)?;
    let format = args.format.unwrap_or_else(|| format_of(&args.output));
    if format == ClusterFormat::Rows {
        lookalike::io::RowFormat::of(&args.output)?;
    }
    check_outputs(&args.input.inputs, [Some(&args.output), args.run.summary.as_ref()].into_iter().flatten())?;
    let progress = Terminal::new(args.run.progress, 4);
    let session = Session::new(&options, &progress)?;
    let corpus = pipeline::read(&args.input.inputs, &session)?;
    let found = pipeline::clusters(&corpus, &session)?;
    progress.finish();
    match format {
        ClusterFormat::Rows => write_cluster_rows(&args.output, &corpus, &found)?,
        ClusterFormat::Json => write_cluster_groups(&args.output, &corpus, &found)?,
    }
    let sizes = found.clusters.iter().map(|cluster| cluster.members.len() as u64);
    let report = ClustersReport {
        documents: corpus.len() as u64,
        empty: corpus.empty,
        bad_records: corpus.bad_records,
        clusters: found.clusters.len() as u64,
        clustered_documents: sizes.clone().sum(),
        largest_cluster: sizes.max().unwrap_or(0),
    };
    eprintln!(
        "{}: {} with {} in all, the largest with {}",
        counted(report.documents, "document"),
        counted(report.clusters, "cluster"),
        counted(report.clustered_documents, "document"),
        thousands(report.largest_cluster),
    );
    eprintln!("method: {}", found.method);
    if let Some(path) = &args.run.summary {
        Summary::new("clusters", &report, &found.method, &session, &options).write(path)?;
    }
    Ok(outcome(&corpus, &args.run, report.clusters))
}

fn format_of(path: &Path) -> ClusterFormat {
    let is_json = path.extension().and_then(OsStr::to_str).is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    if is_json { ClusterFormat::Json } else { ClusterFormat::Rows }
}

fn outcome(corpus: &Corpus, run: &RunArgs, found: u64) -> Outcome {
    match () {
        () if corpus.bad_records > 0 => {
            eprintln!("{} left out", counted(corpus.bad_records, "bad record"));
            Outcome::BadRecords
        }
        () if run.fail_if_found && found > 0 => Outcome::Found,
        () => Outcome::Done,
    }
}
