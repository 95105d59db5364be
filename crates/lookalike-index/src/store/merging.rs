//! Merging: threads of their own write some segments as one, while the index is queried and changed.
//!
//! ```text
//! files ... [ merged ] ... | [ flushed ] those since     flushing begins: a new log is begun
//! files ... [ merged ] ... the new segment | those since it ends: the old log is forgotten
//! files ... the new segment ...                          merging ends, before or after: the logs have no part in it
//! ```
//!
//! What is in memory is *flushed* to a file, whatever files are being *merged* meanwhile: a large merge takes minutes,
//! for which no change waits. The manifest names both logs from the beginning on, so nothing depends on the end. What
//! was deleted since the beginning is so in the new segment, too.

use super::manifest::{order_name, segment_name};
use super::next::{LearnedOrder, NewNumbers, NewSegment};
use crate::base::details::DiskAction;
use crate::base::{Error, Result};
use crate::disk::Disk;
use crate::segment::{LiveDocuments, Part, Scheme, SegmentContent, SegmentMaker};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

/// Segments that are to be merged.
#[derive(Debug)]
pub(super) struct MergeTask {
    pub(super) disk: Arc<dyn Disk>,
    pub(super) scheme: Scheme,
    pub(super) learned: LearnedOrder,
    pub(super) numbers: NewNumbers,
    pub(super) parts: Vec<Part>,
    /// The second since 1970 at which documents must live.
    pub(super) now: u64,
    pub(super) threads: usize,
    pub(super) memory_bytes: usize,
}

impl MergeTask {
    fn run(self) -> Result<NewSegment> {
        let Self { disk, scheme, learned, numbers, parts, now, threads, memory_bytes } = self;
        let maker = SegmentMaker::in_memory_by(&scheme, &learned.order, learned.file.number);
        let maker = SegmentMaker { threads, memory_bytes, ..maker };
        // Damaged bytes must not be copied to where a checksum vouches for them.
        parts.iter().try_for_each(|part| part.segment.check_bytes())?;
        let documents = LiveDocuments::new(&parts, now);
        NewSegment::write(&*disk, maker, learned.clone(), numbers, SegmentContent::Merged(&documents))
    }
}

/// Segments that are being written as one.
#[derive(Debug)]
pub(super) struct Merging {
    /// The segments as they were when merging began.
    parts: Vec<Part>,
    numbers: NewNumbers,
    /// The number of the order by which it makes keys.
    order: u64,
    thread: JoinHandle<Result<NewSegment>>,
}

impl Merging {
    pub(super) fn begin(task: MergeTask) -> Result<Self> {
        let parts = task.parts.clone();
        let numbers = task.numbers;
        let order = task.learned.file.number;
        let path = task.disk.path().to_owned();
        let thread = Builder::new().name("lookalike merging".to_owned()).spawn(|| task.run());
        let thread = thread.map_err(|source| Error::io(DiskAction::BeginThread, &path, source))?;
        Ok(Self { parts, numbers, order, thread })
    }

    /// Number of the segments.
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// The names of the files that it may be writing, and that the new segment may need.
    pub(super) fn files(&self) -> [String; 3] {
        [segment_name(self.numbers.segment), order_name(self.numbers.order), order_name(self.order)]
    }

    pub(super) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits for the new segment, and deletes from it what was deleted since; `now` are the merged parts as they are.
    pub(super) fn finish(self, now: &[Part]) -> Result<NewSegment> {
        let mut new = self.thread.join().unwrap_or_else(|panic| resume_unwind(panic))?;
        if let Some((_, part)) = &mut new.part {
            for (before, now) in self.parts.iter().zip(now) {
                let documents = 0..now.segment.len() as u32;
                for document in documents.filter(|&it| now.deleted.has(it) && !before.deleted.has(it)) {
                    part.delete(now.segment.id(document as usize));
                }
            }
        }
        Ok(new)
    }
}

/// Work of a writer that goes on while there are other changes.
#[derive(Debug, Default)]
pub(super) struct Background {
    pub(super) flushing: Option<Flushing>,
    pub(super) merging: Option<MergingFiles>,
    /// Reason why documents of the log did not become a segment: for the next change, which would lengthen the log.
    pub(super) flush_failure: Option<Error>,
    /// Reason why files were not merged. They stay as they are then, and are only merged on request.
    pub(super) merge_failure: Option<Error>,
}

/// Segments of memory on their way to a file.
#[derive(Debug)]
pub(super) struct Flushing {
    /// The parts behind those in files.
    pub(super) merging: Merging,
    /// The log with the changes since.
    pub(super) log: u64,
}

/// Files that are being merged.
#[derive(Debug)]
pub(super) struct MergingFiles {
    /// The place of the first in the view.
    pub(super) begin: usize,
    pub(super) merging: Merging,
}
