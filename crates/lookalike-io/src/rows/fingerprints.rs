//! The rows of fingerprints: in hexadecimal digits, or as bytes in files of columns.

use super::all_columns::{ID, SIMHASH};
use super::column::{Cell, Column, ColumnKind, Value};
use super::row::Row;
use std::borrow::Cow;

/// A document and its SimHash fingerprint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FingerprintRow<'a> {
    /// Id of the document.
    pub id: Cow<'a, str>,
    /// The bits in hexadecimal digits: those of the first word, the uppermost bit first, then those of the next. `None`
    /// for a document without elements.
    pub simhash: Option<String>,
}

impl<'a> FingerprintRow<'a> {
    /// The row of a document with these words, or without any.
    pub fn new(id: &'a str, words: &[u64]) -> Self {
        let digits = || words.iter().map(|word| format!("{word:016x}")).collect();
        Self { id: id.into(), simhash: (!words.is_empty()).then(digits) }
    }

    /// The columns of rows, by the number of bits of their fingerprints: 64, 128, 256, 512 or 1024.
    pub fn header(bits: usize) -> Option<[Column; 2]> {
        let bits = [64, 128, 256, 512, 1024].into_iter().find(|&known| known as usize == bits)?;
        Some([ID, Column { kind: ColumnKind::Bytes(bits / 8), ..SIMHASH }])
    }
}

impl Row for FingerprintRow<'_> {
    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let simhash = self.simhash.as_ref().map_or(Value::Null, Value::text);
        [(&ID, Value::text(&self.id)), (&SIMHASH, simhash)].into_iter()
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
