//! An index that is read.

use super::Settings;
use super::manifest::{IndexManifest, MANIFEST, Orders, log_name};
use super::next::part_of;
use crate::base::{Error, IndexDocument, Result, SetBuffer};
use crate::disk::{Disk, Folder};
use crate::log::{Change, LogFile, ReadLog, read_log};
use crate::segment::{Part, Scheme, SegmentContent, SegmentMaker};
use crate::view::{Question, Searcher, View};
use lookalike_core::comparison::Measure;
use lookalike_core::documents::Form;
use lookalike_core::keys::ElementOrder;
use lookalike_core::stored::Damage;
use lookalike_core::{counted, printed_path};
use serde::Serialize;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

/// An index that is read: by any number of threads, while one process, this or another, writes to it.
#[derive(Debug, Clone)]
pub struct Index {
    shared: Arc<Shared>,
    torn_bytes: u64,
}

#[derive(Debug)]
struct Shared {
    settings: Settings,
    scheme: Scheme,
    disk: Arc<dyn Disk>,
    /// Held for as long as it takes to copy a pointer.
    view: RwLock<Arc<View>>,
    /// Held while files are read anew: the last to begin is the last to publish.
    refreshing: Mutex<()>,
}

/// An index in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IndexInfo {
    /// Settings of the index, without the secret that shingles are hashed by.
    pub settings: Settings,
    /// True if shingles are hashed by a secret.
    pub keyed: bool,
    /// Documents that are there.
    pub documents: u64,
    /// Documents that were deleted, replaced or are expired, and take space until segments are merged.
    pub gone: u64,
    /// Segments of the index, the oldest first.
    pub segments: Vec<SegmentInfo>,
    /// Size of the segments in bytes.
    pub bytes: u64,
}

/// A segment of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SegmentInfo {
    /// Documents in it that are there.
    pub documents: u64,
    /// Blocking keys of all its documents.
    pub keys: u64,
    /// Size of the segment in bytes.
    pub bytes: u64,
}

/// Times that a reader begins again because a writer has replaced files.
const MAX_TRIES: usize = 20;
/// Times that a partial change is looked at again, and the time between: a writer that is at work ends it.
const TORN_LOOKS: usize = 5;
const TORN_PAUSE: Duration = Duration::from_millis(20);

/// Note on an index whose log ends with `bytes` bytes of an interrupted write.
pub fn interrupted_write_note(index: &Path, bytes: u64) -> String {
    let index = printed_path(index);
    let bytes = counted(bytes, "byte");
    format!("the log of {index} ends with {bytes} of an interrupted write, which was never acknowledged")
}

/// Settings of an index, without opening its documents.
///
/// # Errors
/// As [`Index::open`].
pub fn settings(path: &Path) -> Result<Settings> {
    let disk = Folder::to_read(path);
    again_while_missing(|| Ok(IndexManifest::read(&disk)?.0.settings))
}

impl Index {
    /// Opens an index to ask it. Changes that other processes make are seen after [`Index::refresh`].
    ///
    /// # Errors
    /// [`crate::Error::NotAnIndex`]; if a file is damaged or cannot be read.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_disk(Arc::new(Folder::to_read(path)))
    }

    pub(super) fn open_disk(disk: Arc<dyn Disk>) -> Result<Self> {
        let (opened, view) = again_while_missing(|| {
            let mut opened = Opened::read(&*disk)?;
            let view = opened.view(&*disk)?;
            Ok((opened, view))
        })?;
        let torn_bytes = lasting_torn_bytes(&*disk, &opened.manifest, opened.log.torn_bytes);
        let mut index = Self::new(opened.manifest.settings, opened.scheme, disk, view);
        index.torn_bytes = torn_bytes;
        Ok(index)
    }

    pub(super) fn new(settings: Settings, scheme: Scheme, disk: Arc<dyn Disk>, view: View) -> Self {
        let view = RwLock::new(Arc::new(view));
        let refreshing = Mutex::default();
        Self { shared: Arc::new(Shared { settings, scheme, disk, view, refreshing }), torn_bytes: 0 }
    }

    /// Length in bytes of the partial change that was at the end of the log when the index was opened to read: an
    /// interrupted write, which was never acknowledged. 0 while a writer is at work.
    pub fn torn_bytes(&self) -> u64 {
        self.torn_bytes
    }

    /// Takes notice of what other processes have changed: none, if this one writes to the index.
    ///
    /// # Errors
    /// As [`Index::open`]; [`Error::OtherIndex`] if one with other settings has taken its place; the index stays as it
    /// was.
    pub fn refresh(&self) -> Result<()> {
        let Shared { disk, settings, refreshing, .. } = &*self.shared;
        if disk.is_writer() {
            return Ok(());
        }
        let _one_at_a_time = refreshing.lock().unwrap_or_else(PoisonError::into_inner);
        let view = again_while_missing(|| {
            let mut opened = Opened::read(&**disk)?;
            let is_same = opened.manifest.settings == *settings && opened.scheme.weighs_like(&self.shared.scheme);
            if !is_same {
                return Err(Error::OtherIndex { path: disk.path().to_owned() });
            }
            opened.view(&**disk)
        })?;
        self.publish(view);
        Ok(())
    }

    pub(super) fn publish(&self, view: View) {
        *self.shared.view.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(view);
    }

    /// The documents at this moment.
    pub fn view(&self) -> Arc<View> {
        let view = Arc::clone(&self.shared.view.read().unwrap_or_else(PoisonError::into_inner));
        let now = self.shared.disk.now();
        if view.now == now { view } else { Arc::new(View { now, parts: view.parts.clone() }) }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.shared.disk.path()
    }

    /// Number of dimensions of the vectors of the index; `None` without any, and of an index of other documents.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn dimensions(&self) -> Result<Option<usize>> {
        match self.settings().features.form() {
            Form::Vector => self.view().dimensions(&mut SetBuffer::default()),
            Form::Elements => Ok(None),
        }
    }

    /// Settings of the index.
    pub fn settings(&self) -> &Settings {
        &self.shared.settings
    }

    /// Checks that questions by a measure are answered.
    ///
    /// # Errors
    /// [`crate::Error::OtherMeasure`] if the index was made for another measure, or for a higher threshold.
    pub fn check_measure(&self, measure: Measure) -> Result<()> {
        self.shared.scheme.check_measure(measure)
    }

    /// Returns whether a document has counts that can be weighed by the measure of the index: one that has not is not
    /// stored.
    pub fn can_weigh(&self, document: &IndexDocument) -> bool {
        self.shared.scheme.weigh(&document.elements, &document.counts, &mut Vec::new()).is_some()
    }

    /// The index in numbers.
    pub fn info(&self) -> IndexInfo {
        let view = self.view();
        let segment = |part: &Part| SegmentInfo {
            documents: part.count(view.now) as u64,
            keys: part.segment.keys() as u64,
            bytes: part.segment.bytes(),
        };
        let segments: Vec<SegmentInfo> = view.parts.iter().map(segment).collect();
        let documents = segments.iter().map(|segment| segment.documents).sum();
        let stored: u64 = view.parts.iter().map(|part| part.segment.len() as u64).sum();
        let bytes = segments.iter().map(|segment| segment.bytes).sum();
        let settings = self.settings();
        let keyed = settings.features.shingle().hash_secret.is_some();
        let settings = Settings { features: settings.features.without_hash_secret(), ..settings.clone() };
        IndexInfo { settings, keyed, documents, gone: stored - documents, segments, bytes }
    }

    /// Answers questions; one for each thread.
    pub fn searcher(&self) -> Searcher {
        Searcher::new(self.shared.scheme.clone())
    }

    /// A question without elements, by the measure of the index: the other fields of one that is made.
    pub fn question(&self) -> Question<'static> {
        Question { elements: &[], counts: &[], measure: self.shared.settings.measure, limit: None }
    }

    pub(super) fn scheme(&self) -> &Scheme {
        &self.shared.scheme
    }
}

/// Begins again when a file is missing.
pub(super) fn again_while_missing<T>(read: impl Fn() -> Result<T>) -> Result<T> {
    for _ in 1..MAX_TRIES {
        match read() {
            Err(error) if error.is_missing() => {}
            other => return other,
        }
    }
    read()
}

/// The torn bytes at the end of the last log, if nobody is writing them; 0 if the log changes meanwhile.
pub(super) fn lasting_torn_bytes(disk: &dyn Disk, manifest: &IndexManifest, torn_bytes: u64) -> u64 {
    let Some(last) = manifest.logs.last().filter(|_| torn_bytes > 0) else { return 0 };
    let length = || disk.read(&log_name(last.number)).map(|bytes| bytes.len()).ok();
    let before = length();
    for _ in 0..TORN_LOOKS {
        std::thread::sleep(TORN_PAUSE);
        if length() != before {
            return 0;
        }
    }
    torn_bytes
}

/// Content of the files of an index.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) manifest: IndexManifest,
    pub(super) scheme: Scheme,
    pub(super) orders: Orders,
    pub(super) order: Arc<ElementOrder>,
    /// The segments of files, with what was deleted when the manifest was written.
    pub(super) parts: Vec<Part>,
    pub(super) log: ReadLog,
}

impl Opened {
    pub(super) fn read(disk: &dyn Disk) -> Result<Self> {
        let (manifest, deleted) = IndexManifest::read(disk)?;
        let frequencies = manifest.read_frequencies(disk)?;
        let settings = &manifest.settings;
        let keys = settings.keys()?;
        let form = settings.form()?;
        let scheme = Scheme { measure: settings.measure, keys, form, frequencies: frequencies.map(Arc::new) };
        let mut orders = Orders::default();
        let parts = manifest.open_segments(disk, deleted, &mut orders)?;
        let order = orders.get(disk, &manifest, manifest.order)?;
        let log = read_logs(disk, &manifest)?;
        Ok(Self { manifest, scheme, orders, order, parts, log })
    }

    /// The documents, those of the logs, which are emptied, in one segment in memory.
    pub(super) fn view(&mut self, disk: &dyn Disk) -> Result<View> {
        let mut view = View { parts: self.parts.clone(), now: disk.now() };
        let changes = std::mem::take(&mut self.log.groups).into_iter().flatten();
        let puts = apply_changes(&mut view, changes.collect());
        if !puts.is_empty() {
            let maker = SegmentMaker::in_memory_by(&self.scheme, &self.order, self.manifest.order);
            view.parts.push(part_of(SegmentContent::New(&puts), &maker, &self.order)?);
        }
        Ok(view)
    }
}

/// The groups of all logs, with the end of the last.
fn read_logs(disk: &dyn Disk, manifest: &IndexManifest) -> Result<ReadLog> {
    let path_of = |log: LogFile| disk.path_of(&log_name(log.number));
    let read = |log: &LogFile| read_log(disk, &log_name(log.number), manifest.index, *log);
    let (last, earlier) =
        manifest.logs.split_last().ok_or_else(|| Error::damaged(&disk.path_of(MANIFEST), Damage::Directory))?;
    let mut groups = Vec::new();
    for log in earlier {
        let read = read(log)?;
        // A log that another follows was complete then.
        if read.torn_bytes > 0 || read.end != *log {
            return Err(Error::LogDamaged { path: path_of(*log), offset: read.end.bytes });
        }
        groups.extend(read.groups);
    }
    let mut all = read(last)?;
    groups.append(&mut all.groups);
    all.groups = groups;
    Ok(all)
}

/// Deletes from a view what the changes delete and replace; returns the documents that come, as they were put last.
pub(super) fn apply_changes(view: &mut View, changes: Vec<Change>) -> Vec<IndexDocument> {
    let last: HashMap<String, usize> =
        changes.iter().enumerate().map(|(number, change)| (change.id().to_owned(), number)).collect();
    for id in last.keys() {
        // Expired documents are there until they are merged away, so that they never come back.
        delete(view, id);
    }
    let is_last = |(number, change): &(usize, Change)| last.get(change.id()) == Some(number);
    let puts = changes.into_iter().enumerate().filter(is_last).filter_map(|(_, change)| match change {
        Change::Put(document) => Some(document),
        Change::Delete(_) => None,
    });
    puts.collect()
}

/// Deletes the document with an id; false if there is none.
pub(super) fn delete(view: &mut View, id: &str) -> bool {
    view.parts.iter_mut().rev().any(|part| part.delete(id))
}
