//! Encoding of token places, stored beside token hashes: packed ([`super::packed_spans`]), with a checksum, the lower
//! 32 bits of their XXH3.

use super::packed_spans::PackedSpans;
use super::spans::TokenSpans;

/// Bytes of the checksum behind the places of a text.
const CHECKSUM_BYTES: usize = 4;

/// Appends the places of all tokens of a text.
pub fn encode_spans(spans: &TokenSpans, bytes: &mut Vec<u8>) {
    let begin = bytes.len();
    spans.encode(bytes);
    let checksum = checksum(&bytes[begin..]);
    bytes.extend(checksum);
}

/// Decodes the places of `tokens` tokens; `None` if the bytes are damaged.
pub fn decode_spans(bytes: &[u8], tokens: usize) -> Option<TokenSpans> {
    let (places, stored) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM_BYTES)?)?;
    if stored != checksum(places) {
        return None;
    }
    PackedSpans::from_bytes(places, tokens).map(TokenSpans::from_all)
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    (xxhash_rust::xxh3::xxh3_64(bytes) as u32).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::Features;
    use crate::kernel::Kernel;
    use crate::sets::ShingleOptions;
    use crate::text::TextUnit;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn places_come_back_and_damage_is_noticed(text in "(\\PC| |\n){0,60}", of_units: bool, damage in any::<u16>()) {
            let of_unit = ShingleOptions::text_units(TextUnit::Paragraph, 1);
            let shingle = if of_units { of_unit } else { ShingleOptions::words(1) };
            let spans = TokenSpans::of(&text, &mut Features::shingles(shingle).shingler(Kernel::detect()));
            let mut bytes = Vec::new();
            let tokens = spans.all().count();
            encode_spans(&spans, &mut bytes);
            prop_assert_eq!(decode_spans(&bytes, tokens), Some(spans));
            let at = usize::from(damage) % bytes.len();
            bytes[at] ^= 1 << (damage % 8);
            prop_assert!(decode_spans(&bytes, tokens).is_none());
            prop_assert!(decode_spans(&bytes[..at], tokens).is_none());
        }
    }

    const FROZEN_CHECKSUM: [u8; 4] = [67, 224, 77, 59];

    /// The bytes are in files of users.
    #[test]
    fn bytes_are_frozen() {
        let mut shingler = Features::shingles(ShingleOptions::words(1)).shingler(Kernel::detect());
        let mut bytes = Vec::new();
        encode_spans(&TokenSpans::of("One two\n\nthree", &mut shingler), &mut bytes);
        assert_eq!(bytes[..9], [0, 3, 0, 8, 3, 0, 10, 5, 4]);
        assert_eq!(bytes[9..], FROZEN_CHECKSUM);
    }
}
