//! The bytes of a file, and sections of it as arrays of numbers.

use crate::base::{Error, Result};
use bytemuck::Pod;
use lookalike_core::stored::{Damage, Directory};
use memmap2::Mmap;
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

/// Bytes of a file. They never change: files of an index are never changed once they have their name. The log, which
/// is, is read and not mapped.
#[derive(Debug)]
pub(crate) enum Map {
    /// A file that is mapped into memory.
    File(Mmap),
    /// A copy, aligned for numbers, and its length in bytes.
    Memory(Vec<u64>, usize),
}

impl Map {
    /// A map in memory, for about as many bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self::Memory(Vec::with_capacity(bytes.div_ceil(8)), 0)
    }

    /// A copy of some bytes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        let mut map = Self::with_capacity(bytes.len());
        map.append(bytes);
        map
    }

    /// Appends bytes to a map in memory; nothing to a file.
    pub(crate) fn append(&mut self, bytes: &[u8]) {
        let Self::Memory(words, length) = self else { return };
        let end = *length + bytes.len();
        words.resize(end.div_ceil(8), 0);
        bytemuck::cast_slice_mut::<u64, u8>(words)[*length..end].copy_from_slice(bytes);
        *length = end;
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::File(map) => map,
            Self::Memory(words, length) => &bytemuck::cast_slice(words)[..*length],
        }
    }
}

/// An array of a segment: a section of a container.
#[derive(Debug, Clone)]
pub(crate) struct MappedArray<T> {
    map: Arc<Map>,
    /// The bytes, which are whole items.
    range: Range<usize>,
    items: PhantomData<T>,
}

impl<T: Pod> MappedArray<T> {
    /// A section of a container. Its bytes are not compared with their checksum.
    ///
    /// # Errors
    /// [`Error::Damaged`] if there is none, or it is no array of such items.
    pub(crate) fn open(map: &Arc<Map>, directory: &Directory, name: &'static str, path: &Path) -> Result<Self> {
        let section = directory.section(name).map_err(|damage| Error::damaged(path, damage))?;
        let range = section.offset() as usize..(section.offset() + section.bytes()) as usize;
        let bytes = map.get(range.clone());
        if bytes.is_none_or(|bytes| bytemuck::try_cast_slice::<u8, T>(bytes).is_err()) {
            return Err(Error::damaged(path, Damage::Section { name: name.to_owned() }));
        }
        Ok(Self { map: Arc::clone(map), range, items: PhantomData })
    }
}

impl<T: Pod> Deref for MappedArray<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.map[self.range.clone()])
    }
}
