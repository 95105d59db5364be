//! `lookalike recluster`: another threshold or another choice of what is kept, from saved pairs.

use crate::args::{ReadingArgs, When};
use crate::outcome::{OnFound, Outcome};
use crate::progress::{Terminal, watch_interrupts};
use crate::report::say_dedup;
use crate::words::{counted, say, thousands};
use anyhow::Result;
use clap::Args;
use lookalike::jobs::{self, Found, Recluster, ReclusterCounts};
use lookalike::{Job, Measure, Order, Outputs, Resources, Rule, Threshold};
use std::path::PathBuf;

/// Arguments of `lookalike recluster`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Run `pairs` once at the lowest threshold that may be wanted; any higher one then takes seconds. Of the documents only \
ids and lengths are read again, and only with --documents; give the flags for input as you gave them to `pairs`.

Examples:
  lookalike pairs news.jsonl --threshold 0.5 -o pairs.jsonl
  lookalike recluster pairs.jsonl --threshold 0.7 -o clusters.csv
  lookalike recluster pairs.jsonl --threshold 0.9 --removed removed.jsonl
  lookalike recluster pairs.jsonl --threshold 0.9 --documents news.jsonl --records clean.jsonl --keep longest")]
pub(crate) struct ReclusterArgs {
    /// File of `lookalike pairs` (.jsonl, .csv, .tsv, .parquet, .arrow)
    #[arg(value_name = "PAIRS", help_heading = "Input")]
    pairs: PathBuf,
    /// Minimum similarity (>=); not below the one that the pairs were found with
    #[arg(long, value_name = "T", allow_negative_numbers = true, help_heading = "Search")]
    threshold: Threshold,
    /// The documents that the pairs were found in [default: none]
    #[arg(long, value_name = "INPUT", num_args = 1.., help_heading = "Input")]
    documents: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// File for the clusters (.jsonl, .csv, .tsv, .parquet, .arrow: a row a document; .json: an array of
    /// clusters) [default: stdout, if nothing else is asked for]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// File for one row a document that dedup would remove: id, kept, similarity, reason
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    removed: Option<PathBuf>,
    /// File or folder for the records that dedup would keep
    #[arg(long, value_name = "OUT", requires = "documents", help_heading = "Output")]
    records: Option<PathBuf>,
    /// Which copy stays: first, last; with --documents also longest, shortest, max:FIELD, min:FIELD, source
    #[arg(long, value_name = "WHICH", default_value = "first", help_heading = "Output")]
    keep: Order,
    /// Draw progress on stderr; auto means at a terminal
    #[arg(long, hide_short_help = true, value_name = "WHEN", value_enum, default_value_t, help_heading = "Run")]
    progress: When,
}

/// Runs the command.
pub(crate) fn run(args: &ReclusterArgs) -> Result<Outcome> {
    watch_interrupts();
    let progress = Terminal::new(args.progress);
    let recluster = Recluster { pairs: args.pairs.clone(), job: args.job() };
    let report = jobs::recluster(&recluster, &Resources::default(), &progress);
    progress.finish();
    let report = report?;
    if let Found::Recluster(counts) = &report.found {
        say_pairs(counts, args.threshold);
        if let Some(counts) = &counts.dedup {
            say_dedup(&report, counts, "");
        }
    }
    Ok(Outcome::in_silence(&report, OnFound::Succeed))
}

impl ReclusterArgs {
    /// The job that these flags mean.
    fn job(&self) -> Job {
        let is_alone = self.removed.is_none() && self.records.is_none();
        Job {
            inputs: self.reading.inputs(&self.documents),
            measure: Measure::jaccard(self.threshold),
            rule: Rule::Keepers { keep: self.keep.clone() },
            outputs: Outputs {
                records: self.records.clone(),
                removed: self.removed.clone(),
                rows: self.output.clone().or_else(|| is_alone.then(|| PathBuf::from("-"))),
                ..Outputs::default()
            },
            ..Job::default()
        }
    }
}

fn say_pairs(counts: &ReclusterCounts, threshold: Threshold) {
    say(format_args!(
        "{} at {threshold} or above: {} with {} documents",
        counted(counts.pairs, "pair"),
        counted(counts.clusters, "cluster"),
        thousands(counts.clustered_documents)
    ));
    if threshold.as_f64() < counts.min_similarity && counts.pairs > 0 {
        say(format_args!(
            "note: the minimum similarity in the file is {}: \
             were the pairs found with a higher threshold than {threshold}?",
            counts.min_similarity
        ));
    }
}
