//! Sources as a sequence of blocks: the unit in which reading and work on the documents overlap.

use crate::compression::{Compression, Unpacked};
use crate::document::{Document, Span};
use crate::error::{BadRecord, Error, Place, Problem, Result};
use crate::record::{self, FieldNames};
use crate::source::{FileState, Source, SourceKind};
use memchr::{memchr, memchr_iter, memrchr};
use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Large enough that a block keeps a thread busy for milliseconds, small enough that several fit into a cache.
const BLOCK_BYTES: usize = 1 << 20;
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

#[derive(Debug)]
enum Content {
    /// Whole lines of a file, of which the last one may lack its line end; and what is wrong with the line behind them.
    Lines { bytes: Vec<u8>, offset: u64, first_line: u64, problem: Option<Problem> },
    /// Files with what reading them gave.
    Files(Vec<TextFile>),
}

#[derive(Debug)]
struct TextFile {
    /// Place in the list of the folder.
    number: usize,
    relative: PathBuf,
    /// Path below the output folder: tells files of several folders apart.
    name: PathBuf,
    content: std::result::Result<Vec<u8>, Problem>,
}

impl Block {
    /// Number of bytes of documents.
    pub fn bytes(&self) -> u64 {
        match &self.content {
            Content::Lines { bytes, .. } => bytes.len() as u64,
            Content::Files(files) => files.iter().flat_map(|file| &file.content).map(|bytes| bytes.len() as u64).sum(),
        }
    }

    /// Calls `visit` with each document or bad record, in order. Lines of white space are no records.
    pub fn for_each_document(
        &self,
        names: &FieldNames,
        mut visit: impl FnMut(std::result::Result<Document<'_>, BadRecord>),
    ) {
        match &self.content {
            Content::Lines { bytes, offset, first_line, problem } => {
                let (mut start, mut line) = (0, *first_line);
                let place = |line| Place { path: Arc::clone(&self.path), line: Some(line) };
                let ends = memchr_iter(b'\n', bytes).map(|at| at + 1).chain([bytes.len()]);
                for end in ends.filter(|&end| end > 0) {
                    let record = &bytes[start..end];
                    let span = Span { offset: offset + start as u64, length: record.len() as u64 };
                    start = end;
                    if span.length > self.limit {
                        let problem = Problem::TooLarge { limit: self.limit };
                        visit(Err(BadRecord { place: place(line), problem }));
                    } else if !record.trim_ascii().is_empty() {
                        visit(read_line(record, place(line), span, names));
                    }
                    line += u64::from(!record.is_empty());
                }
                if let Some(problem) = problem {
                    visit(Err(BadRecord { place: place(line), problem: problem.clone() }));
                }
            }
            Content::Files(files) => files.iter().for_each(|file| visit(self.read_file(file))),
        }
    }

    fn read_file<'a>(&self, file: &'a TextFile) -> std::result::Result<Document<'a>, BadRecord> {
        let place = Place { path: self.path.join(&file.relative).into(), line: None };
        let text = file.content.as_ref().map_err(Clone::clone).and_then(|bytes| {
            let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
            simdutf8::compat::from_utf8(bytes).map_err(|error| Problem::NotUtf8 { at: error.valid_up_to() + 1 })
        });
        match text {
            Ok(text) => Ok(Document {
                key: relative_key(&file.name),
                text: Cow::Borrowed(text),
                score: None,
                place,
                number: file.number as u64,
                span: Span { offset: 0, length: text.len() as u64 },
            }),
            Err(problem) => Err(BadRecord { place, problem }),
        }
    }
}

fn read_line<'a>(
    record: &'a [u8],
    place: Place,
    span: Span,
    names: &FieldNames,
) -> std::result::Result<Document<'a>, BadRecord> {
    match record::parse(record, names) {
        Ok(fields) => {
            let key = Cow::Owned(fields.id.unwrap_or_else(|| place.to_string()));
            let number = place.line.unwrap_or_default();
            Ok(Document { key, text: fields.text, score: fields.score, place, number, span })
        }
        Err(problem) => Err(BadRecord { place, problem }),
    }
}

/// The relative path with `/` on every system.
fn relative_key(path: &Path) -> Cow<'_, str> {
    if std::path::MAIN_SEPARATOR == '/' {
        return path.to_string_lossy();
    }
    let parts: Vec<Cow<'_, str>> = path.iter().map(|part| part.to_string_lossy()).collect();
    Cow::Owned(parts.join("/"))
}

/// Reads sources block by block, in order.
#[derive(Debug)]
pub struct Blocks<'a> {
    sources: &'a [Source],
    limit: u64,
    /// The source that is being read.
    current: usize,
    lines: Option<LineFile>,
    /// Files of the current source that were read.
    files_read: usize,
}

#[derive(Debug)]
struct LineFile {
    reader: Unpacked,
    compression: Compression,
    offset: u64,
    line: u64,
    /// The begun line behind the last block.
    rest: Vec<u8>,
    has_ended: bool,
    /// What the decoder said when it could not go on.
    damage: Option<String>,
}

impl<'a> Blocks<'a> {
    /// The blocks of all sources; records of more than `limit` bytes are bad.
    pub fn new(sources: &'a [Source], limit: u64) -> Self {
        Self { sources, limit, current: 0, lines: None, files_read: 0 }
    }

    fn next_lines(&mut self, source: &Source, compression: Compression) -> Result<Option<Block>> {
        let mut reader = match self.lines.take() {
            Some(reader) => reader,
            None => LineFile::open(&source.file, compression)?,
        };
        let before = reader.reader.read_bytes();
        let content = reader.next_block(self.limit).map_err(|error| Error::io("read", &source.path, error))?;
        let input_bytes = reader.reader.read_bytes() - before;
        self.lines = Some(reader);
        let (path, limit) = (Arc::clone(&source.path), self.limit);
        Ok(content.map(|content| Block { source: self.current, input_bytes, path, content, limit }))
    }

    fn next_files(&mut self, source: &Source, files: &[(PathBuf, FileState)]) -> Option<Block> {
        let folder = &source.path;
        let mut read = Vec::new();
        let mut bytes = 0;
        for (number, (relative, state)) in files.iter().enumerate().skip(self.files_read) {
            bytes += state.bytes;
            let content = read_file(&folder.join(relative), self.limit);
            let name = source.output_name.join(relative);
            read.push(TextFile { number, relative: relative.clone(), name, content });
            if bytes >= BLOCK_BYTES as u64 {
                break;
            }
        }
        self.files_read += read.len();
        let has_files = !read.is_empty();
        let (path, content, limit) = (Arc::clone(folder), Content::Files(read), self.limit);
        has_files.then_some(Block { source: self.current, input_bytes: bytes, path, content, limit })
    }
}

/// The bytes of a file, unpacked if its ending says that it is packed.
fn read_file(path: &Path, limit: u64) -> std::result::Result<Vec<u8>, Problem> {
    let unreadable = |message: String| Problem::Unreadable { message };
    let mut compression = Compression::of_name(path).0;
    if compression != Compression::None {
        compression = Compression::of_file(path).map_err(|error| unreadable(error.to_string()))?;
    }
    let file = compression.open(path).map_err(|error| match error {
        Error::Io { source, .. } => unreadable(source.to_string()),
        error => unreadable(error.to_string()),
    })?;
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() as u64 > limit { Err(Problem::TooLarge { limit }) } else { Ok(bytes) }
}

impl LineFile {
    fn open(path: &Path, compression: Compression) -> Result<Self> {
        let reader = compression.open(path)?;
        Ok(Self { reader, compression, offset: 0, line: 1, rest: Vec::new(), has_ended: false, damage: None })
    }

    /// Reads on until there is a whole line, and then as many as fit. A line that is too long is not kept.
    fn next_block(&mut self, limit: u64) -> std::io::Result<Option<Content>> {
        let mut bytes = Vec::with_capacity(BLOCK_BYTES + self.rest.len());
        bytes.append(&mut self.rest);
        let (mut problem, mut searched) = (None, 0);
        while !self.has_ended {
            self.fill(&mut bytes)?;
            if let Some(last) = memrchr(b'\n', &bytes[searched..]) {
                self.rest = bytes.split_off(searched + last + 1);
                break;
            }
            searched = bytes.len();
            if bytes.len() as u64 > limit {
                return self.skip_line(bytes, limit).map(Some);
            }
        }
        if let Some(message) = self.damage.take() {
            let position = self.offset + (bytes.len() + self.rest.len()) as u64;
            problem = Some(Problem::Damaged { position, message });
            // The last line may lack its end, and then nobody knows how it went on.
            bytes.truncate(memrchr(b'\n', &bytes).map_or(0, |last| last + 1));
            self.rest.clear();
        }
        let (mut offset, first_line) = (self.offset, self.line);
        self.offset += bytes.len() as u64;
        self.line += memchr_iter(b'\n', &bytes).count() as u64;
        if offset == 0 && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
            offset = BYTE_ORDER_MARK.len() as u64;
        }
        let has_content = !bytes.is_empty() || problem.is_some();
        Ok(has_content.then_some(Content::Lines { bytes, offset, first_line, problem }))
    }

    /// Reads at most a block more.
    fn fill(&mut self, bytes: &mut Vec<u8>) -> std::io::Result<()> {
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

    /// Reads over the rest of a line whose begin is given.
    fn skip_line(&mut self, mut begun: Vec<u8>, limit: u64) -> std::io::Result<Content> {
        let (offset, first_line) = (self.offset, self.line);
        self.offset += begun.len() as u64;
        self.line += 1;
        while !self.has_ended {
            begun.clear();
            self.fill(&mut begun)?;
            if let Some(end) = memchr(b'\n', &begun) {
                self.rest = begun.split_off(end + 1);
                self.offset += begun.len() as u64;
                break;
            }
            self.offset += begun.len() as u64;
        }
        Ok(Content::Lines { bytes: Vec::new(), offset, first_line, problem: Some(Problem::TooLarge { limit }) })
    }
}

impl Iterator for Blocks<'_> {
    type Item = Result<Block>;

    fn next(&mut self) -> Option<Result<Block>> {
        while let Some(source) = self.sources.get(self.current) {
            let block = match &source.kind {
                SourceKind::JsonLines { compression, .. } => self.next_lines(source, *compression),
                SourceKind::TextFiles { files } => Ok(self.next_files(source, files)),
            };
            match block {
                Ok(Some(block)) => return Some(Ok(block)),
                Ok(None) => {
                    self.current += 1;
                    (self.lines, self.files_read) = (None, 0);
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
mod tests {
    use super::*;
    use crate::source::discover;
    use std::fs;

    fn read_all(paths: &[PathBuf]) -> (Vec<(String, String, Span)>, Vec<String>) {
        let found = discover(paths).unwrap();
        let (mut documents, mut bad) = (Vec::new(), Vec::new());
        for block in Blocks::new(&found.sources, u64::MAX) {
            block.unwrap().for_each_document(&FieldNames::default(), |document| match document {
                Ok(document) => documents.push((document.key.into_owned(), document.text.into_owned(), document.span)),
                Err(record) => bad.push(record.to_string()),
            });
        }
        (documents, bad)
    }

    #[test]
    fn records_of_any_length_come_whole_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        let long = "w ".repeat(BLOCK_BYTES + 17);
        let texts = ["a", long.as_str(), "", "b", "c"];
        let lines = texts.map(|text| format!("{{\"text\":\"{text}\"}}"));
        fs::write(
            &path,
            format!("\u{feff}{}\r\n{}\n\n{}\n  \n{}\n{}", lines[0], lines[1], lines[2], lines[3], lines[4]),
        )
        .unwrap();
        let (documents, bad) = read_all(std::slice::from_ref(&path));
        assert!(bad.is_empty());
        assert!(documents.iter().map(|(_, text, _)| text.as_str()).eq(texts));
        let keys: Vec<String> = [1, 2, 4, 6, 7].map(|line| format!("{}:{line}", path.display())).into();
        assert!(documents.iter().map(|(key, _, _)| key).eq(&keys));
        let bytes = fs::read(&path).unwrap();
        for ((_, _, span), line) in documents.iter().zip(&lines) {
            let record = &bytes[span.offset as usize..(span.offset + span.length) as usize];
            assert_eq!(record.trim_ascii(), line.as_bytes());
        }
    }

    #[test]
    fn many_blocks_keep_count_of_the_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        let mut content: String = (0..100_000).map(|id| format!("{{\"id\":{id},\"text\":\"some words\"}}\n")).collect();
        content.push_str("oops\n");
        fs::write(&path, content).unwrap();
        let (documents, bad) = read_all(std::slice::from_ref(&path));
        assert_eq!(documents.len(), 100_000);
        assert_eq!(bad, [format!("{}:100001: not JSON: expected value at column 1", path.display())]);
    }

    #[test]
    fn each_file_of_a_folder_is_a_document() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        for (name, content) in [("a.txt", &b"one"[..]), ("b.txt", b""), ("c.txt", b"\xFF"), ("sub/d", b"four")] {
            fs::write(folder.path().join(name), content).unwrap();
        }
        let (documents, bad) = read_all(&[folder.path().to_owned()]);
        let keys: Vec<&str> = documents.iter().map(|(key, _, _)| key.as_str()).collect();
        assert_eq!(keys, ["a.txt", "b.txt", "sub/d"]);
        assert_eq!(bad, [format!("{}: not UTF-8 (byte 1 of the record)", folder.path().join("c.txt").display())]);
    }
}
