//! Documents of any number that are decided about one after the other, and added together or not at all.
//!
//! ```text
//! files of the index | its log, in memory | the tail, in memory   a group is compared with all, and joins the tail
//! files of the index | spilled | the tail, in memory              what is large in memory is spilled to files that no
//!                                                                 manifest names: the next writer after a kill removes
//!                                                                 them
//! commit                                                          few documents: a frame of the log; else: the rest is
//!                                                                 a segment, and one manifest names all
//! ```
//!
//! The view is this insertion's own: nobody sees the tail before the commit. A log of its own would have to be synced,
//! and read again after a kill; nothing of it would be of use then, for the documents are compared anew.

use super::{GroupCheck, IndexWriter, Next, Prepared, changes_of, fits_log};
use crate::base::{Error, IndexDocument, Result};
use crate::segment::{Documents, LiveDocuments, Part, SegmentContent, SegmentMaker};
use crate::store::inserted::{Inserted, NearestSearch, decide};
use crate::store::manifest::{SegmentFile, segment_name};
use crate::store::next::{
    LearnedOrder, NewNumbers, NewSegment, NextState, begin_of_equals, count, merge_small, part_of,
};
use crate::store::settings::Storage;
use crate::view::View;
use lookalike_core::comparison::Measure;
use std::sync::Arc;

/// Documents that are added to an index unless one is near: compared with the index and with each other, group by
/// group. None is there before [`Prepared::commit`]; dropped, none ever is.
#[derive(Debug)]
pub struct Insertion<'a> {
    writer: &'a mut IndexWriter,
    measure: Measure,
    check: GroupCheck,
    /// The index without what is replaced, and the tail.
    view: View,
    /// Segments of the tail in files, which follow those of the index in the view.
    spilled: Vec<SegmentFile>,
    /// The first part of the tail in memory.
    tail: usize,
    learned: LearnedOrder,
}

impl IndexWriter {
    /// Begins to add documents of any number unless one is near by `measure`, in the index or before them; a document
    /// that is replaced is not compared with itself.
    ///
    /// # Errors
    /// If the disk fails; [`Error::SignaturesOnly`]; [`Error::LockLost`]; [`Error::Closed`].
    pub fn insertion(&mut self, measure: Measure) -> Result<Insertion<'_>> {
        self.check_to_change()?;
        if self.manifest.settings.storage == Storage::Signatures {
            return Err(Error::SignaturesOnly);
        }
        // Documents in flight to a file would change places in the view.
        self.finish_flushing()?;
        let check = self.group_check()?;
        let view = View { now: self.disk.now(), ..self.view.clone() };
        let tail = view.parts.len();
        let learned = self.learned.clone();
        Ok(Insertion { writer: self, measure, check, view, spilled: Vec::new(), tail, learned })
    }
}

impl<'a> Insertion<'a> {
    /// Decides about the next documents; those that are added are compared with those that come after them.
    ///
    /// # Errors
    /// As [`IndexWriter::commit`], and [`crate::Searcher::search`]; then nothing can be committed any more.
    pub fn insert(mut self, documents: Vec<IndexDocument>) -> Result<(Self, Vec<Inserted>)> {
        self.check.add(&documents)?;
        let group = part_of(SegmentContent::New(&documents), &self.maker(), &self.learned.order)?;
        let near = NearestSearch { index: &self.writer.index, measure: self.measure, threads: self.writer.threads };
        let (inserted, group) = decide(&documents, &mut self.view, group, near)?;
        if group.live() > 0 {
            let group = match group.deleted.count() {
                0 => group,
                _ => self.merged(&[group])?,
            };
            self.view.parts.push(group);
            self.merge_tail()?;
        }
        if self.is_memory_large() {
            self.spill()?;
        }
        Ok((self, inserted))
    }

    /// Writes what is to be added beside the index, and lets the caller say when it is in force: together with outputs
    /// of its own.
    ///
    /// # Errors
    /// As [`IndexWriter::commit`].
    pub fn prepare(mut self) -> Result<Prepared<'a>> {
        let added = LiveDocuments::new(&self.view.parts[self.tail..], self.view.now);
        let next = if self.spilled.is_empty() && added.is_empty() {
            Next::Nothing
        } else if self.spilled.is_empty() && fits_log(&added) {
            let frame = self.writer.log.frame(&changes_of(&added)?);
            drop(added);
            // Then the reported sizes are those of the view that is acknowledged.
            self.tail = self.first_in_memory();
            self.merge_tail()?;
            Next::Logged { frame, view: std::mem::take(&mut self.view) }
        } else {
            drop(added);
            self.spill()?;
            let written = self.write_state();
            Next::Written(Box::new(written.inspect_err(|_| self.writer.remove_others())?))
        };
        Ok(Prepared { writer: self.writer, replaced: 0, next })
    }

    fn maker(&self) -> SegmentMaker<'_> {
        let LearnedOrder { order, file, .. } = &self.learned;
        let maker = SegmentMaker::in_memory_by(self.writer.index.scheme(), order, file.number);
        SegmentMaker { threads: self.writer.threads, ..maker }
    }

    /// One segment in memory of the documents of some parts.
    fn merged(&self, parts: &[Part]) -> Result<Part> {
        part_of(SegmentContent::Merged(&LiveDocuments::new(parts, self.view.now)), &self.maker(), &self.learned.order)
    }

    fn merge_tail(&mut self) -> Result<()> {
        let mut parts = std::mem::take(&mut self.view.parts);
        let merged = merge_small(&mut parts, self.tail, &self.maker(), &self.learned.order, self.view.now);
        self.view.parts = parts;
        merged
    }

    /// The first part that is in no file: of the log of the index until something is spilled, then of the tail.
    fn first_in_memory(&self) -> usize {
        self.writer.files + self.spilled.len()
    }

    /// Returns whether what is in memory is as large as it may be: a segment in memory is copied once when it is
    /// merged.
    fn is_memory_large(&self) -> bool {
        let limits = self.writer.limits;
        let memory = &self.view.parts[self.first_in_memory()..];
        let (documents, elements) = count(memory);
        let bytes: u64 = memory.iter().map(|part| part.segment.bytes()).sum();
        documents >= limits.documents || elements >= limits.elements || bytes >= self.writer.memory_bytes as u64 / 2
    }

    /// Writes what is in memory to a file that no manifest names yet, and merges such files as they become many.
    fn spill(&mut self) -> Result<()> {
        self.replace_by_file(self.first_in_memory())?;
        while let Some(begin) = begin_of_equals(&self.view.parts, self.writer.files) {
            self.replace_by_file(begin)?;
        }
        Ok(())
    }

    /// Writes all parts from `begin` on as one, to a file. Spilled files among them are removed.
    fn replace_by_file(&mut self, begin: usize) -> Result<()> {
        let parts = &self.view.parts[begin..];
        let documents = LiveDocuments::new(parts, self.view.now);
        let maker = SegmentMaker { memory_bytes: self.writer.memory_bytes, ..self.maker() };
        let disk = Arc::clone(&self.writer.disk);
        let mut named = self.writer.manifest.clone();
        let numbers = NewNumbers::take(&mut named);
        let written =
            NewSegment::write(&*disk, maker, self.learned.clone(), numbers, SegmentContent::Merged(&documents));
        drop(documents);
        self.writer.manifest.next = named.next;
        let NewSegment { part, learned } = written.inspect_err(|_| self.writer.remove_others())?;
        // Each spilled segment may have an order of its own; what no segment uses in the end is not named.
        self.writer.manifest.add_order(learned.file);
        self.learned = learned;
        self.view.parts.truncate(begin);
        for file in self.spilled.drain((begin - self.writer.files).min(self.spilled.len())..) {
            // Files that cannot be removed now are removed with all that no manifest names.
            let _ = disk.remove(&segment_name(file.number));
        }
        if let Some((file, part)) = part {
            self.spilled.push(file);
            self.view.parts.push(part);
        }
        self.tail = self.view.parts.len();
        Ok(())
    }

    /// Writes the manifest of the index with the spilled segments, which are all there is of the tail.
    fn write_state(&mut self) -> Result<NextState> {
        let mut manifest = self.writer.manifest.clone();
        manifest.segments.append(&mut self.spilled);
        let parts = std::mem::take(&mut self.view.parts);
        let next = NextState::write(&*self.writer.disk, manifest, parts, self.learned.clone())?;
        let orders = next.manifest.segments.iter().map(|file| file.order).zip(&next.parts);
        self.writer.orders.0.extend(orders.map(|(number, part)| (number, Arc::clone(&part.segment.order))));
        Ok(next)
    }
}
