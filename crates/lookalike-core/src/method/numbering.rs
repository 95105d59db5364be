//! Numbers for the keys that occur more than once.
//!
//! The occurrences are first dealt into parts by the upper bits of their keys: a part fits into the cache of a core, which a table of
//! all keys would not.

use crate::ground::{Error, Result};
use hashbrown::HashTable;

/// Stands for the number of a singleton.
const SINGLETON: u32 = u32::MAX;
/// Keys that are looked up in one small table.
const KEYS_PER_PART: usize = 4096;

/// Numbers of keys that occur more than once.
#[derive(Debug, Clone, Default)]
pub struct NumberedKeys {
    /// By occurrence: the number of its key, from 0.
    number: Vec<u32>,
    /// By number: occurrences of all keys with lower numbers; the total at the end.
    starts: Vec<u32>,
}

impl NumberedKeys {
    /// Numbers the keys of a sequence of occurrences.
    ///
    /// # Errors
    /// [`crate::Error::TooManyKeys`] past 2^32 - 1 occurrences.
    pub fn of(keys: impl ExactSizeIterator<Item = u64> + Clone) -> Result<Self> {
        let count = u32::try_from(keys.len()).map_err(|_| Error::TooManyKeys)?;
        let bits = (keys.len() / KEYS_PER_PART).max(2).ilog2();
        // Where all keys agree in their first bits, because a caller has dealt them out already, those say nothing.
        let common = common_bits(keys.clone());
        let part_of = |key: u64| ((key << common) >> (64 - bits)) as usize;
        let mut ends = vec![0u32; (1 << bits) + 1];
        keys.clone().for_each(|key| ends[part_of(key) + 1] += 1);
        for part in 1..ends.len() {
            ends[part] += ends[part - 1];
        }
        let mut dealt = vec![(0u64, 0u32); keys.len()];
        let mut numbered = Self { number: vec![SINGLETON; keys.len()], starts: vec![0] };
        for (key, place) in keys.zip(0..count) {
            let next = &mut ends[part_of(key)];
            dealt[*next as usize] = (key, place);
            *next += 1;
        }
        let mut part = Part::default();
        let mut begin = 0;
        for &end in &ends[..1 << bits] {
            part.number(&dealt[begin as usize..end as usize], &mut numbered.number, &mut numbered.starts);
            begin = end;
        }
        Ok(numbered)
    }

    /// By occurrence: the number of its key, `None` for a singleton.
    pub fn by_occurrence(&self) -> impl Iterator<Item = Option<u32>> {
        self.number.iter().map(|&number| (number != SINGLETON).then_some(number))
    }

    /// By number: occurrences of all keys with lower numbers; the total at the end.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }
}

/// Number of leading bits in which all keys agree.
fn common_bits(mut keys: impl Iterator<Item = u64>) -> u32 {
    let Some(first) = keys.next() else { return 0 };
    let differing = keys.fold(0, |bits, key| bits | (key ^ first));
    differing.leading_zeros().min(32)
}

/// The keys of one part, while they are numbered.
#[derive(Default)]
struct Part {
    /// Key, and its number in this part.
    table: HashTable<(u64, u32)>,
    /// By number in this part: first how often the key occurs, then its number among all.
    counts: Vec<u32>,
    local: Vec<u32>,
}

impl Part {
    fn number(&mut self, dealt: &[(u64, u32)], number: &mut [u32], starts: &mut Vec<u32>) {
        let Self { table, counts, local } = self;
        table.clear();
        counts.clear();
        local.clear();
        // The upper bits are alike in a part: the table is to see the others.
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
