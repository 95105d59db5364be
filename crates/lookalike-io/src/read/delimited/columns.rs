//! The columns with text, id and score in a table, and their values in a row.

use super::quotes::text_behind_quote;
use super::row_ends::{content, csv_reader};
use crate::base::{Error, Problem, Result, Score};
use crate::formats::{Dialect, QUOTE};
use crate::read::context::{Context, RecordFields, own_id};
use crate::rows::Annotation;
use crate::sources::{FieldNames, TextEncoding, decode_part, json_string};
use std::borrow::Cow;
use std::path::Path;

/// The columns of the selected fields.
#[derive(Debug)]
pub(super) struct TableColumns {
    pub(super) dialect: Dialect,
    /// The header without its line end.
    header: Vec<u8>,
    encoding: Option<TextEncoding>,
    /// Number of columns in the header.
    count: usize,
    text: usize,
    id: Option<usize>,
    score: Option<usize>,
    /// Further scores, by the names of their fields.
    more_scores: Vec<Option<usize>>,
    /// Carried fields, by their names.
    carried: Vec<Option<usize>>,
}

/// A row, in bytes.
pub(super) struct RowBytes<'a> {
    pub(super) bytes: &'a [u8],
    /// Number of lines that it spans.
    pub(super) lines: u64,
}

impl TableColumns {
    /// Finds the selected columns in a header.
    pub(super) fn find(header: &[u8], dialect: Dialect, names: &FieldNames, path: &Path) -> Result<Self> {
        let encoding = names.encoding;
        let columns = names_in(header, dialect, encoding);
        let find = |column: &str| {
            let mut found = columns.iter().enumerate().filter(|(_, name)| *name == column).map(|(index, _)| index);
            match (found.next(), found.next()) {
                (_, Some(_)) => Err(Error::ColumnTwice { path: path.to_owned(), column: column.to_owned() }),
                (index, None) => Ok(index),
            }
        };
        for column in names.reserved.iter().flat_map(|name| Annotation::reserved_columns(name)) {
            if columns.contains(&column) {
                return Err(Error::ColumnExists { path: path.to_owned(), column });
            }
        }
        let missing = |name: &str| {
            if columns.contains(&format!("\"{name}\"")) {
                return Error::QuotedColumn { path: path.to_owned(), column: name.to_owned() };
            }
            names.missing(name, path, columns.iter().map(String::as_str))
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

    /// The selected fields of a row.
    pub(super) fn fields<'a>(
        &self,
        fields: &'a csv::ByteRecord,
        row: &RowBytes<'_>,
        context: &Context<'_>,
    ) -> std::result::Result<RecordFields<'a>, Problem> {
        self.check(fields, row)?;
        let field = |column: usize| self.field(fields, column);
        let id = own_id(self.id.map(field).transpose()?);
        let content = context.content(field(self.text)?)?.into();
        let score = |column: &Option<usize>| Ok::<_, Problem>(column.map(field).transpose()?.map(Score::from_text));
        let more_scores = self.more_scores.iter().map(score).collect::<std::result::Result<_, _>>()?;
        // Carried fields are JSON strings, empty ones among them.
        let json = |column: usize| Ok::<_, Problem>(json_string(&field(column)?));
        let carried = self.carried.iter().map(|column| column.map(json).transpose());
        let carried = carried.collect::<std::result::Result<_, _>>()?;
        Ok(RecordFields { content, id, score: score(&self.score)?, more_scores, carried })
    }

    /// Checks that a row is one of the table.
    fn check(&self, fields: &csv::ByteRecord, row: &RowBytes<'_>) -> std::result::Result<(), Problem> {
        if self.encoding.is_none() {
            Problem::check_utf8(row.bytes)?;
        }
        if let Some(column) = text_behind_quote(row.bytes, self.dialect) {
            return Err(Problem::TextBehindQuote { field: column + 1, lines: row.lines });
        }
        if fields.len() != self.count {
            let has_marks = !self.dialect.has_quotes() && row.bytes.contains(&QUOTE);
            return Err(Problem::FieldCount { expected: self.count, found: fields.len(), has_marks });
        }
        Ok(())
    }

    fn field<'a>(&self, fields: &'a csv::ByteRecord, column: usize) -> std::result::Result<Cow<'a, str>, Problem> {
        decode_part(fields.get(column).unwrap_or_default(), self.encoding)
    }
}

/// The column of texts in a table with this header.
///
/// # Errors
/// As if the table were read.
pub(crate) fn text_column(header: &[u8], dialect: Dialect, names: &FieldNames, path: &Path) -> Result<usize> {
    Ok(TableColumns::find(header, dialect, names, path)?.text)
}

/// The names in a header; what cannot be decoded is replaced.
pub(crate) fn names_in(header: &[u8], dialect: Dialect, encoding: Option<TextEncoding>) -> Vec<String> {
    let mut fields = csv::ByteRecord::new();
    // Reading from memory cannot fail.
    let _ = csv_reader(header, dialect).read_byte_record(&mut fields);
    let decode = |name| decode_part(name, encoding).unwrap_or_else(|_| String::from_utf8_lossy(name)).into_owned();
    fields.iter().map(decode).collect()
}
