//! Whether the disk has room for what will not fit into memory, asked before the work begins.
//!
//! What will be needed is a guess from the size of the inputs, made of figures that ordinary text has: seven bytes a word, an element of
//! eight bytes a word, one byte to count it, and for each element of a prefix a key that is written twice.

use super::Spill;
use crate::error::{Error, Result};
use std::path::Path;
use sysinfo::Disks;

/// Input for one element, as English text has it.
const BYTES_PER_ELEMENT: u64 = 7;
/// A key of an element, dealt and numbered. Half of the prefix of a set is unique, as a rule, and dropped before that.
const BYTES_PER_KEY: f64 = 28.0 / 2.0;

/// Bytes of temporary data that a job over so much text will need, at a threshold.
fn predicted_bytes(text_bytes: u64, threshold: f64) -> u64 {
    let elements = (text_bytes / BYTES_PER_ELEMENT) as f64;
    let bytes_per_element = size_of::<u64>() as f64 + 1.0 + (1.0 - threshold) * BYTES_PER_KEY;
    (elements * bytes_per_element) as u64
}

impl Spill {
    /// Checks that there is room for what a job over so much text will not hold in memory; `is_kept` if all of it is to
    /// be kept in files.
    ///
    /// # Errors
    /// [`Error::TooLittleDisk`]. Where the system does not tell, there is always room.
    pub(crate) fn check_disk(&self, text_bytes: u64, threshold: f64, is_kept: bool) -> Result<()> {
        let needed_bytes = predicted_bytes(text_bytes, threshold);
        let fits_into_memory = needed_bytes < self.budget_bytes / 4;
        if fits_into_memory && !is_kept {
            return Ok(());
        }
        match available_bytes(&self.folder) {
            Some(available_bytes) if available_bytes < needed_bytes => {
                Err(Error::TooLittleDisk { path: self.folder.clone(), needed_bytes, available_bytes })
            }
            _ => Ok(()),
        }
    }
}

/// What is free on the disk of a folder.
fn available_bytes(folder: &Path) -> Option<u64> {
    let folder = folder.canonicalize().ok()?;
    let disks = Disks::new_with_refreshed_list();
    let holding = disks.iter().filter(|disk| folder.starts_with(disk.mount_point()));
    let nearest = holding.max_by_key(|disk| disk.mount_point().as_os_str().len())?;
    Some(nearest.available_space())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::MemoryOptions;

    #[test]
    fn more_than_the_disk_has_is_refused_before_the_work() {
        let options = MemoryOptions { budget_bytes: Some(1 << 30), temporary_folder: None };
        let spill = Spill::new(&options, None);
        assert!(spill.check_disk(1 << 20, 0.8, true).is_ok());
        let endless = u64::MAX / 2;
        if available_bytes(&spill.folder).is_some() {
            let error = spill.check_disk(endless, 0.8, false).unwrap_err();
            assert!(matches!(error, Error::TooLittleDisk { .. }), "{error}");
        }
    }

    #[test]
    fn predictions_grow_with_the_text_and_with_lower_thresholds() {
        assert_eq!(predicted_bytes(7000, 1.0), 9000);
        assert_eq!(predicted_bytes(7000, 0.5), 16_000);
        assert_eq!(predicted_bytes(0, 0.5), 0);
    }
}
