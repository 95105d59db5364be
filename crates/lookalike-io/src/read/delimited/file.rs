//! Cuts a table into blocks of whole rows.

use super::columns::{TableColumns, names_in};
use super::quotes::text_behind_quote;
use super::row_ends::{RowEnds, is_blank, line_ends, newlines, row_start, with_line_feed};
use super::rows::TableBlock;
use crate::base::details::Action;
use crate::base::{BadRecord, Error, Place, Problem, Result};
use crate::formats::Dialect;
use crate::read::buffers::{BlockBuffers, Buffer, move_rest};
use crate::read::input::Input;
use crate::sources::{FieldNames, Source, SourceKind, decode_part};
use std::io;
use std::sync::Arc;

/// Maximum size of a header. A larger one is a sign of a file that is not a table.
const MAX_HEADER_BYTES: u64 = 16 << 20;

/// Cuts a file at row ends.
#[derive(Debug)]
pub(in crate::read) struct DelimitedFile {
    input: Input,
    ends: RowEnds,
    /// `None` for a file without a header, which has no rows.
    columns: Option<Arc<TableColumns>>,
    offset: u64,
    line: u64,
    /// The incomplete row after the last block.
    rest: Vec<u8>,
    buffers: BlockBuffers,
}

impl DelimitedFile {
    /// Reads the header of a file.
    pub(in crate::read) fn open(
        source: &Source,
        input: Input,
        names: &FieldNames,
        buffers: &BlockBuffers,
    ) -> Result<Self> {
        let (mut file, header) = Self::open_after_header(source, input)?;
        check_header(&header, file.ends.dialect(), names, source)?;
        file.buffers = buffers.clone();
        if !is_blank(&header) {
            file.columns = Some(Arc::new(TableColumns::find(&header, file.ends.dialect(), names, &source.path)?));
        }
        Ok(file)
    }

    /// Reads the header of a file: all bytes before the first row.
    fn open_after_header(source: &Source, input: Input) -> Result<(Self, Vec<u8>)> {
        let ends = RowEnds::new(source.dialect().unwrap_or(Dialect::quoted(b',')));
        let mut file =
            Self { input, ends, columns: None, offset: 0, line: 1, rest: Vec::new(), buffers: BlockBuffers::default() };
        let mut bytes = Vec::new();
        let header = file.cut_row(&mut bytes);
        let header = header.map_err(|error| Error::io(Action::Read, &source.path, error))?;
        header.map_err(|problem| bad_header(source, problem))?;
        file.offset = bytes.len() as u64;
        file.line += newlines(&bytes);
        Ok((file, bytes))
    }

    /// Reads the first row; the bytes read after it are kept for the first block.
    fn cut_row(&mut self, bytes: &mut Vec<u8>) -> io::Result<std::result::Result<(), Problem>> {
        let mut searched = 0;
        while !self.input.has_ended {
            self.input.fill(bytes)?;
            if let Some(end) = self.ends.next(&bytes[searched..]) {
                let end = searched + end;
                if end == bytes.len() {
                    self.input.fill(bytes)?;
                }
                let end = with_line_feed(bytes, end);
                move_rest(bytes, end, &mut self.rest);
                return Ok(Ok(()));
            }
            searched = bytes.len();
            if let Err(problem) = Problem::check_size(bytes.len() as u64, Some(MAX_HEADER_BYTES)) {
                return Ok(Err(problem));
            }
        }
        if let Some(message) = self.input.damage.take() {
            return Ok(Err(Problem::Damaged { position: bytes.len() as u64, message }));
        }
        Ok(if !is_blank(bytes) && self.ends.is_open(bytes) { Err(Problem::OpenQuote) } else { Ok(()) })
    }

    /// Bytes of the file read so far.
    pub(in crate::read) fn read_bytes(&self) -> u64 {
        self.input.read_bytes()
    }

    /// The next complete rows: at least one. A row above the limit is skipped.
    pub(in crate::read) fn next_block(&mut self, limit: Option<u64>) -> io::Result<Option<TableBlock>> {
        let Some(columns) = self.columns.clone() else { return Ok(None) };
        let mut bytes = self.buffers.take();
        bytes.append(&mut self.rest);
        self.ends.restart();
        let mut cut = 0;
        let mut searched = 0;
        while !self.input.has_ended {
            self.input.fill(&mut bytes)?;
            while let Some(end) = self.ends.next(&bytes[searched..]) {
                searched += end;
                cut = searched;
            }
            searched = bytes.len();
            if cut == 0 && !self.ends.is_in_row() {
                // Line ends alone are no row, however many there are.
                cut = searched - usize::from(bytes.ends_with(b"\r"));
            }
            // After a carriage return a line feed may follow.
            if cut > 0 && (cut < bytes.len() || !bytes.ends_with(b"\r")) {
                break;
            }
            if let Err(problem) = Problem::check_size(bytes.len() as u64, limit.filter(|_| cut == 0)) {
                return self.skip_row(bytes, columns, problem).map(Some);
            }
        }
        let problem = self.end_block(&mut bytes, cut);
        let offset = self.offset;
        let first_line = self.line;
        self.offset += bytes.len() as u64;
        self.line += newlines(&bytes);
        let has_content = !bytes.is_empty() || problem.is_some();
        Ok(has_content.then_some(TableBlock { bytes, offset, first_line, columns, problem }))
    }

    /// Cuts the bytes after the last complete row: they are kept for the next block, or are a problem at the end of the
    /// file.
    fn end_block(&mut self, bytes: &mut Vec<u8>, cut: usize) -> Option<Problem> {
        let cut = with_line_feed(bytes, cut);
        let blank = line_ends(&bytes[cut..]);
        // Its last carriage return may be half of a line end.
        let is_half = blank > 0 && cut + blank == bytes.len() && bytes.ends_with(b"\r") && !self.input.has_ended;
        let cut = cut + blank - usize::from(is_half);
        if let Some(message) = self.input.damage.take() {
            let position = self.offset + bytes.len() as u64;
            bytes.truncate(cut);
            return Some(Problem::Damaged { position, message });
        }
        if !self.input.has_ended {
            move_rest(bytes, cut, &mut self.rest);
        } else if self.ends.is_open(&bytes[cut..]) {
            bytes.truncate(cut);
            return Some(Problem::OpenQuote);
        }
        None
    }

    /// Skips a row with the problem `excess`, of which `bytes` is the beginning.
    fn skip_row(&mut self, mut bytes: Buffer, columns: Arc<TableColumns>, excess: Problem) -> io::Result<TableBlock> {
        let offset = self.offset;
        let first_line = self.line + newlines(&bytes[..line_ends(&bytes)]);
        let mut has_end = false;
        loop {
            self.offset += bytes.len() as u64;
            self.line += newlines(&bytes);
            if has_end || self.input.has_ended {
                break;
            }
            bytes.clear();
            self.input.fill(&mut bytes)?;
            if let Some(end) = self.ends.next(&bytes) {
                let end = with_line_feed(&bytes, end);
                move_rest(&mut bytes, end, &mut self.rest);
                has_end = true;
            }
        }
        let is_open = !has_end && self.input.damage.is_none() && self.ends.is_open(b"?");
        let problem = Some(if is_open { Problem::OpenQuote } else { excess });
        bytes.reset();
        Ok(TableBlock { bytes, offset, first_line, columns, problem })
    }
}

/// Checks that a header is in the encoding that is named, and that this is one whose tables can be cut.
fn check_header(header: &[u8], dialect: Dialect, names: &FieldNames, source: &Source) -> Result<()> {
    if let Some(encoding) = names.encoding.filter(|encoding| !encoding.can_be_cut(dialect.delimiter)) {
        return Err(bad_header(source, Problem::UnusableEncoding { encoding: encoding.name() }));
    }
    let row = &header[row_start(header)..];
    if let Some(column) = text_behind_quote(row, dialect) {
        return Err(bad_header(source, Problem::TextBehindQuote { field: column + 1, lines: 1 }));
    }
    decode_part(header, names.encoding).map(drop).map_err(|problem| bad_header(source, problem))
}

fn bad_header(source: &Source, problem: Problem) -> Error {
    let place = Place::line(&source.path, 1);
    Error::BadRow { record: BadRecord { place, problem } }
}

/// The bytes of a file before its first record: the header of a table, with its byte order mark and line end. A copy of
/// some records begins with them.
///
/// # Errors
/// If the file cannot be read.
pub fn header(source: &Source) -> Result<Vec<u8>> {
    match source.kind {
        SourceKind::Records { compression, .. } if source.dialect().is_some() => {
            let input = Input::open(&source.file, compression)?;
            DelimitedFile::open_after_header(source, input).map(|(_, header)| header)
        }
        _ => Ok(Vec::new()),
    }
}

/// The names of the columns in the header of a table; none for other formats, and for a table without a header.
///
/// # Errors
/// If the file cannot be read.
pub fn header_names(source: &Source) -> Result<Vec<String>> {
    let header = header(source)?;
    let Some(dialect) = source.dialect().filter(|_| !is_blank(&header)) else { return Ok(Vec::new()) };
    Ok(names_in(&header, dialect, None))
}
