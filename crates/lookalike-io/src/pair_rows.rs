//! Rows of pairs that were written before: `a`, `b`, `similarity`.

use crate::columns::{self, BatchReader, column, guarded, strings};
use crate::compression::Compression;
use crate::error::{BadRecord, Error, Place, Problem, Result, escaped};
use crate::format::{RecordFormat, RowFormat};
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Schema};
use serde::Deserialize;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

const BUFFER_BYTES: usize = 1 << 20;

/// A pair of documents, by their keys.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedRow {
    /// Key of the earlier document.
    pub a: String,
    /// Key of the later document.
    pub b: String,
    /// Their Jaccard similarity, above 0 and at most 1.
    pub similarity: f64,
}

/// Reads the pairs of a file, in the format that its ending names, and hands each to `visit`.
///
/// # Errors
/// [`Error::Io`], [`Error::UnknownEnding`]; of files of columns [`Error::NotInFormat`], [`Error::NoColumn`],
/// [`Error::ColumnType`]; [`Error::BadRow`] at the first row that is no pair.
pub fn read_pairs(path: &Path, mut visit: impl FnMut(SavedRow)) -> Result<()> {
    let format = RowFormat::of(path)?;
    let columns = match format {
        RowFormat::Parquet => Some(RecordFormat::Parquet),
        RowFormat::Arrow => Some(RecordFormat::Arrow),
        _ => None,
    };
    if let Some(format) = columns {
        return read_columns(path, format, visit);
    }
    let reader = BufReader::with_capacity(BUFFER_BYTES, Compression::of_file(path)?.open(path)?);
    let checked = |line: u64, row: std::result::Result<SavedRow, String>| {
        row.and_then(check).map_err(|message| bad_row(path, line, message))
    };
    match format {
        RowFormat::Csv => read_delimited(reader, b',', |line, row| checked(line, row).map(&mut visit)),
        RowFormat::Tsv => read_delimited(reader, b'\t', |line, row| checked(line, row).map(&mut visit)),
        _ => {
            for (line, text) in (1..).zip(reader.split(b'\n')) {
                let text = text.map_err(|source| Error::io("read", path, source))?;
                if !text.trim_ascii().is_empty() {
                    visit(checked(line, serde_json::from_slice(&text).map_err(|error| error.to_string()))?);
                }
            }
            Ok(())
        }
    }
}

fn read_columns(path: &Path, format: RecordFormat, mut visit: impl FnMut(SavedRow)) -> Result<()> {
    let mut reader = BatchReader::open(path, format, None, u64::MAX)?;
    check_columns(path, reader.schema())?;
    let unreadable = |message| columns::unreadable(path, format, message);
    let mut number = 0;
    while let Some(batch) = reader.next().map_err(unreadable)? {
        let name = |name: &str| column(&batch, &[name.to_owned()]);
        let read = guarded(|| {
            let similarity = cast(&name("similarity")?, &DataType::Float64)?.as_primitive::<Float64Type>().clone();
            Ok::<_, ArrowError>((strings(&name("a")?)?, strings(&name("b")?)?, similarity))
        });
        let (a, b, similarity) = read.map_err(unreadable)?;
        for row in 0..batch.num_rows() {
            number += 1;
            let is_whole = a.is_valid(row) && b.is_valid(row) && similarity.is_valid(row);
            let saved = || SavedRow {
                a: a.value(row).to_owned(),
                b: b.value(row).to_owned(),
                similarity: similarity.value(row),
            };
            let checked = if is_whole { check(saved()) } else { Err("a value is null".to_owned()) };
            visit(checked.map_err(|message| bad_row(path, number, message))?);
        }
    }
    Ok(())
}

/// The columns must be those of a [`SavedRow`], and no others, as in the other formats.
fn check_columns(path: &Path, schema: &Schema) -> Result<()> {
    const NAMES: [&str; 3] = ["a", "b", "similarity"];
    if let Some(absent) = NAMES.iter().find(|name| schema.fields().find(name).is_none()) {
        return Err(Error::no_column(path, absent, schema.fields().iter().map(|field| field.name().as_str())));
    }
    for field in schema.fields() {
        let data_type = field.data_type();
        let (expected, fits) = match field.name().as_str() {
            "a" | "b" => ("strings", columns::is_text(data_type)),
            "similarity" => ("numbers", data_type.is_numeric()),
            _ => ("no such column", false),
        };
        if !fits {
            let (path, column, found) = (path.to_owned(), field.name().clone(), data_type.to_string());
            return Err(Error::ColumnType { path, column, expected, found });
        }
    }
    Ok(())
}

fn read_delimited(
    reader: impl Read,
    delimiter: u8,
    mut visit: impl FnMut(u64, std::result::Result<SavedRow, String>) -> Result<()>,
) -> Result<()> {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(reader);
    let mut rows = reader.deserialize();
    loop {
        let line = rows.reader().position().line();
        let Some(row) = rows.next() else { return Ok(()) };
        visit(line, row.map_err(|error| error.to_string()))?;
    }
}

fn check(row: SavedRow) -> std::result::Result<SavedRow, String> {
    match row.similarity {
        _ if row.a == row.b => Err("a and b are the same key".to_owned()),
        similarity if similarity > 0.0 && similarity <= 1.0 => Ok(row),
        similarity => Err(format!("similarity {similarity} is not above 0 and at most 1")),
    }
}

fn bad_row(path: &Path, line: u64, message: String) -> Error {
    let place = Place { path: Arc::from(path), line: Some(line) };
    // The parsers count lines themselves, from where they began.
    let message = escaped(&message.replace(" at line 1 column", " at column"));
    Error::BadRow { record: BadRecord { place, problem: Problem::NotAPair { message } } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn read(name: &str, content: &str) -> Result<Vec<(String, String, f64)>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let mut rows = Vec::new();
        read_pairs(&path, |row| rows.push((row.a, row.b, row.similarity)))?;
        Ok(rows)
    }

    #[test]
    fn each_format_is_read() {
        let expected = [("x,1".to_owned(), "y\"".to_owned(), 0.875), ("x,1".to_owned(), "z".to_owned(), 1.0)];
        let json =
            "{\"a\":\"x,1\",\"b\":\"y\\\"\",\"similarity\":0.875}\n\n{\"a\":\"x,1\",\"b\":\"z\",\"similarity\":1.0}\n";
        assert_eq!(read("p.jsonl", json).unwrap(), expected);
        assert_eq!(read("p.csv", "a,b,similarity\n\"x,1\",\"y\"\"\",0.875\n\"x,1\",z,1\n").unwrap(), expected);
        assert_eq!(read("p.tsv", "a\tb\tsimilarity\nx,1\t\"y\"\"\"\t0.875\nx,1\tz\t1.0\n").unwrap(), expected);
        assert_eq!(read("p.csv", "a,b,similarity\n").unwrap(), []);
    }

    #[test]
    fn what_is_no_pair_is_named_by_its_line() {
        let row = "{\"a\":\"x\",\"b\":\"y\",\"similarity\":0.5}\n";
        for (name, content, line) in [
            ("p.jsonl", format!("{row}{{\"a\":\"x\"}}\n"), 2),
            ("p.jsonl", format!("{row}{row}no json"), 3),
            ("p.jsonl", "{\"a\":\"x\",\"b\":\"x\",\"similarity\":0.5}".to_owned(), 1),
            ("p.jsonl", "{\"a\":\"x\",\"b\":\"y\",\"similarity\":0}".to_owned(), 1),
            ("p.csv", "a,b,similarity\nx,y,0.5\nx,y\n".to_owned(), 3),
            ("p.csv", "a,b,similarity\nx,y,much\n".to_owned(), 2),
        ] {
            let Error::BadRow { record } = read(name, &content).unwrap_err() else {
                panic!("another error: {content}")
            };
            assert_eq!(record.place.line, Some(line), "{content}");
        }
        assert!(matches!(read("p.txt", row), Err(Error::UnknownEnding { .. })));
    }
}
