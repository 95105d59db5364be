//! `lookalike cut`: texts without what occurred before.

use crate::args::{
    ExistingArgs, InputArgs, LeftOutArgs, ReferenceFieldArgs, ResourceArgs, TextOptionArgs, check_page_name, min_match,
    row_formats, tokens_left,
};
use crate::messages::{Voice, say_cut};
use crate::outcome::ExitStatus;
use crate::progress::run_job;
use anyhow::{Result, ensure};
use clap::Args;
use lookalike::jobs::{self, Found, PassageCut};
use lookalike::{
    Features, Inputs, Job, Order, Outputs, Rule,
    outputs::{RecordMode, RowFormat},
    texts::{ShingleOptions, ShingleSize},
};
use std::path::PathBuf;

/// Arguments of `lookalike cut`.
#[derive(Debug, Args)]
#[command(
    after_help = "\
Examples:
  lookalike cut crawl.jsonl                       report only
  lookalike cut crawl.jsonl -o clean.jsonl --removed cuts.csv
  lookalike cut train.jsonl --against test.jsonl -o clean.jsonl",
    after_long_help = "\
Every run of tokens as long as --shingle, or longer, that stood before, in an earlier document or earlier in the same \
one, is cut; its first occurrence stays. Texts are judged as they came: runs that come together only by a cut stay, \
and a second run may find some. Cuts fall between tokens. What separates two tokens goes with the one before it; at \
the end of a text, white space before the cut goes, too. All else of a record stays byte for byte.

Examples:
  lookalike cut crawl.jsonl                                report only
  lookalike cut crawl.jsonl -o clean.jsonl --removed cuts.csv
  lookalike cut crawl/*.parquet -o clean/ --shingle paragraph:1   every paragraph once; headings stay
  lookalike cut pages/ -o clean/ --shingle line:1          navigation, of texts with a line each
  lookalike cut train.jsonl --against test.jsonl -o clean.jsonl   what stands in another corpus, and nothing else
  lookalike cut crawl.jsonl -o clean.jsonl --min-left 20   and no short rests
  lookalike cut crawl.jsonl -o marked.jsonl --annotate     texts as they are, with the bytes to cut"
)]
pub(crate) struct CutArgs {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    existing: ExistingArgs,
    #[command(flatten)]
    left_out: LeftOutArgs,
    /// Cut only what stands in these [default: none]
    ///
    /// Files or folders with texts; they stay as they are.
    #[arg(long, value_name = "REF", num_args = 1.., conflicts_with = "keep", help_heading = "Input")]
    against: Vec<PathBuf>,
    #[command(flatten)]
    reference_fields: ReferenceFieldArgs,
    /// Shortest run that is cut: N words, or UNIT:N
    ///
    /// word:N, char:N, line:N, sentence:N or paragraph:N; of --tokens code, words are tokens of code. paragraph:1 cuts
    /// every paragraph that stood before.
    #[arg(
        long,
        value_name = "UNIT:N",
        default_value_t = PassageCut::SHINGLE,
        value_parser = min_match,
        help_heading = "Cuts"
    )]
    shingle: ShingleSize,
    /// Whose occurrence is the first: first, longest, ...
    ///
    /// first, last, longest, shortest, max:FIELD, min:FIELD, or source (order of the inputs); several with commas
    /// between them decide in turn.
    #[arg(long, value_name = "WHICH", default_value = "first", help_heading = "Cuts")]
    keep: Order,
    /// Fewest words of a cut [default: 8 of text units]
    ///
    /// Text units are lines, sentences and paragraphs; of words and characters the default is 0. What repeats and has
    /// fewer stays, alone or at the end of a longer cut that text follows: it is a heading. Where all units of a cut
    /// have fewer, as lines of a navigation have, headings are those at its end that are shorter than all before them.
    /// 0 cuts all. Of char:N, characters.
    #[arg(long, value_name = "N", value_parser = tokens_left, help_heading = "Cuts")]
    min_cut: Option<u32>,
    /// Cut also what has so few words between two cuts
    ///
    /// Crumbs that make no sense alone. --removed lists them; they stay nowhere.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "N",
        default_value_t = 0,
        value_parser = tokens_left,
        help_heading = "Cuts"
    )]
    min_between: u32,
    /// Text in the place of a cut [default: what separated the tokens]
    ///
    /// Between two tokens that stay, in place of the white space before the cut. \\n is a line end, \\t a tab.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, value_parser = separator, help_heading = "Cuts")]
    separator: Option<String>,
    /// Remove documents of which fewer words are left
    ///
    /// Of those that are cut; --removed lists them. Of char:N, characters are counted.
    #[arg(
        long,
        value_name = "N",
        default_value_t = PassageCut::MIN_LEFT,
        value_parser = tokens_left,
        help_heading = "Cuts"
    )]
    min_left: u32,
    /// Records without what is cut; - for stdout [default: report only]
    ///
    /// A file or URL for one input file. Several inputs, or a folder, go to one file if OUT has an extension of records
    /// or is -; else OUT is a folder with a file for each. A file appears whole or not at all.
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Format of the records [default: by OUT, else as they came]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "FORMAT",
        value_parser = row_formats(),
        requires = "output",
        help_heading = "Output"
    )]
    format: Option<RowFormat>,
    /// File for a row a cut, with where it stays
    ///
    /// A row has id, tokens, start, end (bytes of the text as it came), line, end_line, kept (the id of the document
    /// where it stood first), kept_start, kept_end, kept_line, kept_end_line, and document_removed. What goes by
    /// --min-between stood nowhere before: kept and its places are null, or empty. The extension says the format:
    /// .jsonl, .csv, .tsv, .parquet, .arrow.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    removed: Option<PathBuf>,
    /// Write a page of the cuts [default: none]
    ///
    /// One file that loads nothing: the fifty documents of which the most is cut, with the cuts in the colours of the
    /// documents where they stay, and those beside them.
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    report: Option<PathBuf>,
    /// Leave the texts, and add the bytes to cut
    ///
    /// An object `lookalike` (in CSV, TSV, Parquet and Arrow: columns) with cut (0-120 300-410: first bytes, and those
    /// behind the last), cut_tokens and tokens.
    #[arg(long, hide_short_help = true, requires = "output", conflicts_with = "separator", help_heading = "Output")]
    annotate: bool,
    #[command(flatten)]
    text: TextOptionArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Write counts, parameters and times as JSON
    #[arg(long, hide_short_help = true, value_name = "FILE.json", help_heading = "Run")]
    summary: Option<PathBuf>,
    /// Exit with 1 if something is cut
    #[arg(long, hide_short_help = true, help_heading = "Run")]
    fail_if_found: bool,
}

/// A separator as it is typed.
fn separator(text: &str) -> Result<String, String> {
    Ok(text.replace("\\n", "\n").replace("\\t", "\t"))
}

/// Runs the command.
pub(crate) fn run(args: &CutArgs, voice: Voice) -> Result<ExitStatus> {
    ensure!(
        args.against.len() < 2 || args.input.are_known(),
        "no INPUT: --against takes all names that follow it; name the inputs before it"
    );
    args.report.as_deref().map_or(Ok(()), check_page_name)?;
    let cut = PassageCut {
        job: args.job()?,
        separator: args.separator.clone(),
        min_left: args.min_left,
        min_cut: args.min_cut,
        min_between: args.min_between,
    };
    let report = run_job(&args.resources, voice, |resources, progress| jobs::cut(&cut, resources, progress))?;
    if let Found::Cut { counts, was_published } = &report.found {
        let remark = if args.output.is_none() {
            " (no -o: no records written)"
        } else if *was_published {
            " (written already)"
        } else {
            ""
        };
        say_cut(&report, counts, remark, args.shingle, voice);
    }
    Ok(ExitStatus::found_if(args.fail_if_found && report.found.count() > 0))
}

impl CutArgs {
    /// The job that these flags mean.
    fn job(&self) -> Result<Job> {
        let shingle = ShingleOptions { size: self.shingle, ..ShingleOptions::default() };
        let inputs = Inputs { against: self.against.clone(), ..self.input.inputs()? };
        Ok(Job {
            inputs: self.reference_fields.apply_to(inputs),
            features: Features::Set { text: self.text.options()?, shingle },
            rule: Rule::Keepers { keep: self.keep.clone() },
            outputs: Outputs {
                records: self.output.clone(),
                format: self.format,
                mode: if self.annotate { RecordMode::Annotated } else { RecordMode::Kept },
                removed: self.removed.clone(),
                report: self.report.clone(),
                summary: self.summary.clone(),
                left_out: self.left_out.fate(self.output.as_ref(), "-o OUT")?,
                existing: self.existing.files(),
                spared: self.text.files(),
                ..Outputs::default()
            },
            ..Job::default()
        })
    }
}
