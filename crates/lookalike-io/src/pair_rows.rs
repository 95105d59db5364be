//! Rows of pairs that were written before: `a`, `b`, `similarity`.

use crate::compression::Compression;
use crate::error::{BadRecord, Error, Place, Problem, Result, escaped};
use crate::rows::RowFormat;
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

/// Reads the pairs of a file, in JSON Lines, CSV or TSV by its ending, and hands each to `visit`.
///
/// # Errors
/// [`Error::Io`], [`Error::UnknownEnding`]; [`Error::BadRow`] at the first row that is no pair.
pub fn read_pairs(path: &Path, mut visit: impl FnMut(SavedRow)) -> Result<()> {
    let format = RowFormat::of(path)?;
    let reader = BufReader::with_capacity(BUFFER_BYTES, Compression::of_file(path)?.open(path)?);
    let checked = |line: u64, row: std::result::Result<SavedRow, String>| {
        row.and_then(check).map_err(|message| bad_row(path, line, message))
    };
    match format {
        RowFormat::JsonLines => {
            for (line, text) in (1..).zip(reader.split(b'\n')) {
                let text = text.map_err(|source| Error::io("read", path, source))?;
                if !text.trim_ascii().is_empty() {
                    visit(checked(line, serde_json::from_slice(&text).map_err(|error| error.to_string()))?);
                }
            }
            Ok(())
        }
        RowFormat::Csv => read_delimited(reader, b',', |line, row| checked(line, row).map(&mut visit)),
        RowFormat::Tsv => read_delimited(reader, b'\t', |line, row| checked(line, row).map(&mut visit)),
    }
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
