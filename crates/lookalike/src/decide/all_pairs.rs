//! Comparison of all pairs, without an index of blocking keys: each document is compared with all before it. It is for
//! cosines whose frequent terms weigh much, where two documents would meet under several keys; and for vectors, as long
//! as they are few.
//!
//! Two documents at a time are compared with a chunk of small norm sketches, which stays in the cache while all of a
//! chunk of documents are compared with it. Vectors are compared in blocks, by products of lower precision. What is not
//! refused is verified.

use crate::base::Result;
use crate::run::Session;
use lookalike_core::DocId;
use lookalike_core::comparison::{VerifiedPair, Verifier};
use lookalike_core::rule::SharedUnionFind;
use lookalike_core::similarity::{CandidatePair, DocumentBlock, MANY};
use std::ops::{Range, RangeInclusive};

/// Documents that are compared at a time by one thread, at most: the more there are, the oftener a sketch is used while
/// it is in the cache.
pub(super) const MAX_CHUNK_DOCUMENTS: usize = 256;
/// Documents that sketches do not refuse as near-duplicates of one document before they are verified: enough for its
/// table of weights to be worth making.
const FOUND_AT_A_TIME: usize = 4096;
/// The rank of documents that are not compared.
const UNRANKED: u32 = u32::MAX;

/// Compares each document with those before it in an order.
pub(super) struct AllPairs<'a> {
    verifier: Verifier<'a>,
    /// Documents by rank.
    order: &'a [DocId],
    /// Ranks by document.
    ranks: Vec<u32>,
    /// Largest number of the documents up to each rank, as far as later ones are compared with them.
    last: Vec<DocId>,
    session: &'a Session<'a>,
}

/// Memory of a thread that compares all pairs.
pub(super) struct AllPairsScratch<'a> {
    /// The documents of the chunk.
    block: Box<dyn DocumentBlock + 'a>,
    /// Pairs of a chunk of sketches and the chunk of documents that the small sketches do not refuse.
    near: Vec<CandidatePair>,
    /// Documents that the sketches do not refuse, by place of a document in its chunk.
    found: Vec<Vec<DocId>>,
}

impl<'a> AllPairs<'a> {
    /// Documents in `order`; only the first `others` of them are such that later ones are compared with.
    pub(super) fn new(verifier: Verifier<'a>, order: &'a [DocId], others: usize, session: &'a Session<'a>) -> Self {
        let mut ranks = vec![UNRANKED; verifier.sets().len()];
        order.iter().zip(0..).for_each(|(document, rank)| ranks[document.index()] = rank);
        let mut largest = DocId(0);
        let last = order.iter().enumerate().map(|(rank, &document)| {
            largest = if rank < others { largest.max(document) } else { largest };
            largest
        });
        let last = last.collect();
        Self { verifier, order, ranks, last, session }
    }

    /// Empty memory for one thread.
    pub(super) fn scratch(&self) -> AllPairsScratch<'a> {
        AllPairsScratch { block: self.verifier.block(), near: Vec::new(), found: Vec::new() }
    }

    /// The rank of a document that is compared.
    pub(super) fn rank(&self, document: DocId) -> u32 {
        self.ranks[document.index()]
    }

    /// The documents of a chunk of ranks.
    pub(super) fn documents(&self, chunk: &Range<u32>) -> &'a [DocId] {
        &self.order[chunk.start as usize..chunk.end as usize]
    }

    /// The verified pairs of a chunk of documents, given by ranks, with all that come before them in the order, as far
    /// as they are wanted: `a` is the earlier document of each. Earlier documents of which `is_other` is false are not
    /// compared; it may change from call to call.
    pub(super) fn pairs_of_chunk(
        &self,
        chunk: &Range<u32>,
        is_other: impl Fn(DocId) -> bool,
        is_wanted: impl Fn(&CandidatePair) -> bool,
        AllPairsScratch { block, near, found }: &mut AllPairsScratch<'_>,
    ) -> Result<Vec<VerifiedPair>> {
        let of_chunk = self.documents(chunk);
        let mut pairs = Vec::new();
        let mut verify = |block: &mut dyn DocumentBlock, b, others: &mut Vec<DocId>| {
            block.verify(b, others, &mut |a, found| pairs.extend(self.verifier.accept(CandidatePair { a, b }, found)));
            others.clear();
        };
        found.resize_with(of_chunk.len(), Vec::new);
        block.fill(of_chunk);
        for sketch_chunk in self.sketch_chunks(chunk) {
            self.session.stages.check()?;
            let others = self.others(sketch_chunk, chunk, &is_other);
            if others.is_empty() {
                continue;
            }
            block.find_near(&others, near);
            near.retain(|pair| self.rank(pair.a) < self.rank(pair.b) && is_wanted(pair));
            block.retain_near(near);
            for CandidatePair { a, b } in near.drain(..) {
                let found = &mut found[(self.rank(b) - chunk.start) as usize];
                found.push(a);
                if found.len() >= FOUND_AT_A_TIME {
                    verify(&mut **block, b, found);
                }
            }
        }
        of_chunk.iter().zip(found).for_each(|(&document, found)| verify(&mut **block, document, found));
        self.session.stages.progress.advance(chunk.len() as u64);
        Ok(pairs)
    }

    /// Pairs of a chunk that connect documents which are not connected yet. Once all of the chunk are
    /// connected, documents that are connected with them are not compared any more.
    pub(super) fn connections_of_chunk(
        &self,
        chunk: &Range<u32>,
        is_wanted: impl Fn(&CandidatePair) -> bool,
        components: &SharedUnionFind,
        AllPairsScratch { block, near, .. }: &mut AllPairsScratch<'_>,
    ) -> Result<Vec<VerifiedPair>> {
        let of_chunk = self.documents(chunk);
        let mut pairs = Vec::new();
        block.fill(of_chunk);
        for sketch_chunk in self.sketch_chunks(chunk) {
            self.session.stages.check()?;
            let first = of_chunk[0];
            let is_one = of_chunk.iter().all(|&document| components.are_joined(first, document));
            let others = self.others(sketch_chunk, chunk, |other| !(is_one && components.are_joined(first, other)));
            if others.is_empty() {
                continue;
            }
            block.find_near(&others, near);
            let is_open = |pair: &CandidatePair| !components.are_joined(pair.a, pair.b);
            near.retain(|pair| self.rank(pair.a) < self.rank(pair.b) && is_open(pair) && is_wanted(pair));
            block.retain_near(near);
            let verified = near.drain(..).filter(is_open).filter_map(|pair| self.verifier.verify(pair));
            pairs.extend(verified.filter(|pair| components.union(pair.a, pair.b)));
        }
        self.session.stages.progress.advance(chunk.len() as u64);
        Ok(pairs)
    }

    /// The chunks of sketches of the documents before the end of a chunk.
    fn sketch_chunks(&self, chunk: &Range<u32>) -> RangeInclusive<usize> {
        0..=self.last[chunk.end as usize - 1].index() / MANY
    }

    /// The documents of a chunk of sketches with which those of `chunk` are compared.
    fn others(&self, sketch_chunk: usize, chunk: &Range<u32>, is_other: impl Fn(DocId) -> bool) -> Vec<DocId> {
        let first = sketch_chunk * MANY;
        let last = self.last[chunk.end as usize - 1].index();
        let others = first..(last + 1).min(first + MANY);
        others.map(|index| DocId(index as u32)).filter(|&other| is_other(other)).collect()
    }
}
