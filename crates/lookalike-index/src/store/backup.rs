//! A copy of an index, while it is written to.

use super::files::{is_numbered, log_name};
use super::index::again_while_missing;
use super::manifest::{MANIFEST, Manifest, kind_of};
use super::verify::check_container;
use crate::disk::{Disk, Folder, sync_parent};
use crate::ground::{Error, Result};
use crate::log::parse_log;
use std::fs;
use std::path::Path;

/// Copies an index to a folder that is not there, or empty: as it is at one moment, all acknowledged changes included.
/// The copy appears as a whole, when all of it is there and every byte is as it was written.
///
/// # Errors
/// [`Error::IsThere`]; [`Error::NotAnIndex`]; if a file is damaged, or cannot be read or written.
pub fn backup(from: &Path, to: &Path) -> Result<()> {
    let source = Folder::to_read(from);
    Manifest::read(&source)?;
    if fs::read_dir(to).map_or(to.exists(), |mut entries| entries.next().is_some()) {
        return Err(Error::IsThere { path: to.to_owned() });
    }
    let (parent, name) = (to.parent().unwrap_or(Path::new("")), to.file_name().unwrap_or_default());
    let staging = parent.join(format!(".lookalike-backup-{}-{}", name.to_string_lossy(), std::process::id()));
    fs::create_dir_all(&staging).map_err(|source| Error::io("create", &staging, source))?;
    let copied = Folder::to_write(&staging).and_then(|target| {
        copy(&source, &target)?;
        // A folder that is there is empty.
        let _ = fs::remove_dir(to);
        fs::rename(&staging, to).map_err(|source| Error::io("write", to, source))?;
        sync_parent(to)
    });
    copied.inspect_err(|_| {
        let _ = fs::remove_dir_all(&staging);
    })
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
            None => {
                // A copy vouches for what it has.
                kind_of(&name).map_or(Ok(()), |kind| check_container(source, &name, kind))?;
                file.write(&source.map(&name)?)?;
            }
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
