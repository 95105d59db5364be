//! Kinds of outputs, as messages name them, and files that two of them cannot share.

use lookalike_core::printed_path;
use std::path::{Path, PathBuf};

/// Content of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OutputKind {
    /// Records.
    #[error("records")]
    Records,
    /// A row for each removed record.
    #[error("removed records")]
    Removed,
    /// Rows of pairs, clusters or exact copies.
    #[error("rows")]
    Rows,
    /// A snapshot.
    #[error("snapshot")]
    Snapshot,
    /// Counts, parameters and times.
    #[error("summary")]
    Summary,
    /// Basis of rows, in a file beside them.
    #[error("basis of the rows")]
    Basis,
    /// A drawing of the similarities.
    #[error("histogram")]
    Histogram,
    /// A page to read in a browser.
    #[error("report")]
    Report,
    /// Document frequencies of terms.
    #[error("document frequencies")]
    DocumentFrequencies,
    /// Files that are in no document.
    #[error("files without a document")]
    LeftOut,
    /// The work folder, with what an interrupted job has finished.
    #[error("checkpoints")]
    Checkpoints,
}

/// A file that a job reads or writes, so that no other output may have its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileInUse {
    /// An input.
    Input {
        /// Its path, as the user named it.
        path: PathBuf,
    },
    /// Another output.
    Output {
        /// Its content.
        output: OutputKind,
        /// Its path, as the user named it.
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
