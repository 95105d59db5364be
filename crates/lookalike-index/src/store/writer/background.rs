//! Work of the writer while there are other changes: documents of the log become a segment in a file, and segments of
//! files become one. [`Merging`] draws how.

use super::{IndexWriter, Limits, MergingTime, PROBE};
use crate::base::{Error, Result};
use crate::segment::Part;
use crate::store::manifest::is_numbered;
use crate::store::merging::{Background, Flushing, MergeTask, Merging, MergingFiles};
use crate::store::next::{NewNumbers, NewSegment, begin_log, count, write_manifest};
use crate::view::View;
use std::ops::Range;
use std::sync::Arc;

/// Segments of about one size that are merged with another.
const MERGED: usize = 3;
/// Changes of the log, by the size from which on they become a segment, that wait for the segment before at most.
const MAX_WAITING: usize = 3;
/// Segments that come while others are merged, at most: a question looks into each.
const MAX_UNMERGED: usize = 32;

impl IndexWriter {
    /// Writes what is only in the log to a segment, and merges segments if there are many of about one size; whether
    /// that went well is reported by [`IndexWriter::merge_failure`].
    ///
    /// # Errors
    /// If the disk fails; the index stays as it was.
    pub fn flush(&mut self) -> Result<()> {
        self.check()?;
        self.finish_flushing()?;
        if !self.log.is_empty() || self.manifest.logs.len() > 1 {
            self.begin_flushing()?;
            self.finish_flushing()?;
        }
        self.merge_all();
        Ok(())
    }

    /// Merges all segments into one, without what was deleted or is expired; into several if one would have more than
    /// 2^32 keys.
    ///
    /// # Errors
    /// As [`IndexWriter::flush`]; if a document of the index is damaged.
    pub fn compact(&mut self) -> Result<()> {
        self.flush()?;
        let now = self.disk.now();
        let mut begin = 0;
        while begin < self.files {
            let parts = &self.view.parts[begin..self.files];
            let mut keys = 0;
            let fitting = parts.iter().take_while(|part| {
                keys += part.segment.keys() as u64;
                keys <= self.limits.keys
            });
            let count = fitting.count().max(1);
            let before = self.files;
            let is_clean = parts[0].count(now) == parts[0].segment.len();
            if count > 1 || !is_clean {
                self.begin_merging(begin..begin + count)?;
                self.finish_merging()?;
            }
            // Segments without documents are dropped.
            begin += usize::from(before - self.files < count);
        }
        self.background.merge_failure = None;
        Ok(())
    }

    /// Reason why segments of files were not merged, if that failed since the index was opened or compacted. They stay
    /// as they are, and no answer depends on it.
    pub fn merge_failure(&self) -> Option<&Error> {
        self.background.merge_failure.as_ref()
    }

    /// Ends what is ready, and begins to write a segment if the log is large, to merge some if they are many.
    pub(super) fn work_meanwhile(&mut self) {
        if let Err(failure) = self.flush_meanwhile() {
            self.background.flush_failure = Some(failure);
        }
        let is_due = |MergingFiles { begin, merging }: &MergingFiles| {
            merging.is_finished() || self.files - (begin + merging.len()) >= MAX_UNMERGED
        };
        if self.background.merging.as_ref().is_some_and(is_due) {
            let finished = self.finish_merging();
            self.note_merge(finished);
        }
        self.merge_many();
        match self.limits.merging {
            MergingTime::Meanwhile => {}
            #[cfg(test)]
            MergingTime::AtOnce => {
                if let Err(failure) = self.finish_flushing() {
                    self.background.flush_failure = Some(failure);
                }
                self.merge_all();
            }
        }
    }

    /// Checks that there is nothing to tell before the next change.
    pub(super) fn check_to_change(&mut self) -> Result<()> {
        self.check()?;
        self.background.flush_failure.take().map_or(Ok(()), Err)
    }

    fn flush_meanwhile(&mut self) -> Result<()> {
        let flushing = self.background.flushing.as_ref();
        if flushing.is_some_and(|flushing| flushing.merging.is_finished())
            || flushing.is_some() && self.is_log_large(MAX_WAITING)
        {
            self.finish_flushing()?;
        }
        if self.background.flushing.is_none() && self.is_log_large(1) { self.begin_flushing() } else { Ok(()) }
    }

    /// Begins to write what is in memory to a file. From then on changes go to another log.
    fn begin_flushing(&mut self) -> Result<()> {
        self.log.sync()?;
        let mut manifest = self.manifest.clone();
        let numbers = NewNumbers::take(&mut manifest);
        self.note_log_end(&mut manifest);
        let log = begin_log(&*self.disk, &mut manifest)?;
        write_manifest(&*self.disk, &mut manifest, &self.view.parts[..self.files])?;
        self.replace_manifest(manifest)?;
        let number = log.end().number;
        self.log = log;
        let task = self.task(numbers, self.files..self.view.parts.len());
        self.background.flushing = Some(Flushing { merging: Merging::begin(task)?, log: number });
        Ok(())
    }

    /// Waits until what was in memory is in a file, if it is on its way.
    pub(super) fn finish_flushing(&mut self) -> Result<()> {
        let Some(Flushing { merging, log }) = self.background.flushing.take() else { return Ok(()) };
        let range = self.files..self.files + merging.len();
        let new = merging.finish(&self.view.parts[range.clone()]);
        self.replace_parts(range, new, Some(log))
    }

    /// Begins to merge the last segments of files if they are many of about one size, unless others are being merged,
    /// or merging has failed.
    pub(super) fn merge_many(&mut self) {
        let last = self.files.saturating_sub(1);
        let begin = self.begin_of_merged(last);
        let Background { merging, merge_failure, .. } = &self.background;
        if merging.is_none() && merge_failure.is_none() && begin < last {
            let begun = self.begin_merging(begin..self.files);
            self.note_merge(begun);
        }
    }

    /// Merges files as long as there are many of about one size.
    fn merge_all(&mut self) {
        self.merge_many();
        while self.background.merging.is_some() {
            let finished = self.finish_merging();
            self.note_merge(finished);
            self.merge_many();
        }
    }

    fn note_merge(&mut self, merged: Result<()>) {
        if let Err(failure) = merged {
            self.background.merge_failure = Some(failure);
        }
    }

    /// Begins to merge some segments of files.
    fn begin_merging(&mut self, range: Range<usize>) -> Result<()> {
        let begin = range.start;
        let numbers = NewNumbers::take(&mut self.manifest);
        let task = self.task(numbers, range);
        self.background.merging = Some(MergingFiles { begin, merging: Merging::begin(task)? });
        Ok(())
    }

    /// Waits until files are merged, if they are being merged.
    pub(super) fn finish_merging(&mut self) -> Result<()> {
        let Some(MergingFiles { begin, merging }) = self.background.merging.take() else { return Ok(()) };
        let range = begin..begin + merging.len();
        let new = merging.finish(&self.view.parts[range.clone()]);
        self.replace_parts(range, new, None)
    }

    fn task(&self, numbers: NewNumbers, range: Range<usize>) -> MergeTask {
        MergeTask {
            disk: Arc::clone(&self.disk),
            scheme: self.index.scheme().clone(),
            learned: self.learned.clone(),
            numbers,
            parts: self.view.parts[range].to_vec(),
            now: self.disk.now(),
            threads: self.threads,
            memory_bytes: self.memory_bytes,
        }
    }

    /// Puts a segment of a file in the place of some parts, all of files or all of memory. Logs before the first that
    /// is still needed are forgotten.
    fn replace_parts(&mut self, range: Range<usize>, new: Result<NewSegment>, first_log: Option<u64>) -> Result<()> {
        let NewSegment { part, learned } = new.inspect_err(|_| self.remove_others())?;
        let (file, part) = part.unzip();
        let mut manifest = self.manifest.clone();
        let mut parts = self.view.parts.clone();
        let replaced = range.start.min(self.files)..range.end.min(self.files);
        let files = self.files - replaced.len() + usize::from(file.is_some());
        manifest.segments.splice(replaced, file);
        parts.splice(range, part);
        manifest.logs.retain(|log| first_log.is_none_or(|first| log.number >= first));
        // The order of a larger sample may have come meanwhile.
        let is_newer = learned.learned_from > self.learned.learned_from;
        manifest.add_order(learned.file);
        if is_newer {
            manifest.order = learned.file.number;
            manifest.learned_from = learned.learned_from;
        }
        write_manifest(&*self.disk, &mut manifest, &parts[..files])?;
        self.replace_manifest(manifest)?;
        self.files = files;
        self.learn(if is_newer { learned } else { self.learned.clone() });
        self.publish(View { parts, now: self.disk.now() });
        self.remove_others();
        Ok(())
    }

    /// The first part of the view that is in no file and on no way to one.
    pub(super) fn begin_of_memory(&self) -> usize {
        self.files + self.background.flushing.as_ref().map_or(0, |flushing| flushing.merging.len())
    }

    /// The first of the segments of files that are merged with those from `last` on: neighbours of about their size, or
    /// smaller.
    fn begin_of_merged(&self, last: usize) -> usize {
        let live_and_keys = |part: &Part| (part.live(), part.segment.keys() as u64);
        let all: Vec<(usize, u64)> = self.view.parts[..self.files].iter().map(live_and_keys).collect();
        let sum = |parts: &[(usize, u64)]| parts.iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        let mut begin = last;
        loop {
            let (live, mut keys) = sum(&all[begin..]);
            let run = all[..begin].iter().rev().take_while(|part| {
                keys += part.1;
                part.0 <= 2 * live && keys <= self.limits.keys
            });
            let run = run.count();
            if run < MERGED {
                return begin;
            }
            begin -= run;
        }
    }

    /// Returns whether the changes since the last segment was begun are `times` as many as become one.
    fn is_log_large(&self, times: usize) -> bool {
        let Limits { documents: max_documents, elements: max_elements, .. } = self.limits;
        let (documents, elements) = count(&self.view.parts[self.begin_of_memory()..]);
        // Deletions have no elements.
        let max_bytes = 2 * size_of::<u64>() * max_elements;
        documents >= times * max_documents
            || elements >= times * max_elements
            || self.log.end().bytes >= (times * max_bytes) as u64
    }

    /// Removes files that the manifest does not name, and that no new segment needs; what cannot be removed is
    /// harmless.
    pub(super) fn remove_others(&self) {
        let mut named = self.manifest.files();
        let Background { flushing, merging, .. } = &self.background;
        named.extend(flushing.iter().flat_map(|flushing| flushing.merging.files()));
        named.extend(merging.iter().flat_map(|files| files.merging.files()));
        let names = self.disk.names().unwrap_or_default();
        for name in names.iter().filter(|name| *name == PROBE || is_numbered(name) && !named.contains(name)) {
            let _ = self.disk.remove(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::IndexDocument;
    use crate::disk::simulated::SimulatedDisk;
    use crate::log::{Change, Durability};
    use crate::store::{Index, Settings};
    use lookalike_core::comparison::{Features, Measure, Method};
    use lookalike_core::hash::mix64;

    fn writer(disk: &SimulatedDisk, limits: Limits) -> IndexWriter {
        let settings = Settings::new(Features::default(), Measure::default(), Method::Exact);
        let writer = IndexWriter::create_disk(Arc::new(disk.clone()), settings, None, Durability::PowerLoss).unwrap();
        writer.with_limits(limits)
    }

    /// Documents of which each has some elements that are frequent, and many of its own.
    fn put(writer: &mut IndexWriter, numbers: Range<u64>) {
        let document = |number: u64| {
            let own = (0..20).map(|element| mix64(1000 * number + element));
            let mut elements: Vec<u64> = own.chain((0..5).map(mix64)).collect();
            elements.sort_unstable();
            elements.dedup();
            Change::Put(IndexDocument::of_set(format!("d{number}"), elements))
        };
        writer.commit(numbers.map(document).collect()).unwrap();
    }

    #[test]
    fn a_segment_keeps_its_order_whatever_ends_first() {
        for flush_ends_first in [false, true] {
            let disk = SimulatedDisk::new();
            let mut writer = writer(&disk, Limits::USUAL);
            for turn in 0..4 {
                put(&mut writer, 70 * turn..70 * (turn + 1));
                writer.begin_flushing().unwrap();
                writer.finish_flushing().unwrap();
            }
            let learned = writer.learned.file.number;
            put(&mut writer, 280..350);
            // Four times as many documents: the order is learned anew.
            writer.begin_merging(0..4).unwrap();
            writer.begin_flushing().unwrap();
            if flush_ends_first {
                writer.finish_flushing().unwrap();
            }
            writer.finish_merging().unwrap();
            writer.finish_flushing().unwrap();
            assert_ne!(writer.learned.file.number, learned);
            assert_eq!(writer.files, 2);
            let index = Index::open_disk(Arc::new(disk)).unwrap();
            assert_eq!(index.view().len(), 350);
        }
    }

    #[test]
    fn no_segment_gets_more_keys_than_can_be_numbered() {
        let limits = Limits { documents: 20, keys: 1000, merging: MergingTime::AtOnce, ..Limits::USUAL };
        let mut writer = writer(&SimulatedDisk::new(), limits);
        (0..20).for_each(|turn| put(&mut writer, 20 * turn..20 * (turn + 1)));
        writer.compact().unwrap();
        let keys: Vec<usize> = writer.view.parts.iter().map(|part| part.segment.keys()).collect();
        assert!(keys.len() > 1 && keys.iter().all(|&keys| keys <= 1000), "{keys:?}");
        assert!(keys.windows(2).all(|pair| pair[0] + pair[1] > 1000), "{keys:?}");
        assert_eq!(writer.index().view().len(), 400);
        assert!(writer.merge_failure().is_none());
    }

    #[test]
    fn background_failures_are_reported_before_the_next_change() {
        let disk = SimulatedDisk::new();
        let limits = Limits { documents: 20, merging: MergingTime::AtOnce, ..Limits::USUAL };
        let mut writer = writer(&disk, limits);
        put(&mut writer, 0..19);
        // The log takes the change, and the disk is full when it becomes a segment.
        disk.fail_after(Some(2));
        put(&mut writer, 19..20);
        disk.fail_after(None);
        let refused = writer.commit(vec![Change::Delete("d0".to_owned())]);
        assert!(matches!(refused, Err(Error::Io { .. })), "{refused:?}");
        assert_eq!(writer.index().view().len(), 20);
        writer.commit(vec![Change::Delete("d0".to_owned())]).unwrap();
        assert_eq!(writer.index().view().len(), 19);
        assert_eq!(Index::open_disk(Arc::new(disk)).unwrap().view().len(), 19);
    }
}
