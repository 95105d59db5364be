//! The documents of an index at one moment.

use crate::base::{PackedText, Result, SetBuffer};
use crate::segment::{Documents, Facts, LiveDocuments, Part, Segment};
use lookalike_core::documents::{TextHash, Vector};
use lookalike_core::rule::{Near, Reason};
use lookalike_core::similarity::{Agreement, Overlap};
use std::fmt;

/// The documents of an index at one moment, whatever happens to the index: a consistent snapshot, which costs nothing.
#[derive(Debug, Clone, Default)]
pub struct View {
    pub(crate) parts: Vec<Part>,
    pub(crate) now: u64,
}

/// Place of a document in a view. Places ascend as documents were put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocAddress {
    pub(crate) part: u32,
    pub(crate) document: u32,
}

impl DocAddress {
    fn index(self) -> usize {
        self.document as usize
    }
}

/// A document that is near to a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// The document.
    pub place: DocAddress,
    /// Agreement of the two; the question is the first document.
    pub found: Finding,
    /// The similarity by the measure of the question: exact, or estimated.
    pub similarity: f64,
}

/// Agreement of a question and an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Finding {
    /// Agreement that the exact check has found.
    Verified(Agreement),
    /// Interval of signatures: the interval of their Jaccard similarity, with a confidence of 95 %, which reaches the
    /// threshold; the estimate may be below.
    Estimated((f64, f64)),
}

impl Finding {
    /// The sizes of two sets and of their intersection, if sets were compared.
    pub fn overlap(self) -> Option<Overlap> {
        match self {
            Self::Verified(found) => found.overlap(),
            Self::Estimated(_) => None,
        }
    }

    /// The interval of an estimate; `None` for what is exact.
    pub fn interval(self) -> Option<(f64, f64)> {
        match self {
            Self::Verified(_) => None,
            Self::Estimated(interval) => Some(interval),
        }
    }
}

impl Near for Answer {
    type Place = DocAddress;

    fn similarity(&self) -> f64 {
        self.similarity
    }

    fn place(&self) -> DocAddress {
        self.place
    }
}

impl View {
    /// Number of documents.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.count(self.now)).sum()
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.places().next().is_none()
    }

    /// Documents, as they were put.
    pub fn places(&self) -> impl Iterator<Item = DocAddress> + '_ {
        (0..).zip(&self.parts).flat_map(|(number, part)| {
            let documents = 0..part.segment.len() as u32;
            let there = documents.filter(|&document| part.has(document, self.now));
            there.map(move |document| DocAddress { part: number, document })
        })
    }

    /// The first document after a place, or of all; `None` if there is none.
    pub fn next_place(&self, after: Option<DocAddress>) -> Option<DocAddress> {
        let (first, begin) = after.map_or((0, 0), |place| (place.part, place.document + 1));
        (first..).zip(self.parts.get(first as usize..)?).find_map(|(number, part)| {
            let begin = if number == first { begin } else { 0 };
            let document = (begin..part.segment.len() as u32).find(|&document| part.has(document, self.now));
            document.map(|document| DocAddress { part: number, document })
        })
    }

    /// Number of dimensions of its first document, which is a vector; `None` without documents.
    pub(crate) fn dimensions(&self, set: &mut SetBuffer) -> Result<Option<usize>> {
        let Some(place) = self.next_place(None) else { return Ok(None) };
        self.read_set(place, set)?;
        Ok(Vector::from_words(&set.elements).map(Vector::dimensions))
    }

    pub(crate) fn has(&self, place: DocAddress) -> bool {
        self.parts[place.part as usize].has(place.document, self.now)
    }

    fn segment(&self, place: DocAddress) -> &Segment {
        &self.parts[place.part as usize].segment
    }

    /// The number of a document in an index that was loaded at once and not changed; `None` for any other.
    pub fn ordinal(&self, place: DocAddress) -> Option<u32> {
        (self.parts.len() == 1).then_some(place.document)
    }

    /// The id of a document.
    pub fn id(&self, place: DocAddress) -> &str {
        self.segment(place).id(place.index())
    }

    /// Facts of a document beside its elements.
    pub fn facts(&self, place: DocAddress) -> &Facts {
        self.segment(place).facts(place.index())
    }

    /// Number of elements of a document.
    pub fn size(&self, place: DocAddress) -> usize {
        self.segment(place).size(place.index())
    }

    /// Stored fields of a document, as JSON; empty for none.
    pub fn fields(&self, place: DocAddress) -> &str {
        std::str::from_utf8(self.segment(place).fields(place.index())).unwrap_or("")
    }

    /// The text of a document; empty if texts are not stored.
    ///
    /// # Errors
    /// [`crate::Error::DocumentDamaged`].
    pub fn text(&self, place: DocAddress) -> Result<String> {
        self.segment(place).text(place.index())
    }

    /// The text of a document as it is stored.
    pub fn packed_text(&self, place: DocAddress) -> PackedText {
        PackedText::from_packed(self.segment(place).packed_text(place.index()).to_vec())
    }

    /// Puts the elements and counts of a document in place of those of `set`.
    ///
    /// # Errors
    /// [`crate::Error::DocumentDamaged`]; [`crate::Error::SignaturesOnly`].
    pub fn read_set(&self, place: DocAddress, set: &mut SetBuffer) -> Result<()> {
        self.segment(place).read_set(place.index(), set)
    }

    /// Reason why a document is an answer to a question with these elements, counts and text: its
    /// text is the same, or its elements are, or it is only near.
    ///
    /// # Errors
    /// [`crate::Error::DocumentDamaged`].
    pub fn reason(&self, elements: &[u64], counts: &[u32], text: TextHash, answer: &Answer) -> Result<Reason> {
        let is_same_text = || self.facts(answer.place).text_hash.is_same(text);
        match answer.found {
            // Signatures do not tell whether sets are equal.
            Finding::Estimated(_) if is_same_text() => return Ok(Reason::of_equal(true)),
            Finding::Estimated(_) => return Ok(Reason::Near),
            Finding::Verified(found) if !found.may_be_of_equals() => return Ok(Reason::Near),
            Finding::Verified(_) => {}
        }
        let mut set = SetBuffer::default();
        self.read_set(answer.place, &mut set)?;
        let are_equal = set.elements == elements && set.counts == counts;
        Ok(if are_equal { Reason::of_equal(is_same_text()) } else { Reason::Near })
    }

    /// The document with an id.
    pub fn find(&self, id: &str) -> Option<DocAddress> {
        self.parts.iter().enumerate().rev().find_map(|(number, part)| {
            let found = part.segment.find(id, |document| part.has(document, self.now));
            found.map(|document| DocAddress { part: number as u32, document })
        })
    }

    /// Documents, as those of another index.
    pub fn documents(&self) -> impl Documents + fmt::Debug + '_ {
        LiveDocuments::new(&self.parts, self.now)
    }
}
