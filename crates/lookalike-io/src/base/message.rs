//! Ids and names from files, made fit for messages: a message is one line and must not control the terminal.

/// An id as messages show it: control characters escaped, cut after 80 characters.
pub fn shown(id: &str) -> String {
    cut_after(80, id)
}

/// One of many names in a message, cut after 30 characters.
pub(super) fn shown_short(name: &str) -> String {
    cut_after(30, name)
}

fn cut_after(characters: usize, text: &str) -> String {
    let cut = text.char_indices().nth(characters).map_or(text, |(at, _)| &text[..at]);
    let dots = if cut.len() < text.len() { "..." } else { "" };
    escaped(cut) + dots
}

/// The text with the characters escaped that would control the terminal, turn the direction of what follows, or are
/// none (U+FFFE, U+FFFF).
pub fn escaped(text: &str) -> String {
    let is_escaped = |c: char| controls_terminal(c) || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().flat_map(|c| if is_escaped(c) { c.escape_default().collect() } else { vec![c] }).collect()
}

/// Returns whether a character controls a terminal, or the direction of what follows (Bidi_Control).
pub(crate) fn controls_terminal(character: char) -> bool {
    let is_bidi_control = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    character.is_control() || is_bidi_control
}
