//! A folder that appears when it is complete.

use super::sealed::{Sealed, StagedContent};
use super::staging::{StagingFolder, resolve_links};
use crate::base::details::{Action, DataForm};
use crate::base::{Error, Result, Staging, TemporaryKind};
use crate::formats::names_file;
use crate::remote::{RemoteUrl, UploadTarget, local_path};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder that appears, with all its files, when it is complete.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    folder: Staged,
}

/// The staging folder.
#[derive(Debug)]
enum Staged {
    /// Beside the place of the output.
    Beside(StagingFolder),
    /// Among temporary files, of an output to a URL.
    Temporary(TempDir, UploadTarget),
}

impl OutputFolder {
    /// Creates the folder at `path`, which must not exist or be empty.
    ///
    /// # Errors
    /// [`Error::OutputExists`], or [`Error::Io`] if the folder around it cannot be written.
    pub fn create(path: &Path) -> Result<Self> {
        Self::create_with(path, &Staging::default())
    }

    /// Creates it as [`Self::create`] does, with a choice of the staging.
    ///
    /// # Errors
    /// As [`Self::create`]; [`Error::Store`] if a store cannot be reached; [`Error::ForeignExtension`] for the name of
    /// a file.
    pub fn create_with(path: &Path, staging: &Staging) -> Result<Self> {
        let path = &local_path(path)?;
        if let Some(url) = RemoteUrl::parse(path)? {
            let target = UploadTarget::folder(url)?;
            let folder =
                staging.create_temporary(TemporaryKind::Folder, |builder, folder| builder.tempdir_in(folder))?;
            return Ok(Self { path: path.to_owned(), folder: Staged::Temporary(folder, target) });
        }
        if names_file(path) && !path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(Error::ForeignExtension { path: path.to_owned(), form: DataForm::RecordFolder });
        }
        check_is_free(path)?;
        let folder = Staged::Beside(StagingFolder::create(path, staging)?);
        Ok(Self { path: path.to_owned(), folder })
    }

    /// The path of the file `relative` until the folder appears; its parent folders are created.
    ///
    /// # Errors
    /// [`Error::Io`] if a folder cannot be created.
    pub fn place(&self, relative: &Path) -> Result<PathBuf> {
        let folder = match &self.folder {
            Staged::Beside(folder) => folder.path(),
            Staged::Temporary(folder, _) => folder.path(),
        };
        let path = folder.join(relative);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|source| Error::io(Action::Write, &self.path.join(relative), source))?;
        }
        Ok(path)
    }

    /// Completes the folder, which appears when it is published.
    pub fn seal(self) -> Sealed {
        let content = match self.folder {
            Staged::Beside(folder) => StagedContent::Folder(folder),
            Staged::Temporary(folder, target) => StagedContent::Upload(target.of_folder(folder)),
        };
        Sealed::new(self.path, content)
    }
}

/// Checks that there is nothing at `path`, or an empty folder that can be replaced.
fn check_is_free(path: &Path) -> Result<()> {
    let is_free = match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if !is_free {
        return Err(Error::OutputExists { path: path.to_owned() });
    }
    let resolved = resolve_links(path);
    if std::env::current_dir().and_then(fs::canonicalize).is_ok_and(|current| current == resolved) {
        // Replacing it would leave the process without a working folder.
        let current = io::Error::other("it is the current folder, which cannot be replaced; name one in it");
        return Err(Error::io(Action::Write, path, current));
    }
    Ok(())
}
