//! Blocking keys of the exact method for containment: a contained document has one of its rarest elements in common
//! with every container, wherever that stands there (prefix filter: Bayardo, Ma, Srikant 2007).
//!
//! Every document may be contained in some and contain others. Its keys are its prefix, in the common order, and behind
//! it those of its other elements that are in the prefix of any contained document:
//!
//! ```text
//! x in the common order:   e1 e2 e3 | e4 e5 e6 e7 e8 ...
//!                          prefix     of these: the ones that are in other prefixes
//! as a contained document  e1 e2 e3
//! as a container           e1 e2 e3     e5       e8
//! ```
//!
//! The one element of a set is always a key, however rare: it may be a short text that stands inside others
//! ([`ShortTexts`](crate::documents::ShortTexts)), which have it among their other keys.
//!
//! Positions of the prefix are known. Those of the other keys are not: they have the size of the set as position.

use super::PrefixKeys;
use crate::base::hash::mix64;
use crate::keys::{BlockingKey, Bounds, FrequencyTable};
use std::sync::atomic::{AtomicU64, Ordering};

/// Bits of the map for each element of a prefix: one in eight of the other elements is taken by mistake, which costs
/// time and changes no answer.
const BITS_PER_ELEMENT: usize = 8;

/// The elements that are in the prefix of a contained document: a bit map by hash, filled by all threads.
#[derive(Debug)]
pub struct ContainedElements {
    words: Vec<AtomicU64>,
    shift: u32,
}

impl ContainedElements {
    /// An empty map for about `elements` elements, of at most `max_bytes`.
    pub fn sized_for(elements: usize, max_bytes: usize) -> Self {
        let unlimited = elements.saturating_mul(BITS_PER_ELEMENT).max(64).next_power_of_two();
        let max = (max_bytes.max(16) * 8 / 2 + 1).next_power_of_two();
        let bits = unlimited.min(max).max(64);
        let words = (0..bits / 64).map(|_| AtomicU64::new(0)).collect();
        Self { words, shift: 64 - bits.trailing_zeros() }
    }

    fn bit(&self, element: u64) -> (&AtomicU64, u64) {
        let bit = mix64(element) >> self.shift;
        (&self.words[(bit / 64) as usize], 1 << (bit % 64))
    }

    /// Enters the elements of these keys.
    pub fn insert(&self, keys: &[BlockingKey]) {
        for key in keys {
            let (word, bit) = self.bit(key.hash);
            // Most are there already where much is alike.
            if word.load(Ordering::Relaxed) & bit == 0 {
                word.fetch_or(bit, Ordering::Relaxed);
            }
        }
    }

    /// Returns whether an element may have been entered; never false for one that was.
    fn may_contain(&self, element: u64) -> bool {
        let (word, bit) = self.bit(element);
        word.load(Ordering::Relaxed) & bit != 0
    }
}

/// Computes the keys of sets, whose prefixes `P` makes. Owns reusable buffers: create one per thread.
#[derive(Debug, Clone)]
pub struct ContainmentKeys<'a, P = PrefixKeys<'a>> {
    prefixes: P,
    contained: &'a ContainedElements,
    /// Elements of the prefix of a set, sorted.
    own: Vec<u64>,
}

impl<'a> ContainmentKeys<'a> {
    /// Keys by the bounds of a measure, given the frequencies of the elements of all sets, and the elements of all
    /// prefixes.
    pub fn new(
        frequencies: &'a FrequencyTable,
        bounds: impl Bounds + 'static,
        contained: &'a ContainedElements,
    ) -> Self {
        Self::with_prefixes(PrefixKeys::new(frequencies, bounds), contained)
    }

    /// Appends the keys of one set: its prefix in the common order, and then its other keys.
    pub fn append(&mut self, set: &[u64], keys: &mut Vec<BlockingKey>) {
        self.append_behind(set, set.len() as u32, keys, |prefixes, keys| prefixes.append(set, keys));
    }

    /// Appends the keys of a set whose first counts are given.
    pub fn append_counted(&mut self, set: &[u64], first: &[u8], keys: &mut Vec<BlockingKey>) {
        self.append_behind(set, set.len() as u32, keys, |prefixes, keys| prefixes.append_counted(set, first, keys));
    }
}

impl<'a, P> ContainmentKeys<'a, P> {
    /// Keys of sets by `prefixes`, given the elements of all prefixes.
    pub fn with_prefixes(prefixes: P, contained: &'a ContainedElements) -> Self {
        Self { prefixes, contained, own: Vec::new() }
    }

    /// Appends the prefix that `append_prefix` makes, and behind it the other keys, with this position.
    pub fn append_behind(
        &mut self,
        set: &[u64],
        position: u32,
        keys: &mut Vec<BlockingKey>,
        append_prefix: impl FnOnce(&mut P, &mut Vec<BlockingKey>),
    ) {
        if let &[element] = set {
            return keys.push(BlockingKey { hash: element, position: 0 });
        }
        let begin = keys.len();
        append_prefix(&mut self.prefixes, keys);
        let others = elements_behind(set, &keys[begin..], &mut self.own);
        let contained = others.filter(|&element| self.contained.may_contain(element));
        keys.extend(contained.map(|hash| BlockingKey { hash, position }));
    }
}

/// The elements of a set that are not in its prefix; `own` is scratch memory.
pub(crate) fn elements_behind<'s>(
    set: &'s [u64],
    prefix: &[BlockingKey],
    own: &'s mut Vec<u64>,
) -> impl Iterator<Item = u64> + use<'s> {
    own.clear();
    own.extend(prefix.iter().map(|key| key.hash));
    own.sort_unstable();
    let mut own = own.iter().copied().peekable();
    set.iter().copied().filter(move |&element| {
        while own.next_if(|&prefix| prefix < element).is_some() {}
        own.peek() != Some(&element)
    })
}
