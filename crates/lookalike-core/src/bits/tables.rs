//! Blocking keys of fingerprints for the exact method: tables of blocks of bits.
//!
//! The bits of a fingerprint are divided into m blocks, and two fingerprints that differ in at most K bits differ in at
//! most K blocks, so they agree in all bits of some m - K of them (pigeonhole principle; Manku, Jain, Das Sarma,
//! "Detecting near-duplicates for web crawling", WWW 2007). There is a table for each choice of m - K blocks, and the
//! key of a document in it is a hash of the number of the table and of these bits:
//!
//! ```text
//! m = 5, K = 3, 64 bits    [ 13 ][ 13 ][ 13 ][ 13 ][ 12 ]     10 tables with keys of 25 or 26 bits
//!                          [####]      [####]                  the bits of one of them
//! ```
//!
//! More blocks make more tables with longer keys, which fewer documents share by chance; [`Cut::choose`] weighs both.
//!
//! Some keys are *hot*: many documents have them, because their bits are not random. A million fingerprints with one
//! key would have 5 10^11 pairs. In place of a hot key a document has finer ones, by the same principle: the bits that
//! are not in the key are divided in turn, and each new key is a hash of the hot key and of the chosen blocks of these.
//!
//! # Proof that nothing is missed
//!
//! Let a and b differ in at most K bits. *Claim*: for each key k that both have, hot or not, both have a key in common
//! among those that stand in place of k, k itself if it is not replaced. By induction over the bits that are not in k:
//! whether k is replaced, and by which division, is a function of k, of its count and of the path of tables that led to
//! it, so it is the same for a and b. If k is replaced, then a and b agree in the bits of k, and in the other bits they
//! differ in at most K; so they agree in some m - K of the m blocks of these, and have the key of that table in common,
//! which has fewer bits outside of it than k. By the pigeonhole principle a and b have a key in common in the tables of
//! all bits; the claim says that they have one after all replacements. Documents with a common key are candidates.
//!
//! Replacing ends where the bits outside of a key are no more than K, for then all documents with the key are
//! near-duplicates, and where the product of the numbers of tables on the path exceeds [`MAX_KEYS`]: as each path of
//! the product p is one of at most p, no document has more keys than that.

use super::{Hamming, KeyCounts};
use crate::base::hash::mix64;
use crate::documents::element_masks;
use crate::keys::BlockingKey;

/// Maximum number of tables of one division, unless K + 1, the minimum, is more.
const MAX_TABLES: usize = 256;
/// Maximum number of keys of a document.
pub(super) const MAX_KEYS: usize = 4096;
/// Documents that share a key from which on it is hot.
pub(super) const HOT: u32 = 256;
/// Factor of the numbers of tables, by which their salts differ.
const SALT_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Costs of a search by tables, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableCosts {
    /// A document in a table.
    key: f64,
    /// A candidate that is refused.
    candidate: f64,
}

impl TableCosts {
    /// Keys are numbered and looked up in an index, candidates are read where they stand.
    pub const INDEXED: Self = Self { key: 60.0, candidate: 50.0 };
    /// Fingerprints are sorted, and candidates stand side by side.
    pub const SORTED: Self = Self { key: 40.0, candidate: 5.0 };
}

/// A division of bits into blocks: how many blocks, and how many of them make a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Number m of blocks.
    pub blocks: u32,
    /// Number m - K of blocks in a key.
    pub chosen: u32,
    /// Number of bits that are divided.
    bits: u32,
}

impl Cut {
    /// The cheapest division of `bits` bits for near-duplicates within `distance` bits among `documents` documents of
    /// random bits. `None` if there are not more bits than the distance: any two documents are near-duplicates.
    pub fn choose(bits: u32, distance: u32, documents: u64, costs: TableCosts) -> Option<Self> {
        let cut = |blocks| Self { blocks, chosen: blocks - distance, bits };
        let fits = |cut: &Self| cut.chosen == 1 || cut.tables() <= MAX_TABLES;
        let cuts = (distance + 1..=bits).map(cut).take_while(fits);
        cuts.min_by(|a, b| a.cost(documents, costs).total_cmp(&b.cost(documents, costs)))
    }

    /// Number of tables, saturating: the binomial coefficient of m and m - K.
    pub fn tables(self) -> usize {
        let rest = self.blocks - self.chosen;
        let few = rest.min(self.chosen);
        (0..few).fold(1u128, |product, number| {
            let next = product.saturating_mul(u128::from(self.blocks - number)) / u128::from(number + 1);
            next.min(u128::from(u64::MAX))
        }) as usize
    }

    /// Number of bits of a key, on the average of the tables.
    pub fn key_bits(self) -> f64 {
        f64::from(self.bits) * f64::from(self.chosen) / f64::from(self.blocks)
    }

    /// Cost for each document.
    fn cost(self, documents: u64, costs: TableCosts) -> f64 {
        let candidates = documents as f64 / 2.0 / self.key_bits().exp2();
        self.tables() as f64 * (costs.key + candidates * costs.candidate)
    }

    /// Calls `visit` with the bits of the keys of each table, by element, in a division of the bits that stand in
    /// `free`.
    pub(super) fn for_each_table(self, free: &[u64], mut visit: impl FnMut(Vec<u64>)) {
        let bits: Vec<(usize, u64)> = free
            .iter()
            .enumerate()
            .flat_map(|(element, &word)| (0..u64::BITS).map(move |bit| (element, word & 1 << bit)))
            .filter(|&(_, bit)| bit != 0)
            .collect();
        for_each_choice(self.blocks, self.chosen, |choice| {
            let mut mask = vec![0; free.len()];
            for &block in choice {
                let range = self.start(block) as usize..self.start(block + 1) as usize;
                bits[range].iter().for_each(|&(element, bit)| mask[element] |= bit);
            }
            visit(mask);
        });
    }

    /// The first bit of a block.
    fn start(self, block: u32) -> u32 {
        (u64::from(self.bits) * u64::from(block) / u64::from(self.blocks)) as u32
    }
}

/// Calls `visit` with each choice of `chosen` of `count` numbers, ascending, in lexicographic order.
fn for_each_choice(count: u32, chosen: u32, mut visit: impl FnMut(&[u32])) {
    let mut choice: Vec<u32> = (0..chosen).collect();
    loop {
        visit(&choice);
        let movable = (0..chosen as usize).rev().find(|&at| choice[at] < count - chosen + at as u32);
        let Some(at) = movable else { return };
        choice[at] += 1;
        (at + 1..chosen as usize).for_each(|next| choice[next] = choice[next - 1] + 1);
    }
}

/// The tables of a division.
#[derive(Debug, Clone)]
struct Tables {
    tables: Vec<BitTable>,
}

/// A table, and what stands in place of its hot keys.
#[derive(Debug, Clone)]
struct BitTable {
    /// The bits of its keys, by element.
    mask: Vec<u64>,
    salt: u64,
    /// One entry for each logarithm of the count of a hot key: the replacement that stands in its place, chosen when it
    /// is first needed.
    finer: Vec<Option<Finer>>,
}

impl Tables {
    /// The tables of a division of the bits that stand in `free`, one word an element.
    fn new(cut: Cut, free: &[u64]) -> Self {
        let mut tables = Vec::new();
        cut.for_each_table(free, |mask| {
            let salt = SALT_FACTOR.wrapping_mul(tables.len() as u64 + 1);
            tables.push(BitTable { mask, salt, finer: Vec::new() });
        });
        Self { tables }
    }
}

/// Replacement of a hot key.
#[derive(Debug, Clone)]
enum Finer {
    /// The keys of these tables of the bits that are in no key of its path.
    Tables {
        tables: Tables,
        free: Vec<u64>,
        /// Product of the numbers of tables on the path, these included.
        product: usize,
    },
    /// No replacement: the key itself.
    Nothing,
}

/// Properties of all keys: the distance, and which keys are hot.
#[derive(Debug, Clone, Copy)]
struct Heat<'a> {
    distance: u32,
    /// One entry for each number of replacements before: counts of the keys.
    counts: &'a [KeyCounts],
}

/// A key on the path to those that stand in its place.
#[derive(Debug, Clone, Copy)]
struct Path<'p> {
    key: u64,
    /// Number of replacements before.
    depth: usize,
    /// Product of the numbers of tables, those that follow included.
    product: usize,
    /// The bits that are in no key of the path, by element.
    free: &'p [u64],
}

/// Computes the table keys of fingerprints. Owns the tables: clone one per thread.
#[derive(Debug, Clone)]
pub struct TableKeys<'a> {
    tables: Tables,
    heat: Heat<'a>,
    /// Masks of all bits, by element.
    all: Vec<u64>,
    cut: Option<Cut>,
}

impl<'a> TableKeys<'a> {
    /// Table keys for near-duplicates by `hamming` among `documents` documents; `counts` are those of the keys of all
    /// documents, by the number of replacements before ([`TableKeys::needs_counts`]). The keys depend on both, what
    /// they find does not.
    pub fn new(hamming: Hamming, documents: u64, counts: &'a [KeyCounts]) -> Self {
        let Hamming { distance, width } = hamming;
        let all: Vec<u64> = element_masks(width).map(|(mask, _)| mask).collect();
        let cut = Cut::choose(width, distance, documents, TableCosts::INDEXED);
        let tables = cut.map_or(Tables { tables: Vec::new() }, |cut| Tables::new(cut, &all));
        Self { tables, heat: Heat { distance, counts }, all, cut }
    }

    /// The division of all bits; `None` if the distance is not below the width.
    pub fn cut(&self) -> Option<Cut> {
        self.cut
    }

    /// Returns whether the last counts say that some keys are hot, so that those in their place are to be counted.
    pub fn needs_counts(counts: &[KeyCounts]) -> bool {
        counts.last().is_none_or(|counts| counts.max() > HOT)
    }

    /// Appends the keys of a fingerprint, given by its elements.
    pub fn append(&mut self, elements: &[u64], keys: &mut Vec<BlockingKey>) {
        self.for_each(elements, |key, _| keys.push(BlockingKey { hash: key, position: 0 }));
    }

    /// Counts those keys of a fingerprint that are not counted yet; returns their number.
    pub fn count(&mut self, elements: &[u64], counts: &KeyCounts) -> usize {
        let depth = self.heat.counts.len();
        let mut counted = 0;
        self.for_each(elements, |key, found| {
            if found == depth {
                counts.count(key);
                counted += 1;
            }
        });
        counted
    }

    /// Calls `visit` with each key, and the number of replacements before it.
    fn for_each(&mut self, elements: &[u64], mut visit: impl FnMut(u64, usize)) {
        let Self { tables, heat, all, .. } = self;
        let root = Path { key: 0, depth: 0, product: tables.tables.len(), free: all };
        heat.visit(elements, tables, root, &mut visit);
    }
}

impl Heat<'_> {
    fn visit(self, elements: &[u64], tables: &mut Tables, path: Path<'_>, visit: &mut impl FnMut(u64, usize)) {
        for table in &mut tables.tables {
            let key = table.key(elements, path.key);
            let count = self.counts.get(path.depth).map_or(0, |counts| counts.get(key));
            if count <= HOT {
                visit(key, path.depth);
                continue;
            }
            match table.finer(count, path, self.distance) {
                Finer::Tables { tables, free, product } => {
                    self.visit(elements, tables, Path { key, depth: path.depth + 1, product: *product, free }, visit);
                }
                Finer::Nothing => visit(key, path.depth),
            }
        }
    }
}

impl BitTable {
    /// The key of a fingerprint in place of the key `parent`.
    #[inline]
    fn key(&self, elements: &[u64], parent: u64) -> u64 {
        let start = parent ^ self.salt;
        elements.iter().zip(&self.mask).fold(start, |hash, (element, mask)| mix64(hash ^ (element & mask)))
    }

    /// Returns the replacement of a key with this count at the end of a path.
    fn finer(&mut self, count: u32, path: Path<'_>, distance: u32) -> &mut Finer {
        let class = count.next_power_of_two().trailing_zeros() as usize;
        if self.finer.len() <= class {
            self.finer.resize(class + 1, None);
        }
        let mask = &self.mask;
        self.finer[class].get_or_insert_with(|| {
            let free: Vec<u64> = path.free.iter().zip(mask).map(|(free, mask)| free & !mask).collect();
            let bits = free.iter().map(|word| word.count_ones()).sum();
            let cut = Cut::choose(bits, distance, 1 << class, TableCosts::INDEXED);
            let product = cut.map_or(0, |cut| path.product.saturating_mul(cut.tables()));
            match cut.filter(|_| product <= MAX_KEYS) {
                Some(cut) => Finer::Tables { tables: Tables::new(cut, &free), free, product },
                None => Finer::Nothing,
            }
        })
    }
}

#[cfg(test)]
mod tests;
