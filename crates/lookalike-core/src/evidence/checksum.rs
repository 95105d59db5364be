//! Checksums of documents, by which exact copies are listed.
//!
//! Documents with equal checksums are copies only if they also agree in a 128-bit hash ([`identity`]), because short
//! checksums collide.

use crate::text::{TokenUnit, Tokenizer};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The algorithm of a checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChecksumAlgorithm {
    /// Sum of the bytes, modulo 2^64: the weakest.
    Sum,
    /// CRC-32 of IEEE 802.3, as in zip and gzip.
    Crc32,
    /// XXH3, 64 bits.
    Xxh3,
    /// SHA-256 (FIPS 180-4).
    Sha256,
}

impl ChecksumAlgorithm {
    /// The checksum in lower-case hexadecimal: without leading zeros for the sum, of full width for the others.
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

/// The 128-bit XXH3 hash of a content. Contents with equal hashes are treated as equal; not secure against forgery.
pub fn identity(bytes: &[u8]) -> u128 {
    xxhash_rust::xxh3::xxh3_128(bytes)
}

/// The text in the normal form of the tokenizer's options, with consecutive white space replaced by one blank.
pub fn normalized_text(tokenizer: &mut Tokenizer, text: &str) -> String {
    let visible = tokenizer.visible_text(text).into_owned();
    let mut normalized = String::with_capacity(visible.len());
    tokenizer.tokenize(&visible, TokenUnit::Character, |token| normalized.push_str(token.text));
    normalized
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
