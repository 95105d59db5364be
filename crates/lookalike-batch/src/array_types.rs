//! The types of arrays that the columns of batches may have.

use lookalike_io::ground::details::ColumnTypes;

/// The types that a column of a batch may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ArrayTypes {
    /// Those of texts.
    #[error("Utf8, LargeUtf8 or Utf8View")]
    Texts,
    /// Those of sets of items.
    #[error("{0}")]
    Items(ColumnTypes),
    /// Those of element sets.
    #[error("LargeList or List of UInt64 or Int64, or a dictionary of such with Int32 keys")]
    Sets,
    /// Those of whole numbers.
    #[error("UInt32, UInt64, Int32 or Int64")]
    Numbers,
    /// Those of blocking keys.
    #[error("Int64 or UInt64")]
    Keys,
    /// Those of packed entries.
    #[error("LargeBinary or Binary")]
    Bytes,
    /// That of similarities.
    #[error("Float64")]
    Similarities,
}
