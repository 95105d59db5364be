//! Names and types of the fields of rows.

use arrow_schema::{DataType, Field};

/// A field of all rows of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowField {
    /// Its name.
    pub(crate) name: &'static str,
    /// Type of its values.
    pub(crate) kind: RowKind,
    /// Whether a row may lack it: null in JSON and columns, empty in text.
    pub(crate) is_nullable: bool,
}

/// Type of the values of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// Strings.
    Text,
    /// Unsigned 64-bit integers.
    Count,
    /// Unsigned 32-bit integers.
    Count32,
    /// 64-bit floating-point numbers.
    Number,
    /// Booleans.
    Flag,
    /// Byte strings of a fixed length, or null: hexadecimal digits in text.
    Bytes(i32),
}

impl RowField {
    /// A field of strings.
    pub(crate) const fn text(name: &'static str) -> Self {
        Self::of(name, RowKind::Text)
    }

    /// A field of unsigned 64-bit integers.
    pub(crate) const fn count(name: &'static str) -> Self {
        Self::of(name, RowKind::Count)
    }

    /// A field of unsigned 32-bit integers.
    pub(crate) const fn count32(name: &'static str) -> Self {
        Self::of(name, RowKind::Count32)
    }

    /// A field of floating-point numbers.
    pub(crate) const fn number(name: &'static str) -> Self {
        Self::of(name, RowKind::Number)
    }

    /// A field of booleans.
    pub(crate) const fn flag(name: &'static str) -> Self {
        Self::of(name, RowKind::Flag)
    }

    /// A field of `size` bytes, or of none.
    pub(crate) const fn bytes(name: &'static str, size: i32) -> Self {
        Self::of(name, RowKind::Bytes(size)).or_null()
    }

    /// The same field, which a row may lack.
    pub(crate) const fn or_null(self) -> Self {
        Self { is_nullable: true, ..self }
    }

    const fn of(name: &'static str, kind: RowKind) -> Self {
        Self { name, kind, is_nullable: false }
    }

    /// The column of a file of rows.
    pub(crate) fn column(&self) -> Field {
        Field::new(self.name, self.kind.data_type(), self.is_nullable)
    }
}

impl RowKind {
    /// The type in Arrow.
    pub(crate) fn data_type(self) -> DataType {
        match self {
            Self::Text => DataType::Utf8,
            Self::Count => DataType::UInt64,
            Self::Count32 => DataType::UInt32,
            Self::Number => DataType::Float64,
            Self::Flag => DataType::Boolean,
            Self::Bytes(size) => DataType::FixedSizeBinary(size),
        }
    }
}
