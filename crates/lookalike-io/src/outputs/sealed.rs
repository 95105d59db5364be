//! Complete outputs, ready to appear.

use super::staging::{StagingFolder, resolve_links};
use crate::base::details::Action;
use crate::base::{Error, Result};
use crate::remote::Upload;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A complete output before it appears. Dropping it removes it.
#[derive(Debug)]
pub struct Sealed {
    path: PathBuf,
    content: StagedContent,
}

/// The staged bytes of an output.
#[derive(Debug)]
pub(super) enum StagedContent {
    File(NamedTempFile),
    Folder(StagingFolder),
    Upload(Upload),
    /// Written to its destination already.
    Direct,
}

impl Sealed {
    pub(super) fn new(path: PathBuf, content: StagedContent) -> Self {
        Self { path, content }
    }

    /// Makes the output appear.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be renamed, [`Error::Store`] if it cannot be uploaded.
    pub fn publish(mut self) -> Result<()> {
        self.stage()?;
        self.place()
    }

    /// The staging folder, if the output is a folder.
    pub fn staging_folder(&self) -> Option<&Path> {
        match &self.content {
            StagedContent::Folder(folder) => Some(folder.path()),
            _ => None,
        }
    }

    /// Uploads large files, which makes nothing appear yet: the slow step of publishing.
    fn stage(&mut self) -> Result<()> {
        if let StagedContent::Upload(upload) = &mut self.content { upload.stage() } else { Ok(()) }
    }

    fn place(self) -> Result<()> {
        let io = |source| Error::io(Action::Write, &self.path, source);
        match self.content {
            StagedContent::Direct => Ok(()),
            StagedContent::Upload(upload) => upload.publish(),
            StagedContent::File(file) => {
                file.persist(resolve_links(&self.path)).map(drop).map_err(|error| io(error.error))
            }
            StagedContent::Folder(folder) => {
                let path = resolve_links(&self.path);
                if path.exists() {
                    fs::remove_dir(&path).map_err(io)?;
                }
                fs::rename(folder.path(), &path).map_err(io)?;
                // The folder was renamed, so there is nothing to delete.
                folder.keep();
                Ok(())
            }
        }
    }
}

/// Makes several outputs appear. All are complete, so that none appears if another cannot be written. Uploads come
/// first: they fail more often than renaming.
///
/// # Errors
/// [`Error::Io`] if one cannot be renamed, [`Error::Store`] if one cannot be uploaded; [`Error::PartlyWritten`] if
/// others have appeared before.
pub fn publish_all(outputs: impl IntoIterator<Item = Sealed>) -> Result<()> {
    let mut outputs: Vec<Sealed> = outputs.into_iter().collect();
    outputs.iter_mut().try_for_each(Sealed::stage)?;
    outputs.sort_by_key(|output| !matches!(output.content, StagedContent::Upload(_)));
    for (written, output) in outputs.into_iter().enumerate() {
        output.place().map_err(|error| match written {
            0 => error,
            _ => Error::PartlyWritten { written, error: Box::new(error) },
        })?;
    }
    Ok(())
}
