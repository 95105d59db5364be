//! Kinds of outputs, as messages name them, and files that two of them cannot share.

use lookalike_core::printed_path;
use std::fmt;
use std::path::{Path, PathBuf};

/// What an output holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputKind {
    /// Records.
    Records,
    /// A row for each removed record.
    Removed,
    /// Rows of pairs, clusters or exact copies.
    Rows,
    /// A snapshot.
    Snapshot,
    /// Counts, nouns and times.
    Summary,
    /// What rows depend on, beside them.
    Basis,
    /// A drawing of the similarities.
    Histogram,
    /// A page to read in a browser.
    Report,
    /// In how many documents each term occurs.
    DocumentFrequencies,
    /// Files that are in no document.
    LeftOut,
    /// The work folder, with what an interrupted job has finished.
    Checkpoints,
}

impl fmt::Display for OutputKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Records => "records",
            Self::Removed => "removed records",
            Self::Rows => "rows",
            Self::Snapshot => "snapshot",
            Self::Summary => "summary",
            Self::Basis => "basis of the rows",
            Self::Histogram => "histogram",
            Self::Report => "report",
            Self::DocumentFrequencies => "document frequencies",
            Self::LeftOut => "files without a document",
            Self::Checkpoints => "checkpoints",
        })
    }
}

/// A file that a job reads or writes, so that no other output may have its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileInUse {
    /// An input.
    Input {
        /// As the user named it.
        path: PathBuf,
    },
    /// Another output.
    Output {
        /// What it holds.
        output: OutputKind,
        /// As the user named it.
        path: PathBuf,
    },
}

/// The message of [`Contradiction::OutputInUse`](super::Contradiction::OutputInUse).
pub(super) fn describe_collision(output: OutputKind, path: &Path, other: &FileInUse) -> String {
    let shown_path = printed_path(path);
    match other {
        FileInUse::Input { path } => format!("output {shown_path} is the same file as input {}", printed_path(path)),
        FileInUse::Output { output: other, .. } if path == Path::new("-") => {
            format!("{other} and {output} cannot both go to standard output")
        }
        FileInUse::Output { output: other, path } => {
            let other_path = printed_path(path);
            format!("output {shown_path} of the {output} is the same file as output {other_path} of the {other}")
        }
    }
}
