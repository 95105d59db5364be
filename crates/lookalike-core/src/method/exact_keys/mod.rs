//! Blocking keys of the exact method: of sets, of weighted sets, and of the two sides of a containment.

mod containment_keys;
mod prefix_keys;
mod weighted_keys;

pub use containment_keys::{ContainedElements, ContainmentKeys};
pub use prefix_keys::PrefixKeys;
pub use weighted_keys::WeightedKeys;
