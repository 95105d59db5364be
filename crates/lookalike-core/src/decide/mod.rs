//! From verified pairs to decisions: which documents belong together, which stay, which go and why.

mod clusters;
mod keepers;
mod union_find;

pub use clusters::{Cluster, clusters};
pub use keepers::{Decision, Keepers, Reason, Search};
pub use union_find::UnionFind;
