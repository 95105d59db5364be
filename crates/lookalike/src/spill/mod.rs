//! What does not fit into memory: arrays in temporary files, read through memory maps.
//!
//! ```text
//! Column        an array that grows, in memory until it is told to go to a file, then an Array that is read
//! ExternalSort  items in any order, sorted runs, one sorted Array
//! ```
//!
//! A map counts as memory of the process as far as it was touched, so what was touched is given back as soon as it comes to a
//! share of the budget ([`resident`]); the system may still hold it as cache of the file, which costs nobody anything.
//! Nothing that is computed depends on whether it was spilled.

mod budget;
mod column;
mod disk;
mod resident;
mod sort;

pub(crate) use column::{BUFFER_BYTES, Column, ColumnState, Home};
pub(crate) use sort::ExternalSort;

use crate::error::{Error, Result};
use crate::options::MemoryOptions;
use resident::Resident;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Mapped files may have one of so many parts of the budget.
const SHARE_OF_MAPS: u64 = 16;

/// Blocks, tables of keys and the program itself have so much, at least.
const BYTES_BESIDE_CORPUS: u64 = 512 << 20;
/// What is made of some documents at a time by one thread may have one of so many parts.
const SHARE_OF_CHUNK: u64 = 128;
const MOST_CHUNK_DOCUMENTS: usize = 1024;

/// Where the memory of a job ends, and where the rest goes.
#[derive(Debug)]
pub(crate) struct Spill {
    budget_bytes: u64,
    folder: PathBuf,
    resident: Arc<Resident>,
}

impl Spill {
    /// As the options say; temporary files go to the work folder of the job if they name no other.
    pub(crate) fn new(options: &MemoryOptions, work_folder: Option<&Path>) -> Self {
        let budget_bytes = options.budget_bytes.unwrap_or_else(budget::default_bytes);
        let folder = options.folder(work_folder);
        Self { budget_bytes, folder, resident: Arc::new(Resident::new(budget_bytes / SHARE_OF_MAPS)) }
    }

    pub(crate) fn budget_bytes(&self) -> u64 {
        self.budget_bytes
    }

    /// What the corpus may have in memory: half of the budget, or, if that is large, all but what comes beside it.
    pub(crate) fn most_corpus_bytes(&self) -> u64 {
        let large = self.budget_bytes.saturating_sub(BYTES_BESIDE_CORPUS) / 4 * 3;
        large.max(self.budget_bytes / 2)
    }

    /// What one of two things may have that are made beside so much of a corpus in memory.
    pub(crate) fn most_bytes_beside(&self, corpus_bytes: u64) -> usize {
        let rest = (self.budget_bytes - self.budget_bytes / SHARE_OF_MAPS).saturating_sub(corpus_bytes);
        usize::try_from(rest / 2).unwrap_or(usize::MAX).min(self.share(4))
    }

    /// One of `parts` equal parts of the budget, in bytes.
    pub(crate) fn share(&self, parts: u64) -> usize {
        usize::try_from(self.budget_bytes / parts).unwrap_or(usize::MAX)
    }

    /// So many of `documents` to work on at a time that what they have of `items`, each with so many bytes, is a small part of
    /// the budget.
    pub(crate) fn chunk_of(&self, documents: usize, items: usize, bytes_of_item: usize) -> usize {
        let bytes = items.saturating_mul(bytes_of_item).div_ceil(documents.max(1));
        (self.share(SHARE_OF_CHUNK) / bytes.max(1)).clamp(1, MOST_CHUNK_DOCUMENTS)
    }

    /// A new file that is gone with the process, however that ends.
    fn file(&self) -> Result<File> {
        tempfile::tempfile_in(&self.folder).map_err(|source| self.error(source))
    }

    fn error_at(&self, path: &Path, source: std::io::Error) -> Error {
        lookalike_io::Error::io("write", path, source).into()
    }

    fn error(&self, source: std::io::Error) -> Error {
        lookalike_io::Error::io("write temporary data to", &self.folder, source).into()
    }
}

#[cfg(test)]
mod tests;
