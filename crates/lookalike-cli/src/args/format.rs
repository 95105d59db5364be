//! The file format of the main output: one flag with one meaning in all commands that write rows or records.

use clap::ValueEnum;
use lookalike::outputs::{ClusterLayout, RowFormat};

/// Answers of `--format` where records or rows are written.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum FormatArg {
    /// JSON Lines
    Jsonl,
    /// Comma-separated values
    Csv,
    /// Tab-separated values
    Tsv,
    /// Apache Parquet
    Parquet,
    /// Arrow IPC
    Arrow,
}

impl From<FormatArg> for RowFormat {
    fn from(argument: FormatArg) -> Self {
        match argument {
            FormatArg::Jsonl => Self::JsonLines,
            FormatArg::Csv => Self::Csv,
            FormatArg::Tsv => Self::Tsv,
            FormatArg::Parquet => Self::Parquet,
            FormatArg::Arrow => Self::Arrow,
        }
    }
}

/// Answers of `--format` where clusters are written.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ClusterFormatArg {
    /// JSON Lines, a row a document
    Jsonl,
    /// Comma-separated values, a row a document
    Csv,
    /// Tab-separated values, a row a document
    Tsv,
    /// Apache Parquet, a row a document
    Parquet,
    /// Arrow IPC, a row a document
    Arrow,
    /// One JSON array of clusters
    Json,
}

impl ClusterFormatArg {
    /// The layout of the clusters, and the format of their rows.
    pub(crate) fn layout(self) -> (ClusterLayout, Option<RowFormat>) {
        let rows = |format: FormatArg| (ClusterLayout::Rows, Some(format.into()));
        match self {
            Self::Json => (ClusterLayout::Json, None),
            Self::Jsonl => rows(FormatArg::Jsonl),
            Self::Csv => rows(FormatArg::Csv),
            Self::Tsv => rows(FormatArg::Tsv),
            Self::Parquet => rows(FormatArg::Parquet),
            Self::Arrow => rows(FormatArg::Arrow),
        }
    }
}
