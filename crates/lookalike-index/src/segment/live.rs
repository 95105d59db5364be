//! The documents of segments that live: what they become when they are merged.

use super::deleted::Deleted;
use super::documents::Documents;
use super::facts::Facts;
use super::segment::{Segment, StoredSet};
use crate::ground::{Result, SetBuffer};
use std::sync::Arc;

/// A segment with the documents of it that are no more there.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) segment: Arc<Segment>,
    pub(crate) deleted: Arc<Deleted>,
}

impl Part {
    /// Number of documents that live.
    pub(crate) fn live(&self) -> usize {
        self.segment.len() - self.deleted.count()
    }

    /// Number of documents that are there at a moment.
    pub(crate) fn count(&self, now: u64) -> usize {
        match self.segment.expires() {
            true => (0..self.segment.len() as u32).filter(|&document| self.has(document, now)).count(),
            false => self.live(),
        }
    }

    /// Deletes the document with an id; false if there is none.
    pub(crate) fn delete(&mut self, id: &str) -> bool {
        let found = self.segment.find(id, |document| !self.deleted.has(document));
        found.is_some_and(|document| Arc::make_mut(&mut self.deleted).insert(document))
    }

    /// Whether a document is there at a moment.
    #[inline]
    pub(crate) fn has(&self, document: u32, now: u64) -> bool {
        !self.deleted.has(document) && !self.segment.facts(document as usize).is_expired(now)
    }
}

/// The documents of some segments that live, in the order of the segments.
#[derive(Debug)]
pub(crate) struct LiveDocuments<'a> {
    parts: &'a [Part],
    /// Part and number in it.
    documents: Vec<(u32, u32)>,
}

/// The documents of a segment that live, by what they are called among all.
#[derive(Debug)]
pub(super) struct Renumbered<'a> {
    pub(super) segment: &'a Segment,
    /// By document of the segment; `None` if it does not live.
    pub(super) numbers: Vec<Option<u32>>,
}

impl<'a> LiveDocuments<'a> {
    /// Those that live at a moment.
    pub(crate) fn of(parts: &'a [Part], now: u64) -> Self {
        let of_part = |(number, part): (u32, &'a Part)| {
            let all = 0..part.segment.len() as u32;
            all.filter(move |&document| part.has(document, now)).map(move |document| (number, document))
        };
        Self { parts, documents: (0..).zip(parts).flat_map(of_part).collect() }
    }

    fn at(&self, document: usize) -> (&'a Segment, usize) {
        let (part, number) = self.documents[document];
        (&self.parts[part as usize].segment, number as usize)
    }

    /// The segment of a document.
    pub(super) fn segment(&self, document: usize) -> &'a Segment {
        self.at(document).0
    }

    /// The set of a document as it was written.
    pub(super) fn stored_set(&self, document: usize) -> Result<StoredSet<'a>> {
        let (segment, number) = self.at(document);
        segment.stored_set(number)
    }

    /// By segment: what its documents are called.
    pub(super) fn renumbered(&self) -> Vec<Renumbered<'a>> {
        let empty = |part: &'a Part| Renumbered { segment: &part.segment, numbers: vec![None; part.segment.len()] };
        let mut all: Vec<Renumbered<'a>> = self.parts.iter().map(empty).collect();
        for (new, &(part, document)) in (0..).zip(&self.documents) {
            all[part as usize].numbers[document as usize] = Some(new);
        }
        all
    }
}

impl Documents for LiveDocuments<'_> {
    fn len(&self) -> usize {
        self.documents.len()
    }

    fn id(&self, document: usize) -> &str {
        let (segment, number) = self.at(document);
        segment.id(number)
    }

    fn size(&self, document: usize) -> usize {
        let (segment, number) = self.at(document);
        segment.size(number)
    }

    fn set<'s>(&'s self, document: usize, buffer: &'s mut SetBuffer) -> Result<(&'s [u64], &'s [u32])> {
        let (segment, number) = self.at(document);
        segment.read_set(number, buffer)?;
        Ok((&buffer.elements, &buffer.counts))
    }

    fn facts(&self, document: usize) -> Facts {
        let (segment, number) = self.at(document);
        *segment.facts(number)
    }

    fn fields(&self, document: usize) -> &[u8] {
        let (segment, number) = self.at(document);
        segment.fields(number)
    }

    fn text(&self, document: usize) -> Vec<u8> {
        let (segment, number) = self.at(document);
        segment.packed_text(number).to_vec()
    }
}
