//! The tokens of all documents, and their superwindows.

use crate::base::Result;
use crate::corpus::TextsAgain;
use crate::passages::hashes::hashes_of;
use crate::run::Session;
use crate::spill::{ExternalSort, Repeats, Spill, SpillColumn};
use lookalike_core::passages::{Occurrence, Superwindows, TokenPlace, token_words};
use lookalike_core::sets::Shingler;
use lookalike_core::{Array, Ragged};

/// Number of parts into which superwindows are dealt: each is sorted by one thread, in its part of the memory.
const PARTS: usize = 64;

/// The tokens of all documents.
#[derive(Debug)]
pub(super) struct CorpusTokens {
    /// Hashes of its tokens, by document.
    hashes: Ragged<u64>,
    /// Numbers of words of its tokens, by document, if these are text units.
    pub(super) words: Ragged<u32>,
}

impl CorpusTokens {
    /// The next `count` tokens of a document from a place on.
    pub(super) fn get(&self, place: TokenPlace, count: usize) -> &[u64] {
        let begin = self.hashes.offsets()[place.document as usize] as usize + place.token as usize;
        self.hashes.values().slice(begin..begin + count)
    }

    /// Number of documents.
    pub(super) fn documents(&self) -> usize {
        self.hashes.len()
    }

    /// Number of its tokens, by document.
    pub(super) fn counts(&self) -> Vec<u32> {
        (0..self.hashes.len()).map(|document| self.hashes.size(document) as u32).collect()
    }
}

/// Superwindows in parts; those with one minimizer are in the same.
pub(super) struct Parts<'s>(pub(super) Vec<ExternalSort<'s, Occurrence>>);

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
}

/// Buffers of a thread.
struct TokenBuffers {
    shingler: Shingler,
    superwindows: Superwindows,
}

/// Arrays that grow with the documents.
#[derive(Default)]
struct Growing {
    hashes: SpillColumn<u64>,
    words: SpillColumn<u32>,
    /// Ends of its hashes and of its words, by document.
    ends: Vec<[u64; 2]>,
}

impl Growing {
    fn push(&mut self, hashes: &Array<u64>, words: &[u32], spill: &Spill, max_bytes: usize) -> Result<()> {
        if !hashes.is_in_memory() {
            self.hashes.move_to_file(spill)?;
        }
        hashes.chunks().try_for_each(|chunk| self.hashes.extend(chunk, spill))?;
        self.words.extend(words, spill)?;
        if self.hashes.memory_bytes() + self.words.memory_bytes() > max_bytes {
            self.hashes.move_to_file(spill)?;
            self.words.move_to_file(spill)?;
        }
        self.ends.push([self.hashes.len() as u64, self.words.len() as u64]);
        Ok(())
    }

    fn finish(self, spill: &Spill) -> Result<CorpusTokens> {
        let offsets = |column: usize| [0].into_iter().chain(self.ends.iter().map(|ends| ends[column])).collect();
        let of_hashes = offsets(0);
        let of_words = offsets(1);
        Ok(CorpusTokens {
            hashes: Ragged::from_parts(of_hashes, self.hashes.finish(spill)?)?,
            words: Ragged::from_parts(of_words, self.words.finish(spill)?)?,
        })
    }
}

/// Reads the tokens of the wanted documents, which are all; `rank_of` numbers documents in the order in which
/// one is before another.
pub(super) fn read_tokens<'s>(
    texts: TextsAgain<'_>,
    rank_of: impl Fn(usize) -> u32 + Sync,
    session: &'s Session<'_>,
) -> Result<(CorpusTokens, Parts<'s>)> {
    let spill = &session.spill;
    let size = texts.features.shingle().size.tokens;
    let max_bytes = spill.budget().max_corpus_bytes() as usize;
    let mut parts = Parts::new(spill, spill.budget().max_bytes_beside(max_bytes as u64));
    let mut growing = Growing::default();
    texts.read(
        session,
        || {
            let shingler = texts.features.shingler(session.kernel());
            let key = *texts.features.tokenizer(session.kernel()).key();
            TokenBuffers { shingler, superwindows: Superwindows::new(size, &key) }
        },
        |buffers, document, text| {
            let TokenBuffers { shingler, superwindows } = buffers;
            let text = text.text()?;
            let hashes = hashes_of(text, shingler, Array::default(), session)?;
            let rank = rank_of(document.index());
            let mut found = Vec::new();
            superwindows.each(hashes.slice(0..hashes.len()), |superwindow| {
                found.push(Occurrence::new(rank, superwindow));
            });
            Ok((hashes, token_words(text, shingler), found))
        },
        |_, (hashes, words, found)| {
            growing.push(&hashes, &words, spill, max_bytes)?;
            parts.extend(found)
        },
    )?;
    Ok((growing.finish(spill)?, parts))
}
