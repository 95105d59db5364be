//! `lookalike pairs` and `lookalike clusters`: what is near-duplicate, without removing anything.

use crate::args::{ClusterFormatArg, FormatArg, InputArgs, References, ReportArgs, ResourceArgs, SearchArgs, TextArgs};
use crate::messages::{Voice, counted, say_listed, thousands};
use crate::outcome::Outcome;
use crate::progress::{Terminal, watch_interrupts};
use anyhow::Result;
use clap::Args;
use lookalike::jobs::{self, Found, Report};
use lookalike::{Job, Outputs, Rule};
use std::path::PathBuf;

/// Stands for standard output.
const STDOUT: &str = "-";

/// Arguments of `lookalike pairs`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lookalike pairs news.jsonl | head
  lookalike pairs news.jsonl -t 0.6 -o pairs.csv
  lookalike compare news.jsonl:ID1 news.jsonl:ID2   where a pair is alike
  lookalike pairs photos.csv --bits phash --measure hamming --distance 3")]
pub(crate) struct PairsArgs {
    #[command(flatten)]
    input: InputArgs,
    /// File for the pairs; - for stdout
    ///
    /// A row has a, b and similarity, or what else the measure counts. The extension says the format: .jsonl, .csv, .tsv, .parquet, .arrow.
    #[arg(short, long, value_name = "FILE", default_value = STDOUT, help_heading = "Output")]
    output: PathBuf,
    /// Format of the pairs [default: by the extension of FILE, else jsonl]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    format: Option<FormatArg>,
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
#[command(
    after_help = "\
Examples:
  lookalike clusters news.jsonl -o clusters.tsv
  lookalike clusters news.jsonl --format json",
    after_long_help = "\
A cluster is a connected component: a chain of near-duplicates leads from any member to any other, but two members may \
be far apart. Documents without a near-duplicate are in no cluster.

Examples:
  lookalike clusters news.jsonl -o clusters.tsv
  lookalike clusters news.jsonl -o clusters.json     one array of clusters
  lookalike clusters news.jsonl --format json | jq '.[0].ids'"
)]
pub(crate) struct ClustersArgs {
    #[command(flatten)]
    input: InputArgs,
    /// File for the clusters; - for stdout
    ///
    /// Its extension says the format: .jsonl, .csv, .tsv, .parquet and .arrow for a row a document, .json for one array
    /// of clusters.
    #[arg(short, long, value_name = "FILE", default_value = STDOUT, help_heading = "Output")]
    output: PathBuf,
    /// Format of the clusters [default: by the extension of FILE, else jsonl]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    format: Option<ClusterFormatArg>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// Runs `lookalike pairs`.
pub(crate) fn run_pairs(args: &PairsArgs, voice: Voice) -> Result<Outcome> {
    let PairsArgs { input, search, text, resources, report, output, format } = args;
    let outputs = Outputs {
        rows: Some(output.clone()),
        row_format: format.map(Into::into),
        summary: report.summary.clone(),
        side_files: report.side_files(),
        spared: text.files(),
        ..Outputs::default()
    };
    let job = Job { rule: Rule::Pairs, outputs, ..search_job(input, text, search)? };
    let done = run(&job, resources, voice)?;
    if let Found::Pairs { counts, .. } = &done.found {
        let (documents, pairs) = (counted(counts.documents, "document"), counted(counts.pairs, "pair"));
        let numbers = format!("{documents}: {pairs} {}", job.measure.limit());
        say_listed(&done, numbers, (&job, voice));
    }
    Ok(Outcome::of(&done, report.on_found()))
}

/// Runs `lookalike clusters`.
pub(crate) fn run_clusters(args: &ClustersArgs, voice: Voice) -> Result<Outcome> {
    let ClustersArgs { input, search, text, resources, report, output, format } = args;
    let layout = format.map(ClusterFormatArg::layout);
    let outputs = Outputs {
        rows: Some(output.clone()),
        clusters: layout.map(|(layout, _)| layout),
        row_format: layout.and_then(|(_, format)| format),
        summary: report.summary.clone(),
        side_files: report.side_files(),
        spared: text.files(),
        ..Outputs::default()
    };
    let job = Job { rule: Rule::Clusters, outputs, ..search_job(input, text, search)? };
    let done = run(&job, resources, voice)?;
    if let Found::Clusters { counts, .. } = &done.found {
        let numbers = format!(
            "{}: {} with {} in all, the largest with {}",
            counted(counts.documents, "document"),
            counted(counts.clusters, "cluster"),
            counted(counts.clustered_documents, "document"),
            thousands(counts.largest_cluster),
        );
        say_listed(&done, numbers, (&job, voice));
    }
    Ok(Outcome::of(&done, report.on_found()))
}

/// The job that the common flags mean, without rule and outputs.
fn search_job(input: &InputArgs, text: &TextArgs, search: &SearchArgs) -> Result<Job> {
    Ok(Job {
        inputs: input.inputs()?,
        features: text.features()?,
        measure: search.measure(References::None, input.subject())?,
        method: search.method()?,
        check: search.check(),
        ..Job::default()
    })
}

fn run(job: &Job, resources: &ResourceArgs, voice: Voice) -> Result<Report> {
    watch_interrupts();
    let progress = Terminal::new(resources.progress, voice);
    let report = jobs::run(job, &resources.resources()?, &progress);
    progress.finish();
    Ok(report?)
}
