//! The first stages: records are read, and forgotten as soon as their shingles are known.

use crate::corpus::{Corpus, DocumentInfo, References};
use crate::error::{Error, Result};
use crate::options::{OnError, Options};
use crate::ordered::ordered_map;
use crate::progress::{Stage, Unit};
use crate::session::Session;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use lookalike_core::DocId;
use lookalike_core::hash::hash_token;
use lookalike_core::shingle::Shingler;
use lookalike_io::{BadRecord, Block, Blocks, Discovered, Document, Place, Problem, Source, SourceKind};

/// How much is wanted of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Its key, place, length and score.
    Key,
    /// Its set too.
    Set,
}

/// Reads all documents that were found, after those of `references`.
///
/// # Errors
/// [`Error::Io`] if an input cannot be read; [`Error::BadRecord`] at the first one, unless they are to be skipped.
pub(crate) fn read(references: &[Source], found: &Discovered, depth: Depth, session: &Session<'_>) -> Result<Corpus> {
    let sources = [references, &found.sources].concat();
    let total = sources.iter().map(Source::bytes).sum();
    let references = References { sources: references.len(), documents: 0 };
    let mut reading = Reading {
        corpus: Corpus { passed_over: found.passed_over, references, ..Corpus::default() },
        seen: HashTable::new(),
        sources: &sources,
        session,
    };
    session.stages.run(Stage { name: "reading", total, unit: Unit::Bytes }, || {
        let init = || Shingler::new(session.options.shingle, session.tokenizer());
        let work = |shingler: &mut Shingler, block: lookalike_io::Result<Block>| {
            Shard::of(block?, depth, shingler, session.options)
        };
        let blocks = Blocks::new(&sources, &session.options.fields, session.options.most_record_bytes);
        ordered_map(blocks, session.threads(), init, work, |shard| reading.append(shard?))
    })?;
    let mut corpus = reading.corpus;
    corpus.sources = sources;
    if depth == Depth::Key {
        // Nobody has looked.
        corpus.empty = 0;
    }
    Ok(corpus)
}

/// Input for one element, as English text has it; a guess that only saves copying.
const BYTES_PER_ELEMENT: usize = 7;

/// The documents of one block.
struct Shard {
    documents: Corpus,
    bad: Vec<BadRecord>,
    input_bytes: u64,
}

impl Shard {
    fn of(block: Block, depth: Depth, shingler: &mut Shingler, options: &Options) -> Result<Self> {
        let mut documents = Corpus::default();
        documents.sets.reserve(block.bytes() as usize / BYTES_PER_ELEMENT);
        let mut bad = Vec::new();
        let mut pushed = Ok(());
        block.for_each_document(&options.fields, |document| match document {
            Ok(Document { key, text, score, number, span, .. }) if pushed.is_ok() => {
                let info = DocumentInfo { source: block.source as u32, number, span, characters: 0 };
                pushed = match depth {
                    Depth::Set => documents.push(&key, &text, info, shingler),
                    Depth::Key => {
                        documents.push_key(&key, DocumentInfo { characters: text.chars().count() as u64, ..info })
                    }
                };
                if options.fields.score.is_some() {
                    documents.scores.push(score);
                }
            }
            Ok(_) => {}
            Err(record) => bad.push(record),
        });
        pushed?;
        Ok(Self { documents, bad, input_bytes: block.input_bytes })
    }
}

/// The corpus while it grows.
struct Reading<'a> {
    corpus: Corpus,
    /// Hash of each key, and the document that has it.
    seen: HashTable<(u64, DocId)>,
    sources: &'a [Source],
    session: &'a Session<'a>,
}

impl Reading<'_> {
    fn append(&mut self, shard: Shard) -> Result<()> {
        self.session.stages.check()?;
        self.session.stages.progress.advance(shard.input_bytes);
        for record in shard.bad {
            self.reject(record)?;
        }
        let documents = shard.documents;
        let before = self.corpus.len();
        let mut left_out = Vec::new();
        for document in documents.ids() {
            if !self.append_unless_known(document, &documents)? {
                left_out.push(document);
            }
        }
        // As read, with those left out for their key.
        self.corpus.tokens += documents.tokens;
        if left_out.is_empty() {
            self.corpus.sets.append(&documents.sets)?;
        } else {
            for document in documents.ids().filter(|document| left_out.binary_search(document).is_err()) {
                let set = documents.sets.get(document);
                self.corpus.sets.push_with(|elements| elements.extend_from_slice(set))?;
            }
        }
        let inputs = self.corpus.ids().skip(before.max(self.corpus.references.documents));
        self.corpus.empty += inputs.filter(|&document| self.corpus.sets.get(document).is_empty()).count() as u64;
        debug_assert_eq!(self.corpus.sets.len() - before, documents.len() - left_out.len());
        Ok(())
    }

    /// Appends all of a document but its set, if its key is new.
    fn append_unless_known(&mut self, document: DocId, shard: &Corpus) -> Result<bool> {
        let (key, info) = (shard.keys.get(document), shard.documents[document.index()]);
        let hash = hash_token(key.as_bytes());
        let reference_sources = self.corpus.references.sources;
        let is_reference = |info: &DocumentInfo| (info.source as usize) < reference_sources;
        let (keys, documents) = (&self.corpus.keys, &self.corpus.documents);
        // References and inputs may use the same keys.
        let same = |&(other_hash, other): &(u64, DocId)| {
            other_hash == hash
                && keys.get(other) == key
                && is_reference(&documents[other.index()]) == is_reference(&info)
        };
        match self.seen.entry(hash, same, |&(hash, _)| hash) {
            Entry::Occupied(entry) => {
                let first = entry.get().1;
                let first = self.place(&self.corpus.documents[first.index()]);
                let problem = Problem::DuplicateKey { key: key.to_owned(), first };
                self.reject(BadRecord { place: self.place(&info), problem })?;
                Ok(false)
            }
            Entry::Vacant(entry) => {
                entry.insert((hash, DocId::from_index(self.corpus.len())?));
                self.corpus.keys.push(key);
                self.corpus.documents.push(info);
                self.corpus.references.documents += usize::from(is_reference(&info));
                self.corpus.scores.extend(shard.scores.get(document.index()).cloned());
                Ok(true)
            }
        }
    }

    fn place(&self, document: &DocumentInfo) -> Place {
        let source = &self.sources[document.source as usize];
        match &source.kind {
            SourceKind::Records { .. } => Place { path: source.path.clone(), line: Some(document.number) },
            SourceKind::TextFiles { files } => {
                let path = files.get(document.number as usize).map(|(relative, _)| source.path.join(relative));
                Place { path: path.map_or_else(|| source.path.clone(), Into::into), line: None }
            }
        }
    }

    fn reject(&mut self, record: BadRecord) -> Result<()> {
        if self.session.options.on_error == OnError::Stop {
            return Err(Error::BadRecord { record });
        }
        self.corpus.bad_records += 1;
        self.session.stages.progress.bad_record(&record);
        Ok(())
    }
}
