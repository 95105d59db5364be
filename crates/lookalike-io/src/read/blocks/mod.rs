//! Sources as a sequence of blocks: the unit in which reading and work on the documents overlap.

use super::block::{Block, BlockContent};
use super::buffers::BlockBuffers;
use super::columnar::ColumnFile;
use super::context::Numbering;
use super::delimited::DelimitedFile;
use super::input::Input;
use super::json::ArrayFile;
use super::json::LineFile;
use super::texts::{TextReader, read_text_files};
use super::warc::WarcFile;
use crate::base::details::Action;
use crate::base::{BadRecord, Error, Place, Problem, Result};
use crate::formats::{RecordFormat, head_of, looks_like};
use crate::sources::{FieldNames, InMemory, OnError, Source, SourceKind};
use std::sync::Arc;

/// Reads sources block by block, in order.
///
/// ```
/// use lookalike_io::{Blocks, Inputs, sources::discover};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("x.jsonl");
/// std::fs::write(&path, "{\"id\": 1, \"text\": \"one\"}\nno JSON\n")?;
/// let inputs = Inputs { inputs: vec![path], ..Inputs::default() };
/// let (found, fields) = (discover(&inputs.inputs)?, inputs.fields());
/// let (mut texts, mut bad) = (Vec::new(), 0);
/// for block in Blocks::new(&found.sources, &fields, inputs.max_document_bytes) {
///     block?.for_each_document(&fields, |document| match document {
///         Ok(document) => texts.push(document.content.stored().into_owned()),
///         Err(_) => bad += 1,
///     });
/// }
/// assert_eq!((texts, bad), (vec!["one".to_owned()], 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Blocks<'a> {
    sources: &'a [Source],
    /// The fields to read; of files of columns only these are decoded.
    names: &'a FieldNames,
    /// Maximum size of a record in bytes.
    limit: Option<u64>,
    /// Index of the source that is being read.
    current: usize,
    file: Option<RecordFile>,
    /// Number of files of the current source that were read.
    files_read: usize,
    buffers: BlockBuffers,
    /// Treatment of a file without the selected columns, or that cannot be read in its format.
    on_bad_file: OnError,
    stored: StoredSources,
}

/// Treatment of snapshots and indexes, which hold no texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StoredSources {
    Refused,
    Skipped,
}

/// An open file of records.
#[derive(Debug)]
enum RecordFile {
    Lines(LineFile),
    Array(ArrayFile),
    Delimited(Box<DelimitedFile>),
    Warc(WarcFile),
    Columns(Box<ColumnFile>),
    Texts(TextReader),
}

impl RecordFile {
    /// Opens a source; what cannot be read in its format is looked at again, for it may have another one.
    fn open(source: &Source, names: &FieldNames, buffers: &BlockBuffers) -> Result<Self> {
        source.check_flaw()?;
        let opened = Self::open_as_named(source, names, buffers).map_err(|error| error.of_path(&source.path));
        let SourceKind::Records { format: expected, compression, .. } = source.kind else { return opened };
        // Records of text were looked at as they were opened, and those of WARC are not yet read.
        if opened.is_ok() && expected != RecordFormat::Warc {
            return opened;
        }
        let head = head_of(&source.file, compression).unwrap_or_default();
        match looks_like(expected, &head, &names.text) {
            Some(found) => Err(found.instead_of(expected, &source.path)),
            None => opened,
        }
    }

    fn open_as_named(source: &Source, names: &FieldNames, buffers: &BlockBuffers) -> Result<Self> {
        let (format, compression) = match &source.kind {
            SourceKind::Records { format, compression, .. } => (*format, *compression),
            SourceKind::Index { .. } => return Err(Error::NoTexts { path: source.path.to_path_buf() }),
            SourceKind::TextFiles { .. } => return Err(Error::NotAFile { path: source.path.to_path_buf() }),
            SourceKind::Memory { documents: InMemory::Table(table), .. } => {
                let columns = ColumnFile::in_memory(table, &source.path, source.bytes(), names)?;
                return Ok(Self::Columns(Box::new(columns)));
            }
            SourceKind::Memory { documents: InMemory::Texts(texts), .. } => {
                return Ok(Self::Texts(TextReader::new(texts.clone())));
            }
        };
        let text = || Input::open_text(source, format, compression, names);
        Ok(match format {
            RecordFormat::JsonArray => Self::Array(ArrayFile::new(text()?, buffers)),
            RecordFormat::JsonLines | RecordFormat::ItemLines => Self::Lines(LineFile::new(text()?, format, buffers)),
            RecordFormat::Csv | RecordFormat::SemicolonCsv | RecordFormat::PipeCsv | RecordFormat::Tsv => {
                Self::Delimited(Box::new(DelimitedFile::open(source, text()?, names, buffers)?))
            }
            RecordFormat::Warc => Self::Warc(WarcFile::open(source)?),
            RecordFormat::Snapshot => return Err(Error::NoTexts { path: source.path.to_path_buf() }),
            RecordFormat::Parquet | RecordFormat::Arrow | RecordFormat::Npy => {
                Self::Columns(Box::new(ColumnFile::open(&source.file, format, names)?))
            }
        })
    }

    /// Bytes of the file read so far.
    fn read_bytes(&self) -> u64 {
        match self {
            Self::Lines(file) => file.read_bytes(),
            Self::Array(file) => file.read_bytes(),
            Self::Delimited(file) => file.read_bytes(),
            Self::Warc(file) => file.read_bytes(),
            Self::Columns(file) => file.read_bytes(),
            Self::Texts(texts) => texts.read_bytes(),
        }
    }

    fn next_block(&mut self, limit: Option<u64>) -> std::io::Result<Option<BlockContent>> {
        match self {
            Self::Lines(file) => Ok(file.next_block(limit)?.map(BlockContent::Lines)),
            Self::Array(file) => Ok(file.next_block(limit)?.map(BlockContent::Elements)),
            Self::Delimited(file) => Ok(file.next_block(limit)?.map(BlockContent::Delimited)),
            Self::Warc(file) => Ok(file.next_block(limit)?.map(BlockContent::Warc)),
            Self::Columns(file) => Ok(file.next_block().map(Box::new).map(BlockContent::Columns)),
            Self::Texts(texts) => Ok(texts.next_block().map(BlockContent::Texts)),
        }
    }
}

/// Checks that a source can be opened in its format and has the selected columns.
///
/// # Errors
/// Those of opening it.
pub fn check_usable(source: &Source, names: &FieldNames) -> Result<()> {
    match source.kind {
        SourceKind::Records { .. } | SourceKind::Memory { .. } => {
            RecordFile::open(source, &source.fields(names), &BlockBuffers::default()).map(drop)
        }
        SourceKind::TextFiles { .. } | SourceKind::Index { .. } => Ok(()),
    }
}

/// Returns whether a source has any record, good or bad; a source that cannot be read to its first one has.
pub fn has_records(source: &Source, names: &FieldNames, limit: Option<u64>) -> bool {
    let mut blocks = Blocks::new(std::slice::from_ref(source), names, limit);
    blocks.any(|block| {
        let Ok(block) = block else { return true };
        let mut has_any = false;
        block.for_each_document(names, |_| has_any = true);
        has_any
    })
}

impl<'a> Blocks<'a> {
    /// The blocks of all sources. Records of more than `limit` bytes are bad records. Tables must have the columns in
    /// `names`.
    pub fn new(sources: &'a [Source], names: &'a FieldNames, limit: Option<u64>) -> Self {
        let buffers = BlockBuffers::default();
        let on_bad_file = OnError::Stop;
        let stored = StoredSources::Refused;
        Self { sources, names, limit, current: 0, file: None, files_read: 0, buffers, on_bad_file, stored }
    }

    /// Skips snapshots and indexes among the sources, which hold no texts.
    #[must_use]
    pub fn of_texts(self) -> Self {
        Self { stored: StoredSources::Skipped, ..self }
    }

    /// Sets the treatment of bad files: under [`OnError::Skip`] a file that lacks the selected columns, or that cannot
    /// be read in its format, is one bad record.
    #[must_use]
    pub fn on_bad_file(self, on_bad_file: OnError) -> Self {
        Self { on_bad_file, ..self }
    }

    fn leave_source(&mut self) {
        self.current += 1;
        self.file = None;
        self.files_read = 0;
    }

    fn next_of(&mut self, source: &Source) -> Result<Option<Block>> {
        let (content, input_bytes) = match &source.kind {
            SourceKind::Records { .. } | SourceKind::Index { .. } | SourceKind::Memory { .. } => {
                self.next_records(source)?
            }
            SourceKind::TextFiles { files } => {
                let (read, bytes) = read_text_files(source, files, self.files_read, self.limit);
                self.files_read += read.len();
                ((!read.is_empty()).then_some(BlockContent::Files(read)), bytes)
            }
        };
        let bytes_as_text = match &mut self.file {
            Some(RecordFile::Columns(file)) => file.take_bytes_as_text().iter().map(|path| path.join(".")).collect(),
            _ => Vec::new(),
        };
        Ok(content.map(|content| self.block(source, input_bytes, bytes_as_text, content)))
    }

    /// A block of the present source.
    fn block(&self, source: &Source, input_bytes: u64, bytes_as_text: Vec<String>, content: BlockContent) -> Block {
        let path = Arc::clone(&source.path);
        let label = Arc::clone(&source.label);
        let limit = self.limit;
        let numbering = Numbering::from_source(source);
        let own_fields = source.own_fields();
        Block { source: self.current, input_bytes, path, label, numbering, own_fields, bytes_as_text, content, limit }
    }

    /// The next content of a file of records, and the number of bytes read for it.
    fn next_records(&mut self, source: &Source) -> Result<(Option<BlockContent>, u64)> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => RecordFile::open(source, &source.fields(self.names), &self.buffers)?,
        };
        let before = file.read_bytes();
        let content = file.next_block(self.limit).map_err(|error| Error::io(Action::Read, &source.path, error))?;
        let input_bytes = file.read_bytes() - before;
        self.file = Some(file);
        Ok((content, input_bytes))
    }
}

impl Iterator for Blocks<'_> {
    type Item = Result<Block>;

    fn next(&mut self) -> Option<Result<Block>> {
        while let Some(source) = self.sources.get(self.current) {
            if self.stored == StoredSources::Skipped && source.is_stored() {
                self.leave_source();
                continue;
            }
            match self.next_of(source) {
                Ok(Some(block)) => return Some(Ok(block)),
                Ok(None) => self.leave_source(),
                Err(error) if self.on_bad_file == OnError::Skip && error.is_about_content() => {
                    let place = Place::file(Arc::clone(&source.path));
                    let content = BlockContent::Unusable(BadRecord {
                        place,
                        problem: Problem::UnusableFile { message: error.to_string() },
                    });
                    let block = self.block(source, source.bytes(), Vec::new(), content);
                    self.leave_source();
                    return Some(Ok(block));
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
