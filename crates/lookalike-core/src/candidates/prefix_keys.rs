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

/// Makes the prefix keys of sets. Holds a buffer: make one a thread.
#[derive(Debug, Clone)]
pub struct PrefixKeys<'a> {
    frequencies: &'a FrequencyTable,
    threshold: Threshold,
    shared: Vec<(u32, u64)>,
}

impl<'a> PrefixKeys<'a> {
    /// Keys for pairs that reach `threshold`, given the frequencies of all elements of all sets.
    pub fn new(frequencies: &'a FrequencyTable, threshold: Threshold) -> Self {
        Self { frequencies, threshold, shared: Vec::new() }
    }

    /// Appends the keys of one set, in the common order.
    pub fn append(&mut self, set: &[u64], keys: &mut Vec<IndexKey>) {
        let ranked = set.iter().map(|&element| (self.frequencies.count(element), element));
        self.shared.clear();
        self.shared.extend(ranked.filter(|&(count, _)| count > 1));
        let unique = set.len() - self.shared.len();
        let wanted = self.threshold.prefix_length(set.len()).saturating_sub(unique).min(self.shared.len());
        if wanted == 0 {
            return;
        }
        self.shared.select_nth_unstable(wanted - 1);
        let prefix = &mut self.shared[..wanted];
        prefix.sort_unstable();
        let positions = unique as u32..;
        keys.extend(prefix.iter().zip(positions).map(|(&(_, key), position)| IndexKey { key, position }));
    }
}
