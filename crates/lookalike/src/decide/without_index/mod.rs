//! Comparing all pairs without an index of blocking keys, most of them by norm sketches alone: for cosines whose
//! frequent terms weigh much, where two documents would meet under several keys; and of vectors, as long as they are
//! few.
//!
//! ```text
//! AllPairs     each document with those before it: all verified pairs
//! KeepingAll   the keepers rule; documents against references
//! ```

mod all_pairs;
mod keep_all;

pub(super) use all_pairs::{AllPairs, MAX_CHUNK_DOCUMENTS, Scratch};
pub(super) use keep_all::KeepingAll;
