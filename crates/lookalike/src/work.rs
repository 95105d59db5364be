//! A folder where a job keeps what it has finished, so that the same command goes on from there.
//!
//! Each stage saves a state: a small JSON file, which appears by renaming, with the lengths and checksums of the arrays that belong to
//! it. A state says what it depends on ([`Facts`]); one that depends on something else than the present job is refused, with the
//! first difference. An array whose bytes are not those that were saved counts as never saved.

use crate::error::{Error, Result};
use crate::facts::Facts;
use crate::spill::{Column, ColumnState, Spill};
use bytemuck::Pod;
use lookalike_core::array::Array;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// Changes with the layout of anything in the folder.
const VERSION: u32 = 1;
/// Held by the job that is at work; a folder that has it is one of ours.
const LOCK: &str = "lookalike.lock";
/// Items that are copied at a time.
const STRETCH_ITEMS: usize = 1 << 14;

#[derive(Debug, Serialize, Deserialize)]
struct Saved<S> {
    version: u32,
    program: String,
    facts: Facts,
    state: S,
}

/// The folder of a job, held until it is dropped.
#[derive(Debug)]
pub(crate) struct WorkFolder {
    folder: PathBuf,
    _lock: File,
}

impl WorkFolder {
    /// Opens a folder of an earlier run of the job, or makes a new one.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let io = |source| lookalike_io::Error::io("work in", folder, source);
        fs::create_dir_all(folder).map_err(io)?;
        let lock = folder.join(LOCK);
        let is_foreign = !lock.exists() && fs::read_dir(folder).map_err(io)?.next().is_some();
        if is_foreign {
            return Err(Error::NotAWorkFolder { path: folder.to_owned() });
        }
        let lock = File::options().create(true).truncate(false).write(true).open(lock).map_err(io)?;
        match lock.try_lock() {
            Ok(()) => {
                remove_copies(folder).map_err(io)?;
                Ok(Self { folder: folder.to_owned(), _lock: lock })
            }
            Err(TryLockError::WouldBlock) => Err(Error::WorkFolderInUse { path: folder.to_owned() }),
            Err(TryLockError::Error(source)) => Err(io(source).into()),
        }
    }

    /// Where a file of that name stands.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The state that a stage has saved, if there is one.
    pub(crate) fn load<S: DeserializeOwned>(&self, stage: &str, facts: &Facts) -> Result<Option<S>> {
        let path = self.path(&format!("{stage}.json"));
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(lookalike_io::Error::io("read", &path, source).into()),
        };
        let refused = |name: &str, saved: &str, present: &str| Error::OtherJob {
            path: self.folder.clone(),
            name: name.to_owned(),
            saved: saved.to_owned(),
            present: present.to_owned(),
        };
        // Of another version only what all versions have can be read.
        let Ok(head) = serde_json::from_slice::<Saved<serde_json::Value>>(&text) else { return Ok(None) };
        let program = env!("CARGO_PKG_VERSION");
        if (head.version, head.program.as_str()) != (VERSION, program) {
            return Err(refused("version of lookalike", &head.program, program));
        }
        if let Some((name, saved, present)) = facts.difference(&head.facts) {
            return Err(refused(name, saved, present));
        }
        Ok(serde_json::from_value(head.state).ok())
    }

    /// Saves the state of a stage in place of an earlier one.
    pub(crate) fn save(&self, stage: &str, facts: &Facts, state: &impl Serialize) -> Result<()> {
        let program = env!("CARGO_PKG_VERSION").to_owned();
        let text = lookalike_io::to_json(&Saved { version: VERSION, program, facts: facts.clone(), state })?;
        let (path, aside) = (self.path(&format!("{stage}.json")), self.path(&format!("{stage}.json.partial")));
        let written = fs::write(&aside, text).and_then(|()| fs::rename(&aside, &path));
        Ok(written.map_err(|source| lookalike_io::Error::io("write", &path, source))?)
    }

    /// Writes an array to a file.
    pub(crate) fn save_array<T: Pod + Debug + Send + Sync>(
        &self,
        name: &str,
        items: &Array<T>,
        spill: &Spill,
    ) -> Result<ColumnState> {
        let mut column = Column::named(&self.path(name), spill)?;
        for start in (0..items.len()).step_by(STRETCH_ITEMS) {
            column.extend(items.slice(start..(start + STRETCH_ITEMS).min(items.len())), spill)?;
        }
        column.state(spill)
    }

    /// An array that was saved; `None` if its bytes are others now.
    pub(crate) fn load_array<T: Pod + Debug + Send + Sync>(
        &self,
        name: &str,
        state: &ColumnState,
        spill: &Spill,
    ) -> Result<Option<Array<T>>> {
        Column::resume(&self.path(name), state, spill)?.map(|column| column.finish(spill)).transpose()
    }
}

/// Removes what a run that was killed has left: copies of what is behind URLs are made anew.
fn remove_copies(folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().as_encoded_bytes().starts_with(b"lookalike-") {
            continue;
        }
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(threshold: &str) -> Facts {
        let mut facts = Facts::default();
        facts.add("threshold", threshold);
        facts
    }

    #[test]
    fn states_come_back_for_the_same_job_only() {
        let folder = tempfile::tempdir().unwrap();
        let work = WorkFolder::open(folder.path()).unwrap();
        assert_eq!(work.load::<u32>("stage", &facts("0.8")).unwrap(), None);
        work.save("stage", &facts("0.8"), &7).unwrap();
        assert_eq!(work.load::<u32>("stage", &facts("0.8")).unwrap(), Some(7));
        let error = work.load::<u32>("stage", &facts("0.9")).unwrap_err().to_string();
        assert!(error.contains("threshold was 0.8 and is 0.9"), "{error}");
        let error = work.load::<u32>("stage", &Facts::default()).unwrap_err().to_string();
        assert!(error.contains("threshold was 0.8 and is nothing"), "{error}");
    }

    #[test]
    fn arrays_that_were_changed_were_never_saved() {
        let folder = tempfile::tempdir().unwrap();
        let work = WorkFolder::open(folder.path()).unwrap();
        let spill = Spill::new(&crate::MemoryOptions::default(), None);
        let items: Vec<u64> = (0..50_000).collect();
        let state = work.save_array("items", &Array::Owned(items.clone()), &spill).unwrap();
        // What came after the state was saved is forgotten.
        let mut file = File::options().append(true).open(work.path("items")).unwrap();
        std::io::Write::write_all(&mut file, b"more").unwrap();
        let back: Array<u64> = work.load_array("items", &state, &spill).unwrap().unwrap();
        assert_eq!(back.into_vec(), items);
        fs::write(work.path("items"), [1; 400_000]).unwrap();
        assert!(work.load_array::<u64>("items", &state, &spill).unwrap().is_none());
        fs::remove_file(work.path("items")).unwrap();
        assert!(work.load_array::<u64>("items", &state, &spill).unwrap().is_none());
    }

    #[test]
    fn folders_of_others_and_folders_in_use_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let first = WorkFolder::open(folder.path()).unwrap();
        assert!(matches!(WorkFolder::open(folder.path()), Err(Error::WorkFolderInUse { .. })));
        drop(first);
        WorkFolder::open(folder.path()).unwrap();
        let other = tempfile::tempdir().unwrap();
        fs::write(other.path().join("thesis.txt"), "mine").unwrap();
        assert!(matches!(WorkFolder::open(other.path()), Err(Error::NotAWorkFolder { .. })));
    }
}
