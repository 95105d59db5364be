//! `lookalike recluster`: another threshold or another choice of what is kept, from saved pairs.

use crate::args::{
    ClusterFormat, ExistingArgs, LeftOutArgs, ListingArgs, MeasureArgs, ReadingArgs, References, When, cluster_formats,
    local_name,
};
use crate::messages::{Voice, counted, note, say_dedup, say_numbers};
use crate::outcome::ExitStatus;
use crate::progress::Terminal;
use crate::table;
use anyhow::{Result, bail};
use clap::Args;
use lookalike::jobs::{self, Found, Recluster, ReclusterCounts, Report};
use lookalike::{
    Job, Measure, Order, Outputs, Resources, Rule,
    measures::{Figure, Subject, distance_of},
};
use std::path::{Path, PathBuf};

/// Arguments of `lookalike recluster`.
#[derive(Debug, Args)]
#[command(
    after_help = "\
Examples:
  lookalike pairs news.jsonl -t 0.5 -o pairs.jsonl
  lookalike recluster pairs.jsonl -t 0.7 -o clusters.csv
  lookalike recluster pairs.jsonl -t 0.9 --documents news.jsonl \\
      --records clean.jsonl",
    after_long_help = "\
Run `pairs` once at the lowest threshold that may be wanted; any higher one then takes seconds. Of the documents only \
ids and lengths are read again, and only with --documents; give the flags for input as you gave them to `pairs`.

Examples:
  lookalike pairs news.jsonl --threshold 0.5 -o pairs.jsonl
  lookalike recluster pairs.jsonl --threshold 0.7 -o clusters.csv
  lookalike recluster pairs.jsonl --threshold 0.9 --removed removed.jsonl
  lookalike recluster pairs.jsonl --threshold 0.9 --documents news.jsonl --records clean.jsonl --keep longest"
)]
pub(crate) struct ReclusterArgs {
    /// File of `lookalike pairs` (.jsonl, .csv, .tsv, .parquet, .arrow)
    #[arg(value_name = "PAIRS", value_parser = local_name())]
    pairs: PathBuf,
    #[command(flatten)]
    measure: MeasureArgs,
    /// The documents that the pairs were found in [default: none]
    #[arg(long, value_name = "INPUT", num_args = 1.., help_heading = "Input")]
    documents: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    existing: ExistingArgs,
    #[command(flatten)]
    left_out: LeftOutArgs,
    /// File for the clusters [default: stdout, if nothing else is asked for]
    ///
    /// Its extension says the format: .jsonl, .csv, .tsv, .parquet and .arrow for a row a document, .json for one array
    /// of clusters.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Format of the clusters [default: by the extension of FILE, else jsonl]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "FORMAT",
        value_parser = cluster_formats(),
        help_heading = "Output"
    )]
    format: Option<ClusterFormat>,
    #[command(flatten)]
    listing: ListingArgs,
    /// File for a row a document that dedup would remove
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    removed: Option<PathBuf>,
    /// File or folder for the records that dedup would keep
    #[arg(long, value_name = "OUT", requires = "documents", help_heading = "Output")]
    records: Option<PathBuf>,
    /// Which copy stays: first, last, longest, ...
    ///
    /// first or last; with --documents also longest, shortest, max:FIELD, min:FIELD, source, or several with commas
    /// between them, which decide in turn.
    #[arg(long, value_name = "WHICH", default_value = "first", help_heading = "Output")]
    keep: Order,
    /// Draw progress on stderr; auto means at a terminal
    #[arg(long, hide_short_help = true, value_name = "WHEN", value_enum, default_value_t, help_heading = "Run")]
    progress: When,
}

/// Runs the command.
pub(crate) fn run(args: &ReclusterArgs, voice: Voice) -> Result<ExitStatus> {
    let recluster = Recluster { pairs: args.pairs.clone(), job: args.job()? };
    let report = Terminal::new(args.progress, voice)
        .run(|progress| jobs::recluster(&recluster, &Resources::default(), progress))?;
    if let Found::Recluster { counts, listed } = &report.found {
        table::print_clusters(listed, counts.clusters)?;
        say_pairs(&report, counts, recluster.job.measure, voice);
        if let Some(counts) = &counts.dedup {
            say_dedup(&report, counts, "", &recluster.job, voice);
        }
    }
    Ok(ExitStatus::Done)
}

impl ReclusterArgs {
    /// The job that these flags mean.
    ///
    /// # Errors
    /// If no limit is given, or flags do not fit the measure.
    fn job(&self) -> Result<Job> {
        // Rows of pairs say by which figure they were found; of how many bits the fingerprints are matters to none.
        let measure = self.measure.to_measure(References::None, Subject::SavedPairs, None)?;
        let is_alone = self.removed.is_none() && self.records.is_none();
        let output = match &self.output {
            None if is_alone => Some(Path::new("-")),
            output => output.as_deref(),
        };
        let listing = output.map(|output| self.listing.listing(output, self.format.is_some()));
        if listing.is_none() && self.listing.top.is_some() {
            bail!("--top lists clusters: add -o FILE");
        }
        Ok(Job {
            inputs: self.reading.inputs(&self.documents),
            measure,
            rule: Rule::Keepers { keep: self.keep.clone() },
            outputs: Outputs {
                records: self.records.clone(),
                removed: self.removed.clone(),
                top: listing.as_ref().and_then(|listing| listing.top),
                rows: listing.and_then(|listing| listing.rows),
                clusters: self.format.map(|format| format.layout),
                row_format: self.format.and_then(|format| format.rows),
                left_out: self.left_out.fate(self.records.as_ref(), "--records OUT")?,
                existing: self.existing.files(),
                ..Outputs::default()
            },
            ..Job::default()
        })
    }
}

/// The threshold and the recall with which the pairs were found, if the file says them.
fn how_pairs_were_found(counts: &ReclusterCounts) -> String {
    let Some(basis) = &counts.basis else {
        return "\nrecall of the pairs: not known, the file does not say how they were found".to_owned();
    };
    let recall = match (basis.expected_recall(), basis.measured_recall) {
        (Some(1.0..), None) => "complete".to_owned(),
        (Some(expected), None) => format!("expected recall {expected:.4}"),
        (Some(expected), Some(measured)) => format!("expected recall {expected:.4}, {measured}"),
        (None, Some(measured)) => measured.to_string(),
        (None, None) => "recall not known".to_owned(),
    };
    format!("\nthe pairs were found {}: {recall}", basis.measure().limit())
}

fn say_pairs(report: &Report, counts: &ReclusterCounts, measure: Measure, voice: Voice) {
    let numbers = format!(
        "{} {}: {} with {}",
        counted(counts.pairs, "pair"),
        measure.limit(),
        counted(counts.clusters, "cluster"),
        counted(counts.clustered_documents, "document")
    );
    let numbers = format!("{numbers}{}", how_pairs_were_found(counts));
    match counts.dedup {
        // The report that follows says the rest.
        Some(_) => voice.say(numbers),
        None => say_numbers(report, numbers, voice),
    }
    let (extreme, farthest) = match measure.figure() {
        Figure::Distance { width } => ("maximum", distance_of(counts.min_similarity, width).to_string()),
        Figure::VectorDistance(_) => ("maximum", (0.0 - counts.min_similarity).to_string()),
        Figure::Similarity | Figure::Containment | Figure::Common | Figure::EstimatedSimilarity => {
            ("minimum", counts.min_similarity.to_string())
        }
    };
    let has_more = measure.is_reached_by(counts.min_similarity.next_down());
    if counts.basis.is_none() && has_more && counts.pairs > 0 {
        voice.say(note(format_args!(
            "the {} in the file is {}: does it hold all pairs {}?",
            extreme,
            farthest,
            measure.limit()
        )));
    }
}
