//! Join of short fingerprints, table by table: less work and memory than blocking keys in an index.
//!
//! The keepers rule, too, is decided from all pairs, unless there are far more of them than documents: a family of n
//! copies has n squared pairs, where an index of keepers needs n comparisons.

use super::join::{Joined, PackedPair};
use super::pair_limit::PairLimit;
use crate::base::Result;
use crate::run::Session;
use crate::spill::{ExternalSort, Repeats, Share};
use crate::threads::{Pace, lock, ordered_map};
use lookalike_core::DocId;
use lookalike_core::bits::{BitJoin, Hamming, NearBits, ShortBits};
use lookalike_core::comparison::{EqualSets, Verifier};
use lookalike_core::rule::{RatedPair, SharedUnionFind};
use lookalike_core::similarity::{Agreement, CandidatePair, DifferingBits};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Fingerprints of a partition: they and their order fit into the cache of a core.
const PARTITION_ITEMS: usize = 1 << 12;
/// Maximum number of partitions that are written to at a time.
const MAX_PARTITION_BITS: u32 = 12;
/// Pairs that a thread holds.
const HELD_PAIRS: usize = 1 << 12;
/// Maximum number of pairs from which the keepers rule is decided, for each document and beside.
const MAX_PAIRS_PER_DOCUMENT: usize = 8;
const MIN_MAX_PAIRS: usize = 1 << 16;

/// A join of the representatives of groups.
pub(super) struct BitsJoining<'a> {
    join: BitJoin,
    width: u32,
    verifier: Verifier<'a>,
    groups: &'a EqualSets,
    session: &'a Session<'a>,
    /// Number of pairs at which the join is given up, and how many were found.
    max_pairs: u64,
    found: AtomicU64,
    /// The components so far, if only what connects them is wanted.
    components: Option<SharedUnionFind>,
}

impl<'a> BitsJoining<'a> {
    /// The join of fingerprints that are short, and few enough to be in memory twice; `None` for others.
    pub(super) fn new(
        hamming: Hamming,
        verifier: Verifier<'a>,
        groups: &'a EqualSets,
        session: &'a Session<'a>,
    ) -> Option<Self> {
        let documents = groups.representatives().len();
        let budget = session.spill.budget();
        // In place of blocking keys and of their index.
        let available = budget.max_bytes_beside(verifier.sets().memory_bytes() as u64) + budget.share(Share::Index);
        let fits = documents <= available / (2 * size_of::<ShortBits>());
        let join = BitJoin::new(hamming, documents as u64).filter(|_| fits)?;
        Some(Self {
            join,
            width: hamming.width,
            verifier,
            groups,
            session,
            max_pairs: u64::MAX,
            found: AtomicU64::new(0),
            components: None,
        })
    }

    /// The division of the bits.
    pub(super) fn join(&self) -> &BitJoin {
        &self.join
    }

    /// Number of fingerprints in all tables.
    pub(super) fn work(&self) -> usize {
        self.join.tables() * self.groups.representatives().len()
    }

    /// Copy that is given up if it finds more pairs than are worth it for the keepers rule, or than fit into memory.
    pub(super) fn for_keepers(self) -> Self {
        let documents = self.groups.representatives().len();
        let available = self.session.spill.budget().share(Share::Index) / size_of::<RatedPair>();
        let max_pairs = (documents * MAX_PAIRS_PER_DOCUMENT).max(MIN_MAX_PAIRS).min(available) as u64;
        Self { max_pairs, ..self }
    }

    /// Copy that adds as many pairs as connect what all connect.
    pub(super) fn for_components(self) -> Self {
        Self { components: Some(SharedUnionFind::new(self.groups.len())), ..self }
    }

    /// Copy that is given up if it finds more pairs than there may be.
    pub(super) fn within(self, limit: PairLimit) -> Self {
        Self { max_pairs: limit.max_pairs.unwrap_or(self.max_pairs), ..self }
    }

    /// Finds all pairs; `None` if it was given up.
    pub(super) fn run(self) -> Result<Option<Joined>> {
        let Self { join, verifier, groups, session, .. } = &self;
        let mut documents = groups.representatives().to_vec();
        documents.sort_unstable();
        let bits_of = |document: DocId| verifier.sets().get(document).first().copied().unwrap_or_default();
        let items: Vec<ShortBits> =
            documents.into_iter().map(|document| ShortBits { bits: bits_of(document), document }).collect();
        let partition_bits =
            (items.len() / PARTITION_ITEMS).next_power_of_two().trailing_zeros().min(MAX_PARTITION_BITS);
        let mut dealt = items.clone();
        let sort = ExternalSort::new(&session.spill, Repeats::Kept, session.spill.budget().share(Share::Pairs));
        let pairs = Mutex::new(sort);
        let mut candidates = 0;
        for table in 0..join.tables() {
            session.stages.check()?;
            if self.is_given_up() {
                return Ok(None);
            }
            let ends = join.deal(table, partition_bits, &items, &mut dealt);
            let work = |(): &mut (), items: &mut [ShortBits]| self.join_partition(table, items, &pairs);
            let add = |compared: Result<u64>| {
                candidates += compared?;
                Result::<()>::Ok(())
            };
            ordered_map(partitions(&mut dealt, ends), Pace::for_threads(session.threads()), || (), work, add)?;
        }
        let pairs = pairs.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let is_given_up = self.is_given_up();
        let joined = Joined { pairs: pairs.finish()?, refused: None, candidates };
        Ok((!is_given_up).then_some(joined))
    }

    fn is_given_up(&self) -> bool {
        self.found.load(Ordering::Relaxed) > self.max_pairs
    }

    /// Adds the pairs of a partition; returns how many were compared.
    fn join_partition(
        &self,
        table: usize,
        items: &mut [ShortBits],
        pairs: &Mutex<ExternalSort<'_, PackedPair>>,
    ) -> Result<u64> {
        let session = self.session;
        let mut held = Vec::new();
        let mut visit = |NearBits { a, b, differing }: NearBits| {
            let found = Agreement::Bits(DifferingBits { differing, width: self.width });
            let Some(pair) = self.verifier.accept(CandidatePair { a, b }, found) else { return Ok(()) };
            if self.components.as_ref().is_some_and(|components| !components.union(a, b)) {
                return Ok(());
            }
            held.push(PackedPair::from(pair));
            if held.len() >= HELD_PAIRS {
                session.stages.check()?;
                self.found.fetch_add(held.len() as u64, Ordering::Relaxed);
                if self.is_given_up() {
                    held.clear();
                } else {
                    lock(pairs).extend(held.drain(..))?;
                }
            }
            Ok(())
        };
        if self.is_given_up() {
            return Ok(0);
        }
        let candidates = self.join.join(table, items, &|| session.stages.check(), &mut visit)?;
        session.stages.progress.advance(items.len() as u64);
        if !held.is_empty() {
            self.found.fetch_add(held.len() as u64, Ordering::Relaxed);
            lock(pairs).extend(held)?;
        }
        Ok(candidates)
    }
}

/// The partitions of fingerprints, given where each ends.
fn partitions(mut items: &mut [ShortBits], ends: Vec<usize>) -> impl Iterator<Item = &mut [ShortBits]> {
    let mut start = 0;
    ends.into_iter().map(move |end| {
        let (partition, rest) = std::mem::take(&mut items).split_at_mut(end - start);
        items = rest;
        start = end;
        partition
    })
}
