//! `lookalike checksum`: exact copies, by bytes and by normalized text.

use crate::args::{ExistingArgs, InputArgs, When, one_of, row_formats};
use crate::messages::{Voice, counted, say_numbers};
use crate::outcome::ExitStatus;
use crate::progress::Terminal;
use anyhow::Result;
use clap::Args;
use lookalike::jobs::{self, Found};
use lookalike::{Job, Outputs, Resources, evidence::ChecksumAlgorithm, outputs::RowFormat};
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
    #[arg(long, value_name = "FORMAT", value_parser = row_formats(), help_heading = "Output")]
    format: Option<RowFormat>,
    /// Checksum to show
    #[arg(
        long,
        value_name = "NAME",
        default_value = "xxh3",
        help_heading = "Output",
        value_parser = one_of([
            ("sum", "Sum of the bytes", ChecksumAlgorithm::Sum),
            ("crc32", "CRC-32, as in zip", ChecksumAlgorithm::Crc32),
            ("xxh3", "XXH3, 64 bits", ChecksumAlgorithm::Xxh3),
            ("sha256", "SHA-256", ChecksumAlgorithm::Sha256),
        ])
    )]
    algorithm: ChecksumAlgorithm,
    /// Draw progress on stderr; auto means at a terminal
    #[arg(long, hide_short_help = true, value_name = "WHEN", value_enum, default_value_t, help_heading = "Run")]
    progress: When,
    /// Exit with 1 if copies were found
    #[arg(long, help_heading = "Run")]
    fail_if_found: bool,
}

/// Runs the command.
pub(crate) fn run(args: &ChecksumArgs, voice: Voice) -> Result<ExitStatus> {
    let outputs = Outputs {
        rows: Some(args.output.clone()),
        row_format: args.format,
        existing: args.existing.files(),
        ..Outputs::default()
    };
    let job = Job { inputs: args.input.inputs()?, outputs, ..Job::default() };
    let report = Terminal::new(args.progress, voice)
        .run(|progress| jobs::checksum(&job, args.algorithm, &Resources::default(), progress))?;
    if let Found::Copies(counts) = &report.found {
        say_numbers(&report, format!("{} of exact copies", counted(counts.groups, "group")), voice);
    }
    Ok(ExitStatus::found_if(args.fail_if_found && report.found.count() > 0))
}
