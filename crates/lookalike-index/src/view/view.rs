//! The documents of an index at one moment.

use crate::ground::{Result, SetBuffer};
use crate::segment::{Documents, Facts, LiveDocuments, Part};
use lookalike_core::measure::Agreement;
use std::fmt;

/// The documents of an index at one moment, whatever happens to the index: a consistent snapshot, which costs nothing.
#[derive(Debug, Clone, Default)]
pub struct View {
    pub(crate) parts: Vec<Part>,
    pub(crate) now: u64,
}

/// Where a document stands in a view. Places ascend as documents were put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub(crate) part: u32,
    pub(crate) document: u32,
}

/// A document that is near to a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// The document.
    pub place: Place,
    /// What the exact check has found; the question is the first document.
    pub found: Agreement,
    /// The exact similarity by the measure of the question.
    pub similarity: f64,
}

impl View {
    /// Number of documents.
    pub fn len(&self) -> usize {
        self.places().count()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.places().next().is_none()
    }

    /// All documents, as they were put.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        (0..).zip(&self.parts).flat_map(|(number, part)| {
            let documents = 0..part.segment.len() as u32;
            let there = documents.filter(|&document| part.has(document, self.now));
            there.map(move |document| Place { part: number, document })
        })
    }

    fn at(&self, place: Place) -> (&Part, usize) {
        (&self.parts[place.part as usize], place.document as usize)
    }

    /// The id of a document.
    pub fn id(&self, place: Place) -> &str {
        let (part, document) = self.at(place);
        part.segment.id(document)
    }

    /// What is known of a document beside its elements.
    pub fn facts(&self, place: Place) -> &Facts {
        let (part, document) = self.at(place);
        part.segment.facts(document)
    }

    /// Number of elements of a document.
    pub fn size(&self, place: Place) -> usize {
        let (part, document) = self.at(place);
        part.segment.size(document)
    }

    /// What travels along with a document, as JSON; empty for nothing.
    pub fn fields(&self, place: Place) -> &str {
        let (part, document) = self.at(place);
        std::str::from_utf8(part.segment.fields(document)).unwrap_or("")
    }

    /// The text of a document; empty if texts are not stored.
    ///
    /// # Errors
    /// [`crate::Error::DocumentDamaged`].
    pub fn text(&self, place: Place) -> Result<String> {
        let (part, document) = self.at(place);
        part.segment.text(document)
    }

    /// Puts the elements and counts of a document in place of those of `set`.
    ///
    /// # Errors
    /// [`crate::Error::DocumentDamaged`].
    pub fn read_set(&self, place: Place, set: &mut SetBuffer) -> Result<()> {
        let (part, document) = self.at(place);
        part.segment.read_set(document, set)
    }

    /// The document with an id.
    pub fn find(&self, id: &str) -> Option<Place> {
        self.parts.iter().enumerate().rev().find_map(|(number, part)| {
            let found = part.segment.find(id, |document| part.has(document, self.now));
            found.map(|document| Place { part: number as u32, document })
        })
    }

    pub(crate) fn live(&self) -> LiveDocuments<'_> {
        LiveDocuments::of(&self.parts, self.now)
    }

    /// All documents, as those of another index.
    pub fn documents(&self) -> impl Documents + fmt::Debug + '_ {
        self.live()
    }
}
