//! The check of answers on texts: the texts of the documents in question are read once more, and compared by their
//! tokens, so that no hash is believed.

use super::each_text::TextsAgain;
use crate::base::{Error, Result, Stage};
use crate::corpus::records::Records;
use crate::run::Session;
use crate::spill::{Location, Share, SpillColumn};
use crate::threads::{Pace, ordered_map};
use lookalike_core::comparison::Features;
use lookalike_core::documents::Content;
use lookalike_core::evidence::{ShortTokens, TokenOverlaps};
use lookalike_core::similarity::Overlap;
use lookalike_core::{DocId, Ragged};
use lookalike_io::{Inputs, Source};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Name of the stage.
/// Pairs that a thread compares at a time.
const CHUNK_PAIRS: usize = 64;

/// Parameters to read the texts of a corpus again, and the number of answers that they have refused.
#[derive(Debug)]
pub(crate) struct TextCheck {
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
    /// pair, in order, and its overlap. `pairs` is called twice.
    ///
    /// # Errors
    /// If an input cannot be read, or has changed since it was read first.
    pub(crate) fn compare<I: Iterator<Item = [DocId; 2]> + Send>(
        &self,
        pairs: impl Fn() -> I,
        session: &Session<'_>,
        mut found: impl FnMut(usize, Overlap) -> Result<()> + Send,
    ) -> Result<()> {
        let stage = Stage::over_bytes(Stage::CHECKING_TEXTS, self.records.sources.iter().map(Source::bytes).sum());
        session.stage(stage, || {
            let texts = self.read(wanted_of(pairs(), self.records.places.len()), session)?;
            let mut pairs = pairs();
            let chunks = std::iter::from_fn(move || {
                let chunk: Vec<[DocId; 2]> = pairs.by_ref().take(CHUNK_PAIRS).collect();
                (!chunk.is_empty()).then_some(chunk)
            });
            let compare = |overlaps: &mut TokenOverlaps, chunk: Vec<[DocId; 2]>| {
                session.stages.check()?;
                chunk.into_iter().map(|pair| texts.overlap(pair, overlaps)).collect()
            };
            let mut number = 0;
            let mut consume = |chunk: Result<Vec<Overlap>>| {
                chunk?.into_iter().try_for_each(|overlap| {
                    number += 1;
                    found(number - 1, overlap)
                })
            };
            let new = || TokenOverlaps::new(&self.features, session.kernel()).with_short(self.short);
            ordered_map(chunks, Pace::for_threads(session.threads()), new, compare, &mut consume)
        })
    }

    /// Reads the texts of the `wanted` documents, which ascend.
    fn read(&self, wanted: Vec<DocId>, session: &Session<'_>) -> Result<CheckedTexts<'_>> {
        let mut bytes = SpillColumn::at(self.location(&wanted, session), &session.spill)?;
        let mut ends = vec![0];
        let Self { records, inputs, features, .. } = self;
        TextsAgain { stage: Stage::CHECKING_TEXTS, records, inputs, features, wanted: &wanted }.read(
            session,
            || (),
            |(), _, content| Ok(content.stored().into_owned()),
            |_, text| {
                bytes.extend(text.as_bytes(), &session.spill)?;
                ends.push(bytes.len() as u64);
                Ok(())
            },
        )?;
        Ok(CheckedTexts {
            features,
            documents: wanted,
            texts: Ragged::from_parts(ends, bytes.finish(&session.spill)?)?,
        })
    }

    /// Location of the texts: a file if the records of all the wanted documents exceed their share of the memory.
    fn location(&self, wanted: &[DocId], session: &Session<'_>) -> Location {
        let lengths = wanted.iter().map(|&document| self.records.place(document).length);
        let bytes = lengths.fold(0, u64::saturating_add);
        let max = session.spill.budget().share(Share::Texts) as u64;
        if bytes > max { Location::File } else { Location::Memory }
    }
}

/// The documents of pairs, ascending.
fn wanted_of(pairs: impl Iterator<Item = [DocId; 2]>, documents: usize) -> Vec<DocId> {
    let mut is_wanted = vec![false; documents];
    pairs.flatten().for_each(|document| is_wanted[document.index()] = true);
    DocId::all(documents).filter(|document| is_wanted[document.index()]).collect()
}

/// Texts or items of some documents.
struct CheckedTexts<'a> {
    features: &'a Features,
    /// Ascending.
    documents: Vec<DocId>,
    /// Texts in their stored form.
    texts: Ragged<u8>,
}

impl CheckedTexts<'_> {
    fn overlap(&self, pair: [DocId; 2], overlaps: &mut TokenOverlaps) -> Result<Overlap> {
        let [left, right] = pair.map(|document| self.get(document));
        Ok(overlaps.overlap(left, right)?)
    }

    fn get(&self, document: DocId) -> Content<'_> {
        let stored = match self.documents.binary_search(&document) {
            Ok(number) => String::from_utf8_lossy(self.texts.get(number)),
            Err(_) => "".into(),
        };
        self.features.content_of_stored(stored)
    }
}
