//! The first stages: records are read, and forgotten as soon as their shingles are known.

use crate::corpus::{Corpus, DocumentInfo};
use crate::error::{Error, Result};
use crate::facts::{Facts, in_words, set_facts};
use crate::growing::{Growing, GrownState};
use crate::options::{OnError, Options};
use crate::progress::{Stage, Unit};
use crate::session::Session;
use crate::sketch_file::SketchFile;
use crate::threads::{Spares, ordered_map};
use lookalike_core::DocId;
use lookalike_core::shingle::Shingler;
use lookalike_core::shingle_sets::ShingleSets;
use lookalike_io::{BadRecord, Block, Blocks, Discovered, Document, FieldNames, Place, Problem, Source, SourceKind};
use serde::{Deserialize, Serialize};
use std::ops::Range;

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
    if depth == Depth::Set {
        let text_bytes = sources.iter().map(Source::estimated_text_bytes).sum();
        let work_folder = session.options.work_folder.as_deref();
        session.spill.check_disk(text_bytes, session.options.threshold.as_f64(), work_folder)?;
    }
    let mut reading = Reading::begin(references.len(), &sources, depth, session)?;
    session.stages.run(Stage { name: STAGE, total, unit: Unit::Bytes }, || {
        if reading.is_done {
            return Ok(());
        }
        // What was read before is cut into blocks again, which is fast, and not looked into.
        let mut known = reading.blocks;
        for part in parts(&sources) {
            match part {
                Part::Records(range) => read_records(range, depth, &mut known, &mut reading)?,
                Part::Sketch(number) => read_sketch(number, depth, &mut known, &mut reading)?,
            }
        }
        reading.is_done = true;
        reading.save()
    })?;
    let mut corpus = reading.growing.finish(references.len())?;
    corpus.sources = sources;
    corpus.passed_over = found.passed_over;
    if depth == Depth::Key {
        // Nobody has looked.
        corpus.empty = 0;
    }
    Ok(corpus)
}

/// Sources that are read together.
enum Part {
    /// Some consecutive ones with records or text files.
    Records(Range<usize>),
    /// A saved sketch.
    Sketch(usize),
}

fn parts(sources: &[Source]) -> Vec<Part> {
    let mut parts = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        match parts.last_mut() {
            _ if source.is_sketch() => parts.push(Part::Sketch(number)),
            Some(Part::Records(range)) => range.end = number + 1,
            _ => parts.push(Part::Records(number..number + 1)),
        }
    }
    parts
}

/// Reads sources with records, without the blocks that are `known`.
fn read_records(range: Range<usize>, depth: Depth, known: &mut usize, reading: &mut Reading<'_>) -> Result<()> {
    let session = reading.session;
    let spares = Spares::new();
    let init = || Shingler::new(session.options.shingle, session.tokenizer());
    let work = |shingler: &mut Shingler, block: lookalike_io::Result<Block>| {
        let mut block = block?;
        block.source += range.start;
        Shard::of(block, depth, shingler, spares.take(), session.options)
    };
    let sources = &reading.sources[range.clone()];
    let mut blocks = Blocks::new(sources, &session.options.fields, session.options.most_record_bytes);
    while *known > 0
        && let Some(block) = blocks.next().transpose()?
    {
        session.stages.check()?;
        session.stages.progress.advance(block.input_bytes);
        *known -= 1;
    }
    ordered_map(blocks, session.pace_for(BYTES_PER_BLOCK), init, work, |shard: Result<Shard>| {
        let mut documents = reading.append(shard?)?;
        // Those of a long document are better forgotten.
        if documents.reserved_bytes() <= MOST_SPARE_BYTES {
            documents.clear_documents();
            spares.put(documents);
        }
        Ok(())
    })
}

/// Reads the documents of a sketch, without the chunks that are `known`.
fn read_sketch(number: usize, depth: Depth, known: &mut usize, reading: &mut Reading<'_>) -> Result<()> {
    let (session, source) = (reading.session, &reading.sources[number]);
    let fields = &session.options.fields;
    // Of keys alone it does not matter what the sets are made of.
    let facts = (depth == Depth::Set).then(|| set_facts(session.options));
    let sketch = SketchFile::open(&source.file, number, facts.as_ref(), fields.score.as_deref())?;
    for chunk in sketch {
        let documents = chunk?;
        // Nearly all of a sketch are elements.
        let chunk_bytes = size_of_val(documents.sets.all_elements()) as u64;
        if *known > 0 {
            session.stages.progress.advance(chunk_bytes);
            *known -= 1;
        } else {
            let _ = reading.append(Shard { documents, bad: Vec::new(), input_bytes: chunk_bytes })?;
        }
    }
    Ok(())
}

/// Name of the stage, also in the work folder.
const STAGE: &str = "reading";

/// All that the corpus depends on.
fn facts(references: usize, sources: &[Source], depth: Depth, options: &Options) -> Facts {
    let mut facts = set_facts(options);
    let FieldNames { text, id, score, absent, items } = &options.fields;
    facts.add("--text-field", text);
    facts.add("--id-field", id);
    facts.add("field for --keep", score.as_deref().unwrap_or("none"));
    facts.add("field that must be free", absent.as_deref().unwrap_or("none"));
    facts.add("what stands between --items", format!("{items:?}"));
    facts.add("--on-error", in_words(&options.on_error));
    facts.add("--max-document", options.most_record_bytes);
    facts.add("what is read", format!("{depth:?}"));
    facts.add("number of references", references);
    for (number, source) in (1..).zip(sources) {
        let (role, number) = if number <= references { ("reference", number) } else { ("input", number - references) };
        facts.add(&format!("{role} {number}"), source.state());
    }
    facts
}

/// A block, unpacked, with the sets that are made of it.
const BYTES_PER_BLOCK: usize = 3 << 18;

/// Keys and sets of a block that are no more than usual.
const MOST_SPARE_BYTES: usize = 1 << 20;

/// Input for one element, as English text has it; a guess that only saves copying.
const BYTES_PER_ELEMENT: usize = 7;

/// The documents of one block.
struct Shard {
    documents: Corpus,
    bad: Vec<BadRecord>,
    input_bytes: u64,
}

impl Shard {
    /// The documents of a block, in an empty corpus.
    fn of(
        block: Block,
        depth: Depth,
        shingler: &mut Shingler,
        mut documents: Corpus,
        options: &Options,
    ) -> Result<Self> {
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

/// What is saved of this stage in the work folder of a job.
#[derive(Debug, Serialize, Deserialize)]
struct ReadingState {
    /// Blocks that were read.
    blocks: usize,
    is_done: bool,
    grown: GrownState,
}

/// Blocks after which the state is saved again.
const BLOCKS_PER_STATE: usize = 32;

/// The stage while it runs.
struct Reading<'a> {
    growing: Growing<'a>,
    /// Blocks that were read.
    blocks: usize,
    is_done: bool,
    references: usize,
    facts: Facts,
    sources: &'a [Source],
    session: &'a Session<'a>,
}

impl<'a> Reading<'a> {
    /// Begins, or goes on where the job was interrupted.
    fn begin(references: usize, sources: &'a [Source], depth: Depth, session: &'a Session<'a>) -> Result<Self> {
        let work = session.work.as_ref();
        let facts = work.map_or_else(Facts::default, |_| facts(references, sources, depth, session.options));
        let (mut blocks, mut is_done, mut growing) = (0, false, None);
        if let Some(work) = work
            && let Some(state) = work.load::<ReadingState>(STAGE, &facts)?
        {
            growing = Growing::resume(&session.spill, work, &state.grown)?;
            (blocks, is_done) = if growing.is_some() { (state.blocks, state.is_done) } else { (0, false) };
        }
        let text_bytes = match depth {
            Depth::Set => sources.iter().map(Source::estimated_text_bytes).sum(),
            Depth::Key => 0,
        };
        let growing = growing.map_or_else(|| Growing::new(&session.spill, work, text_bytes), Ok)?;
        Ok(Self { growing, blocks, is_done, references, facts, sources, session })
    }

    /// Appends the documents of the next block; gives their corpus back.
    fn append(&mut self, shard: Shard) -> Result<Corpus> {
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
        self.growing.counts.tokens += documents.tokens;
        if new.len() == documents.len() {
            self.growing.append_sets(&documents.sets)?;
        } else {
            let mut sets = ShingleSets::new();
            for document in new {
                sets.push_with(|elements| elements.extend_from_slice(documents.sets.get(document)))?;
            }
            self.growing.append_sets(&sets)?;
        }
        self.blocks += 1;
        if self.blocks.is_multiple_of(BLOCKS_PER_STATE) {
            self.save()?;
        }
        Ok(documents)
    }

    fn save(&mut self) -> Result<()> {
        let Some(work) = &self.session.work else { return Ok(()) };
        let Self { blocks, is_done, .. } = *self;
        work.save(STAGE, &self.facts, &ReadingState { blocks, is_done, grown: self.growing.state()? })
    }

    /// Appends all of a document but its set, if its key is new.
    fn append_unless_known(&mut self, document: DocId, shard: &Corpus) -> Result<bool> {
        let (key, info) = (shard.keys.get(document), shard.info(document));
        let is_reference = (info.source as usize) < self.references;
        if let Some(first) = self.growing.find(key, is_reference)? {
            let first = self.growing.info(first)?;
            let problem = Problem::DuplicateKey { key: key.to_owned(), first: self.place(&first) };
            self.reject(BadRecord { place: self.place(&info), problem })?;
            return Ok(false);
        }
        self.growing.append(key, info, shard.scores.get(document.index()))?;
        self.growing.counts.references += usize::from(is_reference);
        Ok(true)
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
        self.growing.counts.bad_records += 1;
        self.session.stages.progress.bad_record(&record);
        Ok(())
    }
}
