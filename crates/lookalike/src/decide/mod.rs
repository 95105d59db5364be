//! Answers from blocking keys: pairs, clusters, decisions.
//!
//! ```text
//! Search         the stages of one search over one corpus, each with its checkpoint
//! join           all verified pairs
//! keep           the keepers rule, in parallel; documents against references
//! all_pairs, keep_all   both by comparing all pairs, without blocking keys
//! refusals       answers that are checked on texts
//! pair_limit     how many pairs there may be
//! answer_size    how many pairs there are, said before they are written
//! SavedPairs     the same answers from pairs that were found before
//! ```

mod all_pairs;
mod bits_join;
mod bucket_join;
mod chunks;
mod decided;
mod histogram;
mod index_blocks;
mod join;
mod keep;
mod keep_all;
mod order;
mod pair_limit;
mod saved_pairs;
mod search;

pub(crate) use histogram::Refused;
pub use histogram::{Histogram, RefusedCandidates, SimilarityBins};
pub use join::Joined;
pub(crate) use join::PackedPair;
pub(crate) use keep::Compare;
pub(crate) use order::order_of;
pub(crate) use pair_limit::PairLimit;
pub(crate) use saved_pairs::SavedPairs;
pub use search::{Clusters, Dedup, FoldedPairs};
pub(crate) use search::{DuplicateSearch, SearchParameters};
