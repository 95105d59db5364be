//! The one writer of an index.

use super::files::{is_numbered, log_name};
use super::index::{Index, Opened, apply_changes, delete, maker_of};
use super::inserted::{Asked, Inserted, decide};
use super::manifest::{Manifest, Orders, write_frequencies};
use super::memory::{merge_small, part_of};
use super::next::{
    LearnedOrder, MergeTask, Merging, NewNumbers, NewSegment, NextState, PresentState, begin_log, write_manifest,
};
use super::settings::{Settings, Storage};
use crate::disk::{Disk, Folder};
use crate::ground::{Document, Error, Result};
use crate::log::{Change, LogWriter};
use crate::segment::{Content, Documents, LiveDocuments, Part, SegmentMaker};
use crate::view::View;
use lookalike_core::features::ElementSet;
use lookalike_core::measure::{DocumentFrequencies, Measure, Weights};
use std::fs;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// What an acknowledged change survives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Durability {
    /// The end of the process and of the machine: each group is synced.
    #[default]
    PowerLoss,
    /// The end of the process. The system writes when it likes.
    Process,
}

/// When documents of the log become a segment in a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) documents: usize,
    pub(super) elements: usize,
    /// Whether merging goes on while there are other changes.
    pub(super) merging: MergingTime,
}

/// When segments are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MergingTime {
    /// While there are other changes.
    Meanwhile,
    /// Before the change that is the cause returns.
    #[cfg(test)]
    AtOnce,
}

impl Limits {
    /// 64 MiB of elements, for as long as it takes to write them.
    pub(super) const USUAL: Self = Self { documents: 1 << 15, elements: 1 << 23, merging: MergingTime::Meanwhile };
}

/// The one writer of an index. Each change is durable when the call returns, or did not happen.
#[derive(Debug)]
pub struct IndexWriter {
    disk: Arc<dyn Disk>,
    index: Index,
    manifest: Manifest,
    orders: Orders,
    learned: LearnedOrder,
    view: View,
    /// Number of parts of the view that are in files; they come first.
    files: usize,
    flushing: Option<Flushing>,
    merging: Option<MergingFiles>,
    log: LogWriter,
    durability: Durability,
    limits: Limits,
    threads: usize,
    memory_bytes: usize,
    /// Bytes of the log that were no whole group when it was opened.
    torn_bytes: u64,
    is_closed: bool,
}

/// What was in memory, on its way to a file.
#[derive(Debug)]
struct Flushing {
    /// The parts behind those in files.
    merging: Merging,
    /// The log with the changes since.
    log: u64,
}

/// Files that are being merged.
#[derive(Debug)]
struct MergingFiles {
    /// The place of the first in the view.
    begin: usize,
    merging: Merging,
}

/// Segments of about one size that are merged with another.
const MERGED: usize = 3;
/// Changes of the log, by the size from which on they become a segment, that wait for the segment before at most.
const MAX_WAITING: usize = 3;
/// Segments that come while others are merged, at most: a question looks into each.
const MAX_UNMERGED: usize = 32;
/// Memory for the keys that are sorted at a time, if nothing else is said.
const MEMORY_BYTES: usize = 1 << 29;

impl IndexWriter {
    /// Makes an index in a folder that is not there, or empty.
    ///
    /// # Errors
    /// [`Error::IsThere`]; if the settings do not fit each other, or the folder cannot be written to.
    pub fn create(path: &Path, settings: Settings, durability: Durability) -> Result<Self> {
        Self::create_with(path, settings, None, durability)
    }

    /// The same, weighing terms by these document frequencies, for weights `tfidf`.
    ///
    /// # Errors
    /// As [`IndexWriter::create`]; [`Error::FrequenciesNeeded`].
    pub fn create_with(
        path: &Path,
        settings: Settings,
        frequencies: Option<&DocumentFrequencies>,
        durability: Durability,
    ) -> Result<Self> {
        settings.check()?;
        let is_free = match fs::read_dir(path) {
            Ok(mut entries) => entries.next().is_none(),
            Err(_) => !path.exists(),
        };
        if !is_free {
            return Err(Error::IsThere { path: path.to_owned() });
        }
        fs::create_dir_all(path).map_err(|source| Error::io("create", path, source))?;
        Self::create_disk(Arc::new(Folder::to_write(path)?), settings, frequencies, durability)
    }

    pub(super) fn create_disk(
        disk: Arc<dyn Disk>,
        settings: Settings,
        frequencies: Option<&DocumentFrequencies>,
        durability: Durability,
    ) -> Result<Self> {
        settings.check()?;
        let needs = settings.measure.weighted().is_some_and(|cosine| cosine.weights == Weights::TfIdf);
        if needs && frequencies.is_none() {
            return Err(Error::FrequenciesNeeded);
        }
        let frequencies = frequencies.filter(|_| needs);
        frequencies.map_or(Ok(()), |frequencies| write_frequencies(&*disk, frequencies))?;
        let has_frequencies = frequencies.is_some();
        LogWriter::create(&*disk, &log_name(1), 1)?;
        let (segments, order, learned_from) = (Vec::new(), 0, 0);
        let manifest = Manifest { settings, segments, order, learned_from, logs: vec![1], next: 2, has_frequencies };
        manifest.write(&*disk, &[])?;
        Manifest::replace(&*disk)?;
        Self::open_disk(disk, durability)
    }

    /// Opens an index to change it. A write that did not come to its end is cut off from the log, and files that belong
    /// to no manifest are removed.
    ///
    /// # Errors
    /// [`Error::NotAnIndex`]; [`Error::InUse`]; if a file is damaged or cannot be read.
    pub fn open(path: &Path, durability: Durability) -> Result<Self> {
        // A folder that is no index gets no lock.
        if !path.join(super::MANIFEST).is_file() {
            return Err(Error::NotAnIndex { path: path.to_owned() });
        }
        Self::open_disk(Arc::new(Folder::to_write(path)?), durability)
    }

    pub(super) fn open_disk(disk: Arc<dyn Disk>, durability: Durability) -> Result<Self> {
        let mut opened = Opened::read(&*disk)?;
        let view = opened.view(&*disk)?;
        let Opened { manifest, asking, orders, order, parts, log } = opened;
        let torn_bytes = log.torn_bytes;
        let last = manifest.logs.last().copied().unwrap_or(0);
        let log = LogWriter::append_after(&*disk, &log_name(last), last, log.length)?;
        let learned = LearnedOrder { order, number: manifest.order, learned_from: manifest.learned_from };
        let index = Index::new(manifest.settings.clone(), asking, Arc::clone(&disk), view.clone());
        let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let writer = Self {
            disk,
            index,
            manifest,
            orders,
            learned,
            view,
            files: parts.len(),
            flushing: None,
            merging: None,
            log,
            durability,
            limits: Limits::USUAL,
            threads,
            memory_bytes: MEMORY_BYTES,
            torn_bytes,
            is_closed: false,
        };
        writer.remove_others();
        Ok(writer)
    }

    /// Lets the writer use these threads, and this memory for sorting; no answer depends on them.
    pub fn use_resources(&mut self, threads: usize, memory_bytes: usize) {
        (self.threads, self.memory_bytes) = (threads, memory_bytes);
    }

    #[cfg(test)]
    pub(super) fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The index, to ask it while it is written to: each change is seen as soon as it is acknowledged.
    pub fn index(&self) -> Index {
        self.index.clone()
    }

    /// Length of the partial change at the end of the log that was cut off when it was opened: an interrupted write,
    /// which was never acknowledged.
    pub fn torn_bytes(&self) -> u64 {
        self.torn_bytes
    }

    fn check(&self) -> Result<()> {
        if self.is_closed {
            return Err(Error::Closed { path: self.disk.path().to_owned() });
        }
        self.disk.check_lock()
    }

    /// Changes the index: all of the changes, or none. Of two changes of one document, the last counts.
    ///
    /// # Errors
    /// If a document is invalid or the disk fails; nothing was changed. [`Error::LockLost`]; [`Error::Closed`].
    pub fn commit(&mut self, changes: Vec<Change>) -> Result<()> {
        self.check()?;
        changes.iter().try_for_each(check_change)?;
        let mut view = View { now: self.disk.now(), ..self.view.clone() };
        let frame = self.log.frame(&changes);
        let puts = apply_changes(&mut view, changes);
        if !puts.is_empty() {
            view.parts.push(part_of(Content::New(&puts), &self.maker(), &self.learned.order)?);
        }
        self.acknowledge(&frame, view)
    }

    /// Writes a group of changes to the log, and publishes the view that they lead to.
    fn acknowledge(&mut self, frame: &[u8], mut view: View) -> Result<()> {
        merge_small(&mut view.parts, self.begin_of_memory(), (&self.maker(), &self.learned.order, view.now))?;
        if let Err((error, is_as_before)) = self.log.append(frame, self.durability == Durability::PowerLoss) {
            self.is_closed = !is_as_before;
            return Err(error);
        }
        self.publish(view);
        // It is acknowledged whatever becomes of the segments: what is in the log is there.
        let _ = self.merge_meanwhile();
        Ok(())
    }

    /// Ends what is ready, and begins to write a segment if the log is large, to merge some if they are many.
    fn merge_meanwhile(&mut self) -> Result<()> {
        let is_flushed = self.flushing.as_ref().is_some_and(|flushing| flushing.merging.is_finished());
        if is_flushed || self.flushing.is_some() && self.is_log_large(MAX_WAITING) {
            self.finish_flushing()?;
        }
        let is_due = |MergingFiles { begin, merging }: &MergingFiles| {
            merging.is_finished() || self.files - (begin + merging.len()) >= MAX_UNMERGED
        };
        if self.merging.as_ref().is_some_and(is_due) {
            self.finish_merging()?;
        }
        if self.flushing.is_none() && self.is_log_large(1) {
            self.begin_flushing()?;
        }
        self.merge_many()?;
        match self.limits.merging {
            MergingTime::Meanwhile => Ok(()),
            #[cfg(test)]
            MergingTime::AtOnce => self.finish_all(),
        }
    }

    /// Begins to write what is in memory to a file. From then on changes go to another log.
    fn begin_flushing(&mut self) -> Result<()> {
        self.log.sync()?;
        let mut manifest = self.manifest.clone();
        let numbers = NewNumbers::take(&mut manifest.next);
        let log = begin_log(&*self.disk, &mut manifest)?;
        write_manifest(&*self.disk, &mut manifest, &self.view.parts[..self.files])?;
        self.replace_manifest(manifest)?;
        let number = log.number();
        self.log = log;
        let task = self.task(numbers, self.view.parts[self.files..].to_vec());
        self.flushing = Some(Flushing { merging: Merging::begin(task)?, log: number });
        Ok(())
    }

    /// Waits until what was in memory is in a file, if it is on its way.
    fn finish_flushing(&mut self) -> Result<()> {
        let Some(Flushing { merging, log }) = self.flushing.take() else { return Ok(()) };
        let range = self.files..self.files + merging.len();
        let new = merging.finish(&self.view.parts[range.clone()])?;
        self.replace_parts(range, new, Some(log))
    }

    /// Begins to merge the last segments of files if they are many of about one size, unless others are being merged.
    fn merge_many(&mut self) -> Result<()> {
        let last = self.files.saturating_sub(1);
        let begin = self.begin_of_merged(last);
        if self.merging.is_none() && begin < last { self.begin_merging(begin) } else { Ok(()) }
    }

    /// Begins to merge the segments of files from one on.
    fn begin_merging(&mut self, begin: usize) -> Result<()> {
        let numbers = NewNumbers::take(&mut self.manifest.next);
        let task = self.task(numbers, self.view.parts[begin..self.files].to_vec());
        self.merging = Some(MergingFiles { begin, merging: Merging::begin(task)? });
        Ok(())
    }

    /// Waits until files are merged, if they are being merged.
    fn finish_merging(&mut self) -> Result<()> {
        let Some(MergingFiles { begin, merging }) = self.merging.take() else { return Ok(()) };
        let range = begin..begin + merging.len();
        let new = merging.finish(&self.view.parts[range.clone()])?;
        self.replace_parts(range, new, None)
    }

    /// Waits until nothing is left to be merged of what is in files, or on its way there.
    fn finish_all(&mut self) -> Result<()> {
        self.finish_flushing()?;
        self.merge_many()?;
        while self.merging.is_some() {
            self.finish_merging()?;
            self.merge_many()?;
        }
        Ok(())
    }

    fn task(&self, numbers: NewNumbers, parts: Vec<Part>) -> MergeTask {
        MergeTask {
            disk: Arc::clone(&self.disk),
            asking: self.index.asking().clone(),
            learned: self.learned.clone(),
            numbers,
            parts,
            now: self.disk.now(),
            threads: self.threads,
            memory_bytes: self.memory_bytes,
        }
    }

    /// Puts a segment of a file in the place of some parts, all of files or all of memory. Logs before the first that is
    /// still needed are forgotten.
    fn replace_parts(&mut self, range: Range<usize>, new: NewSegment, first_log: Option<u64>) -> Result<()> {
        let NewSegment { part, learned } = new;
        let (file, part) = part.unzip();
        let (mut manifest, mut parts) = (self.manifest.clone(), self.view.parts.clone());
        let replaced = range.start.min(self.files)..range.end.min(self.files);
        let files = self.files - replaced.len() + usize::from(file.is_some());
        manifest.segments.splice(replaced, file);
        parts.splice(range, part);
        manifest.logs.retain(|&number| first_log.is_none_or(|first| number >= first));
        // The order of a larger sample may have come meanwhile.
        let is_newer = learned.learned_from > self.learned.learned_from;
        if is_newer {
            (manifest.order, manifest.learned_from) = (learned.number, learned.learned_from);
        }
        write_manifest(&*self.disk, &mut manifest, &parts[..files])?;
        self.replace_manifest(manifest)?;
        self.files = files;
        self.learn(if is_newer { learned } else { self.learned.clone() });
        self.publish(View { parts, now: self.disk.now() });
        self.remove_others();
        Ok(())
    }

    /// Puts a manifest in force that was written.
    fn replace_manifest(&mut self, manifest: Manifest) -> Result<()> {
        if let Err(error) = Manifest::replace(&*self.disk) {
            self.is_closed = true;
            return Err(error);
        }
        self.manifest = manifest;
        Ok(())
    }

    fn learn(&mut self, learned: LearnedOrder) {
        self.orders.insert(learned.number, Arc::clone(&learned.order));
        self.orders.retain(&self.manifest.orders().collect::<Vec<_>>());
        self.learned = learned;
    }

    /// The first part of the view that is in no file and does not become one.
    fn begin_of_memory(&self) -> usize {
        self.files + self.flushing.as_ref().map_or(0, |flushing| flushing.merging.len())
    }

    /// Adds each document unless one that is in the index, or comes before it here, is near by `measure`; a document
    /// that is replaced is not compared with itself. All are added at once.
    ///
    /// # Errors
    /// As [`IndexWriter::commit`], and [`crate::Searcher::search`]; [`Error::SignaturesOnly`].
    pub fn add_unless_near(&mut self, documents: Vec<Document>, measure: Measure) -> Result<Vec<Inserted>> {
        self.check()?;
        if self.manifest.settings.storage == Storage::Signatures {
            return Err(Error::SignaturesOnly);
        }
        documents.iter().try_for_each(check_document)?;
        let mut view = View { now: self.disk.now(), ..self.view.clone() };
        let maker = self.maker();
        let group = part_of(Content::New(&documents), &maker, &self.learned.order)?;
        let asking = Asked { index: &self.index, measure };
        let (inserted, group) = decide(&documents, (&mut view, group), asking, maker.threads)?;
        let is_added = |inserted: &Inserted| *inserted == Inserted::Added;
        let added = documents.into_iter().zip(&inserted).filter(|(_, inserted)| is_added(inserted));
        let added: Vec<Change> = added.map(|(document, _)| Change::Put(document)).collect();
        if added.is_empty() {
            return Ok(inserted);
        }
        let frame = self.log.frame(&added);
        view.parts.push(match group.deleted.count() {
            0 => group,
            _ => part_of(Content::Merged(&LiveDocuments::of(&[group], 0)), &maker, &self.learned.order)?,
        });
        self.acknowledge(&frame, view)?;
        Ok(inserted)
    }

    /// Adds many documents at once, which have different ids, in place of those with the same ids: as a segment of its
    /// own, without the log. All are there when the call returns, or none.
    ///
    /// # Errors
    /// As [`IndexWriter::commit`].
    pub fn load(&mut self, documents: &dyn Documents) -> Result<()> {
        self.prepare(documents)?.commit()
    }

    /// Writes the same, and lets the caller say when it is in force: together with outputs of its own.
    ///
    /// # Errors
    /// As [`IndexWriter::commit`].
    pub fn prepare(&mut self, documents: &dyn Documents) -> Result<Prepared<'_>> {
        self.check()?;
        self.flush()?;
        let mut view = self.view.clone();
        let has_others = !view.parts.is_empty();
        let replaced = (0..documents.len()).filter(|&document| has_others && delete(&mut view, documents.id(document)));
        let replaced = replaced.count() as u64;
        let next = self.present().write_next(view.parts, Content::New(documents))?;
        Ok(Prepared { writer: self, replaced, next })
    }

    /// Writes what is only in the log to a segment, and merges segments if there are many of about one size.
    ///
    /// # Errors
    /// If the disk fails; the index stays as it was.
    pub fn flush(&mut self) -> Result<()> {
        self.check()?;
        self.finish_flushing()?;
        if self.log.length() > 0 || self.manifest.logs.len() > 1 {
            self.begin_flushing()?;
        }
        self.finish_all()
    }

    /// Merges all segments into one, without what was deleted or is expired.
    ///
    /// # Errors
    /// As [`IndexWriter::flush`].
    pub fn compact(&mut self) -> Result<()> {
        self.flush()?;
        let now = self.disk.now();
        let is_clean = |part: &Part| LiveDocuments::of(std::slice::from_ref(part), now).len() == part.segment.len();
        if self.files <= 1 && self.view.parts.iter().all(is_clean) {
            return Ok(());
        }
        self.begin_merging(0)?;
        self.finish_merging()
    }

    /// The first of the segments of files that are merged with those from `last` on: neighbours of about their size, or
    /// smaller.
    fn begin_of_merged(&self, last: usize) -> usize {
        let live: Vec<usize> = self.view.parts[..self.files].iter().map(Part::live).collect();
        let (mut begin, mut total) = (last, live[last..].iter().sum::<usize>());
        loop {
            let run = live[..begin].iter().rev().take_while(|&&documents| documents <= 2 * total).count();
            if run < MERGED {
                return begin;
            }
            total += live[begin - run..begin].iter().sum::<usize>();
            begin -= run;
        }
    }

    fn present(&self) -> PresentState<'_> {
        let maker = SegmentMaker { memory_bytes: self.memory_bytes, ..self.maker() };
        PresentState { disk: &*self.disk, manifest: &self.manifest, learned: self.learned.clone(), maker }
    }

    fn put_in_force(&mut self, next: NextState) -> Result<()> {
        let NextState { parts, manifest, learned, log } = next;
        self.replace_manifest(manifest)?;
        self.learn(learned);
        (self.log, self.files) = (log, parts.len());
        self.publish(View { parts, now: self.disk.now() });
        self.remove_others();
        Ok(())
    }

    /// Removes files that the manifest does not name, and that nobody is writing; what cannot be removed is harmless.
    fn remove_others(&self) {
        let mut named = self.manifest.files();
        named.extend(self.flushing.iter().flat_map(|flushing| flushing.merging.files()));
        named.extend(self.merging.iter().flat_map(|files| files.merging.files()));
        let names = self.disk.names().unwrap_or_default();
        for name in names.iter().filter(|name| is_numbered(name) && !named.contains(name)) {
            let _ = self.disk.remove(name);
        }
    }

    fn maker(&self) -> SegmentMaker<'_> {
        let maker = maker_of(self.index.asking(), &self.learned.order, self.manifest.order);
        SegmentMaker { threads: self.threads, ..maker }
    }

    /// Whether the changes since merging was begun are `times` as many as become a segment.
    fn is_log_large(&self, times: usize) -> bool {
        let memory = &self.view.parts[self.begin_of_memory()..];
        let documents: usize = memory.iter().map(|part| part.segment.len()).sum();
        let elements: usize = memory.iter().flat_map(|part| part.segment.sizes()).map(|&size| size as usize).sum();
        // Deletions have no elements.
        let max_bytes = 2 * size_of::<u64>() * self.limits.elements;
        documents >= times * self.limits.documents
            || elements >= times * self.limits.elements
            || self.log.length() >= (times * max_bytes) as u64
    }

    fn publish(&mut self, view: View) {
        self.view = view.clone();
        self.index.publish(view);
    }
}

/// Documents that are written to an index and not there yet. Dropped, they never are.
#[derive(Debug)]
pub struct Prepared<'a> {
    writer: &'a mut IndexWriter,
    replaced: u64,
    next: NextState,
}

impl Prepared<'_> {
    /// Number of documents that the index will have, those that expire included.
    pub fn documents(&self) -> u64 {
        self.next.parts.iter().map(|part| part.live() as u64).sum()
    }

    /// Number of documents of the index that others take the place of.
    pub fn replaced(&self) -> u64 {
        self.replaced
    }

    /// Size of the segments that the index will have, in bytes.
    pub fn bytes(&self) -> u64 {
        self.next.parts.iter().map(|part| part.segment.bytes()).sum()
    }

    /// Adds the documents.
    ///
    /// # Errors
    /// If the disk fails: then they are there, or none is, when the index is opened again. [`Error::LockLost`].
    pub fn commit(self) -> Result<()> {
        let Self { writer, replaced: _, next } = self;
        writer.check()?;
        writer.put_in_force(next)?;
        // The documents are there, whatever becomes of merging.
        let _ = writer.merge_many();
        Ok(())
    }
}

impl Drop for IndexWriter {
    /// Lets another process write, whoever still asks this index.
    fn drop(&mut self) {
        // What is in no file is in the log.
        let _ = self.finish_flushing();
        let _ = self.finish_merging();
        self.disk.release();
    }
}

fn check_change(change: &Change) -> Result<()> {
    match change {
        Change::Put(document) => check_document(document),
        Change::Delete(_) => Ok(()),
    }
}

fn check_document(Document { elements, counts, .. }: &Document) -> Result<()> {
    ElementSet::new(elements)?;
    let has_counts = [0, elements.len()].contains(&counts.len()) && !counts.contains(&0);
    match has_counts {
        true => Ok(()),
        false => Err(lookalike_core::Error::Weights { expected: elements.len(), found: counts.len() }.into()),
    }
}
