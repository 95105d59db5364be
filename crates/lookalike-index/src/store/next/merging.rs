//! Merging: threads of their own write some segments as one, while the index is asked and changed.
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

use super::new_segment::{LearnedOrder, NewNumbers, NewSegment};
use crate::disk::Disk;
use crate::ground::details::Action;
use crate::ground::{Error, Result};
use crate::segment::{Content, LiveDocuments, Part, SegmentMaker};
use crate::store::files::{order_name, segment_name};
use crate::store::index::maker_of;
use crate::view::Asking;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

/// Segments that are to be merged.
#[derive(Debug)]
pub(in crate::store) struct MergeTask {
    pub(in crate::store) disk: Arc<dyn Disk>,
    pub(in crate::store) asking: Asking,
    pub(in crate::store) learned: LearnedOrder,
    pub(in crate::store) numbers: NewNumbers,
    pub(in crate::store) parts: Vec<Part>,
    /// The second since 1970 at which documents must live.
    pub(in crate::store) now: u64,
    pub(in crate::store) threads: usize,
    pub(in crate::store) memory_bytes: usize,
}

impl MergeTask {
    fn run(self) -> Result<NewSegment> {
        let Self { disk, asking, learned, numbers, parts, now, threads, memory_bytes } = self;
        let maker = maker_of(&asking, &learned.order, learned.file.number);
        let maker = SegmentMaker { threads, memory_bytes, ..maker };
        // What is damaged must not be copied to where a checksum vouches for it.
        parts.iter().try_for_each(|part| part.segment.check_bytes())?;
        let documents = LiveDocuments::of(&parts, now);
        NewSegment::write(&*disk, maker, learned.clone(), numbers, Content::Merged(&documents))
    }
}

/// Segments that are being written as one.
#[derive(Debug)]
pub(in crate::store) struct Merging {
    /// As they were when it began.
    parts: Vec<Part>,
    numbers: NewNumbers,
    /// The number of the order by which it makes keys.
    order: u64,
    thread: JoinHandle<Result<NewSegment>>,
}

impl Merging {
    pub(in crate::store) fn begin(task: MergeTask) -> Result<Self> {
        let parts = task.parts.clone();
        let numbers = task.numbers;
        let order = task.learned.file.number;
        let path = task.disk.path().to_owned();
        let thread = Builder::new().name("lookalike merging".to_owned()).spawn(|| task.run());
        let thread = thread.map_err(|source| Error::io(Action::BeginThread, &path, source))?;
        Ok(Self { parts, numbers, order, thread })
    }

    /// Number of the segments.
    pub(in crate::store) fn len(&self) -> usize {
        self.parts.len()
    }

    /// The names of the files that it may be writing, and that the new segment may need.
    pub(in crate::store) fn files(&self) -> [String; 3] {
        [segment_name(self.numbers.segment), order_name(self.numbers.order), order_name(self.order)]
    }

    pub(in crate::store) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits for the new segment, and deletes from it what was deleted since; `now` are the merged parts as they are.
    pub(in crate::store) fn finish(self, now: &[Part]) -> Result<NewSegment> {
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
