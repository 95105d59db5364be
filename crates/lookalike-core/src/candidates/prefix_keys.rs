//! Keys of the exact method: the rarest elements of each set.
//!
//! Order all elements by rising frequency (ties by hash). If J(x, y) >= t, then x and y share at least ceil(t |x|)
//! elements, so the first |x| - ceil(t |x|) + 1 elements of x in that order, its prefix, cannot all be missing in y; and
//! the first common element lies in the prefixes of both (AllPairs: Bayardo, Ma, Srikant 2007; PPJoin: Xiao et al. 2008).
//! Elements that no other document has fill most of the prefix of most sets and need no index:
//!
//! ```text
//! x in the common order:   u u u u s s | s s s s s s s s ...      u unique, s shared
//!                          prefix of 6   keys: the two s, at positions 4 and 5
//! ```

use super::{FrequencyTable, IndexKey};
use crate::threshold::Threshold;

/// Makes the prefix keys of sets. Holds buffers: make one a thread.
#[derive(Debug, Clone)]
pub struct PrefixKeys<'a> {
    frequencies: &'a FrequencyTable,
    threshold: Threshold,
    counted: Vec<(u32, u64)>,
}

/// Elements that are looked up before it is asked whether the prefix is full of unique ones already.
const LOOKED_UP: usize = 128;

impl<'a> PrefixKeys<'a> {
    /// Keys for pairs that reach `threshold`, given the frequencies of all elements of all sets.
    pub fn new(frequencies: &'a FrequencyTable, threshold: Threshold) -> Self {
        Self { frequencies, threshold, counted: Vec::new() }
    }

    /// Appends the keys of one set, in the common order.
    pub fn append(&mut self, set: &[u64], keys: &mut Vec<IndexKey>) {
        let frequencies = self.frequencies;
        self.append_with(set, keys, |part, _, first| frequencies.first_counts(part, first));
    }

    /// The same where the first counters of the elements of the set were put aside.
    pub fn append_counted(&mut self, set: &[u64], first: &[u8], keys: &mut Vec<IndexKey>) {
        self.append_with(set, keys, |part, at, counts| {
            counts[..part.len()].copy_from_slice(&first[at..at + part.len()])
        });
    }

    /// `look_up` writes the first counters of a part of the set, given the part and where it begins.
    fn append_with(&mut self, set: &[u64], keys: &mut Vec<IndexKey>, look_up: impl Fn(&[u64], usize, &mut [u8])) {
        let prefix_length = self.threshold.prefix_length(set.len());
        let Some(unique) = self.collect_shared(set, prefix_length, look_up) else { return };
        let wanted = (prefix_length - unique).min(self.counted.len());
        if wanted == 0 {
            return;
        }
        self.counted.select_nth_unstable(wanted - 1);
        let prefix = &mut self.counted[..wanted];
        prefix.sort_unstable();
        let positions = unique as u32..;
        keys.extend(prefix.iter().zip(positions).map(|(&(_, key), position)| IndexKey { key, position }));
    }

    /// Gathers the elements that may be shared, with their counts, and returns the number of the others; `None` as soon as
    /// those fill the prefix.
    fn collect_shared(
        &mut self,
        set: &[u64],
        prefix_length: usize,
        look_up: impl Fn(&[u64], usize, &mut [u8]),
    ) -> Option<usize> {
        self.counted.clear();
        let mut unique = 0;
        for (part, at) in set.chunks(LOOKED_UP).zip((0..).step_by(LOOKED_UP)) {
            let mut first = [0; LOOKED_UP];
            look_up(part, at, &mut first);
            // What is kept moves down without a branch: which elements are shared is anybody's guess.
            let (mut shared, mut kept) = ([(0, 0); LOOKED_UP], 0);
            for (&element, &count) in part.iter().zip(&first) {
                shared[kept] = (element, count);
                kept += usize::from(count > 1);
            }
            unique += part.len() - kept;
            if unique >= prefix_length {
                return None;
            }
            let counted =
                shared[..kept].iter().map(|&(element, first)| (self.frequencies.complete(element, first), element));
            self.counted.extend(counted);
        }
        Some(unique)
    }
}
