//! Whether the folder of records is there already: of a job that was killed when its outputs had just appeared.
//!
//! A folder is the same one before and after it gets its name: it has the same number on its disk, and the same times of its making
//! and of the last change in it. The work folder of the job keeps these; a folder of that name that has others is somebody
//! else's, or was changed.

use crate::error::Result;
use crate::facts::Facts;
use crate::session::Session;
use lookalike_io::Sealed;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::SystemTime;

const STATE: &str = "published";

/// What the system knows a folder by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct FolderNumber {
    device: u64,
    number: u64,
    created: SystemTime,
    modified: SystemTime,
}

#[cfg(unix)]
fn number_of(folder: &Path) -> Option<FolderNumber> {
    use std::os::unix::fs::MetadataExt;
    let found = std::fs::metadata(folder).ok().filter(std::fs::Metadata::is_dir)?;
    let (created, modified) = (found.created().ok()?, found.modified().ok()?);
    Some(FolderNumber { device: found.dev(), number: found.ino(), created, modified })
}

#[cfg(not(unix))]
fn number_of(_: &Path) -> Option<FolderNumber> {
    None
}

impl Session<'_> {
    /// Notes the folder that is about to get its name, if there is one, in the work folder.
    pub(crate) fn note_folder(&self, output: &Sealed) -> Result<()> {
        match (&self.work, output.aside_folder().and_then(number_of)) {
            (Some(work), Some(number)) => work.save(STATE, &Facts::default(), &number),
            _ => Ok(()),
        }
    }

    /// Whether the folder at `path` is the complete output of an earlier run of this job.
    ///
    /// # Errors
    /// If the work folder of the job cannot be read.
    pub fn has_published(&self, path: &Path) -> Result<bool> {
        let Some(work) = &self.work else { return Ok(false) };
        let noted = work.load::<FolderNumber>(STATE, &Facts::default())?;
        Ok(noted.is_some() && noted == number_of(path))
    }
}
