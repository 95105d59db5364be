//! The tokens of all documents, and their superwindows.

use crate::corpus::TextsAgain;
use crate::ground::Result;
use crate::run::Session;
use crate::spill::{Column, ExternalSort, Repeats, Spill};
use lookalike_core::Ragged;
use lookalike_core::features::Shingler;
use lookalike_core::passages::{Occurrence, Superwindows, TokenPlace, token_hashes};

/// Number of parts into which superwindows are dealt: each is sorted by one thread, in its part of the memory.
const PARTS: usize = 64;

/// By document: the hashes of its tokens.
#[derive(Debug)]
pub(super) struct CorpusTokens(Ragged<u64>);

impl CorpusTokens {
    /// The next `count` tokens of a document from a place on.
    pub(super) fn get(&self, place: TokenPlace, count: usize) -> &[u64] {
        let begin = self.0.offsets()[place.document as usize] as usize + place.token as usize;
        self.0.values().slice(begin..begin + count)
    }

    /// Number of documents.
    pub(super) fn documents(&self) -> usize {
        self.0.len()
    }

    /// By document: the number of its tokens.
    pub(super) fn counts(&self) -> Vec<u32> {
        (0..self.0.len()).map(|document| self.0.size(document) as u32).collect()
    }
}

/// Superwindows in parts; those with one minimizer are in the same.
pub(super) struct Parts<'s>(Vec<ExternalSort<'s, Occurrence>>);

impl<'s> Parts<'s> {
    /// Empty parts, whose superwindows in memory take at most `max_bytes` together.
    fn new(spill: &'s Spill, max_bytes: usize) -> Self {
        Self((0..PARTS).map(|_| ExternalSort::new(spill, Repeats::Kept, max_bytes / PARTS)).collect())
    }

    fn extend(&mut self, occurrences: Vec<Occurrence>) -> Result<()> {
        occurrences.into_iter().try_for_each(|occurrence| {
            // The upper bits of a minimum are not uniform.
            let part = occurrence.minimizer as usize % self.0.len();
            self.0[part].extend([occurrence])
        })
    }

    /// The parts, each with its memory.
    pub(super) fn into_sorts(self) -> impl ExactSizeIterator<Item = ExternalSort<'s, Occurrence>> + Send {
        self.0.into_iter()
    }
}

/// Buffers of a thread.
struct Buffers {
    shingler: Shingler,
    superwindows: Superwindows,
    hashes: Vec<u64>,
}

/// Reads the tokens of the wanted documents, which are all; `rank_of` numbers documents in the order in which
/// one is before another.
pub(super) fn read_tokens<'s>(
    texts: TextsAgain<'_>,
    rank_of: impl Fn(usize) -> u32 + Sync,
    session: &'s Session<'_>,
) -> Result<(CorpusTokens, Parts<'s>)> {
    let (spill, size) = (&session.spill, texts.features.shingle().size.tokens);
    let max_bytes = spill.budget().max_corpus_bytes() as usize;
    let mut parts = Parts::new(spill, spill.budget().max_bytes_beside(max_bytes as u64));
    let (mut hashes, mut offsets) = (Column::default(), vec![0]);
    texts.read(
        session,
        || {
            let shingler = texts.features.shingler(session.kernel());
            let key = *texts.features.tokenizer(session.kernel()).key();
            Buffers { shingler, superwindows: Superwindows::new(size, &key), hashes: Vec::new() }
        },
        |buffers, document, text| {
            let Buffers { shingler, superwindows, hashes } = buffers;
            hashes.clear();
            token_hashes(text, shingler, hashes);
            let (rank, mut found) = (rank_of(document.index()), Vec::new());
            superwindows.each(hashes, |superwindow| found.push(Occurrence::new(rank, superwindow)));
            Ok((hashes.clone(), found))
        },
        |_, (of_document, found)| {
            hashes.extend(&of_document, spill)?;
            if hashes.memory_bytes() > max_bytes {
                hashes.move_to_file(spill)?;
            }
            offsets.push(hashes.len() as u64);
            parts.extend(found)
        },
    )?;
    Ok((CorpusTokens(Ragged::from_parts(offsets, hashes.finish(spill)?)?), parts))
}
