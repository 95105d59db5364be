//! Numbering the blocking keys of one part: equal ones get one number, singletons none.

use crate::base::Result;
use crate::spill::{Spill, SpillColumn};
use bytemuck::{Pod, Zeroable};
use hashbrown::HashTable;
use lookalike_core::Array;
use lookalike_core::keys::{NumberedKeys, SharedKey};

/// Memory that numbering takes for each key of a part.
pub(super) const BYTES_PER_KEY: usize = 48;

/// A key, mixed, before it has a number.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct UnnumberedKey {
    pub(super) key: u64,
    pub(super) document: u32,
    pub(super) position: u32,
}

/// A key with its number.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Numbered {
    pub(super) document: u32,
    pub(super) shared: SharedKey,
}

/// The keys of a part without singletons, with numbers from 0, and by key how many occurrences all earlier keys have,
/// with the total at the end.
pub(super) enum NumberedPart {
    /// Part in memory.
    Small { keys: Vec<Numbered>, starts: Vec<u32> },
    /// Part that is too large for that, as a rule because it has a blocking key that very many documents have:
    /// only the distinct ones are in memory, of those that are no singletons.
    Large { part: Array<UnnumberedKey>, numbers: HashTable<(u64, u32)>, starts: Vec<u32> },
}

impl NumberedPart {
    /// Numbers a part, in memory if it takes at most `max_bytes` there.
    ///
    /// # Errors
    /// [`lookalike_core::Error::TooManyKeys`] for more than 2^32 - 1 keys; that of `check`, which is called now and
    /// then.
    pub(super) fn number(
        part: Array<UnnumberedKey>,
        max_bytes: usize,
        check: &impl Fn() -> Result<()>,
    ) -> Result<Self> {
        let is_small = part.len() <= max_bytes / BYTES_PER_KEY;
        if is_small { number_part(&part) } else { Self::count(part, max_bytes, check) }
    }

    /// Numbers a part that is read three times, forward; `max_bytes` are for ruling out singletons.
    fn count(part: Array<UnnumberedKey>, max_bytes: usize, check: &impl Fn() -> Result<()>) -> Result<Self> {
        // No count in the part is larger.
        u32::try_from(part.len()).map_err(|_| lookalike_core::Error::TooManyKeys)?;
        let hash = |&(key, _): &(u64, u32)| key.rotate_left(32);
        let repeated = RepeatedKeys::new(&part, max_bytes, check)?;
        let mut numbers: HashTable<(u64, u32)> = HashTable::new();
        for chunk in part.chunks() {
            check()?;
            for &UnnumberedKey { key, .. } in chunk.iter().filter(|dealt| repeated.may_hold(dealt.key)) {
                let entry = numbers.entry(hash(&(key, 0)), |&(other, _)| other == key, hash);
                entry.or_insert((key, 0)).get_mut().1 += 1;
            }
        }
        numbers.retain(|&mut (_, occurrences)| occurrences > 1);
        let mut starts = vec![0];
        for (_, number) in &mut numbers {
            let occurrences = std::mem::replace(number, starts.len() as u32 - 1);
            starts.push(starts[starts.len() - 1] + occurrences);
        }
        Ok(Self::Large { part, numbers, starts })
    }

    pub(super) fn starts(&self) -> &[u32] {
        match self {
            Self::Small { starts, .. } | Self::Large { starts, .. } => starts,
        }
    }

    /// Appends the keys, whose numbers begin at `first`, in the order of the documents.
    pub(super) fn append_to(
        self,
        numbered: &mut SpillColumn<Numbered>,
        first: u32,
        spill: &Spill,
        check: &impl Fn() -> Result<()>,
    ) -> Result<()> {
        match self {
            Self::Small { mut keys, .. } => {
                keys.iter_mut().for_each(|key| key.shared.number += first);
                numbered.extend(&keys, spill)
            }
            Self::Large { part, numbers, .. } => {
                let mut keys = Vec::new();
                for chunk in part.chunks() {
                    check()?;
                    for &UnnumberedKey { key, document, position } in chunk {
                        let known = numbers.find(key.rotate_left(32), |&(other, _)| other == key);
                        let shared = known.map(|&(_, number)| SharedKey { number: first + number, position });
                        keys.extend(shared.map(|shared| Numbered { document, shared }));
                    }
                    numbered.extend(&keys, spill)?;
                    keys.clear();
                }
                Ok(())
            }
        }
    }
}

/// A bit map that holds all keys which occur more than once, and some others.
struct RepeatedKeys(Vec<u64>);

impl RepeatedKeys {
    /// Bits of the map for each key; fewer where `max_bytes` is too small for them.
    const BITS_PER_KEY: usize = 16;

    fn new(part: &Array<UnnumberedKey>, max_bytes: usize, check: &impl Fn() -> Result<()>) -> Result<Self> {
        // One map of what was met, one of what was met again; a power of two not above the memory for them.
        let max_words = (max_bytes / 2 / size_of::<u64>()).max(1);
        let words = (part.len() * Self::BITS_PER_KEY).div_ceil(64).clamp(1, 1 << max_words.ilog2()).next_power_of_two();
        let mut met = vec![0; words];
        let mut again = Self(vec![0; words]);
        for chunk in part.chunks() {
            check()?;
            for &UnnumberedKey { key, .. } in chunk {
                let (word, bit) = again.place(key);
                again.0[word] |= met[word] & bit;
                met[word] |= bit;
            }
        }
        Ok(again)
    }

    /// Word and bit of a key. The first bits of the keys of a part are equal, the last ones random.
    fn place(&self, key: u64) -> (usize, u64) {
        let place = key as usize % (self.0.len() * 64);
        (place / 64, 1 << (place % 64))
    }

    fn may_hold(&self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        self.0[word] & bit != 0
    }
}

fn number_part(part: &Array<UnnumberedKey>) -> Result<NumberedPart> {
    let dealt = part.slice(0..part.len());
    let numbered = NumberedKeys::new(dealt.iter().map(|dealt| dealt.key))?;
    let with_number = |(place, number): (usize, u32)| {
        let UnnumberedKey { document, position, .. } = dealt[place];
        Numbered { document, shared: SharedKey { number, position } }
    };
    let numbers = numbered.by_occurrence().enumerate();
    let keys = numbers.filter_map(|(place, number)| Some(with_number((place, number?)))).collect();
    Ok(NumberedPart::Small { keys, starts: numbered.starts().to_vec() })
}
