//! Batch functions: columns of Arrow in, columns of Arrow out, for engines that do the batching and the joins.
//!
//! Each function is one of `lookalike_batch` between two conversions. The files stand in this order:
//!
//! ```text
//! column       columns that Python passes, cut into pieces of some rows
//! arrays       arrays that Python takes over        -> ArrowArray, Layout
//! frequencies  Frequencies, shared by threads
//! stages       features, blocking keys, filter, verification
//! buckets      entries of keys, Buckets
//! decisions    Components, keepers
//! ```

mod arrays;
mod buckets;
mod column;
mod decisions;
mod frequencies;
mod stages;

pub(crate) use arrays::ArrowArray;
pub(crate) use buckets::{Buckets, deal};
pub(crate) use decisions::{Components, keepers};
pub(crate) use frequencies::Frequencies;
pub(crate) use stages::{blocking_keys, features, may_reach, verify};
