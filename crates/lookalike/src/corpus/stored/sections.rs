//! The file of a snapshot: a container of sections, what stands beside them, and sections that are read forward.

use crate::base::{Error, Result};
use crate::run::read_at;
use lookalike_core::stored::{Damage, Directory, MAGIC_OF_VERSION_1, Provenance, Section, SectionCheck};
use lookalike_io::base::details::Action;
use lookalike_io::{base::Score, sources::Notation};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The kind of container that a snapshot is.
pub(super) const KIND: &str = "snapshot";

/// Facts in a snapshot beside its sections.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AboutSnapshot {
    pub(super) documents: usize,
    pub(super) tokens: u64,
    /// The field that scores were taken from.
    pub(super) score_field: Option<String>,
    /// The hash functions of the texts; snapshots of earlier programs have no text hashes.
    #[serde(default)]
    pub(super) text_hash: Option<String>,
    /// Provenance of the tokens in which passages are looked for; `None` without such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) passages: Option<Provenance>,
    /// Notation of the documents.
    #[serde(default, skip_serializing_if = "Notation::is_empty")]
    pub(super) notation: Notation,
}

pub(super) fn open_container(path: &Path, kind: &'static str) -> Result<(File, Directory)> {
    let io = |source| Error::from(lookalike_io::Error::io(Action::Read, path, source));
    let file = File::open(path).map_err(io)?;
    let bytes = file.metadata().map_err(io)?.len();
    let read = |range| read_at(&file, path, range);
    let magic_bytes = MAGIC_OF_VERSION_1.len() as u64;
    if bytes >= magic_bytes && read(0..magic_bytes)? == MAGIC_OF_VERSION_1 {
        let damage = Damage::Version { expected: lookalike_core::stored::FORMAT, found: 1 };
        return Err(Error::NotReadable { path: path.to_owned(), damage });
    }
    match Directory::read(kind, bytes, read) {
        Ok(directory) => Ok((file, directory)),
        Err(Error::Stored { damage }) => Err(Error::NotReadable { path: path.to_owned(), damage }),
        Err(error) => Err(error),
    }
}

/// A section of a snapshot, read forward.
#[derive(Debug)]
pub(super) struct SectionReader {
    path: PathBuf,
    file: File,
    offset: u64,
    check: SectionCheck,
}

impl SectionReader {
    pub(super) fn open(path: &Path, file: &File, section: &Section) -> Result<Self> {
        let file = file.try_clone().map_err(|source| lookalike_io::Error::io(Action::Read, path, source))?;
        Ok(Self { path: path.to_owned(), file, offset: section.offset(), check: section.check() })
    }

    fn damaged(&self, damage: Damage) -> Error {
        Error::NotReadable { path: self.path.clone(), damage }
    }

    /// The next `count` bytes.
    pub(super) fn bytes(&mut self, count: usize) -> Result<Vec<u8>> {
        self.items(count)
    }

    /// The next `count` numbers.
    pub(super) fn numbers(&mut self, count: usize) -> Result<Vec<u64>> {
        self.items(count)
    }

    /// The next `count` items.
    pub(super) fn items<T: bytemuck::Pod>(&mut self, count: usize) -> Result<Vec<T>> {
        let wanted = (count as u64).saturating_mul(size_of::<T>() as u64);
        if wanted > self.check.left() {
            // Before any memory is taken for it.
            return self.check.finish().and(Err(Damage::Directory)).map_err(|damage| self.damaged(damage));
        }
        let mut items = vec![T::zeroed(); count];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut items);
        // Sections share one file.
        let read = self.file.seek(SeekFrom::Start(self.offset)).and_then(|_| self.file.read_exact(bytes));
        read.map_err(|source| lookalike_io::Error::io(Action::Read, &self.path, source))?;
        self.offset += bytes.len() as u64;
        self.check.update(bytes).map_err(|damage| self.damaged(damage))?;
        Ok(items)
    }

    /// The JSON values of all lines, checked.
    pub(super) fn lines(mut self) -> Result<Vec<Option<Score>>> {
        let left = self.check.left() as usize;
        let lines = self.bytes(left)?;
        self.finish()?;
        let scores: serde_json::Result<_> = serde_json::Deserializer::from_slice(&lines).into_iter().collect();
        scores.map_err(|_| self.damaged(Damage::Section { name: "scores".to_owned() }))
    }

    /// Checks that all was read and is what was written.
    pub(super) fn finish(&self) -> Result<()> {
        self.check.finish().map_err(|damage| self.damaged(damage))
    }
}
