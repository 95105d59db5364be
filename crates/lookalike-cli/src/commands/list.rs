//! `lookalike pairs` and `lookalike clusters`: what is near-duplicate, without removing anything.

use crate::args::{
    ClusterFormatArg, ExistingArgs, FormatArg, InputArgs, ListingArgs, NounFlags, PageArgs, References, ReportArgs,
    ResourceArgs, RowArgs, SearchArgs, TextArgs, TextsArgs,
};
use crate::commands::drawing::histogram;
use crate::messages::{Voice, counted, say_listed, thousands};
use crate::outcome::Outcome;
use crate::progress::{Terminal, watch_interrupts};
use crate::table;
use anyhow::{Result, bail};
use clap::Args;
use lookalike::jobs::{self, Found, Report, StoredNouns};
use lookalike::pages::HistogramFacts;
use lookalike::{Job, Measure, Outputs, Rule};
use std::path::{Path, PathBuf};

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
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    format: Option<FormatArg>,
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
    #[arg(long, hide_short_help = true, value_name = "N", help_heading = "Output")]
    max_pairs: Option<u64>,
    #[command(flatten)]
    rows: RowArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    #[command(flatten)]
    page: PageArgs,
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
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    format: Option<ClusterFormatArg>,
    #[command(flatten)]
    listing: ListingArgs,
    #[command(flatten)]
    rows: RowArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// Runs `lookalike pairs`.
pub(crate) fn run_pairs(args: &PairsArgs, voice: Voice) -> Result<Outcome> {
    let PairsArgs {
        input,
        texts,
        existing,
        listing,
        max_pairs,
        rows,
        search,
        text,
        resources,
        page,
        report,
        output,
        format,
        histogram,
    } = args;
    histogram.as_deref().map_or(Ok(()), histogram::check)?;
    let listing = listing.listing(output, format.is_some());
    let outputs = Outputs {
        rows: listing.rows,
        top: listing.top,
        max_pairs: *max_pairs,
        row_format: format.map(Into::into),
        row_sources: rows.sources(),
        summary: report.summary.clone(),
        report: page.path()?.map(Path::to_owned),
        idf: search.save_idf.clone(),
        histogram: histogram.clone(),
        side_files: report.side_files(),
        existing: existing.files(),
        spared: text.files(),
        ..Outputs::default()
    };
    let job = Job { rule: Rule::Pairs, outputs, ..search_job((input, texts), text, search)? };
    if histogram.is_some() {
        threshold_of(job.measure)?;
    }
    let done = run(&job, resources, voice)?;
    if let Found::Pairs { counts, histogram: found, search, listed } = &done.found {
        table::print_pairs(listed, counts.pairs)?;
        if let (Some(path), Some(histogram)) = (histogram, found) {
            let method = search.method;
            let measure = job.measure.name();
            let threshold = threshold_of(job.measure)?;
            let noun = if job.measure.is_estimate() { "estimated pair" } else { "verified pair" };
            let pairs = &histogram.pairs;
            let refused = Some(&histogram.refused);
            let facts = HistogramFacts { pairs, refused, method, threshold, measure, noun };
            histogram::write(&facts, path)?;
        }
        let documents = counted(counts.documents, "document");
        let pairs = counted(counts.pairs, "pair");
        let numbers = match job.measure.min_similarity().filter(|_| job.measure.is_estimate()) {
            Some(threshold) => format!("{documents}: {pairs} whose intervals reach {threshold}"),
            None => format!("{documents}: {pairs} {}", job.measure.limit()),
        };
        say_listed(&done, numbers, (&job, voice));
    }
    Ok(Outcome::of(&done, report.on_found()))
}

/// The threshold of a measure whose similarities go from 0 to 1, as a histogram has them.
fn threshold_of(measure: Measure) -> Result<f64> {
    let Some(threshold) = measure.min_similarity() else {
        bail!("--histogram needs a measure of similarities from 0 to 1, not {}", measure.name());
    };
    Ok(threshold)
}

/// Runs `lookalike clusters`.
pub(crate) fn run_clusters(args: &ClustersArgs, voice: Voice) -> Result<Outcome> {
    let ClustersArgs { input, texts, existing, listing, rows, search, text, resources, page, report, output, format } =
        args;
    let listing = listing.listing(output, format.is_some());
    let layout = format.map(ClusterFormatArg::layout);
    let outputs = Outputs {
        rows: listing.rows,
        top: listing.top,
        clusters: layout.map(|(layout, _)| layout),
        row_format: layout.and_then(|(_, format)| format),
        row_sources: rows.sources(),
        summary: report.summary.clone(),
        report: page.path()?.map(Path::to_owned),
        idf: search.save_idf.clone(),
        side_files: report.side_files(),
        existing: existing.files(),
        spared: text.files(),
        ..Outputs::default()
    };
    let job = Job { rule: Rule::Clusters, outputs, ..search_job((input, texts), text, search)? };
    let done = run(&job, resources, voice)?;
    if let Found::Clusters { counts, listed, .. } = &done.found {
        table::print_clusters(listed, counts.clusters)?;
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
fn search_job((input, texts): (&InputArgs, &TextsArgs), text: &TextArgs, search: &SearchArgs) -> Result<Job> {
    let inputs = input.inputs()?;
    let stored = StoredNouns::of_first(&inputs.inputs)?;
    let nouns = NounFlags { input, texts: Some(texts), text }.nouns(inputs, stored)?;
    Ok(Job {
        measure: nouns.measure(search, References::None)?,
        inputs: nouns.inputs,
        features: nouns.features,
        method: search.method()?,
        signatures: nouns.signatures,
        check: search.check(),
        idf: search.idf.clone(),
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
