//! `lookalike sketch`: the keys and shingle sets of documents, saved.

use crate::Outcome;
use crate::args::{InputArgs, TextArgs, WorkArgs, base_options};
use crate::progress::{Terminal, watch_interrupts};
use crate::words::{counted, say};
use anyhow::Result;
use clap::Args;
use lookalike::io::{AtomicFile, RecordFormat};
use lookalike::{Session, check_outputs, pipeline, write_sketch};
use std::path::PathBuf;

/// Arguments of `lookalike sketch`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A sketch stands for its documents wherever they are only compared: as INPUT of pairs, clusters, dedup --dry-run and sketch, and as \
REF of dedup --against. It must have been made with the same flags for text and shingles. Several sketches, or sketches and \
documents, become one by making a sketch of them.

Examples:
  lookalike sketch crawl-2024/*.jsonl.zst -o 2024.sketch
  lookalike dedup crawl-2025/*.jsonl.zst --against 2024.sketch -o new/
  lookalike sketch 2024.sketch 2025.sketch -o both.sketch")]
pub(crate) struct SketchArgs {
    #[command(flatten)]
    input: InputArgs,
    /// File for the sketch
    #[arg(short, long, value_name = "FILE.sketch", help_heading = "Output")]
    output: PathBuf,
    /// Field by which copies will be chosen (--keep max:FIELD, min:FIELD) [default: none]
    #[arg(long, value_name = "FIELD", help_heading = "Output")]
    score_field: Option<String>,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    work: WorkArgs,
}

/// Runs the command.
pub(crate) fn run(args: &SketchArgs) -> Result<Outcome> {
    watch_interrupts();
    let mut options = base_options(&args.input, &args.text, &args.work)?;
    options.fields.score.clone_from(&args.score_field);
    check_outputs(&args.input.inputs, [Some(&args.output), args.work.work_dir.as_ref()].into_iter().flatten())?;
    RecordFormat::Sketch.check_name(&args.output)?;
    let progress = Terminal::new(args.work.progress, 2);
    let session = Session::new(&options, &progress)?;
    let found = session.discover(&args.input.inputs)?;
    let file = AtomicFile::create_with(&args.output, &options.aside())?;
    let corpus = pipeline::read(&found, &session)?;
    let sealed = write_sketch(&corpus, file, &session)?;
    progress.finish();
    sealed.publish()?;
    let documents = corpus.len() as u64;
    say(format_args!("{} with {}", counted(documents, "document"), counted(corpus.tokens, "token")));
    if corpus.bad_records > 0 {
        say(format_args!("{} left out", counted(corpus.bad_records, "bad record")));
        return Ok(Outcome::BadRecords);
    }
    Ok(Outcome::Done)
}
