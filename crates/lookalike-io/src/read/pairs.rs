//! Files of pairs that a former job wrote: [`PairRow`]s.

use crate::base::details::Action;
use crate::base::{BadRecord, Compression, Decompressor, Error, Place, Problem, Result};
use crate::columns::{BatchReader, check_columns, column, guarded, stored_metadata, strings, unreadable};
use crate::formats::{RecordFormat, RowFormat};
use crate::rows::all_columns::{COMMON, ESTIMATED_SIMILARITY, REASON};
use crate::rows::{BASIS_KEY, Column, ColumnKind, Figures, PAIR_COLUMNS, PairRow, Value, side_file};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{Array, Float64Array, RecordBatch, StringViewArray, UInt64Array};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use lookalike_core::rule::Reason;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::Path;
use std::sync::{Arc, LazyLock};

const BUFFER_BYTES: usize = 1 << 20;

/// A row as it stands in the file, or the reason why it is none.
type Parsed<'a> = std::result::Result<RawPair<'a>, String>;

/// Reads the pairs of a file, in the format that its extension names, and calls `visit` with each and with the number
/// of bytes of the file that were read so far, until it returns an error.
///
/// # Errors
/// That of `visit`; [`Error::Io`], [`Error::UnknownExtension`]; for files of columns [`Error::NotInFormat`],
/// [`Error::NoColumn`], [`Error::ColumnType`]; [`Error::BadRow`] at the first malformed row.
pub fn read_pairs<E: From<Error>>(
    path: &Path,
    mut visit: impl FnMut(PairRow<'_>, u64) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let visit = &mut |line, row: Parsed<'_>, read_bytes| match row.and_then(RawPair::into_row) {
        Ok(row) => visit(row, read_bytes),
        Err(message) => Err(bad_row(path, line, message).into()),
    };
    let format = RowFormat::from_path(path)?;
    match (format, format.delimiter()) {
        (_, Some(delimiter)) => read_delimited(path, delimiter, visit),
        (RowFormat::JsonLines, None) => read_lines(path, visit),
        (_, None) => read_columns(path, format.as_records(), visit),
    }
}

/// Called with the number of a row, what stands there, and the bytes read so far.
type VisitRow<'v, E> = &'v mut dyn FnMut(u64, Parsed<'_>, u64) -> std::result::Result<(), E>;

fn open(path: &Path) -> Result<BufReader<Decompressor>> {
    Ok(BufReader::with_capacity(BUFFER_BYTES, Compression::of_file(path)?.open(path)?))
}

fn read_lines<E: From<Error>>(path: &Path, visit: VisitRow<'_, E>) -> std::result::Result<(), E> {
    let mut reader = open(path)?;
    let mut text = Vec::new();
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
    check_columns(path, reader.schema(), &PAIR_COLUMNS, REQUIRED)?;
    let unreadable = |message| unreadable(path, format, message);
    let mut number = 0;
    while let Some(batch) = reader.next().map_err(unreadable)? {
        let columns = guarded(|| PairColumns::new(&batch)).map_err(unreadable)?;
        for row in 0..batch.num_rows() {
            number += 1;
            visit(number, columns.row(row), reader.read_bytes())?;
        }
    }
    Ok(())
}

/// The columns of a batch of pairs, in the order of [`PAIR_COLUMNS`]; `None` for those that the file does not have.
struct PairColumns(Vec<Option<PairValues>>);

/// A column of a file.
enum PairValues {
    Texts(StringViewArray),
    Numbers(Float64Array),
    Counts(UInt64Array),
}

impl PairValues {
    fn get(&self, row: usize) -> Value<'_> {
        match self {
            Self::Texts(values) if values.is_valid(row) => Value::text(values.value(row)),
            Self::Numbers(values) if values.is_valid(row) => Value::Number(values.value(row)),
            Self::Counts(values) if values.is_valid(row) => Value::Count(values.value(row)),
            Self::Texts(_) | Self::Numbers(_) | Self::Counts(_) => Value::Null,
        }
    }
}

impl PairColumns {
    fn new(batch: &RecordBatch) -> std::result::Result<Self, ArrowError> {
        let values = |pair_column: &Column| {
            let Ok(found) = column(batch, &[pair_column.name.to_owned()]) else { return Ok(None) };
            Ok(Some(match pair_column.kind {
                ColumnKind::Share | ColumnKind::Number => {
                    PairValues::Numbers(cast(&found, &DataType::Float64)?.as_primitive::<Float64Type>().clone())
                }
                ColumnKind::Count | ColumnKind::Count32 => {
                    PairValues::Counts(cast(&found, &DataType::UInt64)?.as_primitive::<UInt64Type>().clone())
                }
                ColumnKind::Id { .. } | ColumnKind::Text | ColumnKind::Json => PairValues::Texts(strings(&found)?),
                ColumnKind::Flag | ColumnKind::Bytes(_) => return Ok(None),
            }))
        };
        PAIR_COLUMNS.iter().map(values).collect::<std::result::Result<_, ArrowError>>().map(Self)
    }

    fn row(&self, row: usize) -> Parsed<'_> {
        let value =
            |place: usize| self.0.get(place).and_then(Option::as_ref).map_or(Value::Null, |values| values.get(row));
        let raw = RawPair(std::array::from_fn(value));
        let has_figure = (REQUIRED..raw.0.len()).any(|place| raw.number_at(place).is_some());
        if raw.0[..REQUIRED].contains(&Value::Null) || !has_figure {
            return Err("a value is null".to_owned());
        }
        Ok(raw)
    }
}

/// The first columns of pairs, which no file lacks: the ids. The figures follow.
const REQUIRED: usize = 2;

/// The values of a row, in the order of [`PAIR_COLUMNS`].
struct RawPair<'a>([Value<'a>; RawPair::MAX_COLUMNS]);

impl<'a> RawPair<'a> {
    /// Number of [`PAIR_COLUMNS`] at most: rows are read by the million, and so have no memory of their own.
    const MAX_COLUMNS: usize = 16;

    fn place(name: &str) -> Option<usize> {
        PAIR_COLUMNS.iter().position(|column| column.name == name)
    }

    fn number_at(&self, place: usize) -> Option<f64> {
        match self.0.get(place)? {
            Value::Number(number) => Some(*number),
            Value::Count(count) => Some(*count as f64),
            Value::Text(_) | Value::Json(_) | Value::Flag(_) | Value::Null => None,
        }
    }

    fn take_text(&mut self, place: usize) -> Option<Cow<'a, str>> {
        match std::mem::replace(self.0.get_mut(place)?, Value::Null) {
            Value::Text(text) => Some(text),
            Value::Json(_) | Value::Number(_) | Value::Count(_) | Value::Flag(_) | Value::Null => None,
        }
    }

    /// The pair, or the reason why it is none.
    fn into_row(mut self) -> std::result::Result<PairRow<'a>, String> {
        let [a, b] = [0, 1].map(|id| self.take_text(id).unwrap_or_default());
        if a == b {
            return Err("a and b are the same id".to_owned());
        }
        let named = Self::place(REASON.name).and_then(|place| self.take_text(place));
        let reason = named.as_deref().and_then(Reason::of_name);
        if named.is_some() && reason.is_none() {
            return Err("reason is none of identical, equal, near".to_owned());
        }
        let figures = Figures::from_values(|place| self.number_at(REQUIRED + place))
            .ok_or("a pair has a similarity, a number of common elements or a distance")?;
        check_figures(figures)?;
        // The files of pairs matter to nothing that is computed from pairs.
        Ok(PairRow { a, b, figures, reason, sources: [None, None] })
    }
}

/// Checks that figures are those of a verified pair.
fn check_figures(figures: Figures) -> std::result::Result<(), String> {
    let Some((column, value)) = figures.cells().next() else { return Ok(()) };
    let name = column.name;
    match (value, column.kind) {
        _ if name == ESTIMATED_SIMILARITY.name => {
            Err("an estimated similarity is not verified; the texts verify it when pairs are looked for".to_owned())
        }
        (Value::Number(share), ColumnKind::Share) if !(share > 0.0 && share <= 1.0) => {
            Err(format!("{name} {share} is not above 0 and at most 1"))
        }
        (Value::Number(number), ColumnKind::Number) if !(number >= 0.0 && number.is_finite()) => {
            Err(format!("{name} {number} is not a number from 0 on"))
        }
        (Value::Count(0), _) if name == COMMON.name => Err(format!("{name} is 0")),
        _ => Ok(()),
    }
}

/// The place of a column in [`PAIR_COLUMNS`], by its name.
struct ColumnPlace(usize);

static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| PAIR_COLUMNS.iter().map(|column| column.name).collect());

impl<'de> Deserialize<'de> for ColumnPlace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Names;

        impl Visitor<'_> for Names {
            type Value = ColumnPlace;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("field identifier")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> std::result::Result<ColumnPlace, E> {
                RawPair::place(name).map(ColumnPlace).ok_or_else(|| E::unknown_field(name, &NAMES))
            }

            fn visit_bytes<E: de::Error>(self, name: &[u8]) -> std::result::Result<ColumnPlace, E> {
                self.visit_str(&String::from_utf8_lossy(name))
            }
        }

        deserializer.deserialize_identifier(Names)
    }
}

impl<'de> Deserialize<'de> for RawPair<'static> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = RawPair<'static>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("struct PairRow")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> std::result::Result<Self::Value, M::Error> {
                let mut values = [const { Value::Null }; RawPair::MAX_COLUMNS];
                while let Some(ColumnPlace(place)) = map.next_key()? {
                    let column = &PAIR_COLUMNS[place];
                    if values[place] != Value::Null {
                        return Err(de::Error::duplicate_field(column.name));
                    }
                    values[place] = next_value(&mut map, column)?;
                }
                match values[..REQUIRED].iter().position(|value| *value == Value::Null) {
                    Some(missing) => Err(de::Error::missing_field(PAIR_COLUMNS[missing].name)),
                    None => Ok(RawPair(values)),
                }
            }
        }

        deserializer.deserialize_struct("PairRow", &NAMES, Fields)
    }
}

/// The value that stands next, by the type of its column. Ids are never null.
fn next_value<'de, M: MapAccess<'de>>(map: &mut M, column: &Column) -> std::result::Result<Value<'static>, M::Error> {
    let text = |text: String| Value::Text(text.into());
    Ok(match column.kind {
        ColumnKind::Id { .. } => text(map.next_value()?),
        ColumnKind::Share | ColumnKind::Number => map.next_value::<Option<f64>>()?.map_or(Value::Null, Value::Number),
        ColumnKind::Count | ColumnKind::Count32 => Value::count_or_null(map.next_value()?),
        ColumnKind::Flag => map.next_value::<Option<bool>>()?.map_or(Value::Null, Value::Flag),
        ColumnKind::Text | ColumnKind::Json | ColumnKind::Bytes(_) => {
            map.next_value::<Option<String>>()?.map_or(Value::Null, text)
        }
    })
}

fn bad_row(path: &Path, line: u64, message: String) -> Error {
    let place = Place::line(&Arc::from(path), line);
    // The parser counts lines from the beginning of the row, which is one line.
    let message = message.replace(" at line 1 column", " at column");
    Error::BadRow { record: BadRecord { place, problem: Problem::NotAPair { message } } }
}

/// The basis in the metadata of a file of this format; `None` if it says nothing.
///
/// # Errors
/// [`Error::Io`], [`Error::NotInFormat`].
pub fn basis_inside(path: &Path, format: RecordFormat) -> Result<Option<String>> {
    match format {
        RecordFormat::Parquet | RecordFormat::Arrow => stored_metadata(path, format, BASIS_KEY),
        _ => Ok(None),
    }
}

/// The basis of the rows in a file, from its metadata or the file beside it; `None` if neither says anything.
///
/// # Errors
/// [`Error::Io`], [`Error::UnknownExtension`], [`Error::NotInFormat`].
pub fn read_basis(path: &Path) -> Result<Option<String>> {
    if let Some(inside) = basis_inside(path, RowFormat::from_path(path)?.as_records())? {
        return Ok(Some(inside));
    }
    let beside = side_file(path);
    match fs::read_to_string(&beside) {
        Ok(basis) => Ok(Some(basis)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io(Action::Read, &beside, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::similarity::Figure;
    use std::fs;

    fn read(name: &str, content: &str) -> Result<Vec<(String, String, f64)>> {
        let (_folder, path) = crate::testing::file_with(name, content);
        let mut rows = Vec::new();
        let bytes = fs::metadata(&path).unwrap().len();
        read_pairs(&path, |row, read_bytes| {
            assert!(read_bytes > 0 && read_bytes <= bytes);
            let similarity = row.figures.similarity(Figure::Similarity).unwrap();
            rows.push((row.a.into_owned(), row.b.into_owned(), similarity));
            Ok::<_, Error>(())
        })?;
        Ok(rows)
    }

    #[test]
    fn rows_have_a_place_for_each_column() {
        assert!(PAIR_COLUMNS.len() <= RawPair::MAX_COLUMNS);
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
