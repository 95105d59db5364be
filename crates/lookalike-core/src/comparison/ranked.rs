//! Documents by rank: their sizes and blocking keys, which are inserted into an index and probe it.
//!
//! Containment tells the two sides of a pair apart ([`Roles`]). The contained document needs a key of its prefix in
//! common with the container, which may have it anywhere. `pairs` goes by rising size, so the contained one is in the
//! index; `dedup` by falling size, so the contained one probes, and the whole is kept before its parts.

use super::Verifier;
use crate::base::DocId;
use crate::keys::{Bounds, SharedKey, SharedKeys};

/// Documents in a given order, addressed by their rank from 0, with their shared blocking keys.
#[derive(Debug, Clone, Copy)]
pub struct RankedDocuments<'a> {
    /// The documents, by rank.
    pub order: &'a [DocId],
    /// The shared blocking keys, by document.
    pub keys: &'a SharedKeys,
    /// Verifies pairs of the documents, and knows the sizes of their sets.
    pub verifier: Verifier<'a>,
    /// Choice of the keys that a document has in the index, and of those by which it probes.
    pub roles: Roles,
}

/// Choice of the keys that a document has in the index, and of those by which it probes: all, but where one side of a
/// pair is known to be the contained one, which needs the keys of its prefix only. No answer depends on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Roles {
    /// Every key on both sides.
    #[default]
    Same,
    /// The probing document is the contained one.
    ContainedProbes,
    /// The document in the index is the contained one.
    ContainedIndexed,
}

impl<'a> RankedDocuments<'a> {
    /// The document at `rank`.
    #[inline]
    pub fn document(&self, rank: u32) -> DocId {
        self.order[rank as usize]
    }

    /// Number of elements and shared blocking keys of the document at `rank`, as it is inserted into an index.
    #[inline]
    pub fn indexed(&self, rank: u32) -> (usize, &'a [SharedKey]) {
        if self.roles == Roles::ContainedIndexed { self.prefix(rank) } else { self.entry(rank) }
    }

    /// Number of elements and shared blocking keys of the document at `rank`, as it probes an index.
    #[inline]
    pub fn probing(&self, rank: u32) -> (usize, &'a [SharedKey]) {
        if self.roles == Roles::ContainedProbes { self.prefix(rank) } else { self.entry(rank) }
    }

    #[inline]
    fn entry(&self, rank: u32) -> (usize, &'a [SharedKey]) {
        let document = self.document(rank);
        (self.verifier.size(document), self.keys.get(document))
    }

    /// The keys in the prefix of a contained document: the first ones.
    fn prefix(&self, rank: u32) -> (usize, &'a [SharedKey]) {
        let (size, keys) = self.entry(rank);
        let length = self.verifier.measure().prefix_length(size);
        (size, &keys[..keys.partition_point(|key| (key.position as usize) < length)])
    }
}
