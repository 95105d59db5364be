//! Lines of JSON as the elements of one array.
//!
//! ```text
//! {"id":1}\n           [\n{"id":1}
//! \n              ->   ,\n{"id":2}
//! {"id":2}\n           \n]\n
//! ```
//!
//! In JSON a line break stands between values only, so nothing has to be parsed. Blank lines are left out.

use std::io::{self, Write};

/// Writes lines to `W` as the elements of an array.
#[derive(Debug)]
pub(super) struct ArrayOfLines {
    has_elements: bool,
    /// True if something of the current line was written.
    is_in_element: bool,
}

impl ArrayOfLines {
    /// No line yet.
    pub(super) fn new() -> Self {
        Self { has_elements: false, is_in_element: false }
    }

    /// Writes bytes of lines, which may begin and end anywhere.
    ///
    /// # Errors
    /// Those of `out`.
    pub(super) fn write(&mut self, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let content = line.strip_suffix(b"\n").unwrap_or(line);
            if !self.is_in_element && !content.trim_ascii().is_empty() {
                out.write_all(if self.has_elements { b",\n" } else { b"[\n" })?;
                self.has_elements = true;
                self.is_in_element = true;
            }
            if self.is_in_element {
                out.write_all(content.strip_suffix(b"\r").unwrap_or(content))?;
            }
            self.is_in_element &= content.len() == line.len();
        }
        Ok(())
    }

    /// Ends the array.
    ///
    /// # Errors
    /// Those of `out`.
    pub(super) fn end(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(if self.has_elements { b"\n]\n" } else { b"[\n]\n" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert_eq, proptest};

    fn array_of(pieces: &[&[u8]]) -> String {
        let mut array = ArrayOfLines::new();
        let mut out = Vec::new();
        pieces.iter().for_each(|piece| array.write(piece, &mut out).unwrap());
        array.end(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_become_elements() {
        assert_eq!(array_of(&[]), "[\n]\n");
        assert_eq!(array_of(&[b"{}"]), "[\n{}\n]\n");
        assert_eq!(
            array_of(&[b"{\"a\": 1}\r\n", b"\n \n", b"{\"b\"", b": ", b"2}", b"\n{}\n"]),
            "[\n{\"a\": 1},\n{\"b\": 2},\n{}\n]\n"
        );
    }

    proptest! {
        #[test]
        fn pieces_of_any_size_make_the_same_array(
            lines in proptest::collection::vec(0..9u64, 0..9),
            size in 1..7usize,
        ) {
            let text: String = lines.iter().map(|number| format!("{{\"n\": {number}}}\n")).collect();
            let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            let whole = array_of(&[text.as_bytes()]);
            prop_assert_eq!(array_of(&pieces), whole.clone());
            let read: Vec<serde_json::Value> = serde_json::from_str(&whole).unwrap();
            prop_assert_eq!(read.iter().map(|element| element["n"].as_u64().unwrap()).collect::<Vec<_>>(), lines);
        }
    }
}
