//! Texts of documents, made fit for a page.

use lookalike_io::escaped;

/// The text with its line breaks and tabs, and with all other characters escaped that control a page or turn the
/// direction of what follows. Templates escape markup.
pub(super) fn visible(text: &str) -> String {
    let line = |line: &str| line.split('\t').map(escaped).collect::<Vec<_>>().join("\t");
    text.split('\n').map(|text| line(text.strip_suffix('\r').unwrap_or(text))).collect::<Vec<_>>().join("\n")
}

/// The beginning of a text up to so many characters, where a word ends if one does near there, and whether it is all.
pub(super) fn beginning(text: &str, characters: usize) -> (&str, bool) {
    match text.char_indices().nth(characters) {
        None => (text, true),
        Some((end, _)) => (at_a_word(&text[..end], |cut| cut.rfind(char::is_whitespace)), false),
    }
}

/// The end of a text, as [`beginning`].
pub(super) fn ending(text: &str, characters: usize) -> (&str, bool) {
    match text.char_indices().rev().nth(characters) {
        None => (text, true),
        Some((at, _)) => {
            let cut = &text[at..];
            let skipped = cut.find(char::is_whitespace).filter(|&skipped| skipped < cut.len() / 2);
            (&cut[skipped.unwrap_or_else(|| cut.chars().next().map_or(0, char::len_utf8))..], false)
        }
    }
}

/// A text cut at a word end that is not too far from its own end.
fn at_a_word(text: &str, end_of_word: impl Fn(&str) -> Option<usize>) -> &str {
    match end_of_word(text).filter(|&end| end > text.len() / 2) {
        Some(end) => &text[..end],
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_shown_and_lines_are_kept() {
        assert_eq!(visible("a\tb\r\nc\u{1b}[1m\u{202e}"), "a\tb\nc\\u{1b}[1m\\u{202e}");
    }

    #[test]
    fn long_texts_are_cut_between_words() {
        assert_eq!(beginning("one two three", 9), ("one two", false));
        assert_eq!(beginning("one two", 9), ("one two", true));
        assert_eq!(beginning("漢字漢字漢字", 4), ("漢字漢字", false));
        assert_eq!(ending("one two three", 9), (" two three", false));
        assert_eq!(ending("漢字漢字漢字", 4).0, "漢字漢字");
    }
}
