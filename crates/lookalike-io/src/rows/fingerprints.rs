//! The rows of fingerprints: in hexadecimal digits, or as bytes in files of columns.

use super::field::RowField;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A document and its SimHash fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FingerprintRow<'a> {
    /// Id of the document.
    pub id: Cow<'a, str>,
    /// The bits in hexadecimal digits: those of the first word, the uppermost bit first, then those of the next. `None`
    /// for a document without elements.
    pub simhash: Option<String>,
}

/// The header of rows, by the number of bits of their fingerprints.
const fn header_of(bits: i32) -> [RowField; 2] {
    [RowField::text("id"), RowField::bytes("simhash", bits / 8)]
}

static HEADERS: [(usize, [RowField; 2]); 5] =
    [(64, header_of(64)), (128, header_of(128)), (256, header_of(256)), (512, header_of(512)), (1024, header_of(1024))];

impl<'a> FingerprintRow<'a> {
    /// The row of a document with these words, or without any.
    pub fn new(id: &'a str, words: &[u64]) -> Self {
        let digits = || words.iter().map(|word| format!("{word:016x}")).collect();
        Self { id: id.into(), simhash: (!words.is_empty()).then(digits) }
    }

    /// The fields of rows, by the number of bits of their fingerprints: 64, 128, 256, 512 or 1024.
    pub fn header(bits: usize) -> Option<&'static [RowField]> {
        HEADERS.iter().find(|(size, _)| *size == bits).map(|(_, header)| &header[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_the_order_of_words_and_bits() {
        let row = FingerprintRow::new("a", &[0xF, 1 << 63]);
        assert_eq!(row.simhash.as_deref(), Some("000000000000000f8000000000000000"));
        assert_eq!(FingerprintRow::new("a", &[]).simhash, None);
        assert!(FingerprintRow::header(64).is_some() && FingerprintRow::header(65).is_none());
    }
}
