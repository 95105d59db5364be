//! Buffers for the bytes of blocks, used again and again.
//!
//! A block is read by one thread and forgotten by another, some thousand times a second. If each were allocated, the memory of the
//! threads would mix until they wait for each other at every allocation, as allocators have a lock for what a thread has
//! allocated first.

use super::BLOCK_BYTES;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

/// What a block has, most often: the rest of the last line comes before what is read.
const USUAL_BYTES: usize = 2 * BLOCK_BYTES;
/// Larger ones, of long records, are not kept.
const MOST_KEPT_BYTES: usize = 2 * USUAL_BYTES;

/// Buffers that wait to be used again.
#[derive(Debug, Clone, Default)]
pub(super) struct Buffers {
    spare: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Buffers {
    /// An empty buffer.
    pub(super) fn take(&self) -> Buffer {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Buffer { bytes: spare.unwrap_or_else(|| Vec::with_capacity(USUAL_BYTES)), home: self.clone() }
    }
}

/// Bytes whose memory goes back when they are dropped.
#[derive(Debug)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    home: Buffers,
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
        if bytes.capacity() <= MOST_KEPT_BYTES {
            bytes.clear();
            self.home.spare.lock().unwrap_or_else(PoisonError::into_inner).push(bytes);
        }
    }
}

impl Buffer {
    /// Forgets the bytes, and most of their memory if it is much.
    pub(super) fn give_up(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(USUAL_BYTES);
    }
}

/// Moves what is behind a place to an empty buffer.
pub(super) fn move_rest(bytes: &mut Vec<u8>, from: usize, rest: &mut Vec<u8>) {
    rest.clear();
    rest.extend_from_slice(&bytes[from..]);
    bytes.truncate(from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_come_back_empty_unless_they_have_grown_too_large() {
        let buffers = Buffers::default();
        let mut first = buffers.take();
        first.extend_from_slice(b"bytes");
        let place = first.as_ptr();
        drop(first);
        let mut again = buffers.take();
        assert_eq!((again.as_ptr(), again.len()), (place, 0));
        again.resize(MOST_KEPT_BYTES + 1, 0);
        drop(again);
        assert_eq!(buffers.take().capacity(), USUAL_BYTES);
    }

    #[test]
    fn the_rest_is_what_is_behind() {
        let (mut bytes, mut rest) = (b"line\nbegun".to_vec(), b"old".to_vec());
        move_rest(&mut bytes, 5, &mut rest);
        assert_eq!((&bytes[..], &rest[..]), (&b"line\n"[..], &b"begun"[..]));
    }
}
