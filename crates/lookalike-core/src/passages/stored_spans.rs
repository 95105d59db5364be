//! Encoding of token places, three or four bytes each, stored beside token hashes: deltas as LEB128, with a checksum.
//!
//! ```text
//! token     distance of its begin from that of the token before, zigzag    LEB128
//!           its bytes                                                      LEB128
//!           2 (lines passed since the token before) + [it ends in another line]   LEB128
//!           lines from its begin to its end, if it ends in another one     LEB128
//! behind    XXH3 of all that, its lower 32 bits                            4 bytes
//! ```

use super::spans::{TokenSpan, TokenSpans};

/// Bytes of the checksum behind the places of a text.
const CHECKSUM_BYTES: usize = 4;

/// Appends the places of all tokens of a text.
pub fn encode_spans(spans: &TokenSpans, bytes: &mut Vec<u8>) {
    let (begin, mut before) = (bytes.len(), (0u64, 1u64));
    for span in spans.all() {
        let distance = span.start.wrapping_sub(before.0) as i64;
        push(((distance << 1) ^ (distance >> 63)) as u64, bytes);
        push(span.end.saturating_sub(span.start), bytes);
        let lines = span.end_line.saturating_sub(span.line);
        push(span.line.saturating_sub(before.1) << 1 | u64::from(lines > 0), bytes);
        if lines > 0 {
            push(lines, bytes);
        }
        before = (span.start, span.line);
    }
    let checksum = checksum(&bytes[begin..]);
    bytes.extend(checksum);
}

/// Decodes the places of `tokens` tokens; `None` if the bytes are damaged.
pub fn decode_spans(bytes: &[u8], tokens: usize) -> Option<TokenSpans> {
    let (mut rest, stored) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM_BYTES)?)?;
    if stored != checksum(rest) || tokens > rest.len() {
        return None;
    }
    let (mut spans, mut before) = (Vec::with_capacity(tokens), (0u64, 1u64));
    for _ in 0..tokens {
        let zigzag = take(&mut rest)?;
        let distance = (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64);
        let start = before.0.checked_add_signed(distance)?;
        let end = start.checked_add(take(&mut rest)?)?;
        let lines = take(&mut rest)?;
        let line = before.1.checked_add(lines >> 1)?;
        let end_line = if lines & 1 == 1 { line.checked_add(take(&mut rest)?)? } else { line };
        spans.push(TokenSpan { start, end, line, end_line });
        before = (start, line);
    }
    rest.is_empty().then(|| TokenSpans::from_all(spans))
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    (xxhash_rust::xxh3::xxh3_64(bytes) as u32).to_le_bytes()
}

fn push(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 1 << 7 {
        bytes.push(number as u8 | 1 << 7);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 1 << 7 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::{Features, ShingleOptions};
    use crate::kernel::Kernel;
    use crate::text::TextUnit;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn places_come_back_and_damage_is_noticed(text in "(\\PC| |\n){0,60}", of_units: bool, damage in any::<u16>()) {
            let of_unit = ShingleOptions::text_units(TextUnit::Paragraph, 1);
            let shingle = if of_units { of_unit } else { ShingleOptions::words(1) };
            let spans = TokenSpans::of(&text, &mut Features::shingles(shingle).shingler(Kernel::detect()));
            let (mut bytes, tokens) = (Vec::new(), spans.all().count());
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
