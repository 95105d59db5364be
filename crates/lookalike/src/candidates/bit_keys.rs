//! Blocking keys of fingerprints: those of tables, after it was counted which are hot, and those of sampled bits.

use super::chunks::DocumentChunks;
use super::dictionary::Positions;
use super::keys::{DocumentChunk, KeyDealing, KeySource};
use super::method::{MethodKeys, MethodUsed};
use crate::base::Result;
use crate::threads::{Pace, ordered_map};
use lookalike_core::DocId;
use lookalike_core::bits::{Hamming, KeyCounts, TableKeys};
use lookalike_core::comparison::{Bands, KeyMaker};
use lookalike_core::keys::BlockingKey;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Documents whose keys are counted at a time.
const CHUNK_DOCUMENTS: usize = 1 << 12;

impl KeySource<'_> {
    /// Keys of tables of blocks of bits, finer ones in place of those that many documents have.
    pub(super) fn table_keys(self, hamming: Hamming) -> Result<MethodKeys> {
        let documents = self.groups.representatives().len();
        let (counts, max_keys) = self.count_keys(hamming)?;
        let built = TableKeys::new(hamming, documents as u64, &counts);
        let keys = KeyDealing::new(self, max_keys, Positions::OfBands).share(|| {
            let mut maker = built.clone();
            move |chunk: &DocumentChunk<'_>| Ok(chunk.keys(|set, keys: &mut Vec<BlockingKey>| maker.append(set, keys)))
        })?;
        let postings = keys.total_postings();
        let method =
            built.cut().map_or(MethodUsed::Exact { postings }, |cut| MethodUsed::of_tables(cut, Some(postings)));
        Ok(MethodKeys::new(keys, method))
    }

    /// Counts the keys of all documents, then those in place of the hot ones, until none is hot; returns the counts and
    /// the number of keys that documents have.
    fn count_keys(self, hamming: Hamming) -> Result<(Vec<KeyCounts>, usize)> {
        let documents = self.groups.representatives().len();
        let tables = TableKeys::new(hamming, documents as u64, &[]).cut().map_or(0, |cut| cut.tables());
        let mut counts = Vec::new();
        let mut keys = documents * tables;
        let mut all_keys = keys;
        while TableKeys::needs_counts(&counts) {
            let next = KeyCounts::sized_for(keys);
            keys = self.count_next(hamming, &counts, &next)?;
            if keys == 0 {
                break;
            }
            // Those that are replaced are counted, too: an upper bound.
            all_keys = if counts.is_empty() { keys } else { all_keys + keys };
            counts.push(next);
        }
        Ok((counts, all_keys))
    }

    /// Counts the keys in place of those that the last of `counts` says are hot; returns their number.
    fn count_next(self, hamming: Hamming, counts: &[KeyCounts], next: &KeyCounts) -> Result<usize> {
        let Self { groups, session, .. } = self;
        let sets = self.sets();
        let counted = AtomicUsize::new(0);
        let maker = TableKeys::new(hamming, groups.representatives().len() as u64, counts);
        let count = |maker: &mut TableKeys<'_>, chunk: Range<usize>| {
            session.stages.check()?;
            let documents =
                chunk.map(|index| DocId(index as u32)).filter(|&document| groups.is_representative(document));
            let keys: usize = documents.map(|document| maker.count(&sets.get(document), next)).sum();
            counted.fetch_add(keys, Ordering::Relaxed);
            Ok(())
        };
        let chunks = DocumentChunks::new(sets, CHUNK_DOCUMENTS);
        ordered_map(chunks, Pace::for_threads(session.threads()), || maker.clone(), count, |done: Result<()>| done)?;
        Ok(counted.into_inner())
    }

    /// Keys of sampled bits.
    pub(super) fn sampled_keys(self, hamming: Hamming, bands: Bands) -> Result<MethodKeys> {
        let banding = bands.banding;
        let dealing = KeyDealing::new(self, self.groups.representatives().len() * banding.bands(), Positions::OfBands);
        let keys = dealing.share_of(&KeyMaker::sampling(bands, hamming))?;
        let agreeing = hamming.min_similarity();
        let method = MethodUsed::BitSampling { banding, expected_recall: banding.probability(agreeing) };
        Ok(MethodKeys::new(keys, method))
    }
}
