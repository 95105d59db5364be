//! The keepers rule while candidates are still being looked for: documents in an order; one is removed if and only if it is a
//! near-duplicate of one already kept.
//!
//! What is kept is the lexicographically first maximal independent set of the graph of near-duplicates: every removed
//! document has a kept witness, no two kept ones are near-duplicates, and the result is a function of the input alone.
//! Only keepers are indexed, so a family of n near-copies costs n comparisons, not n². The witness of a removal is the
//! first keeper in the order that is similar enough: the one that would have removed it whatever came between.

use crate::ground::DocId;
use crate::measure::{CandidatePair, VerifiedPair, Verifier};
use crate::method::{IndexReader, IndexWriter, KeyIndex, SharedKey, SharedKeys};
use std::ops::Range;

/// What a search for a witness gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Witness {
    /// The document as `a` and the first keeper that it is a near-duplicate of as `b`, if there is one.
    pub pair: Option<VerifiedPair>,
    /// Candidates that were verified.
    pub candidates: u64,
}

/// Documents by their rank (from 0) in the order of the rule.
#[derive(Debug, Clone, Copy)]
struct Ranked<'a> {
    verifier: Verifier<'a>,
    keys: &'a SharedKeys,
    order: &'a [DocId],
}

impl<'a> Ranked<'a> {
    /// Size and keys of the document at `rank`, as the index takes them.
    fn entry(&self, rank: u32) -> (usize, &'a [SharedKey]) {
        let document = self.order[rank as usize];
        (self.verifier.size(document), self.keys.get(document))
    }
}

/// An index of the documents kept so far.
#[derive(Debug)]
pub struct KeeperIndex<'a> {
    ranked: Ranked<'a>,
    index: KeyIndex<'a>,
}

impl<'a> KeeperIndex<'a> {
    /// Nothing kept yet of the documents that `order` names, with room for those that have one of `ranks`.
    pub fn new(verifier: Verifier<'a>, keys: &'a SharedKeys, order: &'a [DocId], ranks: Range<u32>) -> Self {
        let documents = order[ranks.start as usize..ranks.end as usize].iter().copied();
        let index = KeyIndex::over(keys, verifier.measure(), documents);
        Self { ranked: Ranked { verifier, keys, order }, index }
    }

    /// As [`KeyIndex::untouched_memory`].
    pub fn untouched_memory(&self) -> [Range<*const u8>; 2] {
        self.index.untouched_memory()
    }

    /// The one writer, and a finder that can be copied to any thread.
    pub fn split(&mut self) -> (KeeperWriter<'_>, WitnessFinder<'_>) {
        let (writer, reader) = self.index.split();
        (KeeperWriter { ranked: self.ranked, writer }, WitnessFinder { ranked: self.ranked, reader })
    }

    /// `count` writers for different threads: a document is kept when all of them have kept it.
    pub fn writers(&mut self, count: usize) -> impl Iterator<Item = KeeperWriter<'_>> {
        let ranked = self.ranked;
        self.index.writers(count).map(move |writer| KeeperWriter { ranked, writer })
    }

    /// A finder of witnesses among all documents kept.
    pub fn finder(&self) -> WitnessFinder<'_> {
        WitnessFinder { ranked: self.ranked, reader: self.index.reader() }
    }
}

/// Keeps documents.
#[derive(Debug)]
pub struct KeeperWriter<'k> {
    ranked: Ranked<'k>,
    writer: IndexWriter<'k>,
}

impl KeeperWriter<'_> {
    /// Keeps the document at `rank`; ranks must ascend from call to call. Finders may go on meanwhile, with ranks below those of
    /// documents that are not decided yet.
    pub fn keep(&mut self, rank: u32) {
        let (size, keys) = self.ranked.entry(rank);
        self.writer.insert(rank, size, keys);
    }
}

/// Finds witnesses among the documents kept.
#[derive(Debug, Clone, Copy)]
pub struct WitnessFinder<'k> {
    ranked: Ranked<'k>,
    reader: IndexReader<'k>,
}

impl WitnessFinder<'_> {
    /// The number of postings that [`WitnessFinder::find`] follows.
    pub fn postings(&self, rank: u32, ranks: Range<u32>) -> u64 {
        self.reader.count(self.ranked.entry(rank).1, ranks)
    }

    /// Looks for the first keeper with a rank in `ranks` that the document at `rank` is a near-duplicate of. `buffer` holds the
    /// candidates; its content before and after does not matter.
    pub fn find(&self, rank: u32, ranks: Range<u32>, buffer: &mut Vec<u32>) -> Witness {
        let Ranked { verifier, order, .. } = self.ranked;
        buffer.clear();
        let (size, keys) = self.ranked.entry(rank);
        self.reader.probe(size, keys, ranks, |rank| buffer.push(rank));
        buffer.sort_unstable();
        buffer.dedup();
        let (a, mut candidates) = (order[rank as usize], 0);
        let pair = buffer.iter().find_map(|&rank| {
            candidates += 1;
            verifier.verify(CandidatePair { a, b: order[rank as usize] })
        });
        Witness { pair, candidates }
    }
}
