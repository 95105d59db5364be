//! Plain stretches of text: where every character is its own normal form and every boundary is clear at sight.
//!
//! ASCII is plain. So are most other letters of the scripts with spaces, like ä, ж or ع, and most symbols: they neither
//! combine nor decompose, and they behave like `a` or like `!` under all rules of word boundaries. Such a stretch is cut
//! by bit masks like ASCII, after a few bits were set for its letters; only the rest needs the full rules. Which
//! characters are plain is not written down here: each is tried against the libraries that know the rules, once.

use super::cut::word_count;
use crate::kernel::{AsciiBlocks, BLOCK, LetterCase};
use std::ops::Range;
use std::sync::OnceLock;
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, is_nfkc_quick};

/// Characters from here on are never plain.
const END: usize = 0x3000;

/// How a character behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behaviour {
    /// Needs the full rules.
    Complex,
    /// Stands between words and belongs to none.
    Separator,
    /// Like the letter `a`; becomes the given character, of the same length in UTF-8, in lower case.
    Letter(char),
}

/// A letter that is not ASCII in a plain stretch.
#[derive(Debug, Clone, Copy)]
pub(super) struct OtherLetter {
    offset: u32,
    lower: char,
}

/// A part of a text between ASCII blanks (it may hold blanks itself if it is plain).
#[derive(Debug)]
pub(super) struct Stretch {
    pub(super) range: Range<usize>,
    pub(super) is_plain: bool,
}

/// Splits a text into stretches, as long as possible if plain and as short as possible if not.
#[derive(Debug)]
pub(super) struct Stretches<'a> {
    text: &'a str,
    at: usize,
    behaviours: &'static [Behaviour],
}

/// Longest plain stretch: its masks stay in the cache, and its offsets in 32 bits.
const LONGEST: usize = 1 << 14;

impl<'a> Stretches<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        static BEHAVIOURS: OnceLock<Vec<Behaviour>> = OnceLock::new();
        let try_all =
            || (0..END as u32).map(|code| char::from_u32(code).map_or(Behaviour::Complex, behaviour)).collect();
        let behaviours = if text.is_ascii() { &[] } else { BEHAVIOURS.get_or_init(try_all).as_slice() };
        Self { text, at: 0, behaviours }
    }

    /// The next stretch; if it is plain, its letters that are not ASCII replace the content of `letters`.
    pub(super) fn next(&mut self, letters: &mut Vec<OtherLetter>) -> Option<Stretch> {
        letters.clear();
        let (start, text) = (self.at, &self.text[self.at..]);
        if text.is_empty() {
            return None;
        }
        let plain_end = self.plain_prefix(text, letters);
        // A word may go on behind the last blank of the plain part.
        let end = if plain_end == text.len() { plain_end } else { last_blank(&text.as_bytes()[..plain_end]) };
        let (length, is_plain) = if end > 0 {
            letters.truncate(letters.partition_point(|letter| (letter.offset as usize) < end));
            (end, true)
        } else {
            let rest = &text.as_bytes()[plain_end..];
            (rest.iter().position(u8::is_ascii_whitespace).map_or(text.len(), |blank| plain_end + blank), false)
        };
        self.at += length;
        Some(Stretch { range: start..self.at, is_plain })
    }

    /// Length of the part before the first character that is not plain, or that is too far on.
    fn plain_prefix(&self, text: &str, letters: &mut Vec<OtherLetter>) -> usize {
        let mut at = 0;
        loop {
            at += ascii_prefix_length(&text.as_bytes()[at..]);
            let Some(character) = text[at..].chars().next() else { return at };
            match self.behaviours.get(character as usize) {
                _ if at > LONGEST => return at,
                Some(&Behaviour::Letter(lower)) => letters.push(OtherLetter { offset: at as u32, lower }),
                Some(Behaviour::Separator) => {}
                _ => return at,
            }
            at += character.len_utf8();
        }
    }
}

/// End of the last ASCII blank; 0 if there is none.
fn last_blank(text: &[u8]) -> usize {
    text.iter().rposition(u8::is_ascii_whitespace).map_or(0, |blank| blank + 1)
}

/// Enters the letters of a plain stretch that are not ASCII into its classes, and their lower case into its bytes.
pub(super) fn add_letters(blocks: &mut AsciiBlocks, text: &str, letters: &[OtherLetter], case: LetterCase) {
    for letter in letters {
        let (start, mut utf8) = (letter.offset as usize, [0; 4]);
        let length = letter.lower.encode_utf8(&mut utf8).len();
        for at in start..start + length {
            blocks.masks[at / BLOCK].letters |= 1 << (at % BLOCK);
        }
        let new = if case == LetterCase::Lower { &utf8[..length] } else { &text.as_bytes()[start..start + length] };
        blocks.bytes[start..start + length].copy_from_slice(new);
    }
}

/// Tries a character against the rules.
fn behaviour(character: char) -> Behaviour {
    let stable =
        is_nfkc_quick([character].into_iter()) == IsNormalized::Yes && canonical_combining_class(character) == 0;
    if !stable {
        return Behaviour::Complex;
    }
    let words = |pattern: &str| word_count(&pattern.replace('?', character.encode_utf8(&mut [0; 4])));
    let joins = |patterns: &[&str]| patterns.iter().all(|pattern| words(pattern) == 1);
    let parts = |patterns: &[&str], count| patterns.iter().all(|pattern| words(pattern) == count);
    if character.is_alphanumeric() {
        let mut lower = character.to_lowercase();
        let like_a = joins(&["a?a", "??", "1?1", "a:?", "?:a", "a'?", "?.?", "_?_", "?"])
            && parts(&["?,?", "1,?", "?;1", "?\"?", "?-?", "1'?", "?:1"], 2);
        return match (lower.next(), lower.next()) {
            (Some(_), None) if character == 'ς' && like_a => Behaviour::Letter('σ'),
            (Some(lower), None) if like_a && lower.len_utf8() == character.len_utf8() => Behaviour::Letter(lower),
            _ => Behaviour::Complex,
        };
    }
    let changes = character.to_lowercase().next() != Some(character);
    let between = parts(&["a?a", "a??a", "1?1", "a?1", "a.?a", "a:?a", "1,?1", "a?'a", "_a?a_"], 2) && words("?") == 0;
    if between && !changes { Behaviour::Separator } else { Behaviour::Complex }
}

/// Number of leading ASCII bytes.
fn ascii_prefix_length(text: &[u8]) -> usize {
    const CHUNK: usize = 32;
    let chunks = text.chunks(CHUNK).take_while(|chunk| chunk.is_ascii()).count() * CHUNK;
    let start = chunks.min(text.len());
    start + text[start..].iter().position(|byte| !byte.is_ascii()).unwrap_or(text.len() - start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert_eq, proptest};

    #[test]
    fn common_characters_behave_as_expected() {
        let letters = "äöüßéñçøłžабвЖяαωΩשعم".chars().filter(|&c| c != 'ש');
        assert!(letters.map(behaviour).all(|found| matches!(found, Behaviour::Letter(_))));
        assert!("§°–—“”„«»•→€¿¡×÷".chars().map(behaviour).all(|found| found == Behaviour::Separator));
        // Hebrew joins at quotation marks; a soft hyphen joins; NBSP, …, ™, ﬁ decompose; accents combine; İ grows.
        let complex = "ש\u{ad}\u{a0}…™ﬁ\u{301}İ\u{200d}٣ก·";
        let plain: Vec<char> = complex.chars().filter(|&c| behaviour(c) != Behaviour::Complex).collect();
        assert_eq!(plain, []);
        assert_eq!(behaviour('Ä'), Behaviour::Letter('ä'));
        assert_eq!(behaviour('ς'), Behaviour::Letter('σ'));
    }

    #[test]
    fn stretches_are_long_if_plain_and_short_if_not() {
        let text = "Größe und Maß … then ﬁne again";
        let (mut stretches, mut letters, mut found) = (Stretches::of(text), Vec::new(), Vec::new());
        while let Some(stretch) = stretches.next(&mut letters) {
            found.push((&text[stretch.range], stretch.is_plain, letters.len()));
        }
        let expected =
            [("Größe und Maß ", true, 3), ("…", false, 0), (" then ", true, 0), ("ﬁne", false, 0), (" again", true, 0)];
        assert_eq!(found, expected);
    }

    proptest! {
        #[test]
        fn ascii_prefix_is_where_it_ends(text in "[a-z]{0,80}(é[a-zé]{0,40})?") {
            let expected = text.bytes().position(|byte| !byte.is_ascii()).unwrap_or(text.len());
            prop_assert_eq!(ascii_prefix_length(text.as_bytes()), expected);
        }
    }
}
