//! The decompressed bytes of a file, read block by block; corrupt compression ends the file and is not an error of the
//! system.
//!
//! Records of text are looked at before they are cut: an archive named `.jsonl` would be one bad record after the
//! other, and a table in UTF-16 one without its columns.

use super::context::BLOCK_BYTES;
use crate::base::details::Action;
use crate::base::{BadRecord, Compression, Decompressor, Error, Place, Problem, Result};
use crate::formats::{RecordFormat, binary_kind, looks_like};
use crate::sources::{Arriving, ArrivingReader, FieldNames, Source, utf16_mark};
use std::io::Read;
use std::path::Path;

/// A file that is being read.
#[derive(Debug)]
pub(super) struct Input {
    reader: Decompressor,
    /// Input that arrives, if it does: no more is read at once than is there.
    arriving: Option<Arriving>,
    compression: Compression,
    /// Bytes that were looked at and are still to be given out.
    head: Vec<u8>,
    /// True if all bytes were read, up to the end of the file or to corrupt compression.
    pub(super) has_ended: bool,
    /// The message of the decoder about corrupt compression.
    pub(super) damage: Option<String>,
}

impl Input {
    pub(super) fn open(path: &Path, compression: Compression) -> Result<Self> {
        let reader = compression.open(path)?;
        Ok(Self::new(reader, compression))
    }

    /// The bytes of an input that arrives.
    fn of_arriving(opened: ArrivingReader) -> Self {
        let arriving = opened.arriving().cloned();
        Self { arriving, ..Self::new(Decompressor::of_plain(opened), Compression::None) }
    }

    fn new(reader: Decompressor, compression: Compression) -> Self {
        Self { reader, arriving: None, compression, head: Vec::new(), has_ended: false, damage: None }
    }

    /// Opens a file of records in the form of text.
    ///
    /// # Errors
    /// [`Error::LooksLike`] if its first bytes are of another format; [`Error::Binary`] if they are of a file that
    /// holds no text, unless the user names its encoding; [`Error::BadRow`] if they are UTF-16; [`Error::Io`].
    pub(super) fn open_text(
        source: &Source,
        format: RecordFormat,
        compression: Compression,
        names: &FieldNames,
    ) -> Result<Self> {
        let mut input = match source.arrives() {
            Some(arriving) => Self::of_arriving(arriving.open()),
            None => Self::open(&source.file, compression).map_err(|error| error.of_path(&source.path))?,
        };
        // The size of the buffers of blocks: decoders report damage by the size of a reading.
        let mut head = Vec::with_capacity(2 * BLOCK_BYTES);
        input.fill(&mut head).map_err(|error| Error::io(Action::Read, &source.path, error))?;
        if let Some(found) = looks_like(format, &head, &names.text) {
            return Err(found.instead_of(format, &source.path));
        }
        if let Some(kind) = binary_kind(&head).filter(|_| names.encoding.is_none()) {
            return Err(Error::Binary { path: source.path.to_path_buf(), kind });
        }
        if let Some(encoding) = utf16_mark(&head) {
            let place = Place::line(&source.path, 1);
            return Err(Error::BadRow { record: BadRecord { place, problem: Problem::UnusableEncoding { encoding } } });
        }
        input.has_ended &= head.is_empty();
        input.head = head;
        Ok(input)
    }

    /// Bytes of the file read so far.
    pub(super) fn read_bytes(&self) -> u64 {
        self.reader.read_bytes()
    }

    /// Appends at most [`BLOCK_BYTES`] bytes.
    pub(super) fn fill(&mut self, bytes: &mut Vec<u8>) -> std::io::Result<()> {
        if !self.head.is_empty() {
            bytes.append(&mut self.head);
            self.has_ended = self.damage.is_some();
            return Ok(());
        }
        let wanted_bytes =
            self.arriving.as_ref().map_or(BLOCK_BYTES, |arriving| arriving.wait_for_bytes().min(BLOCK_BYTES));
        match (&mut self.reader).take(wanted_bytes as u64).read_to_end(bytes) {
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
