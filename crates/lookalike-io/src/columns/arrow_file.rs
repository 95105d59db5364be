//! Arrow IPC, as a file with a footer or as a stream, message by message.
//!
//! ```text
//! file     "ARROW1"  schema  dictionaries and batches ...  footer: schema, positions of all messages  "ARROW1"
//! stream             schema  dictionaries and batches ...
//! ```
//!
//! The crate arrow-ipc has readers for both. They allocate the decompressed length that a compressed buffer claims; if
//! the memory is short, the process aborts. So the messages are found and checked here, and then decoded by the crate.
//! This also gives the compression of the buffers, which those readers do not tell.

use super::decoding::{guarded, open};
use crate::base::details::{Action, DataForm};
use crate::base::{Error, Result};
use crate::formats::{ARROW_MAGIC, RecordFormat};
use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{FileDecoder, read_footer_length};
use arrow_ipc::{Block, CompressionType, Message, MessageHeader, MetadataVersion, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

const CONTINUATION: [u8; 4] = [0xFF; 4];

type ArrowResult<T> = std::result::Result<T, ArrowError>;

/// An open file or stream.
#[derive(Debug)]
pub(crate) struct ArrowFile {
    bytes: FileBytes,
    pub(super) schema: SchemaRef,
    /// Metadata of the footer.
    pub(super) footer_metadata: HashMap<String, String>,
    decoder: FileDecoder,
    messages: Messages,
    /// Compression of the buffers of the last batch.
    pub(super) compression: Option<CompressionType>,
    /// Bytes up to the end of the last message.
    pub(super) read_bytes: u64,
}

/// The positions of the next messages.
#[derive(Debug)]
enum Messages {
    /// The list in the footer.
    Listed(VecDeque<Block>),
    /// The end of the last message.
    Following(u64),
}

/// A file with its length, against which reads are checked before they allocate.
#[derive(Debug)]
struct FileBytes {
    file: BufReader<File>,
    length: u64,
}

impl FileBytes {
    fn read(&mut self, offset: u64, length: u64) -> ArrowResult<Vec<u8>> {
        if offset.checked_add(length).is_none_or(|end| end > self.length) {
            let message = format!("{length} bytes from byte {offset} on, but the file has {}", self.length);
            return Err(ArrowError::IpcError(message));
        }
        self.file.seek(SeekFrom::Start(offset))?;
        let mut bytes = vec![0; length as usize];
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

impl ArrowFile {
    /// Opens a file for the top-level columns that satisfy `is_selected`.
    pub(super) fn open(path: &Path, is_selected: &dyn Fn(&str) -> bool) -> Result<Self> {
        let file = open(path, RecordFormat::Arrow)?;
        let length = file.metadata().map_err(|source| Error::io(Action::Read, path, source))?.len();
        let mut bytes = FileBytes { file: BufReader::new(file), length };
        let opened = guarded(|| {
            let begin = bytes.read(0, length.min(ARROW_MAGIC.len() as u64))?;
            if begin.starts_with(b"FEA1") {
                let message = "Feather of version 1, which is no Arrow IPC: write it again as version 2";
                return Err(ArrowError::NotYetImplemented(message.to_owned()));
            }
            if begin == ARROW_MAGIC {
                Self::open_file(bytes, is_selected)
            } else {
                Self::open_stream(bytes, is_selected)
            }
        });
        opened.map_err(|message| Error::NotInFormat {
            path: path.to_owned(),
            form: DataForm::Records(RecordFormat::Arrow),
            message,
        })
    }

    /// Returns whether it has a footer: whether it is in the file format.
    pub(super) fn has_footer(&self) -> bool {
        matches!(self.messages, Messages::Listed(_))
    }

    fn open_file(mut bytes: FileBytes, is_selected: &dyn Fn(&str) -> bool) -> ArrowResult<Self> {
        let end = bytes.length.saturating_sub(10);
        let mut trailer = [0; 10];
        trailer.copy_from_slice(&bytes.read(end, 10)?);
        let footer_length = read_footer_length(trailer)? as u64;
        let footer = bytes.read(end.checked_sub(footer_length).ok_or_else(no_footer)?, footer_length)?;
        let footer = root_as_footer(&footer).map_err(|_| no_footer())?;
        let schema = schema_of(footer.schema().ok_or_else(no_footer)?)?;
        let pairs = footer.custom_metadata().into_iter().flatten();
        let pairs = pairs.filter_map(|pair| Some((pair.key()?.to_owned(), pair.value()?.to_owned())));
        let footer_metadata = pairs.collect();
        let batches = footer.recordBatches().ok_or_else(no_footer)?.iter().copied().collect();
        let mut file = Self {
            bytes,
            decoder: decoder(&schema, footer.version(), is_selected),
            schema,
            footer_metadata,
            messages: Messages::Listed(batches),
            compression: None,
            read_bytes: 0,
        };
        for block in footer.dictionaries().into_iter().flatten() {
            file.decode(block)?;
        }
        Ok(file)
    }

    fn open_stream(mut bytes: FileBytes, is_selected: &dyn Fn(&str) -> bool) -> ArrowResult<Self> {
        let no_schema = || ArrowError::IpcError("no schema at the begin".to_owned());
        let block = following(&mut bytes, 0)?.ok_or_else(no_schema)?;
        let metadata = bytes.read(0, block.metaDataLength() as u64)?;
        let message = message_of(&metadata)?;
        let schema = schema_of(message.header_as_schema().ok_or_else(no_schema)?)?;
        Ok(Self {
            decoder: decoder(&schema, message.version(), is_selected),
            bytes,
            schema,
            footer_metadata: HashMap::new(),
            messages: Messages::Following(end_of(&block)),
            compression: None,
            read_bytes: 0,
        })
    }

    /// The next batch.
    pub(super) fn next(&mut self) -> ArrowResult<Option<RecordBatch>> {
        loop {
            let block = match &mut self.messages {
                Messages::Listed(blocks) => blocks.pop_front(),
                Messages::Following(offset) => following(&mut self.bytes, *offset)?,
            };
            let Some(block) = block else {
                self.read_bytes = self.bytes.length;
                return Ok(None);
            };
            let batch = self.decode(&block)?;
            self.read_bytes = end_of(&block);
            if let Messages::Following(offset) = &mut self.messages {
                *offset = end_of(&block);
            }
            if batch.is_some() {
                return Ok(batch);
            }
        }
    }

    /// Decodes a batch; `None` for a dictionary, which the decoder stores.
    fn decode(&mut self, block: &Block) -> ArrowResult<Option<RecordBatch>> {
        let lengths =
            (u64::try_from(block.offset()), u64::try_from(block.metaDataLength()), u64::try_from(block.bodyLength()));
        let (Ok(offset), Ok(metadata), Ok(body)) = lengths else {
            return Err(ArrowError::IpcError("a length below zero".to_owned()));
        };
        let length = metadata.saturating_add(body);
        let bytes = Buffer::from_vec(self.bytes.read(offset, length)?);
        let message = message_of(&bytes[..metadata as usize])?;
        let dictionary = message.header_as_dictionary_batch();
        let batch = message.header_as_record_batch().or_else(|| dictionary.and_then(|dictionary| dictionary.data()));
        if let Some(batch) = batch {
            check_buffers(&batch, &bytes[metadata as usize..])?;
            self.compression = batch.compression().map(|compression| compression.codec());
        }
        if message.header_type() == MessageHeader::DictionaryBatch {
            return self.decoder.read_dictionary(block, &bytes).map(|()| None);
        }
        self.decoder.read_record_batch(block, &bytes)
    }
}

fn decoder(schema: &SchemaRef, version: MetadataVersion, is_selected: &dyn Fn(&str) -> bool) -> FileDecoder {
    let columns = schema.fields().iter().enumerate().filter(|(_, field)| is_selected(field.name()));
    FileDecoder::new(schema.clone(), version).with_projection(columns.map(|(number, _)| number).collect())
}

fn no_footer() -> ArrowError {
    ArrowError::IpcError("no footer at the end: the file was cut or damaged".to_owned())
}

fn schema_of(schema: arrow_ipc::Schema<'_>) -> ArrowResult<SchemaRef> {
    if !schema.endianness().equals_to_target_endianness() {
        return Err(ArrowError::IpcError("written with another order of bytes than this machine has".to_owned()));
    }
    let schema: Schema = try_fb_to_schema(schema)?;
    Ok(SchemaRef::new(schema))
}

fn end_of(block: &Block) -> u64 {
    block.offset().saturating_add(block.metaDataLength().into()).saturating_add(block.bodyLength()).max(0) as u64
}

/// The message that begins at `offset`; `None` at the end.
fn following(bytes: &mut FileBytes, offset: u64) -> ArrowResult<Option<Block>> {
    if offset == bytes.length {
        return Ok(None);
    }
    // Arrow before version 0.15 wrote no continuation marker.
    let mut prefix = 4;
    let mut word = bytes.read(offset, 4)?;
    if word == CONTINUATION {
        prefix = 8;
        word = bytes.read(offset.saturating_add(4), 4)?;
    }
    let length = i32::from_le_bytes([word[0], word[1], word[2], word[3]]);
    if length == 0 {
        return Ok(None);
    }
    let wrong = |_| ArrowError::IpcError(format!("a message of {length} bytes"));
    let metadata = bytes.read(offset, u64::try_from(length).map_err(wrong)?.saturating_add(prefix))?;
    let message = message_of(&metadata)?;
    Ok(Some(Block::new(offset as i64, metadata.len() as i32, message.bodyLength())))
}

fn message_of(metadata: &[u8]) -> ArrowResult<Message<'_>> {
    let prefix = if metadata.starts_with(&CONTINUATION) { 8 } else { 4 };
    let wrong = || ArrowError::IpcError("a message that cannot be read".to_owned());
    root_as_message(metadata.get(prefix..).ok_or_else(wrong)?).map_err(|_| wrong())
}

/// Tries to allocate the decompressed length that each compressed buffer claims, which the decoder would do infallibly.
fn check_buffers(batch: &arrow_ipc::RecordBatch<'_>, body: &[u8]) -> ArrowResult<()> {
    if batch.compression().is_none() {
        return Ok(());
    }
    for buffer in batch.buffers().into_iter().flatten() {
        let at = usize::try_from(buffer.offset()).ok();
        let Some(Ok(claimed)) = at.and_then(|at| body.get(at..at.checked_add(8)?)).map(TryInto::try_into) else {
            continue;
        };
        let claimed = usize::try_from(i64::from_le_bytes(claimed)).unwrap_or(0);
        let mut memory: Vec<u8> = Vec::new();
        if buffer.length() > 0 && memory.try_reserve_exact(claimed).is_err() {
            return Err(ArrowError::IpcError(format!("a buffer that would have {claimed} bytes")));
        }
    }
    Ok(())
}
