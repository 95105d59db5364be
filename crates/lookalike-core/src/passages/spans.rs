//! Places of the tokens of a text, and their stored form: packed, with a checksum, the lower 32 bits of their XXH3.

use super::packed_spans::{PackedSpans, TokenSpan, push_number, take_number};
use crate::sets::Shingler;
use crate::text::{TokenUnit, text_units};
use std::ops::Range;

/// The places of tokens: of all tokens of a text, or of some runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenSpans {
    /// Number of the first token of each run, ascending, and where its tokens stand.
    runs: Vec<(usize, PackedSpans)>,
}

impl TokenSpans {
    /// Returns all tokens of a text, those of which [`token_hashes`] gives the hashes.
    pub fn new(text: &str, shingler: &mut Shingler) -> Self {
        Self::of_ranges(text, shingler, std::iter::once(0..usize::MAX))
    }

    /// The tokens of a text in these ranges, which ascend by their beginnings.
    pub fn of_ranges(text: &str, shingler: &mut Shingler, ranges: impl IntoIterator<Item = Range<usize>>) -> Self {
        let unit = shingler.options().size.unit;
        let tokenizer = shingler.tokenizer();
        let visible = tokenizer.visible_text(text);
        let mut at = 0;
        let mut line = 1;
        let mut line_at = |offset: usize| {
            // Several tokens of one character stand at the same place, and tokens come in order.
            let passed = visible.as_bytes().get(at..offset).unwrap_or(&[]);
            line += memchr::memchr_iter(b'\n', passed).count() as u64;
            at = at.max(offset);
            line
        };
        let mut requested = joined(ranges).into_iter().peekable();
        let mut runs: Vec<(usize, PackedSpans)> = Vec::new();
        let mut number = 0;
        tokenizer.tokenize(&visible, unit, |token| {
            let Range { start, end } = token.source;
            let line = line_at(start);
            let end_line = line_at(end);
            while requested.next_if(|range| range.end <= number).is_some() {}
            if let Some(range) = requested.peek().filter(|range| range.start <= number) {
                if range.start == number {
                    runs.push((number, PackedSpans::default()));
                }
                if let Some((_, run)) = runs.last_mut() {
                    run.push(TokenSpan { start: start as u64, end: end as u64, line, end_line });
                }
            }
            number += 1;
        });
        Self { runs }
    }

    /// Widens each place to its whole text unit without trailing white space; for tokens that are lines, sentences or
    /// paragraphs.
    #[must_use]
    pub fn widened(self, visible: &str, unit: TokenUnit) -> Self {
        let TokenUnit::TextUnit(kind) = unit else { return self };
        let mut units = text_units(visible, kind).peekable();
        let mut widen = |mut span: TokenSpan| {
            while units.next_if(|place| (place.end as u64) < span.end).is_some() {}
            if let Some(place) = units.peek() {
                let content = visible.get(place.clone()).unwrap_or_default().trim_end();
                span.start = place.start as u64;
                span.end = (place.start + content.len()) as u64;
            }
            span
        };
        let mut runs = Vec::with_capacity(self.runs.len());
        for (first, run) in self.runs {
            let mut widened = PackedSpans::default();
            run.from(0).for_each(|span| widened.push(widen(span)));
            runs.push((first, widened));
        }
        Self { runs }
    }

    /// The places of the tokens in these ranges, which ascend by their beginnings.
    #[must_use]
    pub fn only(&self, ranges: impl IntoIterator<Item = Range<usize>>) -> Self {
        let run = |range: Range<usize>| {
            let mut kept = PackedSpans::default();
            let (first, run) = self.run_of(range.start)?;
            run.from(range.start - first).take(range.len()).for_each(|span| kept.push(span));
            Some((range.start, kept))
        };
        Self { runs: joined(ranges).into_iter().filter_map(run).collect() }
    }

    /// The places of all tokens, in order.
    pub fn all(&self) -> impl Iterator<Item = TokenSpan> + '_ {
        self.runs.iter().flat_map(|(_, run)| run.from(0))
    }

    /// The places of all tokens of a text.
    fn from_all(spans: PackedSpans) -> Self {
        if spans.len() == 0 { Self::default() } else { Self { runs: vec![(0, spans)] } }
    }

    /// Appends the packed places of all tokens, as those of one run.
    fn encode(&self, bytes: &mut Vec<u8>) {
        if let [(_, only)] = &self.runs[..] {
            return bytes.extend_from_slice(only.as_bytes());
        }
        let mut all = PackedSpans::default();
        self.all().for_each(|span| all.push(span));
        bytes.extend_from_slice(all.as_bytes());
    }

    /// Appends all runs, for [`TokenSpans::take_from`].
    pub fn append_to(&self, bytes: &mut Vec<u8>) {
        push_number(self.runs.len() as u64, bytes);
        for (first, run) in &self.runs {
            push_number(*first as u64, bytes);
            push_number(run.len() as u64, bytes);
            push_number(run.as_bytes().len() as u64, bytes);
            bytes.extend_from_slice(run.as_bytes());
        }
    }

    /// Takes from `bytes` what [`TokenSpans::append_to`] has appended; `None` if they are others.
    pub fn take_from(bytes: &mut &[u8]) -> Option<Self> {
        let mut runs = Vec::new();
        for _ in 0..take_number(bytes)? {
            let first = take_number(bytes)? as usize;
            let tokens = take_number(bytes)? as usize;
            let length = take_number(bytes)? as usize;
            let (run, rest) = bytes.split_at_checked(length)?;
            *bytes = rest;
            runs.push((first, PackedSpans::from_bytes(run, tokens)?));
        }
        Some(Self { runs })
    }

    fn run_of(&self, token: usize) -> Option<(usize, &PackedSpans)> {
        let run = self.runs.partition_point(|&(first, _)| first <= token).checked_sub(1)?;
        self.runs.get(run).map(|(first, run)| (*first, run))
    }

    pub(super) fn at(&self, token: usize) -> Option<TokenSpan> {
        let (first, run) = self.run_of(token)?;
        run.get(token - first)
    }

    /// The place from the first to the last token of a range; `None` if the range is empty, or an end of it is not
    /// here.
    pub fn get(&self, tokens: &Range<usize>) -> Option<TokenSpan> {
        let first = self.at(tokens.start)?;
        let last = self.at(tokens.end.checked_sub(1)?)?;
        Some(TokenSpan { end: last.end, end_line: last.end_line, ..first })
    }
}

/// Ranges that ascend by their beginnings, those that touch as one.
fn joined(ranges: impl IntoIterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges.into_iter().filter(|range| !range.is_empty()) {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// Appends the hashes of the tokens of a text, which follow each other as in [`TokenSpans::new`].
pub fn token_hashes(text: &str, shingler: &mut Shingler, hashes: &mut Vec<u64>) {
    let unit = shingler.options().size.unit;
    let tokenizer = shingler.tokenizer();
    let visible = tokenizer.visible_text(text);
    tokenizer.hash_tokens(&visible, unit, hashes);
}

/// Does what [`token_hashes`] does, with a call of `drain` after each piece of a long text, which may take hashes away,
/// and one at the end.
///
/// # Errors
/// Those of `drain`.
pub fn token_hashes_in_pieces<E>(
    text: &str,
    shingler: &mut Shingler,
    hashes: &mut Vec<u64>,
    mut drain: impl FnMut(&mut Vec<u64>) -> Result<(), E>,
) -> Result<(), E> {
    let unit = shingler.options().size.unit;
    let tokenizer = shingler.tokenizer();
    let visible = tokenizer.visible_text(text);
    tokenizer.hash_in_pieces(&visible, unit, hashes, &mut drain)?;
    drain(hashes)
}

/// Returns the number of words of each token of a text that is cut into text units; empty where tokens are words or
/// characters.
pub fn token_words(text: &str, shingler: &mut Shingler) -> Vec<u32> {
    let TokenUnit::TextUnit(kind) = shingler.options().size.unit else { return Vec::new() };
    let tokenizer = shingler.tokenizer();
    let visible = tokenizer.visible_text(text).into_owned();
    let mut words = Vec::new();
    let counts = text_units(&visible, kind).map(|place| {
        words.clear();
        tokenizer.hash_tokens(&visible[place], TokenUnit::Word, &mut words);
        words.len() as u32
    });
    // A unit without words is no token.
    counts.filter(|&count| count > 0).collect()
}

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
            let spans = TokenSpans::new(&text, &mut Features::shingles(shingle).shingler(Kernel::detect()));
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
        encode_spans(&TokenSpans::new("One two\n\nthree", &mut shingler), &mut bytes);
        assert_eq!(bytes[..9], [0, 3, 0, 8, 3, 0, 10, 5, 4]);
        assert_eq!(bytes[9..], FROZEN_CHECKSUM);
    }
}
