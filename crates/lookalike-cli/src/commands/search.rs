//! `lookalike search`: the documents that are near to one.

use crate::args::{
    ExistingArgs, InputArgs, JobInputs, References, ReportArgs, ResourceArgs, SearchArgs, TextArgs, document_name,
    local_name, row_formats, rows_file, top,
};
use crate::messages::{Voice, counted, say_answers};
use crate::outcome::ExitStatus;
use crate::progress::Terminal;
use crate::table::AnswerTable;
use anyhow::{Result, ensure};
use clap::Args;
use lookalike::ask::{self, AnswersFrom, RecallMeasurement, Search};
use lookalike::jobs::{Found, StoredParameters};
use lookalike::{Data, Features, InMemory, Job, Outputs, inputs::MemoryTexts, outputs::RowFormat};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

/// Number of answers to a query if neither a number nor a threshold is given.
const USUAL: NonZeroUsize = NonZeroUsize::MIN.saturating_add(9);

/// Arguments of `lookalike search`.
#[derive(Debug, Args)]
#[command(
    after_help = "\
Examples:
  lookalike search new.jsonl --in news.jsonl -k 3
  lookalike search --text 'The harbour stays closed' --in news.jsonl
  lookalike search --id a17 --in news.idx -t 0.5",
    after_long_help = "\
Each query gets the documents of CORPUS with the highest exact similarity, the highest first. Without --threshold \
every document with anything in common may be one of the -k; of an index, those from its own threshold on. \
An index answers each line of JSON on standard input when it comes.

Examples:
  lookalike search new.jsonl --in news.jsonl -k 3
  lookalike search --text 'The harbour stays closed' --in news.jsonl
  lookalike search --id a17 --in news.idx -t 0.5      near to a document of the index itself
  lookalike index create news.idx news.jsonl          read once, asked often
  tail -f posts.jsonl | lookalike search - --in news.idx"
)]
pub(crate) struct QueryArgs {
    #[command(flatten)]
    input: InputArgs,
    /// Where to look: files, folders, patterns, URLs, snapshots, or one index
    #[arg(
        long = "in",
        value_name = "CORPUS",
        required = true,
        num_args = 1..,
        value_parser = local_name(),
        help_heading = "Input"
    )]
    corpus: Vec<PathBuf>,
    /// A text that is asked about [default: none]
    #[arg(long = "text", value_name = "TEXT", help_heading = "Input", conflicts_with = "inputs")]
    texts: Vec<String>,
    /// Id of a document of CORPUS that is asked about [default: none]
    #[arg(
        long = "id",
        value_name = "ID",
        value_parser = document_name(),
        help_heading = "Input",
        conflicts_with_all = ["inputs", "texts"]
    )]
    ids: Vec<String>,
    #[command(flatten)]
    existing: ExistingArgs,
    /// File for the answers; - for stdout
    ///
    /// A row has query, rank, id and similarity, or what else the measure counts, the reason, and the fields that an
    /// index stores: an object, or JSON in a column. The extension says the format: .jsonl, .csv, .tsv, .parquet,
    /// .arrow.
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    /// Format of the answers [default: by the extension of FILE, else jsonl]
    #[arg(long, hide_short_help = true, value_name = "FORMAT", value_parser = row_formats(), help_heading = "Output")]
    format: Option<RowFormat>,
    /// Number of answers to a query at most [default: 10; with --threshold all]
    #[arg(short = 'k', long = "top", value_name = "K", value_parser = top, help_heading = "Search")]
    limit: Option<NonZeroUsize>,
    /// Measure the recall of a method that is not complete
    ///
    /// From 64 queries on, a sample of them is compared with every document, which may take longer than the search.
    #[arg(long, hide_short_help = true, help_heading = "Search")]
    measure_recall: bool,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// Runs the command.
pub(crate) fn run(args: &QueryArgs, voice: Voice) -> Result<ExitStatus> {
    let QueryArgs { input, corpus, texts, ids, existing, output, format, limit, .. } = args;
    let QueryArgs { measure_recall, search, text, resources, report, .. } = args;
    search.check_to_ask()?;
    ensure!(
        texts.is_empty() || !input.are_grouped(),
        "--group-by makes baskets of the rows of files, and --text has none: name a file of rows, or --id of a group"
    );
    let has_files = texts.is_empty() && ids.is_empty();
    let outputs = Outputs {
        rows: rows_file(output, format.is_some()),
        row_format: *format,
        summary: report.summary.clone(),
        idf: search.save_idf.clone(),
        side_files: report.side_files(),
        existing: existing.files(),
        spared: text.files(),
        ..Outputs::default()
    };
    let inputs = if has_files { input.inputs()? } else { input.inputs_without_files() };
    let parameters = JobInputs::from_flags(input, None, text, inputs, StoredParameters::of_first(corpus)?)?;
    let is_by_index = parameters.stored.as_ref().is_some_and(|stored| stored.measure.is_some());
    let job = Job {
        measure: parameters.measure(search, References::Given)?,
        inputs: parameters.inputs,
        // One index is asked by its own features.
        features: if is_by_index && corpus.len() == 1 { Features::default() } else { parameters.features },
        method: search.method()?,
        idf: search.idf.clone(),
        outputs,
        ..Job::default()
    };
    let from = if search.has_limit() { AnswersFrom::Threshold } else { AnswersFrom::Lowest };
    let limit = limit.or_else(|| (from == AnswersFrom::Lowest).then_some(USUAL));
    let explicit = search.explicit(parameters.stored.as_ref());
    let recall = if *measure_recall { RecallMeasurement::Sampled } else { RecallMeasurement::Omitted };
    let queries = Search { job, corpus: corpus.clone(), index: None, ids: ids.clone(), limit, recall, from, explicit };
    let in_memory = (!texts.is_empty()).then(|| InMemory::Texts(MemoryTexts::new(Arc::new(texts.clone()))));
    let data = Data { inputs: in_memory, references: None };
    let progress =
        Terminal::new(resources.progress, voice).showing(AnswerTable::from_inputs(&queries.job.inputs.inputs));
    let resources = resources.resources()?;
    let done = progress.run(|progress| ask::search(&queries, &data, &resources, progress))?;
    if let Found::Search { counts, .. } = &done.found {
        let query_count = counted(counts.queries, "query");
        let documents = counted(counts.documents, "document");
        let answers = counted(counts.answers, "answer");
        say_answers(&done, format!("{query_count} to {documents}: {answers}"), counts, queries.job.measure, voice);
    }
    Ok(ExitStatus::found_if(report.fail_if_found && done.found.count() > 0))
}
