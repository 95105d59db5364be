//! The manifest of a work folder: the temporary files and folders with names that its job has made, wherever they are,
//! so that the next run removes what a killed one has left, and nothing else.
//!
//! An entry is written before its file is created, under a random name that only the manifest knows. What stands under
//! that name is removed if it is of the noted kind, in the noted folder, and reached through no link. A manifest that
//! is damaged names nothing.

use super::details::Action;
use super::error::{Error, Result};
use super::folders::path_of_bytes;
use super::own_file::{Access, create_own_file, open_own_file};
use lookalike_core::stored::{Damage, Directory, Provenance, Writer};
use serde::{Deserialize, Serialize};
use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::BuildHasher;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::Builder;

/// Name of the manifest in the work folder.
const NAME: &str = "lookalike.manifest";
const KIND: &str = "manifest";
/// The section of the folders: paths, each with a zero byte at its end. They need not be UTF-8.
const FOLDERS: &str = "folders";

/// Kind of a temporary name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TemporaryKind {
    File,
    Folder,
}

/// The beginning and the end of a temporary name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TemporaryName {
    pub(crate) prefix: &'static str,
    pub(crate) suffix: &'static str,
}

impl TemporaryName {
    /// An output beside its final path.
    pub(crate) const STAGING: Self = Self { prefix: ".lookalike-", suffix: ".partial" };
    /// A file or folder among other temporary ones.
    pub(crate) const COPY: Self = Self { prefix: "lookalike-", suffix: "" };

    /// Returns whether `name` is of this form, and the name of a file and not a path.
    pub(crate) fn fits(self, name: &str) -> bool {
        name.starts_with(self.prefix) && name.ends_with(self.suffix) && !name.contains(['/', '\\'])
    }
}

/// A temporary file or folder.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TemporaryEntry {
    /// Path without links.
    folder: PathBuf,
    name: String,
    kind: TemporaryKind,
}

/// The temporary files of a job, noted in its work folder.
#[derive(Debug)]
pub struct Manifest {
    path: PathBuf,
    entries: Mutex<Vec<TemporaryEntry>>,
}

impl Manifest {
    /// Removes what the manifest in `work_folder` names, and begins a new one.
    ///
    /// # Errors
    /// [`Error::NotOwnFile`] if the manifest is a link; [`Error::Io`] if it cannot be read.
    pub fn take_up(work_folder: &Path) -> Result<Self> {
        let path = work_folder.join(NAME);
        let mut bytes = Vec::new();
        if let Some(mut file) = open_own_file(&path, Access::Read)? {
            file.read_to_end(&mut bytes).map_err(|source| Error::io(Action::Read, &path, source))?;
        }
        // The next run tries again to remove the remaining files.
        let left = parse(&bytes).unwrap_or_default().into_iter().filter(|entry| !entry.remove()).collect();
        Ok(Self { path, entries: Mutex::new(left) })
    }

    /// A new name of the form `name` in `folder`, noted before it is used.
    ///
    /// # Errors
    /// [`Error::Io`] if the folder is not there or the manifest cannot be written.
    pub(crate) fn announce(&self, folder: &Path, name: TemporaryName, kind: TemporaryKind) -> io::Result<String> {
        let folder = fs::canonicalize(folder)?;
        let name = format!("{}{:016x}{}", name.prefix, RandomState::new().hash_one(&folder), name.suffix);
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push(TemporaryEntry { folder, name: name.clone(), kind });
        self.save(&entries)?;
        Ok(name)
    }

    /// Replaces the manifest at once.
    fn save(&self, entries: &[TemporaryEntry]) -> io::Result<()> {
        let staging = self.path.with_extension("manifest.partial");
        let mut file = create_own_file(&staging).map_err(io::Error::other)?;
        file.write_all(&format(entries)?)?;
        fs::rename(&staging, &self.path)
    }
}

impl TemporaryEntry {
    /// Removes what it names; `false` if that is still there.
    fn remove(&self) -> bool {
        let path = self.folder.join(&self.name);
        let is_in_place = fs::canonicalize(&self.folder).is_ok_and(|folder| folder == self.folder);
        match fs::symlink_metadata(&path) {
            Ok(found) if is_in_place && found.is_file() && self.kind == TemporaryKind::File => {
                fs::remove_file(path).is_ok()
            }
            Ok(found) if is_in_place && found.is_dir() && self.kind == TemporaryKind::Folder => {
                fs::remove_dir_all(path).is_ok()
            }
            // A path that is gone, or not ours.
            _ => true,
        }
    }
}

fn format(entries: &[TemporaryEntry]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut sink = |more: &[u8]| {
        bytes.extend_from_slice(more);
        io::Result::Ok(())
    };
    let mut writer = Writer::new(&mut sink)?;
    writer.section(FOLDERS, entries.iter().flat_map(|entry| [entry.folder.as_os_str().as_encoded_bytes(), b"\0"]))?;
    let about: Vec<(&str, TemporaryKind)> = entries.iter().map(|entry| (&*entry.name, entry.kind)).collect();
    writer.finish(KIND, &Provenance::new(), &about)?;
    Ok(bytes)
}

/// The entries of a manifest; `None` if it is damaged or no manifest.
fn parse(bytes: &[u8]) -> Option<Vec<TemporaryEntry>> {
    let read = |range: Range<u64>| Ok(bytes[range.start as usize..range.end as usize].to_vec());
    let directory = Directory::read::<Damage>(KIND, bytes.len() as u64, read).ok()?;
    let section = directory.section(FOLDERS).ok()?;
    let folders = &bytes[section.offset() as usize..][..section.bytes() as usize];
    section.check_all(folders).ok()?;
    let names: Vec<(String, TemporaryKind)> = directory.about().ok()?;
    let mut folders = folders.split(|&byte| byte == 0);
    let entries = names.into_iter().map(|(name, kind)| {
        let is_ours = [TemporaryName::STAGING, TemporaryName::COPY].iter().any(|form| form.fits(&name));
        let folder = path_of_bytes(folders.next()?.to_vec());
        if !is_ours || !folder.is_absolute() {
            return None;
        }
        Some(TemporaryEntry { folder, name, kind })
    });
    entries.collect()
}

/// Places where incomplete outputs are staged: local ones beside their final path, those for URLs in a temporary
/// folder, which is also that of copies of inputs.
#[derive(Debug, Clone)]
pub struct Staging {
    /// Folder for the outputs to URLs, and for copies.
    pub temporary_folder: PathBuf,
    /// Manifest of a job that can be resumed: its next run removes what it leaves behind when it is killed.
    pub manifest: Option<Arc<Manifest>>,
}

impl Default for Staging {
    /// The system's folder of temporary files, for a job that cannot be resumed.
    fn default() -> Self {
        Self { temporary_folder: std::env::temp_dir(), manifest: None }
    }
}

impl Staging {
    /// Makes a temporary file or folder in `folder`, with a random name of the form `name`, by `make`.
    pub(crate) fn make<R>(
        &self,
        folder: &Path,
        name: TemporaryName,
        kind: TemporaryKind,
        make: impl FnOnce(&mut Builder<'_, '_>) -> io::Result<R>,
    ) -> io::Result<R> {
        match &self.manifest {
            None => make(Builder::new().prefix(name.prefix).suffix(name.suffix)),
            Some(manifest) => {
                let whole = manifest.announce(folder, name, kind)?;
                make(Builder::new().prefix(&whole).rand_bytes(0))
            }
        }
    }
}

#[cfg(test)]
mod tests;
