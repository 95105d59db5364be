//! Objects that were copied from stores.

use crate::base::SkippedCounts;
use std::path::PathBuf;

/// An object that was copied to a temporary file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedObject {
    /// URL of the object.
    pub url: String,
    /// Size of the object in bytes.
    pub bytes: u64,
    /// The store's tag of this version, if it has one.
    pub e_tag: Option<String>,
    /// Time of its last change, in seconds since 1970 (UTC).
    pub modified: i64,
}

/// The local copy of an object or folder that a URL names.
#[derive(Debug)]
pub(crate) struct Fetched {
    /// URL of the object or folder.
    pub(crate) url: PathBuf,
    /// The copy.
    pub(crate) file: PathBuf,
    /// Path of its records below an output folder.
    pub(crate) output_name: PathBuf,
    /// True if it is a folder.
    pub(crate) is_folder: bool,
}

/// The local copies for several URLs.
#[derive(Debug, Default)]
pub(crate) struct FetchedAll {
    /// Copies by URL.
    pub(crate) fetched: Vec<Vec<Fetched>>,
    /// The objects, sorted by their copies.
    pub(crate) objects: Vec<CopiedObject>,
    /// Objects that were not copied.
    pub(crate) skipped_counts: SkippedCounts,
}
