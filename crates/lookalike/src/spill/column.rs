//! An array that grows at its end: in memory first, in a file when that becomes too much.
//!
//! A file with a name outlives the process; its state says how long it was and which bytes it had, and whatever came
//! after that is cut off when the job is resumed. Others can change it while the job is at work: all its bytes are
//! checked once more when it is complete, and from then on its size and time ([`Spill::check_files`]).

use super::Spill;
use super::resident::{Mapped, NamedFile};
use crate::base::Result;
use bytemuck::Pod;
use lookalike_core::Array;
use lookalike_io::base::{Access, create_own_file, open_own_file};
use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Debug};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3Default;

/// Small, because there may be hundreds of them.
pub(crate) const BUFFER_BYTES: usize = 1 << 15;

/// Location of the items of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Location {
    Memory,
    File,
}

/// The growing array. Its file holds the items in the byte order of the machine: it never leaves this machine.
#[derive(Debug)]
pub(crate) enum SpillColumn<T> {
    Memory(Vec<T>),
    File { writer: BufWriter<SummedFile>, len: usize },
}

impl<T> Default for SpillColumn<T> {
    fn default() -> Self {
        Self::Memory(Vec::new())
    }
}

impl<T: Pod + Debug + Send + Sync> SpillColumn<T> {
    /// An array in memory with addresses for `items` items, where the system takes memory for no more than what is
    /// filled; elsewhere, or without addresses for so much, an ordinary array.
    pub(crate) fn with_capacity_for(items: usize) -> Self {
        let mut array = Vec::new();
        if cfg!(target_os = "linux") {
            // An array without room grows as others do.
            let _ = array.try_reserve_exact(items);
        }
        Self::Memory(array)
    }

    /// An empty array in a new temporary file.
    pub(crate) fn in_file(spill: &Spill) -> Result<Self> {
        Self::in_file_with(BUFFER_BYTES, spill)
    }

    /// An empty array in a new temporary file, with another size of what is written at a time.
    pub(crate) fn in_file_with(buffer_bytes: usize, spill: &Spill) -> Result<Self> {
        let writer = BufWriter::with_capacity(buffer_bytes, SummedFile { file: spill.file()?, name: None });
        Ok(Self::File { writer, len: 0 })
    }

    /// An empty array at `location`.
    pub(crate) fn at(location: Location, spill: &Spill) -> Result<Self> {
        match location {
            Location::Memory => Ok(Self::default()),
            Location::File => Self::in_file(spill),
        }
    }

    /// An empty array in the file at `path`, which is replaced if it exists.
    pub(crate) fn named(path: &Path) -> Result<Self> {
        Ok(Self::over(SummedFile { file: create_own_file(path)?, name: Some(Name::new(path, Xxh3Default::new())) }, 0))
    }

    /// The array in the file at `path` as it was at `state`, without the bytes after that; `None` if the file does not
    /// begin with the bytes that it had then. `look_at` is shown all items, some at a time, before it is known whether
    /// they are those.
    pub(crate) fn resume(
        path: &Path,
        state: &ColumnState,
        spill: &Spill,
        look_at: impl FnMut(&[T]),
    ) -> Result<Option<Self>> {
        let Some(mut file) = open_own_file(path, Access::Write)? else { return Ok(None) };
        let checksum = checksum_of(&mut file, state.bytes, look_at).map_err(|error| spill.error_at(path, error))?;
        if checksum.digest() != state.checksum || !state.bytes.is_multiple_of(size_of::<T>() as u64) {
            return Ok(None);
        }
        cut_to(&mut file, state.bytes).map_err(|error| spill.error_at(path, error))?;
        let len = state.bytes as usize / size_of::<T>();
        Ok(Some(Self::over(SummedFile { file, name: Some(Name::new(path, checksum)) }, len)))
    }

    fn over(file: SummedFile, len: usize) -> Self {
        Self::File { writer: BufWriter::with_capacity(BUFFER_BYTES, file), len }
    }

    /// The state for [`SpillColumn::resume`]; all zero for an array in memory.
    pub(crate) fn state(&mut self, spill: &Spill) -> Result<ColumnState> {
        let Self::File { writer, len } = self else { return Ok(ColumnState::default()) };
        writer.flush().map_err(|error| spill.error(error))?;
        let checksum = writer.get_ref().name.as_ref().map_or(0, |name| name.checksum.digest());
        Ok(ColumnState { bytes: (*len * size_of::<T>()) as u64, checksum })
    }

    /// The location of the items.
    pub(crate) fn location(&self) -> Location {
        if self.is_in_file() { Location::File } else { Location::Memory }
    }

    pub(crate) fn is_in_file(&self) -> bool {
        matches!(self, Self::File { .. })
    }

    /// Items.
    pub(crate) fn read_all(&mut self, spill: &Spill) -> Result<Vec<T>> {
        self.read_from(0, spill)
    }

    /// The items from `start` on.
    pub(crate) fn read_from(&mut self, start: usize, spill: &Spill) -> Result<Vec<T>> {
        match self {
            Self::Memory(items) => Ok(items[start..].to_vec()),
            Self::File { writer, len } => {
                let mut items = vec![T::zeroed(); *len - start];
                read_back(writer, start, &mut items).map_err(|error| spill.error(error))?;
                Ok(items)
            }
        }
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
            Self::File { writer, .. } => writer.capacity(),
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

    /// Adds an item, in a file from the one on that exceeds `max_bytes`.
    pub(crate) fn push_within(&mut self, item: T, max_bytes: usize, spill: &Spill) -> Result<()> {
        if !self.is_in_file() && self.memory_bytes() >= max_bytes {
            self.move_to_file(spill)?;
        }
        self.extend(&[item], spill)
    }

    /// Moves the items to a file, to which later items are appended.
    pub(crate) fn move_to_file(&mut self, spill: &Spill) -> Result<()> {
        if let Self::Memory(items) = self {
            let mut file = Self::in_file(spill)?;
            file.extend(items, spill)?;
            *self = file;
        }
        Ok(())
    }

    /// The item at `index`. Slow for a file that is being written: for rare cases.
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

    /// Returns whether the items at `range` equal `others`. Slow for a file that is being written: for rare cases.
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

    /// Ends writing and returns the array, mapped if it is in a file.
    pub(crate) fn finish(self, spill: &Spill) -> Result<Array<T>> {
        let (mut file, len) = match self {
            Self::Memory(items) => return Ok(Array::Owned(items)),
            Self::File { len: 0, .. } => return Ok(Array::default()),
            Self::File { writer, len } => (writer.into_inner().map_err(|error| spill.error(error.into_error()))?, len),
        };
        let len = (len * size_of::<T>()) as u64;
        file.flush().map_err(|error| spill.error(error))?;
        let map = match &file.name {
            None => spill.resident.map(&file.file).map_err(|error| spill.error(error))?,
            Some(name) => name.map(&file.file, len, spill)?,
        };
        let bytes = 0..map.len();
        Ok(Array::Stored(Arc::new(Mapped::new(map, bytes, Arc::clone(&spill.resident)))))
    }
}

/// A file; if it has a name, with the checksum of the bytes written to it.
pub(crate) struct SummedFile {
    file: File,
    name: Option<Box<Name>>,
}

/// Path and checksum of a file that outlives the process.
struct Name {
    path: PathBuf,
    checksum: Xxh3Default,
    /// `true` if nothing was written since its bytes were checked.
    is_checked: bool,
}

impl Name {
    /// Name of a file with these bytes.
    fn new(path: &Path, checksum: Xxh3Default) -> Box<Self> {
        Box::new(Self { path: path.to_owned(), checksum, is_checked: true })
    }

    /// Maps the file, which has `bytes` bytes if nobody else has written to it.
    fn map(&self, file: &File, bytes: u64, spill: &Spill) -> Result<Arc<Mmap>> {
        let io = |error| spill.error_at(&self.path, error);
        let named = NamedFile::new(file, &self.path).map_err(io)?;
        let is_whole = || -> io::Result<bool> {
            let mut reader = file;
            reader.seek(SeekFrom::Start(0))?;
            Ok(checksum_of(&mut reader, bytes, |_: &[u8]| ())?.digest() == self.checksum.digest())
        };
        if named.bytes() != bytes || !(self.is_checked || is_whole().map_err(io)?) {
            return Err(lookalike_io::Error::Changed { path: self.path.clone() }.into());
        }
        spill.resident.map_named(named).map_err(io)
    }
}

impl fmt::Debug for SummedFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.file)
    }
}

impl Write for SummedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        if let Some(name) = &mut self.name {
            name.checksum.update(&bytes[..written]);
            name.is_checked = false;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for SummedFile {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.file.seek(place)
    }
}

/// The length and the checksum (XXH3, 64 bits) of an array in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ColumnState {
    bytes: u64,
    checksum: u64,
}

impl ColumnState {
    pub(crate) fn checksum(&self) -> u64 {
        self.checksum
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Cuts a longer file and goes to its end. One of this length keeps its time.
fn cut_to(file: &mut File, bytes: u64) -> io::Result<()> {
    if file.metadata()?.len() != bytes {
        file.set_len(bytes)?;
    }
    file.seek(SeekFrom::End(0)).map(drop)
}

/// The checksum of the first `bytes` bytes of a file; one that matches nothing if the file is shorter. `look_at` is
/// shown them as items.
fn checksum_of<T: Pod>(file: &mut impl Read, bytes: u64, mut look_at: impl FnMut(&[T])) -> io::Result<Xxh3Default> {
    let mut checksum = Xxh3Default::new();
    let mut left = bytes;
    let mut buffer = vec![T::zeroed(); BUFFER_BYTES / size_of::<T>()];
    while left > 0 {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut buffer);
        let wanted = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = read_up_to(file, &mut bytes[..wanted])?;
        checksum.update(&bytes[..read]);
        if read < wanted {
            // No file of this length has that checksum; some bytes more make it another.
            checksum.update(b"short");
            break;
        }
        look_at(&buffer[..read / size_of::<T>()]);
        left -= read as u64;
    }
    Ok(checksum)
}

/// Fills the buffer, unless the file ends before; returns the number of bytes that were read.
fn read_up_to(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

fn read_back<T: Pod>(writer: &mut BufWriter<SummedFile>, start: usize, items: &mut [T]) -> io::Result<()> {
    // Seeking flushes the buffer.
    writer.seek(SeekFrom::Start((start * size_of::<T>()) as u64))?;
    writer.get_mut().file.read_exact(bytemuck::cast_slice_mut(items))?;
    writer.seek(SeekFrom::End(0))?;
    Ok(())
}
