//! The identity of an index, by which its files are distinguished from those of another.

use super::{Error, Result};
use lookalike_core::stored::{Directory, Provenance};
use serde::{Deserialize, Serialize};
use std::num::ParseIntError;
use std::path::Path;

/// The random number of an index, which stands in each of its files. In JSON it has 16 hexadecimal digits, so that
/// indexes of the same documents are of the same size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct IndexId(pub(crate) u64);

impl From<IndexId> for String {
    fn from(IndexId(number): IndexId) -> Self {
        format!("{number:016x}")
    }
}

impl TryFrom<String> for IndexId {
    type Error = ParseIntError;

    fn try_from(digits: String) -> std::result::Result<Self, ParseIntError> {
        u64::from_str_radix(&digits, 16).map(Self)
    }
}

impl IndexId {
    /// The provenance of a container of this index.
    pub(crate) fn provenance(self) -> Provenance {
        Provenance::new().with_fact("index", String::from(self))
    }

    /// Checks that the container at a path is of this index, and the one whose directory has this checksum.
    ///
    /// # Errors
    /// [`Error::ForeignFile`]; [`Error::OtherCopy`].
    pub(crate) fn check(self, directory: &Directory, checksum: u64, path: &Path) -> Result<()> {
        if self.provenance().difference(directory.provenance()).is_some() {
            return Err(Error::ForeignFile { path: path.to_owned() });
        }
        if directory.checksum() != checksum {
            return Err(Error::OtherCopy { path: path.to_owned() });
        }
        Ok(())
    }
}
