//! `lookalike fingerprint`: the SimHash of each document.

use crate::args::{ExistingArgs, InputArgs, ResourceArgs, TextArgs, row_formats, seed, weights};
use crate::messages::{Voice, counted, say_numbers};
use crate::outcome::ExitStatus;
use crate::progress::run_job;
use anyhow::{Result, ensure};
use clap::Args;
use lookalike::jobs::{self, SimHashFingerprints};
use lookalike::{
    Data, Job, Measure, Outputs,
    measures::{Cosine, EmptyPolicy, Threshold, Weights},
    outputs::RowFormat,
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
    #[arg(long, value_name = "FORMAT", value_parser = row_formats(), help_heading = "Output")]
    format: Option<RowFormat>,
    /// Number of bits: 64, 128, 256, 512 or 1024
    #[arg(long, value_name = "B", default_value = "64", help_heading = "Text")]
    fingerprint_bits: usize,
    /// Weight of a shingle or item: tf, tfidf, binary [default: tf]
    #[arg(long, value_name = "WEIGHTS", value_parser = weights(), hide_possible_values = true, help_heading = "Text")]
    weights: Option<Weights>,
    /// Seed of the bits
    #[arg(
        long,
        hide_short_help = true,
        value_name = "N",
        value_parser = seed,
        default_value = "1",
        help_heading = "Text"
    )]
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
pub(crate) fn run(args: &FingerprintArgs, voice: Voice) -> Result<ExitStatus> {
    let inputs = args.input.inputs()?;
    ensure!(
        inputs.fingerprints.is_none(),
        "--bits names a field with fingerprints that are there; to make some of N bits, give --fingerprint-bits N"
    );
    let weights = args.weights.unwrap_or_default();
    let job = Job {
        inputs,
        features: args.text.features()?,
        // Nothing is compared: only the weights matter.
        measure: Measure::Cosine(Cosine { threshold: Threshold::default(), weights, empty: EmptyPolicy::Keep }),
        outputs: Outputs {
            rows: Some(args.output.clone()),
            row_format: args.format,
            summary: args.summary.clone(),
            spared: args.text.files(),
            existing: args.existing.files(),
            ..Outputs::default()
        },
        ..Job::default()
    };
    let fingerprints = SimHashFingerprints { bits: args.fingerprint_bits, seed: args.seed };
    let report = run_job(&args.resources, voice, |resources, progress| {
        jobs::fingerprint(&job, &Data::default(), fingerprints, resources, progress)
    })?;
    say_numbers(&report, counted(report.corpus.documents, "fingerprint"), voice);
    Ok(ExitStatus::Done)
}
