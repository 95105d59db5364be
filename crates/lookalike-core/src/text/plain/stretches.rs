//! Plain stretches of text: normalization changes no character but its case and apostrophes, and word boundaries follow
//! from the classes of neighbouring characters.
//!
//! ASCII is plain, and nearly all text of all scripts is plain, too: its letters, digits and symbols are equivalent to
//! some ASCII text, the characters of scripts without spaces are words by themselves, and most marks do not compose
//! with their base. Such a stretch is cut by bit masks like ASCII, after some bits are set for its other characters;
//! all other text needs the full rules.

use super::behaviour::{Behaviour, behaviour_of};
use super::other_places::OtherPlaces;
use crate::kernel::{Apostrophes, AsciiBlocks, BLOCK, ByteClasses, Kernel, LetterCase};
use crate::text::characters::{folded_in_place, is_quote, last_of_folded};
use crate::text::pieces::separator_beyond;
use std::ops::Range;
use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical, is_combining_mark};
use unicode_normalization::{IsNormalized, is_nfkc_quick};

/// A non-ASCII character of a plain stretch that belongs to a word or may join two words.
#[derive(Debug, Clone, Copy)]
pub(in crate::text) struct OtherCharacter {
    offset: u32,
    /// Length in UTF-8.
    bytes: u8,
    behaviour: Behaviour,
}

impl OtherCharacter {
    fn range(&self) -> Range<usize> {
        self.offset as usize..self.offset as usize + self.bytes as usize
    }

    /// The place of a sign that looks like an apostrophe; `None` for all other characters.
    pub(in crate::text) fn place_of_apostrophe(&self) -> Option<Range<usize>> {
        (self.behaviour == Behaviour::Apostrophe).then(|| self.range())
    }
}

/// A substring that is cut in one way. No word and no normalization crosses its ends: it ends after an ASCII blank,
/// before a character of a script without spaces, or where a piece of a long text ends.
#[derive(Debug)]
pub(in crate::text) struct Stretch {
    pub(in crate::text) range: Range<usize>,
    pub(in crate::text) is_plain: bool,
}

/// Splits a text into stretches: plain ones long, but not much longer than a piece; others as short as possible.
#[derive(Debug)]
pub(in crate::text) struct Stretches<'a> {
    text: &'a str,
    kernel: Kernel,
    apostrophes: Apostrophes,
    places: &'a mut OtherPlaces,
    at: usize,
    /// No stretch crosses it.
    piece_end: usize,
}

/// Maximum offset in bytes of a non-ASCII character in a plain stretch, so that the list of these characters fits the
/// cache and their offsets fit 32 bits.
const MAX_OFFSET: usize = 1 << 14;

impl<'a> Stretches<'a> {
    /// The stretches of a text whose apostrophes are alike in normal form, or are not.
    pub(in crate::text) fn new(
        text: &'a str,
        kernel: Kernel,
        apostrophes: Apostrophes,
        places: &'a mut OtherPlaces,
    ) -> Self {
        places.clear();
        Self { text, kernel, apostrophes, places, at: 0, piece_end: 0 }
    }

    /// The next stretch, `None` at the end. Replaces the content of `others` by the non-ASCII characters of a plain
    /// stretch.
    pub(in crate::text) fn next(&mut self, others: &mut Vec<OtherCharacter>) -> Option<Stretch> {
        others.clear();
        if self.at == self.piece_end {
            self.piece_end = separator_beyond(self.text, self.at);
        }
        let start = self.at;
        let text = &self.text[self.at..self.piece_end];
        if text.is_empty() {
            return None;
        }
        let plain_end = self.plain_prefix(text, others);
        // A word may continue after the last boundary of the plain prefix.
        let end = if plain_end == text.len() { plain_end } else { last_boundary(&text[..plain_end], others) };
        let (length, is_plain) = if end > 0 {
            others.truncate(others.partition_point(|other| (other.offset as usize) < end));
            (end, true)
        } else {
            (plain_end + complex_prefix(&text[plain_end..]), false)
        };
        self.at += length;
        Some(Stretch { range: start..self.at, is_plain })
    }

    /// Length of the prefix of the rest of the piece before the first character that is not plain or lies beyond the
    /// maximum offset.
    fn plain_prefix(&mut self, text: &str, others: &mut Vec<OtherCharacter>) -> usize {
        self.places.seek(self.text, self.at, self.kernel);
        while let Some(place) = self.places.next_before(self.text, self.piece_end, self.kernel) {
            let at = place - self.at;
            let Some(character) = text[at..].chars().next() else { return at };
            let behaviour = behaviour_of(character);
            let is_plain = match behaviour {
                Behaviour::Apostrophe => self.apostrophes == Apostrophes::Alike,
                _ => is_plain(text, at, character, behaviour),
            };
            if !is_plain || at > MAX_OFFSET {
                return at;
            }
            if !matches!(behaviour, Behaviour::Separator | Behaviour::BecomesJoiner) {
                others.push(OtherCharacter { offset: at as u32, bytes: character.len_utf8() as u8, behaviour });
            }
        }
        text.len()
    }
}

/// Returns whether normalization changes a character at `at` in no other way than its case, and the word boundaries
/// beside it follow from its behaviour.
fn is_plain(text: &str, at: usize, character: char, behaviour: Behaviour) -> bool {
    let before = || text[..at].chars().next_back();
    let behind = || text[at + character.len_utf8()..].chars().next();
    match behaviour {
        Behaviour::Complex => false,
        Behaviour::BecomesJoiner => !before().is_some_and(is_in_word) || !behind().is_some_and(is_in_word),
        Behaviour::Mark => before().is_some_and(takes_marks),
        Behaviour::MovingMark => before().is_some_and(|base| stays_apart(base, character)),
        Behaviour::LetterButQuotes => !before().is_some_and(is_quote) && !behind().is_some_and(is_quote),
        _ => true,
    }
}

/// Returns whether a joiner beside this character may join it to another character.
fn is_in_word(character: char) -> bool {
    match character {
        _ if character.is_ascii() => character.is_ascii_alphanumeric(),
        _ => !matches!(behaviour_of(character), Behaviour::Separator | Behaviour::BecomesJoiner | Behaviour::Unspaced),
    }
}

/// Returns whether a mark that follows this character belongs to the same word.
fn takes_marks(base: char) -> bool {
    match base {
        _ if base.is_ascii() => base.is_ascii_alphabetic(),
        // A mark that is plain has passed this check itself.
        _ => matches!(
            behaviour_of(base),
            Behaviour::Letter | Behaviour::Capital | Behaviour::Unspaced | Behaviour::Mark | Behaviour::MovingMark
        ),
    }
}

/// Returns whether a mark belongs to the word of `base`, and normalization changes neither of them.
fn stays_apart(base: char, mark: char) -> bool {
    if !takes_marks(base) {
        return false;
    }
    if is_combining_mark(base) {
        let class = canonical_combining_class(mark);
        let in_order = class == 0 || class >= canonical_combining_class(base);
        return in_order && is_nfkc_quick([mark].into_iter()) == IsNormalized::Yes;
    }
    // Of ß with an accent, the second s of its folded case takes the accent.
    [base, last_of_folded(base)].into_iter().all(|base| {
        let mut decomposed = 0;
        decompose_canonical(base, |_| decomposed += 1);
        decomposed == 1 && compose(base, mark).is_none()
    })
}

/// The last offset in a plain text before which all words are complete, regardless of the text that follows; 0 if there
/// is none.
fn last_boundary(text: &str, others: &[OtherCharacter]) -> usize {
    let unspaced = others.iter().rev().find(|other| other.behaviour == Behaviour::Unspaced);
    let start = unspaced.map_or(0, |other| other.offset as usize);
    let blank = text.as_bytes()[start..].iter().rposition(u8::is_ascii_whitespace);
    blank.map_or(start, |blank| start + blank + 1)
}

/// Length of the prefix from a character that is not plain up to the next boundary.
fn complex_prefix(text: &str) -> usize {
    let is_boundary = |character: char| match character {
        _ if character.is_ascii() => character.is_ascii_whitespace(),
        _ => behaviour_of(character) == Behaviour::Unspaced,
    };
    text.char_indices().skip(1).find(|&(_, character)| is_boundary(character)).map_or(text.len(), |(end, _)| end)
}

/// Enters the characters of a plain stretch that are not ASCII into its classes, and their folded case into its bytes.
pub(in crate::text) fn add_others(blocks: &mut AsciiBlocks, text: &str, others: &[OtherCharacter], case: LetterCase) {
    for other in others {
        let range = other.range();
        let length = other.bytes;
        match other.behaviour {
            Behaviour::Letter | Behaviour::LetterButQuotes => {
                set(blocks, range.start, length, |classes| &mut classes.letters);
            }
            Behaviour::Digit => set(blocks, range.start, length, |classes| &mut classes.digits),
            Behaviour::Capital => {
                set(blocks, range.start, length, |classes| &mut classes.letters);
                let folded = text[range.clone()].chars().next().and_then(folded_in_place);
                if let (LetterCase::Lower, Some(folded)) = (case, folded) {
                    blocks.bytes[range].copy_from_slice(&folded[..length as usize]);
                }
            }
            // Belongs to a word like an underscore: neither a letter nor a digit for joiners beside it.
            Behaviour::Unspaced => {
                set(blocks, range.start, 1, |classes| &mut classes.starts);
                set(blocks, range.start, length, |classes| &mut classes.underscores);
                set(blocks, range.end, 1, |classes| &mut classes.starts);
            }
            // The next word starts after the mark instead of before it.
            Behaviour::Mark | Behaviour::MovingMark if has(blocks, range.start, |classes| classes.starts) => {
                blocks.masks[range.start / BLOCK].starts &= !(1 << (range.start % BLOCK));
                set(blocks, range.start, length, |classes| &mut classes.underscores);
                set(blocks, range.end, 1, |classes| &mut classes.starts);
            }
            Behaviour::Mark | Behaviour::MovingMark => set(blocks, range.start, length, |classes| &mut classes.letters),
            _ => {}
        }
    }
    join_others(blocks, others);
}

/// Enters joiners that stand between two letters or digits into the word, like underscores. Requires the classes of all
/// other characters.
fn join_others(blocks: &mut AsciiBlocks, others: &[OtherCharacter]) {
    for other in others {
        let range = other.range();
        let beside = |class: fn(&ByteClasses) -> u64| {
            range.start > 0 && has(blocks, range.start - 1, class) && has(blocks, range.end, class)
        };
        let joins = match other.behaviour {
            Behaviour::JoinsLetters => beside(|classes| classes.letters),
            Behaviour::JoinsDigits => beside(|classes| classes.digits),
            Behaviour::Apostrophe => beside(|classes| classes.letters) || beside(|classes| classes.digits),
            _ => false,
        };
        if joins {
            set(blocks, range.start, other.bytes, |classes| &mut classes.underscores);
        }
    }
}

/// Sets the bits of up to 4 bytes in a mask; bytes after the last block are ignored.
fn set(blocks: &mut AsciiBlocks, start: usize, length: u8, mask: impl Fn(&mut ByteClasses) -> &mut u64) {
    let block = start / BLOCK;
    let bit = start % BLOCK;
    let ones = (1 << length) - 1;
    let here = blocks.masks.get_mut(block);
    here.into_iter().for_each(|classes| *mask(classes) |= ones << bit);
    if bit + length as usize > BLOCK {
        let next = blocks.masks.get_mut(block + 1);
        next.into_iter().for_each(|classes| *mask(classes) |= ones >> (BLOCK - bit));
    }
}

/// Returns whether the byte at `at` has a bit in a mask.
fn has(blocks: &AsciiBlocks, at: usize, mask: impl Fn(&ByteClasses) -> u64) -> bool {
    blocks.masks.get(at / BLOCK).is_some_and(|classes| mask(classes) >> (at % BLOCK) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_are_long_if_plain_and_short_if_not() {
        let text = "Größe und Maß ™ then ﬁne again";
        let mut places = OtherPlaces::default();
        let mut stretches = Stretches::new(text, Kernel::detect(), Apostrophes::Alike, &mut places);
        let mut letters = Vec::new();
        let mut found = Vec::new();
        while let Some(stretch) = stretches.next(&mut letters) {
            found.push((&text[stretch.range], stretch.is_plain, letters.len()));
        }
        let expected =
            [("Größe und Maß ", true, 3), ("™", false, 0), (" then ", true, 0), ("ﬁne", false, 0), (" again", true, 0)];
        assert_eq!(found, expected);
    }
}
