//! The texts of the documents that a page shows, read once more.

use crate::corpus::{Records, TextsAgain};
use crate::ground::{Result, Stage};
use crate::html::{Row, RowLimits, ShownPair, rows};
use crate::job::Job;
use crate::run::Session;
use lookalike_core::comparison::Features;
use lookalike_core::evidence::{Comparison, compare};
use lookalike_core::{DocId, counted};
use lookalike_io::{escaped, thumbnail_of};
use std::collections::BTreeMap;

/// Bytes of a text that are compared for a page: little enough for all of them in the smallest budget, since the budget
/// must not change a page.
pub(super) const MAX_COMPARED_BYTES: usize = 1 << 16;
/// How much of two texts is shown.
const LIMITS: RowLimits = RowLimits { context: Some(160), max_characters: 12_000 };
/// Characters of an id that are shown.
const MAX_ID_CHARACTERS: usize = 300;
/// Characters of the text of a document in a table.
const EXCERPT_CHARACTERS: usize = 300;

/// The beginnings of some texts, as they are compared: the readable text of HTML.
pub(super) struct ShownTexts<'a> {
    job: &'a Job,
    /// Features of readable texts.
    features: Features,
    /// The beginning of each text, and the number of bytes behind it.
    texts: BTreeMap<DocId, (String, usize)>,
    /// Small copies of images, if documents are such.
    images: BTreeMap<DocId, String>,
}

/// Two texts compared, and the number of bytes of each that were not.
pub(super) struct ComparedTexts {
    pub(super) found: Comparison,
    pub(super) left_out: [usize; 2],
}

impl<'a> ShownTexts<'a> {
    /// Reads the wanted documents once more, as a stage; those that have no texts, or none any more (fingerprints,
    /// groups of rows, documents of snapshots and indexes), are not there.
    pub(super) fn read(job: &'a Job, records: &Records, wanted: &[DocId], session: &Session<'_>) -> Result<Self> {
        let has_texts = records.rows.is_none() && job.inputs.points().is_none();
        let has_text = |document: &DocId| {
            let source = records.sources.get(records.place(*document).source as usize);
            has_texts && source.is_some_and(|source| !source.is_stored())
        };
        let all = wanted;
        let mut wanted: Vec<DocId> = wanted.iter().copied().filter(has_text).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let stage = "reading for the report";
        let again = TextsAgain { stage, records, inputs: &job.inputs, features: &job.features, wanted: &wanted };
        let mut texts = BTreeMap::new();
        again.for_each(
            session,
            || job.features.tokenizer(session.kernel()),
            |tokenizer, _, content| {
                let stored = content.stored();
                let visible = tokenizer.visible_text(&stored);
                let begin = first_bytes(&visible, MAX_COMPARED_BYTES);
                Ok((begin.to_owned(), visible.len() - begin.len()))
            },
            |document, text| {
                texts.insert(document, text);
                Ok(())
            },
        )?;
        let images =
            if job.inputs.images.is_some() { thumbnails(job, records, all, session)? } else { BTreeMap::new() };
        Ok(Self { job, features: job.features.of_readable_texts(), texts, images })
    }

    /// Whether there are any.
    pub(super) fn are_none(&self) -> bool {
        self.texts.is_empty() && self.images.is_empty()
    }

    /// Two images under a heading; `None` without both.
    pub(super) fn shown_images(&self, heading: &str, names: [&str; 2], documents: [DocId; 2]) -> Option<ShownPair> {
        let [a, b] = documents.map(|document| self.images.get(&document).cloned());
        let images = Some([a?, b?]);
        Some(ShownPair { heading: heading.to_owned(), names: names.map(shown_id), rows: Vec::new(), images })
    }

    /// Two documents compared; `None` without both texts, or for items.
    pub(super) fn compare(&self, documents: [DocId; 2]) -> Result<Option<ComparedTexts>> {
        let [Some(left), Some(right)] = documents.map(|document| self.texts.get(&document)) else { return Ok(None) };
        if self.job.features.are_of_items() {
            return Ok(None);
        }
        let found = compare(&self.features, &left.0, &right.0)?;
        Ok(Some(ComparedTexts { found, left_out: [left.1, right.1] }))
    }

    /// The beginning of a text, on a few lines; nothing without one.
    pub(super) fn excerpt(&self, document: DocId) -> String {
        let text = self.texts.get(&document).map_or("", |(text, _)| text);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut excerpt: String = words.chars().take(EXCERPT_CHARACTERS).collect();
        if excerpt.len() < words.len() {
            excerpt += "...";
        }
        escaped(&excerpt)
    }
}

/// Small copies of the wanted images, as a stage; those that cannot be read any more are not there.
fn thumbnails(
    job: &Job,
    records: &Records,
    wanted: &[DocId],
    session: &Session<'_>,
) -> Result<BTreeMap<DocId, String>> {
    let limit = job.inputs.max_document_bytes;
    session.stage(Stage::over_documents("drawing for the report", wanted.len()), || {
        let mut images = BTreeMap::new();
        for &document in wanted {
            session.stages.check()?;
            let place = records.place(document);
            let source = records.sources.get(place.source as usize);
            let image = source.and_then(|source| thumbnail_of(source, place.number, limit));
            images.extend(image.map(|image| (document, image)));
            session.stages.progress.advance(1);
        }
        Ok(images)
    })
}

/// The longest beginning of a text that has at most `max_bytes`.
pub(super) fn first_bytes(text: &str, max_bytes: usize) -> &str {
    let end = (0..=max_bytes.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or_default()]
}

/// A comparison as a page shows it.
pub(super) fn shown_pair(heading: String, names: [&str; 2], compared: &ComparedTexts) -> ShownPair {
    let mut rows = rows(&compared.found, LIMITS);
    if compared.left_out != [0, 0] {
        let [a, b] = compared.left_out.map(|bytes| counted(bytes as u64, "byte"));
        rows.push(Row::LeftOut(format!("the end not compared: {a} of A, {b} of B")));
    }
    ShownPair { heading, names: names.map(shown_id), rows, images: None }
}

/// An id as pages show it: whole, unless it is longer than any that a person reads.
pub(super) fn shown_id(id: &str) -> String {
    let whole = escaped(id);
    let shown: String = whole.chars().take(MAX_ID_CHARACTERS).collect();
    let end = if shown.len() < whole.len() { "..." } else { "" };
    shown + end
}
