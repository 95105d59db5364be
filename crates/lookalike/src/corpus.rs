//! What is known of all documents once they were read: keys, places, sets. The texts are gone.

use crate::error::Result;
use crate::options::Options;
use lookalike_core::DocId;
use lookalike_core::array::Array;
use lookalike_core::shingle::{Counts, Shingler};
use lookalike_core::shingle_sets::ShingleSets;
use lookalike_core::text::Tokenizer;
use lookalike_io::{Score, Source, Span};
use std::ops::Range;

/// Where a document came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentInfo {
    /// Index of its source.
    pub source: u32,
    /// Number of its line, from 1, or of its file in the folder's list, from 0.
    pub number: u64,
    /// Its bytes in the file.
    pub span: Span,
    /// Length of its text in characters.
    pub characters: u64,
}

/// What others are compared with and what is never removed or written; it comes before everything else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct References {
    /// So many of the first sources are references.
    pub sources: usize,
    /// So many of the first documents are.
    pub documents: usize,
}

/// Keys of documents, in one string.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    /// UTF-8.
    text: Array<u8>,
    ends: Vec<u64>,
}

impl Keys {
    /// Keys that are kept somewhere: one after the other, and by document where its key ends.
    pub(crate) fn from_parts(text: Array<u8>, ends: Vec<u64>) -> Self {
        Self { text, ends }
    }

    /// The key of a document.
    pub fn get(&self, document: DocId) -> &str {
        let index = document.index();
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        std::str::from_utf8(self.text.slice(start as usize..self.ends[index] as usize)).unwrap_or_default()
    }

    fn clear(&mut self) {
        self.text.to_mut().clear();
        self.ends.clear();
    }

    pub(crate) fn push(&mut self, key: &str) {
        self.text.to_mut().extend_from_slice(key.as_bytes());
        self.ends.push(self.text.len() as u64);
    }
}

/// A [`DocumentInfo`] as plain numbers: source, number, offset, length, characters.
pub(crate) type PackedInfo = [u64; 5];

impl DocumentInfo {
    pub(crate) fn pack(self) -> PackedInfo {
        [self.source.into(), self.number, self.span.offset, self.span.length, self.characters]
    }

    pub(crate) fn unpack([source, number, offset, length, characters]: PackedInfo) -> Self {
        Self { source: source as u32, number, span: Span { offset, length }, characters }
    }
}

/// The documents of a job.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    /// What was read, in order.
    pub sources: Vec<Source>,
    /// How much of the beginning is for reference only.
    pub references: References,
    /// By document: where it came from.
    pub(crate) infos: Array<PackedInfo>,
    /// By document: its key.
    pub keys: Keys,
    /// By document: its shingles.
    pub sets: ShingleSets,
    /// By document: its score, if a score field was asked for; else empty.
    pub scores: Vec<Option<Score>>,
    /// Of all arrays, if they are kept in a work folder; else the same for every corpus.
    pub(crate) checksum: u64,
    /// Number of tokens of all documents.
    pub tokens: u64,
    /// Number of documents without tokens.
    pub empty: u64,
    /// Number of records that were left out.
    pub bad_records: u64,
    /// Number of hidden files and links in folders, which were not read.
    pub passed_over: u64,
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

impl Corpus {
    /// A corpus of (key, text) pairs in memory. It can be searched, but not be written as records.
    ///
    /// # Errors
    /// [`crate::Error::Parameters`] if there are too many documents.
    pub fn from_texts<'a>(options: &Options, texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        let mut shingler = Shingler::new(options.shingle, Tokenizer::with_kernel(options.text.clone(), options.kernel));
        let mut corpus = Self::default();
        for (number, (key, text)) in (0..).zip(texts) {
            let info = DocumentInfo { source: 0, number, span: Span { offset: 0, length: 0 }, characters: 0 };
            corpus.push(key, text, info, &mut shingler)?;
        }
        Ok(corpus)
    }

    /// Appends a document; the length of its text is filled in.
    pub(crate) fn push(&mut self, key: &str, text: &str, info: DocumentInfo, shingler: &mut Shingler) -> Result<()> {
        let Counts { tokens, .. } = self.sets.push_with(|elements| shingler.append(text, elements))?;
        self.keys.push(key);
        let characters = text.chars().count() as u64;
        self.infos.to_mut().push(DocumentInfo { characters, ..info }.pack());
        self.tokens += tokens as u64;
        self.empty += u64::from(tokens == 0);
        Ok(())
    }

    /// Appends all of a document but its set.
    pub(crate) fn push_without_set(&mut self, key: &str, info: DocumentInfo) {
        self.keys.push(key);
        self.infos.to_mut().push(info.pack());
    }

    /// Appends a document of which only the key and the place are wanted; its set stays empty.
    pub(crate) fn push_key(&mut self, key: &str, info: DocumentInfo) -> Result<()> {
        self.sets.push_with(|_| ())?;
        self.keys.push(key);
        self.infos.to_mut().push(info.pack());
        Ok(())
    }

    /// Bytes of memory that keys and sets have, in use or not.
    pub(crate) fn reserved_bytes(&self) -> usize {
        self.sets.reserved_bytes() + self.keys.text.reserved_bytes()
    }

    /// Forgets all documents, but not the memory that they had.
    pub(crate) fn clear_documents(&mut self) {
        self.infos.to_mut().clear();
        self.keys.clear();
        self.sets.clear();
        self.scores.clear();
        (self.tokens, self.empty) = (0, 0);
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.infos.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.infos.is_empty()
    }

    /// Where a document came from.
    pub fn info(&self, document: DocId) -> DocumentInfo {
        let index = document.index();
        DocumentInfo::unpack(self.infos.slice(index..index + 1)[0])
    }

    /// The documents of a source, in input order.
    pub fn ids_of_source(&self, source: usize) -> impl ExactSizeIterator<Item = DocId> + Clone {
        let ids: Range<u32> = 0..self.ids().len() as u32;
        let first_of =
            |source: usize| partition_point(ids.clone(), |id| (self.info(DocId(id)).source as usize) < source);
        (first_of(source)..first_of(source + 1)).map(DocId)
    }

    /// Whether a document is for reference only.
    pub fn is_reference(&self, document: DocId) -> bool {
        document.index() < self.references.documents
    }

    /// The ids of all documents, in input order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = DocId> + Clone {
        DocId::all(self.len())
    }
}
