//! Checksums of documents, for the listing of exact copies.
//!
//! A short checksum is a place to meet, not a proof: documents are called copies only if a 128-bit hash agrees too.

use crate::text::{ITEM_END, TokenUnit, Tokenizer};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// How a checksum is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChecksumAlgorithm {
    /// Sum of the bytes: the oldest and the weakest.
    Sum,
    /// CRC-32 of IEEE 802.3, as in zip and gzip.
    Crc32,
    /// XXH3, 64 bits.
    Xxh3,
    /// SHA-256 (FIPS 180-4).
    Sha256,
}

impl ChecksumAlgorithm {
    /// The checksum in hexadecimal: without leading zeros for the sum, of full width for the others.
    ///
    /// ```
    /// # use lookalike_core::evidence::ChecksumAlgorithm;
    /// assert_eq!(ChecksumAlgorithm::Sum.checksum(b"Tropical fish"), "508");
    /// ```
    pub fn checksum(self, bytes: &[u8]) -> String {
        match self {
            Self::Sum => format!("{:x}", bytes.iter().map(|&byte| u64::from(byte)).sum::<u64>()),
            Self::Crc32 => format!("{:08x}", crc32fast::hash(bytes)),
            Self::Xxh3 => format!("{:016x}", xxhash_rust::xxh3::xxh3_64(bytes)),
            Self::Sha256 => Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut hex, byte| {
                // Writing to a string cannot fail.
                let _ = write!(hex, "{byte:02x}");
                hex
            }),
        }
    }
}

/// A 128-bit hash (XXH3) by which contents are taken as equal.
pub fn identity(bytes: &[u8]) -> u128 {
    xxhash_rust::xxh3::xxh3_128(bytes)
}

/// The text in normal form: as the tokenizer's options say, with every run of white space as one blank.
pub fn normalized_text(tokenizer: &mut Tokenizer, text: &str) -> String {
    let visible = tokenizer.visible_text(text).into_owned();
    let mut normalized = String::with_capacity(visible.len());
    tokenizer.tokenize(&visible, TokenUnit::Character, |token| normalized.push_str(token.text));
    normalized
}

/// The items of a set ([`crate::text::ITEM_END`]) in an order that does not depend on how they came.
pub fn sorted_items(items: &str) -> String {
    let mut sorted: Vec<&str> = items.split_inclusive(ITEM_END).collect();
    sorted.sort_unstable();
    sorted.concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextOptions;

    #[test]
    fn published_check_values_are_met() {
        assert_eq!(ChecksumAlgorithm::Sum.checksum(b""), "0");
        assert_eq!(ChecksumAlgorithm::Crc32.checksum(b"123456789"), "cbf43926");
        assert_eq!(ChecksumAlgorithm::Xxh3.checksum(b""), "2d06800538d394c2");
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(ChecksumAlgorithm::Sha256.checksum(b"abc"), abc);
    }

    #[test]
    fn normal_form_folds_case_and_white_space() {
        let mut tokenizer = Tokenizer::new(TextOptions::default());
        assert_eq!(normalized_text(&mut tokenizer, " No\n\tCOMMENT.  "), "no comment.");
    }
}
