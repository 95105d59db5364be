//! Files of columns, and columns in memory; only those with text, id and score are read.

use super::context::{BLOCK_BYTES, Context, RecordFields, Visited, own_id};
use crate::base::details::{ColumnShape, ColumnTypes, ExpectedValue, FoundValue};
use crate::base::{self, BadRecord, Error, Number, Problem, Score, Span};
use crate::columns::{
    BatchReader, ColumnPath, Contents, FieldColumns, JsonColumn, JsonValues, Scores, Spelling, TextValues, column,
    guarded,
};
use crate::formats::RecordFormat;
use crate::sources::{FieldNames, MemoryTable};
use arrow_array::{Array, RecordBatch};
use arrow_schema::Schema;
use lookalike_core::documents::Content;
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Rows of a file, or the problem that ends it.
#[derive(Debug)]
pub(super) struct ColumnBlock {
    /// Number of rows of the file before these.
    before: u64,
    rows: Result<BatchRows, Problem>,
}

/// Consecutive rows of a batch.
#[derive(Debug, Clone)]
struct BatchRows {
    columns: Arc<ColumnValues>,
    rows: Range<usize>,
}

#[derive(Debug)]
struct ColumnValues {
    text: Contents,
    id: Option<TextValues>,
    score: Option<Scores>,
    /// Further scores, by the names of their fields.
    more_scores: Vec<Option<Scores>>,
    /// Carried fields, by their names.
    carried: Vec<Option<JsonColumn>>,
}

impl ColumnValues {
    fn from_batch(batch: &RecordBatch, fields: &FieldColumns) -> Result<Self, arrow_schema::ArrowError> {
        let id = fields.id.as_ref().map(|path| TextValues::from_array(&column(batch, path)?));
        let score = |path: &ColumnPath| Scores::from_array(&column(batch, path)?);
        let more_scores = fields.more_scores.iter().map(|path| path.as_ref().map(score).transpose());
        let more_scores = more_scores.collect::<Result<_, _>>()?;
        let score = fields.score.as_ref().map(score);
        let text = Contents::from_column(&column(batch, &fields.text)?, fields.content)?;
        let carried = |path: &ColumnPath| column(batch, path).map(JsonColumn::new);
        let carried = fields.carried.iter().map(|path| path.as_ref().map(carried).transpose());
        let carried = carried.collect::<Result<_, _>>()?;
        Ok(Self { text, id: id.transpose()?, score: score.transpose()?, more_scores, carried })
    }

    /// The document of a row with the values of its carried fields.
    fn read<'a>(
        &'a self,
        row: usize,
        number: u64,
        carried: Result<Vec<Option<String>>, Problem>,
        context: &Context<'_>,
    ) -> Visited<'a> {
        let mut length = 0;
        let fields = self.content_and_id(row, context).and_then(|(content, bytes, id)| {
            length = bytes;
            Ok(RecordFields {
                content: content.into(),
                id: id.map(Cow::Borrowed),
                score: self.score.as_ref().map(|score| value_in(score, row)),
                more_scores: self.more_scores.iter().map(|score| Some(value_in(score.as_ref()?, row))).collect(),
                carried: carried?,
            })
        });
        context.document(fields, number, Span { offset: 0, length })
    }

    /// The content of a row, its length in the file, and its id.
    fn content_and_id<'a>(
        &'a self,
        row: usize,
        context: &Context<'_>,
    ) -> Result<(Content<'a>, u64, Option<&'a str>), Problem> {
        let get = |texts: &'a TextValues, field: &str| {
            texts.get(row).map_err(|at| Problem::FieldNotUtf8 { field: field.to_owned(), at })
        };
        let id = own_id(self.id.as_ref().map(|id| get(id, &context.names.id)).transpose()?.flatten());
        let name = &context.names.text;
        let null = |expected| Problem::null(&context.names.text, expected);
        let (texts, spelling) = match &self.text {
            Contents::Texts(texts) => (texts, Spelling::AsRead),
            Contents::Fingerprints(texts, spelling) => (texts, *spelling),
            Contents::Vectors(vectors) => {
                let vector = vectors.content(row, context.names, context.limit)?;
                let (vector, length) = vector.ok_or_else(|| null(context.names.vectors.expected()))?;
                return Ok((vector, length, id));
            }
            Contents::Lists(lists) => {
                let items = lists.items(row, context.names, context.limit)?;
                let (items, length) = items.ok_or_else(|| null(ExpectedValue::List))?;
                return Ok((Content::Items(items), length, id));
            }
        };
        let expected = context.names.fingerprints.map_or(ExpectedValue::Text, |_| ExpectedValue::ColumnFingerprint);
        let text = get(texts, name)?.ok_or_else(|| null(expected))?;
        let length = text.len() as u64;
        Problem::check_size(length, context.limit)?;
        let content = match (spelling, context.names.fingerprints) {
            (Spelling::Decimal, Some(fingerprints)) => Content::Bits(fingerprints.of_decimal(text, name)?),
            (Spelling::Hex, Some(fingerprints)) => {
                Content::Bits(fingerprints.of_hexadecimal(Cow::Borrowed(text), name)?)
            }
            _ => context.content(Cow::Borrowed(text))?,
        };
        Ok((content, length, id))
    }
}

/// The score of a row.
fn value_in(scores: &Scores, row: usize) -> Score {
    match scores {
        Scores::Numbers(numbers) if numbers.is_valid(row) => Score::from_number(Number::of_float(numbers.value(row))),
        Scores::Integers(numbers) if numbers.is_valid(row) => {
            Score::Number(Number::of_integer(numbers.value(row).into()))
        }
        Scores::Unsigned(numbers) if numbers.is_valid(row) => {
            Score::Number(Number::of_integer(numbers.value(row).into()))
        }
        Scores::Decimals(numbers) if numbers.is_valid(row) => Score::from_number(Number::of_text(numbers.value(row))),
        Scores::Texts(texts) if texts.is_valid(row) => Score::from_text(texts.value(row).into()),
        _ => Score::Missing,
    }
}

/// The values of the carried fields of a row as JSON.
fn carried_values(
    columns: &mut [Option<JsonValues<'_>>],
    row: usize,
    names: &[String],
) -> Result<Vec<Option<String>>, Problem> {
    let value = |(column, field): (&mut Option<JsonValues<'_>>, &String)| {
        let Some(column) = column else { return Ok(None) };
        let not_in_json =
            || Problem::WrongKind { field: field.clone(), expected: ExpectedValue::Json, found: FoundValue::NotInJson };
        column.get(row).map(Some).ok_or_else(not_in_json)
    };
    columns.iter_mut().zip(names).map(value).collect()
}

/// Checks that JSON can hold the values of the carried columns.
fn check_carried(schema: &Schema, fields: &FieldColumns, path: &Path) -> base::Result<()> {
    let empty = RecordBatch::new_empty(Arc::new(schema.clone()));
    for selected in fields.carried.iter().flatten() {
        let found = column(&empty, selected).ok().and_then(|array| JsonColumn::new(array).lacking());
        if let Some(found) = found {
            return Err(Error::ColumnType {
                path: path.to_owned(),
                column: selected.join("."),
                expected: ColumnTypes::Json,
                found,
                shape: ColumnShape::Other,
            });
        }
    }
    Ok(())
}

impl ColumnBlock {
    /// Returns whether the file has a column of ids.
    pub(super) fn have_ids(&self) -> bool {
        self.rows.as_ref().is_ok_and(|rows| rows.columns.id.is_some())
    }

    pub(super) fn bytes(&self) -> u64 {
        self.rows.as_ref().map_or(0, BatchRows::bytes)
    }

    pub(super) fn for_each_document(&self, context: &Context<'_>, mut visit: impl FnMut(Visited<'_>)) {
        let visited = self.rows.as_ref().map_err(Clone::clone).and_then(|rows| {
            let carried: Vec<_> = rows.carried();
            let values = carried.iter().map(|column| column.as_ref().map(JsonColumn::values).transpose());
            let mut values =
                values.collect::<Result<Vec<_>, _>>().map_err(|message| Problem::DamagedRows { message })?;
            for (at, row) in rows.rows.clone().enumerate() {
                let number = self.before + at as u64 + 1;
                let carried = carried_values(&mut values, at, &context.names.carried);
                visit(rows.columns.read(row, number, carried, context));
            }
            Ok(())
        });
        if let Err(problem) = visited {
            visit(Err(BadRecord { place: context.place(self.before + 1), problem }));
        }
    }
}

impl BatchRows {
    fn bytes(&self) -> u64 {
        self.columns.text.bytes(&self.rows)
    }

    /// The carried columns of these rows.
    fn carried(&self) -> Vec<Option<JsonColumn>> {
        self.columns.carried.iter().map(|column| Some(column.as_ref()?.slice(&self.rows))).collect()
    }
}

/// Cuts batches into blocks.
#[derive(Debug)]
pub(super) struct ColumnFile {
    reader: BatchReader,
    fields: FieldColumns,
    /// Number of rows in the blocks so far.
    rows: u64,
    /// The rest of a batch that is too large for one block.
    pending: Option<BatchRows>,
    /// Number of rows of that batch per block.
    block_rows: usize,
}

impl ColumnFile {
    pub(super) fn open(path: &Path, format: RecordFormat, names: &FieldNames) -> base::Result<Self> {
        let schema = BatchReader::open(path, format, None, Some(0))?.schema().clone();
        let fields = FieldColumns::find(&schema, names, path)?;
        check_carried(&schema, &fields, path)?;
        let reader = BatchReader::open(path, format, Some(&fields.paths()), None)?;
        Ok(Self { reader, fields, rows: 0, pending: None, block_rows: 0 })
    }

    /// The columns of a table in memory, called by `name`, whose texts have about `text_bytes` bytes.
    pub(super) fn in_memory(
        table: &MemoryTable,
        name: &Path,
        text_bytes: u64,
        names: &FieldNames,
    ) -> base::Result<Self> {
        let fields = FieldColumns::find(table.schema(), names, name)?;
        check_carried(table.schema(), &fields, name)?;
        Ok(Self { reader: BatchReader::in_memory(table, text_bytes), fields, rows: 0, pending: None, block_rows: 0 })
    }

    /// The columns of bytes that are taken as text; none from the second call on.
    pub(super) fn take_bytes_as_text(&mut self) -> Vec<ColumnPath> {
        std::mem::take(&mut self.fields.bytes)
    }

    /// Bytes of the file read so far.
    pub(super) fn read_bytes(&self) -> u64 {
        self.reader.read_bytes()
    }

    pub(super) fn next_block(&mut self) -> Option<ColumnBlock> {
        let before = self.rows;
        let mut rows = match self.pending.take().map_or_else(|| self.next_rows(), |rows| Ok(Some(rows))) {
            Ok(rows) => rows?,
            Err(message) => {
                self.reader.end();
                return Some(ColumnBlock { before, rows: Err(Problem::DamagedRows { message }) });
            }
        };
        let end = rows.rows.end.min(rows.rows.start + self.block_rows);
        let rest = end..std::mem::replace(&mut rows.rows.end, end);
        if !rest.is_empty() {
            self.pending = Some(BatchRows { rows: rest, ..rows.clone() });
        }
        self.rows += rows.rows.len() as u64;
        Some(ColumnBlock { before, rows: Ok(rows) })
    }

    /// The rows of the next batch that has some.
    fn next_rows(&mut self) -> Result<Option<BatchRows>, String> {
        while let Some(batch) = self.reader.next()? {
            if batch.num_rows() > 0 {
                let columns = Arc::new(guarded(|| ColumnValues::from_batch(&batch, &self.fields))?);
                let rows = BatchRows { rows: 0..columns.text.len(), columns };
                let blocks = rows.bytes() / BLOCK_BYTES as u64 + 1;
                self.block_rows = rows.rows.len().div_ceil(blocks as usize);
                return Ok(Some(rows));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
