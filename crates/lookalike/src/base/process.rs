//! Facts of the system about the memory of this process (Linux; elsewhere nothing), and a random number that it gives.

#[cfg(target_os = "linux")]
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroUsize;
#[cfg(target_os = "linux")]
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A random number, another one at each call: for tables in memory, whose order no answer depends on.
pub(crate) fn random_number() -> u64 {
    RandomState::new().hash_one(0)
}

/// Maximum resident size of this process so far, in bytes, as it was within the last 10 ms; `None` where the system
/// does not tell.
pub(crate) fn peak_bytes() -> Option<u64> {
    static RECENT: Recent<Option<u64>> = Recent::new(Duration::from_millis(10));
    RECENT.get(|| status("VmHWM:"))
}

/// Number of threads that may run at once, as it was within the last second; `None` where the system does not tell.
pub(crate) fn available_threads() -> Option<NonZeroUsize> {
    static RECENT: Recent<Option<NonZeroUsize>> = Recent::new(Duration::from_secs(1));
    RECENT.get(|| std::thread::available_parallelism().ok())
}

/// Resident size of this process, in bytes; `None` where the system does not tell.
pub fn resident_bytes() -> Option<u64> {
    status("VmRSS:")
}

/// Tells how much memory mapped files take. Asked often, so the file of the system that says it stays open, and is the
/// one that costs least.
#[derive(Debug)]
pub(crate) struct MappedMemory {
    #[cfg(target_os = "linux")]
    statm: Option<File>,
    /// The process that the file tells of; a copy of it (fork) has the file, too.
    #[cfg(target_os = "linux")]
    process: u32,
}

impl MappedMemory {
    /// Memory of this process.
    pub(crate) fn of_process() -> Self {
        Self {
            #[cfg(target_os = "linux")]
            statm: File::open("/proc/self/statm").ok(),
            #[cfg(target_os = "linux")]
            process: std::process::id(),
        }
    }

    /// Resident bytes of mapped files, the program itself among them, and of shared memory; `None` where the system
    /// does not tell, and in a copy of the process.
    #[cfg(target_os = "linux")]
    pub(crate) fn resident_bytes(&self) -> Option<u64> {
        // Size, resident pages, those of files and shared memory, and more; a number has at most 20 digits.
        let mut line = [0; 64];
        let statm = self.statm.as_ref().filter(|_| self.process == std::process::id());
        let length = statm?.read_at(&mut line, 0).ok()?;
        let pages = std::str::from_utf8(&line[..length]).ok()?.split(' ').nth(2)?;
        Some(pages.parse::<u64>().ok()? * rustix::param::page_size() as u64)
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn resident_bytes(&self) -> Option<u64> {
        None
    }
}

/// Addresses that this process has taken, in bytes; `None` where the system does not tell.
pub(crate) fn address_bytes() -> Option<u64> {
    status("VmSize:")
}

fn status(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = value.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Fact of the system that changes seldom and is slow to look up, as it was looked up last: a job of one small question
/// asks for as many of them as one of a million documents, and would spend most of its time on files of the system.
pub(super) struct Recent<T> {
    found: Mutex<Option<(Instant, T)>>,
    /// Age from which on it is looked up again.
    max_age: Duration,
}

impl<T: Clone> Recent<T> {
    /// A fact that was never looked up.
    pub(super) const fn new(max_age: Duration) -> Self {
        Self { found: Mutex::new(None), max_age }
    }

    /// The fact, looked up if it is older than its maximum age.
    pub(super) fn get(&self, look_up: impl FnOnce() -> T) -> T {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        match &*found {
            Some((at, fact)) if at.elapsed() <= self.max_age => fact.clone(),
            _ => found.insert((Instant::now(), look_up())).1.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_memory_is_what_the_status_says() {
        let memory = MappedMemory::of_process();
        let is_same = || match (status("RssFile:"), status("RssShmem:")) {
            (Some(files), Some(shared)) => memory.resident_bytes() == Some(files + shared),
            _ => true,
        };
        // Other tests touch pages between the two.
        assert!((0..1000).any(|_| is_same()));
    }

    #[test]
    fn a_fact_is_looked_up_again_once_it_is_old() {
        let young = Recent::new(Duration::from_secs(3600));
        let old = Recent::new(Duration::ZERO);
        assert_eq!((young.get(|| 1), young.get(|| 2)), (1, 1));
        assert_eq!(old.get(|| 1), 1);
        std::thread::sleep(Duration::from_millis(1));
        assert_eq!(old.get(|| 2), 2);
    }
}
