//! Sets of shingles or items: how they are made, their measures, and their blocking keys.
//!
//! ```text
//! Shingler         text -> tokens -> n consecutive tokens, hashed -> elements
//! SpelledShingler  the same for shingles whose hashes other programs know
//! Jaccard, Dice, Containment, CommonElements    measures, each with its bounds for filters
//! PrefixKeys       the rarest elements of a set (prefix filter): similar sets share one, always
//! ContainmentKeys  a prefix of the contained set, all elements of the container
//! Fingerprint      a prefix of the selected elements of the contained set, all elements of the container
//! OddSketches      a filter of candidates before the exact check, by proof
//! ```

mod common_elements;
mod containment;
mod containment_keys;
mod dice;
mod fingerprint;
mod jaccard;
mod odd_sketches;
mod prefix_keys;
mod shingle;
mod shingle_options;
mod space;
mod spelled;
mod windows;

pub use common_elements::CommonElements;
pub use containment::{Containment, Side};
pub(crate) use containment_keys::elements_behind;
pub use containment_keys::{ContainedElements, ContainmentKeys};
pub use dice::Dice;
pub use fingerprint::{
    Fingerprint, FingerprintEstimate, FingerprintPlan, FingerprintPrefixes, Selected, Selection, Winnower,
    probability_of_common, winnow_text,
};
pub use jaccard::Jaccard;
pub use odd_sketches::OddSketches;
pub use prefix_keys::PrefixKeys;
pub use shingle::Shingler;
pub use shingle_options::{HashBits, ShingleOptions, ShingleSize};
pub(crate) use space::SetSpace;
pub use spelled::SpelledShingler;
pub(crate) use windows::{Windows, shingle_ranges};
