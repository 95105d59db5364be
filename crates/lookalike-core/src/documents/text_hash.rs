//! The hash of a text, by which texts that are equal byte for byte are known.

use bytemuck::{Pod, Zeroable};
use sha2::{Digest, Sha256};

/// Names and versions of the hash functions, for what is stored with the hashes.
pub const TEXT_HASH: &str = "XXH3-128; SHA-256 without elements";

/// A hash of 128 bits of a text, or the mark of a text that was never seen.
///
/// For a text with elements it only tells equal texts among those with equal elements, so XXH3 will do, which is as
/// fast as memory. Of a text without elements nothing else is known: there the hash alone decides that a document goes,
/// and it is the first half of a SHA-256, for which no two texts with one hash are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct TextHash([u64; 2]);

impl TextHash {
    /// Hash of a text that was never seen: equal to none.
    pub const UNKNOWN: Self = Self([0; 2]);

    /// The hash of a text with this number of elements.
    pub fn new(text: &str, elements: usize) -> Self {
        if elements == 0 {
            Self::split(u128::from_le_bytes(half_of_sha256(text)))
        } else {
            Self::split(xxhash_rust::xxh3::xxh3_128(text.as_bytes()))
        }
    }

    fn split(hash: u128) -> Self {
        Self([hash as u64, (hash >> 64) as u64])
    }

    /// Returns whether both texts are known and equal.
    pub fn is_same(self, other: Self) -> bool {
        self == other && self != Self::UNKNOWN
    }

    /// Returns whether it is that of a text of zero bytes.
    pub fn is_of_nothing(self) -> bool {
        // The beginning of SHA-256 of nothing.
        self == Self([0x141c_fc98_42c4_b0e3, 0x24b9_6f99_c8f4_fb9a])
    }

    /// A number by which a table of hashes is filled; `salt` is a random one.
    pub(crate) fn salted(self, salt: u64) -> u64 {
        crate::base::hash::hash_sequence(salt, self.0)
    }
}

/// Begin of the names that [`content_name`] makes.
pub const CONTENT_NAME: &str = "text:";

/// The name of a record without an id in an index, by its text: `text:` and 32 hexadecimal digits, the first half of a
/// SHA-256. Nobody can make two texts of one name.
pub fn content_name(text: &str) -> String {
    format!("{CONTENT_NAME}{:032x}", u128::from_be_bytes(half_of_sha256(text)))
}

fn half_of_sha256(text: &str) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&Sha256::digest(text.as_bytes())[..16]);
    half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_names_are_frozen() {
        assert_eq!(content_name("abc"), "text:ba7816bf8f01cfea414140de5dae2223");
        assert_eq!(content_name(""), "text:e3b0c44298fc1c149afbf4c8996fb924");
    }

    #[test]
    fn hashes_are_frozen() {
        assert_eq!(TextHash::new("abc", 1), TextHash([0x78AF_5F94_892F_3950, 0x06B0_5AB6_733A_6185]));
        assert_eq!(TextHash::new("abc", 0), TextHash([0xEACF_018F_BF16_78BA, 0x2322_AE5D_DE40_4141]));
        assert!(TextHash::new("", 0).is_of_nothing() && !TextHash::new(" ", 0).is_of_nothing());
    }

    #[test]
    fn a_text_that_was_never_seen_equals_none() {
        assert!(!TextHash::UNKNOWN.is_same(TextHash::UNKNOWN));
        assert!(TextHash::new("a", 1).is_same(TextHash::new("a", 1)));
        assert!(!TextHash::new("a", 1).is_same(TextHash::new("b", 1)));
    }
}
