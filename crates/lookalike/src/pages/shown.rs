//! Texts, ids, shares and places, made fit for a page.

use crate::base::{Error, Result};
use askama::Template;
use lookalike_core::counted;
use lookalike_io::base::escaped;

/// The markup of a template.
pub(super) fn render(template: &impl Template) -> Result<String> {
    template.render().map_err(|reason| Error::NoPage { reason: reason.to_string() })
}

/// The text with its line breaks and tabs, and with all other characters escaped that control a page or turn the
/// direction of what follows. Templates escape markup.
pub(crate) fn visible(text: &str) -> String {
    let line = |line: &str| line.split('\t').map(escaped).collect::<Vec<_>>().join("\t");
    text.split('\n').map(|text| line(text.strip_suffix('\r').unwrap_or(text))).collect::<Vec<_>>().join("\n")
}

/// Characters of an id that are shown.
const MAX_ID_CHARACTERS: usize = 300;
/// Characters of a part of a text that are shown.
const PART_CHARACTERS: usize = 500;

/// The beginning of a part of a text, as a page may show it.
pub(crate) fn shown_part(part: &str) -> String {
    let shown: String = part.chars().take(PART_CHARACTERS).collect();
    let end = if shown.len() < part.len() { " [...]" } else { "" };
    shown.split('\n').map(escaped).collect::<Vec<_>>().join("\n") + end
}

/// The first `characters` of a text, cut at the end of a word unless that is far from there.
pub(crate) fn beginning(text: &str, characters: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(characters) else { return text };
    let end_of_word = text[..end].rfind(char::is_whitespace).filter(|&at| at > end / 2);
    &text[..end_of_word.unwrap_or(end)]
}

/// The last `characters` of a text, cut at the begin of a word unless that is far from there.
pub(crate) fn ending(text: &str, characters: usize) -> &str {
    let Some((at, _)) = text.char_indices().rev().nth(characters) else { return text };
    let cut = &text[at..];
    let begin_of_word = cut.find(char::is_whitespace).filter(|&skipped| skipped < cut.len() / 2);
    &cut[begin_of_word.unwrap_or_else(|| cut.chars().next().map_or(0, char::len_utf8))..]
}

/// The longest beginning of a text that has at most `max_bytes`.
pub(crate) fn beginning_bytes(text: &str, max_bytes: usize) -> &str {
    let end = (0..=max_bytes.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or_default()]
}

/// An id as pages show it: whole, unless it is longer than any that a person reads.
pub(crate) fn shown_id(id: &str) -> String {
    match id.char_indices().nth(MAX_ID_CHARACTERS) {
        Some((end, _)) => escaped(&id[..end]) + "...",
        None => escaped(id),
    }
}

/// A share in percent, rounded as [`lookalike_core::percent`] does.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    lookalike_core::percent(part as f64 / whole.max(1) as f64)
}

/// The length of a passage, and its first and last lines here and there.
pub(crate) fn passage_about(tokens: u64, here: [u64; 2], there: [u64; 2]) -> String {
    format!("{}: {}, there {}", counted(tokens, "token"), lines(here), lines(there))
}

fn lines([line, end_line]: [u64; 2]) -> String {
    if line == end_line { format!("line {line}") } else { format!("lines {line} to {end_line}") }
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
        assert_eq!(beginning("one two three", 9), "one two");
        assert_eq!(beginning("one two", 9), "one two");
        assert_eq!(beginning("漢字漢字漢字", 4), "漢字漢字");
        assert_eq!(ending("one two three", 9), " two three");
        assert_eq!(ending("漢字漢字漢字", 4), "漢字漢字");
    }
}
