//! Word boundaries of any text, by Unicode Standard Annex 29 (unicode-segmentation).
//!
//! Plain text is cut in [`super::plain`]; both agree on it, as property tests verify. In scripts without spaces
//! between words, finding word boundaries takes a dictionary: there each character, with its marks, is a token.

use std::ops::Range;
use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

/// Calls `emit` with the range of each word of an arbitrary text.
pub(super) fn cut_unicode(text: &str, mut emit: impl FnMut(Range<usize>)) {
    for (start, word) in text.split_word_bound_indices() {
        if word.chars().any(char::is_alphanumeric) {
            cut_unspaced(word, |range| emit(start + range.start..start + range.end));
        }
    }
}

/// Splits a word of the annex at each character of a script without spaces; marks stay with the character before them.
fn cut_unspaced(word: &str, mut emit: impl FnMut(Range<usize>)) {
    let mut start = 0;
    let mut alone = false;
    for (offset, character) in word.char_indices() {
        let own = is_unspaced(character) && !is_mark(character);
        if offset > start && (own || alone && !is_mark(character)) {
            emit_if_word(word, start..offset, &mut emit);
            start = offset;
        }
        if offset == start {
            alone = own;
        }
    }
    emit_if_word(word, start..word.len(), &mut emit);
}

/// Emits a range of a word if it has a letter or digit.
fn emit_if_word(word: &str, range: Range<usize>, emit: &mut impl FnMut(Range<usize>)) {
    if word[range.clone()].chars().any(char::is_alphanumeric) {
        emit(range);
    }
}

/// Returns whether a character is a combining mark or one of the two zero-width signs that control the joining of
/// letters.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}') || unicode_normalization::char::is_combining_mark(character)
}

/// Returns whether a character belongs to a script without spaces between words.
fn is_unspaced(character: char) -> bool {
    const SCRIPTS: [Script; 7] =
        [Script::Han, Script::Hiragana, Script::Katakana, Script::Thai, Script::Lao, Script::Khmer, Script::Myanmar];
    // The lowest character of these scripts is Thai. Script extensions cover signs that several scripts share, such as
    // the long vowel ー.
    character >= '\u{e00}' && {
        let extension = character.script_extension();
        !extension.is_common()
            && !extension.is_inherited()
            && SCRIPTS.iter().any(|&script| extension.contains_script(script))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
