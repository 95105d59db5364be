//! `lookalike signatures`: the MinHash signature of each document.

use crate::args::{ExistingArgs, InputArgs, ResourceArgs, TextArgs, one_of, row_formats, seed};
use crate::messages::{Voice, counted, say_numbers};
use crate::outcome::ExitStatus;
use crate::progress::run_job;
use anyhow::Result;
use clap::Args;
use lookalike::jobs::{self, Signatures};
use lookalike::{
    Data, Job, Outputs,
    methods::Banding,
    outputs::RowFormat,
    signatures::{DatasketchScheme, SignatureScheme},
};
use std::path::PathBuf;

/// Arguments of `lookalike signatures`.
#[derive(Debug, Args)]
#[command(
    after_help = "\
Examples:
  lookalike signatures news.jsonl -o signatures.parquet
  lookalike signatures news.jsonl --scheme affine32 --shingle word:3 -o signatures.npy",
    after_long_help = "\
Rows have id and signature, a list of K numbers from 0 to 2^32 - 1; two documents agree in a component with a \
probability equal to the Jaccard similarity of their shingles (Broder 1997). A document without shingles has 2^32 - 1 \
everywhere. In .npy the signatures are an array of K columns, and the ids stand in a file of lines beside it, \
signatures.npy.ids. Parquet and Arrow files say in their metadata, under `lookalike`, how they were made.

Signatures of the schemes affine32 and legacy are those of the Python package datasketch, bit for bit: \
MinHash(num_perm=K, seed=N, scheme=\"affine32\") updated with each shingle in UTF-8, words with a blank between them, \
lines, sentences and paragraphs each on its line. They take a SHA-1 for each shingle.

Examples:
  lookalike signatures news.jsonl -o signatures.parquet
  lookalike signatures news.jsonl --scheme affine32 --shingle word:3 -o signatures.npy
  lookalike signatures news.jsonl --bands 16 --rows 8 -o signatures.jsonl"
)]
pub(crate) struct SignatureArgs {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    existing: ExistingArgs,
    /// File for the signatures; - for stdout
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    /// Format of the rows: jsonl, parquet or arrow [default: by the extension of FILE, else jsonl]
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = row_formats(),
        hide_possible_values = true,
        help_heading = "Output"
    )]
    format: Option<RowFormat>,
    /// Family of MinHash: lookalike, or affine32 or legacy of datasketch
    #[arg(
        long,
        value_name = "SCHEME",
        hide_possible_values = true,
        default_value = "lookalike",
        help_heading = "Signatures",
        value_parser = one_of([
            ("lookalike", "That of this program", SignatureScheme::Lookalike),
            ("affine32", "The default of datasketch 2", SignatureScheme::Datasketch(DatasketchScheme::Affine32)),
            (
                "legacy",
                "That of datasketch before version 2",
                SignatureScheme::Datasketch(DatasketchScheme::Legacy),
            ),
        ])
    )]
    scheme: SignatureScheme,
    /// Number of components
    #[arg(long, value_name = "K", default_value = "128", help_heading = "Signatures")]
    permutations: usize,
    /// Seed of the family
    #[arg(long, value_name = "N", value_parser = seed, default_value = "1", help_heading = "Signatures")]
    seed: u64,
    /// Write the keys of so many bands as well, of --rows components each [default: none]
    #[arg(long, value_name = "B", requires = "rows", help_heading = "Signatures")]
    bands: Option<usize>,
    /// Components in a band; bands x rows is K at most [default: none]
    #[arg(long, value_name = "R", requires = "bands", help_heading = "Signatures")]
    rows: Option<usize>,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Write counts, parameters and times as JSON
    #[arg(long, value_name = "FILE.json", help_heading = "Run")]
    summary: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &SignatureArgs, voice: Voice) -> Result<ExitStatus> {
    let banding = args.bands.zip(args.rows).map(|(bands, rows)| Banding::new(bands, rows)).transpose()?;
    let job = Job {
        inputs: args.input.inputs()?,
        features: args.text.features()?,
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
    let signatures = Signatures { scheme: args.scheme, num_perm: args.permutations, seed: args.seed, banding };
    let report = run_job(&args.resources, voice, |resources, progress| {
        jobs::signatures(&job, &Data::default(), signatures, resources, progress)
    })?;
    say_numbers(&report, counted(report.corpus.documents, "signature"), voice);
    Ok(ExitStatus::Done)
}
