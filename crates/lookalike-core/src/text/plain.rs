//! Plain stretches of text: where every character is its own normal form and every boundary is clear at sight.
//!
//! ASCII is plain. So are most other letters of the scripts with spaces, like ä, ж or ع, and most symbols: they neither
//! combine nor become letters, and they behave like `a` or like `!` under all rules of word boundaries. Such a stretch is cut
//! by bit masks like ASCII, after a few bits were set for its letters; only the rest needs the full rules. Which
//! characters are plain is not written down here: each is tried against the libraries that know the rules, once.

use super::cut::{is_unspaced, word_count};
use super::normalize::begins_segment;
use crate::kernel::{AsciiBlocks, BLOCK, ByteClasses, LetterCase};
use std::ops::Range;
use std::sync::OnceLock;
use unicode_normalization::UnicodeNormalization;

/// Characters are tried 16 at a time, when the first of them is met; from plane 2 on none is plain.
const BLOCK_CHARACTERS: usize = 16;
const BLOCKS: usize = 0x2_0000 / BLOCK_CHARACTERS;

type Behaviours = [Behaviour; BLOCK_CHARACTERS];

fn behaviour_of(character: char) -> Behaviour {
    static TRIED: [OnceLock<Box<Behaviours>>; BLOCKS] = [const { OnceLock::new() }; BLOCKS];
    let code = character as usize;
    let (number, at) = (code / BLOCK_CHARACTERS, code % BLOCK_CHARACTERS);
    TRIED.get(number).map_or(Behaviour::Complex, |block| block.get_or_init(|| try_block(number))[at])
}

fn try_block(number: usize) -> Box<Behaviours> {
    let character = |at: usize| char::from_u32((number * BLOCK_CHARACTERS + at) as u32);
    Box::new(std::array::from_fn(|at| character(at).map_or(Behaviour::Complex, try_out)))
}

/// How a character behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behaviour {
    /// Needs the full rules.
    Complex,
    /// Stands between words and belongs to none.
    Separator,
    /// Like `:`, joins a letter to a letter.
    JoinsLetters,
    /// Like `'`, joins a letter to a letter and a digit to a digit.
    JoinsLettersOrDigits,
    /// Like the letter `a`; becomes the given character, of the same length in UTF-8, in lower case.
    Letter(char),
}

/// A character that is not ASCII in a plain stretch, unless it is a separator.
#[derive(Debug, Clone, Copy)]
pub(super) struct OtherCharacter {
    offset: u32,
    /// Length in UTF-8.
    bytes: u32,
    behaviour: Behaviour,
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
}

/// Longest plain stretch: its masks stay in the cache, and its offsets in 32 bits.
const LONGEST: usize = 1 << 14;

impl<'a> Stretches<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The next stretch; if it is plain, its characters that are not ASCII replace the content of `others`.
    pub(super) fn next(&mut self, others: &mut Vec<OtherCharacter>) -> Option<Stretch> {
        others.clear();
        let (start, text) = (self.at, &self.text[self.at..]);
        if text.is_empty() {
            return None;
        }
        let plain_end = plain_prefix(text, others);
        // A word may go on behind the last blank of the plain part.
        let end = if plain_end == text.len() { plain_end } else { last_blank(&text.as_bytes()[..plain_end]) };
        let (length, is_plain) = if end > 0 {
            others.truncate(others.partition_point(|other| (other.offset as usize) < end));
            (end, true)
        } else {
            let rest = &text.as_bytes()[plain_end..];
            (rest.iter().position(u8::is_ascii_whitespace).map_or(text.len(), |blank| plain_end + blank), false)
        };
        self.at += length;
        Some(Stretch { range: start..self.at, is_plain })
    }
}

/// Length of the part before the first character that is not plain, or that is too far on.
fn plain_prefix(text: &str, others: &mut Vec<OtherCharacter>) -> usize {
    let mut at = 0;
    loop {
        at += ascii_prefix_length(&text.as_bytes()[at..]);
        let Some(character) = text[at..].chars().next() else { return at };
        match behaviour_of(character) {
            Behaviour::Complex => return at,
            _ if at > LONGEST => return at,
            Behaviour::Separator => {}
            behaviour => {
                others.push(OtherCharacter { offset: at as u32, bytes: character.len_utf8() as u32, behaviour })
            }
        }
        at += character.len_utf8();
    }
}

/// End of the last ASCII blank; 0 if there is none.
fn last_blank(text: &[u8]) -> usize {
    text.iter().rposition(u8::is_ascii_whitespace).map_or(0, |blank| blank + 1)
}

/// Enters the characters of a plain stretch that are not ASCII into its classes, and their lower case into its bytes.
pub(super) fn add_others(blocks: &mut AsciiBlocks, text: &str, others: &[OtherCharacter], case: LetterCase) {
    for other in others {
        let Behaviour::Letter(lower) = other.behaviour else { continue };
        let (range, mut utf8) = (other.range(), [0; 4]);
        range.clone().for_each(|at| blocks.masks[at / BLOCK].letters |= 1 << (at % BLOCK));
        let lower = lower.encode_utf8(&mut utf8).as_bytes();
        blocks.bytes[range.clone()].copy_from_slice(if case == LetterCase::Lower {
            lower
        } else {
            text[range].as_bytes()
        });
    }
    // What stands beside a joiner is known only now. Where it joins, it becomes a part of the word, like an underscore.
    for other in others {
        let range = other.range();
        let beside = |class: fn(&ByteClasses) -> u64| {
            let has =
                |at: usize| blocks.masks.get(at / BLOCK).is_some_and(|classes| class(classes) >> (at % BLOCK) & 1 == 1);
            range.start > 0 && has(range.start - 1) && has(range.end)
        };
        let joins = match other.behaviour {
            Behaviour::JoinsLetters => beside(|classes| classes.letters),
            Behaviour::JoinsLettersOrDigits => beside(|classes| classes.letters) || beside(|classes| classes.digits),
            _ => false,
        };
        if joins {
            range.for_each(|at| blocks.masks[at / BLOCK].underscores |= 1 << (at % BLOCK));
        }
    }
}

impl OtherCharacter {
    fn range(&self) -> Range<usize> {
        self.offset as usize..(self.offset + self.bytes) as usize
    }
}

/// Tries a character against the rules.
fn try_out(character: char) -> Behaviour {
    if !begins_segment(character) || is_unspaced(character) {
        return Behaviour::Complex;
    }
    let mut utf8 = [0; 4];
    let source: &str = character.encode_utf8(&mut utf8);
    let normal: String = source.nfkc().collect();
    let words = |pattern: &str| word_count(&pattern.replace('?', &normal));
    let all_have = |patterns: &[&str], count| patterns.iter().all(|pattern| words(pattern) == count);
    if words("?") == 0 {
        let between = ["a?a", "a??a", "1?1", "a?1", "a.?a", "a:?a", "1,?1", "a?'a", "_a?a_"];
        return match (words("a?a"), words("1?1")) {
            _ if all_have(&between, 2) => Behaviour::Separator,
            (1, 2) if normal == source && joins_only_directly(&words) => Behaviour::JoinsLetters,
            (1, 1) if normal == source && joins_only_directly(&words) => Behaviour::JoinsLettersOrDigits,
            _ => Behaviour::Complex,
        };
    }
    let like_a = all_have(&["a?a", "??", "1?1", "a:?", "?:a", "a'?", "?.?", "_?_", "?"], 1)
        && all_have(&["?,?", "1,?", "?;1", "?\"?", "?-?", "1'?", "?:1"], 2);
    let mut lower = character.to_lowercase().map(|lower| if lower == 'ς' { 'σ' } else { lower });
    match (lower.next(), lower.next()) {
        (Some(lower), None) if like_a && normal == source && lower.len_utf8() == source.len() => {
            Behaviour::Letter(lower)
        }
        _ => Behaviour::Complex,
    }
}

/// Whether a character that joins two letters does so only if both stand right beside it.
fn joins_only_directly(words: &impl Fn(&str) -> usize) -> bool {
    ["a??a", "a?1", "1?a", "a.?a", "a?:a", "1?'1", "1,?1", "a?-a"].iter().all(|pattern| words(pattern) == 2)
        && ["_?_", "a?_", "_?a", "? a", "a ?"].iter().all(|pattern| words(pattern) == words(&pattern.replace('?', ":")))
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
        let letters = "äöüßéñçøłžабвЖяαωΩשعم한".chars().filter(|&c| c != 'ש');
        assert!(letters.map(behaviour_of).all(|found| matches!(found, Behaviour::Letter(_))));
        assert!("§°–—“”„«»•→€¿¡×÷…\u{a0}🔬".chars().map(behaviour_of).all(|found| found == Behaviour::Separator));
        assert_eq!((behaviour_of('·'), behaviour_of('’')), (Behaviour::JoinsLetters, Behaviour::JoinsLettersOrDigits));
        // Hebrew joins at quotation marks; a soft hyphen joins; ™ and ﬁ become letters; accents combine; İ grows.
        let complex = "ש\u{ad}™ﬁ\u{301}İ\u{200d}٣ก";
        let plain: Vec<char> = complex.chars().filter(|&c| behaviour_of(c) != Behaviour::Complex).collect();
        assert_eq!(plain, []);
        assert_eq!(behaviour_of('Ä'), Behaviour::Letter('ä'));
        assert_eq!(behaviour_of('ς'), Behaviour::Letter('σ'));
    }

    #[test]
    fn stretches_are_long_if_plain_and_short_if_not() {
        let text = "Größe und Maß ™ then ﬁne again";
        let (mut stretches, mut letters, mut found) = (Stretches::of(text), Vec::new(), Vec::new());
        while let Some(stretch) = stretches.next(&mut letters) {
            found.push((&text[stretch.range], stretch.is_plain, letters.len()));
        }
        let expected =
            [("Größe und Maß ", true, 3), ("™", false, 0), (" then ", true, 0), ("ﬁne", false, 0), (" again", true, 0)];
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
