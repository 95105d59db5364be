//! A container: one file of named sections.
//!
//! ```text
//! magic | section ... | section ... | directory (JSON) | tail
//! tail: bytes of the directory (u64), its checksum (u64), format (u32), magic
//! ```
//!
//! Numbers are little-endian. Each section begins at a multiple of 64 bytes, so that a mapped file can be read as an
//! array of numbers without a copy. The directory is at the end because a writer knows lengths and checksums (XXH3, 64
//! bits) only then. A truncated file has no tail and is refused.
//!
//! The number of the format is the seed of the checksum of the directory. So a file of another version is distinguished
//! from one whose format is a damaged byte, as long as versions keep this tail; every byte of a container is covered.

use super::Provenance;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::ops::Range;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64_with_seed};

/// The first and last bytes of every container.
pub const MAGIC: &[u8; 8] = b"LOOKLIKE";
/// The file, a container, by which a folder is known as an index.
pub const INDEX_MANIFEST: &str = "manifest";
/// The empty file of an index whose lock says who may write.
pub const INDEX_LOCK: &str = "lock";
/// First bytes of the snapshots of version 0.1.0, which are recognized to be refused.
pub const MAGIC_OF_VERSION_1: &[u8; 8] = b"LKSKETCH";
/// Version of the layout; other versions are refused.
pub const FORMAT: u32 = 3;
/// The last format whose directory had a checksum without a seed.
const UNSEEDED_FORMAT: u32 = 2;
/// Length of the tail in bytes.
const TAIL_BYTES: u64 = 8 + 8 + 4 + 8;
/// Alignment of sections in bytes.
const ALIGNMENT: u64 = 64;

/// A section of a container: consecutive bytes with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    name: String,
    offset: u64,
    bytes: u64,
    checksum: u64,
}

/// The directory of a container: kind, provenance and places of the sections.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Directory {
    kind: String,
    provenance: Provenance,
    /// Small data beside the sections, such as counts and names.
    about: Value,
    sections: Vec<Section>,
    /// Checksum of its JSON, from the tail of the file.
    #[serde(skip)]
    checksum: u64,
}

/// Writes sections as the bytes of a container to a function of the caller.
#[derive(Debug)]
pub struct Writer<S> {
    sink: S,
    offset: u64,
    sections: Vec<Section>,
}

impl<E, S: FnMut(&[u8]) -> Result<(), E>> Writer<S> {
    /// Begins a container; `sink` receives its bytes, in order.
    ///
    /// # Errors
    /// The errors of `sink`.
    pub fn new(sink: S) -> Result<Self, E> {
        let mut writer = Self { sink, offset: 0, sections: Vec::new() };
        writer.put(MAGIC)?;
        Ok(writer)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), E> {
        self.offset += bytes.len() as u64;
        (self.sink)(bytes)
    }

    /// Writes a section, given as consecutive chunks of bytes.
    ///
    /// # Errors
    /// The errors of `sink`.
    pub fn section(&mut self, name: &str, chunks: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Result<(), E> {
        let padding = self.offset.next_multiple_of(ALIGNMENT) - self.offset;
        self.put(&[0; ALIGNMENT as usize][..padding as usize])?;
        let offset = self.offset;
        let mut checksum = Xxh3Default::new();
        for chunk in chunks {
            checksum.update(chunk.as_ref());
            self.put(chunk.as_ref())?;
        }
        let bytes = self.offset - offset;
        self.sections.push(Section { name: name.to_owned(), offset, bytes, checksum: checksum.digest() });
        Ok(())
    }

    /// Writes directory and tail. A reader requests the `kind`, and compares the provenance with that of its own job.
    ///
    /// # Errors
    /// The errors of `sink`, and [`serde_json::Error`] if `about` has no JSON form.
    pub fn finish(mut self, kind: &str, provenance: &Provenance, about: &impl Serialize) -> Result<(), E>
    where
        E: From<serde_json::Error>,
    {
        let about = serde_json::to_value(about)?;
        let sections = std::mem::take(&mut self.sections);
        let kind = kind.to_owned();
        let directory = Directory { kind, provenance: provenance.clone(), about, sections, checksum: 0 };
        let json = serde_json::to_vec(&directory)?;
        self.put(&json)?;
        self.put(&(json.len() as u64).to_le_bytes())?;
        self.put(&checksum_of(&json, FORMAT).to_le_bytes())?;
        self.put(&FORMAT.to_le_bytes())?;
        self.put(MAGIC)
    }
}

impl Directory {
    /// Reads the directory of a file of `file_bytes` bytes; `read` returns the bytes of the file at a range.
    ///
    /// # Errors
    /// [`Damage`] if the file is not an intact container of this `kind` and format; the errors of `read`. Sections are
    /// checked by [`Section::check`].
    pub fn read<E: From<Damage>>(
        kind: &'static str,
        file_bytes: u64,
        mut read: impl FnMut(Range<u64>) -> Result<Vec<u8>, E>,
    ) -> Result<Self, E> {
        let min_bytes = MAGIC.len() as u64 + TAIL_BYTES;
        if file_bytes < min_bytes || read(0..MAGIC.len() as u64)? != MAGIC {
            return Err(Damage::NotAContainer.into());
        }
        let end = file_bytes - TAIL_BYTES;
        let Tail { directory_bytes, checksum, format } =
            Tail::parse(&read(end..file_bytes)?).ok_or(Damage::NotAContainer)?;
        let start = end.checked_sub(directory_bytes).ok_or(Damage::Directory)?;
        let json = read(start..end)?;
        if checksum_of(&json, format) != checksum {
            return Err(Damage::Directory.into());
        }
        if format != FORMAT {
            return Err(Damage::Version { expected: FORMAT, found: format }.into());
        }
        let directory: Self = serde_json::from_slice(&json).map_err(|_| Damage::Directory)?;
        let directory = Self { checksum, ..directory };
        for gap in directory.gaps(start)? {
            if read(gap)?.iter().any(|&byte| byte != 0) {
                return Err(Damage::Directory.into());
            }
        }
        if directory.kind != kind {
            return Err(Damage::Kind { expected: kind, found: directory.kind }.into());
        }
        Ok(directory)
    }

    /// The byte ranges of padding before each section, if the sections are consecutive up to `end`, as a writer places
    /// them.
    fn gaps(&self, end: u64) -> Result<Vec<Range<u64>>, Damage> {
        let mut position = MAGIC.len() as u64;
        let mut gaps = Vec::new();
        for section in &self.sections {
            if section.offset != position.next_multiple_of(ALIGNMENT) {
                return Err(Damage::Directory);
            }
            gaps.push(position..section.offset);
            position = section.end().filter(|&section_end| section_end <= end).ok_or(Damage::Directory)?;
        }
        if position == end { Ok(gaps) } else { Err(Damage::Directory) }
    }

    /// The checksum of the directory, which covers the checksums of all sections: two files with one are the same.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The provenance of the content.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The small data beside the sections.
    ///
    /// # Errors
    /// [`Damage::Directory`] if the data is not a `T`.
    pub fn about<T: DeserializeOwned>(&self) -> Result<T, Damage> {
        T::deserialize(&self.about).map_err(|_| Damage::Directory)
    }

    /// Returns all sections.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The section of the given name.
    ///
    /// # Errors
    /// [`Damage::NoSection`] if the container has no such section.
    pub fn section(&self, name: &'static str) -> Result<&Section, Damage> {
        self.sections.iter().find(|section| section.name == name).ok_or(Damage::NoSection { name })
    }
}

impl Section {
    fn end(&self) -> Option<u64> {
        self.offset.checked_add(self.bytes)
    }

    /// Name of the section.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Offset of the first byte of the section in the file, a multiple of 64.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Length of the section in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// An incremental check of the bytes of the section.
    pub fn check(&self) -> SectionCheck {
        SectionCheck { section: self.clone(), left: self.bytes, checksum: Xxh3Default::new() }
    }

    /// Checks all bytes of the section at once.
    ///
    /// # Errors
    /// [`Damage::Section`] if the bytes are not those that were written.
    pub fn check_all(&self, bytes: &[u8]) -> Result<(), Damage> {
        let mut check = self.check();
        check.update(bytes)?;
        check.finish()
    }
}

/// An incremental check of the bytes of a section, for readers that process them in chunks.
pub struct SectionCheck {
    section: Section,
    left: u64,
    checksum: Xxh3Default,
}

impl fmt::Debug for SectionCheck {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SectionCheck({:?}, {} bytes left)", self.section.name, self.left)
    }
}

impl SectionCheck {
    /// Number of bytes that are still missing.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Adds the next bytes, in order.
    ///
    /// # Errors
    /// [`Damage::Section`] if there are more bytes than were written.
    pub fn update(&mut self, bytes: &[u8]) -> Result<(), Damage> {
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or_else(|| self.damage())?;
        self.checksum.update(bytes);
        Ok(())
    }

    /// Ends the check.
    ///
    /// # Errors
    /// [`Damage::Section`] if bytes are missing or differ from those that were written.
    pub fn finish(&self) -> Result<(), Damage> {
        let is_whole = self.left == 0 && self.checksum.digest() == self.section.checksum;
        if is_whole { Ok(()) } else { Err(self.damage()) }
    }

    fn damage(&self) -> Damage {
        Damage::Section { name: self.section.name.clone() }
    }
}

/// The checksum of the directory of a container of this format.
fn checksum_of(directory: &[u8], format: u32) -> u64 {
    let seed = if format == UNSEEDED_FORMAT { 0 } else { u64::from(format) };
    xxh3_64_with_seed(directory, seed)
}

/// The tail of a container, without the magic bytes.
struct Tail {
    directory_bytes: u64,
    checksum: u64,
    format: u32,
}

impl Tail {
    /// `None` if the bytes do not end in the magic ones.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let (&directory_bytes, rest) = bytes.split_first_chunk()?;
        let (&checksum, rest) = rest.split_first_chunk()?;
        let (&format, magic) = rest.split_first_chunk()?;
        (magic == MAGIC).then(|| Self {
            directory_bytes: u64::from_le_bytes(directory_bytes),
            checksum: u64::from_le_bytes(checksum),
            format: u32::from_le_bytes(format),
        })
    }
}

/// The reason for which a stored file is refused. In the messages, "it" is the file, whose path the caller adds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// The file lacks the magic bytes of a container at its start or end.
    #[error("it is not a complete lookalike file")]
    NotAContainer,
    /// The file has the format of another version.
    #[error("it has format {found}, and this version reads format {expected}")]
    Version {
        /// The format that this version reads.
        expected: u32,
        /// The format of the file.
        found: u32,
    },
    /// The container is of another kind.
    #[error("it is a {found}, not a {expected}")]
    Kind {
        /// The requested kind.
        expected: &'static str,
        /// The kind of the file.
        found: String,
    },
    /// The directory is inconsistent or differs from its checksum.
    #[error("its directory is damaged")]
    Directory,
    /// The container lacks a section.
    #[error("it has no section `{name}`")]
    NoSection {
        /// Name of the section.
        name: &'static str,
    },
    /// The bytes of a section differ from its checksum or are invalid.
    #[error("its section `{name}` is damaged")]
    Section {
        /// Name of the section.
        name: String,
    },
}

#[cfg(test)]
mod tests;
