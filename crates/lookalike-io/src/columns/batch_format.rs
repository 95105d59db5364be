//! The formats in which batches are written.

use crate::base::RecordFormat;
use crate::base::details::{DataForm, Remedy};
use crate::formats::RowFormat;
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

    /// The form of what is written.
    pub(super) fn form(&self) -> DataForm {
        match self {
            Self::JsonLines => DataForm::Records(RecordFormat::JsonLines),
            Self::Delimited(_) => DataForm::TextTable,
            Self::Parquet => DataForm::Records(RecordFormat::Parquet),
            Self::ArrowFile(..) | Self::ArrowStream(_) => DataForm::Records(RecordFormat::Arrow),
        }
    }

    /// Formats that may hold a column that the writer refuses.
    pub(super) fn remedy(&self) -> Remedy {
        match self {
            Self::JsonLines | Self::Delimited(_) | Self::Parquet => Remedy::Formats(&[RecordFormat::Arrow]),
            Self::ArrowFile(..) | Self::ArrowStream(_) => Remedy::Another,
        }
    }
}

impl From<RowFormat> for BatchFormat {
    fn from(format: RowFormat) -> Self {
        match format {
            RowFormat::JsonLines => Self::JsonLines,
            RowFormat::Csv => Self::Delimited(b','),
            RowFormat::Tsv => Self::Delimited(b'\t'),
            RowFormat::Parquet => Self::Parquet,
            RowFormat::Arrow => Self::new_arrow(),
        }
    }
}
