//! `lookalike dedup`: the same documents without near-duplicates, and a reason for each removal.

use crate::args::{
    ExistingArgs, InputArgs, JobArgs, LeftOutArgs, ReferenceFieldArgs, References, TextsArgs, local_name, row_formats,
};
use crate::messages::{Voice, added_to_index, say_dedup};
use crate::outcome::ExitStatus;
use crate::progress::run_job;
use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use lookalike::index::MANIFEST;
use lookalike::jobs::{self, Found, IndexChange, Replacing};
use lookalike::{
    Inputs, Job, Order, Outputs, Rule,
    outputs::{RecordMode, RowFormat},
};
use std::path::PathBuf;

/// Arguments of `lookalike dedup`.
#[derive(Debug, Args)]
#[command(
    after_help = "\
Examples:
  lookalike dedup news.jsonl --report what-goes.html
  lookalike dedup new/ --against old/ -o fresh/   only what old/ has not",
    after_long_help = "\
Examples:
  lookalike dedup news.jsonl                             only report what would go
  lookalike dedup news.jsonl --report what-goes.html     the same, with a page to look at
  lookalike dedup news.jsonl -o clean.jsonl
  lookalike dedup news.jsonl -o clean.jsonl --removed why.csv --keep max:published
  lookalike dedup 2024.jsonl 2025.jsonl -o clean.jsonl   several inputs in one file
  lookalike dedup 2024.jsonl 2025.jsonl -o clean/        each input in a file of its own
  lookalike dedup articles/ -o clean/                    a folder of text and HTML files
  lookalike dedup crawl.warc.gz -o clean.warc.gz         pages that were fetched, by their text
  lookalike dedup news.parquet -o clean.parquet          schema, compression and row groups stay
  lookalike dedup crawl.warc.gz -o clean.parquet         the extension chooses the format
  lookalike dedup news.jsonl -o clean.jsonl --identical  only copies, byte for byte
  lookalike dedup baskets.txt -o kept.txt --items=,      sets of items, one a line
  lookalike dedup news.jsonl -n -t 0.9 --removed why.csv   which would go at another threshold
  lookalike dedup train.jsonl --against test.jsonl -o clean.jsonl   take out what is in another corpus
  lookalike dedup tonight.jsonl --against all.idx --add -o fresh.jsonl   a nightly job, with an index
  lookalike dedup s3://corpus/news/ -o s3://clean/news   credentials as for other tools (AWS_ACCESS_KEY_ID, ...)"
)]
pub(crate) struct DedupArgs {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    existing: ExistingArgs,
    #[command(flatten)]
    left_out: LeftOutArgs,
    /// Remove only what is near these [default: none]
    ///
    /// Files or folders to compare with instead of the inputs; they stay as they are. With --keep or --add, the inputs
    /// are compared with each other, too.
    #[arg(
        long,
        value_name = "REF",
        num_args = 1..,
        value_parser = local_name(),
        conflicts_with = "cluster",
        help_heading = "Input"
    )]
    against: Vec<PathBuf>,
    #[command(flatten)]
    reference_fields: ReferenceFieldArgs,
    #[command(flatten)]
    texts: TextsArgs,
    /// Add what stays to the index that --against names
    ///
    /// The index has the documents in the moment in which the outputs appear. Of new ones that are near-duplicates of
    /// each other one stays, as --keep says. A document is not compared with one of the same id, which it replaces.
    #[arg(long, requires = "against", conflicts_with = "dry_run", help_heading = "Input")]
    add: bool,
    /// With --add: refuse documents with ids that the index has
    ///
    /// Nothing is written or added then. A record without an id is known by its content.
    #[arg(long, requires = "add", hide_short_help = true, help_heading = "Input")]
    no_replace: bool,
    /// Kept records; - for stdout [default: report only]
    ///
    /// A file or URL for one input file. Several inputs, or a folder, go to one file if OUT has an extension of records
    /// (.jsonl, .csv, .parquet, ...) or is -: records of that format are appended, tables and columns need the same
    /// columns, others are converted. Else OUT is a folder with a file for each. A file appears whole or not at all,
    /// and so does an object behind a URL. Several objects appear one after the other, when all of them are
    /// complete and the large ones are uploaded; if one fails then, the message says how many are there. A file that
    /// is there already is replaced then, unless --no-clobber.
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Format of the kept records [default: by OUT, else as they came]
    ///
    /// The extension of OUT says the format where the records go to one file. Texts and pages become records with
    /// `id` and `text` in one file.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "FORMAT",
        value_parser = row_formats(),
        requires = "output",
        help_heading = "Output"
    )]
    format: Option<RowFormat>,
    /// File for a row a removed record, with the reason
    ///
    /// A row has id, kept (the most similar of the records that are kept before it), similarity and reason: identical
    /// (the same text, byte for byte), equal (the same shingles) or near. The extension says the format: .jsonl, .csv,
    /// .tsv, .parquet, .arrow.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    removed: Option<PathBuf>,
    /// Write all records, with an object `lookalike` added (in CSV, TSV, Parquet and Arrow: columns) that says what
    /// becomes of them
    #[arg(long, hide_short_help = true, conflicts_with = "dry_run", requires = "output", help_heading = "Output")]
    annotate: bool,
    /// Write no records, only --removed and --summary
    #[arg(short = 'n', long, help_heading = "Output")]
    dry_run: bool,
    /// Which copy stays: first, longest, ... [default: first]
    ///
    /// first, last, longest, shortest, max:FIELD, min:FIELD, or source (order of the inputs); several with commas
    /// between them decide in turn, as max:score,longest. Strings that are all numbers, or all dates or times of ISO
    /// 8601, are ordered as such; others as text, and that is said. Beside --against, which of the inputs stays; the
    /// references stay anyway.
    #[arg(long, value_name = "WHICH", help_heading = "Output")]
    keep: Option<Order>,
    /// Relation that makes a record a duplicate: a kept one near it, or a chain to it
    ///
    /// keepers: remove only near-duplicates of a kept record; connected: keep one of each cluster.
    #[arg(long, hide_short_help = true, value_name = "RULE", value_enum, default_value_t, help_heading = "Output")]
    cluster: ClusterArg,
    #[command(flatten)]
    common: JobArgs,
}

/// Values of `--cluster`.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum ClusterArg {
    /// Remove only near-duplicates of a kept record.
    #[default]
    Keepers,
    /// Keep one of each cluster.
    Connected,
}

/// Runs the command.
pub(crate) fn run(args: &DedupArgs, voice: Voice) -> Result<ExitStatus> {
    let DedupArgs { common, .. } = args;
    let job = args.job()?;
    let index = args.index()?;
    let report = run_job(&common.resources, voice, |resources, progress| match index {
        Some(index) => {
            let replacing = if args.no_replace { Replacing::Refused } else { Replacing::Allowed };
            let change = IndexChange { job: job.clone(), index, replacing, ..IndexChange::default() };
            jobs::dedup_into_index(&change, resources, progress)
        }
        None => jobs::run(&job, resources, progress),
    })?;
    if let Found::Dedup { counts, was_published, added, .. } = &report.found {
        let remark = if args.dry_run {
            " (dry run: no records written)"
        } else if args.output.is_none() {
            " (no -o: no records written)"
        } else if *was_published {
            " (written already)"
        } else {
            ""
        };
        say_dedup(&report, counts, remark, &job, voice);
        if let Some(added) = added {
            voice.say(added_to_index(added));
        }
    }
    Ok(ExitStatus::found_if(common.report.fail_if_found && report.found.count() > 0))
}

impl DedupArgs {
    /// The job that these flags mean.
    fn job(&self) -> Result<Job> {
        ensure!(
            self.against.len() < 2 || self.input.are_known(),
            "no INPUT: --against takes all names that follow it; name the inputs before it"
        );
        let inputs = Inputs { against: self.against.clone(), ..self.input.inputs()? };
        let inputs = self.reference_fields.apply_to(inputs);
        let references = if self.has_references() { References::Given } else { References::None };
        let job = self.common.job(&self.input, &self.texts, inputs, references)?;
        Ok(Job {
            rule: self.rule(),
            outputs: Outputs {
                records: self.output.clone().filter(|_| !self.dry_run),
                format: self.format,
                mode: if self.annotate { RecordMode::Annotated } else { RecordMode::Kept },
                removed: self.removed.clone(),
                left_out: self.left_out.fate(self.output.as_ref(), "-o OUT")?,
                existing: self.existing.files(),
                ..job.outputs
            },
            ..job
        })
    }

    /// The index that what stays is added to, if it is.
    fn index(&self) -> Result<Option<PathBuf>> {
        match &self.against[..] {
            _ if !self.add => Ok(None),
            [index] if index.join(MANIFEST).is_file() => Ok(Some(index.clone())),
            _ => bail!("--add: expected one index behind --against (lookalike index create)"),
        }
    }

    /// True if references are named.
    pub(crate) fn has_references(&self) -> bool {
        !self.against.is_empty()
    }

    fn rule(&self) -> Rule {
        let keep = self.keep.clone().unwrap_or_default();
        match self.cluster {
            _ if !self.against.is_empty() && (self.add || self.keep.is_some()) => Rule::Beside { keep },
            _ if !self.against.is_empty() => Rule::Against,
            ClusterArg::Keepers => Rule::Keepers { keep },
            ClusterArg::Connected => Rule::Connected { keep },
        }
    }
}
