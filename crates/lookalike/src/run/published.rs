//! Check for a folder of records that is there already: of a job that was killed when its outputs had just appeared.
//!
//! A folder is the same one before and after it gets its name: it has the same inode, and the same times of creation
//! and of the last change in it. The work folder of the job keeps these, and a hash of names, sizes and times of the
//! files in it; a folder of that name that has others belongs to somebody else, or was changed.

use super::{Checkpoint, Session, Stored};
use crate::base::{Error, Result, WorkFolderError};
#[cfg(unix)]
use lookalike_core::hash::{hash_sequence, hash_token};
use lookalike_core::stored::Provenance;
use lookalike_io::base::details::Action;
use lookalike_io::outputs::Sealed;
#[cfg(unix)]
use lookalike_io::sources::FileState;
use serde::{Deserialize, Serialize};
#[cfg(unix)]
use std::fs;
use std::path::Path;
use std::time::SystemTime;

const NAME: &str = "published";

/// Facts by which the system knows a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct FolderIdentity {
    device: u64,
    inode: u64,
    created: SystemTime,
    modified: SystemTime,
    /// Hash of all files in it, by path: name, number, size and times.
    files: u64,
}

impl Checkpoint for FolderIdentity {
    type About = Self;

    fn about(&self) -> Self {
        *self
    }

    fn load(about: Self, _: &Stored<'_>) -> Result<Option<Self>> {
        Ok(Some(about))
    }
}

#[cfg(unix)]
fn identity_of(folder: &Path) -> Option<FolderIdentity> {
    use std::os::unix::fs::MetadataExt;
    let found = std::fs::metadata(folder).ok().filter(std::fs::Metadata::is_dir)?;
    let created = found.created().ok()?;
    let modified = found.modified().ok()?;
    let files = hash_of_files(folder).ok()?;
    Some(FolderIdentity { device: found.dev(), inode: found.ino(), created, modified, files })
}

/// A hash of the entries of a folder and of those below it, in the order of their names. Links are not followed.
#[cfg(unix)]
fn hash_of_files(folder: &Path) -> Result<u64> {
    let io = |source| lookalike_io::Error::io(Action::Read, folder, source);
    let mut entries = fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>).map_err(io)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    let hashes = entries.iter().map(|entry| {
        let kind = entry.file_type().map_err(io)?;
        let content = match (kind.is_dir(), kind.is_file()) {
            (true, _) => hash_of_files(&entry.path())?,
            (_, true) => FileState::read(&entry.path())?.stamp(),
            _ => 0,
        };
        Ok(hash_sequence(content, [hash_token(entry.file_name().as_encoded_bytes())]))
    });
    Ok(hash_sequence(0, hashes.collect::<Result<Vec<u64>>>()?))
}

#[cfg(not(unix))]
fn identity_of(_: &Path) -> Option<FolderIdentity> {
    None
}

impl Session<'_> {
    /// Notes in the work folder the folder of records that is about to get its name, if there is one; `provenance` is
    /// all that the records depend on.
    pub(crate) fn note_folder(&self, output: &Sealed, provenance: &Provenance) -> Result<()> {
        match (&self.work, output.staging_folder().and_then(identity_of)) {
            (Some(work), Some(identity)) => work.save(NAME, provenance, &identity),
            _ => Ok(()),
        }
    }

    /// Returns whether the folder at `path` holds the complete records of an earlier run of this job. Those of another
    /// job are no records of this one.
    pub(crate) fn has_published(&self, path: &Path, provenance: &Provenance) -> Result<bool> {
        let Some(work) = &self.work else { return Ok(false) };
        let noted: Option<FolderIdentity> = match work.load(NAME, provenance, &self.spill) {
            Err(Error::WorkFolder(WorkFolderError::OtherJob { .. })) => None,
            noted => noted?,
        };
        Ok(noted.is_some() && noted == identity_of(path))
    }
}
