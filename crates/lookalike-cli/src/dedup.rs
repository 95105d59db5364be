//! `lookalike dedup`: the same documents without near-duplicates, and a reason for each removal.

use crate::Outcome;
use crate::args::{InputArgs, ReportArgs, SearchArgs, TextArgs, WorkArgs, options};
use crate::progress::{Terminal, watch_interrupts};
use crate::summary::{self, Job, Summary};
use crate::words::{Findings, counted, explain, say, say_method, thousands};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use lookalike::io::{RowFormat, shown};
use lookalike::{
    ClusterRule, Corpus, DedupOutputs, DedupReport, KeepPolicy, Options, OutputPaths, RecordMode, Session,
    SourceCounts, check_outputs, pipeline, publish_all,
};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Sources that the summary lists one by one.
const MOST_SOURCES: usize = 20;

/// Arguments of `lookalike dedup`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  lookalike dedup news.jsonl -o clean.jsonl
  lookalike dedup news.jsonl -o clean.jsonl --removed why.csv --keep max:published
  lookalike dedup 2024.jsonl 2025.jsonl -o clean/        several inputs go to a folder
  lookalike dedup articles/ -o clean/                    a folder of text and HTML files
  lookalike dedup crawl.warc.gz -o clean.warc.gz         pages that were fetched, by their text
  lookalike dedup news.parquet -o clean.parquet          schema, compression and row groups stay
  lookalike dedup crawl.warc.gz -o clean.parquet         the ending chooses the format
  lookalike dedup baskets.txt -o kept.txt --items=,      sets of items, one a line
  lookalike dedup news.jsonl --dry-run --threshold 0.9   only say what would go
  lookalike dedup train.jsonl --against test.jsonl -o clean.jsonl   take out what is in another corpus
  lookalike dedup s3://corpus/news/ -o s3://clean/news   credentials as for other tools, from AWS_ACCESS_KEY_ID and so on")]
pub(crate) struct DedupArgs {
    #[command(flatten)]
    input: InputArgs,
    /// Files or folders to compare with instead: only records with a near-duplicate there are removed; REF stays as it is
    /// [default: none]
    #[arg(long, value_name = "REF", num_args = 1.., conflicts_with_all = ["keep", "cluster"], help_heading = "Input")]
    against: Vec<PathBuf>,
    /// File or URL for the kept records (- for stdout); a folder for folders, text files, several inputs
    ///
    /// A file appears whole or not at all, and so does an object behind a URL. Several objects appear one after the other, when
    /// all of them are complete and the large ones are uploaded; if one fails then, the message says how many are there.
    #[arg(short, long, value_name = "OUT", required_unless_present = "dry_run", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Format of the kept records; of texts and pages a file with `id` and `text` [default: by the ending of OUT if the input
    /// is one file of records, else as they came]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    output_format: Option<FormatArg>,
    /// File for one row a removed record: key, kept, similarity, reason (.jsonl, .csv, .tsv, .parquet, .arrow)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    removed: Option<PathBuf>,
    /// Write all records, with an object `lookalike` added (in CSV, TSV, Parquet and Arrow: columns) that says what becomes of
    /// them
    #[arg(long, help_heading = "Output")]
    annotate: bool,
    /// Find and report, write nothing but --removed and --summary
    #[arg(long, help_heading = "Output")]
    dry_run: bool,
    /// Which copy stays: first, last, longest, shortest, max:FIELD, min:FIELD, source (order of the inputs)
    #[arg(long, value_name = "WHICH", default_value = "first", help_heading = "Output")]
    keep: KeepArg,
    /// keepers: remove only near-duplicates of a kept record; connected: keep one of each connected group
    #[arg(long, value_name = "RULE", value_enum, default_value_t, help_heading = "Output")]
    cluster: ClusterArg,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    work: WorkArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// A keep policy and the field it needs.
#[derive(Debug, Clone)]
pub(crate) struct KeepArg {
    pub(crate) policy: KeepPolicy,
    pub(crate) field: Option<String>,
}

impl fmt::Display for KeepArg {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = self.field.as_deref().unwrap_or_default();
        match self.policy {
            KeepPolicy::First => formatter.write_str("first"),
            KeepPolicy::Last => formatter.write_str("last"),
            KeepPolicy::Longest => formatter.write_str("longest"),
            KeepPolicy::Shortest => formatter.write_str("shortest"),
            KeepPolicy::Source => formatter.write_str("source"),
            KeepPolicy::HighestScore => write!(formatter, "max:{field}"),
            KeepPolicy::LowestScore => write!(formatter, "min:{field}"),
        }
    }
}

impl FromStr for KeepArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let plain = |policy| Ok(Self { policy, field: None });
        let by_field = |policy, field: &str| Ok(Self { policy, field: Some(field.to_owned()) });
        match text.split_once(':') {
            Some(("max", field)) if !field.is_empty() => by_field(KeepPolicy::HighestScore, field),
            Some(("min", field)) if !field.is_empty() => by_field(KeepPolicy::LowestScore, field),
            _ => match text {
                "first" => plain(KeepPolicy::First),
                "last" => plain(KeepPolicy::Last),
                "longest" => plain(KeepPolicy::Longest),
                "shortest" => plain(KeepPolicy::Shortest),
                "source" => plain(KeepPolicy::Source),
                _ => Err("expected first, last, longest, shortest, source, max:FIELD or min:FIELD".to_owned()),
            },
        }
    }
}

/// Answers of `--cluster`.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum ClusterArg {
    /// Remove only near-duplicates of a kept record.
    #[default]
    Keepers,
    /// Keep one of each connected group.
    Connected,
}

/// Answers of `--output-format`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum FormatArg {
    /// JSON Lines
    Jsonl,
    /// Comma-separated values
    Csv,
    /// Tab-separated values
    Tsv,
    /// Apache Parquet
    Parquet,
    /// Arrow IPC
    Arrow,
}

impl From<FormatArg> for RowFormat {
    fn from(argument: FormatArg) -> Self {
        match argument {
            FormatArg::Jsonl => Self::JsonLines,
            FormatArg::Csv => Self::Csv,
            FormatArg::Tsv => Self::Tsv,
            FormatArg::Parquet => Self::Parquet,
            FormatArg::Arrow => Self::Arrow,
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &DedupArgs) -> Result<Outcome> {
    watch_interrupts();
    let options = args.options()?;
    let records = args.output.clone().filter(|_| !args.dry_run);
    let all_inputs = [&args.input.inputs[..], &args.against].concat();
    let outputs = [&records, &args.removed, &args.report.summary, &args.work.work_dir];
    check_outputs(&all_inputs, outputs.into_iter().flatten())?;
    let progress = Terminal::new(args.work.progress, 5);
    let session = Session::new(&options, &progress)?;
    let is_there = records.as_deref().map_or(Ok(false), |path| session.has_published(path))?;
    let records = records.filter(|_| !is_there);
    let found = session.discover(&args.input.inputs)?;
    let mode = if args.annotate { RecordMode::Annotated } else { RecordMode::Kept };
    let (removed, format) = (args.removed.clone(), args.output_format.map(Into::into));
    let aside = options.aside();
    let outputs = DedupOutputs::create(&found, mode, &OutputPaths { records, format, removed, aside })?;
    let summary = summary::begin(args.report.summary.as_ref(), &options)?;

    let corpus = match &args.against[..] {
        [] => pipeline::read(&found, &session)?,
        references => pipeline::read_against(&session.discover(references)?, &found, &session)?,
    };
    let dedup = pipeline::dedup_by(args.cluster(), &corpus, &args.keep.policy, &session)?;
    let report = DedupReport::new(&corpus, &dedup.decisions);
    let mut written = lookalike::write_dedup(&corpus, &dedup.decisions, outputs, &session)?;
    progress.finish();
    let (documents, tokens, candidates) = (report.documents, corpus.tokens, dedup.candidates);
    let findings = Findings { method: &dedup.method, recall: dedup.recall, documents, tokens, candidates };
    if let Some(file) = summary {
        written.push(Summary::new(args.job(), &report, &findings, &session, &options).write(file)?);
    }
    publish_all(written)?;
    let remark = match () {
        () if args.dry_run => " (dry run: nothing was written)",
        () if is_there => " (written already)",
        () => "",
    };
    print_report(&report, &corpus, remark);
    say_method(&findings);
    if args.report.explain {
        explain(&findings, &session);
    }
    Ok(match () {
        () if report.bad_records > 0 => Outcome::BadRecords,
        () if args.report.fail_if_found && report.removed() > 0 => Outcome::Found,
        () => Outcome::Done,
    })
}

impl DedupArgs {
    fn options(&self) -> Result<Options> {
        let mut options = options(&self.input, &self.text, &self.search, &self.work)?;
        options.fields.score.clone_from(&self.keep.field);
        if options.fields.score.as_ref() == Some(&options.fields.text) {
            bail!("--keep cannot order records by their text field `{}`", options.fields.text);
        }
        options.fields.absent = self.annotate.then(|| "lookalike".to_owned());
        Ok(options)
    }

    /// What the summary says of it.
    fn job(&self) -> Job<'_> {
        let cluster = match self.cluster() {
            ClusterRule::Keepers => "keepers",
            ClusterRule::Connected => "connected",
            ClusterRule::Against => "against",
        };
        Job {
            command: "dedup",
            inputs: &self.input.inputs,
            against: &self.against,
            keep: Some(self.keep.to_string()),
            cluster: Some(cluster),
        }
    }

    fn cluster(&self) -> ClusterRule {
        match self.cluster {
            _ if !self.against.is_empty() => ClusterRule::Against,
            ClusterArg::Keepers => ClusterRule::Keepers,
            ClusterArg::Connected => ClusterRule::Connected,
        }
    }
}

/// Says what was kept and removed, by source and by family, with a remark behind the numbers.
pub(crate) fn print_report(report: &DedupReport, corpus: &Corpus, remark: &str) {
    say(format_args!(
        "{}: {} kept, {} removed ({} exact, {} near){remark}",
        counted(report.documents, "document"),
        thousands(report.kept),
        thousands(report.removed()),
        thousands(report.removed_exact),
        thousands(report.removed_near),
    ));
    for (count, what) in [
        (report.empty, ["document", "without tokens"]),
        (report.bad_records, ["bad record", "left out"]),
        (corpus.passed_over, ["hidden file", "not read"]),
    ] {
        if count > 0 {
            say(format_args!("{} {}", counted(count, what[0]), what[1]));
        }
    }
    print_sources(&report.sources);
    print_families(report);
}

fn print_sources(sources: &[SourceCounts]) {
    say(format_args!("\n{:>12} {:>12} {:>12}  source", "documents", "kept", "removed"));
    for source in sources.iter().take(MOST_SOURCES) {
        let [documents, kept, removed] = [source.documents, source.kept, source.removed].map(thousands);
        say(format_args!("{documents:>12} {kept:>12} {removed:>12}  {}", source.source));
    }
    if sources.len() > MOST_SOURCES {
        say(format_args!("... and {} more: see --summary", sources.len() - MOST_SOURCES));
    }
    for source in sources.iter().filter(|source| source.loses_most()).take(MOST_SOURCES) {
        say(format_args!("note: {} loses more than half of its documents", source.source));
    }
}

fn print_families(report: &DedupReport) {
    if report.largest_families.is_empty() {
        return;
    }
    say(format_args!("\n{:>12} {:>12}  largest families, by kept document", "documents", "of input"));
    for family in &report.largest_families {
        let share = 100.0 * family.documents as f64 / report.documents as f64;
        say(format_args!("{:>12} {share:>10.2} %  {}", thousands(family.documents), shown(&family.kept)));
    }
    let suspicious = report.suspicious_families().count() as u64;
    if suspicious > 0 {
        let verb = if suspicious == 1 { "makes" } else { "make" };
        let noun = if suspicious == 1 { "family" } else { "families" };
        say(format_args!("note: {suspicious} {noun} {verb} up more than 1 % of the input each"));
    }
    say("");
}
