//! Large arrays on large pages of memory.
//!
//! The system gives memory page by page, when each is touched first, and the processor remembers where few pages are. Systems that
//! have large pages (2 MiB instead of 4 KiB) lend them to those who ask: an array of gigabytes is there sooner, and reading it all
//! over the place is faster. It is a wish: without them everything works as well.

/// Below this, ordinary pages do.
const LEAST_BYTES: usize = 4 << 20;

/// So many zeros, on large pages if that is worth it.
pub(crate) fn zeros<T: bytemuck::Zeroable>(length: usize) -> Vec<T> {
    let mut zeros = bytemuck::zeroed_vec(length);
    ask_for_large_pages(&mut zeros);
    zeros
}

/// Makes room in an empty array for so many items, on large pages if that is worth it, where the system takes memory for no more
/// than what is filled. Elsewhere, or if there are not even addresses for so much, the array will grow as others do.
pub fn with_room_for<T>(items: usize) -> Vec<T> {
    let mut array = Vec::new();
    if cfg!(target_os = "linux") && array.try_reserve_exact(items).is_ok() {
        ask_for_large_pages(&mut array);
    }
    array
}

/// Asks for large pages for the memory of an array.
fn ask_for_large_pages<T>(array: &mut Vec<T>) {
    let bytes = array.capacity() * size_of::<T>();
    if bytes >= LEAST_BYTES {
        advise(array.as_mut_ptr().cast(), bytes);
    }
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the system is told an address")]
fn advise(start: *mut u8, bytes: usize) {
    let page_bytes = rustix::param::page_size();
    // Whole pages, from the one that the array begins in to the one that it ends in: a mapping that is large pages in part only
    // could not grow in place.
    let before = start.addr() % page_bytes;
    let whole = (before + bytes).next_multiple_of(page_bytes);
    let first = start.wrapping_sub(before).cast();
    // SAFETY: all pages are mapped, for each holds at least a byte of the array. The advice changes neither what is in a page nor who
    // may use it, so it does not matter what else is in the first and the last one.
    let _ = unsafe { rustix::mm::madvise(first, whole, rustix::mm::Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
fn advise(_start: *mut u8, _bytes: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_all_sizes_hold_what_is_written() {
        for bytes in [0, 1, LEAST_BYTES - 1, LEAST_BYTES, LEAST_BYTES + 5] {
            let mut zeros: Vec<u8> = zeros(bytes);
            assert!(zeros.len() == bytes && zeros.iter().all(|&byte| byte == 0));
            zeros.fill(7);
            let mut grown = with_room_for(bytes / 2);
            grown.extend_from_slice(&zeros);
            assert_eq!(grown, zeros);
        }
    }

    #[test]
    fn more_room_than_there_is_does_no_harm() {
        let mut array = with_room_for::<u64>(usize::MAX / 16);
        array.push(1);
        assert_eq!(array, [1]);
    }
}
