//! The prefixes of contained documents by their fingerprints.

use super::FingerprintPlan;
use crate::keys::BlockingKey;
use crate::sets::PrefixKeys;

/// Computes the prefix of a set: the rarest of its fingerprints, or of its elements if it has too few fingerprints.
/// Owns reusable buffers: create one per thread.
#[derive(Debug, Clone)]
pub struct FingerprintPrefixes<'a> {
    prefixes: PrefixKeys<'a>,
    plan: &'a FingerprintPlan,
    /// First counts of the fingerprints.
    first: Vec<u8>,
}

/// A set with the elements of it that are fingerprints, both strictly ascending.
#[derive(Debug, Clone, Copy)]
pub struct Selected<'s> {
    /// Every element.
    pub set: &'s [u64],
    /// The selected ones.
    pub fingerprints: &'s [u64],
    /// The first counts of all elements.
    pub counts: &'s [u8],
}

impl<'a> FingerprintPrefixes<'a> {
    /// A maker of prefixes by fingerprints; `prefixes` makes those of sets with too few fingerprints.
    pub fn new(prefixes: PrefixKeys<'a>, plan: &'a FingerprintPlan) -> Self {
        Self { prefixes, plan, first: Vec::new() }
    }

    /// Appends the prefix of one set. All keys have a position of 0: documents may share a fingerprint that is not
    /// the first of their common elements, so the elements that precede it count, too.
    pub fn append(&mut self, selected: Selected<'_>, keys: &mut Vec<BlockingKey>) {
        let begin = keys.len();
        match self.plan.prefix_length(selected.fingerprints.len()) {
            Some(length) => self.append_fingerprints(selected, length, keys),
            None => self.prefixes.append_counted(selected.set, selected.counts, keys),
        }
        keys[begin..].iter_mut().for_each(|key| key.position = 0);
    }

    fn append_fingerprints(&mut self, selected: Selected<'_>, length: usize, keys: &mut Vec<BlockingKey>) {
        let Selected { set, fingerprints, counts } = selected;
        let mut first = std::mem::take(&mut self.first);
        first.clear();
        let mut remaining = fingerprints.iter().peekable();
        let all = set.iter().zip(counts);
        first.extend(all.filter_map(|(element, &count)| remaining.next_if_eq(&element).map(|_| count)));
        self.prefixes.append_rarest(fingerprints, &first, length, keys);
        self.first = first;
    }
}
