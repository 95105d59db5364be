//! Dense numbers for the blocking keys that occur more than once.
//!
//! The occurrences are first distributed into bins by the upper bits of their blocking keys, because the hash table of
//! a bin fits the cache of a core and one of all blocking keys does not.

use crate::base::{Error, Ragged, Result};
use hashbrown::HashTable;

/// The number that marks a singleton.
const SINGLETON: u32 = u32::MAX;
/// Average number of occurrences per bin.
const KEYS_PER_BIN: usize = 4096;

/// Dense numbers of the blocking keys that occur more than once.
#[derive(Debug, Clone, Default)]
pub struct NumberedKeys {
    /// The number of the blocking key by occurrence, from 0.
    number: Vec<u32>,
    /// Prefix sums of the occurrences by number, followed by the total.
    starts: Vec<u32>,
}

impl NumberedKeys {
    /// Numbers the blocking keys of a sequence of occurrences. Equal sequences get equal numbers.
    ///
    /// # Errors
    /// [`crate::Error::TooManyKeys`] for more than 2^32 - 1 occurrences.
    pub fn new(keys: impl ExactSizeIterator<Item = u64> + Clone) -> Result<Self> {
        let count = u32::try_from(keys.len()).map_err(|_| Error::TooManyKeys)?;
        let bits = (keys.len() / KEYS_PER_BIN).max(2).ilog2();
        // Leading bits that all blocking keys share, because a caller has partitioned them, cannot choose a bin.
        let common = common_bits(keys.clone());
        let bin_of = |key: u64| ((key << common) >> (64 - bits)) as usize;
        let mut numbered = Self { number: vec![SINGLETON; keys.len()], starts: vec![0] };
        let bins = Ragged::group(1 << bits, keys.zip(0..count).map(|(key, place)| (bin_of(key), (key, place))));
        let mut bin = KeyBin::default();
        bins.iter().for_each(|occurrences| bin.number(occurrences, &mut numbered.number, &mut numbered.starts));
        Ok(numbered)
    }

    /// The number of the blocking key by occurrence; `None` for a singleton.
    pub fn by_occurrence(&self) -> impl Iterator<Item = Option<u32>> {
        self.number.iter().map(|&number| (number != SINGLETON).then_some(number))
    }

    /// Prefix sums of the occurrences: for each number, the occurrences of all lower numbers; then the total.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }
}

/// Number of leading bits in which all blocking keys agree, at most 32.
fn common_bits(mut keys: impl Iterator<Item = u64>) -> u32 {
    let Some(first) = keys.next() else { return 0 };
    let differing = keys.fold(0, |bits, key| bits | (key ^ first));
    differing.leading_zeros().min(32)
}

/// Buffers for the numbering of one bin.
#[derive(Default)]
struct KeyBin {
    /// Blocking key, and its number within the bin.
    table: HashTable<(u64, u32)>,
    /// One entry for each number within the bin: first the occurrences of the blocking key, then its final number.
    counts: Vec<u32>,
    /// One entry for each occurrence: the number within the bin.
    local: Vec<u32>,
}

impl KeyBin {
    /// Numbers the blocking keys of a bin; `dealt` has (blocking key, occurrence), the other two are those of
    /// [`NumberedKeys`].
    fn number(&mut self, dealt: &[(u64, u32)], number: &mut [u32], starts: &mut Vec<u32>) {
        let Self { table, counts, local } = self;
        table.clear();
        counts.clear();
        local.clear();
        // The upper bits are equal within a bin: the table must use the lower ones.
        let hash = |key: u64| key.rotate_left(32);
        for &(key, _) in dealt {
            let new = (key, counts.len() as u32);
            let entry = table.entry(hash(key), |&(other, _)| other == key, |&(other, _)| hash(other)).or_insert(new);
            let numbered = entry.get().1;
            if numbered == new.1 {
                counts.push(0);
            }
            counts[numbered as usize] += 1;
            local.push(numbered);
        }
        for count in counts.iter_mut() {
            let occurrences = std::mem::replace(count, SINGLETON);
            if occurrences > 1 {
                *count = starts.len() as u32 - 1;
                starts.push(starts[starts.len() - 1] + occurrences);
            }
        }
        for (&(_, place), &numbered) in dealt.iter().zip(&*local) {
            number[place as usize] = counts[numbered as usize];
        }
    }
}
