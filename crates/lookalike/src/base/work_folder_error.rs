//! Errors of work folders.

use lookalike_core::printed_path;
use lookalike_core::stored::Difference;
use lookalike_io::base::shown;
use std::path::PathBuf;

/// A work folder that a job cannot go on in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkFolderError {
    /// A folder for the work of a job holds something else.
    #[error("{} is no work folder of lookalike; name a new or empty one", printed_path(path))]
    NotAWorkFolder {
        /// The folder.
        path: PathBuf,
    },
    /// Another process works in the folder.
    #[error("another job is at work in {}", printed_path(path))]
    WorkFolderInUse {
        /// The folder.
        path: PathBuf,
    },
    /// The content of a work folder does not fit the job.
    #[error(
        "{} holds the work of another job: {} was {} and is {}; name another folder, or delete this one",
        printed_path(path), difference.name, shown(&difference.stored), shown(&difference.present)
    )]
    OtherJob {
        /// The folder.
        path: PathBuf,
        /// The first difference.
        difference: Difference,
    },
    /// An input has other content than when the job read it.
    #[error(
        "{} has changed since the job in this work folder has read it; name another folder, or delete this one",
        printed_path(path)
    )]
    InputChanged {
        /// The file.
        path: PathBuf,
    },
    /// A work folder of a version whose files cannot be read any more.
    #[error(
        "{} holds the work of an earlier version of lookalike; name another folder, or delete this one",
        printed_path(path)
    )]
    OldWorkFolder {
        /// The folder.
        path: PathBuf,
    },
}
