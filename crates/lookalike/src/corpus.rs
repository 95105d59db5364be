//! What is known of all documents once they were read: keys, places, sets. The texts are gone.

use crate::error::Result;
use crate::options::Options;
use lookalike_core::DocId;
use lookalike_core::shingle::{Counts, Shingler};
use lookalike_core::shingle_sets::ShingleSets;
use lookalike_core::text::Tokenizer;
use lookalike_io::{Score, Source, Span};

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
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keys {
    text: String,
    ends: Vec<u64>,
}

impl Keys {
    /// The key of a document.
    pub fn get(&self, document: DocId) -> &str {
        let index = document.index();
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start as usize..self.ends[index] as usize]
    }

    pub(crate) fn push(&mut self, key: &str) {
        self.text.push_str(key);
        self.ends.push(self.text.len() as u64);
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
    pub documents: Vec<DocumentInfo>,
    /// By document: its key.
    pub keys: Keys,
    /// By document: its shingles.
    pub sets: ShingleSets,
    /// By document: its score, if a score field was asked for; else empty.
    pub scores: Vec<Option<Score>>,
    /// Number of tokens of all documents.
    pub tokens: u64,
    /// Number of documents without tokens.
    pub empty: u64,
    /// Number of records that were left out.
    pub bad_records: u64,
    /// Number of hidden files and links in folders, which were not read.
    pub passed_over: u64,
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
        self.documents.push(DocumentInfo { characters: text.chars().count() as u64, ..info });
        self.tokens += tokens as u64;
        self.empty += u64::from(tokens == 0);
        Ok(())
    }

    /// Appends a document of which only the key and the place are wanted; its set stays empty.
    pub(crate) fn push_key(&mut self, key: &str, info: DocumentInfo) -> Result<()> {
        self.sets.push_with(|_| ())?;
        self.keys.push(key);
        self.documents.push(info);
        Ok(())
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
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
