//! The texts of the documents that a page shows, read once more.

use crate::corpus::{Records, TextsAgain};
use crate::ground::Result;
use crate::html::{RowLimits, ShownPair, rows};
use crate::job::Job;
use crate::run::Session;
use lookalike_core::DocId;
use lookalike_core::evidence::{Comparison, compare};
use lookalike_io::escaped;
use std::collections::BTreeMap;

/// Bytes of a text that are compared for a page: little enough for all of them in the smallest budget, since the budget
/// must not change a page.
pub(super) const MAX_TEXT_BYTES: usize = 1 << 16;
/// How much of two texts is shown.
const LIMITS: RowLimits = RowLimits { context: Some(160), max_characters: 12_000 };
/// Characters of the text of a document in a table.
const EXCERPT_CHARACTERS: usize = 300;

/// The beginnings of some texts.
pub(super) struct ShownTexts<'a> {
    job: &'a Job,
    texts: BTreeMap<DocId, String>,
}

impl<'a> ShownTexts<'a> {
    /// Reads the wanted documents once more, as a stage; those that have no texts, or none any more (fingerprints,
    /// groups of rows, documents of snapshots and indexes), are not there.
    pub(super) fn read(job: &'a Job, records: &Records, wanted: &[DocId], session: &Session<'_>) -> Result<Self> {
        let has_texts = records.rows.is_none() && job.features.width().is_none();
        let has_text = |document: &DocId| {
            let source = records.sources.get(records.place(*document).source as usize);
            has_texts && source.is_some_and(|source| !source.is_stored())
        };
        let mut wanted: Vec<DocId> = wanted.iter().copied().filter(has_text).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let stage = "reading for the report";
        let again = TextsAgain { stage, records, inputs: &job.inputs, features: &job.features, wanted: &wanted };
        let mut texts = BTreeMap::new();
        if !wanted.is_empty() {
            again.for_each(
                session,
                || (),
                |(), _, text| Ok(first_bytes(text, MAX_TEXT_BYTES).to_owned()),
                |document, text| {
                    texts.insert(document, text);
                    Ok(())
                },
            )?;
        }
        Ok(Self { job, texts })
    }

    /// Whether there are any.
    pub(super) fn are_none(&self) -> bool {
        self.texts.is_empty()
    }

    /// Two documents compared; `None` without both texts, or for items.
    pub(super) fn compare(&self, documents: [DocId; 2]) -> Result<Option<Comparison>> {
        let [Some(left), Some(right)] = documents.map(|document| self.texts.get(&document)) else { return Ok(None) };
        if self.job.features.are_of_items() {
            return Ok(None);
        }
        Ok(Some(compare(&self.job.features, left, right)?))
    }

    /// The beginning of a text, on a few lines; nothing without one.
    pub(super) fn excerpt(&self, document: DocId) -> String {
        let text = self.texts.get(&document).map_or("", String::as_str);
        let words: String = text.split_whitespace().flat_map(|word| [word, " "]).collect();
        let mut excerpt: String = words.chars().take(EXCERPT_CHARACTERS).collect();
        if excerpt.len() < words.len() {
            excerpt += "...";
        }
        escaped(&excerpt)
    }
}

/// The beginning of a text, of so many bytes at most.
pub(super) fn first_bytes(text: &str, max_bytes: usize) -> &str {
    let end = (0..=max_bytes.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or_default()]
}

/// A comparison as a page shows it.
pub(super) fn shown_pair(heading: String, names: [&str; 2], found: &Comparison) -> ShownPair {
    ShownPair { heading, names: names.map(escaped), rows: rows(found, LIMITS) }
}
