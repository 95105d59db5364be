//! The one writer of an index.

use super::Settings;
use super::files::{is_numbered, log_name};
use super::index::{Index, Opened, apply_changes, delete, maker_of};
use super::inserted::{Asked, Inserted, decide};
use super::manifest::{Manifest, Orders, write_frequencies};
use super::memory::{merge_small, part_of};
use super::next_state::{NextState, PresentState};
use crate::disk::{Disk, Folder};
use crate::ground::{Document, Error, Result};
use crate::log::{Change, LogWriter};
use crate::segment::{Content, Documents, LiveDocuments, Part, SegmentMaker};
use crate::view::View;
use lookalike_core::features::ElementSet;
use lookalike_core::measure::{DocumentFrequencies, Measure, Weights};
use lookalike_core::method::ElementOrder;
use std::fs;
use std::num::NonZeroUsize;
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
}

impl Limits {
    /// 64 MiB of elements, for as long as it takes to write them.
    pub(super) const USUAL: Self = Self { documents: 1 << 15, elements: 1 << 23 };
}

/// The one writer of an index. Each change is durable when the call returns, or did not happen.
#[derive(Debug)]
pub struct IndexWriter {
    disk: Arc<dyn Disk>,
    index: Index,
    manifest: Manifest,
    orders: Orders,
    order: Arc<ElementOrder>,
    view: View,
    /// Number of parts of the view that are in files; they come first.
    files: usize,
    log: LogWriter,
    durability: Durability,
    limits: Limits,
    threads: usize,
    memory_bytes: usize,
    /// Bytes of the log that were no whole group when it was opened.
    torn_bytes: u64,
    is_closed: bool,
}

/// Segments of about one size that are merged when documents of the log become another.
const MERGED: usize = 3;
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
        settings.keys()?;
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
        settings.keys()?;
        let needs = settings.measure.weighted().is_some_and(|cosine| cosine.weights == Weights::TfIdf);
        if needs && frequencies.is_none() {
            return Err(Error::FrequenciesNeeded);
        }
        let frequencies = frequencies.filter(|_| needs);
        frequencies.map_or(Ok(()), |frequencies| write_frequencies(&*disk, frequencies))?;
        let has_frequencies = frequencies.is_some();
        LogWriter::create(&*disk, &log_name(1), 1)?;
        let (segments, order, learned_from) = (Vec::new(), 0, 0);
        let manifest = Manifest { settings, segments, order, learned_from, log: 1, next: 2, has_frequencies };
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
        let log = LogWriter::append_after(&*disk, &log_name(manifest.log), manifest.log, log.length)?;
        let index = Index::new(manifest.settings.clone(), asking, Arc::clone(&disk), view.clone());
        let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let writer = Self {
            disk,
            index,
            manifest,
            orders,
            order,
            view,
            files: parts.len(),
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
            view.parts.push(part_of(Content::New(&puts), &self.maker(), &self.order)?);
        }
        self.acknowledge(&frame, view)
    }

    /// Writes a group of changes to the log, and publishes the view that they lead to.
    fn acknowledge(&mut self, frame: &[u8], mut view: View) -> Result<()> {
        merge_small(&mut view.parts, self.files, (&self.maker(), &self.order, view.now))?;
        if let Err((error, is_as_before)) = self.log.append(frame, self.durability == Durability::PowerLoss) {
            self.is_closed = !is_as_before;
            return Err(error);
        }
        self.publish(view);
        // It is acknowledged whatever becomes of the segments: what is in the log is there.
        if self.is_log_large() {
            let _ = self.flush();
        }
        Ok(())
    }

    /// Adds each document unless one that is in the index, or comes before it here, is near by `measure`; a document
    /// that is replaced is not compared with itself. All are added at once.
    ///
    /// # Errors
    /// As [`IndexWriter::commit`], and [`crate::Searcher::search`].
    pub fn add_unless_near(&mut self, documents: Vec<Document>, measure: Measure) -> Result<Vec<Inserted>> {
        self.check()?;
        documents.iter().try_for_each(check_document)?;
        let mut view = View { now: self.disk.now(), ..self.view.clone() };
        let maker = self.maker();
        let group = part_of(Content::New(&documents), &maker, &self.order)?;
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
            _ => part_of(Content::Merged(&LiveDocuments::of(&[group], 0)), &maker, &self.order)?,
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
        if self.log.length() == 0 {
            return Ok(());
        }
        let begin = self.begin_of_merged(self.files);
        self.rewrite(begin)
    }

    /// Merges all segments into one, without what was deleted or is expired.
    ///
    /// # Errors
    /// As [`IndexWriter::flush`].
    pub fn compact(&mut self) -> Result<()> {
        self.check()?;
        let now = self.disk.now();
        let is_one = self.files <= 1 && self.view.parts.len() == self.files && self.log.length() == 0;
        let is_clean = self
            .view
            .parts
            .iter()
            .all(|part| LiveDocuments::of(std::slice::from_ref(part), now).len() == part.segment.len());
        if is_one && is_clean { Ok(()) } else { self.rewrite(0) }
    }

    /// The first of the segments that are merged with those from `last` on: neighbours of about their size, or smaller.
    fn begin_of_merged(&self, last: usize) -> usize {
        let live: Vec<usize> = self.view.parts.iter().map(Part::live).collect();
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

    /// Writes the parts from one on as one segment.
    fn rewrite(&mut self, begin: usize) -> Result<()> {
        let (kept, merged) = self.view.parts.split_at(begin);
        let (kept, merged) = (kept.to_vec(), merged.to_vec());
        self.install(kept, Content::Merged(&LiveDocuments::of(&merged, self.disk.now())))
    }

    /// Puts an index of these parts, which are in files, and of a new segment in the place of this one.
    fn install(&mut self, parts: Vec<Part>, content: Content<'_>) -> Result<()> {
        let next = self.present().write_next(parts, content)?;
        self.put_in_force(next)
    }

    fn present(&self) -> PresentState<'_> {
        let maker = SegmentMaker { memory_bytes: self.memory_bytes, ..self.maker() };
        PresentState { disk: &*self.disk, manifest: &self.manifest, order: &self.order, maker }
    }

    fn put_in_force(&mut self, next: NextState) -> Result<()> {
        let NextState { parts, manifest, order, log } = next;
        if let Err(error) = Manifest::replace(&*self.disk) {
            self.is_closed = true;
            return Err(error);
        }
        self.orders.insert(manifest.order, Arc::clone(&order));
        self.orders.retain(&manifest.orders().collect::<Vec<_>>());
        (self.manifest, self.order, self.log, self.files) = (manifest, order, log, parts.len());
        self.publish(View { parts, now: self.disk.now() });
        self.remove_others();
        Ok(())
    }

    /// Removes files that the manifest does not name; what cannot be removed is harmless.
    fn remove_others(&self) {
        let named = self.manifest.files();
        let names = self.disk.names().unwrap_or_default();
        for name in names.iter().filter(|name| is_numbered(name) && !named.contains(name)) {
            let _ = self.disk.remove(name);
        }
    }

    fn maker(&self) -> SegmentMaker<'_> {
        let maker = maker_of(self.index.asking(), &self.order, self.manifest.order);
        SegmentMaker { threads: self.threads, ..maker }
    }

    fn is_log_large(&self) -> bool {
        let memory = &self.view.parts[self.files..];
        let documents: usize = memory.iter().map(|part| part.segment.len()).sum();
        let elements: usize = memory.iter().flat_map(|part| part.segment.sizes()).map(|&size| size as usize).sum();
        documents >= self.limits.documents || elements >= self.limits.elements
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
        let last = writer.files.saturating_sub(1);
        let begin = writer.begin_of_merged(last);
        if begin < last {
            let _ = writer.rewrite(begin);
        }
        Ok(())
    }
}

impl Drop for IndexWriter {
    /// Lets another process write, whoever still asks this index.
    fn drop(&mut self) {
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
