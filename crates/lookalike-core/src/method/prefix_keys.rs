//! Keys of the exact method: the rarest elements of each set.
//!
//! Order all elements by rising frequency (ties by hash). Similar sets share one of the first elements in that order, their prefix,
//! whose length the measure knows ([`Measure::prefix_length`]; AllPairs: Bayardo, Ma, Srikant 2007; PPJoin: Xiao et al. 2008); and the
//! first common element lies in the prefixes of both.
//! Elements that no other document has fill most of the prefix of most sets and need no index:
//!
//! ```text
//! x in the common order:   u u u u s s | s s s s s s s s ...      u unique, s shared
//!                          prefix of 6   keys: the two s, at positions 4 and 5
//! ```

use super::{BlockingKey, FrequencyTable};
use crate::measure::Measure;

/// Makes the prefix keys of sets. Holds buffers: make one a thread.
#[derive(Debug, Clone)]
pub struct PrefixKeys<'a> {
    frequencies: &'a FrequencyTable,
    measure: Measure,
    /// First counters of the elements of a set.
    first: Vec<u8>,
    /// Elements whose first counter says no more than that they are frequent, with their counts.
    frequent: Vec<(u32, u64)>,
}

/// Elements that are looked up before it is asked whether the prefix is full of unique ones already.
const LOOKED_UP: usize = 128;

/// Number of values of a first counter.
const VALUES: usize = 1 << u8::BITS;

impl<'a> PrefixKeys<'a> {
    /// Keys for pairs that are near-duplicates by `measure`, given the frequencies of all elements of all sets.
    pub fn new(frequencies: &'a FrequencyTable, measure: Measure) -> Self {
        Self { frequencies, measure, first: Vec::new(), frequent: Vec::new() }
    }

    /// Appends the keys of one set, in the common order.
    pub fn append(&mut self, set: &[u64], keys: &mut Vec<BlockingKey>) {
        let prefix_length = self.measure.prefix_length(set.len());
        self.first.resize(set.len(), 0);
        let mut unique = 0;
        for (part, first) in set.chunks(LOOKED_UP).zip(self.first.chunks_mut(LOOKED_UP)) {
            self.frequencies.first_counts(part, first);
            unique += count_unique(first);
            if unique >= prefix_length {
                return;
            }
        }
        let first = std::mem::take(&mut self.first);
        self.append_shared(set, &first, unique..prefix_length, keys);
        self.first = first;
    }

    /// The same where the first counters of the elements of the set were put aside.
    pub fn append_counted(&mut self, set: &[u64], first: &[u8], keys: &mut Vec<BlockingKey>) {
        let prefix_length = self.measure.prefix_length(set.len());
        let unique = count_unique(first);
        if unique < prefix_length {
            self.append_shared(set, first, unique..prefix_length, keys);
        }
    }

    /// Appends the part of the prefix that unique elements leave over: `positions`, or fewer if there are not so many others.
    ///
    /// Sorting by counting: how many elements have each count says where they go, and the set is in the order of hashes already.
    fn append_shared(
        &mut self,
        set: &[u64],
        first: &[u8],
        positions: std::ops::Range<usize>,
        keys: &mut Vec<BlockingKey>,
    ) {
        let mut places = [0usize; VALUES];
        first.iter().for_each(|&count| places[usize::from(count)] += 1);
        // Unique elements have their places already: nothing is put behind the last.
        places[..2].fill(usize::MAX / 2);
        places[2..].iter_mut().fold(0, |start, place| start + std::mem::replace(place, start));
        let wanted = positions.len().min(set.len() - positions.start);
        let begin = keys.len();
        let positions = positions.start as u32..;
        keys.extend(positions.take(wanted).map(|position| BlockingKey { hash: 0, position }));
        let prefix = &mut keys[begin..];
        let frequent_from = places[VALUES - 1];
        for (&element, &count) in set.iter().zip(first) {
            let place = &mut places[usize::from(count)];
            if let Some(key) = prefix.get_mut(*place) {
                key.hash = element;
            }
            *place += 1;
        }
        if frequent_from < wanted {
            self.sort_frequent(set, first, &mut prefix[frequent_from..]);
        }
    }

    /// Puts those elements in order whose first counter has come to its end.
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

/// Number of elements that no other set has, by their first counters.
fn count_unique(first: &[u8]) -> usize {
    first.iter().filter(|&&count| count <= 1).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::hash::mix64;
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
            let repeated = (0..).zip(&counts).flat_map(|(i, &(n, power))| vec![mix64(i); n * [1, 1, 10, 100][power as usize]]);
            let frequencies = FrequencyTable::of(&repeated.collect::<Vec<_>>());
            let mut set: Vec<u64> = (0..counts.len() as u64).map(mix64).collect();
            set.sort_unstable();
            let measure = Measure::jaccard((f64::from(percent) / 100.0).try_into().unwrap());
            let expected = by_definition(&frequencies, &set, measure.prefix_length(set.len()));
            let (mut maker, mut first) = (PrefixKeys::new(&frequencies, measure), vec![0; set.len()]);
            frequencies.first_counts(&set, &mut first);
            // Buffers that another set has left behind must not matter.
            for _ in 0..2 {
                let (mut keys, mut counted) = (Vec::new(), Vec::new());
                maker.append(&set, &mut keys);
                maker.append_counted(&set, &first, &mut counted);
                prop_assert_eq!(&keys, &expected);
                prop_assert_eq!(&counted, &expected);
                maker.append(&set[..set.len() / 2], &mut Vec::new());
            }
        }
    }
}
