//! `lookalike fingerprint`: the SimHash of each document.

use crate::args::{ExistingArgs, FormatArg, InputArgs, ResourceArgs, TextArgs, WeightsArg};
use crate::messages::{Voice, counted, say_numbers};
use crate::outcome::{OnFound, Outcome};
use crate::progress::{Terminal, watch_interrupts};
use anyhow::{Result, ensure};
use clap::Args;
use lookalike::jobs::{self, SimHashFingerprints};
use lookalike::{
    Data, Job, Measure, Outputs,
    measures::{Cosine, EmptyPolicy, Threshold},
};
use std::path::PathBuf;

/// Arguments of `lookalike fingerprint`.
#[derive(Debug, Args)]
#[command(
    after_help = "\
Examples:
  lookalike fingerprint news.jsonl --shingle word:1 -o news.parquet
  lookalike fingerprint news.jsonl --shingle word:2 --weights tfidf --fingerprint-bits 128",
    after_long_help = "\
Bit i is the sign of a sum over all shingles: the weight of each whose hash has bit i, minus the weight of each that \
has not (Charikar 2002). The smaller the angle of two weighted documents, the fewer bits differ. Rows have id and \
simhash: hexadecimal digits, or bytes of fixed size in Parquet and Arrow; null for a document without shingles.

Examples:
  lookalike fingerprint news.jsonl --shingle word:1 -o news.parquet
  lookalike fingerprint news.jsonl --shingle word:2 --weights tfidf --fingerprint-bits 128"
)]
pub(crate) struct FingerprintArgs {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    existing: ExistingArgs,
    /// File for the fingerprints; - for stdout
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    /// Format of the rows [default: by the extension of FILE, else jsonl]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    format: Option<FormatArg>,
    /// Number of bits: 64, 128, 256, 512 or 1024
    #[arg(long, value_name = "B", default_value = "64", allow_negative_numbers = true, help_heading = "Text")]
    fingerprint_bits: usize,
    /// Weight of a shingle or item: tf, tfidf, binary [default: tf]
    #[arg(long, value_name = "WEIGHTS", value_enum, hide_possible_values = true, help_heading = "Text")]
    weights: Option<WeightsArg>,
    /// Seed of the bits
    #[arg(long, hide_short_help = true, value_name = "N", default_value = "1", help_heading = "Text")]
    seed: u64,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Write counts, parameters and times as JSON
    #[arg(long, value_name = "FILE.json", help_heading = "Run")]
    summary: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &FingerprintArgs, voice: Voice) -> Result<Outcome> {
    watch_interrupts();
    let inputs = args.input.inputs()?;
    ensure!(
        inputs.fingerprints.is_none(),
        "--bits names a field with fingerprints that are there; to make some of N bits, give --fingerprint-bits N"
    );
    let weights = args.weights.map(Into::into).unwrap_or_default();
    let job = Job {
        inputs,
        features: args.text.features()?,
        // Nothing is compared: only the weights matter.
        measure: Measure::Cosine(Cosine { threshold: Threshold::default(), weights, empty: EmptyPolicy::Keep }),
        outputs: Outputs {
            rows: Some(args.output.clone()),
            row_format: args.format.map(Into::into),
            summary: args.summary.clone(),
            spared: args.text.files(),
            existing: args.existing.files(),
            ..Outputs::default()
        },
        ..Job::default()
    };
    let fingerprints = SimHashFingerprints { bits: args.fingerprint_bits, seed: args.seed };
    let progress = Terminal::new(args.resources.progress, voice);
    let report = jobs::fingerprint(&job, &Data::default(), fingerprints, &args.resources.resources()?, &progress);
    progress.finish();
    let report = report?;
    say_numbers(&report, counted(report.corpus.documents, "fingerprint"), voice);
    Ok(Outcome::of(&report, OnFound::Succeed))
}
