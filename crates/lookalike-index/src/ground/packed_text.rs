//! Texts as an index keeps them: compressed one by one, so that each can be read alone.

/// A text, compressed by Zstandard; nothing for an empty one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackedText(Vec<u8>);

/// Level of compression: the library's own choice.
const LEVEL: i32 = 0;

impl PackedText {
    /// Compresses a text.
    ///
    /// ```
    /// use lookalike_index::PackedText;
    ///
    /// let packed = PackedText::of("la la la la la la la la la la la la");
    /// assert_eq!(packed.unpack().as_deref(), Some("la la la la la la la la la la la la"));
    /// assert_eq!(PackedText::of("").unpack().as_deref(), Some(""));
    /// ```
    pub fn of(text: &str) -> Self {
        if text.is_empty() {
            return Self::default();
        }
        Self(zstd::bulk::compress(text.as_bytes(), LEVEL).unwrap_or_default())
    }

    /// The text that has these bytes, which are not looked into.
    pub fn of_packed(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text; `None` if the bytes are none.
    pub fn unpack(&self) -> Option<String> {
        unpack_text(&self.0)
    }
}

/// The text that was compressed; `None` if the bytes are none.
pub(crate) fn unpack_text(packed: &[u8]) -> Option<String> {
    let bytes = if packed.is_empty() { Vec::new() } else { zstd::stream::decode_all(packed).ok()? };
    String::from_utf8(bytes).ok()
}
