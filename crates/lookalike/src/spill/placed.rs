//! An array of known length in a temporary file, which several threads write and read in any order.
//!
//! Reading it is a call of the system for each range. A map would be faster in much memory; in little, its pages would
//! be given back and mapped again all the time, with the neighbours that Linux maps around each.

use super::Spill;
use crate::base::Result;
use bytemuck::Pod;
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::ops::Range;

/// The array. Items that were not written are zero.
#[derive(Debug)]
pub(crate) struct PlacedColumn<T> {
    file: File,
    items: PhantomData<T>,
}

impl<T: Pod> PlacedColumn<T> {
    /// `len` items that are zero.
    pub(crate) fn zeroed(len: usize, spill: &Spill) -> Result<Self> {
        let file = spill.file()?;
        file.set_len(Self::place_of(len)).map_err(|error| spill.error(error))?;
        Ok(Self { file, items: PhantomData })
    }

    /// Writes items from `start` on, in place of those that were there.
    pub(crate) fn write(&self, start: usize, items: &[T], spill: &Spill) -> Result<()> {
        write_all_at(&self.file, bytemuck::cast_slice(items), Self::place_of(start)).map_err(|error| spill.error(error))
    }

    /// Appends the items in a range to `items`.
    pub(crate) fn read(&self, range: Range<usize>, items: &mut Vec<T>, spill: &Spill) -> Result<()> {
        let begin = items.len();
        items.resize(begin + range.len(), T::zeroed());
        let bytes = bytemuck::cast_slice_mut(&mut items[begin..]);
        read_exact_at(&self.file, bytes, Self::place_of(range.start)).map_err(|error| spill.error(error))
    }

    fn place_of(item: usize) -> u64 {
        (item * size_of::<T>()) as u64
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, place)
}

#[cfg(unix)]
fn write_all_at(file: &File, bytes: &[u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, place)
}

/// Lock for systems without such calls: a thread at a time moves the place of the file.
#[cfg(not(unix))]
static PLACE: std::sync::Mutex<()> = std::sync::Mutex::new(());

#[cfg(not(unix))]
fn read_exact_at(mut file: &File, bytes: &mut [u8], place: u64) -> io::Result<()> {
    let _turn = PLACE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    io::Seek::seek(&mut file, io::SeekFrom::Start(place))?;
    io::Read::read_exact(&mut file, bytes)
}

#[cfg(not(unix))]
fn write_all_at(mut file: &File, bytes: &[u8], place: u64) -> io::Result<()> {
    let _turn = PLACE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    io::Seek::seek(&mut file, io::SeekFrom::Start(place))?;
    io::Write::write_all(&mut file, bytes)
}
