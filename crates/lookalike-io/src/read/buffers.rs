//! The buffer pool of blocks.
//!
//! A block is read by one thread and dropped by another, some thousand times a second. Without a pool the threads would
//! contend for the allocator, which takes a lock to free memory that another thread has allocated.

use super::context::BLOCK_BYTES;
use lookalike_core::Pool;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// Typical size of a block: the incomplete record before it, then the bytes that are read.
const TYPICAL_BYTES: usize = 2 * BLOCK_BYTES;
/// Maximum capacity of pooled buffers; larger ones, of long records, are freed.
const MAX_POOLED_BYTES: usize = 2 * TYPICAL_BYTES;

/// The pool of the buffers of a source.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockBuffers {
    pool: Arc<Pool<Vec<u8>>>,
}

impl BlockBuffers {
    /// An empty buffer.
    pub(super) fn take(&self) -> Buffer {
        let bytes = self.pool.take().unwrap_or_else(|| Vec::with_capacity(TYPICAL_BYTES));
        Buffer { bytes, pool: Arc::clone(&self.pool) }
    }
}

/// Bytes that return to their pool when they are dropped.
#[derive(Debug)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    pool: Arc<Pool<Vec<u8>>>,
}

impl Deref for Buffer {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.bytes
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let mut bytes = std::mem::take(&mut self.bytes);
        if bytes.capacity() <= MAX_POOLED_BYTES {
            bytes.clear();
            self.pool.put(bytes);
        }
    }
}

impl Buffer {
    /// Clears the buffer and frees its memory above the typical size.
    pub(super) fn reset(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(TYPICAL_BYTES);
    }
}

/// Moves the bytes from offset `from` on to `rest`, replacing its content.
pub(super) fn move_rest(bytes: &mut Vec<u8>, from: usize, rest: &mut Vec<u8>) {
    rest.clear();
    rest.extend_from_slice(&bytes[from..]);
    bytes.truncate(from);
}

/// Number of bytes that [`blank_prefix`] compares at a time.
const COMPARED_BYTES: usize = 64;

/// Number of bytes at the beginning that are all like `is_like`: blank bytes, of which a file may have gigabytes, are
/// skipped many at a time.
pub(super) fn blank_prefix(bytes: &[u8], is_like: impl Fn(u8) -> bool) -> usize {
    if !bytes.first().is_some_and(|&byte| is_like(byte)) {
        return 0;
    }
    // A block without an early exit is compared at once by the compiler.
    let all = |block: &&[u8]| block.iter().fold(true, |all, &byte| all & is_like(byte));
    let whole = COMPARED_BYTES * bytes.chunks_exact(COMPARED_BYTES).take_while(all).count();
    whole + bytes[whole..].iter().take_while(|&&byte| is_like(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_come_back_empty_unless_they_have_grown_too_large() {
        let buffers = BlockBuffers::default();
        let mut first = buffers.take();
        first.extend_from_slice(b"bytes");
        let place = first.as_ptr();
        drop(first);
        let mut again = buffers.take();
        assert_eq!((again.as_ptr(), again.len()), (place, 0));
        again.resize(MAX_POOLED_BYTES + 1, 0);
        drop(again);
        assert_eq!(buffers.take().capacity(), TYPICAL_BYTES);
    }

    #[test]
    fn the_rest_is_moved() {
        let mut bytes = b"line\nnext".to_vec();
        let mut rest = b"old".to_vec();
        move_rest(&mut bytes, 5, &mut rest);
        assert_eq!((&bytes[..], &rest[..]), (&b"line\n"[..], &b"next"[..]));
    }

    #[test]
    fn the_prefix_ends_at_the_first_other_byte() {
        for length in [0, 1, 2, COMPARED_BYTES - 1, COMPARED_BYTES, COMPARED_BYTES + 1, 5 * COMPARED_BYTES + 3] {
            let mut bytes = vec![b'\n'; length];
            assert_eq!(blank_prefix(&bytes, |byte| byte == b'\n'), length);
            bytes.extend(b"x\n\n");
            assert_eq!(blank_prefix(&bytes, |byte| byte == b'\n'), length);
        }
    }
}
