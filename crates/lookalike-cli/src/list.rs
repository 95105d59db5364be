//! `lookalike pairs` and `lookalike clusters`: what is near-duplicate, without removing anything.

use crate::args::{InputArgs, ReportArgs, ResourceArgs, SearchArgs, TextArgs};
use crate::outcome::Outcome;
use crate::progress::{Terminal, watch_interrupts};
use crate::report::say_search;
use crate::words::{counted, say, thousands};
use anyhow::Result;
use clap::{Args, ValueEnum};
use lookalike::jobs::{self, Found, Report};
use lookalike::{ClusterLayout, Job, Outputs, Rule};
use std::path::PathBuf;

/// Stands for standard output.
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
    resources: ResourceArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// Arguments of `lookalike clusters`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A cluster is a connected component: a chain of near-duplicates leads from any member to any other, but two members may \
be far apart. Documents without a near-duplicate are in no cluster.

Examples:
  lookalike clusters news.jsonl -o clusters.tsv
  lookalike clusters news.jsonl --format json")]
pub(crate) struct ClustersArgs {
    #[command(flatten)]
    input: InputArgs,
    /// File for the clusters (.jsonl, .csv, .tsv, .parquet, .arrow: a row a document; .json: an array of clusters)
    #[arg(short, long, value_name = "FILE", default_value = STDOUT, help_heading = "Output")]
    output: PathBuf,
    /// rows: cluster, id; json: one array of clusters [default: by the extension of FILE]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    format: Option<ClusterFormat>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// Answers of `--format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ClusterFormat {
    /// A row a document.
    Rows,
    /// One JSON array of clusters.
    Json,
}

impl From<ClusterFormat> for ClusterLayout {
    fn from(format: ClusterFormat) -> Self {
        match format {
            ClusterFormat::Rows => Self::Rows,
            ClusterFormat::Json => Self::Json,
        }
    }
}

/// Runs `lookalike pairs`.
pub(crate) fn run_pairs(args: &PairsArgs) -> Result<Outcome> {
    let PairsArgs { input, search, text, resources, report, output } = args;
    let outputs = Outputs {
        rows: Some(output.clone()),
        summary: report.summary.clone(),
        spared: text.files(),
        ..Outputs::default()
    };
    let job = Job { rule: Rule::Pairs, outputs, ..search_job(input, text, search)? };
    let done = run(&job, resources)?;
    if let Found::Pairs { counts, .. } = &done.found {
        let (documents, pairs) = (counted(counts.documents, "document"), counted(counts.pairs, "pair"));
        say(format_args!("{documents}: {pairs} at {} or above", job.measure.threshold()));
    }
    say_search(&done, report.detail());
    Ok(Outcome::of(&done, report.on_found()))
}

/// Runs `lookalike clusters`.
pub(crate) fn run_clusters(args: &ClustersArgs) -> Result<Outcome> {
    let ClustersArgs { input, search, text, resources, report, output, format } = args;
    let outputs = Outputs {
        rows: Some(output.clone()),
        clusters: format.map(Into::into),
        summary: report.summary.clone(),
        spared: text.files(),
        ..Outputs::default()
    };
    let job = Job { rule: Rule::Clusters, outputs, ..search_job(input, text, search)? };
    let done = run(&job, resources)?;
    if let Found::Clusters { counts, .. } = &done.found {
        say(format_args!(
            "{}: {} with {} in all, the largest with {}",
            counted(counts.documents, "document"),
            counted(counts.clusters, "cluster"),
            counted(counts.clustered_documents, "document"),
            thousands(counts.largest_cluster),
        ));
    }
    say_search(&done, report.detail());
    Ok(Outcome::of(&done, report.on_found()))
}

/// The job that the common flags mean, without rule and outputs.
fn search_job(input: &InputArgs, text: &TextArgs, search: &SearchArgs) -> Result<Job> {
    Ok(Job {
        inputs: input.inputs(),
        features: text.features()?,
        measure: search.measure(),
        method: search.method()?,
        check: search.check(),
        ..Job::default()
    })
}

fn run(job: &Job, resources: &ResourceArgs) -> Result<Report> {
    watch_interrupts();
    let progress = Terminal::new(resources.progress);
    let report = jobs::run(job, &resources.resources()?, &progress);
    progress.finish();
    Ok(report?)
}
