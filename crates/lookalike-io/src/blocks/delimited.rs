//! CSV and TSV files: a header, then a record a row, which may be several lines long.
//!
//! Only one who knows the quotes before it can tell a row end from a line break in a field. Whoever reads runs the
//! automaton of csv-core over the bytes for that and nothing else; the fields are cut by whoever takes the block. Counting
//! quotes would be faster, and wrong for a quote in the middle of a field, which both here and there is an ordinary character.

use super::buffers::{Buffer, Buffers, move_rest};
use super::input::Input;
use super::{BYTE_ORDER_MARK, Context, Visited};
use crate::annotate::added_columns;
use crate::document::{Document, Span};
use crate::error::{BadRecord, Error, Place, Problem, Result};
use crate::record::{FieldNames, Score};
use crate::source::{Source, SourceKind};
use csv_core::ReadRecordResult;
use memchr::memchr_iter;
use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// Whole rows of a file, of which the last one may lack its line end; and what is wrong with the row behind them.
#[derive(Debug)]
pub(super) struct Rows {
    bytes: Buffer,
    offset: u64,
    first_line: u64,
    columns: Arc<Columns>,
    problem: Option<Problem>,
}

/// Where the wanted fields stand in a row.
#[derive(Debug)]
struct Columns {
    delimiter: u8,
    count: usize,
    text: usize,
    id: Option<usize>,
    score: Option<usize>,
}

impl Rows {
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Empty lines are no records.
    pub(super) fn for_each_document(&self, context: &Context<'_>, mut visit: impl FnMut(Visited<'_>)) {
        let mut reader = row_reader(&self.bytes, self.columns.delimiter);
        let mut fields = csv::ByteRecord::new();
        let (mut line, mut counted, mut start) = (self.first_line, 0, 0);
        // Reading from memory cannot fail.
        while let Ok(true) = reader.read_byte_record(&mut fields) {
            start += line_ends(&self.bytes[start..]);
            let end = with_line_feed(&self.bytes, reader.position().byte() as usize - BLANK_LINE.len());
            let row = &self.bytes[start..end];
            line += newlines(&self.bytes[counted..start]);
            (counted, start) = (start, end);
            let span = Span { offset: self.offset + counted as u64, length: row.len() as u64 };
            let place = context.place(line);
            visit(match span.length > context.limit {
                true => Err(BadRecord { place, problem: Problem::TooLarge { limit: context.limit } }),
                false => self.columns.document(&fields, (row, span), place, context),
            });
        }
        if let Some(problem) = &self.problem {
            line += newlines(&self.bytes[counted..]);
            visit(Err(BadRecord { place: context.place(line), problem: problem.clone() }));
        }
    }
}

impl Columns {
    /// Finds the wanted columns in a header.
    fn of(header: &[u8], delimiter: u8, names: &FieldNames, path: &Path) -> Result<Self> {
        let mut fields = csv::ByteRecord::new();
        // Reading from memory cannot fail.
        let _ = csv_reader(header, delimiter).read_byte_record(&mut fields);
        let columns: Vec<Cow<'_, str>> = fields.iter().map(String::from_utf8_lossy).collect();
        let find = |column: &str| {
            let mut places = columns.iter().enumerate().filter(|(_, name)| *name == column).map(|(place, _)| place);
            match (places.next(), places.next()) {
                (_, Some(_)) => Err(Error::ColumnTwice { path: path.to_owned(), column: column.to_owned() }),
                (place, None) => Ok(place),
            }
        };
        for column in names.absent.iter().flat_map(|name| added_columns(name)) {
            if columns.contains(&column.as_str().into()) {
                return Err(Error::ColumnExists { path: path.to_owned(), column });
            }
        }
        let absent = || Error::no_column(path, &names.text, columns.iter().map(|name| name.as_ref()));
        let text = find(&names.text)?.ok_or_else(absent)?;
        let (id, score) = (find(&names.id)?, names.score.as_deref().map(find).transpose()?.flatten());
        Ok(Self { delimiter, count: columns.len(), text, id, score })
    }

    fn document<'a>(
        &self,
        fields: &'a csv::ByteRecord,
        (row, span): (&[u8], Span),
        place: Place,
        context: &Context<'_>,
    ) -> Visited<'a> {
        let found = self
            .fields(fields, row)
            .and_then(|(text, key, score)| Ok((context.text(Cow::Borrowed(text))?, key, score)));
        match found {
            Ok((text, key, score)) => {
                let key = key.map_or_else(|| Cow::Owned(place.to_string()), Cow::Borrowed);
                let number = place.line.unwrap_or_default();
                Ok(Document { key, text, score, place, number, span })
            }
            Err(problem) => Err(BadRecord { place, problem }),
        }
    }

    /// Text, key and score of a row.
    fn fields<'a>(
        &self,
        fields: &'a csv::ByteRecord,
        row: &[u8],
    ) -> std::result::Result<(&'a str, Option<&'a str>, Option<Score>), Problem> {
        let not_utf8 = |at: usize| Problem::NotUtf8 { at: at + 1 };
        simdutf8::compat::from_utf8(row).map_err(|error| not_utf8(error.valid_up_to()))?;
        if fields.len() != self.count {
            return Err(Problem::FieldCount { expected: self.count, found: fields.len() });
        }
        let field = |column: usize| {
            let bytes = fields.get(column).unwrap_or_default();
            simdutf8::basic::from_utf8(bytes).map_err(|_| not_utf8(0))
        };
        let filled = |column: Option<usize>| {
            let value = column.map(field).transpose()?;
            Ok(value.filter(|value| !value.is_empty()))
        };
        Ok((field(self.text)?, filled(self.id)?, filled(self.score)?.map(Score::of_text)))
    }
}

/// Cuts a file at row ends.
#[derive(Debug)]
pub(super) struct DelimitedFile {
    input: Input,
    ends: RowEnds,
    /// `None` for a file without a header, which has no rows either.
    columns: Option<Arc<Columns>>,
    offset: u64,
    line: u64,
    /// The begun row behind the last block.
    rest: Vec<u8>,
    buffers: Buffers,
}

impl DelimitedFile {
    /// Opens a file and reads its header.
    pub(super) fn open(source: &Source, names: &FieldNames, buffers: &Buffers) -> Result<Self> {
        let (mut file, header) = Self::behind_header(source)?;
        file.buffers = buffers.clone();
        if !is_blank(&header) {
            file.columns = Some(Arc::new(Columns::of(&header, file.ends.delimiter, names, &source.path)?));
        }
        Ok(file)
    }

    /// A file whose header was read, and that: all bytes before the first row.
    fn behind_header(source: &Source) -> Result<(Self, Vec<u8>)> {
        let SourceKind::Records { compression, format, .. } = source.kind else {
            return Err(Error::NotAFile { path: source.path.to_path_buf() });
        };
        let ends = RowEnds::new(format.delimiter().unwrap_or(b','));
        let input = Input::open(&source.file, compression)?;
        let mut file =
            Self { input, ends, columns: None, offset: 0, line: 1, rest: Vec::new(), buffers: Buffers::default() };
        let mut bytes = Vec::new();
        let header = file.cut_row(&mut bytes, MOST_HEADER_BYTES);
        let header = header.map_err(|error| Error::io("read", &source.path, error))?;
        let utf8 = simdutf8::compat::from_utf8(&bytes);
        let utf8 = utf8.map_err(|error| Problem::NotUtf8 { at: error.valid_up_to() + 1 });
        if let Err(problem) = header.and(utf8) {
            let place = Place { path: Arc::clone(&source.path), line: Some(1) };
            return Err(Error::BadRow { record: BadRecord { place, problem } });
        }
        file.offset = bytes.len() as u64;
        file.line += newlines(&bytes);
        Ok((file, bytes))
    }

    /// Reads the first row; what was read behind it waits.
    fn cut_row(&mut self, bytes: &mut Vec<u8>, limit: u64) -> io::Result<std::result::Result<(), Problem>> {
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
            if bytes.len() as u64 > limit {
                return Ok(Err(Problem::TooLarge { limit }));
            }
        }
        if let Some(message) = self.input.damage.take() {
            return Ok(Err(Problem::Damaged { position: bytes.len() as u64, message }));
        }
        Ok(if !is_blank(bytes) && self.ends.is_open(bytes) { Err(Problem::OpenQuote) } else { Ok(()) })
    }

    /// Bytes of the file that were needed so far.
    pub(super) fn read_bytes(&self) -> u64 {
        self.input.read_bytes()
    }

    /// Reads on until there is a whole row, and then as many as fit. A row that is too long is not kept.
    pub(super) fn next_block(&mut self, limit: u64) -> io::Result<Option<Rows>> {
        let Some(columns) = self.columns.clone() else { return Ok(None) };
        let mut bytes = self.buffers.take();
        bytes.append(&mut self.rest);
        self.ends.restart();
        let (mut cut, mut searched) = (0, 0);
        while !self.input.has_ended {
            self.input.fill(&mut bytes)?;
            while let Some(end) = self.ends.next(&bytes[searched..]) {
                searched += end;
                cut = searched;
            }
            searched = bytes.len();
            // Behind a carriage return the line feed may still come.
            if cut > 0 && (cut < bytes.len() || !bytes.ends_with(b"\r")) {
                break;
            }
            if cut == 0 && bytes.len() as u64 > limit {
                return self.skip_row(bytes, columns, limit).map(Some);
            }
        }
        let problem = self.end_block(&mut bytes, cut);
        let (offset, first_line) = (self.offset, self.line);
        self.offset += bytes.len() as u64;
        self.line += newlines(&bytes);
        let has_content = !bytes.is_empty() || problem.is_some();
        Ok(has_content.then_some(Rows { bytes, offset, first_line, columns, problem }))
    }

    /// Takes from the bytes what is behind the last whole row: it waits for its end, or never gets one.
    fn end_block(&mut self, bytes: &mut Vec<u8>, cut: usize) -> Option<Problem> {
        let cut = with_line_feed(bytes, cut);
        let cut = cut + line_ends(&bytes[cut..]);
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

    /// Reads over the rest of a row whose begin is given.
    fn skip_row(&mut self, mut begun: Buffer, columns: Arc<Columns>, limit: u64) -> io::Result<Rows> {
        let (offset, first_line) = (self.offset, self.line + newlines(&begun[..line_ends(&begun)]));
        let mut problem = None;
        loop {
            self.offset += begun.len() as u64;
            self.line += newlines(&begun);
            if problem.is_some() || self.input.has_ended {
                break;
            }
            begun.clear();
            self.input.fill(&mut begun)?;
            if let Some(end) = self.ends.next(&begun) {
                let end = with_line_feed(&begun, end);
                move_rest(&mut begun, end, &mut self.rest);
                problem = Some(Problem::TooLarge { limit });
            }
        }
        let is_open = problem.is_none() && self.input.damage.is_none() && self.ends.is_open(b"?");
        let problem = if is_open { Problem::OpenQuote } else { Problem::TooLarge { limit } };
        begun.give_up();
        Ok(Rows { bytes: begun, offset, first_line, columns, problem: Some(problem) })
    }
}

/// It is no row, and behind it a parser does not look for the begin of a file.
const BLANK_LINE: &[u8] = b"\n";

/// No table has a header that is longer.
const MOST_HEADER_BYTES: u64 = 16 << 20;

/// The bytes of a file before its first record: the header of a table, with its byte order mark and line end. They belong
/// before any choice of its records.
///
/// # Errors
/// If the file cannot be read.
pub fn header(source: &Source) -> Result<Vec<u8>> {
    match source.kind {
        SourceKind::Records { format, .. } if format.delimiter().is_some() => {
            DelimitedFile::behind_header(source).map(|(_, header)| header)
        }
        _ => Ok(Vec::new()),
    }
}

/// Finds row ends.
#[derive(Debug)]
struct RowEnds {
    delimiter: u8,
    automaton: csv_core::Reader,
    /// The automaton writes fields and their ends; nobody reads them here.
    fields: Box<[u8]>,
    field_ends: Box<[usize]>,
}

impl RowEnds {
    fn new(delimiter: u8) -> Self {
        let automaton = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
        Self { delimiter, automaton, fields: vec![0; 1 << 14].into(), field_ends: vec![0; 1 << 8].into() }
    }

    /// Begins before a row, but not before the first one.
    fn restart(&mut self) {
        self.automaton.reset();
        self.next(BLANK_LINE);
    }

    /// Goes on with `bytes`: the offset behind the next row end. Empty lines are no rows.
    fn next(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        // Nothing at all would mean the end of the file.
        while at < bytes.len() {
            let (result, read, ..) = self.automaton.read_record(&bytes[at..], &mut self.fields, &mut self.field_ends);
            at += read;
            if let ReadRecordResult::Record = result {
                return Some(at);
            }
        }
        None
    }

    /// Whether the file ends within quotes, if these are its last bytes: a line end is none there.
    fn is_open(&mut self, last: &[u8]) -> bool {
        line_ends(last) < last.len() && self.next(b"\n").is_none()
    }
}

/// Cuts a file into rows and fields, from its begin on: a byte order mark there is no part of a field.
pub(crate) fn csv_reader<R: Read>(bytes: R, delimiter: u8) -> csv::Reader<R> {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(bytes)
}

/// The same from a later row on, where a byte order mark is a character of a field like any other. Positions count the
/// [`BLANK_LINE`] too.
pub(crate) fn row_reader(rows: &[u8], delimiter: u8) -> csv::Reader<impl Read> {
    csv_reader(BLANK_LINE.chain(rows), delimiter)
}

/// Whether there is nothing but a byte order mark and line ends.
pub(crate) fn is_blank(header: &[u8]) -> bool {
    let header = header.strip_prefix(BYTE_ORDER_MARK).unwrap_or(header);
    line_ends(header) == header.len()
}

/// Number of carriage returns and line feeds at the beginning.
fn line_ends(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count()
}

/// A row that ends behind a carriage return ends behind the line feed that follows it.
fn with_line_feed(bytes: &[u8], end: usize) -> usize {
    let has_line_feed = bytes[..end].ends_with(b"\r") && bytes.get(end) == Some(&b'\n');
    end + usize::from(has_line_feed)
}

/// Number of line ends; a carriage return is one too, unless a line feed follows: rows that end so must not share a line, by
/// which they are named.
fn newlines(bytes: &[u8]) -> u64 {
    let is_alone = |&at: &usize| bytes.get(at + 1) != Some(&b'\n');
    (memchr_iter(b'\n', bytes).count() + memchr_iter(b'\r', bytes).filter(is_alone).count()) as u64
}

#[cfg(test)]
mod tests;
