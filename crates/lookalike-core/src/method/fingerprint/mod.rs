//! The fingerprint method, for containment: each document is represented by a few selected elements, its fingerprints.
//!
//! ```text
//! Selection            which elements are selected: hash = 0 mod P, or winnowing
//! Winnower             the least hash of each window of W consecutive shingles
//! FingerprintPlan      how many fingerprints of a contained document its container has, with the wanted probability
//! FingerprintPrefixes  the rarest fingerprints of a set, one of which every such container has
//! Selection::of_text   the fingerprints of one text
//! FingerprintEstimate  containment from common fingerprints, with its interval
//! ```
//!
//! The keys are those of the exact method ([`super::ContainmentKeys`]) with a shorter prefix: in place of the rarest
//! elements of a contained document, the rarest of its fingerprints. A document with too few fingerprints for the
//! wanted recall is looked up by the exact prefix, so a short text is not missed because nothing of it was selected.

mod estimate;
mod of_text;
mod plan;
mod prefixes;
mod selection;
mod winnow;

pub use estimate::FingerprintEstimate;
pub use of_text::winnow_text;
pub use plan::{Fingerprint, FingerprintPlan, probability_of_common};
pub use prefixes::{FingerprintPrefixes, Selected};
pub use selection::Selection;
pub use winnow::Winnower;

#[cfg(test)]
mod tests;
