//! Arrays in files, mapped into memory, of which only a share stays resident.
//!
//! Pages of a file that were touched through a map belong to the resident size of the process until they are given
//! back. [`Resident`] adds up what is touched, and from time to time asks the system how much is resident: more than
//! was touched, because it maps whole windows around touched pages. At its limit it gives all pages back. They remain
//! in the cache of the system, so touching them again is cheap.
//!
//! Maps of files with names can change under the job: other programs may cut such a file or write to it. That is
//! noticed at the end of each stage, by size and time. What is left: reading behind the end of a file that was cut in
//! the middle of a stage is a signal (SIGBUS), of which the command line makes a line, and other programs what they
//! will; and what was written through a map of another program may get its time only later.
//!
//! Whoever reads the set of a long document holds one slice and touches nothing else for a while. From the first such
//! slice on, a thread looks how much is resident, as long as the job goes on: a thousand times a second while it
//! changes and when the next such slice is taken, more and more seldom while it stays as it is. A core touches some
//! megabytes in a thousandth of a second.

use crate::base::MappedMemory;
use bytemuck::Pod;
use lookalike_core::ArrayStorage;
use memmap2::Mmap;
#[cfg(unix)]
use memmap2::UncheckedAdvice;
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::thread::Thread;
use std::time::{Duration, SystemTime};

/// Linux maps at least 16 pages of 4 KiB around a touched one.
const WINDOW_BYTES: u64 = 1 << 16;
/// Bytes that are touched before the system is asked again. Few, because of a file that the system keeps in huge pages
/// each touched byte can map 2 MiB.
const BYTES_PER_LOOK: u64 = 1 << 20;
const RECENT_WINDOWS: usize = 16;
const WATCH_STACK_BYTES: usize = 1 << 16;
/// Time in which two changes of a file may get the same time: systems tell it by a clock of 1 to 10 ms.
const TIME_UNIT: Duration = Duration::from_millis(11);
/// Time between two looks at the resident size while long slices are read.
const MIN_TIME_PER_LOOK: Duration = Duration::from_millis(1);
/// Time between two looks where nothing more is touched.
const MAX_TIME_PER_LOOK: Duration = Duration::from_millis(16);

/// The maps of a job, with a limit on their resident pages.
#[derive(Debug)]
pub(super) struct Resident {
    limit_bytes: u64,
    memory: MappedMemory,
    touched_bytes: AtomicU64,
    /// Bytes touched since pages were given back, for systems that do not report the resident size.
    since_bytes: AtomicU64,
    /// Resident bytes when all maps are given back, at least: the program itself is a file, too. Other threads may have
    /// touched more before it was measured, so the least of all measurements counts.
    other_bytes: AtomicU64,
    maps: Mutex<Vec<Weak<Mmap>>>,
    named: Mutex<Vec<(Weak<Mmap>, NamedFile)>>,
    /// The thread that looks from time to time, once there was a long slice; `None` if it could not be started.
    watch: OnceLock<Option<Thread>>,
}

/// A file with a name, as it was when its bytes were checked.
#[derive(Debug)]
pub(super) struct NamedFile {
    file: File,
    path: PathBuf,
    bytes: u64,
    modified: Option<SystemTime>,
}

impl NamedFile {
    /// The present state of `file`, which stands at `path`. Any later change gives it another size or time: a file
    /// that has just been written is waited for.
    pub(super) fn new(file: &File, path: &Path) -> io::Result<Self> {
        let last_change = file.metadata()?.modified().ok().and_then(|modified| modified.elapsed().ok());
        if let Some(rest) = last_change.and_then(|age| TIME_UNIT.checked_sub(age)) {
            std::thread::sleep(rest);
        }
        let found = file.metadata()?;
        let bytes = found.len();
        let modified = found.modified().ok();
        Ok(Self { file: file.try_clone()?, path: path.to_owned(), bytes, modified })
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    fn is_unchanged(&self) -> bool {
        let found = self.file.metadata();
        found.is_ok_and(|found| (found.len(), found.modified().ok()) == (self.bytes, self.modified))
    }
}

impl Resident {
    pub(super) fn new(limit_bytes: u64) -> Self {
        Self {
            limit_bytes,
            memory: MappedMemory::of_process(),
            touched_bytes: AtomicU64::new(0),
            since_bytes: AtomicU64::new(0),
            other_bytes: AtomicU64::new(u64::MAX),
            maps: Mutex::new(Vec::new()),
            named: Mutex::new(Vec::new()),
            watch: OnceLock::new(),
        }
    }

    /// Maps a file with a name, and watches it as long as it is mapped.
    pub(super) fn map_named(&self, named: NamedFile) -> io::Result<Arc<Mmap>> {
        let map = self.map(&named.file)?;
        self.named.lock().unwrap_or_else(PoisonError::into_inner).push((Arc::downgrade(&map), named));
        Ok(map)
    }

    /// The path of a mapped file that has changed since its bytes were checked, if there is one.
    pub(super) fn changed_file(&self) -> Option<PathBuf> {
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        named.retain(|(map, _)| map.strong_count() > 0);
        named.iter().find(|(_, file)| !file.is_unchanged()).map(|(_, file)| file.path.clone())
    }

    /// Maps a file that will not change any more.
    #[expect(unsafe_code, reason = "a memory map is safe only as long as its file stays as it is")]
    pub(super) fn map(&self, file: &File) -> io::Result<Arc<Mmap>> {
        // SAFETY: the file was made by this program, has no name or lies in its work folder, and is not written any
        // more.
        let map = Arc::new(unsafe { Mmap::map(file) }?);
        let mut maps = self.maps.lock().unwrap_or_else(PoisonError::into_inner);
        maps.retain(|map| map.strong_count() > 0);
        maps.push(Arc::downgrade(&map));
        Ok(map)
    }

    fn touch(&self, bytes: u64) {
        let touched = self.touched_bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let look = self.limit_bytes.min(BYTES_PER_LOOK);
        // The thread that sets it to zero checks the resident size.
        if touched > look && self.touched_bytes.swap(0, Ordering::Relaxed) > 0 {
            let since = self.since_bytes.fetch_add(touched, Ordering::Relaxed) + touched;
            self.give_back_above_limit(self.memory.resident_bytes().unwrap_or(since));
        }
    }

    /// Gives back the pages of all maps if the limit is exceeded.
    fn give_back_above_limit(&self, resident_bytes: u64) {
        let others = Some(self.other_bytes.load(Ordering::Relaxed)).filter(|&bytes| bytes < u64::MAX);
        if resident_bytes > others.unwrap_or(0) + self.limit_bytes {
            self.since_bytes.store(0, Ordering::Relaxed);
            let maps: Vec<Weak<Mmap>> = self.maps.lock().unwrap_or_else(PoisonError::into_inner).clone();
            maps.iter().filter_map(Weak::upgrade).for_each(|map| give_back(&map));
            self.other_bytes.fetch_min(self.memory.resident_bytes().unwrap_or(0), Ordering::Relaxed);
        }
    }

    /// Has a thread look at the resident size, now and from now on, where the system reports it.
    fn watch(self: &Arc<Self>) {
        // Where there is no thread to be had, more pages stay for a while.
        if let Some(watch) = self.watch.get_or_init(|| self.start_watch()) {
            watch.unpark();
        }
    }

    fn start_watch(self: &Arc<Self>) -> Option<Thread> {
        self.memory.resident_bytes()?;
        let watched = Arc::downgrade(self);
        let look = move || {
            let mut before = 0;
            let mut pause = MIN_TIME_PER_LOOK;
            while let Some(resident) = watched.upgrade() {
                let bytes = resident.memory.resident_bytes().unwrap_or(0);
                resident.give_back_above_limit(bytes);
                drop(resident);
                pause = if bytes == before { (2 * pause).min(MAX_TIME_PER_LOOK) } else { MIN_TIME_PER_LOOK };
                before = bytes;
                std::thread::park_timeout(pause);
            }
        };
        let started = std::thread::Builder::new().name("resident".to_owned()).stack_size(WATCH_STACK_BYTES).spawn(look);
        started.ok().map(|handle| handle.thread().clone())
    }
}

/// Takes the pages out of the process. Where the system has no such call, or refuses, they stay: it is a matter of size
/// only.
#[cfg(unix)]
#[expect(unsafe_code, reason = "giving pages back is unsafe for maps that are written to, which these are not")]
fn give_back(map: &Mmap) {
    // SAFETY: the map is shared and read-only, so a page that is touched again is read from the file again.
    let _ = unsafe { map.unchecked_advise(UncheckedAdvice::DontNeed) };
}

#[cfg(not(unix))]
fn give_back(_: &Mmap) {}

/// An array in a mapped file.
#[derive(Debug)]
pub(super) struct Mapped<T> {
    map: Arc<Mmap>,
    /// The bytes of the array in the file; they begin at a multiple of the alignment of an item.
    bytes: Range<usize>,
    resident: Arc<Resident>,
    /// Windows that were touched of late, each at a place that its number names: threads read in different ones.
    recent: [AtomicU64; RECENT_WINDOWS],
    items: PhantomData<T>,
}

impl<T: Pod> Mapped<T> {
    pub(super) fn new(map: Arc<Mmap>, bytes: Range<usize>, resident: Arc<Resident>) -> Self {
        Self { map, bytes, resident, recent: std::array::from_fn(|_| AtomicU64::new(u64::MAX)), items: PhantomData }
    }

    fn touch(&self, bytes: &Range<usize>) {
        if bytes.is_empty() {
            return;
        }
        if bytes.len() as u64 > self.resident.limit_bytes {
            self.resident.watch();
        }
        let first = bytes.start as u64 / WINDOW_BYTES;
        let last = (bytes.end as u64 - 1) / WINDOW_BYTES;
        for window in first..=last {
            let recent = &self.recent[window as usize % RECENT_WINDOWS];
            if recent.load(Ordering::Relaxed) != window {
                recent.store(window, Ordering::Relaxed);
                self.resident.touch(WINDOW_BYTES);
            }
        }
    }
}

impl<T: Pod + std::fmt::Debug + Send + Sync> ArrayStorage<T> for Mapped<T> {
    fn len(&self) -> usize {
        self.bytes.len() / size_of::<T>()
    }

    fn slice(&self, range: Range<usize>) -> &[T] {
        let start = self.bytes.start;
        let bytes = start + range.start * size_of::<T>()..start + range.end * size_of::<T>();
        self.touch(&bytes);
        bytemuck::cast_slice(&self.map[bytes])
    }
}
