//! `lookalike pairs` and `lookalike clusters`: what is near-duplicate, without removing anything.

use crate::args::{
    ClusterFormat, ExistingArgs, InputArgs, JobArgs, ListingArgs, References, TextsArgs, cluster_formats, max_pairs,
    row_formats,
};
use crate::commands::drawing;
use crate::messages::{Voice, counted, say_listed, thousands};
use crate::outcome::ExitStatus;
use crate::progress::run_job;
use crate::table;
use anyhow::{Result, bail};
use clap::Args;
use lookalike::jobs::{self, Found};
use lookalike::pages::HistogramFacts;
use lookalike::{Job, Measure, Outputs, Rule, outputs::RowFormat};
use std::path::PathBuf;

/// Stands for standard output.
const STDOUT: &str = "-";

/// Arguments of `lookalike pairs`.
#[derive(Debug, Args)]
#[command(
    after_help = "\
Examples:
  lookalike pairs news.jsonl --top 20
  lookalike pairs news.jsonl -t 0.5 -o pairs.csv --report pairs.html
  lookalike pairs photos.csv --bits phash --measure hamming --distance 3",
    after_long_help = "\
Examples:
  lookalike pairs news.jsonl --top 20
  lookalike pairs news.jsonl -t 0.5 -o pairs.csv --histogram similarities.svg
  lookalike pairs 'src/**/*.java' --tokens code --rename-blind --keywords java
  lookalike compare news.jsonl:ID1 news.jsonl:ID2   where a pair is alike
  lookalike pairs sales.csv --group-by customer --items-field product -t 0.5
  lookalike pairs photos.csv --bits phash --measure hamming --distance 3"
)]
pub(crate) struct PairsArgs {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    texts: TextsArgs,
    #[command(flatten)]
    existing: ExistingArgs,
    /// File for the pairs; - for stdout
    ///
    /// A row has a, b and similarity, or what else the measure counts. The extension says the format: .jsonl, .csv,
    /// .tsv, .parquet, .arrow.
    #[arg(short, long, value_name = "FILE", default_value = STDOUT, help_heading = "Output")]
    output: PathBuf,
    /// Format of the pairs [default: by the extension of FILE, else jsonl]
    #[arg(long, value_name = "FORMAT", value_parser = row_formats(), help_heading = "Output")]
    format: Option<RowFormat>,
    /// Draw how many pairs have which similarity: FILE.svg, or FILE.json for the numbers [default: none]
    ///
    /// In hundredths: the pairs, and the candidates below the threshold, of whose similarities more than 16384 are
    /// estimated from a sample; over them the probability that the method finds a pair. A low threshold shows where a
    /// good one is.
    #[arg(long, hide_short_help = true, value_name = "FILE", help_heading = "Output")]
    histogram: Option<PathBuf>,
    #[command(flatten)]
    listing: ListingArgs,
    /// End without output as soon as there are known to be more pairs than N [default: any number]
    ///
    /// n documents that are equal, or all alike, have n (n - 1) / 2 pairs. Those of equal ones are counted before
    /// documents are compared, all before the first row is written.
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = max_pairs, help_heading = "Output")]
    max_pairs: Option<u64>,
    #[command(flatten)]
    common: JobArgs,
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
    #[command(flatten)]
    texts: TextsArgs,
    #[command(flatten)]
    existing: ExistingArgs,
    /// File for the clusters; - for stdout
    ///
    /// Its extension says the format: .jsonl, .csv, .tsv, .parquet and .arrow for a row a document, .json for one array
    /// of clusters.
    #[arg(short, long, value_name = "FILE", default_value = STDOUT, help_heading = "Output")]
    output: PathBuf,
    /// Format of the clusters [default: by the extension of FILE, else jsonl]
    #[arg(long, value_name = "FORMAT", value_parser = cluster_formats(), help_heading = "Output")]
    format: Option<ClusterFormat>,
    #[command(flatten)]
    listing: ListingArgs,
    #[command(flatten)]
    common: JobArgs,
}

/// Runs `lookalike pairs`.
pub(crate) fn run_pairs(args: &PairsArgs, voice: Voice) -> Result<ExitStatus> {
    let PairsArgs { input, common, histogram, .. } = args;
    histogram.as_deref().map_or(Ok(()), drawing::check_histogram_name)?;
    let listing = args.listing.listing(&args.output, args.format.is_some());
    let job = common.job(input, &args.texts, input.inputs()?, References::None)?;
    let outputs = Outputs {
        rows: listing.rows,
        top: listing.top,
        max_pairs: args.max_pairs,
        row_format: args.format,
        histogram: histogram.clone(),
        existing: args.existing.files(),
        ..job.outputs
    };
    let job = Job { rule: Rule::Pairs, outputs, ..job };
    if histogram.is_some() {
        threshold_of(job.measure)?;
    }
    let report = run_job(&common.resources, voice, |resources, progress| jobs::run(&job, resources, progress))?;
    if let Found::Pairs { counts, histogram: found, search, listed } = &report.found {
        table::print_pairs(listed, counts.pairs)?;
        if let (Some(path), Some(found)) = (histogram, found) {
            let facts = HistogramFacts {
                pairs: &found.pairs,
                refused: Some(&found.refused),
                method: search.method,
                threshold: threshold_of(job.measure)?,
                measure: job.measure.name(),
                noun: if job.measure.is_estimate() { "estimated pair" } else { "verified pair" },
            };
            drawing::write_histogram(&facts, path)?;
        }
        let documents = counted(counts.documents, "document");
        let pairs = counted(counts.pairs, "pair");
        let numbers = match job.measure.min_similarity().filter(|_| job.measure.is_estimate()) {
            Some(threshold) => format!("{documents}: {pairs} whose intervals reach {threshold}"),
            None => format!("{documents}: {pairs} {}", job.measure.limit()),
        };
        say_listed(&report, numbers, &job, voice);
    }
    Ok(ExitStatus::found_if(common.report.fail_if_found && report.found.count() > 0))
}

/// The threshold of a measure whose similarities go from 0 to 1, as a histogram has them.
fn threshold_of(measure: Measure) -> Result<f64> {
    let Some(threshold) = measure.min_similarity() else {
        bail!("--histogram needs a measure of similarities from 0 to 1, not {}", measure.name());
    };
    Ok(threshold)
}

/// Runs `lookalike clusters`.
pub(crate) fn run_clusters(args: &ClustersArgs, voice: Voice) -> Result<ExitStatus> {
    let ClustersArgs { input, format, common, .. } = args;
    let listing = args.listing.listing(&args.output, format.is_some());
    let job = common.job(input, &args.texts, input.inputs()?, References::None)?;
    let outputs = Outputs {
        rows: listing.rows,
        top: listing.top,
        clusters: format.map(|format| format.layout),
        row_format: format.and_then(|format| format.rows),
        existing: args.existing.files(),
        ..job.outputs
    };
    let job = Job { rule: Rule::Clusters, outputs, ..job };
    let report = run_job(&common.resources, voice, |resources, progress| jobs::run(&job, resources, progress))?;
    if let Found::Clusters { counts, listed, .. } = &report.found {
        table::print_clusters(listed, counts.clusters)?;
        let numbers = format!(
            "{}: {} with {} in all, the largest with {}",
            counted(counts.documents, "document"),
            counted(counts.clusters, "cluster"),
            counted(counts.clustered_documents, "document"),
            thousands(counts.largest_cluster),
        );
        say_listed(&report, numbers, &job, voice);
    }
    Ok(ExitStatus::found_if(common.report.fail_if_found && report.found.count() > 0))
}
