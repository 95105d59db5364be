//! All verified pairs, in parallel.

use crate::error::Result;
use crate::index_blocks::{fill_index, index_blocks};
use crate::progress::{Stage, Unit};
use crate::session::Session;
use crate::spill::ExternalSort;
use crate::threads::{Pace, ordered_map};
use lookalike_core::DocId;
use lookalike_core::array::Array;
use lookalike_core::candidates::{CandidatePair, KeyIndex, LinkedKey, LinkedKeys, VisitMarks};
use lookalike_core::equal_sets::EqualSets;
use lookalike_core::similarity::Overlap;
use lookalike_core::verify::{VerifiedPair, Verifier};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Documents that are compared at a time by one thread, at most.
const MOST_CHUNK_DOCUMENTS: usize = 64;

/// What a join found.
#[derive(Debug, Clone, Default)]
pub struct Joined {
    /// Pairs of documents that stand for a group, the earlier document first, sorted.
    pub(crate) pairs: Array<PackedPair>,
    /// Number of candidates that were verified.
    pub candidates: u64,
}

impl Joined {
    /// Verified pairs of documents that stand for a group, the earlier document first, sorted.
    pub fn pairs(&self) -> impl Iterator<Item = VerifiedPair> {
        let starts = (0..self.pairs.len()).step_by(STRETCH_PAIRS);
        let stretches = starts.map(|start| start..(start + STRETCH_PAIRS).min(self.pairs.len()));
        stretches.flat_map(|stretch| self.pairs.slice(stretch)).map(|&pair| unpack(pair))
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

/// Pairs that are read at a time.
const STRETCH_PAIRS: usize = 1 << 12;

/// A pair as plain numbers: both documents, common elements, sizes of both sets.
pub(crate) type PackedPair = [u32; 5];

pub(crate) fn pack(pair: VerifiedPair) -> PackedPair {
    let Overlap { common, left, right } = pair.overlap;
    // A set of 2^32 elements would have 32 GiB.
    [pair.a.0, pair.b.0, common as u32, left as u32, right as u32]
}

pub(crate) fn unpack([a, b, common, left, right]: PackedPair) -> VerifiedPair {
    let overlap = Overlap { common: common as usize, left: left as usize, right: right as usize };
    VerifiedPair { a: DocId(a), b: DocId(b), overlap }
}

/// Finds all pairs of groups that reach the threshold.
pub(crate) fn join(
    verifier: Verifier<'_>,
    groups: &EqualSets,
    keys: &LinkedKeys,
    session: &Session<'_>,
) -> Result<Joined> {
    let mut documents = groups.representatives().to_vec();
    documents.sort_unstable();
    let blocks = index_blocks(keys, &documents, 0..documents.len() as u32, 1, session);
    let total = blocks.iter().map(|block| documents.len() as u64 - u64::from(block.start)).sum();
    session.stages.run(Stage { name: "comparing", total, unit: Unit::Documents }, || {
        let mut candidates = 0;
        let most_pairs = session.spill.share(128) / size_of::<PackedPair>();
        let density = AtomicUsize::new(most_pairs);
        let mut pairs = ExternalSort::new(&session.spill, session.spill.share(16));
        for block in blocks {
            let of_block = &documents[block.start as usize..block.end as usize];
            let index = KeyIndex::over(keys, verifier.threshold(), of_block.iter().copied());
            let probe = Probe { documents: &documents, block: block.clone(), index: &index, keys, verifier };
            fill_index(&index, block.clone(), |rank| probe.entry(rank), session)?;
            let marks = || VisitMarks::new(of_block.len());
            let chunks = Chunks { left: block.start..documents.len() as u32, most_pairs, density: &density };
            let work = |marks: &mut VisitMarks, chunk: Range<u32>| {
                let part = probe.join_chunk(chunk.clone(), marks, session)?;
                density.store(part.pairs.len() / chunk.len(), Ordering::Relaxed);
                Ok(part)
            };
            ordered_map(chunks, Pace::of(session.threads()), marks, work, |part: Result<Part>| {
                let part = part?;
                candidates += part.candidates;
                pairs.extend(part.pairs)
            })?;
        }
        Ok(Joined { pairs: pairs.finish()?, candidates })
    })
}

/// Cuts the documents into chunks whose pairs fit into memory, by what the last chunk had for each document: not even one
/// document in the first chunk, to be sure. How they are cut is seen in no answer.
struct Chunks<'a> {
    left: Range<u32>,
    most_pairs: usize,
    density: &'a AtomicUsize,
}

impl Iterator for Chunks<'_> {
    type Item = Range<u32>;

    fn next(&mut self) -> Option<Range<u32>> {
        let documents = self.most_pairs / (self.density.load(Ordering::Relaxed) + 1);
        let start = self.left.start;
        let end = self.left.end.min(start.saturating_add(documents.clamp(1, MOST_CHUNK_DOCUMENTS) as u32));
        self.left.start = end;
        (start < end).then_some(start..end)
    }
}

/// The pairs of some documents.
#[derive(Default)]
struct Part {
    pairs: Vec<PackedPair>,
    candidates: u64,
}

struct Probe<'a> {
    /// By rank.
    documents: &'a [DocId],
    /// Ranks in the index.
    block: Range<u32>,
    index: &'a KeyIndex<'a>,
    keys: &'a LinkedKeys,
    verifier: Verifier<'a>,
}

impl<'a> Probe<'a> {
    /// Size and keys of the document with a rank.
    fn entry(&self, rank: u32) -> (usize, &'a [LinkedKey]) {
        let document = self.documents[rank as usize];
        (self.verifier.size(document), self.keys.get(document))
    }

    /// The pairs of a chunk of documents, given by ranks, with all earlier documents of the block.
    fn join_chunk(&self, chunk: Range<u32>, marks: &mut VisitMarks, session: &Session<'_>) -> Result<Part> {
        let mut part = Part::default();
        for rank in chunk.clone() {
            let b = self.documents[rank as usize];
            let (size, keys) = self.entry(rank);
            session.stages.check()?;
            marks.clear();
            let earlier = self.block.start..rank.min(self.block.end);
            self.index.probe(size, keys, earlier, |earlier| {
                if marks.mark(earlier - self.block.start) {
                    let a = self.documents[earlier as usize];
                    part.candidates += 1;
                    part.pairs.extend(self.verifier.verify(CandidatePair { a, b }).map(pack));
                }
            });
        }
        session.stages.progress.advance(chunk.len() as u64);
        Ok(part)
    }
}
