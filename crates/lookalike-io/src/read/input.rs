//! The decompressed bytes of a file, read block by block; corrupt compression ends the file and is not an error of the
//! system.

use super::context::BLOCK_BYTES;
use crate::ground::{Compression, Decompressor, Result};
use std::io::Read;
use std::path::Path;

/// A file that is being read.
#[derive(Debug)]
pub(super) struct Input {
    reader: Decompressor,
    compression: Compression,
    /// Whether all bytes were read, up to the end of the file or to corrupt compression.
    pub(super) has_ended: bool,
    /// The message of the decoder about corrupt compression.
    pub(super) damage: Option<String>,
}

impl Input {
    pub(super) fn open(path: &Path, compression: Compression) -> Result<Self> {
        let reader = compression.open(path)?;
        Ok(Self { reader, compression, has_ended: false, damage: None })
    }

    /// Bytes of the file read so far.
    pub(super) fn read_bytes(&self) -> u64 {
        self.reader.read_bytes()
    }

    /// Appends at most [`BLOCK_BYTES`] bytes.
    pub(super) fn fill(&mut self, bytes: &mut Vec<u8>) -> std::io::Result<()> {
        match (&mut self.reader).take(BLOCK_BYTES as u64).read_to_end(bytes) {
            Ok(read) => self.has_ended = read == 0,
            // Errors of the system have a number, errors of the decoder have none.
            Err(error) if self.compression != Compression::None && error.raw_os_error().is_none() => {
                self.damage = Some(error.to_string());
                self.has_ended = true;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
