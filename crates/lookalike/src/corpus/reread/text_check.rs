//! The check of answers on texts: the texts of the documents in question are read once more, and compared by their
//! tokens, so that no hash is believed.

use crate::corpus::records::{RecordPlace, Records};
use crate::ground::{Error, Result, Stage};
use crate::run::Session;
use crate::spill::{Column, Location, Share};
use crate::threads::{Pace, ordered_map};
use lookalike_core::evidence::{ShortTokens, TokenOverlaps};
use lookalike_core::features::Features;
use lookalike_core::measure::Overlap;
use lookalike_core::{DocId, Ragged};
use lookalike_io::{Block, Blocks, FieldNames, Inputs, Source};
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A block, unpacked, with its texts.
const BYTES_PER_BLOCK: usize = 3 << 18;
/// Pairs that a thread compares at a time.
const CHUNK_PAIRS: usize = 64;

/// What is needed to read the texts of a corpus again, and how many answers they have refused so far.
#[derive(Debug)]
pub struct TextCheck {
    records: Arc<Records>,
    inputs: Inputs,
    features: Features,
    short: ShortTokens,
    refused: AtomicU64,
}

impl TextCheck {
    /// A check on the texts of these records, which became the corpus by these features; [`TextCheck::check_sources`]
    /// must hold for their sources.
    pub(crate) fn new(records: Arc<Records>, inputs: &Inputs, features: &Features, short: ShortTokens) -> Self {
        Self { records, inputs: inputs.clone(), features: features.clone(), short, refused: AtomicU64::new(0) }
    }

    /// Checks that all sources have texts.
    ///
    /// # Errors
    /// [`Error::TextsNeeded`] if one is a snapshot.
    pub(crate) fn check_sources<'s>(sources: impl IntoIterator<Item = &'s Source>) -> Result<()> {
        match sources.into_iter().find(|source| source.is_stored()) {
            Some(source) => Err(Error::TextsNeeded { path: source.path.to_path_buf() }),
            None => Ok(()),
        }
    }

    /// Number of answers that the texts have refused.
    pub(crate) fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Counts and reports an answer that the texts refuse.
    pub(crate) fn refuse(&self, [a, b]: [&str; 2], session: &Session<'_>) {
        self.refused.fetch_add(1, Ordering::Relaxed);
        session.stages.progress.refused_by_texts(a, b);
    }

    /// Compares pairs of documents by their tokens, in a stage of its own, and calls `found` with the number of each
    /// pair, in order, and its overlap. `pairs` is asked for twice.
    ///
    /// # Errors
    /// If an input cannot be read, or has changed since it was read first.
    pub(crate) fn compare<I: Iterator<Item = [DocId; 2]> + Send>(
        &self,
        pairs: impl Fn() -> I,
        session: &Session<'_>,
        mut found: impl FnMut(usize, Overlap) -> Result<()> + Send,
    ) -> Result<()> {
        let stage = Stage::over_bytes("checking texts", self.records.sources.iter().map(Source::bytes).sum());
        session.stage(stage, || {
            let texts = self.read(wanted_of(pairs(), self.records.places.len()), session)?;
            let mut pairs = pairs();
            let chunks = std::iter::from_fn(move || {
                let chunk: Vec<[DocId; 2]> = pairs.by_ref().take(CHUNK_PAIRS).collect();
                (!chunk.is_empty()).then_some(chunk)
            });
            let compare = |overlaps: &mut TokenOverlaps, chunk: Vec<[DocId; 2]>| {
                session.stages.check()?;
                Ok(chunk.into_iter().map(|pair| texts.overlap(pair, overlaps)).collect())
            };
            let mut number = 0;
            let mut consume = |chunk: Result<Vec<Overlap>>| {
                chunk?.into_iter().try_for_each(|overlap| {
                    number += 1;
                    found(number - 1, overlap)
                })
            };
            let new = || TokenOverlaps::new(&self.features, session.kernel()).with_short(self.short);
            ordered_map(chunks, Pace::of(session.threads()), new, compare, &mut consume)
        })
    }

    /// Reads the texts of the `wanted` documents, which ascend.
    fn read(&self, wanted: Vec<DocId>, session: &Session<'_>) -> Result<Texts> {
        let fields = self.inputs.fields_compared(&self.features);
        let blocks = Blocks::new(&self.records.sources, &fields, self.inputs.max_document_bytes);
        let blocks = blocks.on_bad_file(self.inputs.on_error);
        let look = |(): &mut (), block: lookalike_io::Result<Block>| -> Result<Found> {
            session.stages.check()?;
            Ok(self.find_in(&block?, &wanted, &fields))
        };
        let (mut bytes, mut ends) = (Column::at(self.location(&wanted, session), &session.spill)?, vec![0]);
        let append = |found: Result<Found>| {
            let found = found?;
            for text in &found.texts {
                bytes.extend(text.as_bytes(), &session.spill)?;
                ends.push(bytes.len() as u64);
            }
            session.stages.progress.advance(found.input_bytes);
            Result::Ok(())
        };
        ordered_map(blocks, session.pace_for(BYTES_PER_BLOCK), || (), look, append)?;
        if let Some(&missing) = wanted.get(ends.len() - 1) {
            let source = self.records.place(missing).source as usize;
            let path = self.records.sources[source].path.to_path_buf();
            return Err(lookalike_io::Error::Changed { path }.into());
        }
        Ok(Texts { documents: wanted, texts: Ragged::from_parts(ends, bytes.finish(&session.spill)?)? })
    }

    /// Where the texts go: into a file if the records of all the wanted documents exceed their share of the memory.
    fn location(&self, wanted: &[DocId], session: &Session<'_>) -> Location {
        let lengths = wanted.iter().map(|&document| self.records.place(document).length);
        let bytes = lengths.fold(0, u64::saturating_add);
        let max = session.spill.budget().share(Share::Texts) as u64;
        if bytes > max { Location::File } else { Location::Memory }
    }

    /// The texts of the wanted documents of a block.
    fn find_in(&self, block: &Block, wanted: &[DocId], fields: &FieldNames) -> Found {
        let mut texts = Vec::new();
        each_wanted(&self.records, (block, fields), wanted, |_, text| texts.push(text.into_owned()));
        Found { texts, input_bytes: block.input_bytes }
    }
}

/// Calls `visit` with each of the `wanted` documents, which ascend, that a block has, and the text that is compared.
pub(super) fn each_wanted(
    records: &Records,
    (block, fields): (&Block, &FieldNames),
    wanted: &[DocId],
    mut visit: impl FnMut(DocId, Cow<'_, str>),
) {
    let place_of = |document: &DocId| {
        let RecordPlace { source, number, .. } = records.place(*document);
        (source, number)
    };
    let mut left = None;
    block.for_each_document(fields, |document| {
        let Ok(document) = document else { return };
        let place = (block.source as u64, document.number);
        // Documents of a block ascend, as the wanted ones do: only the first is searched for.
        let left = left.get_or_insert_with(|| {
            let first = wanted.partition_point(|document| place_of(document) < place);
            wanted[first..].iter().peekable()
        });
        while left.next_if(|document| place_of(document) < place).is_some() {}
        if let Some(&wanted) = left.next_if(|document| place_of(document) == place) {
            visit(wanted, document.into_compared_text());
        }
    });
}

/// What a block has of the wanted texts.
struct Found {
    texts: Vec<String>,
    input_bytes: u64,
}

/// The documents of pairs, ascending.
fn wanted_of(pairs: impl Iterator<Item = [DocId; 2]>, documents: usize) -> Vec<DocId> {
    let mut is_wanted = vec![false; documents];
    pairs.flatten().for_each(|document| is_wanted[document.index()] = true);
    DocId::all(documents).filter(|document| is_wanted[document.index()]).collect()
}

/// Texts of some documents.
struct Texts {
    /// Ascending.
    documents: Vec<DocId>,
    texts: Ragged<u8>,
}

impl Texts {
    fn overlap(&self, pair: [DocId; 2], overlaps: &mut TokenOverlaps) -> Overlap {
        let [left, right] = pair.map(|document| self.get(document));
        overlaps.of(&left, &right)
    }

    fn get(&self, document: DocId) -> Cow<'_, str> {
        match self.documents.binary_search(&document) {
            Ok(number) => String::from_utf8_lossy(self.texts.get(number)),
            Err(_) => "".into(),
        }
    }
}
