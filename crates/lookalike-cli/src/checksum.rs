//! `lookalike checksum`: exact copies, by bytes and by normalized text.

use crate::Outcome;
use crate::args::{InputArgs, When};
use crate::progress::{Terminal, watch_interrupts};
use crate::words::{counted, say};
use anyhow::Result;
use clap::{Args, ValueEnum};
use lookalike::core::checksum::ChecksumAlgorithm;
use lookalike::io::{FieldNames, RowWriter};
use lookalike::{COPIES_HEADER, Options, Session, check_outputs, checksums};
use std::path::PathBuf;

/// Arguments of `lookalike checksum`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Groups are formed by the bytes of the texts, and by the texts in normal form (Unicode NFKC, lower case, white space \
folded; sets of items: sorted) where that joins more. A checksum names a group; that its members are equal is checked by a 128-bit hash.

Examples:
  lookalike checksum news.jsonl
  lookalike checksum articles/ --algorithm sha256 -o copies.csv")]
pub(crate) struct ChecksumArgs {
    #[command(flatten)]
    input: InputArgs,
    /// File for the members of groups: group, key, equal, checksum (.jsonl, .csv, .tsv, .parquet, .arrow)
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    /// Checksum to show
    #[arg(long, value_name = "NAME", value_enum, default_value_t, help_heading = "Output")]
    algorithm: AlgorithmArg,
    /// Draw progress on stderr; auto means at a terminal
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, help_heading = "Run")]
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

/// Runs the command.
pub(crate) fn run(args: &ChecksumArgs) -> Result<Outcome> {
    watch_interrupts();
    let fields = FieldNames {
        text: args.input.text_field.clone(),
        id: args.input.id_field.clone(),
        items: args.input.items.separator(),
        ..FieldNames::default()
    };
    let most_record_bytes = args.input.max_document.as_u64();
    let options = Options { fields, on_error: args.input.on_error(), most_record_bytes, ..Options::default() };
    check_outputs(&args.input.inputs, [&args.output])?;
    let algorithm = match args.algorithm {
        AlgorithmArg::Sum => ChecksumAlgorithm::Sum,
        AlgorithmArg::Crc32 => ChecksumAlgorithm::Crc32,
        AlgorithmArg::Xxh3 => ChecksumAlgorithm::Xxh3,
        AlgorithmArg::Sha256 => ChecksumAlgorithm::Sha256,
    };
    let progress = Terminal::new(args.progress, 1);
    let session = Session::new(&options, &progress)?;
    let found = session.discover(&args.input.inputs)?;
    let mut writer = RowWriter::create(&args.output, COPIES_HEADER)?;
    let (rows, bad_records) = checksums(&found, algorithm, &session)?;
    progress.finish();
    rows.iter().try_for_each(|row| writer.write(row))?;
    writer.seal()?.publish()?;
    let groups = rows.last().map_or(0, |row| row.group as u64 + 1);
    say(format_args!("{} of exact copies", counted(groups, "group")));
    Ok(match () {
        () if bad_records > 0 => {
            say(format_args!("{} left out", counted(bad_records, "bad record")));
            Outcome::BadRecords
        }
        () if args.fail_if_found && groups > 0 => Outcome::Found,
        () => Outcome::Done,
    })
}
