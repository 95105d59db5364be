//! Names of files: the format of their records, and files that belong to others.

use crate::base::details::DataForm;
use crate::base::{Compression, Error, RecordFormat, Result, extension, with_suffix};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

impl RecordFormat {
    /// The error of a file that begins in this format and is to be read in another one.
    pub(crate) fn instead_of(self, expected: Self, path: &Path) -> Error {
        Error::LooksLike { path: path.to_owned(), expected, found: self }
    }

    /// Checks that the name of a file in this format names no compression if the format needs random access, and that
    /// of a snapshot no format of records.
    ///
    /// # Errors
    /// [`Error::PackedColumns`], [`Error::ForeignExtension`].
    pub fn check_name(self, path: &Path) -> Result<()> {
        if self == Self::Snapshot && Self::of_name(path).is_some_and(|named| named != self) {
            return Err(Error::ForeignExtension { path: path.to_owned(), form: DataForm::Snapshot });
        }
        self.check_compression(path, Compression::of_name(path).0)
    }

    /// Checks that a file in this format is not compressed as a whole if the format needs random access.
    ///
    /// # Errors
    /// [`Error::PackedColumns`].
    pub(crate) fn check_compression(self, path: &Path, compression: Compression) -> Result<()> {
        let needs_random_access = self.has_columns() || self == Self::Snapshot;
        if needs_random_access && compression != Compression::None {
            return Err(Error::PackedColumns { path: path.to_owned(), format: self });
        }
        Ok(())
    }
}

/// Returns whether the extension of a name is `.json`: it may hold lines of records, other content, or one value, which
/// readers of such files expect.
pub fn names_one_value(path: &Path) -> bool {
    extension(path).as_deref() == Some("json")
}

/// End of the name of the ids beside an array.
const IDS: &str = ".ids";

/// The file of ids beside an array of NumPy.
pub(crate) fn ids_beside(array: &Path) -> PathBuf {
    with_suffix(array, IDS)
}

/// The file of ids beside a path, if that is the path of an array of NumPy.
pub fn ids_of_array(path: &Path) -> Option<PathBuf> {
    (RecordFormat::of_name(path) == Some(RecordFormat::Npy)).then(|| ids_beside(path))
}

/// Returns whether a file is that of the ids of an array beside it: a part of an input, and none by itself.
pub(crate) fn is_of_ids(path: &Path) -> bool {
    let array = path.to_str().and_then(|name| name.strip_suffix(IDS)).map(Path::new);
    array.is_some_and(|array| RecordFormat::of_name(array) == Some(RecordFormat::Npy) && array.is_file())
}

/// Returns whether a file in a folder belongs to other files there, and holds no documents of its own.
pub(crate) fn is_part_of_others(path: &Path) -> bool {
    is_of_ids(path) || is_about_dataset(path)
}

/// Files that the library `datasets` writes beside the files of a data set.
const DATASET_STATE: &str = "state.json";
const DATASET_INFO: &str = "dataset_info.json";
const DATASET_SPLITS: &str = "dataset_dict.json";
/// Beginning of the names of results that it caches there.
const DATASET_CACHE: &str = "cache-";

/// Returns whether a file says something about the data set that is saved in its folder, or is a result that was kept
/// there: the records are in the other files.
fn is_about_dataset(path: &Path) -> bool {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(OsStr::to_str)) else { return false };
    let is_saved = |folder: &Path| folder.join(DATASET_STATE).is_file() && folder.join(DATASET_INFO).is_file();
    match name {
        DATASET_STATE | DATASET_INFO => is_saved(folder),
        DATASET_SPLITS => std::fs::read_dir(folder)
            .is_ok_and(|entries| entries.filter_map(std::io::Result::ok).any(|entry| is_saved(&entry.path()))),
        _ if name.starts_with(DATASET_CACHE) => RecordFormat::Arrow.has_extension_of(path) && is_saved(folder),
        _ => false,
    }
}
