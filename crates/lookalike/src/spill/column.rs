//! An array that grows at its end: in memory first, in a file when that becomes too much.

use super::Spill;
use super::resident::Mapped;
use crate::error::Result;
use bytemuck::Pod;
use lookalike_core::array::Array;
use std::fmt::Debug;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::Arc;

/// Small, because there may be hundreds of them.
const BUFFER_BYTES: usize = 1 << 15;

/// The growing array. Its file holds the items as the machine has them: it never leaves this process.
#[derive(Debug)]
pub(crate) enum Column<T> {
    Memory(Vec<T>),
    File { writer: BufWriter<File>, len: usize },
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self::Memory(Vec::new())
    }
}

impl<T: Pod + Debug + Send + Sync> Column<T> {
    /// An array that goes to a file at once.
    pub(crate) fn in_file(spill: &Spill) -> Result<Self> {
        Ok(Self::File { writer: BufWriter::with_capacity(BUFFER_BYTES, spill.file()?), len: 0 })
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Memory(items) => items.len(),
            Self::File { len, .. } => *len,
        }
    }

    /// Bytes in memory.
    pub(crate) fn memory_bytes(&self) -> usize {
        match self {
            Self::Memory(items) => size_of_val(&items[..]),
            Self::File { .. } => BUFFER_BYTES,
        }
    }

    pub(crate) fn extend(&mut self, items: &[T], spill: &Spill) -> Result<()> {
        match self {
            Self::Memory(all) => all.extend_from_slice(items),
            Self::File { writer, len } => {
                writer.write_all(bytemuck::cast_slice(items)).map_err(|error| spill.error(error))?;
                *len += items.len();
            }
        }
        Ok(())
    }

    /// Moves what there is to a file, where the rest will go too.
    pub(crate) fn move_to_file(&mut self, spill: &Spill) -> Result<()> {
        if let Self::Memory(items) = self {
            let mut file = Self::in_file(spill)?;
            file.extend(items, spill)?;
            *self = file;
        }
        Ok(())
    }

    /// One item: slow for a file that is being written, and meant for the rare case.
    pub(crate) fn read(&mut self, index: usize, spill: &Spill) -> Result<T> {
        match self {
            Self::Memory(items) => Ok(items[index]),
            Self::File { writer, .. } => {
                let mut item = [T::zeroed()];
                read_back(writer, index, &mut item).map_err(|error| spill.error(error))?;
                Ok(item[0])
            }
        }
    }

    /// Whether some items are equal to others: slow for a file that is being written, and meant for the rare case.
    pub(crate) fn is_equal(&mut self, range: Range<usize>, others: &[T], spill: &Spill) -> Result<bool>
    where
        T: PartialEq,
    {
        match self {
            _ if range.len() != others.len() => Ok(false),
            Self::Memory(items) => Ok(items[range] == *others),
            Self::File { writer, .. } => {
                let mut items = others.to_vec();
                read_back(writer, range.start, &mut items).map_err(|error| spill.error(error))?;
                Ok(items == others)
            }
        }
    }

    /// The array, complete.
    pub(crate) fn finish(self, spill: &Spill) -> Result<Array<T>> {
        let mut file = match self {
            Self::Memory(items) => return Ok(Array::Owned(items)),
            Self::File { len: 0, .. } => return Ok(Array::default()),
            Self::File { writer, .. } => writer.into_inner().map_err(|error| spill.error(error.into_error()))?,
        };
        file.flush().map_err(|error| spill.error(error))?;
        let map = spill.resident.map(&file).map_err(|error| spill.error(error))?;
        Ok(Array::Kept(Arc::new(Mapped::new(map, Arc::clone(&spill.resident)))))
    }
}

fn read_back<T: Pod>(writer: &mut BufWriter<File>, start: usize, items: &mut [T]) -> std::io::Result<()> {
    // Seeking writes what is held back.
    writer.seek(SeekFrom::Start((start * size_of::<T>()) as u64))?;
    writer.get_mut().read_exact(bytemuck::cast_slice_mut(items))?;
    writer.seek(SeekFrom::End(0))?;
    Ok(())
}
