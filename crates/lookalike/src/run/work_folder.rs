//! A folder where a job keeps the results of its stages, so that the same command goes on from there.
//!
//! Each stage saves a container, which appears by renaming. It says what it depends on (a [`Provenance`] of
//! parameters); one that depends on something else than the present job is refused, with the first difference. One that
//! is damaged counts as never saved. The reading stage, whose arrays grow for a long time, keeps them in files of their
//! own beside its container. A manifest names the temporary files of the job that others can see, here and elsewhere:
//! what a killed run has left of them is removed when the folder is opened, and nothing that it does not name.

use super::{Checkpoint, SectionWriter, Stored};
use crate::base::{Error, Result, WorkFolderError};
use crate::spill::Spill;
use lookalike_core::stored::Provenance;
use lookalike_io::base::details::Action;
use lookalike_io::base::{Access, Manifest, create_own_file, open_own_file};
use std::fs::{self, File, TryLockError};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Held by the job that is at work; a folder that has it is one of ours.
const LOCK: &str = "lookalike.lock";
/// A file that the work folders of version 0.1.0 have.
const STATE_OF_VERSION_1: &str = "reading.json";

/// The folder of a job, held until it is dropped.
#[derive(Debug)]
pub(crate) struct WorkFolder {
    folder: PathBuf,
    manifest: Arc<Manifest>,
    _lock: File,
}

impl WorkFolder {
    /// Opens a folder of an earlier run of the job, or makes a new one.
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let io = |source| lookalike_io::Error::io(Action::WorkIn, folder, source);
        fs::create_dir_all(folder).map_err(io)?;
        let lock = folder.join(LOCK);
        let is_foreign = fs::symlink_metadata(&lock).is_err() && fs::read_dir(folder).map_err(io)?.next().is_some();
        if is_foreign {
            return Err(WorkFolderError::NotAWorkFolder { path: folder.to_owned() }.into());
        }
        if folder.join(STATE_OF_VERSION_1).exists() {
            return Err(WorkFolderError::OldWorkFolder { path: folder.to_owned() }.into());
        }
        let lock = match open_own_file(&lock, Access::Write)? {
            Some(lock) => lock,
            None => File::options().create(true).truncate(false).write(true).open(lock).map_err(io)?,
        };
        match lock.try_lock() {
            Ok(()) => {
                let manifest = Arc::new(Manifest::take_up(folder)?);
                Ok(Self { folder: folder.to_owned(), manifest, _lock: lock })
            }
            Err(TryLockError::WouldBlock) => Err(WorkFolderError::WorkFolderInUse { path: folder.to_owned() }.into()),
            Err(TryLockError::Error(source)) => Err(io(source).into()),
        }
    }

    /// The manifest of the temporary files of the job.
    pub(super) fn manifest(&self) -> Arc<Manifest> {
        Arc::clone(&self.manifest)
    }

    /// Path of a file of that name.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn container(&self, name: &str) -> PathBuf {
        self.path(&format!("{name}.checkpoint"))
    }

    /// The result that was saved under `name`, if there is one and it is whole.
    ///
    /// # Errors
    /// [`WorkFolderError::OtherJob`] if it depends on something else; [`Error::NotReadable`] if another version has
    /// saved it.
    pub(crate) fn load<T: Checkpoint>(&self, name: &str, provenance: &Provenance, spill: &Spill) -> Result<Option<T>> {
        let path = self.container(name);
        let Some(stored) = Stored::open(&path, spill)? else { return Ok(None) };
        if let Some(difference) = provenance.difference(stored.directory.provenance()) {
            return Err(WorkFolderError::OtherJob { path: self.folder.clone(), difference }.into());
        }
        stored.about().map_or(Ok(None), |about| T::load(about, &stored))
    }

    /// Saves a result under `name` in place of an earlier one.
    pub(crate) fn save(&self, name: &str, provenance: &Provenance, result: &impl Checkpoint) -> Result<()> {
        let path = self.container(name);
        let staging = self.path(&format!("{name}.checkpoint.partial"));
        let io = |source| Error::from(lookalike_io::Error::io(Action::Write, &path, source));
        let mut file = BufWriter::new(create_own_file(&staging)?);
        let mut sink = |bytes: &[u8]| file.write_all(bytes).map_err(io);
        let mut sections = SectionWriter::new(&mut sink)?;
        result.save(&mut sections)?;
        sections.finish(provenance, &result.about())?;
        file.flush().and_then(|()| fs::rename(&staging, &path)).map_err(io)
    }
}

/// The checkpoint of the stage that is running.
pub(crate) struct SavedStage<'s> {
    pub(super) name: &'static str,
    /// The work folder of the job, and what the stage depends on; `None` if the job has none.
    pub(super) stored: Option<(&'s WorkFolder, Provenance)>,
    pub(super) spill: &'s Spill,
}

impl<'s> SavedStage<'s> {
    /// The work folder, for arrays that grow in files of their own.
    pub(crate) fn folder(&self) -> Option<&'s WorkFolder> {
        self.stored.as_ref().map(|(folder, _)| *folder)
    }

    /// Returns the stage of a job without a work folder.
    pub(crate) fn without_folder(&self) -> Self {
        Self { name: self.name, stored: None, spill: self.spill }
    }

    /// Loads the result that was saved last, if it is whole.
    ///
    /// # Errors
    /// [`crate::details::WorkFolderError::OtherJob`] if it depends on something else.
    pub(crate) fn load<T: Checkpoint>(&self) -> Result<Option<T>> {
        match &self.stored {
            Some((folder, provenance)) => folder.load(self.name, provenance, self.spill),
            None => Ok(None),
        }
    }

    /// Saves a result in place of what was saved before.
    pub(crate) fn save(&self, result: &impl Checkpoint) -> Result<()> {
        match &self.stored {
            Some((folder, provenance)) => folder.save(self.name, provenance, result),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spill::Budget;
    use lookalike_core::Array;

    /// Some numbers and a word.
    #[derive(Debug, PartialEq)]
    struct Numbers(&'static str, Vec<u64>);

    impl Checkpoint for Numbers {
        type About = String;

        fn about(&self) -> String {
            self.0.to_owned()
        }

        fn save(&self, sections: &mut SectionWriter<'_>) -> Result<()> {
            sections.slice("numbers", &self.1)
        }

        fn load(about: String, stored: &Stored<'_>) -> Result<Option<Self>> {
            assert_eq!(about, "seven");
            Ok(stored.array("numbers")?.map(|numbers: Array<u64>| Self("seven", numbers.into_vec())))
        }
    }

    fn provenance(threshold: f64) -> Provenance {
        Provenance::new().with_fact("threshold", threshold)
    }

    #[test]
    fn results_come_back_for_the_same_job_only() {
        let folder = tempfile::tempdir().unwrap();
        let work = WorkFolder::open(folder.path()).unwrap();
        let spill = Spill::new(Budget::new(1 << 30), "".into());
        let load = |threshold| work.load::<Numbers>("stage", &provenance(threshold), &spill);
        assert_eq!(load(0.8).unwrap(), None);
        let numbers = || Numbers("seven", (0..50_000).collect());
        work.save("stage", &provenance(0.8), &numbers()).unwrap();
        assert_eq!(load(0.8).unwrap(), Some(numbers()));
        let error = load(0.9).unwrap_err().to_string();
        assert!(error.contains("threshold was 0.8 and is 0.9"), "{error}");
        let error = work.load::<Numbers>("stage", &Provenance::new(), &spill).unwrap_err().to_string();
        assert!(error.contains("threshold was 0.8 and is nothing"), "{error}");
    }

    #[test]
    fn damaged_results_were_never_saved() {
        let folder = tempfile::tempdir().unwrap();
        let work = WorkFolder::open(folder.path()).unwrap();
        let spill = Spill::new(Budget::new(1 << 30), "".into());
        let load = || work.load::<Numbers>("stage", &provenance(0.8), &spill).unwrap();
        work.save("stage", &provenance(0.8), &Numbers("seven", vec![7; 300])).unwrap();
        let path = folder.path().join("stage.checkpoint");
        let whole = fs::read(&path).unwrap();
        for place in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[place] ^= 1;
            fs::write(&path, flipped).unwrap();
            assert_eq!(load(), None, "byte {place}");
            fs::write(&path, &whole[..place]).unwrap();
            assert_eq!(load(), None, "cut at {place}");
        }
        fs::remove_file(&path).unwrap();
        assert_eq!(load(), None);
    }

    #[test]
    fn files_of_others_in_the_folder_stay() {
        let folder = tempfile::tempdir().unwrap();
        drop(WorkFolder::open(folder.path()).unwrap());
        let mine = folder.path().join("lookalike-clean.jsonl");
        fs::write(&mine, "do not touch").unwrap();
        WorkFolder::open(folder.path()).unwrap();
        assert_eq!(fs::read_to_string(mine).unwrap(), "do not touch");
    }

    #[cfg(unix)]
    #[test]
    fn links_to_files_of_others_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let work = WorkFolder::open(folder.path()).unwrap();
        let spill = Spill::new(Budget::new(1 << 30), "".into());
        let mine = folder.path().join("thesis.txt");
        fs::write(&mine, "do not touch").unwrap();
        for name in ["stage.checkpoint.partial", "stage.checkpoint"] {
            std::os::unix::fs::symlink(&mine, folder.path().join(name)).unwrap();
        }
        let is_refused = |error| matches!(error, Error::Io(lookalike_io::Error::NotOwnFile { .. }));
        assert!(is_refused(work.load::<Numbers>("stage", &provenance(0.8), &spill).unwrap_err()));
        assert!(is_refused(work.save("stage", &provenance(0.8), &Numbers("seven", vec![7])).unwrap_err()));
        drop(work);
        fs::remove_file(folder.path().join(LOCK)).unwrap();
        std::os::unix::fs::symlink(&mine, folder.path().join(LOCK)).unwrap();
        assert!(is_refused(WorkFolder::open(folder.path()).unwrap_err()));
        assert_eq!(fs::read_to_string(mine).unwrap(), "do not touch");
    }

    #[test]
    fn folders_of_others_of_older_versions_and_in_use_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let first = WorkFolder::open(folder.path()).unwrap();
        assert!(matches!(
            WorkFolder::open(folder.path()),
            Err(Error::WorkFolder(WorkFolderError::WorkFolderInUse { .. }))
        ));
        drop(first);
        WorkFolder::open(folder.path()).unwrap();
        fs::write(folder.path().join(STATE_OF_VERSION_1), "{}").unwrap();
        assert!(matches!(
            WorkFolder::open(folder.path()),
            Err(Error::WorkFolder(WorkFolderError::OldWorkFolder { .. }))
        ));
        let other = tempfile::tempdir().unwrap();
        fs::write(other.path().join("thesis.txt"), "mine").unwrap();
        assert!(matches!(
            WorkFolder::open(other.path()),
            Err(Error::WorkFolder(WorkFolderError::NotAWorkFolder { .. }))
        ));
    }
}
