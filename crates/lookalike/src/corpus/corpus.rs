//! The documents of a job, and the records that they came from.

use super::Ids;
use crate::ground::Result;
use bytemuck::{Pod, Zeroable};
use lookalike_core::features::{ElementSets, Features};
use lookalike_core::kernel::Kernel;
use lookalike_core::{Array, DocId};
use lookalike_io::{Score, Source, Span};
use std::ops::Range;

/// Documents that can be searched: ids and element sets. References come first.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    /// By document: its id.
    pub ids: Ids,
    /// By document: its elements; all empty if only ids were read.
    pub sets: ElementSets,
    /// By document: the length of its text in characters.
    pub(crate) characters: Array<u64>,
    /// By document: its score, if a score field was asked for; else empty.
    pub(crate) scores: Vec<Option<Score>>,
    /// Number of documents that are references: compared against, never removed or written.
    pub(crate) references: usize,
    /// Number of tokens of all documents.
    pub tokens: u64,
    /// Number of documents without elements, references aside.
    pub empty: u64,
    /// Checksum of all arrays in a work folder; the same constant for every corpus without one.
    pub(crate) checksum: u64,
}

impl Corpus {
    /// A corpus of texts in memory; `ids` names them.
    ///
    /// # Errors
    /// [`crate::Error::Parameters`] if the features do not fit each other, or for too many documents.
    pub fn from_texts<'a>(features: &Features, texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        features.check()?;
        let mut shingler = features.shingler(Kernel::detect());
        let (mut corpus, mut characters) = (Self::default(), Vec::new());
        for (id, text) in texts {
            corpus.ids.push(id);
            characters.push(text.chars().count() as u64);
            let counts = shingler.push(text, &mut corpus.sets)?;
            corpus.tokens += counts.tokens as u64;
            corpus.empty += u64::from(counts.elements == 0);
        }
        corpus.characters = Array::Owned(characters);
        Ok(corpus)
    }

    /// A corpus of which only the ids are known.
    pub(crate) fn of_ids(ids: Ids) -> Self {
        let sets = vec![Vec::new(); ids.len()].into();
        Self { characters: Array::Owned(vec![0; ids.len()]), ids, sets, ..Self::default() }
    }

    /// Number of documents, references included.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Length of the text of a document in characters.
    pub(crate) fn characters(&self, document: DocId) -> u64 {
        self.characters.slice(document.index()..document.index() + 1)[0]
    }

    /// Whether a document is a reference.
    pub fn is_reference(&self, document: DocId) -> bool {
        document.index() < self.references
    }

    /// All documents in input order.
    pub fn documents(&self) -> impl ExactSizeIterator<Item = DocId> + Clone {
        DocId::all(self.len())
    }
}

/// Where a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct RecordPlace {
    /// Index of its source.
    pub source: u64,
    /// Number of its line, from 1, or of its file in the list of the folder, from 0.
    pub number: u64,
    /// Offset of its first byte in the file.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
}

impl RecordPlace {
    /// Its bytes in the file.
    pub fn span(&self) -> Span {
        Span { offset: self.offset, length: self.length }
    }
}

/// Documents with the records that they came from, which can be written again.
#[derive(Debug, Clone)]
pub struct Records {
    /// The documents.
    pub corpus: Corpus,
    /// What was read, in order; sources of references come first.
    pub(crate) sources: Vec<Source>,
    /// Number of sources that hold references.
    pub(crate) reference_sources: usize,
    /// By document: where its record stands.
    pub(crate) places: Array<RecordPlace>,
    /// Number of records that were left out.
    pub bad_records: u64,
    /// Number of hidden files and links in folders, which were not read.
    pub passed_over: u64,
}

impl Records {
    /// The sources of inputs.
    pub fn inputs(&self) -> &[Source] {
        &self.sources[self.reference_sources..]
    }

    /// Where the record of a document stands.
    pub(crate) fn place(&self, document: DocId) -> RecordPlace {
        self.places.slice(document.index()..document.index() + 1)[0]
    }

    /// The documents of a source, in input order.
    pub(crate) fn documents_of_source(&self, source: usize) -> impl ExactSizeIterator<Item = DocId> + Clone {
        let all: Range<u32> = 0..self.corpus.documents().len() as u32;
        let first_of =
            |source: usize| partition_point(all.clone(), |id| (self.place(DocId(id)).source as usize) < source);
        (first_of(source)..first_of(source + 1)).map(DocId)
    }
}

/// The first number for which `is_before` is false; it is true for those before and false for those behind.
fn partition_point(mut range: Range<u32>, is_before: impl Fn(u32) -> bool) -> u32 {
    while !range.is_empty() {
        let middle = range.start + (range.end - range.start) / 2;
        if is_before(middle) {
            range.start = middle + 1;
        } else {
            range.end = middle;
        }
    }
    range.start
}
