//! The errors of this crate.

use super::details::{DiskAction, DocumentPart};
use lookalike_core::stored::{Damage, Difference};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A result with the [`enum@Error`] of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure to open, change or query an index. An index stays as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// The action that failed.
        action: DiskAction,
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A text could not be compressed.
    #[error("cannot compress a text")]
    NotCompressed {
        /// The cause.
        source: std::io::Error,
    },
    /// The folder is no index.
    #[error("{} is no index", path.display())]
    NotAnIndex {
        /// The folder.
        path: PathBuf,
    },
    /// A folder for a new index that is not empty.
    #[error("{} is there already", path.display())]
    IsThere {
        /// The folder.
        path: PathBuf,
    },
    /// A file of the index is damaged, or of another version.
    #[error("cannot use {}: {damage}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Fault of the file.
        damage: Damage,
    },
    /// A file of another index.
    #[error("{} belongs to another index", path.display())]
    ForeignFile {
        /// The file.
        path: PathBuf,
    },
    /// A file of this index that is older or newer than the one that the manifest names, or was made again.
    #[error("{} is not the copy of the file that the manifest of the index names", path.display())]
    OtherCopy {
        /// The file.
        path: PathBuf,
    },
    /// A file of the index is a folder, a device, a pipe or a link to one.
    #[error("{} is not a regular file", path.display())]
    NotAFile {
        /// The file.
        path: PathBuf,
    },
    /// A change of the log is damaged or missing that was acknowledged.
    #[error("cannot use {}: it is damaged at byte {offset}", path.display())]
    LogDamaged {
        /// The file.
        path: PathBuf,
        /// The first byte of the damaged group.
        offset: u64,
    },
    /// A stored document cannot be read.
    #[error("a document of the index is damaged: {part}")]
    DocumentDamaged {
        /// The part of it.
        part: DocumentPart,
    },
    /// An index that another process writes to.
    #[error("{} is being written to by another process", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// The file whose lock says who may write is gone or another one.
    #[error("the lock of {} was taken away while it was written to", path.display())]
    LockLost {
        /// The folder.
        path: PathBuf,
    },
    /// A log whose state is unknown after an error of the disk.
    #[error("{} was closed after an error of the disk; open it again", path.display())]
    Closed {
        /// The folder.
        path: PathBuf,
    },
    /// The index was made for other features.
    #[error("the index has {} {}, and {} was asked for", difference.name, difference.stored, difference.present)]
    OtherFeatures {
        /// The first difference.
        difference: Difference,
    },
    /// A vector of another number of dimensions.
    #[error(
        "the vector of {id} has {}; those of the index have {expected}",
        lookalike_core::counted(*found as u64, "dimension")
    )]
    OtherDimensions {
        /// The document, or the question.
        id: String,
        /// Number of dimensions of the vectors of the index, or of the first one that is added.
        expected: usize,
        /// Number of dimensions of the document.
        found: usize,
    },
    /// The index was made for another measure, or a stricter threshold.
    #[error("the index answers by {stored}, and {requested} was asked for")]
    OtherMeasure {
        /// Measure and threshold of the index.
        stored: String,
        /// Measure and threshold of the query.
        requested: String,
    },
    /// The index stores signatures in place of sets.
    #[error(
        "the index stores signatures only: its documents can be searched for, not verified, copied or asked about by id"
    )]
    SignaturesOnly,
    /// Signatures are made for another measure, or another method.
    #[error("signatures are stored for measure jaccard and method minhash only")]
    NoSignatures,
    /// The folder has another index than the one that was opened.
    #[error("{} is another index than the one that was opened", path.display())]
    OtherIndex {
        /// The folder.
        path: PathBuf,
    },
    /// Whoever gave the documents has stopped the writing.
    #[error("the writing of the index was stopped")]
    Stopped,
    /// A question without elements, which is near to nothing.
    #[error("the question has no elements")]
    NoElements,
    /// The weights of a document exceed what a dot product holds.
    #[error("document `{id}` has counts that are too large to be weighed")]
    WeightsTooLarge {
        /// Id of the document.
        id: String,
    },
    /// The measure weighs terms by document frequencies, and there are none.
    #[error("weights tfidf need the document frequencies of the terms")]
    FrequenciesNeeded,
    /// A segment would have more keys than can be numbered.
    #[error("a segment would have more than 2^32 keys")]
    TooManyKeys,
    /// Invalid parameters.
    #[error(transparent)]
    Core(#[from] lookalike_core::Error),
    /// Parameters to store that have no JSON form.
    #[error("the settings of the index have no JSON form")]
    Json(#[from] serde_json::Error),
}

impl Error {
    pub(crate) fn io(action: DiskAction, path: &Path, source: std::io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }

    pub(crate) fn damaged(path: &Path, damage: Damage) -> Self {
        Self::Damaged { path: path.to_owned(), damage }
    }

    /// Returns whether the index was made by a version of this program that writes its files otherwise.
    pub fn is_of_another_version(&self) -> bool {
        matches!(self, Self::Damaged { damage: Damage::Version { .. }, .. })
    }

    /// Returns whether a file is not there: of a reader, because a writer has replaced it.
    pub(crate) fn is_missing(&self) -> bool {
        let is_missing = |kind| matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory);
        matches!(self, Self::Io { source, .. } if is_missing(source.kind()))
    }
}
