//! The number of a document, by which every other module refers to it.

use super::hash::{SplitMix64, mix64};
use super::{Error, Result};
use bytemuck::Zeroable;

/// Position of a document in the input, counted from 0 over all sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Zeroable)]
#[repr(transparent)]
pub struct DocId(pub u32);

/// A random sample of up to `size` of the documents, in random order; a function of documents and seed.
pub(crate) fn random_sample(documents: &[DocId], size: usize, seed: u64) -> impl Iterator<Item = DocId> {
    let salt = SplitMix64::new(seed).next_u64();
    let mut ranked: Vec<(u64, DocId)> = documents.iter().map(|&d| (mix64(u64::from(d.0) ^ salt), d)).collect();
    if size < ranked.len() {
        ranked.select_nth_unstable(size);
        ranked.truncate(size);
    }
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, document)| document)
}

impl DocId {
    /// The number of the document at `index`.
    ///
    /// # Errors
    /// [`Error::TooManyDocuments`] if `index` exceeds 2^32 - 1.
    pub fn from_index(index: usize) -> Result<Self> {
        u32::try_from(index).map(DocId).map_err(|_| Error::TooManyDocuments)
    }

    /// The number as an index into arrays by document.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The numbers 0, 1, ... of `count` documents, capped at 2^32 - 1 documents.
    pub fn all(count: usize) -> impl ExactSizeIterator<Item = DocId> + Clone {
        (0..u32::try_from(count).unwrap_or(u32::MAX)).map(DocId)
    }
}
