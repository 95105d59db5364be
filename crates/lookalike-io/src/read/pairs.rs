//! Files of pairs that a former job wrote: [`PairRow`]s.

use crate::columns::{BatchReader, check_columns, column, guarded, strings, unreadable};
use crate::formats::{RecordFormat, RowFormat};
use crate::ground::{BadRecord, Compression, Error, Place, Problem, Result, escaped};
use crate::rows::PairRow;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, Float64Array, RecordBatch, StringViewArray};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

const BUFFER_BYTES: usize = 1 << 20;

/// A row, or the reason why it is none.
type Parsed<'a> = std::result::Result<PairRow<'a>, String>;

/// Reads the pairs of a file, in the format that its extension names, and calls `visit` with each.
///
/// # Errors
/// [`Error::Io`], [`Error::UnknownEnding`]; for files of columns [`Error::NotInFormat`], [`Error::NoColumn`],
/// [`Error::ColumnType`]; [`Error::BadRow`] at the first malformed row.
pub fn read_pairs(path: &Path, mut visit: impl FnMut(PairRow<'_>)) -> Result<()> {
    let mut visit_row = |line, row: Parsed<'_>| match row.and_then(checked) {
        Ok(row) => {
            visit(row);
            Ok(())
        }
        Err(message) => Err(bad_row(path, line, message)),
    };
    match RowFormat::of(path)? {
        RowFormat::JsonLines => read_lines(path, visit_row),
        RowFormat::Csv => read_delimited(open(path)?, b',', visit_row),
        RowFormat::Tsv => read_delimited(open(path)?, b'\t', visit_row),
        RowFormat::Parquet => read_columns(path, RecordFormat::Parquet, &mut visit_row),
        RowFormat::Arrow => read_columns(path, RecordFormat::Arrow, &mut visit_row),
    }
}

fn open(path: &Path) -> Result<impl BufRead> {
    Ok(BufReader::with_capacity(BUFFER_BYTES, Compression::of_file(path)?.open(path)?))
}

fn read_lines(path: &Path, mut visit: impl FnMut(u64, Parsed<'_>) -> Result<()>) -> Result<()> {
    for (line, text) in (1..).zip(open(path)?.split(b'\n')) {
        let text = text.map_err(|source| Error::io("read", path, source))?;
        if !text.trim_ascii().is_empty() {
            visit(line, serde_json::from_slice(&text).map_err(|error| error.to_string()))?;
        }
    }
    Ok(())
}

fn read_delimited(
    reader: impl Read,
    delimiter: u8,
    mut visit: impl FnMut(u64, Parsed<'_>) -> Result<()>,
) -> Result<()> {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(reader);
    let mut rows = reader.deserialize();
    loop {
        let line = rows.reader().position().line();
        let Some(row) = rows.next() else { return Ok(()) };
        visit(line, row.map_err(|error| error.to_string()))?;
    }
}

fn read_columns(path: &Path, format: RecordFormat, visit: &mut dyn FnMut(u64, Parsed<'_>) -> Result<()>) -> Result<()> {
    let mut reader = BatchReader::open(path, format, None, None)?;
    check_columns(path, reader.schema(), PairRow::HEADER)?;
    let unreadable = |message| unreadable(path, format, message);
    let mut number = 0;
    while let Some(batch) = reader.next().map_err(unreadable)? {
        let columns = guarded(|| Columns::of(&batch)).map_err(unreadable)?;
        for row in 0..batch.num_rows() {
            number += 1;
            visit(number, columns.row(row))?;
        }
    }
    Ok(())
}

/// The columns of a batch of pairs.
struct Columns {
    a: StringViewArray,
    b: StringViewArray,
    similarity: Float64Array,
}

impl Columns {
    fn of(batch: &RecordBatch) -> std::result::Result<Self, ArrowError> {
        let [a, b, similarity] = PairRow::HEADER.map(|field| column(batch, &[field.name.to_owned()]));
        let similarity = cast(&similarity?, &DataType::Float64)?.as_primitive::<Float64Type>().clone();
        Ok(Self { a: strings(&a?)?, b: strings(&b?)?, similarity })
    }

    fn row(&self, row: usize) -> Parsed<'_> {
        let Self { a, b, similarity } = self;
        if a.is_null(row) || b.is_null(row) || similarity.is_null(row) {
            return Err("a value is null".to_owned());
        }
        Ok(PairRow { a: a.value(row).into(), b: b.value(row).into(), similarity: similarity.value(row) })
    }
}

fn checked(row: PairRow<'_>) -> Parsed<'_> {
    match row.similarity {
        _ if row.a == row.b => Err("a and b are the same id".to_owned()),
        similarity if similarity > 0.0 && similarity <= 1.0 => Ok(row),
        similarity => Err(format!("similarity {similarity} is not above 0 and at most 1")),
    }
}

fn bad_row(path: &Path, line: u64, message: String) -> Error {
    let place = Place { path: Arc::from(path), line: Some(line) };
    // The parser counts lines from the beginning of the row, which is one line.
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
        read_pairs(&path, |row| rows.push((row.a.into_owned(), row.b.into_owned(), row.similarity)))?;
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
