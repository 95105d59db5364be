//! Large arrays that are written once and then read: in memory, or in storage of the caller.
//!
//! The sets and blocking keys of a corpus may exceed memory. This crate opens no files: it requests slices of an array
//! through [`ArrayStorage`], which the caller implements for its storage.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

/// Storage of an array outside this crate, such as a memory-mapped file.
pub trait ArrayStorage<T>: Debug + Send + Sync {
    /// Number of items.
    fn len(&self) -> usize;

    /// Returns whether the array has no items.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items at `range`, which lies within the array.
    fn slice(&self, range: Range<usize>) -> &[T];
}

/// An array in memory or in storage of the caller.
#[derive(Debug, Clone)]
pub enum Array<T> {
    /// A vector in memory.
    Owned(Vec<T>),
    /// Storage of the caller.
    Stored(Arc<dyn ArrayStorage<T>>),
}

impl<T> Default for Array<T> {
    fn default() -> Self {
        Self::Owned(Vec::new())
    }
}

impl<T: Clone> Array<T> {
    /// Items per chunk of [`Array::chunks`]: few pages of a mapped file.
    const CHUNK_ITEMS: usize = 1 << 12;

    /// Number of items.
    pub fn len(&self) -> usize {
        match self {
            Self::Owned(items) => items.len(),
            Self::Stored(items) => items.len(),
        }
    }

    /// Returns whether the array has no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether the items are in memory.
    pub fn is_in_memory(&self) -> bool {
        matches!(self, Self::Owned(_))
    }

    /// Size of the items in bytes if they are in memory, else 0.
    pub fn memory_bytes(&self) -> usize {
        match self {
            Self::Owned(items) => size_of_val(&items[..]),
            Self::Stored(_) => 0,
        }
    }

    /// Allocated memory in bytes, used or not; 0 for storage of the caller.
    pub fn reserved_bytes(&self) -> usize {
        match self {
            Self::Owned(items) => items.capacity() * size_of::<T>(),
            Self::Stored(_) => 0,
        }
    }

    /// All items.
    pub fn as_slice(&self) -> &[T] {
        self.slice(0..self.len())
    }

    /// The items at `range`, which lies within the array.
    pub fn slice(&self, range: Range<usize>) -> &[T] {
        match self {
            Self::Owned(items) => &items[range],
            Self::Stored(items) => items.slice(range),
        }
    }

    /// Returns all items in order, in chunks of some thousand, so that few pages of a mapped file are in use at once.
    pub fn chunks(&self) -> impl Iterator<Item = &[T]> {
        let end = self.len();
        (0..end).step_by(Self::CHUNK_ITEMS).map(move |start| self.slice(start..(start + Self::CHUNK_ITEMS).min(end)))
    }

    /// Returns all items as a vector; items in storage of the caller are copied.
    pub fn into_vec(mut self) -> Vec<T> {
        std::mem::take(self.to_mut())
    }

    /// The items as a growable vector; items in storage of the caller are copied to memory first.
    pub fn to_mut(&mut self) -> &mut Vec<T> {
        if let Self::Stored(items) = self {
            *self = Self::Owned(items.slice(0..items.len()).to_vec());
        }
        match self {
            Self::Owned(items) => items,
            Self::Stored(_) => unreachable!("the items were copied to memory above"),
        }
    }
}
