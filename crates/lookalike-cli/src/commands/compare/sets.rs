//! What `lookalike compare` says of two sets of shingles or items, and of the texts that they are of.

use super::columns::write_columns;
use super::differences::write_differences;
use super::fingerprints::FingerprintsReport;
use super::items::{ItemsReport, write_items};
use super::passages::write_passages;
use super::verdict::VerdictReport;
use crate::messages::{STRONG, counted, styled, thousands};
use lookalike::{
    doors::escaped,
    evidence::{ComparedSets, Comparison, Passage, TextDifference},
    texts::Counts,
};
use serde::Serialize;
use std::io::{self, Write};
use std::ops::Range;

/// How two texts are shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    pub(super) layout: Layout,
    /// What a token of the documents is: a word, a line.
    pub(super) token: &'static str,
    /// What a token of a passage is.
    pub(super) passage_token: &'static str,
}

/// Where differences stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// One text with the differences in place.
    Inline,
    /// Two columns.
    Columns,
}

/// The comparison in JSON.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<VerdictReport>,
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
    /// In the order of the left text.
    passages: Vec<PassageReport<'a>>,
    /// Where the texts differ in words or signs.
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

impl<'a> Report<'a> {
    pub(super) fn new(names: &'a [String; 2], sets: &'a ComparedSets, verdict: Option<VerdictReport>) -> Self {
        let found = &sets.comparison;
        let overlap = found.overlap;
        let [containment_of_left, containment_of_right] = overlap.containments();
        let side = |name, counts: &Counts| Side { name, tokens: counts.tokens, shingles: counts.elements };
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
            verdict,
            left: side(&names[0], &found.left),
            right: side(&names[1], &found.right),
            common: overlap.common,
            union: overlap.union(),
            jaccard: overlap.jaccard(),
            containment_of_left,
            containment_of_right,
            fingerprints: sets.estimates.map(FingerprintsReport::new),
            passages: found.passages.iter().map(passage).collect(),
            differences: found.differences.iter().map(difference).collect(),
            items: found.items.as_deref().map(ItemsReport::new),
        }
    }
}

/// Writes sizes and similarities, then the common items, or the differences and passages of texts.
pub(super) fn write_text(
    (names, sets): (&[String; 2], &ComparedSets),
    how: &Shown,
    out: &mut impl Write,
) -> io::Result<()> {
    let found = &sets.comparison;
    for (letter, (name, counts)) in ["A", "B"].iter().zip(names.iter().zip([&found.left, &found.right])) {
        let name = escaped(name);
        let tokens = counted(counts.tokens as u64, if found.items.is_some() { "item" } else { how.token });
        match found.items {
            Some(_) => writeln!(out, "{letter}  {name}: {tokens}")?,
            None => writeln!(out, "{letter}  {name}: {tokens}, {}", counted(counts.elements as u64, "shingle"))?,
        }
    }
    write_similarities(sets, out)?;
    match &found.items {
        Some(items) => write_items(&ItemsReport::new(items), out),
        None => {
            match how.layout {
                Layout::Inline => write_differences(found, out)?,
                Layout::Columns => write_columns(found, out)?,
            }
            write_passages(found, how.passage_token, out)
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
    sets.estimates.iter().try_for_each(|&estimates| FingerprintsReport::new(estimates).write_text(out))?;
    writeln!(out)
}
