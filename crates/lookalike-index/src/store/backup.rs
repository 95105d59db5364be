//! A copy of an index, while it is written to.

use super::index::{again_while_missing, lasting_torn_bytes};
use super::manifest::{IndexManifest, MANIFEST, is_numbered, log_name};
use super::verify::check_container;
use crate::base::details::DiskAction;
use crate::base::{Error, Result};
use crate::disk::{Disk, Folder, check_free, sync_parent};
use crate::log::parse_log;
use std::fs::{self, File};
use std::path::Path;

/// Copies an index to a folder that is not there, or empty: as it is at one moment, all acknowledged changes included.
/// The copy appears as a whole, when all of it is there and every byte is as it was written.
///
/// Returns the length in bytes of an interrupted write at the end of the log, which was never acknowledged and is not
/// copied; 0 without one.
///
/// # Errors
/// [`Error::IsThere`]; [`Error::NotAnIndex`]; if a file is damaged, or cannot be read or written.
pub fn backup(from: &Path, to: &Path) -> Result<u64> {
    let source = Folder::to_read(from);
    IndexManifest::read(&source)?;
    check_free(to)?;
    let parent = to.parent().unwrap_or(Path::new(""));
    let name = to.file_name().unwrap_or_default();
    let staging = parent.join(format!(".lookalike-backup-{}-{}", name.to_string_lossy(), std::process::id()));
    fs::create_dir_all(&staging).map_err(|source| Error::io(DiskAction::Create, &staging, source))?;
    // Held until the end: a staging folder that nobody holds is removed by whoever finds it.
    let _held = File::open(&staging).ok().filter(|folder| folder.try_lock().is_ok());
    let copied = Folder::to_write(&staging).and_then(|target| {
        let torn_bytes = copy(&source, &target)?;
        // A folder that is there is empty.
        let _ = fs::remove_dir(to);
        fs::rename(&staging, to).map_err(|source| Error::io(DiskAction::Write, to, source))?;
        sync_parent(to)?;
        Ok(torn_bytes)
    });
    copied.inspect_err(|_| {
        let _ = fs::remove_dir_all(&staging);
    })
}

pub(super) fn copy(source: &dyn Disk, target: &dyn Disk) -> Result<u64> {
    again_while_missing(|| try_copy(source, target))
}

/// Copies an index; returns the length of an interrupted write at the end of its log, which is not copied.
fn try_copy(source: &dyn Disk, target: &dyn Disk) -> Result<u64> {
    let bytes_of_manifest = source.map(MANIFEST)?;
    let (manifest, _) = IndexManifest::read(source)?;
    for container in manifest.containers() {
        // A copy vouches for what it has.
        check_container(source, &manifest, &container)?;
        write_file(target, &container.name, &source.map(&container.name)?)?;
    }
    let mut torn_bytes = 0;
    for &known in &manifest.logs {
        let name = log_name(known.number);
        let bytes = source.read(&name)?;
        let log = parse_log(&bytes, &source.path_of(&name), manifest.index, known)?;
        write_file(target, &name, &bytes[..log.end.bytes as usize])?;
        torn_bytes = log.torn_bytes;
    }
    // The manifest that was read is still in force, so its files are those that were copied.
    if source.map(MANIFEST)?[..] != bytes_of_manifest[..] {
        return Err(Error::io(DiskAction::Read, &source.path_of(MANIFEST), std::io::ErrorKind::NotFound.into()));
    }
    write_file(target, MANIFEST, &bytes_of_manifest)?;
    // Leftovers of a copy that was begun before the writer replaced files.
    let names = target.names()?.into_iter().filter(|name| is_numbered(name) && !manifest.files().contains(name));
    names.collect::<Vec<_>>().iter().try_for_each(|name| target.remove(name))?;
    target.sync_names()?;
    Ok(lasting_torn_bytes(source, &manifest, torn_bytes))
}

fn write_file(disk: &dyn Disk, name: &str, bytes: &[u8]) -> Result<()> {
    let mut file = disk.create(name)?;
    file.write(bytes)?;
    file.sync()
}
