//! The fingerprint method, for containment: each document is represented by a few selected elements, its fingerprints.
//!
//! ```text
//! Selection            which elements are selected: hash = 0 mod P, or winnowing
//! Winnower             the least hash of each window of W consecutive shingles
//! FingerprintPlan      how many fingerprints of a contained document its container has, with the requested probability
//! FingerprintPrefixes  the rarest fingerprints of a set, one of which every such container has
//! Selection::of_text   the fingerprints of one text
//! FingerprintEstimate  containment from common fingerprints, with its interval
//! ```
//!
//! The keys are those of the exact method ([`super::ContainmentKeys`]) with a shorter prefix: in place of the rarest
//! elements of a contained document, the rarest of its fingerprints. A document with too few fingerprints for the
//! requested recall is looked up by the exact prefix, so a short text is not missed because nothing of it was selected.
//!
//! Of n fingerprints a container has at least x(n) with the requested probability ([`plan`]), so by the prefix filter
//! one of the n - x(n) + 1 rarest: that finds what a count of common fingerprints would, and counts none. A container
//! has keys of all elements that are in any prefix, selected there or not. Keys of fingerprints have no positions, so
//! the position filter is off for them ([`Extent::BEHIND`](crate::keys::Extent::BEHIND)). The recall is measured on
//! pairs that the search compares: inputs with references, if there are references.

mod plan;
mod prefixes;
mod selection;
mod winnow;

pub use plan::{Fingerprint, FingerprintEstimate, FingerprintPlan, probability_of_common};
pub use prefixes::{FingerprintPrefixes, Selected};
pub use selection::Selection;
pub use winnow::{Winnower, winnow_text};

#[cfg(test)]
mod tests;
