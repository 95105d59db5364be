//! The behaviour of a character in normalization and word boundaries: the ASCII text that it is equivalent to, if any.
//!
//! The behaviour is not tabulated here: it is determined at the first occurrence of a character, by testing the
//! character in sample texts with the libraries that implement the rules of Unicode. So it agrees with their versions
//! of Unicode.

use crate::text::TextOptions;
use crate::text::characters::{folded_in_place, is_ignorable, is_quote, plain_quote};
use crate::text::cut::cut_unicode;
use crate::text::normalize::{Normalized, begins_segment};
use bytemuck::CheckedBitPattern;
use bytemuck::checked::try_cast;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};
use unicode_normalization::char::is_combining_mark;

/// The behaviour of a character, by the ASCII text that it is equivalent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, CheckedBitPattern)]
#[repr(u8)]
pub(in crate::text) enum Behaviour {
    /// Behaviour that is not determined yet.
    Unknown,
    /// Equivalent to no ASCII text: needs the full rules of Unicode.
    Complex,
    /// Belongs to no word, like a blank.
    Separator,
    /// Normalizes to one of `.` `:` `,` `;`, as full-width punctuation does: a separator where it joins nothing.
    BecomesJoiner,
    /// Like `:`, joins a letter to a letter.
    JoinsLetters,
    /// Like `,`, joins a digit to a digit.
    JoinsDigits,
    /// Looks like `'`, and becomes it in normal form: joins a letter to a letter and a digit to a digit.
    Apostrophe,
    /// A word by itself, together with the marks that follow it.
    Unspaced,
    /// A combining mark that belongs to the letter or character before it and stays as it is under normalization.
    Mark,
    /// Like [`Behaviour::Mark`], provided that normalization neither composes it with nor reorders it before its
    /// predecessor.
    MovingMark,
    /// Like the letter `b`.
    Letter,
    /// Like the letter `B`; its folded case has the same length in UTF-8.
    Capital,
    /// Like the letter `b`, except beside a quotation mark `'` or `"`: the letters of Hebrew.
    LetterButQuotes,
    /// Like the digit `2`.
    Digit,
}

/// Behaviours determined so far, for the characters of the planes with scripts. Only
/// touched pages occupy memory.
static KNOWN: [AtomicU8; 0x4_0000] = [const { AtomicU8::new(Behaviour::Unknown as u8) }; 0x4_0000];

/// The behaviour of a character. Threads that determine it at the same time store the same value.
#[inline]
pub(in crate::text) fn behaviour_of(character: char) -> Behaviour {
    let Some(known) = KNOWN.get(character as usize) else { return Behaviour::Complex };
    let behaviour = try_cast(known.load(Ordering::Relaxed)).unwrap_or(Behaviour::Unknown);
    if behaviour == Behaviour::Unknown { determine(character, known) } else { behaviour }
}

#[cold]
fn determine(character: char, known: &AtomicU8) -> Behaviour {
    let behaviour = try_out(character);
    known.store(behaviour as u8, Ordering::Relaxed);
    behaviour
}

/// A test for equivalence: a character passes if replacing it by `stand_in` leaves the words of all sample texts
/// unchanged.
struct Trial {
    /// The equivalent text. With blanks around it, it is a word by itself wherever the character stands.
    stand_in: &'static str,
    /// Lists of sample texts.
    surroundings: &'static [&'static str],
    /// The words of the sample texts with the stand-in.
    expected: OnceLock<String>,
}

/// Sample texts, separated by blanks, in which `?` is replaced by the character. A character that occurs in a sample
/// text itself fails the test; this costs speed, never correctness.
const WITHOUT_QUOTES: &str = "? ?? a?a a??a 1?1 a?1 1?a _?_ _a?a_ a_?_a _1?1_ a.?a a?.a 1.?1 1?.1 ?.? a:?a a?:a ?:? \
    1,?1 1?,1 ?,? 1;?1 1?;1 ?;? a?-a 龘?龘 a?龘 ヸ?ヸ ヸ?_ _?ヸ ฅ?";
const WITH_QUOTES: &str = "a'?a a?'a a?' '?a 1'?1 1?'1 ?'? ?' a\"?a a?\"a ?\"? ?\"";

/// Sample texts for marks, which may follow only letters, characters of scripts without spaces, and other marks.
const BEHIND_LETTERS: &str = "a? a?a a??a a?1 a?_ a?.a a?:a a?'a a?.1 a?,1 a?-a 龘? 龘?龘 龘?a 龘?1 龘?_ 龘?.a ヸ?ヸ ヸ?_ ヸ?a ฅ? \
    ฅ??ฅ ฅ?a _a?a_ a?龘 a?ヸ a?ฅ";

static SEPARATOR: Trial = Trial::new(" ", &[WITHOUT_QUOTES, WITH_QUOTES]);
static JOINER_OF_DIGITS: Trial = Trial::new(",", &[WITHOUT_QUOTES, WITH_QUOTES]);
static JOINER_OF_LETTERS: Trial = Trial::new(":", &[WITHOUT_QUOTES, WITH_QUOTES]);
static JOINER: Trial = Trial::new("'", &[WITHOUT_QUOTES, WITH_QUOTES]);
static LETTER: Trial = Trial::new("b", &[WITHOUT_QUOTES, WITH_QUOTES]);
static LETTER_BUT_QUOTES: Trial = Trial::new("b", &[WITHOUT_QUOTES]);
static DIGIT: Trial = Trial::new("2", &[WITHOUT_QUOTES, WITH_QUOTES]);
static UNSPACED: Trial = Trial::new(" 漢 ", &[WITHOUT_QUOTES, WITH_QUOTES]);
static MARK: Trial = Trial::new("", &[BEHIND_LETTERS]);

impl Trial {
    const fn new(stand_in: &'static str, surroundings: &'static [&'static str]) -> Self {
        Self { stand_in, surroundings, expected: OnceLock::new() }
    }

    /// Returns whether a character, or its normal form, is equivalent to the stand-in.
    fn passes(&self, text: &str) -> bool {
        let words_with = |text: &str| words(&self.surroundings.join(" ").replace('?', text));
        let expected = self.expected.get_or_init(|| words_with(self.stand_in));
        words_with(text).replace(text, self.stand_in.trim()) == *expected
    }
}

/// The words of a text, one per line.
fn words(text: &str) -> String {
    let mut words = String::with_capacity(2 * text.len());
    cut_unicode(text, |range| words.extend([&text[range], "\n"]));
    words
}

/// The form of a text under some options.
fn form(text: &str, nfkc: bool, lowercase: bool) -> String {
    let mut normalized = Normalized::default();
    normalized.fill(text, &TextOptions { nfkc, lowercase, ..TextOptions::default() });
    normalized.text
}

/// Determines the behaviour of a character by tests, with and without normalization.
fn try_out(character: char) -> Behaviour {
    if is_ignorable(character) {
        return Behaviour::Complex;
    }
    if plain_quote(character) == '\'' {
        return Behaviour::Apostrophe;
    }
    let mut utf8 = [0; 4];
    let source: &str = character.encode_utf8(&mut utf8);
    let normal = form(source, true, false);
    let folded = form(source, false, true);
    let stays = normal == source;
    let is_small = stays && folded == source;
    let is_capital =
        || folded_in_place(character).is_some() && form(source, true, true) == folded && LETTER.passes(&folded);
    if is_combining_mark(character) {
        let is_mark = is_small && MARK.passes(source);
        return match (is_mark, begins_segment(character)) {
            (false, _) => Behaviour::Complex,
            (true, true) => Behaviour::Mark,
            (true, false) => Behaviour::MovingMark,
        };
    }
    if !begins_segment(character) {
        return Behaviour::Complex;
    }
    // Beside letters of Hebrew, what becomes several apostrophes does not behave as one that is looked for there.
    if normal.contains(['\'', '"']) && !is_quote(character) {
        return Behaviour::Complex;
    }
    let becomes = |texts: &[&str], trial: &Trial| texts.contains(&normal.as_str()) && trial.passes(source);
    let between_letters = words(&format!("a{normal}a")).lines().count();
    match (words(&normal).is_empty(), between_letters) {
        (true, 1) if becomes(&[":"], &JOINER_OF_LETTERS) || becomes(&["."], &JOINER) => Behaviour::BecomesJoiner,
        (true, 2) if becomes(&[",", ";"], &JOINER_OF_DIGITS) => Behaviour::BecomesJoiner,
        (true, 2) if stays && JOINER_OF_DIGITS.passes(source) => Behaviour::JoinsDigits,
        (true, 2) if SEPARATOR.passes(&normal) && (stays || SEPARATOR.passes(source)) => Behaviour::Separator,
        (true, 1) if stays && JOINER_OF_LETTERS.passes(source) => Behaviour::JoinsLetters,
        (false, 1) if is_small && LETTER.passes(source) => Behaviour::Letter,
        (false, 1) if stays && LETTER.passes(source) && is_capital() => Behaviour::Capital,
        (false, 1) if is_small && DIGIT.passes(source) => Behaviour::Digit,
        (false, 1) if is_small && LETTER_BUT_QUOTES.passes(source) => Behaviour::LetterButQuotes,
        (false, 3) if is_small && UNSPACED.passes(source) => Behaviour::Unspaced,
        _ => Behaviour::Complex,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_characters_behave_as_expected() {
        let letters = "äöüéñçøłžабвжяαωعم한".chars();
        assert!(letters.map(behaviour_of).all(|found| found == Behaviour::Letter));
        assert!(
            "§°–—“”„«»•→€¿¡×÷…\u{a0}🔬、。「！".chars().map(behaviour_of).all(|found| found == Behaviour::Separator)
        );
        assert_eq!(behaviour_of('،'), Behaviour::JoinsDigits);
        assert_eq!((behaviour_of('·'), behaviour_of('’')), (Behaviour::JoinsLetters, Behaviour::Apostrophe));
        assert!("東〇ターがกမខ𠀋".chars().map(behaviour_of).all(|found| found == Behaviour::Unspaced));
        assert!("ัิािंி".chars().map(behaviour_of).all(|found| found == Behaviour::Mark));
        assert!("\u{301}्ُّ้\u{9be}".chars().map(behaviour_of).all(|found| found == Behaviour::MovingMark));
        assert!("，：．；".chars().map(behaviour_of).all(|found| found == Behaviour::BecomesJoiner));
        assert_eq!((behaviour_of('ש'), behaviour_of('٣')), (Behaviour::LetterButQuotes, Behaviour::Digit));
        // A soft hyphen goes; ™ and ﬁ become letters; İ grows and ẞ shrinks; the folded ẖ is composed again; the vowel
        // am of Thai becomes two; Thai digits stand alone.
        let complex = "\u{ad}™ﬁİẞẖ\u{200b}\u{200d}\u{fe0f}ำ๑＿";
        let plain: Vec<char> = complex.chars().filter(|&c| behaviour_of(c) != Behaviour::Complex).collect();
        assert!(plain.is_empty(), "{plain:?}");
        assert!("ÄςßЖꭰ".chars().map(behaviour_of).all(|found| found == Behaviour::Capital));
        assert!("’‘ʼ′´＇׳".chars().map(behaviour_of).all(|found| found == Behaviour::Apostrophe));
    }
}
