//! The keepers rule, decided during the search for candidates: in a given order, a document is removed if and only if
//! it is a near-duplicate of an earlier keeper.
//!
//! The keepers are the lexicographically first maximal independent set of the graph of near-duplicates: every removed
//! document has a keeper as witness, no two keepers are near-duplicates, and the result is a function of the input
//! alone. Only keepers are indexed, so n near-copies of one document cost n comparisons, not n². Whether a document
//! goes is known at its first witness; the one that is named as kept in its place is the most similar earlier keeper,
//! of several the first in the order.

use crate::base::DocId;
use crate::comparison::{RankedDocuments, VerifiedPair, cost};
use crate::keys::{KeyIndex, KeyIndexReader, KeyIndexWriter};
use crate::similarity::CandidatePair;
use std::ops::Range;

/// The result of a search for a witness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Witness {
    /// The document as `a` with its witness as `b`; `None` without a witness, in which case the document becomes a
    /// keeper.
    pub pair: Option<VerifiedPair>,
    /// Number of candidates that were verified, up to the first witness.
    pub candidates: u64,
    /// Cost of the search up to the first witness by the cost model, in nanoseconds; see [`cost`].
    pub cost: u64,
}

/// A keeper because of which a document goes. No keeper before it, of those that it was found among, is a
/// near-duplicate of that document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KnownKeeper {
    /// The keeper.
    pub document: DocId,
    /// Exact similarity of the two.
    pub similarity: f64,
}

/// An index of the keepers so far.
#[derive(Debug)]
pub struct KeeperIndex<'a> {
    ranked: RankedDocuments<'a>,
    index: KeyIndex<'a>,
}

impl<'a> KeeperIndex<'a> {
    /// An index without keepers, for documents in the order of their ranks, with capacity for those at `ranks`.
    pub fn new(ranked: RankedDocuments<'a>, ranks: Range<u32>) -> Self {
        let documents = ranked.order[ranks.start as usize..ranks.end as usize].iter().copied();
        let index = KeyIndex::over(ranked.keys, ranked.verifier.measure(), documents);
        Self { ranked, index }
    }

    /// The untouched memory of the index, as [`KeyIndex::untouched_memory`].
    pub fn untouched_memory(&self) -> [Range<*const u8>; 2] {
        self.index.untouched_memory()
    }

    /// The only writer, and a finder that can be copied to any thread.
    pub fn split(&mut self) -> (KeeperWriter<'_>, WitnessFinder<'_>) {
        let (writer, reader) = self.index.split();
        (KeeperWriter { ranked: self.ranked, writer }, WitnessFinder { ranked: self.ranked, reader })
    }

    /// `count` writers for different threads. A document is a keeper when each of them has inserted it.
    pub fn writers(&mut self, count: usize) -> impl Iterator<Item = KeeperWriter<'_>> {
        let ranked = self.ranked;
        self.index.writers(count).map(move |writer| KeeperWriter { ranked, writer })
    }

    /// A finder of witnesses among all keepers.
    pub fn finder(&self) -> WitnessFinder<'_> {
        WitnessFinder { ranked: self.ranked, reader: self.index.reader() }
    }
}

/// Inserts keepers into the index.
#[derive(Debug)]
pub struct KeeperWriter<'k> {
    ranked: RankedDocuments<'k>,
    writer: KeyIndexWriter<'k>,
}

impl KeeperWriter<'_> {
    /// Inserts the document at `rank` as a keeper. Ranks must ascend from call to call. Finders may search
    /// concurrently, among ranks below all undecided ones.
    pub fn keep(&mut self, rank: u32) {
        let (size, keys) = self.ranked.indexed(rank);
        self.writer.insert(rank, size, keys);
    }
}

/// Finds witnesses among the keepers.
#[derive(Debug, Clone, Copy)]
pub struct WitnessFinder<'k> {
    ranked: RankedDocuments<'k>,
    reader: KeyIndexReader<'k>,
}

impl WitnessFinder<'_> {
    /// Cost of following the postings that [`WitnessFinder::find`] follows for the same arguments, without candidates.
    pub fn cost_of_following(&self, rank: u32, ranks: Range<u32>) -> u64 {
        cost::tried_posting(self.reader.count(self.ranked.probing(rank).1, ranks))
    }

    /// Finds the first keeper with a rank in `ranks` that is a near-duplicate of the document at `rank`. `buffer` is
    /// scratch memory.
    pub fn find(&self, rank: u32, ranks: Range<u32>, buffer: &mut Vec<u32>) -> Witness {
        self.find_first(rank, ranks, buffer).0
    }

    /// Finds the keeper with a rank in `ranks` that is most similar to the document at `rank`, the first of several,
    /// if it is a near-duplicate. `buffer` is scratch memory.
    pub fn find_closest(&self, rank: u32, ranks: Range<u32>, buffer: &mut Vec<u32>) -> Witness {
        let (first, tried) = self.find_first(rank, ranks, buffer);
        let closer = first.pair.and_then(|pair| {
            let similarity = self.ranked.verifier.similarity(&pair);
            self.most_similar(rank, &buffer[tried..], similarity)
        });
        Witness { pair: closer.or(first.pair), ..first }
    }

    /// Finds the keeper with a rank in `ranks` that is most similar to the document at `rank`, the first of several, if
    /// it is more similar than a known one. `buffer` is scratch memory.
    pub fn find_closer(
        &self,
        rank: u32,
        ranks: Range<u32>,
        known: KnownKeeper,
        buffer: &mut Vec<u32>,
    ) -> Option<VerifiedPair> {
        self.candidates(rank, ranks, buffer);
        // One with a rank before `ranks` is not there: all are tried.
        let place = buffer.iter().position(|&rank| self.ranked.document(rank) == known.document);
        let tried = place.map_or(0, |place| place + 1);
        self.most_similar(rank, &buffer[tried..], known.similarity)
    }

    /// The first witness, with all candidates in `buffer` by rank, and how many of them were tried.
    fn find_first(&self, rank: u32, ranks: Range<u32>, buffer: &mut Vec<u32>) -> (Witness, usize) {
        let postings = self.candidates(rank, ranks, buffer);
        let a = self.ranked.document(rank);
        let verifier = self.ranked.verifier;
        let mut candidates = 0;
        let mut cost = cost::tried_posting(postings);
        let size = verifier.size(a);
        let pair = buffer.iter().find_map(|&rank| {
            let b = self.ranked.document(rank);
            candidates += 1;
            cost += cost::tried_candidate(size + verifier.size(b));
            verifier.verify(CandidatePair { a, b })
        });
        (Witness { pair, candidates: candidates as u64, cost }, candidates)
    }

    /// Leaves in `buffer` the ranks of all candidates in `ranks`, ascending; returns the number of postings that were
    /// followed.
    fn candidates(&self, rank: u32, ranks: Range<u32>, buffer: &mut Vec<u32>) -> u64 {
        buffer.clear();
        let (size, keys) = self.ranked.probing(rank);
        let postings = self.reader.probe(size, keys, ranks, buffer);
        buffer.sort_unstable();
        buffer.dedup();
        postings
    }

    /// The most similar of the keepers at `others` that are more similar to the document at `rank` than `similarity`,
    /// the first of several.
    fn most_similar(&self, rank: u32, others: &[u32], similarity: f64) -> Option<VerifiedPair> {
        let a = self.ranked.document(rank);
        let verifier = self.ranked.verifier;
        let mut best = (similarity, None);
        for &other in others {
            let verified = verifier.verify(CandidatePair { a, b: self.ranked.document(other) });
            if let Some((similarity, pair)) = verified.map(|pair| (verifier.similarity(&pair), pair))
                && similarity > best.0
            {
                best = (similarity, Some(pair));
            }
        }
        best.1
    }
}
