//! Blocking keys of the exact method: the rarest elements of each set.
//!
//! The common order sorts elements by ascending frequency, ties by hash. Near-duplicates share an element of their
//! prefixes, the first elements in that order ([`Bounds::prefix_length`]; AllPairs: Bayardo, Ma, Srikant 2007; PPJoin:
//! Xiao et al. 2008), and their first common element lies in both prefixes. Elements of only one document fill most of
//! the prefix of most sets and are not indexed:
//!
//! ```text
//! x in the common order:   u u u u s s | s s s s s s s s ...      u unique, s shared
//!                          prefix of 6   prefix keys: the two s, at positions 4 and 5
//! ```

use crate::keys::{BlockingKey, Bounds, FrequencyTable};
use std::ops::Range;
use std::sync::Arc;

/// Computes the prefix keys of sets: the shared elements of their prefixes. Owns reusable buffers: create one per
/// thread.
#[derive(Debug, Clone)]
pub struct PrefixKeys<'a> {
    frequencies: &'a FrequencyTable,
    bounds: Arc<dyn Bounds>,
    /// First counts of the elements of a set.
    first: Vec<u8>,
    /// Counts and hashes of the elements whose first count is saturated.
    frequent: Vec<(u32, u64)>,
}

/// Elements that are looked up between two checks whether unique elements fill the prefix.
const CHUNK: usize = 64;

/// Number of values of a first count.
const VALUES: usize = 1 << u8::BITS;

impl<'a> PrefixKeys<'a> {
    /// Prefix keys by the bounds of a measure, given the frequencies of the elements of all sets.
    pub fn new(frequencies: &'a FrequencyTable, bounds: impl Bounds + 'static) -> Self {
        Self { frequencies, bounds: Arc::new(bounds), first: Vec::new(), frequent: Vec::new() }
    }

    /// Appends the prefix keys of one set, in the common order.
    pub fn append(&mut self, set: &[u64], keys: &mut Vec<BlockingKey>) {
        let prefix_length = self.bounds.prefix_length(set.len());
        self.first.resize(set.len(), 0);
        let mut unique = 0;
        for (chunk, first) in set.chunks(CHUNK).zip(self.first.chunks_mut(CHUNK)) {
            self.frequencies.first_counts(chunk, first);
            unique += count_unique(first);
            if unique >= prefix_length {
                return;
            }
        }
        let first = std::mem::take(&mut self.first);
        self.append_shared(set, &first, unique..prefix_length, keys);
        self.first = first;
    }

    /// Appends the prefix keys of one set, given the first counts of its elements.
    pub fn append_counted(&mut self, set: &[u64], first: &[u8], keys: &mut Vec<BlockingKey>) {
        self.append_rarest(set, first, self.bounds.prefix_length(set.len()), keys);
    }

    /// Appends those of the `prefix_length` rarest elements that other sets have, given the first counts of all.
    pub(crate) fn append_rarest(
        &mut self,
        set: &[u64],
        first: &[u8],
        prefix_length: usize,
        keys: &mut Vec<BlockingKey>,
    ) {
        let unique = count_unique(first);
        if unique < prefix_length {
            self.append_shared(set, first, unique..prefix_length, keys);
        }
    }

    /// Appends the shared elements of the prefix, which take `positions`; fewer if the set has fewer shared elements.
    ///
    /// A counting sort: the histogram of the counts gives the positions, and ties are in order of hashes already.
    fn append_shared(&mut self, set: &[u64], first: &[u8], positions: Range<usize>, keys: &mut Vec<BlockingKey>) {
        let mut places = [0usize; VALUES];
        first.iter().for_each(|&count| places[usize::from(count)] += 1);
        // Unique elements are not emitted: their places lie beyond every prefix.
        places[..2].fill(usize::MAX / 2);
        places[2..].iter_mut().fold(0, |start, place| start + std::mem::replace(place, start));
        let prefix_length = positions.len().min(set.len() - positions.start);
        let begin = keys.len();
        let positions = positions.start as u32..;
        keys.extend(positions.take(prefix_length).map(|position| BlockingKey { hash: 0, position }));
        let prefix = &mut keys[begin..];
        let frequent_from = places[VALUES - 1];
        for (&element, &count) in set.iter().zip(first) {
            let place = &mut places[usize::from(count)];
            if let Some(key) = prefix.get_mut(*place) {
                key.hash = element;
            }
            *place += 1;
        }
        if frequent_from < prefix_length {
            self.sort_frequent(set, first, &mut prefix[frequent_from..]);
        }
    }

    /// Sorts the elements whose first count is saturated.
    fn sort_frequent(&mut self, set: &[u64], first: &[u8], prefix: &mut [BlockingKey]) {
        let frequent = set.iter().zip(first).filter(|&(_, &count)| count == u8::MAX);
        self.frequent.clear();
        self.frequent.extend(frequent.map(|(&element, &count)| (self.frequencies.complete(element, count), element)));
        self.frequent.select_nth_unstable(prefix.len() - 1);
        let rarest = &mut self.frequent[..prefix.len()];
        rarest.sort_unstable();
        for (key, &mut (_, element)) in prefix.iter_mut().zip(rarest) {
            key.hash = element;
        }
    }
}

/// Number of unique elements, by their first counts.
fn count_unique(first: &[u8]) -> usize {
    first.iter().filter(|&&count| count <= 1).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::mix64;
    use crate::comparison::Measure;
    use proptest::prelude::{prop_assert_eq, proptest};

    /// The rarest elements, by sorting all of them.
    fn by_definition(frequencies: &FrequencyTable, set: &[u64], prefix_length: usize) -> Vec<BlockingKey> {
        let mut counted: Vec<(u32, u64)> = set.iter().map(|&e| (frequencies.count(e).max(1), e)).collect();
        counted.sort_unstable();
        let prefix = counted[..prefix_length].iter().zip(0..).filter(|&(&(count, _), _)| count > 1);
        prefix.map(|(&(_, hash), position)| BlockingKey { hash, position }).collect()
    }

    proptest! {
        #[test]
        fn keys_are_the_rarest_shared_elements(
            counts in proptest::collection::vec((0usize..9, 0u32..4), 1..300),
            percent in 1u32..=100,
        ) {
            // Counts from 0 to 800, with many ties.
            let copies = |(i, &(n, power)): (u64, &(usize, u32))| vec![mix64(i); n * [1, 1, 10, 100][power as usize]];
            let repeated = (0..).zip(&counts).flat_map(copies);
            let frequencies = FrequencyTable::from_elements(&repeated.collect::<Vec<_>>());
            let mut set: Vec<u64> = (0..counts.len() as u64).map(mix64).collect();
            set.sort_unstable();
            let measure = Measure::jaccard((f64::from(percent) / 100.0).try_into().unwrap());
            let expected = by_definition(&frequencies, &set, measure.prefix_length(set.len()));
            let mut maker = PrefixKeys::new(&frequencies, measure);
            let mut first = vec![0; set.len()];
            frequencies.first_counts(&set, &mut first);
            // The buffers of an earlier set must have no effect.
            for _ in 0..2 {
                let mut keys = Vec::new();
                let mut counted = Vec::new();
                maker.append(&set, &mut keys);
                maker.append_counted(&set, &first, &mut counted);
                prop_assert_eq!(&keys, &expected);
                prop_assert_eq!(&counted, &expected);
                maker.append(&set[..set.len() / 2], &mut Vec::new());
            }
        }
    }
}
