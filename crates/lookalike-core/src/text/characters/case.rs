//! Case folding (Unicode Standard 3.13, full: CaseFolding.txt, status C and F), by icu_casemap: the folding of a letter
//! never depends on its neighbours, so a final sigma is a sigma, and ß is ss.

use icu_casemap::{CaseMapper, CaseMapperBorrowed};
use std::fmt;
use writeable::Writeable;

const CASES: CaseMapperBorrowed<'static> = CaseMapper::new();

/// Appends a text in folded case.
pub(in crate::text) fn push_folded(text: &str, folded: &mut String) {
    // Writing to a string cannot fail.
    let _ = CASES.fold(text).write_to(folded);
}

/// Appends a character in folded case.
pub(in crate::text) fn push_folded_character(character: char, folded: &mut String) {
    match character {
        _ if character.is_ascii() => folded.push(character.to_ascii_lowercase()),
        _ => push_folded(character.encode_utf8(&mut [0; 4]), folded),
    }
}

/// The folded case of a character where it takes as many bytes in UTF-8, of which the first ones count.
pub(in crate::text) fn folded_in_place(character: char) -> Option<[u8; 4]> {
    let mut folded = Utf8::default();
    CASES.fold(character.encode_utf8(&mut [0; 4])).write_to(&mut folded).ok()?;
    (folded.length == character.len_utf8()).then_some(folded.bytes)
}

/// The last character of a character in folded case.
pub(in crate::text) fn last_of_folded(character: char) -> char {
    let mut folded = Utf8::default();
    let length = CASES.fold(character.encode_utf8(&mut [0; 4])).write_to(&mut folded).map_or(0, |()| folded.length);
    std::str::from_utf8(&folded.bytes[..length]).ok().and_then(|text| text.chars().next_back()).unwrap_or(character)
}

/// A text of at most four bytes.
#[derive(Default)]
struct Utf8 {
    bytes: [u8; 4],
    length: usize,
}

impl fmt::Write for Utf8 {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        self.bytes.get_mut(self.length..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_folded_in_full() {
        for (text, expected) in [("STRASSE", "strasse"), ("Straße", "strasse"), ("ΟΔΟΣ οδος", "οδοσ οδοσ"), ("ꭰ", "Ꭰ")]
        {
            let mut folded = String::new();
            push_folded(text, &mut folded);
            assert_eq!(folded, expected);
            folded.clear();
            text.chars().for_each(|character| push_folded_character(character, &mut folded));
            assert_eq!(folded, expected);
        }
    }

    #[test]
    fn what_grows_or_shrinks_is_not_folded_in_place() {
        let folded = |character| folded_in_place(character);
        assert_eq!(folded('É'), Some(*b"\xc3\xa9\0\0"));
        assert_eq!(folded('ß'), Some(*b"ss\0\0"));
        assert_eq!("ẞſİΐᾳ".chars().find_map(folded), None);
    }
}
