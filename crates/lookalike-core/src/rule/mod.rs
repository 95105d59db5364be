//! The consequences of pairs: the parameter [`Rule`], clusters of documents, and decisions about which documents are
//! kept or removed.
//!
//! ```text
//! Rule              parameter: list pairs, list clusters, keep one of several, compare with references
//! Decision          kept, or removed with a witness
//! clusters          connected components of pairs
//! decide_by_pairs   the keepers rule over any source of verified pairs
//! Nearest           the most similar documents of a search
//! SharedUnionFind   connected components, joined by several threads
//! KeeperIndex       the keepers rule during the search for candidates: only keepers are indexed
//! ```

mod clusters;
mod decision;
mod keepers;
mod nearest;
mod pairs;
#[expect(clippy::module_inception, reason = "the parameter of this module has a file of its own")]
mod rule;
mod shared_union_find;
mod union_find;

pub use clusters::{Cluster, clusters};
pub use decision::{Decision, Reason};
pub use keepers::{KeeperIndex, KeeperWriter, KnownKeeper, Witness, WitnessFinder};
pub use nearest::{Near, Nearest};
pub use pairs::{RatedPair, decide_by_clusters, decide_by_pairs, ranks};
pub use rule::{Order, Rule};
pub use shared_union_find::SharedUnionFind;
pub use union_find::UnionFind;
