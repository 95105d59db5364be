//! A copy of an index, while it is written to.

use super::files::{is_numbered, log_name};
use super::index::again_while_missing;
use super::manifest::{MANIFEST, Manifest};
use crate::disk::{Disk, Folder, sync_parent};
use crate::ground::{Error, Result};
use crate::log::parse_log;
use std::fs;
use std::path::Path;

/// Copies an index to a folder that is not there, or empty: as it is at one moment, all acknowledged changes included.
/// The copy is an index when the call returns.
///
/// # Errors
/// [`Error::IsThere`]; [`Error::NotAnIndex`]; if a file is damaged, or cannot be read or written.
pub fn backup(from: &Path, to: &Path) -> Result<()> {
    let source = Folder::to_read(from);
    Manifest::read(&source)?;
    if fs::read_dir(to).map_or(to.exists(), |mut entries| entries.next().is_some()) {
        return Err(Error::IsThere { path: to.to_owned() });
    }
    fs::create_dir_all(to).map_err(|source| Error::io("create", to, source))?;
    sync_parent(to)?;
    copy(&source, &Folder::to_write(to)?)
}

pub(super) fn copy(source: &dyn Disk, target: &dyn Disk) -> Result<()> {
    again_while_missing(|| try_copy(source, target))
}

fn try_copy(source: &dyn Disk, target: &dyn Disk) -> Result<()> {
    let bytes_of_manifest = source.map(MANIFEST)?;
    let (manifest, _) = Manifest::read(source)?;
    for name in manifest.files() {
        let mut file = target.create(&name)?;
        match manifest.logs.iter().find(|&&log| log_name(log) == name) {
            Some(&log) => {
                let bytes = source.read(&name)?;
                let whole = parse_log(&bytes, &source.path_of(&name), log)?.length as usize;
                file.write(&bytes[..whole])?;
            }
            None => file.write(&source.map(&name)?)?,
        }
        file.sync()?;
    }
    // The manifest that was read is still in force, so its files are those that were copied.
    if source.map(MANIFEST)?[..] != bytes_of_manifest[..] {
        return Err(Error::io("read", &source.path_of(MANIFEST), std::io::ErrorKind::NotFound.into()));
    }
    let mut file = target.create(MANIFEST)?;
    file.write(&bytes_of_manifest)?;
    file.sync()?;
    // Of a copy that was begun before the writer replaced files.
    let names = target.names()?.into_iter().filter(|name| is_numbered(name) && !manifest.files().contains(name));
    names.collect::<Vec<_>>().iter().try_for_each(|name| target.remove(name))?;
    target.sync_names()
}
