//! The documents of segments that live, and those that were deleted or replaced.

use super::documents::{Documents, Facts};
use super::segment::{Segment, StoredSet};
use crate::base::{Result, SetBuffer};
use std::sync::Arc;

/// A set of the documents of a segment, one bit each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Deleted {
    words: Vec<u64>,
    count: usize,
}

impl Deleted {
    /// The set with stored bits.
    pub(crate) fn from_words(words: Vec<u64>) -> Self {
        let count = words.iter().map(|word| word.count_ones() as usize).sum();
        Self { words, count }
    }

    /// The first `count` documents.
    pub(crate) fn all(count: usize) -> Self {
        let mut all = Self::default();
        (0..count as u32).for_each(|document| {
            all.insert(document);
        });
        all
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    #[inline]
    pub(crate) fn has(&self, document: u32) -> bool {
        self.words.get(document as usize / 64).is_some_and(|word| word >> (document % 64) & 1 == 1)
    }

    /// Adds a document; false if it was there already.
    pub(crate) fn insert(&mut self, document: u32) -> bool {
        let word = document as usize / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let is_new = !self.has(document);
        self.words[word] |= 1 << (document % 64);
        self.count += usize::from(is_new);
        is_new
    }

    /// Takes a document out, if it is there.
    pub(crate) fn remove(&mut self, document: u32) {
        if self.has(document) {
            self.words[document as usize / 64] &= !(1 << (document % 64));
            self.count -= 1;
        }
    }
}

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
        if !self.segment.expires {
            return self.live();
        }
        (0..self.segment.len() as u32).filter(|&document| self.has(document, now)).count()
    }

    /// Deletes the document with an id; false if there is none.
    pub(crate) fn delete(&mut self, id: &str) -> bool {
        let found = self.segment.find(id, |document| !self.deleted.has(document));
        found.is_some_and(|document| Arc::make_mut(&mut self.deleted).insert(document))
    }

    /// Returns whether a document is there at a moment.
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
    /// New number by document of the segment; `None` if it does not live.
    pub(super) numbers: Vec<Option<u32>>,
}

impl<'a> LiveDocuments<'a> {
    /// The documents that live at a moment.
    pub(crate) fn new(parts: &'a [Part], now: u64) -> Self {
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

    /// New numbers of the documents, by segment.
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

/// Documents that are written to a segment.
#[derive(Clone, Copy)]
pub(crate) enum SegmentContent<'a> {
    /// Documents that come.
    New(&'a dyn Documents),
    /// Documents of other segments: what was made of them is copied.
    Merged(&'a LiveDocuments<'a>),
}

impl<'a> SegmentContent<'a> {
    pub(crate) fn documents(self) -> &'a dyn Documents {
        match self {
            Self::New(documents) => documents,
            Self::Merged(documents) => documents,
        }
    }

    pub(super) fn merged(self) -> Option<&'a LiveDocuments<'a>> {
        match self {
            Self::New(_) => None,
            Self::Merged(documents) => Some(documents),
        }
    }
}
