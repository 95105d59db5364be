//! `lookalike sources`: which documents have passages of others.

use crate::args::{
    ExistingArgs, InputArgs, ReferenceFieldArgs, ResourceArgs, TextOptionArgs, check_page_name, count32, gap,
    min_match, percent, row_formats, rows_file,
};
use crate::messages::{Voice, counted, say_sources, thousands};
use crate::outcome::ExitStatus;
use crate::progress::run_job;
use crate::table::print_passages;
use anyhow::{Result, ensure};
use clap::Args;
use lookalike::jobs::{self, Found, SourceSearch};
use lookalike::{
    Data, Features, Inputs, Job, Outputs,
    outputs::RowFormat,
    texts::{ShingleOptions, ShingleSize},
};
use std::path::PathBuf;

/// Arguments of `lookalike sources`.
#[derive(Debug, Args)]
#[command(
    after_help = "\
Examples:
  lookalike sources essay.txt --against library/
  lookalike sources essays/                        a class among each other
  lookalike sources essays/ --against library/ --ignore sheet.txt -o found.csv",
    after_long_help = "\
A passage is a run of tokens that stands in a document and in a source: none of at least --min-match tokens is missed, \
in whatever order they stand there. A row has the document with the share of its tokens that stand in any source, the \
source with its rank and share, and the passage: its tokens, bytes and lines on both sides. Shares count each token \
once; rows may overlap by a few. Offsets are those of the text that is compared. A document without sources has a row \
with shares of 0.

Five words find what people rewrite; --min-match 12 finds what is verbatim, and hardly anything by chance.

Examples:
  lookalike sources essay.txt --against library/
  lookalike sources essays/                                 a class among each other
  lookalike sources essays/ --against library/ --ignore sheet.txt -o found.csv
  lookalike sources hand-in/ --against last-year/ --tokens code --min-match 20
  lookalike sources new.jsonl --against old.jsonl --min-match 12   what is verbatim
  lookalike sources new.jsonl --against old.jsonl --min-match sentence:2 --fail-if-found 30"
)]
pub(crate) struct SourcesArgs {
    #[command(flatten)]
    input: InputArgs,
    /// Where passages may come from [default: the other inputs]
    ///
    /// Files, folders, patterns and URLs, as INPUT.
    #[arg(long, value_name = "REF", num_args = 1.., help_heading = "Input")]
    against: Vec<PathBuf>,
    #[command(flatten)]
    reference_fields: ReferenceFieldArgs,
    /// Texts that are no passages: an assignment, a template [default: none]
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Passages")]
    ignore: Vec<PathBuf>,
    /// Shortest passage: N words, or UNIT:N
    ///
    /// word:N, char:N, line:N, sentence:N or paragraph:N; of --tokens code, words are tokens of code.
    #[arg(
        long,
        value_name = "N",
        default_value_t = SourceSearch::MIN_MATCH,
        value_parser = min_match,
        help_heading = "Passages"
    )]
    min_match: ShingleSize,
    /// Other tokens inside what is shown as one passage
    ///
    /// Small edits: they are not counted.
    #[arg(long, value_name = "N", default_value_t = SourceSearch::GAP, value_parser = gap, help_heading = "Passages")]
    gap: usize,
    /// Leave out what stands in more documents
    ///
    /// Templates, and what everybody quotes: in so many references, or without --against in so many other inputs.
    #[arg(
        long,
        value_name = "N",
        default_value_t = SourceSearch::MAX_DOCUMENTS,
        value_parser = count32,
        help_heading = "Passages"
    )]
    common: u32,
    #[command(flatten)]
    existing: ExistingArgs,
    /// File for the passages; - for stdout
    ///
    /// The extension says the format: .jsonl, .csv, .tsv, .parquet, .arrow.
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    /// Format of the passages [default: by the extension of FILE, else jsonl]
    #[arg(long, hide_short_help = true, value_name = "FORMAT", value_parser = row_formats(), help_heading = "Output")]
    format: Option<RowFormat>,
    /// Write a page to read in a browser: texts with their passages coloured [default: none]
    ///
    /// One file that loads nothing: each document with the passages in the colours of their sources, and the sources
    /// beside it. Fifty documents are shown, those with the largest shares.
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    report: Option<PathBuf>,
    #[command(flatten)]
    text: TextOptionArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Write counts, parameters and times as JSON
    #[arg(long, hide_short_help = true, value_name = "FILE.json", help_heading = "Run")]
    summary: Option<PathBuf>,
    /// Exit with 1 from this share on [default: never]
    ///
    /// If at least so many percent of the tokens of a document stand in sources.
    #[arg(long, value_name = "PERCENT", value_parser = percent, help_heading = "Run")]
    fail_if_found: Option<f64>,
}

/// Runs the command.
pub(crate) fn run(args: &SourcesArgs, voice: Voice) -> Result<ExitStatus> {
    let SourcesArgs { input, against, ignore, text, .. } = args;
    ensure!(
        against.len() + ignore.len() < 2 || input.are_known(),
        "no INPUT: --against and --ignore take all names that follow them; name the inputs before them"
    );
    args.report.as_deref().map_or(Ok(()), check_page_name)?;
    let outputs = Outputs {
        rows: rows_file(&args.output, args.format.is_some()),
        row_format: args.format,
        summary: args.summary.clone(),
        report: args.report.clone(),
        existing: args.existing.files(),
        spared: text.files().into_iter().chain(ignore.clone()).collect(),
        ..Outputs::default()
    };
    let shingle = ShingleOptions { size: args.min_match, ..ShingleOptions::default() };
    let inputs = Inputs { against: against.clone(), ..input.inputs()? };
    let job = Job {
        inputs: args.reference_fields.apply_to(inputs),
        features: Features::Set { text: text.options()?, shingle },
        outputs,
        ..Job::default()
    };
    let search = SourceSearch { job, gap: args.gap, max_documents: args.common, ignore: ignore.clone() };
    let report = run_job(&args.resources, voice, |resources, progress| {
        jobs::sources(&search, &Data::default(), resources, progress)
    })?;
    let Found::Sources { counts, listed, .. } = &report.found else { return Ok(ExitStatus::Done) };
    print_passages(listed)?;
    let documents = counted(counts.documents, "document");
    let passages = counted(counts.passages, "passage");
    let verb = if counts.with_sources == 1 || counts.documents == 1 { "has" } else { "have" };
    let numbers = format!("{} of {documents} {verb} sources: {passages}", thousands(counts.with_sources));
    say_sources(&report, numbers, args.common, voice);
    let is_found = args.fail_if_found.is_some_and(|percent| counts.highest_share >= percent / 100.0);
    Ok(ExitStatus::found_if(is_found && counts.with_sources > 0))
}
