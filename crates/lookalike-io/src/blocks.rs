//! Sources as a sequence of blocks: the unit in which reading and work on the documents overlap.
//!
//! One thread at a time reads and cuts, all threads look into what was cut: a [`Block`] is bytes that hold whole records, and
//! finding the fields in them is the work of whoever takes the block. (Columns have to be decoded by the thread that reads
//! them.) Each layout of records is a file of this module.

mod buffers;
mod columnar;
mod delimited;
mod input;
mod lines;
mod text_files;
mod warc;

use crate::document::Document;
use crate::error::{BadRecord, Error, Place, Problem, Result};
use crate::format::RecordFormat;
use crate::record::FieldNames;
use crate::source::{Source, SourceKind};
use buffers::Buffers;
use columnar::ColumnFile;
use delimited::DelimitedFile;
pub use delimited::header;
pub(crate) use delimited::{csv_reader, is_blank, row_reader};
use lines::{LineFile, Lines};
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use text_files::{TextFile, read_text_files};
pub use warc::kept_records;
use warc::{WarcFile, WarcRecords};

/// Large enough that a block keeps a thread busy for milliseconds, small enough that several fit into a cache.
const BLOCK_BYTES: usize = 1 << 18;
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Some consecutive documents of one source, as bytes.
#[derive(Debug)]
pub struct Block {
    /// Number of the source.
    pub source: usize,
    /// Bytes of input that were read for it: fewer than its own if they are packed.
    pub input_bytes: u64,
    path: Arc<Path>,
    content: Content,
    /// Longest record that is wanted, in bytes.
    limit: u64,
}

/// What a block holds, by the layout of its source.
#[derive(Debug)]
enum Content {
    Lines(Lines),
    Delimited(delimited::Rows),
    Columns(Box<columnar::Rows>),
    Warc(WarcRecords),
    Files(Vec<TextFile>),
}

/// A document, or why there is none.
type Visited<'a> = std::result::Result<Document<'a>, BadRecord>;

/// Where and when a document was fetched, if that stands in its record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) url: Option<String>,
    pub(crate) date: Option<String>,
}

/// What must be known to find the documents of a block.
struct Context<'a> {
    names: &'a FieldNames,
    path: &'a Arc<Path>,
    /// Longest record that is wanted, in bytes.
    limit: u64,
}

impl Context<'_> {
    /// The text as it is compared: that of a set of items in their common form.
    fn text<'a>(&self, text: Cow<'a, str>) -> std::result::Result<Cow<'a, str>, Problem> {
        match self.names.items {
            None => Ok(text),
            Some(separator) => separator.items(&text).map(Cow::Owned),
        }
    }

    fn place(&self, line: u64) -> Place {
        Place { path: Arc::clone(self.path), line: Some(line) }
    }
}

impl Block {
    /// Number of bytes of documents.
    pub fn bytes(&self) -> u64 {
        match &self.content {
            Content::Lines(lines) => lines.bytes(),
            Content::Delimited(rows) => rows.bytes(),
            Content::Columns(rows) => rows.bytes(),
            Content::Warc(records) => records.bytes(),
            Content::Files(files) => files.iter().map(TextFile::bytes).sum(),
        }
    }

    /// Calls `visit` with each document or bad record, in order.
    pub fn for_each_document(&self, names: &FieldNames, mut visit: impl FnMut(Visited<'_>)) {
        let context = Context { names, path: &self.path, limit: self.limit };
        match &self.content {
            Content::Lines(lines) => lines.for_each_document(&context, visit),
            Content::Delimited(rows) => rows.for_each_document(&context, visit),
            Content::Columns(rows) => rows.for_each_document(&context, visit),
            Content::Warc(records) => records.for_each_document(&context, visit),
            Content::Files(files) => files.iter().for_each(|file| visit(file.read(&context))),
        }
    }

    /// The same, with what else is known of each.
    pub(crate) fn for_each_with_origin(&self, names: &FieldNames, mut visit: impl FnMut(Visited<'_>, Origin)) {
        match &self.content {
            Content::Warc(records) => {
                records.for_each_with_origin(&Context { names, path: &self.path, limit: self.limit }, visit);
            }
            _ => self.for_each_document(names, |document| visit(document, Origin::default())),
        }
    }
}

/// Reads sources block by block, in order.
#[derive(Debug)]
pub struct Blocks<'a> {
    sources: &'a [Source],
    /// Files of columns are read no further than these.
    names: &'a FieldNames,
    limit: u64,
    /// The source that is being read.
    current: usize,
    file: Option<RecordFile>,
    /// Files of the current source that were read.
    files_read: usize,
    buffers: Buffers,
}

/// An open file of records.
#[derive(Debug)]
enum RecordFile {
    Lines(LineFile),
    Delimited(Box<DelimitedFile>),
    Warc(WarcFile),
    Columns(Box<ColumnFile>),
}

impl RecordFile {
    fn open(source: &Source, format: RecordFormat, names: &FieldNames, buffers: &Buffers) -> Result<Self> {
        let SourceKind::Records { compression, .. } = source.kind else {
            return Err(Error::NotAFile { path: source.path.to_path_buf() });
        };
        Ok(match format {
            RecordFormat::JsonLines | RecordFormat::ItemLines => {
                Self::Lines(LineFile::open(&source.file, compression, format, buffers)?)
            }
            RecordFormat::Csv | RecordFormat::Tsv => {
                Self::Delimited(Box::new(DelimitedFile::open(source, names, buffers)?))
            }
            RecordFormat::Warc => Self::Warc(WarcFile::open(source)?),
            RecordFormat::Sketch => return Err(Error::NoTexts { path: source.path.to_path_buf() }),
            RecordFormat::Parquet | RecordFormat::Arrow => {
                Self::Columns(Box::new(ColumnFile::open(&source.file, format, names)?))
            }
        })
    }

    /// Bytes of the file that were needed so far.
    fn read_bytes(&self) -> u64 {
        match self {
            Self::Lines(file) => file.read_bytes(),
            Self::Delimited(file) => file.read_bytes(),
            Self::Warc(file) => file.read_bytes(),
            Self::Columns(file) => file.read_bytes(),
        }
    }

    fn next_block(&mut self, limit: u64) -> std::io::Result<Option<Content>> {
        match self {
            Self::Lines(file) => Ok(file.next_block(limit)?.map(Content::Lines)),
            Self::Delimited(file) => Ok(file.next_block(limit)?.map(Content::Delimited)),
            Self::Warc(file) => Ok(file.next_block(limit)?.map(Content::Warc)),
            Self::Columns(file) => Ok(file.next_block().map(Box::new).map(Content::Columns)),
        }
    }
}

impl<'a> Blocks<'a> {
    /// The blocks of all sources; records of more than `limit` bytes are bad. Files with columns are checked for those that
    /// `names` asks for.
    pub fn new(sources: &'a [Source], names: &'a FieldNames, limit: u64) -> Self {
        Self { sources, names, limit, current: 0, file: None, files_read: 0, buffers: Buffers::default() }
    }

    fn next_of(&mut self, source: &Source) -> Result<Option<Block>> {
        let (content, input_bytes) = match &source.kind {
            SourceKind::Records { format, .. } => self.next_records(source, *format)?,
            SourceKind::TextFiles { files } => {
                let (read, bytes) = read_text_files(source, files, self.files_read, self.limit);
                self.files_read += read.len();
                ((!read.is_empty()).then_some(Content::Files(read)), bytes)
            }
        };
        let (source, path, limit) = (self.current, Arc::clone(&source.path), self.limit);
        Ok(content.map(|content| Block { source, input_bytes, path, content, limit }))
    }

    /// The next content of a file of records, and how many bytes were read for it.
    fn next_records(&mut self, source: &Source, format: RecordFormat) -> Result<(Option<Content>, u64)> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => RecordFile::open(source, format, self.names, &self.buffers)?,
        };
        let before = file.read_bytes();
        let content = file.next_block(self.limit).map_err(|error| Error::io("read", &source.path, error))?;
        let input_bytes = file.read_bytes() - before;
        self.file = Some(file);
        Ok((content, input_bytes))
    }
}

impl Iterator for Blocks<'_> {
    type Item = Result<Block>;

    fn next(&mut self) -> Option<Result<Block>> {
        while let Some(source) = self.sources.get(self.current) {
            match self.next_of(source) {
                Ok(Some(block)) => return Some(Ok(block)),
                Ok(None) => {
                    self.current += 1;
                    (self.file, self.files_read) = (None, 0);
                }
                Err(error) => {
                    self.current = self.sources.len();
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
