//! Word boundaries.
//!
//! Plain text is cut by bit masks of its classes, 64 bytes at a time; other text by Unicode Standard Annex 29
//! (unicode-segmentation). Both agree on plain text, as property tests verify. In scripts without spaces between words,
//! finding word boundaries takes a dictionary: there each character, with its marks, is a token.

use crate::kernel::{AsciiBlocks, BLOCK, ByteClasses};
use std::ops::Range;
use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

/// Calls `emit` with the range of each word of a plain text that has been classified.
///
/// ```text
/// text     I t ' s   3 . 1 4 !        word bits: letters, digits, underscores, joiners of two letters or digits
/// word     1 1 1 1 0 1 1 1 1 0
/// edges    ^       ^ ^       ^        word XOR (word << 1), and starts of words directly after another
/// ```
pub(super) fn cut_plain(blocks: &AsciiBlocks, mut emit: impl FnMut(Range<usize>)) {
    let masks = &blocks.masks;
    let mut before = ByteClasses::default();
    // The last bit of the previous word mask, and the begin of a word that is not complete yet.
    let (mut carried, mut begin) = (0, 0);
    for (number, &here) in masks.iter().enumerate() {
        let after = masks.get(number + 1).copied().unwrap_or_default();
        let word = word_bits(before, here, after);
        let mut edges = word ^ (word << 1 | carried) | here.starts & word;
        let mut is_open = carried == 1;
        while edges != 0 {
            let bit = edges.trailing_zeros();
            let at = number * BLOCK + bit as usize;
            edges &= edges - 1;
            if is_open {
                emit_unless_underscores(&blocks.bytes, begin..at, &mut emit);
            }
            begin = at;
            is_open = word >> bit & 1 == 1;
        }
        carried = word >> (BLOCK - 1);
        before = here;
    }
    if carried == 1 {
        emit_unless_underscores(&blocks.bytes, begin..masks.len() * BLOCK, &mut emit);
    }
}

/// The mask of the bytes that belong to words: rules WB5 to WB13 of the annex, for plain text.
fn word_bits(before: ByteClasses, here: ByteClasses, after: ByteClasses) -> u64 {
    let joined = |joiners: u64, kind: fn(&ByteClasses) -> u64| {
        let from_left = kind(&here) << 1 | kind(&before) >> (BLOCK - 1);
        let from_right = kind(&here) >> 1 | kind(&after) << (BLOCK - 1);
        joiners & from_left & from_right
    };
    here.letters
        | here.digits
        | here.underscores
        | joined(here.between_letters, |classes| classes.letters)
        | joined(here.between_digits, |classes| classes.digits)
}

/// Emits a word unless it consists of underscores.
#[inline]
fn emit_unless_underscores(bytes: &[u8], word: Range<usize>, emit: &mut impl FnMut(Range<usize>)) {
    if bytes[word.start] != b'_'
        || bytes[word.clone()].iter().any(|&byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
    {
        emit(word);
    }
}

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

/// Whether a character is a combining mark or one of the two zero-width signs that control the joining of letters.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}') || unicode_normalization::char::is_combining_mark(character)
}

/// Whether a character belongs to a script without spaces between words.
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
    use crate::kernel::{Kernel, LetterCase};
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
        fn ascii_is_cut_as_unicode_is(text in "[a-c1-3_.:,;' \n\"-]{0,300}|[ -~]{0,200}") {
            for &kernel in Kernel::available() {
                let mut blocks = AsciiBlocks::default();
                kernel.classify_ascii(text.as_bytes(), LetterCase::AsIs, &mut blocks);
                let mut ascii = Vec::new();
                cut_plain(&blocks, |range| ascii.push(&text[range]));
                prop_assert_eq!(ascii, words(&text));
            }
        }
    }
}
