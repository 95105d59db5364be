//! What the system says of the memory of this process (Linux; elsewhere nothing), and a random number that it gives.

use super::recent::Recent;
use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroUsize;
use std::time::Duration;

/// A random number, another one at each call: for tables in memory, whose order no answer depends on.
pub(crate) fn random_number() -> u64 {
    RandomState::new().hash_one(0)
}

/// Maximum resident size of this process so far, in bytes, as it was within the last 10 ms; `None` where the system
/// does not tell.
pub fn peak_bytes() -> Option<u64> {
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

/// Resident bytes of all mapped files, the program itself among them; `None` where the system does not tell.
pub(crate) fn resident_file_bytes() -> Option<u64> {
    status("RssFile:")
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
