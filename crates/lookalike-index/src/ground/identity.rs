//! What tells the files of one index from those of another.

use super::{Error, Result};
use lookalike_core::stored::{Directory, Provenance};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The random number of an index, which stands in each of its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct IndexId(pub(crate) u64);

impl IndexId {
    /// The provenance of a container of this index.
    pub(crate) fn provenance(self) -> Provenance {
        Provenance::new().with_fact("index", self.0)
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
