//! Where words begin and end.
//!
//! ASCII is cut by a table and one look-ahead; anything else by Unicode Standard Annex 29 (unicode-segmentation). The two
//! agree on ASCII, which a property test holds them to. Scripts that do not put blanks between words have no word
//! boundaries that a program could see without a dictionary: there each character, with its marks, is a token.

use std::ops::Range;
use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

const LETTER: u8 = 1;
const DIGIT: u8 = 2;
const UNDERSCORE: u8 = 4;
const WORD: u8 = LETTER | DIGIT | UNDERSCORE;
/// Joins two letters: `can't`.
const BETWEEN_LETTERS: u8 = 8;
/// Joins two digits: `3,14`.
const BETWEEN_DIGITS: u8 = 16;

const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        class[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'_' => UNDERSCORE,
            b'.' | b'\'' => BETWEEN_LETTERS | BETWEEN_DIGITS,
            b':' => BETWEEN_LETTERS,
            b',' | b';' => BETWEEN_DIGITS,
            _ => 0,
        };
        byte += 1;
    }
    class
};

fn class(text: &[u8], at: usize) -> u8 {
    text.get(at).map_or(0, |&byte| CLASS[usize::from(byte)])
}

/// Calls `emit` with the range of each word of a text that is ASCII only.
pub(super) fn cut_ascii(text: &[u8], mut emit: impl FnMut(Range<usize>)) {
    let mut at = 0;
    while at < text.len() {
        if class(text, at) & WORD == 0 {
            at += 1;
            continue;
        }
        let start = at;
        let mut seen = 0;
        loop {
            let here = class(text, at);
            if here & WORD != 0 {
                seen |= here;
                at += 1;
            } else if joins(class(text, at - 1), here, class(text, at + 1)) {
                at += 1;
            } else {
                break;
            }
        }
        if seen & (LETTER | DIGIT) != 0 {
            emit(start..at);
        }
    }
}

/// Rules WB6, WB7, WB11 and WB12 of the annex.
fn joins(before: u8, between: u8, after: u8) -> bool {
    between & BETWEEN_LETTERS != 0 && before & after & LETTER != 0
        || between & BETWEEN_DIGITS != 0 && before & after & DIGIT != 0
}

/// Calls `emit` with the range of each word of any text.
pub(super) fn cut_unicode(text: &str, mut emit: impl FnMut(Range<usize>)) {
    for (start, piece) in text.split_word_bound_indices() {
        if piece.chars().any(char::is_alphanumeric) {
            cut_unspaced(piece, |range| emit(start + range.start..start + range.end));
        }
    }
}

/// Splits a word at each character of a script without spaces; marks stay with the character before them.
fn cut_unspaced(piece: &str, mut emit: impl FnMut(Range<usize>)) {
    let mut start = 0;
    let mut alone = false;
    for (offset, character) in piece.char_indices() {
        let own = is_unspaced(character) && !is_mark(character);
        if offset > start && (own || alone && !is_mark(character)) {
            emit_if_word(piece, start..offset, &mut emit);
            start = offset;
        }
        if offset == start {
            alone = own;
        }
    }
    emit_if_word(piece, start..piece.len(), &mut emit);
}

fn emit_if_word(piece: &str, range: Range<usize>, emit: &mut impl FnMut(Range<usize>)) {
    if piece[range.clone()].chars().any(char::is_alphanumeric) {
        emit(range);
    }
}

fn is_mark(character: char) -> bool {
    unicode_normalization::char::is_combining_mark(character)
}

fn is_unspaced(character: char) -> bool {
    const SCRIPTS: [Script; 7] =
        [Script::Han, Script::Hiragana, Script::Katakana, Script::Thai, Script::Lao, Script::Khmer, Script::Myanmar];
    // The lowest character of these scripts is Thai; extensions cover signs that several scripts share, like the long vowel ー.
    character >= '\u{e00}' && {
        let extension = character.script_extension();
        !extension.is_common() && SCRIPTS.iter().any(|&script| extension.contains_script(script))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert_eq, proptest};

    fn words(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        cut_unicode(text, |range| words.push(&text[range]));
        words
    }

    #[test]
    fn words_follow_the_unicode_annex() {
        assert_eq!(words("Don't pay $3.14, U.S.A. or x_y!"), ["Don't", "pay", "3.14", "U.S.A", "or", "x_y"]);
        assert_eq!(words("Übergrößen für l'été"), ["Übergrößen", "für", "l'été"]);
        assert_eq!(words("سلام دنیا، 😀 ... ___"), ["سلام", "دنیا"]);
    }

    #[test]
    fn unspaced_scripts_give_one_token_a_character() {
        assert_eq!(words("东京タワーへ"), ["东", "京", "タ", "ワ", "ー", "へ"]);
        assert_eq!(words("สวัสดี"), ["ส", "วั", "ส", "ดี"]);
        assert_eq!(words("ສະບາຍ").len(), 5);
        assert_eq!(words("ខ្មែរ"), ["ខ្", "មែ", "រ"]);
        assert_eq!(words("မြန်မာ"), ["မြ", "န်", "မာ"]);
        assert_eq!(words("iPhone的Pro、价格￥99。"), ["iPhone", "的", "Pro", "价", "格", "99"]);
        assert_eq!(words("한국어 문서"), ["한국어", "문서"]);
    }

    proptest! {
        #[test]
        fn ascii_is_cut_as_unicode_is(text in "[a-c1-3_.:,;' \n\"-]{0,40}|[ -~]{0,40}") {
            let mut ascii = Vec::new();
            cut_ascii(text.as_bytes(), |range| ascii.push(&text[range]));
            prop_assert_eq!(ascii, words(&text));
        }
    }
}
