//! Blocking keys of the exact method for weighted sets: the rarest terms, as long as those from a term on can still
//! reach the threshold.
//!
//! The common order is that of [`crate::sets::PrefixKeys`]: by ascending frequency, ties by hash. How far a prefix goes
//! depends on the weights (see [`Cosine`]):
//!
//! ```text
//! x in the common order    u  u  u  s   s  |  s  s  s ...      u unique, s shared
//! norm of the rest         1 .99 .97 .95 .9  | .79              t = .8: the prefix ends; keys are its two s
//! ```

use super::Cosine;
use crate::documents::WeightedSet;
use crate::keys::{BlockingKey, FrequencyTable};

/// Computes the prefix keys of weighted sets. Owns reusable buffers: create one per thread.
#[derive(Debug, Clone)]
pub struct WeightedKeys<'a> {
    frequencies: &'a FrequencyTable,
    measure: Cosine,
    first: Vec<u8>,
    /// Count, element and squared weight of the terms that are not unique.
    shared: Vec<(u32, u64, u64)>,
}

impl<'a> WeightedKeys<'a> {
    /// Prefix keys for near-duplicates by `measure`, given the frequencies of the elements of all sets.
    pub fn new(frequencies: &'a FrequencyTable, measure: Cosine) -> Self {
        Self { frequencies, measure, first: Vec::new(), shared: Vec::new() }
    }

    /// Appends the prefix keys of one set, in the common order.
    pub fn append(&mut self, set: WeightedSet<'_>, keys: &mut Vec<BlockingKey>) {
        let mut first = std::mem::take(&mut self.first);
        first.clear();
        first.resize(set.elements().len(), 0);
        self.frequencies.first_counts(&set.elements(), &mut first);
        self.append_counted(set, &first, keys);
        self.first = first;
    }

    /// Appends the prefix keys of one set, given the first counts of its elements.
    pub fn append_counted(&mut self, set: WeightedSet<'_>, first: &[u8], keys: &mut Vec<BlockingKey>) {
        let whole = set.squared_norm();
        let mut rest = set.squared_norm();
        self.shared.clear();
        for ((element, weight), &count) in set.iter().zip(first) {
            let square = u64::from(weight).pow(2);
            if count <= 1 {
                // Unique terms come first, and no other document has them.
                rest -= square;
            } else {
                self.shared.push((self.frequencies.complete(element, count), element, square));
            }
        }
        if !self.measure.is_in_prefix(rest, whole) {
            return;
        }
        self.shared.sort_unstable();
        let terms = self.shared.iter().map(|&(_, element, square)| (element, square));
        self.measure.append_prefix(terms, rest, whole, keys);
    }
}
