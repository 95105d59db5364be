//! Two documents side by side as sets of shingles or items, and as the texts that the sets were made of.

use super::columns::write_columns;
use super::differences::write_differences;
use super::items::{ItemsReport, write_items};
use super::passages::write_passages;
use crate::messages::{STRONG, counted, styled, thousands};
use lookalike::{
    doors::escaped,
    evidence::{ComparedSets, Comparison, Passage, TextDifference},
    methods::{FingerprintEstimate, Selection},
};
use serde::Serialize;
use std::io::{self, Write};
use std::ops::Range;

/// Layout and nouns of the texts in an answer for people.
#[derive(Debug, Clone, Copy)]
pub(super) struct DisplayOptions {
    pub(super) layout: DifferenceLayout,
    /// Noun of a token of the documents: a word, a line.
    pub(super) token: &'static str,
    /// Noun of a token of a passage.
    pub(super) passage_token: &'static str,
}

/// Place of differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DifferenceLayout {
    /// One text with the differences in place.
    Inline,
    /// Two columns.
    Columns,
}

/// Figures of two sets, in JSON.
#[derive(Debug, Serialize)]
pub(super) struct SetFigures<'a> {
    common: usize,
    union: usize,
    jaccard: f64,
    containment_of_left: f64,
    containment_of_right: f64,
    /// Containments as fingerprints estimate them.
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprints: Option<FingerprintsReport>,
    passages: Vec<PassageReport<'a>>,
    differences: Vec<PlacesReport<'a>>,
    /// Lists of items, of sets of items.
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<ItemsReport<'a>>,
}

/// Counts of one document, in JSON.
#[derive(Debug, Serialize)]
pub(super) struct SetSide {
    tokens: usize,
    shingles: usize,
}

/// Counts of both documents, left first.
pub(super) fn set_sides(sets: &ComparedSets) -> [SetSide; 2] {
    let Comparison { left, right, .. } = &sets.comparison;
    [left, right].map(|counts| SetSide { tokens: counts.tokens, shingles: counts.elements })
}

#[derive(Debug, Serialize)]
struct PassageReport<'a> {
    tokens: usize,
    #[serde(flatten)]
    places: PlacesReport<'a>,
    left_line: u64,
    left_end_line: u64,
    right_line: u64,
    right_end_line: u64,
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

impl<'a> PlacesReport<'a> {
    fn new(found: &'a Comparison, left: &Range<usize>, right: &Range<usize>) -> Self {
        Self {
            left_start: left.start,
            left_end: left.end,
            right_start: right.start,
            right_end: right.end,
            left_text: found.left_text.get(left.clone()).unwrap_or_default(),
            right_text: found.right_text.get(right.clone()).unwrap_or_default(),
        }
    }
}

impl<'a> SetFigures<'a> {
    pub(super) fn new(sets: &'a ComparedSets) -> Self {
        let found = &sets.comparison;
        let overlap = found.overlap;
        let [containment_of_left, containment_of_right] = overlap.containments();
        let passage = |Passage { left, right, tokens }: &Passage| PassageReport {
            tokens: *tokens,
            places: PlacesReport::new(found, &left.bytes(), &right.bytes()),
            left_line: left.line,
            left_end_line: left.end_line,
            right_line: right.line,
            right_end_line: right.end_line,
        };
        let difference = |TextDifference { left, right }: &TextDifference| PlacesReport::new(found, left, right);
        Self {
            common: overlap.common,
            union: overlap.union(),
            jaccard: overlap.jaccard(),
            containment_of_left,
            containment_of_right,
            fingerprints: sets.estimates.map(|(select, estimates)| FingerprintsReport::new(select, estimates)),
            passages: found.passages.iter().map(passage).collect(),
            differences: found.differences.iter().map(difference).collect(),
            items: found.items.as_deref().map(ItemsReport::new),
        }
    }
}

/// Writes sizes and similarities, then the common items, or the differences and passages of texts.
pub(super) fn write_sets(
    names: &[String; 2],
    sets: &ComparedSets,
    options: &DisplayOptions,
    out: &mut impl Write,
) -> io::Result<()> {
    let found = &sets.comparison;
    for (letter, (name, counts)) in ["A", "B"].iter().zip(names.iter().zip([&found.left, &found.right])) {
        let name = escaped(name);
        let tokens = counted(counts.tokens as u64, if found.items.is_some() { "item" } else { options.token });
        match found.items {
            Some(_) => writeln!(out, "{letter}  {name}: {tokens}")?,
            None => writeln!(out, "{letter}  {name}: {tokens}, {}", counted(counts.elements as u64, "shingle"))?,
        }
    }
    write_similarities(sets, out)?;
    match &found.items {
        Some(items) => write_items(&ItemsReport::new(items), out),
        None => {
            match options.layout {
                DifferenceLayout::Inline => write_differences(found, out)?,
                DifferenceLayout::Columns => write_columns(found, out)?,
            }
            write_passages(found, options.passage_token, out)
        }
    }
}

fn write_similarities(sets: &ComparedSets, out: &mut impl Write) -> io::Result<()> {
    let found = &sets.comparison;
    let element = if found.items.is_some() { "common item" } else { "common shingle" };
    let [of_left, of_right] = found.overlap.containments();
    writeln!(
        out,
        "\nJaccard              {}   {} of {}",
        styled(STRONG, format_args!("{:.4}", found.overlap.jaccard())),
        counted(found.overlap.common as u64, element),
        thousands(found.overlap.union() as u64)
    )?;
    writeln!(out, "containment of A     {of_left:.4}   share of A that is in B")?;
    writeln!(out, "containment of B     {of_right:.4}   share of B that is in A")?;
    if let Some((select, estimates)) = sets.estimates {
        FingerprintsReport::new(select, estimates).write_text(out)?;
    }
    writeln!(out)
}

/// The containment of two documents as their fingerprints estimate it, in JSON.
#[derive(Debug, Serialize)]
struct FingerprintsReport {
    select: Selection,
    /// Fingerprints of both documents.
    common: u64,
    left: EstimateReport,
    right: EstimateReport,
}

/// The share of one document that is in the other, by its fingerprints.
#[derive(Debug, Serialize)]
struct EstimateReport {
    fingerprints: u64,
    /// Null without fingerprints.
    estimated_containment: Option<f64>,
    /// Interval with a confidence of 95 %; null for winnowing.
    interval: Option<(f64, f64)>,
}

impl FingerprintsReport {
    fn new(select: Selection, estimates: [FingerprintEstimate; 2]) -> Self {
        let common = estimates[0].common;
        let [left, right] =
            estimates.map(|FingerprintEstimate { fingerprints, estimated_containment, interval, .. }| EstimateReport {
                fingerprints,
                estimated_containment,
                interval,
            });
        Self { select, common, left, right }
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for (letter, of) in [("A", &self.left), ("B", &self.right)] {
            let estimate = of.estimated_containment.map_or_else(|| "-     ".to_owned(), |share| format!("{share:.4}"));
            let interval = match of.interval {
                Some((low, high)) => format!(", 95 % interval {low:.4} to {high:.4}"),
                None => String::new(),
            };
            let common = self.common;
            let all = counted(of.fingerprints, "fingerprint");
            let select = self.select;
            writeln!(out, "estimated of {letter}       {estimate}   {common} of {all} ({select}){interval}")?;
        }
        Ok(())
    }
}
