//! The encoding of texts and tables, as the user names it. Encodings are never guessed: a wrong guess would corrupt
//! words unnoticed.

use crate::base::Problem;
use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::str::FromStr;

/// An encoding of the Encoding Standard, by any of its labels: `windows-1252`, `latin1`, `shift_jis`, `utf-16le`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TextEncoding(&'static Encoding);

impl FromStr for TextEncoding {
    type Err = String;

    fn from_str(label: &str) -> Result<Self, String> {
        // Other programs write `latin-1` and `utf_8` for labels without separators.
        let plain = label.replace(['-', '_'], "");
        let found = Encoding::for_label(label.as_bytes()).or_else(|| Encoding::for_label(plain.as_bytes()));
        let found = found.filter(|&found| found != REPLACEMENT);
        found.map(Self).ok_or_else(|| "expected an encoding, as windows-1252 or shift_jis".to_owned())
    }
}

impl TryFrom<String> for TextEncoding {
    type Error = String;

    fn try_from(label: String) -> Result<Self, String> {
        label.parse()
    }
}

impl From<TextEncoding> for String {
    fn from(encoding: TextEncoding) -> Self {
        encoding.name().to_owned()
    }
}

impl TextEncoding {
    /// The name in messages.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Returns whether files of JSON, columns and WARC, which are UTF-8 always, are in it.
    pub fn is_utf8(self) -> bool {
        self.0 == UTF_8
    }

    /// Returns whether a table in it can be cut into rows and fields byte by byte: `delimiter`, quotes and line ends
    /// are those of ASCII, and no part of another character. UTF-16 is not of this kind; nor are, where bars separate,
    /// Shift_JIS, Big5 and GBK, which have the byte of a bar inside of characters.
    pub(crate) fn can_be_cut(self, delimiter: u8) -> bool {
        let is_alone = delimiter != b'|' || self.0.is_single_byte() || self.0 == UTF_8;
        self.0.is_ascii_compatible() && is_alone
    }

    /// The text of these bytes.
    pub(crate) fn decode(self, bytes: &[u8]) -> Result<Cow<'_, str>, Problem> {
        let text = self.0.decode_without_bom_handling_and_without_replacement(bytes);
        text.ok_or(Problem::NotInEncoding { encoding: self.name() })
    }

    /// The bytes of a text.
    pub(crate) fn encode(self, text: &str) -> Vec<u8> {
        match self.0 {
            encoding if encoding == UTF_16LE => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            encoding if encoding == UTF_16BE => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            // Characters that the encoding cannot express were not decoded by it either.
            encoding => encoding.encode(text).0.into_owned(),
        }
    }
}

/// The bytes of a text file with another text, in the encoding of `before`, which its byte order mark or
/// `encoding` tells.
pub(crate) fn encode_text(text: &str, before: &[u8], encoding: Option<TextEncoding>) -> Vec<u8> {
    match (Encoding::for_bom(before), encoding) {
        (Some((found, length)), _) => [&before[..length], &TextEncoding(found).encode(text)].concat(),
        (None, Some(encoding)) => encoding.encode(text),
        (None, None) => text.as_bytes().to_vec(),
    }
}

/// The name of UTF-16 in the order of bytes that the mark at the beginning of a file tells; `None` without such a mark.
pub(crate) fn utf16_mark(head: &[u8]) -> Option<&'static str> {
    let (encoding, _) = Encoding::for_bom(head)?;
    (encoding != UTF_8).then(|| encoding.name())
}

/// The text of a part of a table: in `encoding`, else in UTF-8.
pub(crate) fn decode_part(bytes: &[u8], encoding: Option<TextEncoding>) -> Result<Cow<'_, str>, Problem> {
    match encoding.filter(|encoding| encoding.0 != UTF_8) {
        Some(encoding) => encoding.decode(bytes),
        None => Problem::check_utf8(bytes).map(Cow::Borrowed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_known_by_their_labels() {
        let latin: TextEncoding = "latin1".parse().unwrap();
        assert_eq!((latin.name(), latin.decode(b"caf\xE9").unwrap()), ("windows-1252", "caf\u{e9}".into()));
        assert_eq!(serde_json::from_str::<TextEncoding>("\"Shift_JIS\"").unwrap().name(), "Shift_JIS");
        assert_eq!(serde_json::to_string(&latin).unwrap(), "\"windows-1252\"");
        for (label, name) in [("latin-1", "windows-1252"), ("cp-1252", "windows-1252"), ("UTF_8", "UTF-8")] {
            assert_eq!(label.parse::<TextEncoding>().unwrap().name(), name, "{label}");
        }
        assert!("latin-9000".parse::<TextEncoding>().is_err());
        let can_be_cut = |label: &str, delimiter| label.parse::<TextEncoding>().unwrap().can_be_cut(delimiter);
        assert!(!can_be_cut("utf-16", b','));
        assert!(can_be_cut("shift_jis", b',') && !can_be_cut("shift_jis", b'|') && can_be_cut("latin1", b'|'));
        let japanese: TextEncoding = "shift_jis".parse().unwrap();
        assert_eq!(japanese.decode(b"\x81"), Err(Problem::NotInEncoding { encoding: "Shift_JIS" }));
    }
}
