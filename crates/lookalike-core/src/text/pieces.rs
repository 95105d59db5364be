//! Pieces of long texts.
//!
//! What is held of a text beside the text itself (its normal form, the masks of its classes, the hashes of its tokens)
//! is held of one piece at a time, so it does not grow with the text. The tokens of the pieces are the tokens of the
//! whole: a piece ends where neither a token nor a segment of the normalization goes on. Words need no pieces of their
//! own, because stretches ([`super::plain`]) end at such places; [`separator_beyond`] keeps them short.

use super::characters::may_go;
use super::code::code_boundary_beyond;
use super::items::entry_end_beyond;
use super::normalize::begins_segment;
use std::ops::Range;

/// Minimum bytes of a piece that is not the last one.
pub(super) const PIECE_BYTES: usize = 1 << 16;

/// The byte ranges of the pieces of a text, in order.
#[derive(Debug)]
pub(super) struct Pieces<'a> {
    text: &'a str,
    at: usize,
    /// The first end of a piece behind an offset at a character boundary.
    end_beyond: fn(&str, usize) -> usize,
}

impl<'a> Pieces<'a> {
    /// Pieces whose characters can be normalized separately.
    pub(super) fn of_characters(text: &'a str) -> Self {
        let end_beyond = |text: &str, from: usize| {
            let found =
                text[from..].char_indices().find(|&(_, character)| begins_segment(character) && !may_go(character));
            found.map_or(text.len(), |(offset, _)| from + offset)
        };
        Self { text, at: 0, end_beyond }
    }

    /// Pieces of whole tokens of code, which can be normalized separately.
    pub(super) fn of_code(text: &'a str) -> Self {
        Self { text, at: 0, end_beyond: code_boundary_beyond }
    }

    /// Pieces of whole items.
    pub(super) fn of_items(items: &'a str) -> Self {
        Self { text: items, at: 0, end_beyond: entry_end_beyond }
    }
}

impl Iterator for Pieces<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return None;
        }
        self.at += match rest.len() {
            bytes if bytes <= PIECE_BYTES => bytes,
            _ => (self.end_beyond)(rest, (PIECE_BYTES..).find(|&at| rest.is_char_boundary(at)).unwrap_or(rest.len())),
        };
        Some(start..self.at)
    }
}

/// The first offset [`PIECE_BYTES`] or more behind `start` that neither a word nor a segment crosses, or the end: after
/// an ASCII blank, or after another ASCII separator if ASCII follows, which does not combine with it.
pub(super) fn separator_beyond(text: &str, start: usize) -> usize {
    let from = start.saturating_add(PIECE_BYTES);
    let far = text.as_bytes().get(from..).unwrap_or_default();
    let is_end = |(&byte, next): (&u8, Option<&u8>)| {
        byte.is_ascii_whitespace() || is_separator(byte) && next.is_some_and(u8::is_ascii)
    };
    let next = far.iter().skip(1).map(Some).chain([None]);
    far.iter().zip(next).position(is_end).map_or(text.len(), |at| from + at + 1)
}

/// Returns whether an ASCII byte neither belongs to a word nor may join two.
fn is_separator(byte: u8) -> bool {
    byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"_'`.:,;\"".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{TextOptions, TokenUnit, Tokenizer};

    /// Tokens with their sources, of a text of several pieces that repeats `unit`.
    fn check(unit: &str, tokens: TokenUnit) {
        let times = 3 * PIECE_BYTES / unit.len();
        let mut found = Vec::new();
        let mut tokenizer = Tokenizer::new(TextOptions::default());
        tokenizer.tokenize(&unit.repeat(times), tokens, |token| found.push((token.text.to_owned(), token.source)));
        // The middle of three repetitions gives what each gives, except at the ends of the text.
        let mut few = Vec::new();
        tokenizer.tokenize(&unit.repeat(3), tokens, |token| few.push((token.text.to_owned(), token.source)));
        let middle: Vec<_> = few.iter().filter(|(_, at)| (unit.len()..2 * unit.len()).contains(&at.start)).collect();
        let inner = found.iter().filter(|(_, at)| (unit.len()..(times - 1) * unit.len()).contains(&at.start));
        let mut count = 0;
        for ((text, at), (expected, first)) in inner.zip(middle.iter().cycle()) {
            let round = count / middle.len();
            assert_eq!((text, at.start), (expected, first.start + round * unit.len()), "{unit:?}");
            count += 1;
        }
        assert_eq!(count, (times - 2) * middle.len(), "{unit:?}");
    }

    #[test]
    fn long_texts_have_the_tokens_of_their_parts() {
        for unit in [
            "one two  three, four\n",
            "e\u{301}gal ﬁn\u{327}\u{301} 한",
            "\u{1112}\u{1161}\u{11ab} x ",
            "东京タワー。",
            "a/b=\u{338}c\0d,e",
            "x.y(z)'q\"1:2;",
            "e\u{ad}\u{301}a\u{200b}b`c’d ",
        ] {
            check(unit, TokenUnit::Character);
            check(unit, TokenUnit::Word);
        }
        check("one item\0\0two\0", TokenUnit::Item);
    }

    #[test]
    fn pieces_cover_the_text_and_are_short() {
        let text = "ab e\u{301}한 ".repeat(PIECE_BYTES);
        let pieces: Vec<_> = Pieces::of_characters(&text).collect();
        assert!(pieces.len() > 5 && pieces.iter().all(|piece| piece.len() <= PIECE_BYTES + 8));
        assert!(pieces.windows(2).all(|two| two[0].end == two[1].start));
        assert_eq!(pieces.last().map(|last| last.end), Some(text.len()));
        let blank = text.bytes().skip(7 + PIECE_BYTES).position(|byte| byte == b' ').unwrap();
        assert_eq!(separator_beyond(&text, 7), blank + 7 + PIECE_BYTES + 1);
        assert_eq!(separator_beyond(&"x".repeat(3 * PIECE_BYTES), 0), 3 * PIECE_BYTES);
        let long = "x".repeat(PIECE_BYTES);
        for (rest, bytes) in [("/x", 1), ("\0\0", 1), ("1,2.3:a_b'c\"d;e`g(f", 18), ("=\u{338}=x", 4), ("(", 1)] {
            assert_eq!(separator_beyond(&(long.clone() + rest), 0), PIECE_BYTES + bytes, "{rest:?}");
        }
    }
}
