//! The unpacked bytes of a file, a piece at a time, with what a damaged packing has to say kept apart.

use super::BLOCK_BYTES;
use crate::compression::{Compression, Unpacked};
use crate::error::Result;
use std::io::Read;
use std::path::Path;

/// A file while it is read.
#[derive(Debug)]
pub(super) struct Input {
    reader: Unpacked,
    compression: Compression,
    /// There is no more, be it for the end of the file or for damage.
    pub(super) has_ended: bool,
    /// What the decoder said when it could not go on.
    pub(super) damage: Option<String>,
}

impl Input {
    pub(super) fn open(path: &Path, compression: Compression) -> Result<Self> {
        let reader = compression.open(path)?;
        Ok(Self { reader, compression, has_ended: false, damage: None })
    }

    /// Bytes of the file that were needed so far.
    pub(super) fn read_bytes(&self) -> u64 {
        self.reader.read_bytes()
    }

    /// Reads at most a block more.
    pub(super) fn fill(&mut self, bytes: &mut Vec<u8>) -> std::io::Result<()> {
        match (&mut self.reader).take(BLOCK_BYTES as u64).read_to_end(bytes) {
            Ok(read) => self.has_ended = read == 0,
            // What the system says has a number; what has none was said by the decoder.
            Err(error) if self.compression != Compression::None && error.raw_os_error().is_none() => {
                self.damage = Some(error.to_string());
                self.has_ended = true;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
