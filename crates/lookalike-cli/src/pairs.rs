//! `lookalike pairs` and `lookalike clusters`: what is near-duplicate, without removing anything.

use crate::Outcome;
use crate::args::{InputArgs, ReportArgs, SearchArgs, TextArgs, WorkArgs, options};
use crate::progress::{Terminal, watch_interrupts};
use crate::summary::{self, Job, Summary};
use crate::words::{Findings, counted, explain, say, say_method, thousands};
use anyhow::Result;
use clap::{Args, ValueEnum};
use lookalike::core::decide::Cluster;
use lookalike::io::{Aside, AtomicFile, RowWriter, Sealed};
use lookalike::{
    CLUSTERS_HEADER, Corpus, PAIRS_HEADER, Session, check_outputs, pipeline, publish_all, write_cluster_groups,
    write_cluster_rows, write_pairs,
};
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
    /// File for the pairs: a, b, similarity (.jsonl, .csv, .tsv, .parquet, .arrow)
    #[arg(short, long, value_name = "FILE", default_value = STDOUT, help_heading = "Output")]
    output: PathBuf,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    work: WorkArgs,
    #[command(flatten)]
    report: ReportArgs,
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
    /// File for the clusters (.jsonl, .csv, .tsv, .parquet, .arrow: a row a document; .json: groups)
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
    work: WorkArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// Answers of `--format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClusterFormat {
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
    let options = options(&args.input, &args.text, &args.search, &args.work)?;
    let outputs = [Some(&args.output), args.report.summary.as_ref(), args.work.work_dir.as_ref()];
    check_outputs(&args.input.inputs, outputs.into_iter().flatten())?;
    let progress = Terminal::new(args.work.progress, 4);
    let session = Session::new(&options, &progress)?;
    let inputs = session.discover(&args.input.inputs)?;
    let writer = RowWriter::create_with(&args.output, PAIRS_HEADER, &options.aside())?;
    let summary = summary::begin(args.report.summary.as_ref(), &options)?;

    let corpus = pipeline::read(&inputs, &session)?;
    let found = pipeline::pairs(&corpus, &session)?;
    progress.finish();
    let (written, pairs) = write_pairs(writer, &corpus, &found, &session)?;
    let candidates = found.joined.candidates;
    let report =
        PairsReport { documents: corpus.len() as u64, empty: corpus.empty, bad_records: corpus.bad_records, pairs };
    let (documents, tokens) = (report.documents, corpus.tokens);
    let findings = Findings { method: &found.method, recall: found.recall, documents, tokens, candidates };
    let job = Job { command: "pairs", inputs: &args.input.inputs, ..Job::default() };
    let summary = summary.map(|file| Summary::new(job, &report, &findings, &session, &options).write(file));
    publish_all(summary.transpose()?.into_iter().chain([written]))?;
    say(format_args!(
        "{}: {} at {} or above",
        counted(report.documents, "document"),
        counted(pairs, "pair"),
        options.threshold
    ));
    say_method(&findings);
    if args.report.explain {
        explain(&findings, &session);
    }
    Ok(outcome(&corpus, &args.report, pairs))
}

/// Runs `lookalike clusters`.
pub(crate) fn run_clusters(args: &ClustersArgs) -> Result<Outcome> {
    watch_interrupts();
    let options = options(&args.input, &args.text, &args.search, &args.work)?;
    let format = args.format.unwrap_or_else(|| format_of(&args.output));
    let outputs = [Some(&args.output), args.report.summary.as_ref(), args.work.work_dir.as_ref()];
    check_outputs(&args.input.inputs, outputs.into_iter().flatten())?;
    let progress = Terminal::new(args.work.progress, 4);
    let session = Session::new(&options, &progress)?;
    let inputs = session.discover(&args.input.inputs)?;
    let output = ClusterOutput::create(&args.output, format, &options.aside())?;
    let summary = summary::begin(args.report.summary.as_ref(), &options)?;

    let corpus = pipeline::read(&inputs, &session)?;
    let found = pipeline::clusters(&corpus, &session)?;
    progress.finish();
    let written = output.write(&corpus, &found.clusters, &session)?;
    let sizes = found.clusters.iter().map(|cluster| cluster.members.len() as u64);
    let report = ClustersReport {
        documents: corpus.len() as u64,
        empty: corpus.empty,
        bad_records: corpus.bad_records,
        clusters: found.clusters.len() as u64,
        clustered_documents: sizes.clone().sum(),
        largest_cluster: sizes.max().unwrap_or(0),
    };
    let (documents, tokens, candidates) = (report.documents, corpus.tokens, found.candidates);
    let findings = Findings { method: &found.method, recall: found.recall, documents, tokens, candidates };
    let job = Job { command: "clusters", inputs: &args.input.inputs, ..Job::default() };
    let summary = summary.map(|file| Summary::new(job, &report, &findings, &session, &options).write(file));
    publish_all(summary.transpose()?.into_iter().chain([written]))?;
    say(format_args!(
        "{}: {} with {} in all, the largest with {}",
        counted(report.documents, "document"),
        counted(report.clusters, "cluster"),
        counted(report.clustered_documents, "document"),
        thousands(report.largest_cluster),
    ));
    say_method(&findings);
    if args.report.explain {
        explain(&findings, &session);
    }
    Ok(outcome(&corpus, &args.report, report.clusters))
}

/// The output of `clusters`, begun but still aside.
pub(crate) enum ClusterOutput {
    Rows(RowWriter),
    Json(Box<AtomicFile>),
}

impl ClusterOutput {
    pub(crate) fn create(path: &Path, format: ClusterFormat, aside: &Aside) -> Result<Self> {
        Ok(match format {
            ClusterFormat::Rows => Self::Rows(RowWriter::create_with(path, CLUSTERS_HEADER, aside)?),
            ClusterFormat::Json => Self::Json(Box::new(AtomicFile::create_with(path, aside)?)),
        })
    }

    pub(crate) fn write(self, corpus: &Corpus, clusters: &[Cluster], session: &Session<'_>) -> Result<Sealed> {
        Ok(match self {
            Self::Rows(writer) => write_cluster_rows(writer, corpus, clusters, session)?,
            Self::Json(file) => write_cluster_groups(*file, corpus, clusters, session)?,
        })
    }
}

pub(crate) fn format_of(path: &Path) -> ClusterFormat {
    let is_json = path.extension().and_then(OsStr::to_str).is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    if is_json { ClusterFormat::Json } else { ClusterFormat::Rows }
}

fn outcome(corpus: &Corpus, report: &ReportArgs, found: u64) -> Outcome {
    match () {
        () if corpus.bad_records > 0 => {
            say(format_args!("{} left out", counted(corpus.bad_records, "bad record")));
            Outcome::BadRecords
        }
        () if report.fail_if_found && found > 0 => Outcome::Found,
        () => Outcome::Done,
    }
}
