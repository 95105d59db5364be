//! Merging: a thread of its own writes some segments as one, while the index is asked and changed.
//!
//! ```text
//! parts     files ...  | those that are merged | those since      merging begins: a new log is begun
//! parts     files ...  | the new segment       | those since      it ends: what was deleted since is so in it, too
//! logs      [ until then, since ]  -->  [ since ]
//! ```
//!
//! The manifest names both logs from the beginning on, so nothing depends on the end.

use super::new_segment::{LearnedOrder, NewNumbers, NewSegment};
use crate::disk::Disk;
use crate::ground::{Error, Result};
use crate::segment::{Content, LiveDocuments, Part, SegmentMaker};
use crate::store::index::maker_of;
use crate::view::Asking;
use std::ops::Range;
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
        let maker = maker_of(&asking, &learned.order, learned.number);
        let maker = SegmentMaker { threads, memory_bytes, ..maker };
        let documents = LiveDocuments::of(&parts, now);
        NewSegment::write(&*disk, maker, learned.clone(), numbers, Content::Merged(&documents))
    }
}

/// Segments that are being merged.
#[derive(Debug)]
pub(in crate::store) struct Merging {
    /// Their places in the view.
    range: Range<usize>,
    /// The log with the changes since.
    log: u64,
    /// As they were when it began.
    parts: Vec<Part>,
    thread: JoinHandle<Result<NewSegment>>,
}

impl Merging {
    /// Begins to merge the parts of a view from `begin` on; `log` has what is changed from now on.
    pub(in crate::store) fn begin(task: MergeTask, begin: usize, log: u64) -> Result<Self> {
        let (parts, path) = (task.parts.clone(), task.disk.path().to_owned());
        let thread = Builder::new().name("lookalike merging".to_owned()).spawn(|| task.run());
        let thread = thread.map_err(|source| Error::io("begin a thread for", &path, source))?;
        Ok(Self { range: begin..begin + parts.len(), log, parts, thread })
    }

    pub(in crate::store) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    pub(in crate::store) fn log(&self) -> u64 {
        self.log
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
