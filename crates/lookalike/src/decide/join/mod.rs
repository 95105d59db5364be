//! Join of documents to verified pairs, in parallel: by an index of blocking keys, or, where most terms would be
//! blocking keys, without one (`all_pairs`).
//!
//! A search for components needs fewer: no pair of documents that are connected already. Which pairs it finds, and how
//! many candidates it verifies, depends on which thread comes first; what they connect does not, because what is left
//! out could connect nothing. n documents that are all alike cost n verified pairs, of all n (n - 1) / 2.

use super::all_pairs::{AllPairs, AllPairsScratch, MAX_CHUNK_DOCUMENTS as MAX_CHUNK_OF_ALL};
use super::bucket_join::{BucketJoin, BucketPairs};
use super::chunks::{Chunks, Density, max_chunk_pairs};
use super::histogram::{RefusedCandidates, RefusedSample, sample_of_all};
use super::index_blocks::{BlockLimits, index_blocks};
use super::pair_limit::PairLimit;
use crate::base::Result;
use crate::run::{Checkpoint, SectionWriter, Session, Stored};
use crate::spill::{ExternalSort, Repeats, Share, ask_for_large_pages};
use crate::threads::{Pace, ordered_map, try_each};
use bytemuck::{Pod, Zeroable};
use lookalike_core::comparison::{EqualSets, RankedDocuments, Roles, VerifiedPair, Verifier};
use lookalike_core::keys::{KeyIndex, KeyIndexReader, KeyProbe, Runs, SharedKeys, VisitMarks};
use lookalike_core::rule::SharedUnionFind;
use lookalike_core::similarity::{Agreement, CandidatePair, DifferingBits, Overlap};
use lookalike_core::vectors::PlaneBits;
use lookalike_core::{Array, DocId};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Documents that are compared at a time by one thread, at most.
const MAX_CHUNK_DOCUMENTS: usize = 64;

/// Results of a join.
#[derive(Debug, Clone, Default)]
pub struct Joined {
    /// Pairs of representatives, the earlier document first, sorted.
    pub(crate) pairs: Array<PackedPair>,
    /// Number of candidates that were verified; of pairs that were compared, where all were. Of a search for components
    /// it depends on threads.
    pub candidates: u64,
    /// Refused candidates; `None` if they were not sampled.
    pub refused: Option<RefusedCandidates>,
}

impl Joined {
    /// Verified pairs of representatives, the earlier document first, sorted.
    pub fn pairs(&self) -> impl Iterator<Item = VerifiedPair> {
        self.pairs.chunks().flatten().map(|&pair| pair.into())
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Returns whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

/// The kind of a pair of sets.
const OF_SETS: u32 = 0;
/// The kind of a pair of weighted sets.
const OF_WEIGHTS: u32 = 1;
/// The kind of a pair of fingerprints.
const OF_BITS: u32 = 2;
/// The kind of a pair of vectors at a distance.
const OF_DISTANCE: u32 = 3;

/// A verified pair in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct PackedPair {
    a: u32,
    b: u32,
    /// Kind of what was found: [`OF_SETS`], [`OF_WEIGHTS`], [`OF_BITS`] or [`OF_DISTANCE`].
    kind: u32,
    /// Common elements and both sizes of sets. Sets of 2^32 elements would have 32 GiB: sizes fit. Of weighted
    /// sets and vectors, the lower and the upper half of the bits of the cosine or distance. Of fingerprints, the
    /// number of bits that differ, the width and 0.
    found: [u32; 3],
}

impl From<VerifiedPair> for PackedPair {
    fn from(VerifiedPair { a, b, found, .. }: VerifiedPair) -> Self {
        let (kind, found) = match found {
            Agreement::Sets(Overlap { common, left, right }) => {
                (OF_SETS, [common, left, right].map(|size| size as u32))
            }
            Agreement::Cosine(cosine) => (OF_WEIGHTS, halves_of(cosine)),
            Agreement::Distance(distance) => (OF_DISTANCE, halves_of(distance)),
            Agreement::Bits(DifferingBits { differing, width }) => (OF_BITS, [differing, width, 0]),
        };
        Self { a: a.0, b: b.0, kind, found }
    }
}

impl From<PackedPair> for VerifiedPair {
    fn from(PackedPair { a, b, kind, found }: PackedPair) -> Self {
        let found = match kind {
            OF_WEIGHTS => Agreement::Cosine(number_of(found)),
            OF_DISTANCE => Agreement::Distance(number_of(found)),
            OF_BITS => Agreement::Bits(DifferingBits { differing: found[0], width: found[1] }),
            _ => {
                let [common, left, right] = found.map(|size| size as usize);
                Agreement::Sets(Overlap { common, left, right })
            }
        };
        Self::from_saved(DocId(a), DocId(b), found)
    }
}

fn halves_of(number: f64) -> [u32; 3] {
    let bits = number.to_bits();
    [bits as u32, (bits >> 32) as u32, 0]
}

fn number_of([low, high, _]: [u32; 3]) -> f64 {
    f64::from_bits(u64::from(high) << 32 | u64::from(low))
}

impl PackedPair {
    /// The second of the two.
    pub(crate) fn b(&self) -> DocId {
        DocId(self.b)
    }

    /// Returns whether these are two of `documents` documents, with a comparison that there can be.
    fn fits(&self, documents: usize) -> bool {
        let [first, second, third] = self.found;
        let is_possible = match self.kind {
            OF_SETS => first <= second.min(third),
            OF_WEIGHTS => (0.0..=1.0).contains(&number_of(self.found)),
            OF_DISTANCE => number_of(self.found) >= 0.0 && number_of(self.found).is_finite(),
            OF_BITS => first < second && third == 0,
            _ => false,
        };
        self.a < self.b && (self.b as usize) < documents && is_possible
    }
}

/// The small parts of [`Joined`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct AboutJoined {
    candidates: u64,
    refused: Option<RefusedCandidates>,
}

impl Checkpoint for Joined {
    type About = AboutJoined;

    fn about(&self) -> AboutJoined {
        AboutJoined { candidates: self.candidates, refused: self.refused.clone() }
    }

    fn save(&self, sections: &mut SectionWriter<'_>) -> Result<()> {
        sections.array("pairs", &self.pairs)
    }

    fn load(AboutJoined { candidates, refused }: AboutJoined, stored: &Stored<'_>) -> Result<Option<Self>> {
        Ok(stored.array("pairs")?.map(|pairs| Self { pairs, candidates, refused }))
    }

    fn fits(&self, documents: usize) -> bool {
        self.pairs.chunks().flatten().all(|pair| pair.fits(documents))
    }
}

/// Pairs that are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JoinGoal {
    /// Every pair at or above the threshold.
    All,
    /// Every pair, with a sample of the refused candidates.
    AllAndRefused,
    /// Pairs enough to connect what all connect.
    Connecting,
}

/// Pairs that are candidates.
#[derive(Debug, Clone, Copy)]
pub(super) enum Candidates<'a> {
    /// Pairs with a common blocking key.
    OfKeys(&'a SharedKeys),
    /// Pairs of vectors with a common blocking key that planes do not refuse, bucket by bucket.
    OfBuckets(&'a SharedKeys, &'a PlaneBits),
    /// Every pair: for cosines whose blocking keys most documents share.
    All,
}

/// On which sides the documents of each group are, where only pairs of a reference and an input are wanted.
#[derive(Debug, Default)]
pub(super) struct GroupSides {
    /// Sides by representative: [`GroupSides::REFERENCE`], [`GroupSides::INPUT`] or both; empty where all pairs are
    /// wanted.
    of_group: Vec<u8>,
}

impl GroupSides {
    const REFERENCE: u8 = 1;
    const INPUT: u8 = 2;

    /// The sides of groups of documents, of which the first `references` are references; without any, all pairs are
    /// wanted.
    pub(super) fn new(groups: &EqualSets, references: usize) -> Self {
        if references == 0 {
            return Self::default();
        }
        let mut of_group = vec![0; groups.len()];
        for document in DocId::all(groups.len()) {
            let side = if document.index() < references { Self::REFERENCE } else { Self::INPUT };
            of_group[groups.representative(document).index()] |= side;
        }
        Self { of_group }
    }

    /// Number of wanted pairs of these groups, given by their representatives.
    fn count_wanted(&self, documents: &[DocId]) -> u64 {
        let pairs = |count: u64| count * count.saturating_sub(1) / 2;
        let on = |side| documents.iter().filter(|document| self.of_group[document.index()] == side).count() as u64;
        let all = pairs(documents.len() as u64);
        if self.of_group.is_empty() { all } else { all - pairs(on(Self::REFERENCE)) - pairs(on(Self::INPUT)) }
    }

    /// Returns whether documents of these groups, given by their representatives, are a wanted pair.
    fn are_wanted(&self, a: DocId, b: DocId) -> bool {
        let both = Self::REFERENCE | Self::INPUT;
        self.of_group.is_empty() || self.of_group[a.index()] | self.of_group[b.index()] == both
    }
}

/// The pairs that a join looks for.
pub(super) struct PairsToJoin<'a> {
    pub(super) verifier: Verifier<'a>,
    pub(super) groups: &'a EqualSets,
    pub(super) sides: GroupSides,
    pub(super) candidates: Candidates<'a>,
    pub(super) wanted: JoinGoal,
}

/// The search for all pairs of groups that reach the threshold, and those found so far.
pub(super) struct Joining<'a> {
    verifier: Verifier<'a>,
    sides: GroupSides,
    which: Candidates<'a>,
    /// The representatives in input order; of containments, by rising size.
    documents: Vec<DocId>,
    /// Ranks of the documents that are indexed at a time.
    blocks: Vec<Range<u32>>,
    pairs: ExternalSort<'a, PackedPair>,
    candidates: u64,
    /// Number of pairs, and how many there may be.
    found: u64,
    limit: PairLimit,
    refused: Option<RefusedSample>,
    /// The components so far, if only what connects them is wanted.
    components: Option<SharedUnionFind>,
    /// Hash above which no candidate of the sample can be any more.
    max_hash: AtomicU64,
    max_chunk_pairs: usize,
    density: Density,
    session: &'a Session<'a>,
}

impl<'a> Joining<'a> {
    /// No document is compared yet.
    pub(super) fn new(pairs: PairsToJoin<'a>, session: &'a Session<'a>) -> Self {
        let PairsToJoin { verifier, groups, sides, candidates: which, wanted } = pairs;
        let refused = (wanted == JoinGoal::AllAndRefused).then(RefusedSample::default);
        let components = (wanted == JoinGoal::Connecting).then(|| SharedUnionFind::new(groups.len()));
        let budget = session.spill.budget();
        let max_chunk_pairs = max_chunk_pairs(size_of::<PackedPair>(), session);
        let pairs = ExternalSort::new(&session.spill, Repeats::Kept, budget.share(Share::Pairs));
        let mut documents = groups.representatives().to_vec();
        match verifier.measure().contained() {
            // The smaller one of a pair is in the index.
            Some(_) => documents.sort_unstable_by_key(|&document| (verifier.extent(document), document)),
            None => documents.sort_unstable(),
        }
        let ranks = 0..documents.len() as u32;
        let which = match (which, verifier.plane_bits(), &refused) {
            // Which candidates are refused is only known document by document.
            (Candidates::OfKeys(keys), Some(planes), None) => Candidates::OfBuckets(keys, planes),
            (which, ..) => which,
        };
        let blocks = match which {
            Candidates::OfBuckets(..) => vec![ranks],
            Candidates::OfKeys(keys) => {
                let ranked = RankedDocuments { order: &documents, keys, verifier, roles: roles(verifier) };
                let bytes_beside = if components.is_some() { Runs::bytes_for(1) } else { 0 };
                index_blocks(ranked, ranks, BlockLimits { step: 1, bytes_beside }, session)
            }
            Candidates::All => vec![ranks],
        };
        let density = Density::unknown();
        let max_hash = AtomicU64::new(u64::MAX);
        let candidates = 0;
        Self {
            verifier,
            sides,
            which,
            documents,
            blocks,
            pairs,
            candidates,
            found: 0,
            limit: PairLimit::default(),
            refused,
            components,
            max_hash,
            max_chunk_pairs,
            density,
            session,
        }
    }

    /// Copy that ends when it has found more pairs than there may be.
    pub(super) fn within(self, limit: PairLimit) -> Self {
        Self { limit, ..self }
    }

    /// Number of documents that pass by the blocks of the index.
    pub(super) fn work(&self) -> usize {
        self.blocks.iter().map(|block| self.documents.len() - block.start as usize).sum()
    }

    /// Finds all pairs.
    pub(super) fn run(mut self) -> Result<Joined> {
        let documents = std::mem::take(&mut self.documents);
        let blocks = std::mem::take(&mut self.blocks);
        let roles = roles(self.verifier);
        match self.which {
            Candidates::OfBuckets(keys, planes) => self.join_buckets(keys, planes, &documents)?,
            Candidates::OfKeys(keys) => {
                let ranked = RankedDocuments { order: &documents, keys, verifier: self.verifier, roles };
                blocks.into_iter().try_for_each(|block| self.join_block(ranked, block))?;
            }
            Candidates::All => self.join_all(&documents)?,
        }
        let pairs = self.pairs.finish()?;
        let sides = &self.sides;
        let refused = self.refused.map(|sample| match self.which {
            Candidates::OfKeys(_) | Candidates::OfBuckets(..) => sample.finish(&self.verifier),
            Candidates::All => {
                let count = self.candidates - pairs.len() as u64;
                sample_of_all(count, &documents, |a, b| sides.are_wanted(a, b), &self.verifier)
            }
        });
        Ok(Joined { pairs, candidates: self.candidates, refused })
    }

    /// Adds the pairs of all documents, without an index.
    fn join_all(&mut self, documents: &[DocId]) -> Result<()> {
        let Self { session, density, max_chunk_pairs, verifier, sides, components, .. } = self;
        let left = 0..documents.len() as u32;
        let chunks = Chunks { left, max_documents: MAX_CHUNK_OF_ALL, max_pairs: *max_chunk_pairs, density };
        let all = AllPairs::new(*verifier, documents, documents.len(), session);
        let is_wanted = |pair: &CandidatePair| sides.are_wanted(pair.a, pair.b);
        let work = |scratch: &mut AllPairsScratch<'_>, chunk: Range<u32>| {
            let pairs = match &*components {
                Some(components) => all.connections_of_chunk(&chunk, is_wanted, components, scratch)?,
                None => all.pairs_of_chunk(&chunk, |_| true, is_wanted, scratch)?,
            };
            density.note(pairs.len(), &chunk);
            Ok(pairs)
        };
        let pairs = &mut self.pairs;
        let total = &mut self.found;
        let limit = self.limit;
        ordered_map(
            chunks,
            Pace::for_threads(session.threads()),
            || all.scratch(),
            work,
            |found: Result<Vec<_>>| {
                let found = found?;
                *total += found.len() as u64;
                limit.check_found(*total)?;
                pairs.extend(found.into_iter().map(PackedPair::from))
            },
        )?;
        self.candidates = sides.count_wanted(documents);
        Ok(())
    }

    /// Adds the pairs of vectors that planes do not refuse, bucket by bucket.
    fn join_buckets(&mut self, keys: &SharedKeys, planes: &PlaneBits, documents: &[DocId]) -> Result<()> {
        let Self { session, verifier, sides, pairs, candidates, components, found: total, limit, .. } = self;
        let verifier = verifier.without_plane_bits();
        let components = components.as_ref();
        let join = BucketJoin { keys, documents, planes, verifier, components, session };
        let is_wanted = |pair: &CandidatePair| sides.are_wanted(pair.a, pair.b);
        join.run(is_wanted, |found: BucketPairs| {
            *candidates += found.candidates;
            *total += found.pairs.len() as u64;
            limit.check_found(*total)?;
            pairs.extend(found.pairs.into_iter().map(PackedPair::from))
        })
    }

    /// Adds the pairs of the documents of a block with all later documents.
    fn join_block(&mut self, ranked: RankedDocuments<'_>, block: Range<u32>) -> Result<()> {
        let Self { session, density, max_chunk_pairs, max_hash, sides, components, .. } = self;
        let of_block = &ranked.order[block.start as usize..block.end as usize];
        let index = KeyIndex::over(ranked.keys, ranked.verifier.measure(), of_block.iter().copied());
        let mut index = if components.is_some() { index.with_runs() } else { index };
        index.untouched_memory().into_iter().for_each(ask_for_large_pages);
        try_each(index.writers(session.threads()), session.threads(), |mut writer| {
            block.clone().try_for_each(|rank| {
                let (size, keys) = ranked.indexed(rank);
                writer.insert(rank, size, keys);
                session.stages.check()
            })
        })?;
        let max_hash = &*max_hash;
        let wanted_max_hash = self.refused.is_some().then_some(max_hash);
        let index = index.reader();
        let components = components.as_ref();
        let probe = Probe { ranked, sides, block: block.clone(), index, components, max_hash: wanted_max_hash };
        let visits = || Visits { marks: VisitMarks::new(of_block.len()), found: Vec::new() };
        let left = block.start..ranked.order.len() as u32;
        let chunks = Chunks { left, max_documents: MAX_CHUNK_DOCUMENTS, max_pairs: *max_chunk_pairs, density };
        let work = |visits: &mut Visits, chunk: Range<u32>| {
            let part = probe.join_chunk(chunk.clone(), visits, session)?;
            density.note(part.pairs.len(), &chunk);
            Ok(part)
        };
        let pairs = &mut self.pairs;
        let candidates = &mut self.candidates;
        let refused = &mut self.refused;
        let total = &mut self.found;
        let limit = self.limit;
        ordered_map(chunks, Pace::for_threads(session.threads()), visits, work, |part: Result<JoinedPart>| {
            let part = part?;
            *total += part.pairs.len() as u64;
            limit.check_found(*total)?;
            *candidates += part.candidates;
            if let Some(sample) = refused {
                sample.merge(part.refused);
                max_hash.store(sample.max_hash(), Ordering::Relaxed);
            }
            pairs.extend(part.pairs)
        })
    }
}

/// Roles of the two sides: of containments, the smaller document of a pair is in the index.
fn roles(verifier: Verifier<'_>) -> Roles {
    match verifier.measure().contained() {
        Some(_) => Roles::ContainedIndexed,
        None => Roles::Same,
    }
}

/// The pairs of some documents.
#[derive(Default)]
struct JoinedPart {
    pairs: Vec<PackedPair>,
    candidates: u64,
    refused: RefusedSample,
}

/// The documents that a probe has found: buffers of a thread.
struct Visits {
    marks: VisitMarks,
    /// Ranks found under one blocking key. Those of all keys together would repeat a document for each key in common.
    found: Vec<u32>,
}

/// Finds and verifies the candidates of a document among those of a block.
struct Probe<'a> {
    ranked: RankedDocuments<'a>,
    sides: &'a GroupSides,
    /// Ranks in the index.
    block: Range<u32>,
    index: KeyIndexReader<'a>,
    /// The components so far, if only what connects them is wanted.
    components: Option<&'a SharedUnionFind>,
    /// Maximum hash of refused candidates, if they are sampled.
    max_hash: Option<&'a AtomicU64>,
}

impl Probe<'_> {
    /// The pairs of a chunk of documents, given by ranks, with all earlier documents of the block.
    fn join_chunk(&self, chunk: Range<u32>, visits: &mut Visits, session: &Session<'_>) -> Result<JoinedPart> {
        let mut part = JoinedPart::default();
        for rank in chunk.clone() {
            session.stages.check()?;
            let (size, keys) = self.ranked.probing(rank);
            let earlier = self.block.start..rank.min(self.block.end);
            let Visits { marks, found } = visits;
            marks.clear();
            for key in keys.chunks(1) {
                if self.components.is_some() {
                    self.connect(rank, KeyProbe { size, key: key[0], end: earlier.end }, marks, &mut part);
                    continue;
                }
                found.clear();
                self.index.probe(size, key, earlier.clone(), found);
                let new = found.iter().filter(|&&earlier| marks.mark(earlier - self.block.start));
                new.for_each(|&earlier| self.verify(rank, earlier, &mut part));
            }
        }
        session.stages.progress.advance(chunk.len() as u64);
        Ok(part)
    }

    /// Looks under a key for earlier documents with which a document is not connected yet, and adds the pairs that
    /// connect it.
    fn connect(&self, rank: u32, probe: KeyProbe, marks: &mut VisitMarks, part: &mut JoinedPart) {
        let Some(components) = self.components else { return };
        let document = |rank: u32| self.ranked.order[rank as usize];
        let is_connected = |earlier| components.are_joined(document(earlier), document(rank));
        let connect = |earlier| {
            let found = part.pairs.len();
            if marks.mark(earlier - self.block.start) {
                self.verify(rank, earlier, part);
            }
            if part.pairs.len() == found {
                return false;
            }
            if !components.union(document(earlier), document(rank)) {
                // Another thread has connected them meanwhile.
                part.pairs.truncate(found);
            }
            true
        };
        self.index.probe_apart(probe, is_connected, connect);
    }

    /// Verifies a candidate, if it is wanted.
    fn verify(&self, probing: u32, indexed: u32, part: &mut JoinedPart) {
        let RankedDocuments { order, verifier, .. } = self.ranked;
        let [probing, indexed] = [probing, indexed].map(|rank| order[rank as usize]);
        if !self.sides.are_wanted(probing, indexed) {
            return;
        }
        let a = probing.min(indexed);
        let b = probing.max(indexed);
        part.candidates += 1;
        match verifier.verify(CandidatePair { a, b }) {
            Some(pair) => part.pairs.push(pair.into()),
            None => {
                if let Some(max_hash) = self.max_hash {
                    part.refused.offer([a, b], max_hash.load(Ordering::Relaxed));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
