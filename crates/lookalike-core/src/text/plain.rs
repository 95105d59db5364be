//! Plain stretches of text: where every character stays as it is when normalized, and every boundary is clear at sight.
//!
//! ASCII is plain. So are most other letters of the scripts with spaces, like ä, ж or ع, the characters of those without,
//! like 東 or ก, the marks that stay apart from them, and most symbols: they behave like `b`, like a character between two
//! blanks, like nothing, or like a blank under all rules of word boundaries. Such a stretch is cut by bit masks like ASCII,
//! after a few bits were set for its other characters; only the rest needs the full rules. Which characters are plain is not
//! written down here: each is tried against the libraries that know the rules, when it is met for the first time.

use super::cut::cut_unicode;
use super::normalize::begins_segment;
use crate::kernel::{AsciiBlocks, BLOCK, ByteClasses, LetterCase};
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};
use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical, is_combining_mark};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// How a character behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Behaviour {
    /// Not tried yet.
    Unknown,
    /// Needs the full rules.
    Complex,
    /// Stands between words and belongs to none.
    Separator,
    /// Becomes one of `.` `:` `,` `;` `'`, like those of full width: a separator where it joins nothing.
    BecomesJoiner,
    /// Like `:`, joins a letter to a letter.
    JoinsLetters,
    /// Like `'`, joins a letter to a letter and a digit to a digit.
    JoinsLettersOrDigits,
    /// A word of its own, with the marks behind it.
    Unspaced,
    /// Belongs to the letter or character before it.
    Mark,
    /// The same, if normalization neither composes the two nor puts them in another order.
    MovingMark,
    /// Like the letter `b`.
    Letter,
    /// Like the letter `B`; its lower case is one character of the same length in UTF-8.
    Capital,
}

const BEHAVIOURS: [Behaviour; 11] = {
    use Behaviour::*;
    [
        Unknown,
        Complex,
        Separator,
        BecomesJoiner,
        JoinsLetters,
        JoinsLettersOrDigits,
        Unspaced,
        Mark,
        MovingMark,
        Letter,
        Capital,
    ]
};

/// What is known about the characters of the planes with scripts: indices into [`BEHAVIOURS`]. The system gives memory only
/// for what is touched.
static TRIED: [AtomicU8; 0x4_0000] = [const { AtomicU8::new(Behaviour::Unknown as u8) }; 0x4_0000];

/// How a character behaves. Threads that try one at the same time find the same.
#[inline]
fn behaviour_of(character: char) -> Behaviour {
    let Some(tried) = TRIED.get(character as usize) else { return Behaviour::Complex };
    let known = BEHAVIOURS[tried.load(Ordering::Relaxed) as usize];
    if known == Behaviour::Unknown { first_try(character, tried) } else { known }
}

#[cold]
fn first_try(character: char, tried: &AtomicU8) -> Behaviour {
    let behaviour = try_out(character);
    tried.store(behaviour as u8, Ordering::Relaxed);
    behaviour
}

/// The lower case of a character, with a final sigma written like any other; `None` if it is more than one, or longer or
/// shorter in UTF-8.
fn lower_case(character: char) -> Option<char> {
    let mut lower = character.to_lowercase();
    let first = lower.next().map(|lower| if lower == 'ς' { 'σ' } else { lower });
    first.filter(|first| lower.next().is_none() && first.len_utf8() == character.len_utf8())
}

/// A trial: a character passes if in all surroundings the words are the same as with a text in its stead.
struct Trial {
    /// With blanks around it, it is a word of its own wherever the character stands.
    stand_in: &'static str,
    surroundings: &'static str,
    expected: OnceLock<String>,
}

/// Where a character, for which `?` stands, is tried; blanks keep the surroundings apart. A character that is one of its own
/// surroundings fails, and is no more than slow for it.
const SURROUNDINGS: &str = "? ?? a?a a??a 1?1 a?1 1?a _?_ _a?a_ _1?1_ a.?a a?.a ?.? a:?a a?:a ?:? a'?a a?'a 1'?1 1?'1 ?'? \
    1,?1 1?,1 ?,? 1;?1 1?;1 ?\"? a?-a 龘?龘 a?龘 ヸ?ヸ ヸ?_ _?ヸ ฅ?";

/// The same for marks, which may stand only behind letters, characters without spaces, and other marks.
const SURROUNDINGS_OF_MARKS: &str = "a? a?a a??a a?1 a?_ a?.a a?:a a?'a a?.1 a?,1 a?-a 龘? 龘?龘 龘?a 龘?1 龘?_ 龘?.a ヸ?ヸ ヸ?_ \
    ヸ?a ฅ? ฅ??ฅ ฅ?a _a?a_ a?龘 a?ヸ a?ฅ";

static SEPARATOR: Trial = Trial::new(" ", SURROUNDINGS);
static JOINER_OF_LETTERS: Trial = Trial::new(":", SURROUNDINGS);
static JOINER: Trial = Trial::new("'", SURROUNDINGS);
static LETTER: Trial = Trial::new("b", SURROUNDINGS);
static UNSPACED: Trial = Trial::new(" 漢 ", SURROUNDINGS);
static MARK: Trial = Trial::new("", SURROUNDINGS_OF_MARKS);

impl Trial {
    const fn new(stand_in: &'static str, surroundings: &'static str) -> Self {
        Self { stand_in, surroundings, expected: OnceLock::new() }
    }

    /// Whether a character passes, given by its normal form.
    fn passes(&self, normal: &str) -> bool {
        let expected = self.expected.get_or_init(|| words(&self.surroundings.replace('?', self.stand_in)));
        words(&self.surroundings.replace('?', normal)).replace(normal, self.stand_in.trim()) == *expected
    }
}

/// The words of a text, each on a line.
fn words(text: &str) -> String {
    let mut words = String::with_capacity(2 * text.len());
    cut_unicode(text, |range| words.extend([&text[range], "\n"]));
    words
}

/// Tries a character against the rules.
fn try_out(character: char) -> Behaviour {
    let mut utf8 = [0; 4];
    let source: &str = character.encode_utf8(&mut utf8);
    let normal: String = source.nfkc().collect();
    let (stays, lower) = (normal == source, lower_case(character));
    if is_combining_mark(character) {
        let is_mark = stays && lower == Some(character) && MARK.passes(source);
        return match (is_mark, begins_segment(character)) {
            (false, _) => Behaviour::Complex,
            (true, true) => Behaviour::Mark,
            (true, false) => Behaviour::MovingMark,
        };
    }
    if !begins_segment(character) {
        return Behaviour::Complex;
    }
    let between_letters = words(&format!("a{normal}a")).lines().count();
    match (words(&normal).is_empty(), between_letters) {
        (true, _) if [".", ":", ",", ";", "'"].contains(&normal.as_str()) => Behaviour::BecomesJoiner,
        (true, 2) if SEPARATOR.passes(&normal) => Behaviour::Separator,
        (true, 1) if stays && JOINER_OF_LETTERS.passes(source) => Behaviour::JoinsLetters,
        (true, 1) if stays && JOINER.passes(source) => Behaviour::JoinsLettersOrDigits,
        (false, 1) if stays && lower == Some(character) && LETTER.passes(source) => Behaviour::Letter,
        (false, 1) if stays && lower.is_some() && LETTER.passes(source) => Behaviour::Capital,
        (false, 3) if stays && lower == Some(character) && UNSPACED.passes(source) => Behaviour::Unspaced,
        _ => Behaviour::Complex,
    }
}

/// A character that is not ASCII in a plain stretch, unless it is a separator.
#[derive(Debug, Clone, Copy)]
pub(super) struct OtherCharacter {
    offset: u32,
    /// Length in UTF-8.
    bytes: u8,
    behaviour: Behaviour,
}

impl OtherCharacter {
    fn range(&self) -> Range<usize> {
        self.offset as usize..self.offset as usize + self.bytes as usize
    }
}

/// A part of a text that neither a word nor a normalization reaches across: it ends at an ASCII blank or before a character
/// without spaces (it may hold such itself if it is plain).
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
        // A word may go on behind the last boundary of the plain part.
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
}

/// Length of the part before the first character that is not plain, or that is too far on.
fn plain_prefix(text: &str, others: &mut Vec<OtherCharacter>) -> usize {
    let mut at = 0;
    loop {
        if text.as_bytes().get(at).is_some_and(u8::is_ascii) {
            at += ascii_prefix_length(&text.as_bytes()[at..]);
        }
        let Some(character) = text[at..].chars().next() else { return at };
        let behaviour = behaviour_of(character);
        let end = at + character.len_utf8();
        let is_plain = match behaviour {
            Behaviour::Complex => false,
            Behaviour::BecomesJoiner => {
                !is_in_word(text[..at].chars().next_back()) || !is_in_word(text[end..].chars().next())
            }
            Behaviour::Mark => text[..at].chars().next_back().is_some_and(takes_marks),
            Behaviour::MovingMark => text[..at].chars().next_back().is_some_and(|base| stays_apart(base, character)),
            _ => true,
        };
        if !is_plain || at > LONGEST {
            return at;
        }
        if !matches!(behaviour, Behaviour::Separator | Behaviour::BecomesJoiner) {
            others.push(OtherCharacter { offset: at as u32, bytes: character.len_utf8() as u8, behaviour });
        }
        at = end;
    }
}

/// Whether a joiner beside this character might join it to another one.
fn is_in_word(character: Option<char>) -> bool {
    character.is_some_and(|character| match character {
        _ if character.is_ascii() => character.is_ascii_alphanumeric(),
        _ => !matches!(behaviour_of(character), Behaviour::Separator | Behaviour::BecomesJoiner | Behaviour::Unspaced),
    })
}

/// Whether a mark behind this character belongs to it in words.
fn takes_marks(base: char) -> bool {
    match base {
        _ if base.is_ascii() => base.is_ascii_alphabetic(),
        // Of a mark, if it is plain, the same was asked before.
        _ => matches!(
            behaviour_of(base),
            Behaviour::Letter | Behaviour::Capital | Behaviour::Unspaced | Behaviour::Mark | Behaviour::MovingMark
        ),
    }
}

/// The same, and whether normalization leaves both as they are.
fn stays_apart(base: char, mark: char) -> bool {
    if !takes_marks(base) {
        return false;
    }
    if is_combining_mark(base) {
        let class = canonical_combining_class(mark);
        let in_order = class == 0 || class >= canonical_combining_class(base);
        return in_order && is_nfkc_quick([mark].into_iter()) == IsNormalized::Yes;
    }
    let mut parts = 0;
    decompose_canonical(base, |_| parts += 1);
    parts == 1 && compose(base, mark).is_none()
}

/// The last place in a plain text up to which words are complete, whatever follows it; 0 if there is none.
fn last_boundary(text: &str, others: &[OtherCharacter]) -> usize {
    let unspaced = others.iter().rev().find(|other| other.behaviour == Behaviour::Unspaced);
    let start = unspaced.map_or(0, |other| other.offset as usize);
    let blank = text.as_bytes()[start..].iter().rposition(u8::is_ascii_whitespace);
    blank.map_or(start, |blank| start + blank + 1)
}

/// Length of the part that begins with a character that is not plain, up to the next boundary.
fn complex_prefix(text: &str) -> usize {
    let is_boundary = |character: char| match character {
        _ if character.is_ascii() => character.is_ascii_whitespace(),
        _ => behaviour_of(character) == Behaviour::Unspaced,
    };
    text.char_indices().skip(1).find(|&(_, character)| is_boundary(character)).map_or(text.len(), |(end, _)| end)
}

/// Enters the characters of a plain stretch that are not ASCII into its classes, and their lower case into its bytes.
pub(super) fn add_others(blocks: &mut AsciiBlocks, text: &str, others: &[OtherCharacter], case: LetterCase) {
    for other in others {
        let (range, length) = (other.range(), other.bytes);
        match other.behaviour {
            Behaviour::Letter => set(blocks, range.start, length, |classes| &mut classes.letters),
            Behaviour::Capital => {
                set(blocks, range.start, length, |classes| &mut classes.letters);
                let lower = text[range.clone()].chars().next().and_then(lower_case);
                if let (LetterCase::Lower, Some(lower)) = (case, lower) {
                    blocks.bytes[range].copy_from_slice(lower.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
            // Part of a word, as an underscore is: neither a letter nor a digit to its neighbours.
            Behaviour::Unspaced => {
                set(blocks, range.start, 1, |classes| &mut classes.starts);
                set(blocks, range.start, length, |classes| &mut classes.underscores);
                set(blocks, range.end, 1, |classes| &mut classes.starts);
            }
            // The next word starts behind the mark only.
            Behaviour::Mark | Behaviour::MovingMark if has(blocks, range.start, |classes| classes.starts) => {
                blocks.masks[range.start / BLOCK].starts &= !(1 << (range.start % BLOCK));
                set(blocks, range.start, length, |classes| &mut classes.underscores);
                set(blocks, range.end, 1, |classes| &mut classes.starts);
            }
            Behaviour::Mark | Behaviour::MovingMark => set(blocks, range.start, length, |classes| &mut classes.letters),
            _ => {}
        }
    }
    // What stands beside a joiner is known only now. Where it joins, it becomes a part of the word, like an underscore.
    for other in others {
        let range = other.range();
        let beside = |class: fn(&ByteClasses) -> u64| {
            range.start > 0 && has(blocks, range.start - 1, class) && has(blocks, range.end, class)
        };
        let joins = match other.behaviour {
            Behaviour::JoinsLetters => beside(|classes| classes.letters),
            Behaviour::JoinsLettersOrDigits => beside(|classes| classes.letters) || beside(|classes| classes.digits),
            _ => false,
        };
        if joins {
            set(blocks, range.start, other.bytes, |classes| &mut classes.underscores);
        }
    }
}

/// Sets the bits of a few bytes in a mask; what lies behind the blocks of the text has none.
fn set(blocks: &mut AsciiBlocks, start: usize, length: u8, mask: impl Fn(&mut ByteClasses) -> &mut u64) {
    let (block, bit, ones) = (start / BLOCK, start % BLOCK, (1 << length) - 1);
    let here = blocks.masks.get_mut(block);
    here.into_iter().for_each(|classes| *mask(classes) |= ones << bit);
    if bit + length as usize > BLOCK {
        let next = blocks.masks.get_mut(block + 1);
        next.into_iter().for_each(|classes| *mask(classes) |= ones >> (BLOCK - bit));
    }
}

fn has(blocks: &AsciiBlocks, at: usize, mask: impl Fn(&ByteClasses) -> u64) -> bool {
    blocks.masks.get(at / BLOCK).is_some_and(|classes| mask(classes) >> (at % BLOCK) & 1 == 1)
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
        let letters = "äöüßéñçøłžабвжяαωשعم한".chars().filter(|&c| c != 'ש');
        assert!(letters.map(behaviour_of).all(|found| found == Behaviour::Letter));
        assert!(
            "§°–—“”„«»•→€¿¡×÷…\u{a0}🔬、。「！".chars().map(behaviour_of).all(|found| found == Behaviour::Separator)
        );
        assert_eq!((behaviour_of('·'), behaviour_of('’')), (Behaviour::JoinsLetters, Behaviour::JoinsLettersOrDigits));
        for c in "東〇ターがกမខ𠀋".chars() {
            eprintln!("{c} {:?}", behaviour_of(c));
        }
        assert!("東〇ターがกမខ𠀋".chars().map(behaviour_of).all(|found| found == Behaviour::Unspaced));
        assert!("ัิािंி".chars().map(behaviour_of).all(|found| found == Behaviour::Mark));
        assert!("\u{301}्ُّ้\u{9be}".chars().map(behaviour_of).all(|found| found == Behaviour::MovingMark));
        assert!("，：．；".chars().map(behaviour_of).all(|found| found == Behaviour::BecomesJoiner));
        // Hebrew joins at quotation marks; a soft hyphen joins; ™ and ﬁ become letters; İ grows; Thai am becomes two.
        let complex = "ש\u{ad}™ﬁİ\u{200d}٣ำ＿";
        let plain: Vec<char> = complex.chars().filter(|&c| behaviour_of(c) != Behaviour::Complex).collect();
        assert_eq!(plain, []);
        assert_eq!((behaviour_of('Ä'), lower_case('Ä')), (Behaviour::Capital, Some('ä')));
        assert_eq!((behaviour_of('ς'), lower_case('ς')), (Behaviour::Capital, Some('σ')));
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
