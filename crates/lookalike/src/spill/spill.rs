//! The budget of a job, and the folder where data goes that exceeds it.

use super::resident::{Mapped, NamedFile, Resident};
use super::{Budget, Share};
use crate::base::{Error, Result};
use bytemuck::Pod;
use lookalike_core::Array;
use lookalike_core::stored::Section;
use lookalike_io::base::details::Action;
use std::fmt::Debug;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of a section that are read at a time while it is checked.
const BUFFER_BYTES: usize = 1 << 16;

/// The memory of a job, and the folder of its temporary files.
#[derive(Debug)]
pub(crate) struct Spill {
    budget: Budget,
    /// Number of documents of the corpus, of which some bytes each are in memory whatever their size.
    documents: AtomicU64,
    pub(crate) folder: PathBuf,
    pub(super) resident: Arc<Resident>,
}

impl Spill {
    /// A budget, and a folder for temporary files.
    pub(crate) fn new(budget: Budget, folder: PathBuf) -> Self {
        let resident = Arc::new(Resident::new(budget.beside_documents(0).share(Share::MappedPages) as u64));
        Self { budget, documents: AtomicU64::new(0), folder, resident }
    }

    /// The memory that shares are taken of: all but the program itself and what is in memory of
    /// every document.
    pub(crate) fn budget(&self) -> Budget {
        self.budget.beside_documents(self.documents.load(Ordering::Relaxed))
    }

    /// The memory of the job.
    pub(crate) fn whole_budget(&self) -> Budget {
        self.budget
    }

    /// Notes how many documents the corpus has.
    pub(crate) fn note_documents(&self, documents: usize) {
        self.documents.store(documents as u64, Ordering::Relaxed);
    }

    /// Number of `documents` in a chunk, at least 1, such that its part of `items` items of `item_bytes` bytes is a
    /// small part of the budget.
    pub(crate) fn chunk_of(&self, documents: usize, items: usize, item_bytes: usize) -> usize {
        let bytes = items.saturating_mul(item_bytes).div_ceil(documents.max(1));
        (self.budget().share(Share::Chunk) / bytes.max(1)).max(1)
    }

    /// A new file without a name, which ends with the process.
    pub(super) fn file(&self) -> Result<File> {
        tempfile::tempfile_in(&self.folder).map_err(|source| self.error(source))
    }

    /// The bytes of a section of a file as an array, mapped; `None` if they are not those that were written.
    pub(crate) fn map_section<T: Pod + Debug + Send + Sync>(
        &self,
        file: &File,
        path: &Path,
        section: &Section,
    ) -> Result<Option<Array<T>>> {
        if section.bytes() == 0 {
            return Ok(Some(Array::default()));
        }
        let is_aligned = section.offset().is_multiple_of(align_of::<T>() as u64);
        if !is_aligned || !section.bytes().is_multiple_of(size_of::<T>() as u64) {
            return Ok(None);
        }
        let io = |source| Error::from(lookalike_io::Error::io(Action::Read, path, source));
        let named = NamedFile::new(file, path).map_err(io)?;
        let mut check = section.check();
        let mut reader = file;
        reader.seek(SeekFrom::Start(section.offset())).map_err(io)?;
        let mut buffer = vec![0; BUFFER_BYTES];
        let mut left = section.bytes();
        while left > 0 {
            let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let read = reader.read(&mut buffer[..wanted]).map_err(io)?;
            if read == 0 || check.update(&buffer[..read]).is_err() {
                return Ok(None);
            }
            left -= read as u64;
        }
        if check.finish().is_err() {
            return Ok(None);
        }
        let map = self.resident.map_named(named).map_err(io)?;
        let start = section.offset() as usize;
        let bytes = start..start + section.bytes() as usize;
        Ok(Some(Array::Stored(Arc::new(Mapped::new(map, bytes, Arc::clone(&self.resident))))))
    }

    /// Checks that no file with a name that the job has mapped was changed by others.
    ///
    /// # Errors
    /// [`lookalike_io::Error::Changed`] if one was.
    pub(crate) fn check_files(&self) -> Result<()> {
        match self.resident.changed_file() {
            Some(path) => Err(lookalike_io::Error::Changed { path }.into()),
            None => Ok(()),
        }
    }

    pub(super) fn error_at(&self, path: &Path, source: std::io::Error) -> Error {
        lookalike_io::Error::io(Action::Write, path, source).into()
    }

    /// The error of temporary data that are not those that were written.
    pub(crate) fn changed(&self) -> Error {
        lookalike_io::Error::io(Action::ReadTemporary, &self.folder, ErrorKind::InvalidData.into()).into()
    }

    pub(super) fn error(&self, source: std::io::Error) -> Error {
        lookalike_io::Error::io(Action::WriteTemporary, &self.folder, source).into()
    }
}
