//! Documents that are no texts, as users give them: sets of items, fingerprints, vectors, images. Readers make
//! the content of each.

mod fingerprints;
mod images;
mod items;
mod vectors;

pub(crate) use fingerprints::hex_of_bytes;
pub use fingerprints::{Digits, Fingerprints};
pub use images::{ImageFeatures, hold_images, is_image};
pub use items::{ItemCounts, ItemSeparator, MAX_COPIES, MAX_REPEATS, items_of_list};
pub(crate) use items::{push_counted, with_count};
pub use vectors::{GivenVectors, vector_of_json, vector_of_numbers};

/// What documents are if they have no texts, in the plural.
pub(super) fn points_of(fingerprints: Option<Fingerprints>, vectors: GivenVectors) -> Option<&'static str> {
    match (fingerprints, vectors) {
        (Some(_), _) => Some("fingerprints"),
        (None, GivenVectors::Any | GivenVectors::WithDirection) => Some("vectors"),
        (None, GivenVectors::Signatures) => Some("signatures"),
        (None, GivenVectors::Absent) => None,
    }
}
