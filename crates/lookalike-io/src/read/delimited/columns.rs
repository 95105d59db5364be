//! The columns with text, id and score in a table, and their values in a row.

use super::quotes::text_behind_quote;
use super::row_ends::{content, csv_reader};
use crate::formats::{Dialect, QUOTE};
use crate::ground::{BadRecord, Document, Error, Place, Problem, Result, Score, Span};
use crate::read::context::{Context, Visited, own_id};
use crate::rows::Annotation;
use crate::sources::{FieldNames, TextEncoding, decode_part, json_string};
use std::borrow::Cow;
use std::path::Path;

/// The columns of the wanted fields.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) dialect: Dialect,
    /// The header without its line end.
    header: Vec<u8>,
    encoding: Option<TextEncoding>,
    /// Number of columns in the header.
    count: usize,
    text: usize,
    id: Option<usize>,
    score: Option<usize>,
    /// By name of the further score fields.
    more_scores: Vec<Option<usize>>,
    /// By name of the carried fields.
    carried: Vec<Option<usize>>,
}

/// A row, in bytes.
pub(super) struct Row<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) span: Span,
    /// Number of lines that it spans.
    pub(super) lines: u64,
}

impl Columns {
    /// Finds the wanted columns in a header.
    pub(super) fn of(header: &[u8], dialect: Dialect, names: &FieldNames, path: &Path) -> Result<Self> {
        let mut fields = csv::ByteRecord::new();
        // Reading from memory cannot fail.
        let _ = csv_reader(header, dialect).read_byte_record(&mut fields);
        let encoding = names.encoding;
        let decode = |name| decode_part(name, encoding).unwrap_or_else(|_| String::from_utf8_lossy(name));
        let columns: Vec<Cow<'_, str>> = fields.iter().map(decode).collect();
        let find = |column: &str| {
            let mut found = columns.iter().enumerate().filter(|(_, name)| *name == column).map(|(index, _)| index);
            match (found.next(), found.next()) {
                (_, Some(_)) => Err(Error::ColumnTwice { path: path.to_owned(), column: column.to_owned() }),
                (index, None) => Ok(index),
            }
        };
        for column in names.reserved.iter().flat_map(|name| Annotation::reserved_columns(name)) {
            if columns.contains(&column.as_str().into()) {
                return Err(Error::ColumnExists { path: path.to_owned(), column });
            }
        }
        let missing = |name: &str| match columns.contains(&format!("\"{name}\"").into()) {
            true => Error::QuotedColumn { path: path.to_owned(), column: name.to_owned() },
            false => names.missing(name, path, columns.iter().map(|name| name.as_ref())),
        };
        let text = find(&names.text)?.ok_or_else(|| missing(&names.text))?;
        if let Some(name) = names.required().find(|name| !columns.iter().any(|column| column == name)) {
            return Err(missing(name));
        }
        let id = find(&names.id)?;
        let score = names.score.as_deref().map(find).transpose()?.flatten();
        let carried = names.carried.iter().map(|name| find(name)).collect::<Result<_>>()?;
        let more_scores = names.more_scores.iter().map(|name| find(name)).collect::<Result<_>>()?;
        let count = columns.len();
        let header = content(header).to_vec();
        Ok(Self { dialect, header, encoding, count, text, id, score, more_scores, carried })
    }

    /// The header without its line end.
    pub(super) fn header(&self) -> &[u8] {
        &self.header
    }

    /// The document of a row, given as fields and as bytes.
    pub(super) fn document<'a>(
        &self,
        fields: &'a csv::ByteRecord,
        row: &Row<'_>,
        place: Place,
        context: &Context<'_>,
    ) -> Visited<'a> {
        let found = self
            .fields(fields, row)
            .and_then(|(text, id)| Ok((context.content(text)?, id, self.scores(fields)?, self.carried(fields)?)));
        match found {
            Ok((content, id, (score, more_scores), carried)) => {
                let has_own_id = id.is_some();
                let number = place.line_number().unwrap_or_default();
                let id = id.unwrap_or_else(|| Cow::Owned(context.id(number)));
                let content = content.into();
                let span = row.span;
                Ok(Document { id, has_own_id, content, score, more_scores, carried, place, number, span })
            }
            Err(problem) => Err(BadRecord { place, problem }),
        }
    }

    /// Text and id of a row.
    fn fields<'a>(&self, fields: &'a csv::ByteRecord, row: &Row<'_>) -> std::result::Result<FieldsOf<'a>, Problem> {
        if self.encoding.is_none() {
            simdutf8::compat::from_utf8(row.bytes).map_err(|error| Problem::NotUtf8 { at: error.valid_up_to() + 1 })?;
        }
        if let Some(column) = text_behind_quote(row.bytes, self.dialect) {
            return Err(Problem::TextBehindQuote { field: column + 1, lines: row.lines });
        }
        if fields.len() != self.count {
            let has_marks = !self.dialect.has_quotes() && row.bytes.contains(&QUOTE);
            return Err(Problem::FieldCount { expected: self.count, found: fields.len(), has_marks });
        }
        let field = |column: usize| self.field(fields, column);
        let id = own_id(self.id.map(field).transpose()?);
        Ok((field(self.text)?, id))
    }

    /// The scores of a row.
    fn scores(&self, fields: &csv::ByteRecord) -> std::result::Result<ScoresOf, Problem> {
        let score = |column: &Option<usize>| -> std::result::Result<Option<Score>, Problem> {
            let value = column.map(|column| self.field(fields, column)).transpose()?;
            Ok(value.map(Score::from_text))
        };
        Ok((score(&self.score)?, self.more_scores.iter().map(score).collect::<std::result::Result<_, _>>()?))
    }

    fn field<'a>(&self, fields: &'a csv::ByteRecord, column: usize) -> std::result::Result<Cow<'a, str>, Problem> {
        decode_part(fields.get(column).unwrap_or_default(), self.encoding)
    }

    /// The carried fields as JSON strings, empty ones among them.
    fn carried(&self, fields: &csv::ByteRecord) -> std::result::Result<Vec<Option<String>>, Problem> {
        let value = |column| Ok(json_string(&self.field(fields, column)?));
        self.carried.iter().map(|column| column.map(value).transpose()).collect()
    }
}

/// The column of texts in a table with this header.
///
/// # Errors
/// As if the table were read.
pub(crate) fn text_column(header: &[u8], dialect: Dialect, names: &FieldNames, path: &Path) -> Result<usize> {
    Ok(Columns::of(header, dialect, names, path)?.text)
}

/// Text and id.
type FieldsOf<'a> = (Cow<'a, str>, Option<Cow<'a, str>>);

/// The score, and those of the further fields.
type ScoresOf = (Option<Score>, Vec<Option<Score>>);
