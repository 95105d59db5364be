//! `lookalike compare`: two documents, whether they are near-duplicates, where they differ and what they share.
//!
//! ```text
//! verdict      the first line: whether the two are near-duplicates
//! sets         two sets of shingles or items: sizes, similarities
//! differences  one text with its differences from the other in place
//! columns      both texts in two columns
//! passages     the passages that both texts share
//! items        common items, and items of one set only
//! terms        two vectors of weighted terms
//! points       two fingerprints, or two vectors
//! lines        texts on one line, notes on what is left out
//! ```

mod columns;
mod differences;
mod items;
mod lines;
mod passages;
mod points;
mod sets;
mod terms;
mod verdict;

use crate::args::{
    GroupArgs, MeasureArgs, RecordArgs, References, TextArgs, check_page_name, document_name, min_match,
};
use crate::messages::{STRONG, styled};
use crate::outcome::ExitStatus;
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use lookalike::pages::{comparison_page, write_comparison};
use lookalike::{
    Measure,
    evidence::{Compared, ComparedAs, ComparedDocument, Comparing},
    jobs,
    measures::{Subject, Weights},
    methods::Selection,
    texts::{ShingleSize, TextUnit, TokenUnit},
};
use points::{BitFigures, VectorFigures};
use serde::Serialize;
use sets::{SetFigures, set_sides};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use terms::{TermFigures, term_sides};
use verdict::VerdictReport;

/// Arguments of `lookalike compare`.
#[derive(Debug, Args)]
#[command(
    after_help = "\
Examples:
  lookalike compare draft.txt final.txt --side-by-side
  lookalike compare news.jsonl:wire-001 news.jsonl:daily-002 -t 0.9
  lookalike compare wire-001 daily-002 --in news.jsonl --measure containment
  lookalike compare one.rs other.rs --tokens code --shingle word:8",
    after_long_help = "\
The first line says whether the two are near-duplicates, as pairs and dedup decide. Then follow the differences, \
[-only in A-]{+only in B+}, white space apart, and the passages that stand in both, wherever they stand.

Examples:
  lookalike compare draft.txt final.txt --side-by-side
  lookalike compare news.jsonl:wire-001 news.jsonl:daily-002 -t 0.9
  lookalike compare wire-001 daily-002 --in news.jsonl --measure containment
  lookalike compare draft.txt --text 'The bridge is closed'
  lookalike compare one.rs other.rs --tokens code --shingle word:8 --rename-blind --keywords rust
  lookalike compare sales.csv:anna sales.csv:ben --group-by customer --items-field product
  lookalike compare news.jsonl:1 news.jsonl:2 --measure cosine --shingle word:1
  lookalike compare photos.csv:p1 photos.csv:p2 --bits phash"
)]
pub(crate) struct CompareArgs {
    /// A text or HTML file, - for stdin, FILE:ID (also of a folder or an archive), or an ID of --in
    ///
    /// With --bits also a fingerprint in hexadecimal digits. An id is what a job of that input prints: that of the
    /// record, FILE:LINE of a record without one, ID@FILE or ID@FILE:LINE of one that occurs again, the path of a file
    /// in a folder, the name of a group.
    #[arg(value_name = "A", value_parser = document_name())]
    left: Option<String>,
    /// The other document
    #[arg(value_name = "B", value_parser = document_name())]
    right: Option<String>,
    /// A text in place of A or B, or behind A [default: none]
    #[arg(long = "text", value_name = "TEXT", help_heading = "Input")]
    texts: Vec<String>,
    /// A and B are ids in this input [default: they name their files]
    ///
    /// As `pairs`, `clusters` and `dedup` of the same inputs print them; several --in for several inputs.
    #[arg(long = "in", value_name = "INPUT", help_heading = "Input")]
    among: Vec<PathBuf>,
    #[command(flatten)]
    record: RecordArgs,
    #[command(flatten)]
    groups: GroupArgs,
    #[command(flatten)]
    measure: MeasureArgs,
    /// Show the containment that fingerprints estimate, too: mod:P or winnow:W, as in dedup [default: none]
    #[arg(long, value_name = "SELECTION", hide_short_help = true, conflicts_with = "bits", help_heading = "Search")]
    select: Option<Selection>,
    /// Document frequencies for --weights tfidf, as --save-idf of dedup, pairs and clusters has saved them [default:
    /// those of the two documents]
    #[arg(long, hide_short_help = true, value_name = "FILE", help_heading = "Search")]
    idf: Option<PathBuf>,
    /// Shortest passage: N words, or UNIT:N [default: one shingle]
    #[arg(
        long,
        value_name = "N",
        value_parser = min_match,
        conflicts_with_all = ["items", "bits"],
        help_heading = "Output"
    )]
    min_match: Option<ShingleSize>,
    /// Show the texts in two columns
    #[arg(long, conflicts_with_all = ["items", "bits"], help_heading = "Output")]
    side_by_side: bool,
    /// Format of the answer
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    format: CompareFormat,
    /// Write a page with both texts, to read in a browser [default: none]
    ///
    /// One file that loads nothing: the figures, and both texts side by side, common passages coloured and differences
    /// marked.
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    report: Option<PathBuf>,
    /// Exit with 1 if the two are near-duplicates
    #[arg(long, hide_short_help = true, help_heading = "Run")]
    fail_if_found: bool,
    #[command(flatten)]
    text: TextArgs,
}

/// Values of `--format`.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum CompareFormat {
    /// Lines for people
    #[default]
    Text,
    /// One JSON object
    Json,
    /// A page, to read in a browser
    Html,
}

/// Runs the command.
pub(crate) fn run(args: &CompareArgs) -> Result<ExitStatus> {
    let request = args.request()?;
    let page = args.report.as_deref();
    if let Some(path) = page {
        check_page_name(path)?;
        ensure!(
            path != Path::new("-"),
            "--report - and the answer cannot both go to standard output; --format html writes the page alone"
        );
    }
    ensure!(
        !args.side_by_side || matches!(args.format, CompareFormat::Text),
        "--side-by-side is for a terminal: leave out --format"
    );
    ensure!(
        !args.fail_if_found || request.measure.is_some(),
        "--fail-if-found needs to know when the two are near-duplicates: give a measure with its limit"
    );
    let compared = jobs::compare(&request)?;
    if let Some(path) = page {
        write_comparison(&request, &compared, &title(&compared), path)?;
    }
    let mut out = anstream::AutoStream::auto(io::stdout().lock());
    let written = match args.format {
        CompareFormat::Json => writeln!(out, "{}", to_json(&compared)?),
        CompareFormat::Html => write!(out, "{}", comparison_page(&title(&compared), &compared)?),
        CompareFormat::Text => {
            let of_shingles = request.features.shingle().size;
            let options = sets::DisplayOptions {
                layout: if args.side_by_side {
                    sets::DifferenceLayout::Columns
                } else {
                    sets::DifferenceLayout::Inline
                },
                token: noun_of_token(of_shingles),
                passage_token: noun_of_token(args.min_match.unwrap_or(of_shingles)),
            };
            write_text(&compared, &options, &mut out)
        }
    };
    written.context("cannot write standard output")?;
    let are_near = compared.verdict.as_ref().is_some_and(|(_, verdict)| verdict.reason.is_some());
    Ok(ExitStatus::found_if(args.fail_if_found && are_near))
}

impl CompareArgs {
    fn request(&self) -> Result<Comparing> {
        let inputs = self.groups.apply_to(self.record.inputs(&self.among));
        let subject = self.text.subject(Subject::from_inputs(&inputs))?;
        let has_measure = inputs.points().is_none() || self.measure.is_given() || self.measure.has_limit();
        let measure = has_measure.then(|| self.measure.to_measure(References::None, subject, None)).transpose()?;
        let weights = measure.and_then(Measure::weighted).map(|cosine| cosine.weights);
        ensure!(self.idf.is_none() || weights == Some(Weights::TfIdf), "--idf is for --weights tfidf");
        ensure!(
            weights.is_none() || (self.select.is_none() && self.min_match.is_none() && !self.side_by_side),
            "--measure cosine compares terms: --select, --min-match and --side-by-side do not go with it"
        );
        Ok(Comparing {
            sides: self.sides()?,
            inputs,
            features: self.text.features()?,
            measure,
            idf: self.idf.clone(),
            select: self.select,
            min_match: self.min_match,
            spared: self.text.files(),
        })
    }

    /// The two documents, named ones first.
    fn sides(&self) -> Result<[ComparedDocument; 2]> {
        let named = self.left.iter().chain(&self.right).cloned().map(ComparedDocument::Named);
        let all: Vec<_> = named.chain(self.texts.iter().cloned().map(ComparedDocument::Text)).collect();
        all.try_into().map_err(|all: Vec<_>| match all.len() {
            count @ (0 | 1) => anyhow::anyhow!(
                "two documents are compared, and {} given: name a text file, FILE:ID, - for stdin, or --text TEXT",
                if count == 0 { "none is" } else { "one is" }
            ),
            count => anyhow::anyhow!("two documents are compared, and {count} are given; `sources` takes more"),
        })
    }
}

/// The heading of a page.
fn title(compared: &Compared) -> String {
    match &compared.verdict {
        Some((measure, verdict)) => verdict::line(measure, verdict).replacen("near", "Near", 1),
        None => "Two fingerprints or vectors".to_owned(),
    }
}

/// A comparison in JSON: the answer of the measure, both documents, and the figures of their kind.
#[derive(Debug, Serialize)]
struct ComparisonReport<'a, S, F> {
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<VerdictReport>,
    left: SideReport<'a, S>,
    right: SideReport<'a, S>,
    #[serde(flatten)]
    figures: F,
}

/// One of two documents in JSON.
#[derive(Debug, Serialize)]
struct SideReport<'a, S> {
    name: &'a str,
    #[serde(flatten)]
    figures: S,
}

/// The comparison as one JSON object.
fn to_json(compared: &Compared) -> serde_json::Result<String> {
    match &compared.found {
        ComparedAs::Sets(sets) => comparison_json(compared, set_sides(sets), SetFigures::new(sets)),
        ComparedAs::Terms(terms) => comparison_json(compared, term_sides(terms), TermFigures::new(terms)),
        ComparedAs::Bits(bits) => {
            let sides = bits.digits.each_ref().map(|digits| BTreeMap::from([("bits", digits)]));
            comparison_json(compared, sides, BitFigures::new(bits))
        }
        ComparedAs::Vectors(vectors) => {
            let sides = vectors.norms.map(|norm| BTreeMap::from([("norm", norm)]));
            comparison_json(compared, sides, VectorFigures::new(vectors))
        }
    }
}

fn comparison_json(
    compared: &Compared,
    sides: [impl Serialize; 2],
    figures: impl Serialize,
) -> serde_json::Result<String> {
    let [left, right] = sides;
    let verdict = compared.verdict.as_ref().map(|(measure, verdict)| VerdictReport::new(measure, verdict));
    serde_json::to_string(&ComparisonReport {
        verdict,
        left: SideReport { name: &compared.names[0], figures: left },
        right: SideReport { name: &compared.names[1], figures: right },
        figures,
    })
}

/// Writes the comparison for people.
fn write_text(compared: &Compared, options: &sets::DisplayOptions, out: &mut impl Write) -> io::Result<()> {
    let Compared { names, verdict, found } = compared;
    if let Some((measure, verdict)) = verdict {
        writeln!(out, "{}\n", styled(STRONG, verdict::line(measure, verdict)))?;
    }
    match found {
        ComparedAs::Sets(sets) => sets::write_sets(names, sets, options, out),
        ComparedAs::Terms(terms) => terms::write_terms(names, terms, out),
        ComparedAs::Bits(bits) => points::write_bits(names, bits, out),
        ComparedAs::Vectors(vectors) => points::write_vectors(names, vectors, out),
    }
}

/// Noun of the tokens of shingles or passages.
fn noun_of_token(size: ShingleSize) -> &'static str {
    match size.unit {
        TokenUnit::Word | TokenUnit::Character | TokenUnit::Item => "token",
        TokenUnit::TextUnit(TextUnit::Line) => "line",
        TokenUnit::TextUnit(TextUnit::Sentence) => "sentence",
        TokenUnit::TextUnit(TextUnit::Paragraph) => "paragraph",
    }
}
