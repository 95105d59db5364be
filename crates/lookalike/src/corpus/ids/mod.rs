//! The ids of documents: the users' names for them.

mod seen_ids;

pub(super) use seen_ids::IdPlace;
pub(crate) use seen_ids::SeenIds;

use lookalike_core::{Array, DocId, Ragged, Result};
use std::convert::Infallible;

/// Ids by document, in one string.
#[derive(Debug, Clone, Default)]
pub struct Ids(Ragged<u8>);

impl Ids {
    /// Ids that lie in `text` between consecutive offsets.
    pub(crate) fn from_parts(offsets: Vec<u64>, text: Array<u8>) -> Result<Self> {
        Ragged::from_parts(offsets, text).map(Self)
    }

    /// The id of a document.
    pub fn get(&self, document: DocId) -> &str {
        std::str::from_utf8(self.0.get(document.index())).unwrap_or_default()
    }

    /// Number of ids.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The ids in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        DocId::all(self.len()).map(|document| self.get(document))
    }

    pub(crate) fn push(&mut self, id: &str) {
        self.0.push(id.as_bytes());
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn reserved_bytes(&self) -> usize {
        self.0.values().reserved_bytes()
    }

    /// Offsets and text.
    pub(crate) fn parts(&self) -> (&[u64], &Array<u8>) {
        (self.0.offsets(), self.0.values())
    }
}

impl<S: AsRef<str>> FromIterator<S> for Ids {
    fn from_iter<I: IntoIterator<Item = S>>(ids: I) -> Self {
        let mut all = Self::default();
        ids.into_iter().for_each(|id| all.push(id.as_ref()));
        all
    }
}

impl SeenIds {
    /// The document with an id, all ids standing in `ids`.
    pub(crate) fn find_in(&self, ids: &Ids, id: &str) -> Option<DocId> {
        let Ok(found) = self.find(self.place(id.as_bytes()), |document| Ok::<_, Infallible>(ids.get(document) == id));
        found
    }

    /// Notes a document by its id in `ids`, which no other has.
    pub(crate) fn insert_from(&mut self, ids: &Ids, document: DocId) {
        self.insert(self.place(ids.get(document).as_bytes()), document);
    }
}
