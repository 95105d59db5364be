//! The keys of all documents, before they are put into an index.

use crate::document::DocId;
use crate::error::{Error, Result};

/// A key of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexKey {
    /// Documents with equal keys meet.
    pub key: u64,
    /// Number of elements of the document that come before this one in the common order; 0 if the key is no element.
    pub position: u32,
}

/// The keys by document, in the order in which an index looks them up, as the methods make them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexKeys {
    ends: Vec<u64>,
    keys: Vec<IndexKey>,
}

impl IndexKeys {
    /// No documents yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a document, whose keys `fill` appends.
    pub fn push_with(&mut self, fill: impl FnOnce(&mut Vec<IndexKey>)) {
        fill(&mut self.keys);
        self.ends.push(self.keys.len() as u64);
    }

    /// Appends all documents of `other`, in order.
    pub fn append(&mut self, other: &Self) {
        let base = self.keys.len() as u64;
        self.keys.extend_from_slice(&other.keys);
        self.ends.extend(other.ends.iter().map(|end| base + end));
    }

    /// Gives equal keys one number and drops those that only one document has: nobody would ever be found by them.
    ///
    /// `sort` sorts ascending; it is the caller's so that it can use threads.
    ///
    /// # Errors
    /// [`crate::Error::TooManyKeys`] past 2^32 - 1 keys.
    pub fn link(self, sort: impl FnOnce(&mut [(u64, u32)])) -> Result<LinkedKeys> {
        let count = u32::try_from(self.keys.len()).map_err(|_| Error::TooManyKeys)?;
        let mut occurrences: Vec<(u64, u32)> = self.keys.iter().map(|key| key.key).zip(0..count).collect();
        sort(&mut occurrences);
        const LONELY: u32 = u32::MAX;
        let mut number = vec![LONELY; self.keys.len()];
        let mut starts = vec![0];
        for run in occurrences.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() > 1) {
            let key = starts.len() as u32 - 1;
            run.iter().for_each(|&(_, place)| number[place as usize] = key);
            starts.push(starts[starts.len() - 1] + run.len() as u32);
        }
        drop(occurrences);
        let mut linked = LinkedKeys { ends: self.ends, keys: Vec::new(), starts };
        let mut read = 0;
        for end in &mut linked.ends {
            let document = read..*end as usize;
            read = document.end;
            let keys = self.keys[document.clone()].iter().zip(&number[document]).filter(|&(_, &key)| key != LONELY);
            linked.keys.extend(keys.map(|(key, &number)| LinkedKey { key: number, position: key.position }));
            *end = linked.keys.len() as u64;
        }
        Ok(linked)
    }
}

/// A key that at least two documents have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkedKey {
    /// Number of the key: equal keys have one number.
    pub key: u32,
    /// As in [`IndexKey::position`].
    pub position: u32,
}

/// The keys by document, numbered densely, so that an index needs no search to find their documents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkedKeys {
    ends: Vec<u64>,
    keys: Vec<LinkedKey>,
    /// By key: how many occurrences all earlier keys have; the total at the end.
    pub(super) starts: Vec<u32>,
}

impl LinkedKeys {
    /// The keys of a document.
    pub fn get(&self, document: DocId) -> &[LinkedKey] {
        let index = document.index();
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.keys[start as usize..self.ends[index] as usize]
    }

    /// Number of keys over all documents.
    pub fn total_keys(&self) -> usize {
        self.keys.len()
    }

    /// Number of pairs of documents with a common key, each counted once for each such key: the postings that a join of
    /// all documents follows.
    pub fn total_meetings(&self) -> u64 {
        let sizes = self.starts.windows(2).map(|pair| u64::from(pair[1] - pair[0]));
        sizes.map(|size| size * (size - 1) / 2).sum()
    }
}
