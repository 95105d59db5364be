//! The laws of the readers, which hold for any bytes. `tests/readers.rs` checks them on damaged files, the targets
//! under `fuzz/` on the inputs of a fuzzer.
//!
//! The bytes are written to a file, which is read as a user's file: by its name, through discovery and blocks.

use lookalike_core::DocId;
use lookalike_io::{
    AtomicFile, BadRecord, Blocks, Error, Source, Span,
    base::Compression,
    formats::{RecordFormat, RowFormat, Texts},
    read::{header, kept_records, read_pairs},
    rewrite::{Annotations, Rewrite, SelectedRecord, rewrite},
    rows::{PairRow, Value},
    sources::{Discovery, FieldNames, ItemSeparator, SourceKind, discover_with},
    write::RecordReader,
};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Maximum size of a record in bytes.
const LIMIT: Option<u64> = Some(1 << 16);

/// A document without its position.
#[derive(Debug, Clone, PartialEq)]
struct Text {
    id: String,
    text: String,
    number: u64,
    span: Span,
}

/// The content of a file.
struct Reading {
    source: Source,
    documents: Vec<Text>,
    bad: Vec<BadRecord>,
    /// The error that ended the reading.
    error: Option<Error>,
}

/// A folder with one file.
struct Case {
    _folder: TempDir,
    path: PathBuf,
    names: FieldNames,
}

impl Case {
    fn new(name: &str, content: &[u8], items: Option<ItemSeparator>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        Self { _folder: folder, path, names: FieldNames { items, ..FieldNames::default() } }
    }

    /// Reads the file; `None` if discovery refuses it.
    fn read(&self) -> Option<Reading> {
        let texts = if self.names.items.is_some() { Texts::ItemLines } else { Texts::Documents };
        let found = match discover_with(std::slice::from_ref(&self.path), &Discovery { texts, ..Discovery::default() })
        {
            Ok(found) => found,
            Err(error) => {
                check_words(&error.to_string());
                let is_known = |error: &Error| {
                    matches!(
                        error,
                        Error::NotCompressed { .. } | Error::PackedColumns { .. } | Error::UnclearQuotes { .. }
                    )
                };
                assert!(is_known(&error), "{error}");
                return None;
            }
        };
        let [source] = &found.sources[..] else { panic!("one file is {} sources", found.sources.len()) };
        let mut reading = Reading { source: source.clone(), documents: Vec::new(), bad: Vec::new(), error: None };
        let mut last = (0, 0);
        for block in Blocks::new(&found.sources, &self.names, LIMIT) {
            let block = match block {
                Ok(block) => block,
                Err(error) => {
                    check_words(&error.to_string());
                    reading.error = Some(error);
                    continue;
                }
            };
            block.for_each_document(&self.names, |document| {
                let (place, end) = match &document {
                    Ok(document) => (&document.place, document.span.offset + document.span.length),
                    Err(record) => (&record.place, last.1),
                };
                assert_eq!(place.path.as_ref(), self.path, "a place is in the file");
                assert!(
                    place.line_number().is_none_or(|line| line > last.0),
                    "places ascend: {place} after {}",
                    last.0
                );
                last = (place.line_number().unwrap_or_default(), end);
                match document {
                    Ok(document) => {
                        let id = document.id.into_owned();
                        let text = document.content.stored().into_owned();
                        reading.documents.push(Text { id, text, number: document.number, span: document.span });
                    }
                    Err(record) => {
                        check_words(&record.to_string());
                        reading.bad.push(record);
                    }
                }
            });
        }
        Some(reading)
    }

    /// The bytes that can be decompressed, and whether the file is intact.
    fn unpacked(&self) -> (Vec<u8>, bool) {
        let mut bytes = Vec::new();
        let compression = Compression::of_file(&self.path).unwrap();
        let is_whole = compression.open(&self.path).unwrap().read_to_end(&mut bytes).is_ok();
        (bytes, is_whole)
    }
}

/// Checks that a message is one line of limited length.
fn check_words(words: &str) {
    assert!(!words.chars().any(char::is_control), "{words:?}");
    assert!(words.len() < 3000, "{} bytes of message", words.len());
}

/// Checks that spans are in the file, ascend without overlap, and give the bytes of their records.
fn check_spans(case: &Case, reading: &Reading, unpacked: &[u8]) {
    let mut records = RecordReader::open(&case.path, Compression::of_file(&case.path).unwrap()).unwrap();
    let mut end = 0;
    for document in &reading.documents {
        let Span { offset, length } = document.span;
        assert!(offset >= end && offset + length <= unpacked.len() as u64, "{:?} after {end}", document.span);
        end = offset + length;
        assert_eq!(records.read(document.span).unwrap(), &unpacked[offset as usize..end as usize]);
    }
}

/// Documents without ids that are line numbers, which change when earlier records are removed.
fn without_places(documents: &[Text], path: &Path) -> Vec<(Option<String>, String)> {
    // The label of a file named alone.
    let begin = format!("{}:", path.file_name().unwrap().display());
    documents
        .iter()
        .map(|document| {
            let id = Some(document.id.clone()).filter(|id| !id.starts_with(&begin));
            (id, document.text.clone())
        })
        .collect()
}

/// Checks that a copy of the documents has the same documents and no bad records.
fn check_copy(case: &Case, name: &str, reading: &Reading, copy: &[u8]) {
    let again = Case::new(name, copy, case.names.items);
    let Some(copied) = again.read() else { panic!("the copy is refused") };
    // Bytes in the middle of a file may be the mark of a format at the beginning of another.
    let is_refused = |error: &Error| is_binary(error, copy) || is_of_another_format(error, copy);
    let is_of_its_format = copied.source.record_format() == reading.source.record_format();
    if !is_of_its_format || copied.error.as_ref().is_some_and(is_refused) {
        return;
    }
    assert_eq!(copied.bad, [], "{:?}", String::from_utf8_lossy(copy));
    assert_eq!(
        without_places(&copied.documents, &again.path),
        without_places(&reading.documents, &case.path),
        "{:?}",
        String::from_utf8_lossy(copy)
    );
}

/// A name without the extension of a compression.
fn plain_name(name: &str) -> String {
    Compression::of_name(Path::new(name)).1.display().to_string()
}

/// Returns whether a file is refused as one that holds no text; checks that it may be. What begins like an image or
/// archive and holds a zero byte is refused as a whole, and so are documents that are written in characters.
fn is_binary(error: &Error, unpacked: &[u8]) -> bool {
    let is_binary = matches!(error, Error::Binary { .. });
    let is_written = [&b"%PDF-"[..], b"{\\rtf", b"%!PS-Adobe"].iter().any(|mark| unpacked.starts_with(mark));
    assert!(!is_binary || is_written || unpacked.contains(&0), "{error}");
    is_binary
}

/// Returns whether a file is refused as one of another format; checks that it does not begin as one of its own.
fn is_of_another_format(error: &Error, unpacked: &[u8]) -> bool {
    let Error::LooksLike { expected, .. } = error else { return matches!(error, Error::EmptyFile { .. }) };
    let head = unpacked.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(unpacked);
    let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let has_column = |delimiter: u8| {
        let header = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
        header.trim_ascii_end().split(|&byte| byte == delimiter).any(|name| name == b"text")
    };
    let marks: [&[u8]; 5] = [b"[", b"WARC/", b"PAR1", b"ARROW1", b"LOOKALIK"];
    let is_marked = marks.iter().any(|mark| head.trim_ascii_start().starts_with(mark));
    let is_its_own = match *expected {
        RecordFormat::JsonLines => !is_marked && lines.any(|line| line.starts_with(b"{")),
        RecordFormat::Csv => !is_marked && has_column(b','),
        RecordFormat::Tsv => !is_marked && has_column(b'\t'),
        RecordFormat::Warc => head.starts_with(b"WARC/"),
        RecordFormat::Parquet => head.starts_with(b"PAR1"),
        RecordFormat::Arrow => head.starts_with(b"ARROW1"),
        _ => false,
    };
    assert!(!is_its_own, "{error}");
    true
}

/// A line without the byte order marks at its beginning: files that were put together have them in their middle.
fn without_mark(mut line: &[u8]) -> &[u8] {
    while let Some(rest) = line.strip_prefix(b"\xEF\xBB\xBF") {
        line = rest;
    }
    line
}

/// Checks files with one record per line.
pub fn check_lines(name: &str, content: &[u8], items: Option<ItemSeparator>) {
    let case = Case::new(name, content, items);
    let Some(reading) = case.read() else { return };
    let (unpacked, is_whole) = case.unpacked();
    if let Some(error) = &reading.error {
        if is_binary(error, &unpacked) || is_of_another_format(error, &unpacked) {
            return;
        }
        let is_wide = [b"\xFF\xFE", b"\xFE\xFF"].iter().any(|mark| unpacked.starts_with(*mark));
        let is_refused = matches!(error, Error::BadRow { record } if record.to_string().contains("records in UTF-16"));
        assert!(is_wide && is_refused, "{error:?}");
        return;
    }
    check_spans(&case, &reading, &unpacked);
    if items.is_some() {
        assert!(reading.documents.iter().all(|document| document.text.is_empty() || document.text.ends_with('\0')));
    }
    if let SourceKind::TextFiles { .. } = reading.source.kind {
        return;
    }
    let lines: Vec<&[u8]> = unpacked.split_inclusive(|&byte| byte == b'\n').collect();
    for document in &reading.documents {
        let line = lines[document.number as usize - 1];
        let record = &unpacked[document.span.offset as usize..][..document.span.length as usize];
        // A byte order mark at the beginning of a line is no part of the record.
        assert!(record == line || record == without_mark(line), "{record:?} of {line:?}");
    }
    if is_whole {
        let lines = unpacked.split(|&byte| byte == b'\n');
        let filled = lines.filter(|line| !without_mark(line).trim_ascii().is_empty()).count();
        assert_eq!(reading.documents.len() + reading.bad.len(), filled, "each line is a document or bad");
    } else {
        assert!(reading.bad.last().is_some_and(|record| record.to_string().contains("cannot be unpacked")));
    }
    let copy = reading.documents.iter().flat_map(|document| {
        unpacked[document.span.offset as usize..][..document.span.length as usize].iter().copied()
    });
    let copy: Vec<u8> = copy.collect();
    // A byte order mark is a character within a file, and none at its beginning.
    if !copy.starts_with(b"\xEF\xBB\xBF") {
        check_copy(&case, &plain_name(name), &reading, &copy);
    }
}

/// Returns whether bytes of a table hold blank lines and repeated headers alone.
fn holds_no_row(bytes: &[u8], header: &[u8]) -> bool {
    let content = |line: &[u8]| without_mark(line).to_vec();
    let header = content(header.split(|byte| b"\r\n".contains(byte)).find(|line| !line.is_empty()).unwrap_or_default());
    let mut lines = bytes.split(|byte| b"\r\n".contains(byte)).map(content);
    lines.all(|line| line.is_empty() || line == header)
}

/// Checks tables.
pub fn check_table(name: &str, content: &[u8]) {
    let case = Case::new(name, content, None);
    let Some(reading) = case.read() else { return };
    let (unpacked, is_whole) = case.unpacked();
    if let Some(error) = reading.error {
        if is_binary(&error, &unpacked) || is_of_another_format(&error, &unpacked) {
            return;
        }
        let is_known = matches!(
            error,
            Error::BadRow { .. } | Error::NoColumn { .. } | Error::QuotedColumn { .. } | Error::ColumnTwice { .. }
        );
        assert!(is_known, "{error}");
        assert!(reading.documents.is_empty(), "only a header can end the work");
        return;
    }
    check_spans(&case, &reading, &unpacked);
    let mut copy = header(&reading.source).unwrap();
    assert!(unpacked.starts_with(&copy));
    let copy_of_header = copy.clone();
    let mut end = copy.len();
    for document in &reading.documents {
        let offset = document.span.offset as usize;
        let length = document.span.length as usize;
        let between = &unpacked[end..offset];
        assert!(!reading.bad.is_empty() || holds_no_row(between, &copy_of_header), "rows were passed over");
        end = offset + length;
        copy.extend_from_slice(&unpacked[offset..end]);
    }
    let rest = &unpacked[end..];
    assert!(!reading.bad.is_empty() || holds_no_row(rest, &copy_of_header), "the end was passed over");
    assert!(is_whole || !reading.bad.is_empty(), "damage is told");
    // Bad rows may be what rules out another separator of the header, or quotes, and they are not copied.
    let is_known_by_all = name.contains(".tsv") || fits_several_separators(&header(&reading.source).unwrap());
    if reading.bad.is_empty() || !is_known_by_all {
        check_copy(&case, &plain_name(name), &reading, &copy);
    }
}

/// Returns whether the header of a table has more than one of the signs that separate columns.
fn fits_several_separators(header: &[u8]) -> bool {
    b",;|\t".iter().filter(|separator| header.contains(separator)).count() > 1
}

/// Checks WARC files.
pub fn check_warc(name: &str, content: &[u8]) {
    let case = Case::new(name, content, None);
    let Some(reading) = case.read() else { return };
    if !matches!(reading.source.kind, SourceKind::Records { .. }) {
        return;
    }
    let (unpacked, is_whole) = case.unpacked();
    if let Some(error) = &reading.error {
        assert!(is_of_another_format(error, &unpacked), "{error:?}");
        return;
    }
    check_spans(&case, &reading, &unpacked);
    assert!(is_whole || !reading.bad.is_empty(), "damage is told");
    let spans: Vec<Span> = reading.documents.iter().map(|document| document.span).collect();
    let is_kept = |offset| spans.iter().any(|span| span.offset == offset).then_some(true);
    let kept = kept_records(&reading.source, &case.names, LIMIT, is_kept).unwrap();
    let mut copy = Vec::new();
    let mut end = 0;
    for Span { offset, length } in &kept {
        assert!(*offset >= end, "records are copied once");
        end = offset + length;
        copy.extend_from_slice(&unpacked[*offset as usize..end as usize]);
    }
    assert!(spans.iter().all(|span| kept.contains(span)), "all documents are copied");
    check_copy(&case, &plain_name(name), &reading, &copy);
}

/// Checks Parquet and Arrow files, which are detected by their first bytes or their name.
pub fn check_columns(name: &str, content: &[u8]) {
    let case = Case::new(name, content, None);
    let Some(reading) = case.read() else { return };
    let SourceKind::Records { format: RecordFormat::Parquet | RecordFormat::Arrow, .. } = reading.source.kind else {
        return;
    };
    if let Some(error) = reading.error {
        let is_known = is_of_another_format(&error, content)
            || matches!(
                error,
                Error::NotInFormat { .. }
                    | Error::NoColumn { .. }
                    | Error::ColumnType { .. }
                    | Error::PackedColumns { .. }
            );
        assert!(is_known && reading.documents.is_empty(), "only what describes a file can end the work: {error}");
        return;
    }
    let rows = reading.documents.iter().map(|document| document.number);
    let last = rows.clone().max().unwrap_or_default();
    assert!(last <= (reading.documents.len() + reading.bad.len()) as u64, "rows were passed over");
    for to in ["copy.jsonl", "copy.parquet", "copy.arrow"] {
        if let Some(copied) = rewritten(&case, &reading, to) {
            let texts =
                |reading: &Reading| reading.documents.iter().map(|found| found.text.clone()).collect::<Vec<_>>();
            assert!(copied.error.is_none() && copied.bad.is_empty(), "{to}: {:?} {:?}", copied.error, copied.bad);
            assert_eq!(texts(&copied), texts(&reading), "{to}");
        }
    }
}

/// The documents converted to another file; `None` if the conversion fails on a corrupt column that reading did not
/// need, or on a type that the format lacks.
fn rewritten(case: &Case, reading: &Reading, to: &str) -> Option<Reading> {
    let again = Case::new(to, b"", None);
    let format = RowFormat::from_path(&again.path).unwrap();
    let annotations = Annotations::Omit;
    let job = Rewrite {
        sources: &[&reading.source],
        fields: &case.names,
        limit: LIMIT,
        format,
        annotations,
        edit: None,
        basis: None,
    };
    let selected = |document: &Text| SelectedRecord {
        number: document.number,
        document: DocId(0),
        span: document.span,
        annotation: None,
    };
    let out = AtomicFile::create(&again.path).unwrap();
    match rewrite(job, out, |_| reading.documents.iter().map(selected), &mut |_| true) {
        Ok(file) => file.finish().unwrap(),
        Err(error) => {
            check_words(&error.to_string());
            let is_known = matches!(
                error,
                Error::NotInFormat { .. } | Error::CannotHold { .. } | Error::CannotHoldValue { .. } | Error::Io { .. }
            );
            assert!(is_known, "{error:?}");
            return None;
        }
    }
    let copied = again.read();
    assert!(copied.is_some(), "the copy is refused");
    copied
}

/// Checks files with one document each.
pub fn check_text(name: &str, content: &[u8]) {
    let case = Case::new(name, content, None);
    let Some(reading) = case.read() else { return };
    assert!(reading.error.is_none(), "{:?}", reading.error);
    assert_eq!(reading.documents.len() + reading.bad.len(), 1, "a file is a document or bad");
    for document in &reading.documents {
        assert_eq!(document.id, name);
        // Whatever they begin with: only an extension says that a text is compressed.
        let is_packed = Compression::of_name(Path::new(name)).0 != Compression::None;
        let length = if is_packed { case.unpacked().0.len() } else { content.len() };
        assert_eq!(document.span, Span { offset: 0, length: length as u64 });
    }
}

/// Checks files of pairs.
pub fn check_pairs(name: &str, content: &[u8]) {
    let case = Case::new(name, content, None);
    let check = |row: PairRow<'_>, _| {
        let (column, value) = row.figures.cells().next().unwrap();
        let is_right = match (column.name, value) {
            ("similarity", Value::Number(similarity)) => similarity > 0.0 && similarity <= 1.0,
            ("common", Value::Count(common)) => common > 0,
            ("distance", Value::Count(_)) => true,
            ("euclidean_distance" | "manhattan_distance", Value::Number(distance)) => {
                distance >= 0.0 && distance.is_finite()
            }
            _ => false,
        };
        assert!(row.a != row.b && is_right, "{row:?}");
        Ok::<_, Error>(())
    };
    if let Err(error) = read_pairs(&case.path, check) {
        check_words(&error.to_string());
        let is_packed = Compression::of_file(&case.path).is_ok_and(|compression| compression != Compression::None);
        let is_known = matches!(error, Error::BadRow { .. } | Error::NotCompressed { .. });
        assert!(is_known || is_packed && matches!(error, Error::Io { .. }), "{error:?}");
    }
}
