//! Documents that are no texts, as users give them: sets of items, fingerprints, vectors, images. Readers make
//! the content of each.
//!
//! ```text
//! items         sets of items
//! fingerprints  fingerprints, such as perceptual hashes
//! vectors       vectors, and MinHash signatures
//! images        images
//! ```

mod fingerprints;
mod images;
mod items;
mod vectors;

pub(crate) use fingerprints::hex_of_bytes;
pub use fingerprints::{Digits, Fingerprints};
pub use images::{ImageFeatures, hold_images};
pub use items::{ItemCounts, ItemSeparator, MAX_COPIES, MAX_REPEATS, items_of_list};
pub(crate) use items::{push_counted, with_count};
pub use vectors::{GivenVectors, vector_of_json, vector_of_numbers};

use crate::base::details::PointKind;

/// Kind of the documents, if they have no texts.
pub(super) fn points_of(fingerprints: Option<Fingerprints>, vectors: GivenVectors) -> Option<PointKind> {
    match (fingerprints, vectors) {
        (Some(_), _) => Some(PointKind::Fingerprints),
        (None, GivenVectors::Any | GivenVectors::WithDirection) => Some(PointKind::Vectors),
        (None, GivenVectors::Signatures) => Some(PointKind::Signatures),
        (None, GivenVectors::Absent) => None,
    }
}
