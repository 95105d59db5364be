//! The formats in which batches are written.

use arrow_ipc::CompressionType;
use std::collections::HashMap;

/// Format and options of written batches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BatchFormat {
    JsonLines,
    /// CSV or TSV with this separator, with a header.
    Delimited(u8),
    /// Compressed with zstd.
    Parquet,
    /// The file format with these metadata in the footer.
    ArrowFile(Option<CompressionType>, HashMap<String, String>),
    ArrowStream(Option<CompressionType>),
}

impl BatchFormat {
    /// The format of new Arrow files, compressed as Feather files are.
    pub(crate) fn new_arrow() -> Self {
        Self::ArrowFile(Some(CompressionType::LZ4_FRAME), HashMap::new())
    }

    /// The name in messages.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::JsonLines => "JSON Lines",
            Self::Delimited(_) => "a table of text",
            Self::Parquet => "Parquet",
            Self::ArrowFile(..) | Self::ArrowStream(_) => "Arrow",
        }
    }

    /// What may hold a column that the writer refuses.
    pub(super) fn remedy(&self) -> &'static str {
        match self {
            Self::JsonLines | Self::Delimited(_) | Self::Parquet => "Arrow can",
            Self::ArrowFile(..) | Self::ArrowStream(_) => "another format may",
        }
    }
}
