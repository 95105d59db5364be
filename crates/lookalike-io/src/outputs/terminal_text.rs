//! Text on its way to a terminal, which it must not control: ids and texts of strangers stand in rows.
//!
//! A control character or a mark of direction is written as `\u0085`, which in a row of JSON is the same string. Files
//! and pipes get all characters as they are.

use crate::base::controls_terminal;
use std::io::{self, Write};

/// Writes text with the characters escaped that would control a terminal.
#[derive(Debug)]
pub(super) struct TerminalText<W> {
    inner: W,
    /// The bytes of a character that has not come as a whole.
    held: Vec<u8>,
}

impl<W: Write> TerminalText<W> {
    pub(super) fn new(inner: W) -> Self {
        Self { inner, held: Vec::new() }
    }
}

/// Returns whether these bytes begin a character and are too few for it.
fn is_begun(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

impl<W: Write> Write for TerminalText<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.held);
        all.extend_from_slice(bytes);
        let mut text = String::with_capacity(all.len());
        let mut chunks = all.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            for character in chunk.valid().chars() {
                match character {
                    '\n' | '\r' | '\t' => text.push(character),
                    _ if controls_terminal(character) => text.push_str(&format!("\\u{:04x}", u32::from(character))),
                    _ => text.push(character),
                }
            }
            let is_last = chunks.peek().is_none();
            match chunk.invalid() {
                [] => {}
                begun if is_last && is_begun(begun) => self.held = begun.to_vec(),
                _ => text.push(char::REPLACEMENT_CHARACTER),
            }
        }
        self.inner.write_all(text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(pieces: &[&[u8]]) -> String {
        let mut bytes = Vec::new();
        let mut text = TerminalText::new(&mut bytes);
        pieces.iter().for_each(|piece| text.write_all(piece).unwrap());
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn what_controls_a_terminal_is_escaped() {
        let row = "{\"id\":\"a\u{85}b\u{7f}c\u{9b}2Jd\u{202e}e\u{2066}f\u{200f}g\",\"text\":\"né 漢 😀\"}\r\n\t";
        let shown = written(&[row.as_bytes()]);
        let expected = "{\"id\":\"a\\u0085b\\u007fc\\u009b2Jd\\u202ee\\u2066f\\u200fg\",\"text\":\"né 漢 😀\"}\r\n\t";
        assert_eq!(shown, expected);
        let strings: [serde_json::Value; 2] = [row, &shown].map(|row| serde_json::from_str(row.trim()).unwrap());
        assert_eq!(strings[0], strings[1]);
        assert_eq!(written(&[b"id,\x1b[2J\n"]), "id,\\u001b[2J\n");
    }

    #[test]
    fn characters_may_come_in_pieces() {
        let text = "é\u{85}漢😀\u{202e}.".as_bytes();
        let whole = written(&[text]);
        let bytes: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(written(&bytes), whole);
        assert_eq!(written(&[b"a\xffb\xc3", b"."]), "a\u{fffd}b\u{fffd}.");
    }
}
