//! A disk in memory that may lose power: what was not synced is gone, or half there.

use super::map::Map;
use super::{Disk, DiskFile};
use crate::base::details::DiskAction;
use crate::base::{Error, Result};
use lookalike_core::hash::{SplitMix64, mix64};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A file: its bytes, and how many of them would survive a power loss.
#[derive(Debug, Clone, Default)]
struct File {
    bytes: Vec<u8>,
    synced: usize,
}

#[derive(Debug, Default)]
struct State {
    files: BTreeMap<String, Arc<Mutex<File>>>,
    /// The names as they would be after a power loss.
    synced_names: BTreeMap<String, Arc<Mutex<File>>>,
    /// Operations until the disk fails; `None` for one that does not.
    left: Option<u64>,
    now: u64,
    /// Number of random numbers that were drawn.
    draws: u64,
}

/// A disk in memory. Clones are the same disk.
#[derive(Debug, Clone)]
pub(crate) struct SimulatedDisk {
    path: PathBuf,
    state: Arc<Mutex<State>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SimulatedDisk {
    pub(crate) fn new() -> Self {
        Self { path: PathBuf::from("simulated"), state: Arc::default() }
    }

    /// Fails after some more operations.
    pub(crate) fn fail_after(&self, operations: Option<u64>) {
        lock(&self.state).left = operations;
    }

    /// Counts an operation, which fails if the disk does.
    fn operate(&self) -> Result<()> {
        match &mut lock(&self.state).left {
            Some(0) => Err(Error::io(DiskAction::Write, &self.path, std::io::ErrorKind::StorageFull.into())),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    pub(crate) fn set_time(&self, now: u64) {
        lock(&self.state).now = now;
    }

    /// The disk after the process was killed: nothing is lost.
    pub(crate) fn killed(&self) -> Self {
        let state = lock(&self.state);
        let copy = |file: &Arc<Mutex<File>>| Arc::new(Mutex::new(lock(file).clone()));
        let files: BTreeMap<_, _> = state.files.iter().map(|(name, file)| (name.clone(), copy(file))).collect();
        let state = State { synced_names: files.clone(), files, left: None, now: state.now, draws: state.draws };
        Self { path: self.path.clone(), state: Arc::new(Mutex::new(state)) }
    }

    /// The disk after a power loss: of bytes that were not synced, a random part is there; each name that was not
    /// synced is there or not.
    pub(crate) fn without_power(&self, random: &mut SplitMix64) -> Self {
        let state = lock(&self.state);
        let survives = random.next_below(2) == 0;
        let names = if survives { &state.files } else { &state.synced_names };
        let files: BTreeMap<_, _> = names
            .iter()
            .map(|(name, file)| {
                let file = lock(file);
                let unsynced = file.bytes.len() - file.synced;
                let kept = file.synced + random.next_below(unsynced as u64 + 1) as usize;
                let mut bytes = file.bytes[..kept].to_vec();
                // A sector that was not synced may be there as zeros.
                if kept > file.synced && random.next_below(2) == 0 {
                    let from = file.synced + random.next_below((kept - file.synced) as u64) as usize;
                    bytes[from..].fill(0);
                }
                let synced = bytes.len();
                (name.clone(), Arc::new(Mutex::new(File { bytes, synced })))
            })
            .collect();
        let state = State { synced_names: files.clone(), files, left: None, now: state.now, draws: state.draws };
        Self { path: self.path.clone(), state: Arc::new(Mutex::new(state)) }
    }

    /// Files with their bytes.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        lock(&self.state).files.iter().map(|(name, file)| (name.clone(), lock(file).bytes.clone())).collect()
    }

    /// Flips a bit of a file.
    pub(crate) fn flip(&self, name: &str, bit: usize) {
        if let Some(file) = lock(&self.state).files.get(name) {
            lock(file).bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }

    fn get(&self, name: &str) -> Result<Arc<Mutex<File>>> {
        let missing = || Error::io(DiskAction::Read, &self.path_of(name), std::io::ErrorKind::NotFound.into());
        lock(&self.state).files.get(name).cloned().ok_or_else(missing)
    }
}

impl Disk for SimulatedDisk {
    fn path(&self) -> &Path {
        &self.path
    }

    fn create(&self, name: &str) -> Result<Box<dyn DiskFile>> {
        self.operate()?;
        let file = Arc::new(Mutex::new(File::default()));
        lock(&self.state).files.insert(name.to_owned(), Arc::clone(&file));
        Ok(Box::new(SimulatedFile { file, disk: self.clone() }))
    }

    fn append_after(&self, name: &str, length: u64) -> Result<Box<dyn DiskFile>> {
        let mut file = SimulatedFile { file: self.get(name)?, disk: self.clone() };
        file.truncate(length)?;
        Ok(Box::new(file))
    }

    fn read(&self, name: &str) -> Result<Vec<u8>> {
        self.map(name).map(|map| map.to_vec())
    }

    fn is_writer(&self) -> bool {
        // A reader that shares the disk of a writer must see what is on the disk.
        false
    }

    fn map(&self, name: &str) -> Result<Arc<Map>> {
        Ok(Arc::new(Map::from_bytes(&lock(&*self.get(name)?).bytes)))
    }

    fn rename(&self, from: &str, to: &str) -> Result<()> {
        self.operate()?;
        let file = self.get(from)?;
        let files = &mut lock(&self.state).files;
        files.remove(from);
        files.insert(to.to_owned(), file);
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<()> {
        self.get(name)?;
        lock(&self.state).files.remove(name);
        Ok(())
    }

    fn names(&self) -> Result<Vec<String>> {
        Ok(lock(&self.state).files.keys().cloned().collect())
    }

    fn sync_names(&self) -> Result<()> {
        self.operate()?;
        let mut state = lock(&self.state);
        state.synced_names = state.files.clone();
        Ok(())
    }

    fn check_lock(&self) -> Result<()> {
        Ok(())
    }

    fn release(&self) {}

    fn now(&self) -> u64 {
        lock(&self.state).now
    }

    /// A number of a fixed sequence, so that the files of a test are the same bytes.
    fn random(&self) -> Result<u64> {
        let mut state = lock(&self.state);
        state.draws += 1;
        Ok(mix64(state.draws))
    }
}

#[derive(Debug)]
struct SimulatedFile {
    file: Arc<Mutex<File>>,
    disk: SimulatedDisk,
}

impl DiskFile for SimulatedFile {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if let Err(error) = self.disk.operate() {
            // A part of it fits.
            lock(&self.file).bytes.extend_from_slice(&bytes[..bytes.len() / 2]);
            return Err(error);
        }
        lock(&self.file).bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn sync(&mut self) -> Result<()> {
        self.disk.operate()?;
        let mut file = lock(&self.file);
        file.synced = file.bytes.len();
        Ok(())
    }

    fn truncate(&mut self, length: u64) -> Result<()> {
        let mut file = lock(&self.file);
        file.bytes.truncate(length as usize);
        file.synced = file.synced.min(length as usize);
        Ok(())
    }
}
