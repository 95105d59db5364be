//! What a writer does while there are other changes.

use super::merging::Merging;
use crate::ground::Error;

/// What is being done meanwhile.
#[derive(Debug, Default)]
pub(in crate::store) struct Background {
    pub(in crate::store) flushing: Option<Flushing>,
    pub(in crate::store) merging: Option<MergingFiles>,
    /// Why documents of the log did not become a segment: for the next change, which would make the log longer.
    pub(in crate::store) flush_failure: Option<Error>,
    /// Why files were not merged. Then they stay as they are, and are no more merged unasked.
    pub(in crate::store) merge_failure: Option<Error>,
}

/// What was in memory, on its way to a file.
#[derive(Debug)]
pub(in crate::store) struct Flushing {
    /// The parts behind those in files.
    pub(in crate::store) merging: Merging,
    /// The log with the changes since.
    pub(in crate::store) log: u64,
}

/// Files that are being merged.
#[derive(Debug)]
pub(in crate::store) struct MergingFiles {
    /// The place of the first in the view.
    pub(in crate::store) begin: usize,
    pub(in crate::store) merging: Merging,
}
