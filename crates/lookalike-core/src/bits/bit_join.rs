//! Search for all near pairs of fingerprints of at most 64 bits, without an index: the tables of [`super::tables`], one
//! after the other, sorted where they stand.
//!
//! ```text
//! for each table    fingerprints, dealt into partitions by their keys, each sorted by key
//!                   all pairs with one key compared; a run of many is divided by the tables of its other bits
//! ```
//!
//! A pair may have the same key in several tables. It is visited in the first of them only, which the bits in which the
//! two differ tell: so no pair is found twice, and none has to be remembered. The proof that none is missed is that of
//! the tables, with the fingerprints of a run in place of the documents that share a key.

use super::tables::{HOT, MAX_KEYS};
use super::{Cut, Hamming, TableCosts};
use crate::base::DocId;

/// Multiplier that spreads keys over partitions: 2^64 divided by the golden ratio, odd.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// A fingerprint of at most 64 bits, with its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShortBits {
    /// The bits.
    pub bits: u64,
    /// The document.
    pub document: DocId,
}

/// Two documents within the distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NearBits {
    /// The earlier document.
    pub a: DocId,
    /// The later document.
    pub b: DocId,
    /// Number of bits in which they differ.
    pub differing: u32,
}

/// A join of short fingerprints by tables.
#[derive(Debug, Clone)]
pub struct BitJoin {
    distance: u32,
    cut: Cut,
    /// Mask of all bits of a fingerprint.
    all: u64,
    /// One entry for each table: the bits of its keys.
    masks: Vec<u64>,
}

/// A table in a division of some bits, and the table whose run these divide.
#[derive(Clone, Copy)]
struct Level<'l> {
    masks: &'l [u64],
    table: usize,
    /// The bits that are divided.
    free: u64,
    /// Product of the numbers of tables of this level and all outer ones.
    product: usize,
    outer: Option<&'l Level<'l>>,
}

impl Level<'_> {
    fn mask(&self) -> u64 {
        self.masks[self.table]
    }

    /// Returns whether two fingerprints that differ in these bits share no key of an earlier table, here and in outer
    /// levels.
    fn is_first(&self, differing: u64) -> bool {
        let is_first_here = self.masks[..self.table].iter().all(|mask| differing & mask != 0);
        is_first_here && self.outer.is_none_or(|outer| outer.is_first(differing))
    }
}

/// Receiver of the pairs, number of candidates so far, and the check that may end the work.
struct PairSink<'s, E> {
    candidates: u64,
    check: &'s dyn Fn() -> Result<(), E>,
    visit: &'s mut dyn FnMut(NearBits) -> Result<(), E>,
}

impl BitJoin {
    /// A join for near-duplicates by `hamming` among `documents` documents; `None` for fingerprints of more than 64
    /// bits.
    pub fn new(hamming: Hamming, documents: u64) -> Option<Self> {
        let Hamming { distance, width } = hamming;
        let cut = Cut::choose(width, distance, documents, TableCosts::SORTED).filter(|_| width <= u64::BITS)?;
        let all = u64::MAX >> (u64::BITS - width);
        Some(Self { distance, cut, all, masks: masks_of(cut, all) })
    }

    /// The division of the bits.
    pub fn cut(&self) -> Cut {
        self.cut
    }

    /// Number of tables.
    pub fn tables(&self) -> usize {
        self.masks.len()
    }

    /// Deals fingerprints into 2^`partition_bits` partitions by their keys in a table, in place of what `dealt` holds,
    /// which has as many; returns where each partition ends.
    pub fn deal(&self, table: usize, partition_bits: u32, all: &[ShortBits], dealt: &mut [ShortBits]) -> Vec<usize> {
        let mask = self.masks[table];
        let partition = |item: &ShortBits| {
            let spread = (item.bits & mask).wrapping_mul(SPREAD);
            spread.checked_shr(u64::BITS - partition_bits).unwrap_or(0) as usize
        };
        let mut places = vec![0; 1 << partition_bits];
        all.iter().for_each(|item| places[partition(item)] += 1);
        let mut start = 0;
        for place in &mut places {
            start += std::mem::replace(place, start);
        }
        for item in all {
            let place = &mut places[partition(item)];
            dealt[*place] = *item;
            *place += 1;
        }
        places
    }

    /// Calls `visit` with each near pair of `items` that shares a key in a table and in no earlier one; returns how
    /// many pairs were compared. `check` is called now and then. The items are left in another order.
    ///
    /// # Errors
    /// Those of `check` and `visit`, which end the work.
    pub fn join<E>(
        &self,
        table: usize,
        items: &mut [ShortBits],
        check: &dyn Fn() -> Result<(), E>,
        visit: &mut dyn FnMut(NearBits) -> Result<(), E>,
    ) -> Result<u64, E> {
        let mut sink = PairSink { candidates: 0, check, visit };
        let level = Level { masks: &self.masks, table, free: self.all, product: self.masks.len(), outer: None };
        self.join_table(level, items, &mut sink)?;
        Ok(sink.candidates)
    }

    fn join_table<E>(&self, level: Level<'_>, items: &mut [ShortBits], sink: &mut PairSink<'_, E>) -> Result<(), E> {
        (sink.check)()?;
        let mask = level.mask();
        items.sort_unstable_by_key(|item| item.bits & mask);
        let runs = items.chunk_by_mut(|a, b| (a.bits ^ b.bits) & mask == 0);
        for run in runs.filter(|run| run.len() > 1) {
            match self.finer(level, run.len()) {
                Some((masks, free, product)) => {
                    for table in 0..masks.len() {
                        let finer = Level { masks: &masks, table, free, product, outer: Some(&level) };
                        self.join_table(finer, run, sink)?;
                    }
                }
                None => self.join_run(level, run, sink)?,
            }
        }
        Ok(())
    }

    /// The tables that divide a run of many fingerprints, the bits that they divide and the product of the numbers of
    /// tables; `None` if all pairs of the run are compared.
    fn finer(&self, level: Level<'_>, documents: usize) -> Option<(Vec<u64>, u64, usize)> {
        if documents <= HOT as usize {
            return None;
        }
        let free = level.free & !level.mask();
        let cut = Cut::choose(free.count_ones(), self.distance, documents as u64, TableCosts::SORTED)?;
        let product = level.product.saturating_mul(cut.tables());
        (product <= MAX_KEYS).then(|| (masks_of(cut, free), free, product))
    }

    /// Compares all pairs of a run.
    fn join_run<E>(&self, level: Level<'_>, run: &[ShortBits], sink: &mut PairSink<'_, E>) -> Result<(), E> {
        for (at, left) in run.iter().enumerate() {
            let others = &run[at + 1..];
            sink.candidates += others.len() as u64;
            if run.len() > HOT as usize {
                (sink.check)()?;
            }
            for right in others {
                let bits = left.bits ^ right.bits;
                let differing = bits.count_ones();
                if differing <= self.distance && level.is_first(bits) {
                    let a = left.document.min(right.document);
                    let b = left.document.max(right.document);
                    (sink.visit)(NearBits { a, b, differing })?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the bits of the keys of each table that a division of the bits in `free` makes.
fn masks_of(cut: Cut, free: u64) -> Vec<u64> {
    let mut masks = Vec::new();
    cut.for_each_table(&[free], |mask| masks.push(mask[0]));
    masks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::SplitMix64;
    use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
    use std::convert::Infallible;

    /// Fingerprints of which only `random` bits are random, in families of near copies.
    fn items(seed: u64, count: u32, random: u64, width: u32) -> Vec<ShortBits> {
        let mut source = SplitMix64::new(seed);
        let all = u64::MAX >> (64 - width);
        let mut bits = 0x5555_5555_5555_5555;
        (0..count)
            .map(|document| {
                if source.next_below(2) == 0 {
                    bits = bits & !random | source.next_u64() & random;
                }
                bits ^= 1 << source.next_below(64);
                ShortBits { bits: bits & all, document: DocId(document) }
            })
            .collect()
    }

    fn found(join: &BitJoin, items: &[ShortBits], partition_bits: u32) -> (Vec<(u32, u32, u32)>, u64) {
        let mut pairs = Vec::new();
        let mut candidates = 0;
        let mut dealt = items.to_vec();
        for table in 0..join.tables() {
            let mut start = 0;
            for end in join.deal(table, partition_bits, items, &mut dealt) {
                let check = || Ok::<(), Infallible>(());
                let mut visit = |pair: NearBits| {
                    pairs.push((pair.a.0, pair.b.0, pair.differing));
                    Ok(())
                };
                let Ok(compared) = join.join(table, &mut dealt[start..end], &check, &mut visit);
                candidates += compared;
                start = end;
            }
            assert_eq!(start, items.len());
        }
        pairs.sort_unstable();
        (pairs, candidates)
    }

    fn brute_force(items: &[ShortBits], distance: u32) -> Vec<(u32, u32, u32)> {
        let all = items.iter().flat_map(|a| items.iter().map(move |b| (a, b)));
        let near = all.filter(|(a, b)| a.document < b.document).map(|(a, b)| (a, b, (a.bits ^ b.bits).count_ones()));
        let near = near.filter(|(.., differing)| *differing <= distance);
        near.map(|(a, b, differing)| (a.document.0, b.document.0, differing)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn each_near_pair_is_found_once(
            seed in 0u64..1_000_000, count in 0u32..900, random in 0u32..64, width in 1u32..=64, distance in 0u32..64,
            partition_bits in 0u32..4,
        ) {
            let distance = (distance * distance / 64).min(width - 1);
            let items = items(seed, count, (1 << random) - 1, width);
            let join = BitJoin::new(Hamming { distance, width }, items.len() as u64).unwrap();
            let (pairs, candidates) = found(&join, &items, partition_bits);
            prop_assert_eq!(&pairs, &brute_force(&items, distance));
            prop_assert!(candidates >= pairs.len() as u64);
        }
    }

    #[test]
    fn equal_bits_of_all_cost_no_square() {
        let mut random = SplitMix64::new(3);
        let item =
            |document| ShortBits { bits: 0xABCD_EF01 << 32 | random.next_u64() >> 32, document: DocId(document) };
        let items: Vec<ShortBits> = (0..20_000).map(item).collect();
        let join = BitJoin::new(Hamming { distance: 3, width: 64 }, 20_000).unwrap();
        let (pairs, candidates) = found(&join, &items, 4);
        assert!(candidates < 200 * 20_000, "{candidates}");
        assert_eq!(pairs, brute_force(&items, 3));
    }
}
