//! Results of stages in the containers of a work folder: saved by this run, or by an earlier one.

use crate::base::{Error, Result};
use crate::spill::Spill;
use bytemuck::Pod;
use lookalike_core::stored::{Damage, Directory, Provenance, Writer};
use lookalike_core::{Array, Ragged};
use lookalike_io::base::details::Action;
use lookalike_io::base::{Access, open_own_file};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

/// The kind of these containers.
const KIND: &str = "checkpoint";

/// A result of a stage that a work folder can keep.
pub(crate) trait Checkpoint: Sized {
    /// Its small parts: numbers, names.
    type About: Serialize + DeserializeOwned;

    /// The small parts.
    fn about(&self) -> Self::About;

    /// Writes the large parts, each as a section; nothing if there are none.
    fn save(&self, _sections: &mut SectionWriter<'_>) -> Result<()> {
        Ok(())
    }

    /// The result, from its small parts and its sections; `None` if a section is damaged.
    fn load(about: Self::About, stored: &Stored<'_>) -> Result<Option<Self>>;

    /// Returns whether it can be the result for so many documents: a checksum says nothing about who made it.
    fn fits(&self, _documents: usize) -> bool {
        true
    }
}

/// Name and provenance of a checkpoint.
#[derive(Clone, Copy)]
pub(crate) struct CheckpointOf<'a> {
    pub(crate) name: &'static str,
    /// Parameters and inputs that the result depends on.
    pub(crate) provenance: &'a Provenance,
    /// Documents of the corpus.
    pub(crate) documents: usize,
}

/// The sections of a container that is being written.
pub(crate) struct SectionWriter<'a> {
    writer: Writer<Sink<'a>>,
}

/// Takes the bytes of a container.
type Sink<'a> = &'a mut dyn FnMut(&[u8]) -> Result<()>;

impl<'a> SectionWriter<'a> {
    /// Begins a container whose bytes go to `sink`.
    pub(super) fn new(sink: Sink<'a>) -> Result<Self> {
        Ok(Self { writer: Writer::new(sink)? })
    }

    /// Writes an array as a section.
    pub(crate) fn array<T: Pod>(&mut self, name: &str, items: &Array<T>) -> Result<()> {
        self.writer.section(name, items.chunks().map(bytemuck::cast_slice::<T, u8>))
    }

    /// Writes items in memory as a section.
    pub(crate) fn slice<T: Pod>(&mut self, name: &str, items: &[T]) -> Result<()> {
        self.writer.section(name, [bytemuck::cast_slice::<T, u8>(items)])
    }

    pub(super) fn finish(self, provenance: &Provenance, about: &impl Serialize) -> Result<()> {
        self.writer.finish(KIND, provenance, about)
    }
}

/// The bytes of a stored file at `range`.
pub(crate) fn read_at(mut file: &File, path: &Path, range: Range<u64>) -> Result<Vec<u8>> {
    let mut bytes = vec![0; (range.end - range.start) as usize];
    let read = file.seek(SeekFrom::Start(range.start)).and_then(|_| file.read_exact(&mut bytes));
    read.map_err(|source| lookalike_io::Error::io(Action::Read, path, source))?;
    Ok(bytes)
}

/// A container of a work folder that is being read.
pub(crate) struct Stored<'a> {
    pub(super) directory: Directory,
    file: File,
    spill: &'a Spill,
    path: &'a Path,
}

impl<'a> Stored<'a> {
    /// Opens a container; `None` if it is damaged.
    ///
    /// # Errors
    /// If the file cannot be read, or another version has written it.
    pub(super) fn open(path: &'a Path, spill: &'a Spill) -> Result<Option<Self>> {
        let io = |source| Error::from(lookalike_io::Error::io(Action::Read, path, source));
        let Some(file) = open_own_file(path, Access::Read)? else { return Ok(None) };
        let bytes = file.metadata().map_err(io)?.len();
        match Directory::read(KIND, bytes, |range| read_at(&file, path, range)) {
            Ok(directory) => Ok(Some(Self { directory, file, spill, path })),
            // A file that was cut or changed was never saved.
            Err(Error::Stored { damage: Damage::NotAContainer | Damage::Directory }) => Ok(None),
            Err(Error::Stored { damage }) => Err(Error::NotReadable { path: path.to_owned(), damage }),
            Err(error) => Err(error),
        }
    }

    pub(super) fn about<T: DeserializeOwned>(&self) -> Option<T> {
        self.directory.about().ok()
    }

    /// An array that was saved as a section; `None` if it is damaged.
    pub(crate) fn array<T: Pod + Debug + Send + Sync>(&self, name: &'static str) -> Result<Option<Array<T>>> {
        let Ok(section) = self.directory.section(name) else { return Ok(None) };
        self.spill.map_section(&self.file, self.path, section)
    }

    /// A ragged array that was saved as two sections; `None` if one is damaged.
    pub(crate) fn ragged<T: Pod + Debug + Send + Sync>(
        &self,
        offsets: &'static str,
        values: &'static str,
    ) -> Result<Option<Ragged<T>>> {
        let offsets = self.array(offsets)?;
        let values = self.array(values)?;
        Ok(offsets.zip(values).and_then(|(offsets, values)| Ragged::from_parts(offsets.into_vec(), values).ok()))
    }
}
