//! Columns of rows, and the values that stand in them.

use arrow_schema::{DataType, Field};
use std::borrow::Cow;

/// A column of rows, under one name in all files, tables and answers. The list of all is [`super::all_columns`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Name of the column.
    pub name: &'static str,
    /// Type of its values.
    pub kind: ColumnKind,
    /// Name of the column in tables at a terminal.
    pub heading: &'static str,
    /// Meaning of its values, in a sentence without a full stop.
    pub description: &'static str,
    /// True if a row may have no value: null in JSON and columns, empty in text.
    pub is_nullable: bool,
}

/// Type of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Ids of documents: strings.
    Id {
        /// The column with the numbers of their records, which tables in memory have before it.
        row: Option<&'static Column>,
    },
    /// Strings.
    Text,
    /// JSON objects: values where rows are JSON, else strings.
    Json,
    /// Floating-point numbers from 0 to 1.
    Share,
    /// 64-bit floating-point numbers.
    Number,
    /// Unsigned 64-bit integers.
    Count,
    /// Unsigned 32-bit integers.
    Count32,
    /// Booleans.
    Flag,
    /// Byte strings of a fixed length, or null: hexadecimal digits in text.
    Bytes(i32),
}

/// The value of a row in a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// A string, or an id.
    Text(Cow<'a, str>),
    /// The text of a JSON value.
    Json(&'a str),
    /// A floating-point number.
    Number(f64),
    /// An integer.
    Count(u64),
    /// A boolean.
    Flag(bool),
    /// No value.
    Null,
}

/// A column, and the value of a row in it.
pub type Cell<'a> = (&'static Column, Value<'a>);

impl Column {
    pub(crate) const fn new(name: &'static str, kind: ColumnKind, description: &'static str) -> Self {
        Self { name, kind, heading: name, description, is_nullable: false }
    }

    pub(crate) const fn text(name: &'static str, description: &'static str) -> Self {
        Self::new(name, ColumnKind::Text, description)
    }

    pub(crate) const fn count(name: &'static str, description: &'static str) -> Self {
        Self::new(name, ColumnKind::Count, description)
    }

    pub(crate) const fn share(name: &'static str, description: &'static str) -> Self {
        Self::new(name, ColumnKind::Share, description)
    }

    pub(crate) const fn id(name: &'static str, row: Option<&'static Self>, description: &'static str) -> Self {
        Self::new(name, ColumnKind::Id { row }, description)
    }

    pub(crate) const fn or_null(self) -> Self {
        Self { is_nullable: true, ..self }
    }

    pub(crate) const fn headed(self, heading: &'static str) -> Self {
        Self { heading, ..self }
    }

    /// The column of a file of rows.
    pub(crate) fn field(&self) -> Field {
        Field::new(self.name, self.kind.data_type(), self.is_nullable)
    }

    /// The column of the numbers of records, if this is one of ids that has one.
    pub(crate) fn row_column(&self) -> Option<&'static Self> {
        if let ColumnKind::Id { row } = self.kind { row } else { None }
    }
}

impl ColumnKind {
    /// The type in files of Arrow and Parquet.
    pub(crate) fn data_type(self) -> DataType {
        match self {
            Self::Id { .. } | Self::Text | Self::Json => DataType::Utf8,
            Self::Count => DataType::UInt64,
            Self::Count32 => DataType::UInt32,
            Self::Share | Self::Number => DataType::Float64,
            Self::Flag => DataType::Boolean,
            Self::Bytes(size) => DataType::FixedSizeBinary(size),
        }
    }

    /// The type in tables in memory, of which the strings of documents may exceed 2 GiB.
    pub(crate) fn table_type(self) -> DataType {
        match self {
            Self::Id { .. } | Self::Json => DataType::LargeUtf8,
            kind => kind.data_type(),
        }
    }
}

impl<'a> Value<'a> {
    /// A string.
    pub fn text(text: &'a (impl AsRef<str> + ?Sized)) -> Self {
        Self::Text(Cow::Borrowed(text.as_ref()))
    }

    /// An integer; null for none.
    pub(crate) fn count_or_null(count: Option<u64>) -> Self {
        count.map_or(Self::Null, Self::Count)
    }

    /// The string, if it is one.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Json(text) => Some(text),
            Self::Number(_) | Self::Count(_) | Self::Flag(_) | Self::Null => None,
        }
    }

    /// The number, if it is one.
    pub(crate) fn as_number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// The integer, if it is one.
    pub(crate) fn as_count(&self) -> Option<u64> {
        if let Self::Count(count) = self { Some(*count) } else { None }
    }

    /// The boolean, if it is one.
    pub(crate) fn as_flag(&self) -> Option<bool> {
        if let Self::Flag(flag) = self { Some(*flag) } else { None }
    }
}
