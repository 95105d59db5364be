//! A copy of an index, while it is written to.

use super::files::log_name;
use super::manifest::{MANIFEST, Manifest};
use crate::disk::{Disk, Folder};
use crate::ground::{Error, Result};
use crate::log::read_log;
use std::fs;
use std::path::Path;

/// Times that a copy is begun again because a writer has replaced files.
const MAX_TRIES: usize = 20;

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
    copy(&source, &Folder::to_write(to)?)
}

pub(super) fn copy(source: &dyn Disk, target: &dyn Disk) -> Result<()> {
    for _ in 1..MAX_TRIES {
        match try_copy(source, target) {
            Err(error) if error.is_missing() => {}
            other => return other,
        }
    }
    try_copy(source, target)
}

fn try_copy(source: &dyn Disk, target: &dyn Disk) -> Result<()> {
    let bytes_of_manifest = source.map(MANIFEST)?;
    let (manifest, _) = Manifest::read(source)?;
    for name in manifest.files() {
        let map = source.map(&name)?;
        let log = manifest.logs.iter().find(|&&log| log_name(log) == name);
        let whole = log.map_or(Ok(map.len()), |&log| read_log(source, &name, log).map(|read| read.length as usize))?;
        let mut file = target.create(&name)?;
        file.write(&map[..whole.min(map.len())])?;
        file.sync()?;
    }
    // The manifest that was read is still in force, so its files are those that were copied.
    if source.map(MANIFEST)?[..] != bytes_of_manifest[..] {
        return Err(Error::io("read", &source.path_of(MANIFEST), std::io::ErrorKind::NotFound.into()));
    }
    let mut file = target.create(MANIFEST)?;
    file.write(&bytes_of_manifest)?;
    file.sync()?;
    target.sync_names()
}
