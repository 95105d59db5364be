//! Reads all that an index has, and compares it with what was written.

use super::manifest::{ContainerFile, IndexManifest, MANIFEST, Orders, log_name};
use crate::base::details::DocumentPart;
use crate::base::{Error, Result, SetBuffer};
use crate::disk::{Disk, Folder};
use crate::log::read_log;
use crate::segment::{Deleted, check_sections};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Something that is wrong with an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexProblem {
    /// The file.
    pub file: String,
    /// Fault of the file.
    pub what: String,
}

/// Reads all files of an index, compares each byte with its checksum, and each document with what leads to it. Without
/// problems, no bit of them has changed since it was written.
///
/// # Errors
/// [`Error::NotAnIndex`].
pub fn verify(path: &Path) -> Result<Vec<IndexProblem>> {
    verify_disk(&Folder::to_read(path))
}

/// Times that is looked again because a writer was at work.
const MAX_TRIES: usize = 20;
/// Time in which a writer ends a change that it has begun.
const PAUSE: Duration = Duration::from_millis(20);

pub(super) fn verify_disk(disk: &dyn Disk) -> Result<Vec<IndexProblem>> {
    let state = || (disk.read(MANIFEST).ok(), log_lengths(disk));
    for _ in 1..MAX_TRIES {
        let before = state();
        let problems = problems_of(disk)?;
        // Changes of a writer in the meantime are no damage.
        if problems.is_empty() || before == state() {
            return Ok(problems);
        }
        std::thread::sleep(PAUSE);
    }
    problems_of(disk)
}

/// The logs with their lengths.
fn log_lengths(disk: &dyn Disk) -> Vec<(String, Option<usize>)> {
    let logs = IndexManifest::read(disk).map_or_else(|_| Vec::new(), |(manifest, _)| manifest.logs);
    let names = logs.iter().map(|log| log_name(log.number));
    let length = |name: &String| disk.read(name).ok().map(|bytes| bytes.len());
    names.map(|name| (name.clone(), length(&name))).collect()
}

fn problems_of(disk: &dyn Disk) -> Result<Vec<IndexProblem>> {
    let problem = |file: &str, error: &dyn std::error::Error| {
        let causes = std::iter::successors(Some(error), |error| error.source());
        let what = causes.map(ToString::to_string).collect::<Vec<_>>().join(": ");
        IndexProblem { file: file.to_owned(), what }
    };
    let (manifest, deleted) = match IndexManifest::read(disk) {
        Ok(read) => read,
        Err(error @ Error::NotAnIndex { .. }) => return Err(error),
        Err(error) => return Ok(vec![problem(MANIFEST, &error)]),
    };
    let mut problems = Vec::new();
    for file in manifest.containers() {
        if let Err(error) = check_container(disk, &manifest, &file) {
            problems.push(problem(&file.name, &error));
        }
    }
    for &known in &manifest.logs {
        let log = log_name(known.number);
        match read_log(disk, &log, manifest.index, known) {
            Ok(read) if read.torn_bytes > 0 => {
                let what = format!(
                    "its last {} bytes are no whole change: a write that did not come to its end, or damage",
                    read.torn_bytes
                );
                problems.push(IndexProblem { file: log, what });
            }
            Ok(_) => {}
            Err(error) => problems.push(problem(&log, &error)),
        }
    }
    if problems.is_empty() {
        problems.extend(check_documents(disk, &manifest, deleted).err().map(|error| problem("documents", &error)));
    }
    Ok(problems)
}

/// Checks a container, all bytes of it.
pub(super) fn check_container(disk: &dyn Disk, manifest: &IndexManifest, file: &ContainerFile) -> Result<()> {
    let (map, directory) = manifest.open_container(disk, file)?;
    check_sections(&map, &directory, &disk.path_of(&file.name))
}

/// Checks that each document can be read, and is found by its id.
fn check_documents(disk: &dyn Disk, manifest: &IndexManifest, deleted: Vec<Arc<Deleted>>) -> Result<()> {
    let parts = manifest.open_segments(disk, deleted, &mut Orders::default())?;
    let mut set = SetBuffer::default();
    for part in &parts {
        for document in (0..part.segment.len() as u32).filter(|&document| !part.deleted.has(document)) {
            part.segment.check_set(document as usize, &mut set)?;
            part.segment.text(document as usize)?;
            let id = part.segment.id(document as usize);
            if part.segment.find(id, |found| !part.deleted.has(found)) != Some(document) {
                return Err(Error::DocumentDamaged { part: DocumentPart::Id });
            }
        }
    }
    Ok(())
}
