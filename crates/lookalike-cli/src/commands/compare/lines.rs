//! Parts of texts on one line, and notes on what is left out of an answer.

use lookalike::doors::escaped;
use std::fmt::Display;

/// The way to all of an answer, of which a terminal shows the first entries.
pub(super) const ALL_IN_JSON: &str = "(--format json has all)";

/// The note that entries are left out: their number and noun.
pub(super) fn omitted(entries: impl Display) -> String {
    format!("... and {entries} {ALL_IN_JSON}")
}

/// The beginning of a text on one line, up to this number of characters.
pub(super) fn beginning_on_one_line(text: &str, max_characters: usize) -> String {
    let line = on_one_line(text);
    match line.char_indices().nth(max_characters) {
        None => escaped(&line),
        Some((end, _)) => escaped(&line[..end]) + " [...]",
    }
}

/// Both ends of a text on one line, together up to this number of characters.
pub(super) fn ends_on_one_line(text: &str, max_characters: usize) -> String {
    let line = on_one_line(text);
    let characters: Vec<char> = line.chars().collect();
    if characters.len() <= max_characters {
        return escaped(&line);
    }
    let end = |part: &[char]| escaped(part.iter().collect::<String>().trim());
    let half = max_characters / 2;
    format!("{} [...] {}", end(&characters[..half]), end(&characters[characters.len() - half..]))
}

/// The words of a text with a blank between them.
pub(super) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
