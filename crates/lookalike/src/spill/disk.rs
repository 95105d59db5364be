//! Checks before the work that the disk has room for the data that will not fit into memory.
//!
//! The need is predicted from the size of the inputs, with the figures of ordinary text: seven bytes a word, an element
//! of eight bytes a word, four bytes to count it, of which one stays, and for each element of a prefix a key that is
//! written twice.

use super::Spill;
use crate::base::{Error, Result};
use lookalike_core::comparison::Measure;
use lookalike_core::keys::Bounds;
use std::path::{Path, PathBuf};
use sysinfo::Disks;

/// Input for one element, as English text has it.
const BYTES_PER_ELEMENT: u64 = 7;
/// An element in a stream, which ends when it was counted, and its count.
const BYTES_PER_DEALT: f64 = 4.0;
const BYTES_PER_COUNT: f64 = 1.0;
/// A key of an element, dealt and numbered. Half of the prefix of a set is unique, as a rule, and dropped before that.
const BYTES_PER_KEY: f64 = 28.0 / 2.0;
/// Elements of a set so large that its prefix is as long as the measure asks, without rounding.
const SET_SIZE: usize = 1 << 20;

/// The disk space that a job needs, predicted from the size of its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Predicted {
    /// The corpus, which a work folder stores.
    corpus_bytes: u64,
    /// Elements that are counted, or their counts and keys, of which a work folder stores the keys: an upper bound for
    /// methods that do not count elements.
    key_bytes: u64,
}

impl Predicted {
    fn new(text_bytes: u64, measure: Measure) -> Self {
        let elements = text_bytes / BYTES_PER_ELEMENT;
        let keys_per_element = measure.prefix_length(SET_SIZE) as f64 / SET_SIZE as f64;
        let bytes_of_keys = BYTES_PER_DEALT.max(BYTES_PER_COUNT + keys_per_element * BYTES_PER_KEY);
        Self { corpus_bytes: elements * size_of::<u64>() as u64, key_bytes: (elements as f64 * bytes_of_keys) as u64 }
    }

    fn total(self) -> u64 {
        self.corpus_bytes.saturating_add(self.key_bytes)
    }
}

impl Spill {
    /// Checks that the disk has room for the temporary files of a job over `text_bytes` of text, and for those of its
    /// work folder.
    ///
    /// # Errors
    /// [`Error::TooLittleDisk`]; never where the system does not report free space.
    pub(crate) fn check_disk(&self, text_bytes: u64, measure: Measure, work_folder: Option<&Path>) -> Result<()> {
        let predicted = Predicted::new(text_bytes, measure);
        let is_spilled = self.budget().expects_files_for(predicted.total());
        match work_folder {
            None if is_spilled => check(&self.folder, predicted.total()),
            None => Ok(()),
            Some(work) if is_one_disk(work, &self.folder) => check(work, predicted.total()),
            Some(work) => {
                check(work, predicted.corpus_bytes)?;
                if is_spilled { check(&self.folder, predicted.key_bytes) } else { Ok(()) }
            }
        }
    }
}

/// Free space of the disk of a folder in bytes; `None` where the system does not tell.
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    FolderDisk::find(folder).map(|disk| disk.available_bytes)
}

fn check(folder: &Path, needed_bytes: u64) -> Result<()> {
    match FolderDisk::find(folder) {
        Some(FolderDisk { available_bytes, .. }) if available_bytes < needed_bytes => {
            Err(Error::TooLittleDisk { path: folder.to_owned(), needed_bytes, available_bytes })
        }
        _ => Ok(()),
    }
}

/// Returns whether two folders are on the same disk.
fn is_one_disk(one: &Path, other: &Path) -> bool {
    let mount_point = |folder| FolderDisk::find(folder).map(|disk| disk.mount_point);
    one == other || mount_point(one) == mount_point(other)
}

/// The disk of a folder.
#[derive(Debug)]
struct FolderDisk {
    mount_point: PathBuf,
    /// Free space.
    available_bytes: u64,
}

impl FolderDisk {
    /// `None` where the system does not tell.
    fn find(folder: &Path) -> Option<Self> {
        let folder = folder.canonicalize().ok()?;
        let disks = Disks::new_with_refreshed_list();
        let holding = disks.iter().filter(|disk| folder.starts_with(disk.mount_point()));
        let nearest = holding.max_by_key(|disk| disk.mount_point().as_os_str().len())?;
        Some(Self { mount_point: nearest.mount_point().to_owned(), available_bytes: nearest.available_space() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spill::Budget;
    use crate::testing;

    #[test]
    fn more_than_the_disk_has_is_refused_before_the_work() {
        let spill = Spill::new(Budget::new(1 << 30), std::env::temp_dir());
        let folder = spill.folder.as_path();
        assert!(spill.check_disk(1 << 20, Measure::default(), Some(folder)).is_ok());
        let endless = u64::MAX / 2;
        // Linux tells; of other systems some may not.
        assert!(FolderDisk::find(folder).is_some() || cfg!(not(target_os = "linux")));
        if FolderDisk::find(folder).is_some() {
            for work in [None, Some(folder)] {
                let error = spill.check_disk(endless, Measure::default(), work).unwrap_err();
                assert!(matches!(error, Error::TooLittleDisk { .. }), "{error}");
            }
        }
    }

    #[test]
    fn predictions_grow_with_the_text_and_with_lower_thresholds() {
        let predicted = |text_bytes, percent| Predicted::new(text_bytes, testing::percent(percent)).total();
        assert_eq!(predicted(7000, 100), 12_000);
        assert_eq!(predicted(7000, 50), 16_000);
        assert_eq!(predicted(0, 50), 0);
    }
}
