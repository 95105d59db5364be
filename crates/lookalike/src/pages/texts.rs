//! Texts of documents, and parts of them by their places, read once more for a page or a report.

use super::shown::{beginning_bytes, shown_id, shown_part};
use super::side_by_side::{RowLimits, SideRow, rows};
use crate::base::{Result, Stage};
use crate::corpus::{Records, TextsAgain};
use crate::job::Job;
use crate::run::Session;
use lookalike_core::comparison::Features;
use lookalike_core::evidence::{Comparison, compare};
use lookalike_core::{DocId, counted};
use lookalike_io::{base::escaped, read::thumbnail_of};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Bytes of a text that are compared for a page: little enough for all of them in the smallest budget, since the budget
/// must not change a page.
pub(super) const MAX_COMPARED_BYTES: usize = 1 << 16;
/// Limits of what is shown of two texts.
const LIMITS: RowLimits = RowLimits { context: Some(160), max_characters: 12_000 };
/// Characters of the text of a document in a table.
const EXCERPT_CHARACTERS: usize = 300;

/// Two documents with their texts.
#[derive(Debug)]
pub(super) struct ShownPair {
    /// Similarity, and the reason of the pair.
    pub(super) heading: String,
    /// The documents.
    pub(super) names: [String; 2],
    /// The texts.
    pub(super) rows: Vec<SideRow>,
    /// Small copies of the images, as URIs that hold them, if documents are such.
    pub(super) images: Option<[String; 2]>,
}

/// Documents whose texts are read once more, and what of each is wanted.
#[derive(Default)]
pub(crate) struct RequestedTexts {
    documents: BTreeMap<DocId, RequestedRanges>,
}

#[derive(Default)]
struct RequestedRanges {
    beginning: bool,
    /// Begin and end of each.
    parts: BTreeSet<(usize, usize)>,
}

/// Texts that were read once more: the readable text of HTML.
#[derive(Default)]
pub(crate) struct ReadTexts {
    /// The beginning of each text, and the number of bytes behind it.
    beginnings: BTreeMap<DocId, (String, usize)>,
    parts: BTreeMap<(DocId, usize, usize), String>,
}

impl RequestedTexts {
    pub(super) fn add_beginning(&mut self, document: DocId) {
        self.documents.entry(document).or_default().beginning = true;
    }

    /// Adds some bytes of the text of a document.
    pub(crate) fn add_part(&mut self, document: DocId, part: Range<usize>) {
        self.documents.entry(document).or_default().parts.insert((part.start, part.end));
    }

    /// Reads what is wanted, as a stage; of beginnings so many bytes. Documents that have no texts, or none any more
    /// (fingerprints, groups of rows, documents of snapshots and indexes), are not there.
    pub(crate) fn read(
        &self,
        job: &Job,
        records: &Records,
        max_bytes: usize,
        session: &Session<'_>,
    ) -> Result<ReadTexts> {
        let has_texts = records.rows.is_none() && job.inputs.points().is_none();
        let has_text = |document: &DocId| {
            let source = records.sources.get(records.place(*document).source as usize);
            has_texts && source.is_some_and(|source| !source.is_stored())
        };
        let wanted: Vec<DocId> = self.documents.keys().copied().filter(has_text).collect();
        let stage = Stage::READING_FOR_REPORT;
        let again = TextsAgain { stage, records, inputs: &job.inputs, features: &job.features, wanted: &wanted };
        let mut read = ReadTexts::default();
        again.for_each(
            session,
            || job.features.tokenizer(session.kernel()),
            |tokenizer, document, content| {
                let stored = content.stored();
                let visible = tokenizer.visible_text(&stored);
                let Some(wanted) = self.documents.get(&document) else { return Ok((None, Vec::new())) };
                let begin = beginning_bytes(&visible, max_bytes);
                let beginning = wanted.beginning.then(|| (begin.to_owned(), visible.len() - begin.len()));
                let part = |&(start, end): &(usize, usize)| {
                    ((document, start, end), shown_part(visible.get(start..end).unwrap_or_default()))
                };
                Ok((beginning, wanted.parts.iter().map(part).collect::<Vec<_>>()))
            },
            |document, (beginning, parts)| {
                read.beginnings.extend(beginning.map(|text| (document, text)));
                read.parts.extend(parts);
                Ok(())
            },
        )?;
        Ok(read)
    }
}

impl ReadTexts {
    /// The text of a document, or its beginning and the number of bytes that are left out.
    pub(super) fn beginning(&self, document: DocId) -> (&str, usize) {
        self.beginnings.get(&document).map_or(("", 0), |(text, rest)| (text, *rest))
    }

    /// The beginning of a part of a text.
    pub(crate) fn part(&self, document: DocId, part: Range<usize>) -> String {
        self.parts.get(&(document, part.start, part.end)).cloned().unwrap_or_default()
    }
}

/// The documents of pairs and tables with the beginnings of their texts.
pub(super) struct ShownTexts<'a> {
    job: &'a Job,
    /// Features of readable texts.
    features: Features,
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
    /// Reads the wanted documents once more, as a stage; images as another.
    pub(super) fn read(job: &'a Job, records: &Records, wanted: &[DocId], session: &Session<'_>) -> Result<Self> {
        let mut texts = RequestedTexts::default();
        wanted.iter().for_each(|&document| texts.add_beginning(document));
        let texts = texts.read(job, records, MAX_COMPARED_BYTES, session)?.beginnings;
        let images = match job.inputs.images {
            Some(_) => thumbnails(job, records, wanted, session)?,
            None => BTreeMap::new(),
        };
        Ok(Self { job, features: job.features.of_readable_texts(), texts, images })
    }

    /// Returns whether there are any.
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
    session.stages.next_is_part();
    session.stage(Stage::over_documents(Stage::DRAWING_FOR_REPORT, wanted.len()), || {
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

/// A comparison as a page shows it.
pub(super) fn shown_pair(heading: String, names: [&str; 2], compared: &ComparedTexts) -> ShownPair {
    let mut rows = rows(&compared.found, LIMITS);
    if compared.left_out != [0, 0] {
        let [a, b] = compared.left_out.map(|bytes| counted(bytes as u64, "byte"));
        rows.push(SideRow::LeftOut(format!("the end not compared: {a} of A, {b} of B")));
    }
    ShownPair { heading, names: names.map(shown_id), rows, images: None }
}
