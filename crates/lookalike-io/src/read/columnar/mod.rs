//! Files of columns, and columns in memory; only those with text, id and score are read.

use super::context::{BLOCK_BYTES, Context, Visited, own_id};
use crate::columns::{
    BatchReader, ColumnPath, Contents, FieldColumns, JsonColumn, JsonValues, Scores, Spelling, Texts, column, guarded,
};
use crate::formats::RecordFormat;
use crate::ground::details::{ColumnShape, ColumnTypes, ExpectedValue, FoundValue};
use crate::ground::{BadRecord, Document, Error, Number, Problem, Result, Score, Span};
use crate::sources::{FieldNames, MemoryTable};
use arrow_array::{Array, RecordBatch};
use arrow_schema::Schema;
use lookalike_core::documents::Content;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// Rows of a file, and the problem that ends it after them.
#[derive(Debug)]
pub(super) struct Rows {
    /// Number of rows before these.
    before: u64,
    columns: Option<Columns>,
    problem: Option<Problem>,
}

#[derive(Debug)]
struct Columns {
    text: Contents,
    id: Option<Texts>,
    score: Option<Scores>,
    /// By name of the further score fields.
    more_scores: Vec<Option<Scores>>,
    /// By name of the carried fields.
    carried: Vec<Option<JsonColumn>>,
}

impl Columns {
    fn of(batch: &RecordBatch, fields: &FieldColumns) -> std::result::Result<Self, arrow_schema::ArrowError> {
        let id = fields.id.as_ref().map(|path| Texts::of(&column(batch, path)?));
        let score = |path: &ColumnPath| Scores::of(&column(batch, path)?);
        let more_scores = fields.more_scores.iter().map(|path| path.as_ref().map(score).transpose());
        let more_scores = more_scores.collect::<std::result::Result<_, _>>()?;
        let score = fields.score.as_ref().map(score);
        let text = Contents::of(&column(batch, &fields.text)?, fields.content)?;
        let carried = |path: &ColumnPath| column(batch, path).map(JsonColumn::new);
        let carried = fields.carried.iter().map(|path| path.as_ref().map(carried).transpose());
        let carried = carried.collect::<std::result::Result<_, _>>()?;
        Ok(Self { text, id: id.transpose()?, score: score.transpose()?, more_scores, carried })
    }

    fn bytes(&self) -> u64 {
        self.text.bytes()
    }

    fn slice(&self, offset: usize, length: usize) -> Self {
        Self {
            text: self.text.slice(offset, length),
            id: self.id.as_ref().map(|id| id.slice(offset, length)),
            score: self.score.as_ref().map(|score| score.slice(offset, length)),
            more_scores: self.more_scores.iter().map(|score| Some(score.as_ref()?.slice(offset, length))).collect(),
            carried: self.carried.iter().map(|column| Some(column.as_ref()?.slice(offset, length))).collect(),
        }
    }

    /// The encoders of the carried columns.
    fn carried(&self) -> std::result::Result<Vec<Option<JsonValues<'_>>>, Problem> {
        let values = self.carried.iter().map(|column| column.as_ref().map(JsonColumn::values).transpose());
        let values = values.collect::<std::result::Result<_, _>>();
        values.map_err(|message| Problem::DamagedRows { message })
    }

    fn read<'a>(
        &'a self,
        (row, number): (usize, u64),
        carried: &mut [Option<JsonValues<'_>>],
        context: &Context<'_>,
    ) -> Visited<'a> {
        let place = context.place(number);
        let (content, length, id) =
            self.content_and_id(row, context).map_err(|problem| BadRecord { place: place.clone(), problem })?;
        let values = carried.iter_mut().zip(&context.names.carried);
        let values = values.map(|(column, name)| column.as_mut().map(|column| value_of(column, row, name)).transpose());
        let carried = values.collect::<std::result::Result<_, _>>();
        let carried = carried.map_err(|problem| BadRecord { place: place.clone(), problem })?;
        let other_id = || match &self.id {
            Some(_) => context.id_beside_others(number),
            None => context.id(number),
        };
        Ok(Document {
            has_own_id: id.is_some(),
            id: id.map_or_else(|| Cow::Owned(other_id()), Cow::Borrowed),
            content: content.into(),
            score: self.score.as_ref().map(|score| value_in(score, row)),
            more_scores: self.more_scores.iter().map(|score| Some(value_in(score.as_ref()?, row))).collect(),
            carried,
            place,
            number,
            span: Span { offset: 0, length },
        })
    }

    /// The content of a row, its length in the file, and its id.
    fn content_and_id<'a>(
        &'a self,
        row: usize,
        context: &Context<'_>,
    ) -> std::result::Result<(Content<'a>, u64, Option<&'a str>), Problem> {
        let get = |texts: &'a Texts, field: &str| {
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

/// The value of a carried field as JSON.
fn value_of(column: &mut JsonValues<'_>, row: usize, field: &str) -> std::result::Result<String, Problem> {
    column.get(row).ok_or_else(|| Problem::WrongKind {
        field: field.to_owned(),
        expected: ExpectedValue::Json,
        found: FoundValue::NotInJson,
    })
}

/// Checks that JSON can hold the values of the carried columns.
fn check_carried(schema: &Schema, fields: &FieldColumns, path: &Path) -> Result<()> {
    let empty = RecordBatch::new_empty(Arc::new(schema.clone()));
    for wanted in fields.carried.iter().flatten() {
        let found = column(&empty, wanted).ok().and_then(|array| JsonColumn::new(array).lacking());
        if let Some(found) = found {
            return Err(Error::ColumnType {
                path: path.to_owned(),
                column: wanted.join("."),
                expected: ColumnTypes::Json,
                found,
                shape: ColumnShape::Other,
            });
        }
    }
    Ok(())
}

impl Rows {
    pub(super) fn bytes(&self) -> u64 {
        self.columns.as_ref().map_or(0, Columns::bytes)
    }

    pub(super) fn for_each_document(&self, context: &Context<'_>, mut visit: impl FnMut(Visited<'_>)) {
        let mut number = self.before;
        if let Some(columns) = &self.columns {
            match columns.carried() {
                Ok(mut carried) => (0..columns.text.len()).for_each(|row| {
                    number += 1;
                    visit(columns.read((row, number), &mut carried, context));
                }),
                Err(problem) => visit(Err(BadRecord { place: context.place(number + 1), problem })),
            }
        }
        if let Some(problem) = &self.problem {
            visit(Err(BadRecord { place: context.place(number + 1), problem: problem.clone() }));
        }
    }
}

/// Cuts batches into blocks.
#[derive(Debug)]
pub(super) struct ColumnFile {
    reader: BatchReader,
    fields: FieldColumns,
    /// Number of rows in the blocks so far.
    rows: u64,
    /// The rest of a batch that is too large for one block, and the number of rows per block.
    pending: Option<(Columns, usize)>,
}

impl ColumnFile {
    pub(super) fn open(path: &Path, format: RecordFormat, names: &FieldNames) -> Result<Self> {
        let schema = BatchReader::open(path, format, None, Some(0))?.schema().clone();
        let fields = FieldColumns::find(&schema, names, path)?;
        check_carried(&schema, &fields, path)?;
        let reader = BatchReader::open(path, format, Some(&fields.paths()), None)?;
        Ok(Self { reader, fields, rows: 0, pending: None })
    }

    /// The columns of a table in memory, called by `name`, whose texts have about `text_bytes` bytes.
    pub(super) fn in_memory(table: &MemoryTable, (name, text_bytes): (&Path, u64), names: &FieldNames) -> Result<Self> {
        let fields = FieldColumns::find(table.schema(), names, name)?;
        check_carried(table.schema(), &fields, name)?;
        Ok(Self { reader: BatchReader::in_memory(table, text_bytes), fields, rows: 0, pending: None })
    }

    /// The columns of bytes that are taken as text; none from the second call on.
    pub(super) fn take_bytes_as_text(&mut self) -> Vec<ColumnPath> {
        std::mem::take(&mut self.fields.bytes)
    }

    /// Bytes of the file read so far.
    pub(super) fn read_bytes(&self) -> u64 {
        self.reader.read_bytes()
    }

    pub(super) fn next_block(&mut self) -> Option<Rows> {
        let (columns, rows) = match self.pending.take() {
            Some(pending) => pending,
            None => match self.next_columns() {
                Ok(columns) => {
                    let columns = columns?;
                    let blocks = columns.bytes() / BLOCK_BYTES as u64 + 1;
                    let rows = columns.text.len().div_ceil(blocks as usize);
                    (columns, rows)
                }
                Err(message) => {
                    self.reader.end();
                    let problem = Some(Problem::DamagedRows { message });
                    return Some(Rows { before: self.rows, columns: None, problem });
                }
            },
        };
        let length = rows.min(columns.text.len());
        let block = columns.slice(0, length);
        let rest = columns.slice(length, columns.text.len() - length);
        if rest.text.len() > 0 {
            self.pending = Some((rest, rows));
        }
        let before = self.rows;
        self.rows += length as u64;
        Some(Rows { before, columns: Some(block), problem: None })
    }

    /// The next batch that has rows.
    fn next_columns(&mut self) -> std::result::Result<Option<Columns>, String> {
        while let Some(batch) = self.reader.next()? {
            if batch.num_rows() > 0 {
                return guarded(|| Columns::of(&batch, &self.fields)).map(Some);
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
