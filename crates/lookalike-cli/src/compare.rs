//! `lookalike compare`: two documents, how similar they are and where.

mod bits;
mod fingerprints;
mod items;
mod terms;

use crate::args::{GroupArgs, RecordArgs, TextArgs, WeightsArg};
use crate::messages::{FAINT, STRONG, counted, styled, thousands};
use crate::outcome::Outcome;
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use fingerprints::FingerprintsReport;
use items::{ItemsReport, write_items};
use lookalike::{
    Compared, Counts, Features, Inputs, Passage, Selection, TextDifference, TextUnit, TokenUnit, Weights, jobs,
};
use serde::Serialize;
use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;

/// Longer passages are shown by their ends.
const SHOWN_CHARACTERS: usize = 240;
/// Differences that are shown, and characters of each side.
const SHOWN_DIFFERENCES: usize = 10;
const SHOWN_DIFFERENCE_CHARACTERS: usize = 60;

/// Arguments of `lookalike compare`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lookalike compare news.jsonl:wire-001 news.jsonl:daily-002
  lookalike compare wire-001 daily-002 --in news.jsonl
  lookalike compare draft.txt final.txt --shingle char:9 --format json
  lookalike compare one.rs other.rs --tokens code --shingle word:8 --rename-blind --keywords rust
  lookalike compare sales.csv:anna sales.csv:ben --group-by customer --items-field product
  lookalike compare news.jsonl:1 news.jsonl:2 --measure cosine --shingle word:1
  lookalike compare photos.csv:p1 photos.csv:p2 --bits phash")]
pub(crate) struct CompareArgs {
    /// A text or HTML file, - for stdin, FILE:ID (also of a folder or an archive), or an ID of --in
    ///
    /// With --bits also a fingerprint in hexadecimal digits. An id is what a job of that input prints: that of the
    /// record, FILE:LINE of a record without one, ID@FILE or ID@FILE:LINE of one that occurs again, the path of a file
    /// in a folder, the name of a group.
    #[arg(value_name = "A")]
    left: String,
    /// The other document
    #[arg(value_name = "B")]
    right: String,
    /// A and B are ids in this input [default: they name their files]
    ///
    /// As `pairs`, `clusters` and `dedup` of the same inputs print them; several --in for several inputs.
    #[arg(long = "in", value_name = "INPUT", help_heading = "Input")]
    among: Vec<PathBuf>,
    #[command(flatten)]
    record: RecordArgs,
    #[command(flatten)]
    groups: GroupArgs,
    /// Show the containment that fingerprints estimate, too: mod:P or winnow:W, as in dedup [default: none]
    #[arg(
        long,
        value_name = "SELECTION",
        allow_negative_numbers = true,
        conflicts_with = "bits",
        help_heading = "Search"
    )]
    select: Option<Selection>,
    /// jaccard, which shows the shares of common shingles and the matched passages; or cosine
    ///
    /// cosine shows the exact cosine, the SimHash of both documents, and the common shingles or items with their
    /// weights, those with the largest part in the dot product first. Best with --shingle word:1.
    #[arg(
        long,
        value_name = "MEASURE",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        conflicts_with_all = ["bits", "select"],
        help_heading = "Search"
    )]
    measure: MeasureArg,
    /// Weights for --measure cosine: tf, tfidf, binary [default: tf]
    #[arg(long, hide_short_help = true, value_name = "WEIGHTS", value_enum, hide_possible_values = true)]
    #[arg(help_heading = "Search")]
    weights: Option<WeightsArg>,
    /// Document frequencies for --weights tfidf, as --save-idf of dedup, pairs and clusters has saved them [default:
    /// those of the two documents]
    #[arg(long, hide_short_help = true, value_name = "FILE", help_heading = "Search")]
    idf: Option<PathBuf>,
    /// Format of the answer
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    format: Format,
    #[command(flatten)]
    text: TextArgs,
}

/// Answers of `--measure`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum MeasureArg {
    /// The shares of common shingles or items, and the matched passages
    #[default]
    Jaccard,
    /// The cosine of weighted shingles or items
    Cosine,
}

/// Answers of `--format`.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Format {
    /// Lines for people
    #[default]
    Text,
    /// One JSON object
    Json,
}

impl Format {
    /// Writes an answer to standard output, as lines for people or as one line of JSON.
    fn print(
        self,
        write_text: impl FnOnce(&mut StandardOutput) -> io::Result<()>,
        to_json: impl FnOnce() -> serde_json::Result<String>,
    ) -> Result<Outcome> {
        let mut out = anstream::AutoStream::auto(io::stdout().lock());
        let written = match self {
            Self::Text => write_text(&mut out),
            Self::Json => writeln!(out, "{}", to_json()?),
        };
        written.context("cannot write standard output")?;
        Ok(Outcome::Done)
    }
}

/// Standard output, with colours where they are shown.
type StandardOutput = anstream::AutoStream<io::StdoutLock<'static>>;

#[derive(Debug, Serialize)]
struct Report<'a> {
    left: Side<'a>,
    right: Side<'a>,
    common: usize,
    union: usize,
    jaccard: f64,
    containment_of_left: f64,
    containment_of_right: f64,
    /// What fingerprints say of the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprints: Option<FingerprintsReport>,
    passages: Vec<PassageReport<'a>>,
    /// Of equal features: where the texts differ all the same.
    differences: Vec<PlacesReport<'a>>,
    /// Of sets of items.
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<ItemsReport<'a>>,
}

#[derive(Debug, Serialize)]
struct Side<'a> {
    name: &'a str,
    tokens: usize,
    shingles: usize,
}

#[derive(Debug, Serialize)]
struct PassageReport<'a> {
    tokens: usize,
    #[serde(flatten)]
    places: PlacesReport<'a>,
}

/// A place in each text. Ends are excluded; offsets count bytes of the text that was compared.
#[derive(Debug, Serialize)]
struct PlacesReport<'a> {
    left_start: usize,
    left_end: usize,
    right_start: usize,
    right_end: usize,
    left_text: &'a str,
    right_text: &'a str,
}

/// Runs the command.
pub(crate) fn run(args: &CompareArgs) -> Result<Outcome> {
    let inputs = args.groups.of(args.record.inputs(&args.among));
    if let Some(fingerprints) = args.record.fingerprints() {
        let compared = jobs::compare_bits([&args.left, &args.right], fingerprints, &inputs)?;
        return args.format.print(|out| bits::write_text(&compared, out), || bits::to_json(&compared));
    }
    let features = args.text.features()?;
    if args.measure == MeasureArg::Cosine {
        return run_cosine(args, &inputs, &features);
    }
    let has_weights = args.weights.is_some() || args.idf.is_some();
    ensure!(!has_weights, "--weights and --idf are for --measure cosine");
    let compared = match args.select {
        None => jobs::compare(&args.left, &args.right, &inputs, &features)?,
        Some(select) => jobs::compare_fingerprints([&args.left, &args.right], select, &inputs, &features)?,
    };
    let report = Report::new(&compared, args.select);
    args.format.print(|out| write_text(&report, unit_noun(&features), out), || serde_json::to_string(&report))
}

/// Runs the command with `--measure cosine`.
fn run_cosine(args: &CompareArgs, inputs: &Inputs, features: &Features) -> Result<Outcome> {
    let weights: Weights = args.weights.map(Into::into).unwrap_or_default();
    ensure!(args.idf.is_none() || weights == Weights::TfIdf, "--idf is for --weights tfidf");
    let names = [args.left.as_str(), &args.right];
    let compared = jobs::compare_terms(names, (weights, args.idf.as_deref()), inputs, features)?;
    args.format.print(|out| terms::write_text(&compared, out), || terms::to_json(&compared))
}

impl<'a> Report<'a> {
    fn new(compared: &'a Compared, select: Option<Selection>) -> Self {
        let found = &compared.comparison;
        let overlap = found.overlap;
        let side = |name, counts: &Counts| Side { name, tokens: counts.tokens, shingles: counts.elements };
        let places = |left: &Range<usize>, right: &Range<usize>| PlacesReport {
            left_start: left.start,
            left_end: left.end,
            right_start: right.start,
            right_end: right.end,
            left_text: &found.left_text[left.clone()],
            right_text: &found.right_text[right.clone()],
        };
        let passage =
            |Passage { left, right, tokens }: &Passage| PassageReport { tokens: *tokens, places: places(left, right) };
        let difference = |TextDifference { left, right }: &TextDifference| places(left, right);
        Self {
            left: side(&compared.left, &found.left),
            right: side(&compared.right, &found.right),
            common: overlap.common,
            union: overlap.union(),
            jaccard: overlap.jaccard(),
            containment_of_left: overlap.containment_of_left(),
            containment_of_right: overlap.containment_of_right(),
            fingerprints: select.zip(compared.estimates).map(FingerprintsReport::new),
            passages: found.passages.iter().map(passage).collect(),
            differences: found.differences.iter().map(difference).collect(),
            items: found.items.as_deref().map(ItemsReport::new),
        }
    }
}

/// What the tokens of shingles are.
fn unit_noun(features: &Features) -> &'static str {
    match features.shingle().size.unit {
        TokenUnit::Word | TokenUnit::Character | TokenUnit::Item => "token",
        TokenUnit::TextUnit(TextUnit::Line) => "line",
        TokenUnit::TextUnit(TextUnit::Sentence) => "sentence",
        TokenUnit::TextUnit(TextUnit::Paragraph) => "paragraph",
    }
}

fn write_text(report: &Report<'_>, unit: &str, out: &mut impl Write) -> io::Result<()> {
    let Report { left, right, .. } = report;
    for (letter, side) in [("A", left), ("B", right)] {
        match report.items {
            Some(_) => writeln!(out, "{letter}  {}: {}", side.name, counted(side.tokens as u64, "item"))?,
            None => {
                let (tokens, shingles) = (side.tokens as u64, side.shingles as u64);
                let counts = format!("{}, {}", counted(tokens, unit), counted(shingles, "shingle"));
                writeln!(out, "{letter}  {}: {counts}", side.name)?;
            }
        }
    }
    write_similarities(report, out)?;
    match &report.items {
        Some(items) => write_items(items, out),
        None => write_passages(report, unit, out),
    }
}

fn write_similarities(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let element = if report.items.is_some() { "common item" } else { "common shingle" };
    writeln!(
        out,
        "\nJaccard              {}   {} of {}",
        styled(STRONG, format_args!("{:.4}", report.jaccard)),
        counted(report.common as u64, element),
        thousands(report.union as u64)
    )?;
    writeln!(out, "containment of A     {:.4}   share of A that is in B", report.containment_of_left)?;
    writeln!(out, "containment of B     {:.4}   share of B that is in A", report.containment_of_right)?;
    report.fingerprints.iter().try_for_each(|fingerprints| fingerprints.write_text(out))?;
    writeln!(out)
}

fn write_passages(report: &Report<'_>, unit: &str, out: &mut impl Write) -> io::Result<()> {
    write_differences(report, out)?;
    writeln!(out, "matched passages: {}", report.passages.len())?;
    for passage in &report.passages {
        let PassageReport { tokens, places } = passage;
        let PlacesReport { left_start, left_end, right_start, right_end, left_text, .. } = places;
        let place = format!(
            "{}, A bytes {left_start}-{left_end}, B bytes {right_start}-{right_end}",
            counted(*tokens as u64, unit)
        );
        writeln!(out, "\n{}", styled(FAINT, place))?;
        writeln!(out, "    {}", shortened(left_text))?;
    }
    Ok(())
}

/// Where texts differ that are equal in all that is compared.
fn write_differences(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let differences = &report.differences;
    if differences.is_empty() {
        return Ok(());
    }
    writeln!(out, "all shingles are equal, the texts are not: {}", counted(differences.len() as u64, "difference"))?;
    for place in differences.iter().take(SHOWN_DIFFERENCES) {
        let PlacesReport { left_start, left_end, right_start, right_end, left_text, right_text } = place;
        writeln!(
            out,
            "    A bytes {left_start}-{left_end} {:?}, B bytes {right_start}-{right_end} {:?}",
            shortened_end(left_text),
            shortened_end(right_text)
        )?;
    }
    if differences.len() > SHOWN_DIFFERENCES {
        writeln!(out, "    ... and {} more (--format json has all)", differences.len() - SHOWN_DIFFERENCES)?;
    }
    writeln!(out)
}

/// The beginning of a text, white space included.
fn shortened_end(text: &str) -> String {
    if text.chars().count() <= SHOWN_DIFFERENCE_CHARACTERS {
        return text.to_owned();
    }
    text.chars().take(SHOWN_DIFFERENCE_CHARACTERS).chain("[...]".chars()).collect()
}

/// The text on one line, its middle left out if it is long.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let characters: Vec<char> = line.chars().collect();
    if characters.len() <= SHOWN_CHARACTERS {
        return line;
    }
    let end = |part: &[char]| part.iter().collect::<String>();
    let half = SHOWN_CHARACTERS / 2;
    format!(
        "{} [...] {}",
        end(&characters[..half]).trim_end(),
        end(&characters[characters.len() - half..]).trim_start()
    )
}
