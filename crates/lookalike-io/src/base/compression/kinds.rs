//! The compressions of files, by extension and first bytes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// First bytes of a file that tell its compression.
pub(in crate::base) const HEAD_BYTES: u64 = 10;
/// Bytes 5 to 10 of a bzip2 file: the magic of a block, or of the end of an empty file.
const BZIP2_BLOCKS: [[u8; 6]; 2] = [[0x31, 0x41, 0x59, 0x26, 0x53, 0x59], [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]];

/// First bytes of a skippable frame of zstd after a byte of 0x50 to 0x5F (RFC 8878, section 3.1.2). LZ4 has the same.
pub(in crate::base) const SKIPPABLE: [u8; 3] = [0x2A, 0x4D, 0x18];

/// Compression of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Uncompressed.
    None,
    /// RFC 1952.
    Gzip,
    /// RFC 8878.
    Zstd,
    /// bzip2.
    Bzip2,
    /// The xz format of LZMA2.
    Xz,
}

impl Compression {
    const ALL: [(Self, &'static str, &'static [u8]); 4] = [
        (Self::Gzip, "gz", &[0x1F, 0x8B]),
        (Self::Zstd, "zst", &[0x28, 0xB5, 0x2F, 0xFD]),
        (Self::Bzip2, "bz2", b"BZh"),
        (Self::Xz, "xz", &[0xFD, b'7', b'z', b'X', b'Z', 0]),
    ];

    /// The compression that the extension of a name means, and the name without it: `news.jsonl` for `news.jsonl.gz`.
    pub fn of_name(path: &Path) -> (Self, PathBuf) {
        let extension = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        match Self::ALL.iter().find(|(_, known, _)| extension.as_deref() == Some(*known)) {
            Some(&(compression, ..)) => (compression, path.with_extension("")),
            None => (Self::None, path.to_owned()),
        }
    }

    pub(in crate::base) fn magic(self) -> Option<&'static [u8]> {
        Self::ALL.iter().find(|(compression, ..)| *compression == self).map(|(.., magic)| *magic)
    }

    /// The name in messages and checkpoints.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "nothing",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
        }
    }

    /// Typical compression ratio of English text.
    pub(crate) fn usual_ratio(self) -> u64 {
        match self {
            Self::None => 1,
            Self::Gzip | Self::Zstd => 3,
            Self::Bzip2 | Self::Xz => 4,
        }
    }

    /// Returns whether a file with these first bytes is not compressed. Needs ten of them, or the whole file if
    /// shorter.
    pub(crate) fn is_plain(head: &[u8]) -> bool {
        let is_skippable = matches!(head, [0x50..=0x5F, magic @ ..] if magic.starts_with(&SKIPPABLE));
        Self::of_magic(&head[..head.len().min(HEAD_BYTES as usize)]) == Self::None && !is_skippable
    }

    pub(in crate::base) fn of_magic(head: &[u8]) -> Self {
        let is_of = |compression: Self, magic| match compression {
            // Its magic alone is text.
            Self::Bzip2 => {
                head.starts_with(magic) && BZIP2_BLOCKS.iter().any(|block| head[magic.len()..].get(1..) == Some(block))
            }
            _ => head.starts_with(magic),
        };
        let found = Self::ALL.iter().find(|&&(compression, _, magic)| is_of(compression, magic));
        found.map_or(Self::None, |found| found.0)
    }
}
