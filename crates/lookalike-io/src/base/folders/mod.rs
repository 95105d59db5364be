//! The walk through folders, and what is left out of them: by patterns, and by `.gitignore` files.

mod gitignore;
mod selection;
mod walk;

use std::path::PathBuf;

pub use selection::{FileSelection, GitignoreFiles};
pub use walk::SkippedCounts;
pub(crate) use walk::{EntryAdmission, FolderEntry, Walk, WalkDepth};

/// The path of these bytes, which need not be UTF-8: a name in an archive, or in a URL.
#[cfg(unix)]
pub(crate) fn path_of_bytes(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

/// The path of these bytes; what is no UTF-8 is replaced.
#[cfg(not(unix))]
pub(crate) fn path_of_bytes(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}
