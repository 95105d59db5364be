//! Large pages of memory for arrays that are accessed at random.
//!
//! The system maps memory page by page, when each is touched first, and the processor caches the addresses of few
//! pages. Systems that have large pages (2 MiB instead of 4 KiB) lend them to those who ask: random access to an array
//! of gigabytes is faster then. The system may decline; then only the speed differs.
//!
//! Turned down: large pages for the elements of all sets, which are written and read in order. They save a tenth of a
//! job where the memory is at hand, but where a host lends a virtual machine its memory and takes it back when it is
//! free, each large page has to be found again: there reading a million documents took twice as long with them.

use std::ops::Range;

/// Minimum size of an allocation for large pages.
const MIN_BYTES: usize = 4 << 20;

/// Asks for large pages for an allocation that was not touched yet.
pub(crate) fn ask_for_large_pages(memory: Range<*const u8>) {
    let bytes = memory.end.addr() - memory.start.addr();
    if bytes >= MIN_BYTES {
        advise(memory.start, bytes);
    }
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the system is told an address")]
fn advise(start: *const u8, bytes: usize) {
    let page_bytes = rustix::param::page_size();
    // Whole pages, from the one that the array begins in to the one that it ends in.
    let before = start.addr() % page_bytes;
    let whole = (before + bytes).next_multiple_of(page_bytes);
    let first = start.wrapping_sub(before).cast_mut().cast();
    // SAFETY: the advice changes neither the content of a page nor its access rights, whatever lies there; of addresses
    // that are not mapped the system says so, and nothing happens.
    let _ = unsafe { rustix::mm::madvise(first, whole, rustix::mm::Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
fn advise(_start: *const u8, _bytes: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_all_sizes_hold_what_is_written() {
        for bytes in [0, 1, MIN_BYTES - 1, MIN_BYTES, MIN_BYTES + 5] {
            let mut zeros = vec![0u8; bytes];
            ask_for_large_pages(zeros.as_ptr_range());
            zeros.fill(7);
            assert!(zeros.iter().all(|&byte| byte == 7));
        }
    }
}
