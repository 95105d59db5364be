//! Files of pairs that a former job wrote: [`PairRow`]s.

use crate::columns::{BatchReader, check_columns, column, guarded, strings, unreadable};
use crate::formats::{RecordFormat, RowFormat};
use crate::ground::details::Action;
use crate::ground::{BadRecord, Compression, Decompressor, Error, Place, Problem, Result};
use crate::rows::{PairFigure, PairRow};
use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Float64Type, UInt64Type};
use arrow_array::{Array, Float64Array, PrimitiveArray, RecordBatch, StringViewArray, UInt64Array};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use lookalike_core::rule::Reason;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

const BUFFER_BYTES: usize = 1 << 20;

/// A row, or the reason why it is none.
type Parsed<'a> = std::result::Result<PairRow<'a>, String>;

/// Reads the pairs of a file, in the format that its extension names, and calls `visit` with each and with the number
/// of bytes of the file that were read so far, until it returns an error.
///
/// # Errors
/// That of `visit`; [`Error::Io`], [`Error::UnknownExtension`]; for files of columns [`Error::NotInFormat`],
/// [`Error::NoPairColumn`], [`Error::ColumnType`]; [`Error::BadRow`] at the first malformed row.
pub fn read_pairs<E: From<Error>>(
    path: &Path,
    mut visit: impl FnMut(PairRow<'_>, u64) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let visit = &mut |line, row: Parsed<'_>, read_bytes| match row.and_then(checked) {
        Ok(row) => visit(row, read_bytes),
        Err(message) => Err(bad_row(path, line, message).into()),
    };
    match RowFormat::of(path)? {
        RowFormat::JsonLines => read_lines(path, visit),
        RowFormat::Csv => read_delimited(path, b',', visit),
        RowFormat::Tsv => read_delimited(path, b'\t', visit),
        RowFormat::Parquet => read_columns(path, RecordFormat::Parquet, visit),
        RowFormat::Arrow => read_columns(path, RecordFormat::Arrow, visit),
    }
}

/// Called with the number of a row, what stands there, and the bytes read so far.
type VisitRow<'v, E> = &'v mut dyn FnMut(u64, Parsed<'_>, u64) -> std::result::Result<(), E>;

fn open(path: &Path) -> Result<BufReader<Decompressor>> {
    Ok(BufReader::with_capacity(BUFFER_BYTES, Compression::of_file(path)?.open(path)?))
}

fn read_lines<E: From<Error>>(path: &Path, visit: VisitRow<'_, E>) -> std::result::Result<(), E> {
    let (mut reader, mut text) = (open(path)?, Vec::new());
    for line in 1.. {
        text.clear();
        if reader.read_until(b'\n', &mut text).map_err(|source| Error::io(Action::Read, path, source))? == 0 {
            break;
        }
        let row = text.strip_suffix(b"\n").unwrap_or(&text);
        if !row.trim_ascii().is_empty() {
            let row = serde_json::from_slice(row).map_err(|error| error.to_string());
            visit(line, row, reader.get_ref().read_bytes())?;
        }
    }
    Ok(())
}

fn read_delimited<E: From<Error>>(path: &Path, delimiter: u8, visit: VisitRow<'_, E>) -> std::result::Result<(), E> {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(open(path)?);
    let mut rows = reader.deserialize();
    loop {
        let line = rows.reader().position().line();
        let Some(row) = rows.next() else { return Ok(()) };
        let read_bytes = rows.reader().get_ref().get_ref().read_bytes();
        visit(line, row.map_err(|error| error.to_string()), read_bytes)?;
    }
}

fn read_columns<E: From<Error>>(
    path: &Path,
    format: RecordFormat,
    visit: VisitRow<'_, E>,
) -> std::result::Result<(), E> {
    let mut reader = BatchReader::open(path, format, None, None)?;
    check_columns(path, reader.schema(), PairRow::ALL, PairRow::OPTIONAL)?;
    let unreadable = |message| unreadable(path, format, message);
    let mut number = 0;
    while let Some(batch) = reader.next().map_err(unreadable)? {
        let columns = guarded(|| Columns::of(&batch)).map_err(unreadable)?;
        for row in 0..batch.num_rows() {
            number += 1;
            visit(number, columns.row(row), reader.read_bytes())?;
        }
    }
    Ok(())
}

/// The columns of a batch of pairs; `None` for those that the file does not have.
struct Columns {
    a: StringViewArray,
    b: StringViewArray,
    similarity: Option<Float64Array>,
    containments: [Option<Float64Array>; 2],
    common: Option<UInt64Array>,
    distance: Option<UInt64Array>,
    euclidean_distance: Option<Float64Array>,
    estimated_similarity: Option<Float64Array>,
    reason: Option<StringViewArray>,
}

impl Columns {
    fn of(batch: &RecordBatch) -> std::result::Result<Self, ArrowError> {
        let [a, b] = ["a", "b"].map(|name| column(batch, &[name.to_owned()]));
        let optional = |name: &str| column(batch, &[name.to_owned()]).ok();
        let as_number = |name| -> std::result::Result<Option<Float64Array>, ArrowError> {
            let Some(column) = optional(name) else { return Ok(None) };
            Ok(Some(cast(&column, &DataType::Float64)?.as_primitive::<Float64Type>().clone()))
        };
        let as_count = |name| -> std::result::Result<Option<UInt64Array>, ArrowError> {
            let Some(column) = optional(name) else { return Ok(None) };
            Ok(Some(cast(&column, &DataType::UInt64)?.as_primitive::<UInt64Type>().clone()))
        };
        Ok(Self {
            a: strings(&a?)?,
            b: strings(&b?)?,
            similarity: as_number("similarity")?,
            containments: [as_number("containment_of_a")?, as_number("containment_of_b")?],
            common: as_count("common")?,
            distance: as_count("distance")?,
            euclidean_distance: as_number("euclidean_distance")?,
            estimated_similarity: as_number("estimated_similarity")?,
            reason: optional("reason").map(|reason| strings(&reason)).transpose()?,
        })
    }

    fn row(&self, row: usize) -> Parsed<'_> {
        let Self { a, b, similarity, containments, common, distance, euclidean_distance, reason, .. } = self;
        let count = |values: &Option<UInt64Array>| value_at(values.as_ref()?, row);
        let number = |values: &Option<Float64Array>| value_at(values.as_ref()?, row);
        let [containment_of_a, containment_of_b] = [number(&containments[0]), number(&containments[1])];
        let (similarity, common, distance) = (number(similarity), count(common), count(distance));
        let (euclidean_distance, estimated_similarity) =
            (number(euclidean_distance), number(&self.estimated_similarity));
        let has_number = similarity.or(euclidean_distance).or(estimated_similarity).is_some();
        let has_figure = has_number || common.or(distance).is_some();
        if a.is_null(row) || b.is_null(row) || !has_figure {
            return Err("a value is null".to_owned());
        }
        let reason = reason.as_ref().filter(|reason| !reason.is_null(row)).map(|reason| reason.value(row).into());
        let (a, b) = (a.value(row).into(), b.value(row).into());
        // Which files they came from matters to nothing that is made of pairs.
        let (a_source, b_source) = (None, None);
        Ok(PairRow {
            a,
            b,
            similarity,
            containment_of_a,
            containment_of_b,
            common,
            distance,
            euclidean_distance,
            estimated_similarity,
            interval_low: None,
            interval_high: None,
            reason,
            a_source,
            b_source,
        })
    }
}

fn value_at<T: ArrowPrimitiveType>(values: &PrimitiveArray<T>, row: usize) -> Option<T::Native> {
    values.is_valid(row).then(|| values.value(row))
}

fn checked(row: PairRow<'_>) -> Parsed<'_> {
    if row.a == row.b {
        return Err("a and b are the same id".to_owned());
    }
    if row.reason.as_deref().is_some_and(|reason| Reason::of_name(reason).is_none()) {
        return Err("reason is none of identical, equal, near".to_owned());
    }
    match row.figure() {
        None => Err("a pair has a similarity, a number of common elements or a distance".to_owned()),
        Some(PairFigure::Common(0)) => Err("common is 0".to_owned()),
        Some(PairFigure::Similarity(similarity)) if !(similarity > 0.0 && similarity <= 1.0) => {
            Err(format!("similarity {similarity} is not above 0 and at most 1"))
        }
        Some(PairFigure::EuclideanDistance(distance)) if !(distance >= 0.0 && distance.is_finite()) => {
            Err(format!("euclidean_distance {distance} is not a number from 0 on"))
        }
        Some(PairFigure::EstimatedSimilarity(_)) => {
            Err("an estimated similarity is not verified; the texts verify it when pairs are looked for".to_owned())
        }
        Some(
            PairFigure::Common(_)
            | PairFigure::Similarity(_)
            | PairFigure::Distance(_)
            | PairFigure::EuclideanDistance(_),
        ) => Ok(row),
    }
}

fn bad_row(path: &Path, line: u64, message: String) -> Error {
    let place = Place::line(&Arc::from(path), line);
    // The parser counts lines from the beginning of the row, which is one line.
    let message = message.replace(" at line 1 column", " at column");
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
        let bytes = fs::metadata(&path).unwrap().len();
        read_pairs(&path, |row, read_bytes| {
            assert!(read_bytes > 0 && read_bytes <= bytes);
            rows.push((row.a.into_owned(), row.b.into_owned(), row.similarity.unwrap()));
            Ok::<_, Error>(())
        })?;
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
        let with_reasons = "a,b,similarity,reason\n\"x,1\",\"y\"\"\",0.875,near\n\"x,1\",z,1,identical\n";
        assert_eq!(read("p.csv", with_reasons).unwrap(), expected);
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
            ("p.csv", "a,b,similarity,reason\nx,y,1.0,exact\n".to_owned(), 2),
        ] {
            let Error::BadRow { record } = read(name, &content).unwrap_err() else {
                panic!("another error: {content}")
            };
            assert_eq!(record.place.line_number(), Some(line), "{content}");
        }
        assert!(matches!(read("p.txt", row), Err(Error::UnknownExtension { .. })));
    }
}
