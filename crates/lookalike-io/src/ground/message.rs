//! Ids and names from files, made fit for messages: a message is one line and must not control the terminal.

/// An id as messages show it: control characters escaped, cut after 80 characters.
pub fn shown(id: &str) -> String {
    const MAX_CHARACTERS: usize = 80;
    let cut = id.char_indices().nth(MAX_CHARACTERS).map_or(id, |(at, _)| &id[..at]);
    let dots = if cut.len() < id.len() { "..." } else { "" };
    escaped(cut) + dots
}

/// The text with its control characters escaped.
pub(super) fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}
