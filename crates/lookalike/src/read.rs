//! The first stages: records are read, and forgotten as soon as their shingles are known.

use crate::corpus::{Corpus, DocumentInfo, Keys, PackedInfo, References};
use crate::error::{Error, Result};
use crate::options::{OnError, Options};
use crate::ordered::ordered_map;
use crate::progress::{Stage, Unit};
use crate::seen_keys::SeenKeys;
use crate::session::Session;
use crate::spill::Column;
use lookalike_core::DocId;
use lookalike_core::hash::hash_token;
use lookalike_core::shingle::Shingler;
use lookalike_core::shingle_sets::ShingleSets;
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
    let corpus = Corpus { passed_over: found.passed_over, references, ..Corpus::default() };
    let mut reading = Reading::new(corpus, &sources, session);
    session.stages.run(Stage { name: "reading", total, unit: Unit::Bytes }, || {
        let init = || Shingler::new(session.options.shingle, session.tokenizer());
        let work = |shingler: &mut Shingler, block: lookalike_io::Result<Block>| {
            Shard::of(block?, depth, shingler, session.options)
        };
        ordered_map(
            Blocks::new(&sources, &session.options.fields, session.options.most_record_bytes),
            session.threads(),
            init,
            work,
            |shard| reading.append(shard?),
        )
    })?;
    let mut corpus = reading.finish()?;
    corpus.sources = sources;
    if depth == Depth::Key {
        // Nobody has looked.
        corpus.empty = 0;
    }
    Ok(corpus)
}

/// The corpus may have one of so many parts of the budget; what is made of it takes the others.
const SHARE_OF_CORPUS: u64 = 4;
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

/// The corpus while it grows. What is large about it goes to files when it becomes too much.
struct Reading<'a> {
    /// All of the corpus but what is below.
    corpus: Corpus,
    keys: Column<u8>,
    key_ends: Vec<u64>,
    infos: Column<PackedInfo>,
    elements: Column<u64>,
    set_ends: Vec<u64>,
    fingerprints: Vec<u64>,
    seen: SeenKeys,
    sources: &'a [Source],
    session: &'a Session<'a>,
}

impl<'a> Reading<'a> {
    fn new(corpus: Corpus, sources: &'a [Source], session: &'a Session<'a>) -> Self {
        Self {
            corpus,
            keys: Column::default(),
            key_ends: Vec::new(),
            infos: Column::default(),
            elements: Column::default(),
            set_ends: Vec::new(),
            fingerprints: Vec::new(),
            seen: SeenKeys::new(),
            sources,
            session,
        }
    }

    fn len(&self) -> usize {
        self.infos.len()
    }

    fn append(&mut self, shard: Shard) -> Result<()> {
        self.session.stages.check()?;
        self.session.stages.progress.advance(shard.input_bytes);
        for record in shard.bad {
            self.reject(record)?;
        }
        let documents = shard.documents;
        let mut new = Vec::with_capacity(documents.len());
        for document in documents.ids() {
            if self.append_unless_known(document, &documents)? {
                new.push(document);
            }
        }
        // As read, with those left out for their key.
        self.corpus.tokens += documents.tokens;
        if new.len() == documents.len() {
            self.append_sets(&documents.sets)?;
        } else {
            let mut sets = ShingleSets::new();
            for document in new {
                sets.push_with(|elements| elements.extend_from_slice(documents.sets.get(document)))?;
            }
            self.append_sets(&sets)?;
        }
        self.spill_if_too_large()
    }

    fn append_sets(&mut self, sets: &ShingleSets) -> Result<()> {
        let (ends, fingerprints) = sets.ends_and_fingerprints();
        let (documents, elements) = (self.set_ends.len(), self.elements.len() as u64);
        let references = self.corpus.references.documents;
        let empty = DocId::all(sets.len()).filter(|&set| documents + set.index() >= references && sets.size(set) == 0);
        self.corpus.empty += empty.count() as u64;
        self.elements.extend(sets.all_elements(), &self.session.spill)?;
        self.set_ends.extend(ends.iter().map(|end| elements + end));
        self.fingerprints.extend_from_slice(fingerprints);
        Ok(())
    }

    fn spill_if_too_large(&mut self) -> Result<()> {
        let spill = &self.session.spill;
        let bytes = self.elements.memory_bytes() + self.keys.memory_bytes() + self.infos.memory_bytes();
        if bytes > spill.share(SHARE_OF_CORPUS) {
            self.elements.move_to_file(spill)?;
            self.keys.move_to_file(spill)?;
            self.infos.move_to_file(spill)?;
        }
        Ok(())
    }

    fn finish(self) -> Result<Corpus> {
        let spill = &self.session.spill;
        let sets = ShingleSets::from_parts(self.set_ends, self.fingerprints, self.elements.finish(spill)?);
        let keys = Keys::from_parts(self.keys.finish(spill)?, self.key_ends);
        Ok(Corpus { sets, keys, infos: self.infos.finish(spill)?, ..self.corpus })
    }

    /// Appends all of a document but its set, if its key is new.
    fn append_unless_known(&mut self, document: DocId, shard: &Corpus) -> Result<bool> {
        let (key, info) = (shard.keys.get(document), shard.info(document));
        let is_reference = (info.source as usize) < self.corpus.references.sources;
        let hash = hash_token(key.as_bytes());
        if let Some(first) = self.find(key, hash, is_reference)? {
            let first = DocumentInfo::unpack(self.infos.read(first.index(), &self.session.spill)?);
            let first = self.place(&first);
            let problem = Problem::DuplicateKey { key: key.to_owned(), first };
            self.reject(BadRecord { place: self.place(&info), problem })?;
            return Ok(false);
        }
        let new = DocId::from_index(self.len())?;
        self.seen.insert(hash, new);
        self.keys.extend(key.as_bytes(), &self.session.spill)?;
        self.key_ends.push(self.keys.len() as u64);
        self.infos.extend(&[info.pack()], &self.session.spill)?;
        self.corpus.references.documents += usize::from(is_reference);
        self.corpus.scores.extend(shard.scores.get(document.index()).cloned());
        Ok(true)
    }

    /// The document with a key. References and inputs may use the same keys.
    fn find(&mut self, key: &str, hash: u64, is_reference: bool) -> Result<Option<DocId>> {
        let Self { keys, key_ends, seen, corpus, session, .. } = self;
        for other in seen.candidates(hash) {
            if (other.index() < corpus.references.documents) == is_reference {
                let start = if other.0 == 0 { 0 } else { key_ends[other.index() - 1] };
                let range = start as usize..key_ends[other.index()] as usize;
                if keys.is_equal(range, key.as_bytes(), &session.spill)? {
                    return Ok(Some(other));
                }
            }
        }
        Ok(None)
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
