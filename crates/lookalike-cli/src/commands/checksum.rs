//! `lookalike checksum`: exact copies, by bytes and by normalized text.

use crate::args::{ExistingArgs, FormatArg, InputArgs, When};
use crate::messages::{Voice, counted, say_numbers};
use crate::outcome::{OnFound, Outcome};
use crate::progress::{Terminal, watch_interrupts};
use anyhow::Result;
use clap::{Args, ValueEnum};
use lookalike::jobs::{self, Found};
use lookalike::{Job, Outputs, Resources, evidence::ChecksumAlgorithm};
use std::path::PathBuf;

/// Arguments of `lookalike checksum`.
#[derive(Debug, Args)]
#[command(
    after_help = "\
Examples:
  lookalike checksum news.jsonl
  lookalike checksum articles/ --algorithm sha256 -o copies.csv",
    after_long_help = "\
Groups are formed by the bytes of the texts, and by the texts in normal form (that of words in dedup: Unicode \
NFKC, case folded, apostrophes alike, nothing invisible; white space folded; sets of items: sorted) where that joins \
more. A checksum names a group; that its members are equal is checked \
by a 128-bit hash.

Examples:
  lookalike checksum news.jsonl
  lookalike checksum articles/ --algorithm sha256 -o copies.csv"
)]
pub(crate) struct ChecksumArgs {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    existing: ExistingArgs,
    /// File for the members of groups; - for stdout
    ///
    /// A row has group, id, equal and checksum. The extension says the format: .jsonl, .csv, .tsv, .parquet, .arrow.
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    /// Format of the rows [default: by the extension of FILE, else jsonl]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    format: Option<FormatArg>,
    /// Checksum to show
    #[arg(long, value_name = "NAME", value_enum, default_value_t, help_heading = "Output")]
    algorithm: AlgorithmArg,
    /// Draw progress on stderr; auto means at a terminal
    #[arg(long, hide_short_help = true, value_name = "WHEN", value_enum, default_value_t, help_heading = "Run")]
    progress: When,
    /// Exit with 1 if copies were found
    #[arg(long, help_heading = "Run")]
    fail_if_found: bool,
}

/// Answers of `--algorithm`.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum AlgorithmArg {
    /// Sum of the bytes
    Sum,
    /// CRC-32, as in zip
    Crc32,
    /// XXH3, 64 bits
    #[default]
    Xxh3,
    /// SHA-256
    Sha256,
}

impl From<AlgorithmArg> for ChecksumAlgorithm {
    fn from(argument: AlgorithmArg) -> Self {
        match argument {
            AlgorithmArg::Sum => Self::Sum,
            AlgorithmArg::Crc32 => Self::Crc32,
            AlgorithmArg::Xxh3 => Self::Xxh3,
            AlgorithmArg::Sha256 => Self::Sha256,
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &ChecksumArgs, voice: Voice) -> Result<Outcome> {
    watch_interrupts();
    let outputs = Outputs {
        rows: Some(args.output.clone()),
        row_format: args.format.map(Into::into),
        existing: args.existing.files(),
        ..Outputs::default()
    };
    let job = Job { inputs: args.input.inputs()?, outputs, ..Job::default() };
    let progress = Terminal::new(args.progress, voice);
    let report = jobs::checksum(&job, args.algorithm.into(), &Resources::default(), &progress);
    progress.finish();
    let report = report?;
    if let Found::Copies(counts) = &report.found {
        say_numbers(&report, format!("{} of exact copies", counted(counts.groups, "group")), voice);
    }
    let on_found = if args.fail_if_found { OnFound::Fail } else { OnFound::Succeed };
    Ok(Outcome::of(&report, on_found))
}
