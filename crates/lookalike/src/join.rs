//! All verified pairs, in parallel.

use crate::error::Result;
use crate::index_blocks::index_blocks;
use crate::ordered::ordered_map;
use crate::progress::{Stage, Unit};
use crate::session::Session;
use crate::spill::ExternalSort;
use lookalike_core::DocId;
use lookalike_core::array::Array;
use lookalike_core::candidates::{CandidatePair, KeyIndex, LinkedKeys, VisitMarks};
use lookalike_core::equal_sets::EqualSets;
use lookalike_core::similarity::Overlap;
use lookalike_core::verify::{VerifiedPair, Verifier};
use std::ops::Range;

const CHUNK_DOCUMENTS: usize = 256;

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
        let mut pairs = ExternalSort::new(&session.spill, session.spill.share(16));
        for block in blocks {
            let of_block = &documents[block.start as usize..block.end as usize];
            let mut index = KeyIndex::over(keys, verifier.threshold(), of_block.iter().copied());
            for (rank, &document) in (block.start..).zip(of_block) {
                index.insert(rank, verifier.size(document), keys.get(document));
            }
            let probe = Probe { documents: &documents, block: block.clone(), index: &index, keys, verifier };
            let marks = || VisitMarks::new(of_block.len());
            let chunks = (block.start..documents.len() as u32).step_by(CHUNK_DOCUMENTS);
            let work = |marks: &mut VisitMarks, first: u32| probe.join_chunk(first, marks, session);
            ordered_map(chunks, session.threads(), marks, work, |part: Result<Part>| {
                let part = part?;
                candidates += part.candidates;
                pairs.extend(part.pairs)
            })?;
        }
        Ok(Joined { pairs: pairs.finish()?, candidates })
    })
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

impl Probe<'_> {
    /// The pairs of a chunk of documents, whose first one has rank `first`, with all earlier documents of the block.
    fn join_chunk(&self, first: u32, marks: &mut VisitMarks, session: &Session<'_>) -> Result<Part> {
        let mut part = Part::default();
        let chunk = self.documents[first as usize..].iter().take(CHUNK_DOCUMENTS);
        for (rank, &b) in (first..).zip(chunk) {
            session.stages.check()?;
            marks.clear();
            let earlier = self.block.start..rank.min(self.block.end);
            self.index.probe(self.verifier.size(b), self.keys.get(b), earlier, |earlier| {
                if marks.mark(earlier - self.block.start) {
                    let a = self.documents[earlier as usize];
                    part.candidates += 1;
                    part.pairs.extend(self.verifier.verify(CandidatePair { a, b }).map(pack));
                }
            });
        }
        session.stages.progress.advance(CHUNK_DOCUMENTS.min(self.documents.len() - first as usize) as u64);
        Ok(part)
    }
}
