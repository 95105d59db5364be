//! Large arrays that are written once: in memory, or wherever the caller keeps them.
//!
//! The sets and keys of a corpus may be larger than memory. This crate has no files; it asks for stretches of an array and
//! leaves open where they come from.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

/// An array that its keeper holds, in a mapped file for example.
pub trait Keep<T>: Debug + Send + Sync {
    /// Number of items.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Some consecutive items; the range lies within the array.
    fn slice(&self, range: Range<usize>) -> &[T];
}

/// An array in memory or elsewhere.
#[derive(Debug, Clone)]
pub enum Array<T> {
    /// In memory.
    Owned(Vec<T>),
    /// Elsewhere.
    Kept(Arc<dyn Keep<T>>),
}

impl<T> Default for Array<T> {
    fn default() -> Self {
        Self::Owned(Vec::new())
    }
}

impl<T: Clone> Array<T> {
    /// Number of items.
    pub fn len(&self) -> usize {
        match self {
            Self::Owned(items) => items.len(),
            Self::Kept(items) => items.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory that it has, in use or not.
    pub fn reserved_bytes(&self) -> usize {
        match self {
            Self::Owned(items) => items.capacity() * size_of::<T>(),
            Self::Kept(_) => 0,
        }
    }

    /// Some consecutive items; the range lies within the array.
    pub fn slice(&self, range: Range<usize>) -> &[T] {
        match self {
            Self::Owned(items) => &items[range],
            Self::Kept(items) => items.slice(range),
        }
    }

    /// All items in memory.
    pub fn into_vec(mut self) -> Vec<T> {
        std::mem::take(self.to_mut())
    }

    /// The array in memory, where it can grow; one that is kept elsewhere is copied.
    pub fn to_mut(&mut self) -> &mut Vec<T> {
        if let Self::Kept(items) = self {
            *self = Self::Owned(items.slice(0..items.len()).to_vec());
        }
        match self {
            Self::Owned(items) => items,
            Self::Kept(_) => unreachable!("it is in memory now"),
        }
    }
}
