//! The one writer of an index.

mod background;
pub(super) mod insertion;

use super::index::{Index, Opened, apply_changes, delete};
use super::inserted::{Inserted, NearestSearch, decide};
use super::manifest::{IndexManifest, NEW_MANIFEST, OrderFile, Orders, log_name};
use super::merging::Background;
use super::next::{LearnedOrder, NewNumbers, NewSegment, NextState, begin_log, merge_small, part_of, write_manifest};
use super::settings::{Settings, Storage};
use crate::base::details::DiskAction;
use crate::base::{Error, IndexDocument, IndexId, Result, SetBuffer};
use crate::disk::{Disk, Folder, check_free, sync_parent};
use crate::log::{Change, Durability, LogWriter};
use crate::segment::{Documents, LiveDocuments, Part, SegmentContent, SegmentMaker};
use crate::view::View;
use lookalike_core::comparison::Measure;
use lookalike_core::documents::{Form, Vector};
use lookalike_core::similarity::Weights;
use lookalike_core::terms::DocumentFrequencies;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

/// Limits from which on documents of the log become a segment in a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) documents: usize,
    pub(super) elements: usize,
    /// Keys of a segment that others are merged into, at most.
    pub(super) keys: u64,
    /// `true` if merging goes on while there are other changes.
    pub(super) merging: MergingTime,
}

/// Time at which segments are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MergingTime {
    /// Background merges, while other changes are made.
    Meanwhile,
    /// Synchronous merges, before the change that is the cause returns.
    #[cfg(test)]
    AtOnce,
}

impl Limits {
    /// 64 MiB of elements, for as long as it takes to write them.
    pub(super) const USUAL: Self =
        Self { documents: 1 << 15, elements: 1 << 23, keys: u32::MAX as u64, merging: MergingTime::Meanwhile };
}

/// A file that is made to see whether the disk takes it.
pub(super) const PROBE: &str = "probe";
const PROBE_BYTES: usize = 4096;

/// The one writer of an index. Each change is durable when the call returns, or did not happen.
#[derive(Debug)]
pub struct IndexWriter {
    disk: Arc<dyn Disk>,
    index: Index,
    manifest: IndexManifest,
    orders: Orders,
    learned: LearnedOrder,
    view: View,
    /// Number of parts of the view that are in files; they come first.
    files: usize,
    background: Background,
    log: LogWriter,
    durability: Durability,
    limits: Limits,
    threads: usize,
    memory_bytes: usize,
    /// Bytes of the log that were no whole group when it was opened.
    torn_bytes: u64,
    is_closed: bool,
}

/// Memory for the keys that are sorted at a time, by default.
const MEMORY_BYTES: usize = 1 << 29;

impl IndexWriter {
    /// Makes an index in a folder that is not there, or empty.
    ///
    /// # Errors
    /// [`Error::IsThere`]; if the settings do not fit each other, or the folder cannot be written to.
    pub fn create(path: &Path, settings: Settings, durability: Durability) -> Result<Self> {
        Self::create_with(path, settings, None, durability)
    }

    /// Makes an index that weighs terms by these document frequencies, for weights `tfidf`.
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
        check_free(path)?;
        fs::create_dir_all(path).map_err(|source| Error::io(DiskAction::Create, path, source))?;
        sync_parent(path)?;
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
        let mut manifest = IndexManifest {
            index: IndexId(disk.random()?),
            settings,
            segments: Vec::new(),
            order: 0,
            learned_from: 0,
            orders: Vec::new(),
            logs: Vec::new(),
            next: 1,
            frequencies: None,
        };
        if let Some(frequencies) = frequencies.filter(|_| needs) {
            manifest.write_frequencies(&*disk, frequencies)?;
        }
        begin_log(&*disk, &mut manifest)?;
        manifest.write(&*disk, &[])?;
        IndexManifest::replace(&*disk)?;
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
        let Opened { manifest, scheme, orders, order, parts, log } = opened;
        let torn_bytes = log.torn_bytes;
        let log = LogWriter::append_to(&*disk, &log_name(log.end.number), &log)?;
        let by_hash = OrderFile { number: 0, directory: 0 };
        let file = manifest.orders.iter().find(|file| file.number == manifest.order).copied().unwrap_or(by_hash);
        let learned = LearnedOrder { order, file, learned_from: manifest.learned_from };
        let index = Index::new(manifest.settings.clone(), scheme, Arc::clone(&disk), view.clone());
        let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let writer = Self {
            disk,
            index,
            manifest,
            orders,
            learned,
            view,
            files: parts.len(),
            background: Background::default(),
            log,
            durability,
            limits: Limits::USUAL,
            threads,
            memory_bytes: MEMORY_BYTES,
            torn_bytes,
            is_closed: false,
        };
        let _ = writer.disk.remove(NEW_MANIFEST);
        writer.remove_others();
        Ok(writer)
    }

    /// Lets the writer use these threads, and this memory for sorting; no answer depends on them.
    pub fn use_resources(&mut self, threads: usize, memory_bytes: usize) {
        self.threads = threads.max(1);
        self.memory_bytes = memory_bytes;
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

    /// Returns whether nothing can be changed any more, after an error of the disk: the index must be opened again.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Checks that changes can be made: that the index is open, that its lock is this writer's, and that the disk takes
    /// a file.
    ///
    /// # Errors
    /// [`Error::Closed`]; [`Error::LockLost`]; [`Error::Io`].
    pub fn check_disk(&self) -> Result<()> {
        self.check()?;
        let mut probe = self.disk.create(PROBE)?;
        let written = probe.write(&[0; PROBE_BYTES]).and_then(|()| probe.sync());
        drop(probe);
        written.and(self.disk.remove(PROBE))
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
    /// If a document is invalid or the disk fails; nothing was changed. If the documents of the log could not be
    /// written to a segment since the last call: the next one tries again. [`Error::LockLost`]; [`Error::Closed`].
    pub fn commit(&mut self, changes: Vec<Change>) -> Result<()> {
        self.check_to_change()?;
        let puts = changes.iter().filter_map(Change::put);
        self.group_check()?.add(puts)?;
        let mut view = View { now: self.disk.now(), ..self.view.clone() };
        let frame = self.log.frame(&changes);
        let puts = apply_changes(&mut view, changes);
        if !puts.is_empty() {
            view.parts.push(part_of(SegmentContent::New(&puts), &self.maker(), &self.learned.order)?);
        }
        self.acknowledge(&frame, view)
    }

    /// A check of documents that are to be added together.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn group_check(&self) -> Result<GroupCheck> {
        let form = self.manifest.settings.features.form();
        let dimensions = match form {
            Form::Elements => None,
            Form::Vector => self.view.dimensions(&mut SetBuffer::default())?,
        };
        Ok(GroupCheck { form, dimensions })
    }

    /// Checks the first of many documents, with which the others were compared when they were read.
    fn check_first(&self, documents: &dyn Documents) -> Result<()> {
        if documents.is_empty() {
            return Ok(());
        }
        let mut set = SetBuffer::default();
        self.group_check()?.check_dimensions(documents.id(0), documents.set(0, &mut set)?.0)
    }

    /// Writes a group of changes to the log, and publishes the view that they lead to.
    fn acknowledge(&mut self, frame: &[u8], mut view: View) -> Result<()> {
        merge_small(&mut view.parts, self.begin_of_memory(), &self.maker(), &self.learned.order, view.now)?;
        if let Err((error, is_as_before)) = self.log.append(frame, self.durability) {
            self.is_closed = !is_as_before;
            return Err(error);
        }
        self.publish(view);
        // The change is acknowledged whatever becomes of the segments: documents in the log are there.
        self.work_meanwhile();
        Ok(())
    }

    /// Lets a manifest say how long the log is that it names last, which is synced.
    fn note_log_end(&self, manifest: &mut IndexManifest) {
        let end = self.log.end();
        manifest.logs.iter_mut().filter(|log| log.number == end.number).for_each(|log| *log = end);
    }

    /// Lets the manifest know the changes of the log, so that the loss of one is found.
    fn record_log_end(&mut self) -> Result<()> {
        let mut manifest = self.manifest.clone();
        self.note_log_end(&mut manifest);
        if manifest == self.manifest {
            return Ok(());
        }
        self.log.sync()?;
        write_manifest(&*self.disk, &mut manifest, &self.view.parts[..self.files])?;
        self.replace_manifest(manifest)
    }

    /// Puts a manifest in force that was written.
    fn replace_manifest(&mut self, manifest: IndexManifest) -> Result<()> {
        if let Err(error) = IndexManifest::replace(&*self.disk) {
            self.is_closed = true;
            return Err(error);
        }
        self.manifest = manifest;
        Ok(())
    }

    fn learn(&mut self, learned: LearnedOrder) {
        self.orders.0.insert(learned.file.number, Arc::clone(&learned.order));
        let in_use: Vec<u64> = self.manifest.orders_in_use().collect();
        self.orders.0.retain(|number, _| in_use.contains(number));
        self.learned = learned;
    }

    /// Adds each document unless one that is in the index, or comes before it here, is near by `measure`; a document
    /// that is replaced is not compared with itself. All are added at once.
    ///
    /// # Errors
    /// As [`IndexWriter::commit`], and [`crate::Searcher::search`]; [`Error::SignaturesOnly`].
    pub fn add_unless_near(&mut self, documents: Vec<IndexDocument>, measure: Measure) -> Result<Vec<Inserted>> {
        self.check_to_change()?;
        if self.manifest.settings.storage == Storage::Signatures {
            return Err(Error::SignaturesOnly);
        }
        self.group_check()?.add(&documents)?;
        let mut view = View { now: self.disk.now(), ..self.view.clone() };
        let maker = self.maker();
        let group = part_of(SegmentContent::New(&documents), &maker, &self.learned.order)?;
        let near = NearestSearch { index: &self.index, measure, threads: maker.threads };
        let (inserted, group) = decide(&documents, &mut view, group, near)?;
        let is_added = |inserted: &Inserted| matches!(inserted, Inserted::Added { .. });
        let added = documents.into_iter().zip(&inserted).filter(|(_, inserted)| is_added(inserted));
        let added: Vec<Change> = added.map(|(document, _)| Change::Put(document)).collect();
        if added.is_empty() {
            return Ok(inserted);
        }
        let frame = self.log.frame(&added);
        view.parts.push(match group.deleted.count() {
            0 => group,
            _ => part_of(SegmentContent::Merged(&LiveDocuments::new(&[group], 0)), &maker, &self.learned.order)?,
        });
        self.acknowledge(&frame, view)?;
        Ok(inserted)
    }

    /// Adds documents which have different ids, in place of those with the same ids: few by the log, many as a segment.
    ///
    /// # Errors
    /// As [`IndexWriter::commit`].
    pub fn add(&mut self, documents: &dyn Documents) -> Result<()> {
        if !fits_log(documents) {
            return self.load(documents);
        }
        let changes = changes_of(documents)?;
        if changes.is_empty() { Ok(()) } else { self.commit(changes) }
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
        self.check_first(documents)?;
        let mut view = self.view.clone();
        let has_others = !view.parts.is_empty();
        let replaced = (0..documents.len()).filter(|&document| has_others && delete(&mut view, documents.id(document)));
        let replaced = replaced.count() as u64;
        let next = self.write_next(view.parts, documents).inspect_err(|_| self.remove_others())?;
        Ok(Prepared { writer: self, replaced, next: Next::Written(Box::new(next)) })
    }

    /// Writes an index of these parts, which are in files, and of a new segment.
    fn write_next(&self, mut parts: Vec<Part>, documents: &dyn Documents) -> Result<NextState> {
        let mut manifest = self.manifest.clone();
        let numbers = NewNumbers::take(&mut manifest);
        let maker = SegmentMaker { memory_bytes: self.memory_bytes, ..self.maker() };
        let NewSegment { part, learned } =
            NewSegment::write(&*self.disk, maker, self.learned.clone(), numbers, SegmentContent::New(documents))?;
        manifest.add_order(learned.file);
        manifest.segments.truncate(parts.len());
        if let Some((file, part)) = part {
            manifest.segments.push(file);
            parts.push(part);
        }
        NextState::write(&*self.disk, manifest, parts, learned)
    }

    fn put_in_force(&mut self, next: NextState) -> Result<()> {
        let NextState { parts, manifest, learned, log } = next;
        self.replace_manifest(manifest)?;
        self.learn(learned);
        self.log = log;
        self.files = parts.len();
        self.publish(View { parts, now: self.disk.now() });
        self.remove_others();
        Ok(())
    }

    fn maker(&self) -> SegmentMaker<'_> {
        let maker = SegmentMaker::in_memory_by(self.index.scheme(), &self.learned.order, self.manifest.order);
        SegmentMaker { threads: self.threads, ..maker }
    }

    fn publish(&mut self, view: View) {
        self.view = view.clone();
        self.index.publish(view);
    }
}

/// A check of documents that are to be added together: each is what it should be, and vectors have as many dimensions
/// as those of the index, or as the first that was added to the check.
#[derive(Debug, Clone)]
pub struct GroupCheck {
    form: Form,
    dimensions: Option<usize>,
}

impl GroupCheck {
    /// Adds documents: all of them, or none.
    ///
    /// # Errors
    /// [`Error::OtherDimensions`], or what is wrong with a document. Documents that were added before stay.
    pub fn add<'d>(&mut self, documents: impl IntoIterator<Item = &'d IndexDocument>) -> Result<()> {
        let mut checked = self.clone();
        for document in documents {
            check_document(self.form, document)?;
            checked.check_dimensions(&document.id, &document.elements)?;
        }
        *self = checked;
        Ok(())
    }

    /// Checks the number of dimensions of a document that is a vector.
    fn check_dimensions(&mut self, id: &str, elements: &[u64]) -> Result<()> {
        if self.form == Form::Elements {
            return Ok(());
        }
        let found = Vector::from_words(elements).map(Vector::dimensions);
        match (self.dimensions, found) {
            (Some(expected), Some(found)) if expected != found => {
                Err(Error::OtherDimensions { id: format!("`{id}`"), expected, found })
            }
            (known, found) => {
                self.dimensions = known.or(found);
                Ok(())
            }
        }
    }
}

/// Documents that are written to an index and not there yet. Dropped, they never are.
#[derive(Debug)]
pub struct Prepared<'a> {
    writer: &'a mut IndexWriter,
    replaced: u64,
    next: Next,
}

/// The index with documents that are added at once.
#[derive(Debug)]
enum Next {
    /// The index as it is: none is added.
    Nothing,
    /// A view, with the bytes that lead to it at the end of the log.
    Logged { frame: Vec<u8>, view: View },
    /// A segment of the documents, and a manifest that is not in force yet.
    Written(Box<NextState>),
}

impl Prepared<'_> {
    fn parts(&self) -> &[Part] {
        match &self.next {
            Next::Nothing => &self.writer.view.parts,
            Next::Logged { view, .. } => &view.parts,
            Next::Written(next) => &next.parts,
        }
    }

    /// Number of documents that will be there.
    pub fn documents(&self) -> u64 {
        let now = self.writer.disk.now();
        self.parts().iter().map(|part| part.count(now) as u64).sum()
    }

    /// Number of documents of the index that others take the place of, if they were loaded.
    pub fn replaced(&self) -> u64 {
        self.replaced
    }

    /// Size of the segments that the index will have, in bytes.
    pub fn bytes(&self) -> u64 {
        self.parts().iter().map(|part| part.segment.bytes()).sum()
    }

    /// Adds the documents.
    ///
    /// # Errors
    /// If the disk fails: then they are there, or none is, when the index is opened again. [`Error::LockLost`].
    pub fn commit(self) -> Result<()> {
        let Self { writer, replaced: _, next } = self;
        writer.check()?;
        match next {
            Next::Nothing => {}
            Next::Logged { frame, view } => writer.acknowledge(&frame, view)?,
            Next::Written(next) => {
                writer.put_in_force(*next)?;
                // The documents are there, whatever becomes of merging.
                writer.merge_many();
            }
        }
        Ok(())
    }
}

impl Drop for IndexWriter {
    /// Lets another process write, whoever still asks this index.
    fn drop(&mut self) {
        if self.check().is_ok() {
            // Documents that are in no file are in the log.
            let _ = self.finish_flushing();
            let _ = self.finish_merging();
            let _ = self.record_log_end();
        }
        self.disk.release();
    }
}

/// Checks the content of a document.
fn check_document(form: Form, IndexDocument { elements, counts, .. }: &IndexDocument) -> Result<()> {
    form.checked(elements)?;
    let has_counts = [0, elements.len()].contains(&counts.len()) && !counts.contains(&0);
    if has_counts {
        return Ok(());
    }
    Err(lookalike_core::Error::Weights { expected: elements.len(), found: counts.len() }.into())
}

/// Documents that are added by one frame of the log at most; more become a segment.
const MAX_LOGGED: usize = 1 << 13;
/// Elements of these.
const MAX_LOGGED_ELEMENTS: usize = 1 << 22;

/// Returns whether documents are few enough to be added by one frame of the log.
fn fits_log(documents: &dyn Documents) -> bool {
    let count = documents.len();
    count <= MAX_LOGGED && (0..count).map(|document| documents.size(document)).sum::<usize>() <= MAX_LOGGED_ELEMENTS
}

/// The changes by which documents come.
fn changes_of(documents: &dyn Documents) -> Result<Vec<Change>> {
    (0..documents.len()).map(|number| Ok(Change::Put(documents.document(number)?))).collect()
}
