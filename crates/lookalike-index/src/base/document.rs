//! Documents as they are put into an index; texts are compressed one by one, so that each can be read alone.

use super::{Error, Result};
use lookalike_core::documents::TextHash;

/// A document that is put into an index, in place of one with the same id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IndexDocument {
    /// Name, by which the document is deleted and replaced.
    pub id: String,
    /// Elements, strictly ascending.
    pub elements: Vec<u64>,
    /// Counts of the elements; empty if all are 1.
    pub counts: Vec<u32>,
    /// Hash of the text.
    pub text_hash: TextHash,
    /// Length of the text in characters.
    pub characters: u64,
    /// Expiry, in seconds since the beginning of 1970 (UTC).
    pub expires: Option<u64>,
    /// Stored fields, as one JSON object; empty for none.
    pub fields: String,
    /// Text of the document, if texts are stored.
    pub text: PackedText,
}

impl IndexDocument {
    /// A document of which only its elements, strictly ascending, are known.
    pub fn of_set(id: impl Into<String>, elements: Vec<u64>) -> Self {
        Self { id: id.into(), elements, ..Self::default() }
    }
}

/// Elements of a stored document, with their counts; empty if all are 1.
#[derive(Debug, Clone, Default)]
pub struct SetBuffer {
    /// Strictly ascending.
    pub elements: Vec<u64>,
    /// Counts by element.
    pub counts: Vec<u32>,
}

/// A text, compressed by Zstandard; nothing for an empty one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackedText(Vec<u8>);

/// Level of compression: the library's own choice.
const LEVEL: i32 = 0;

impl PackedText {
    /// Compresses a text.
    ///
    /// # Errors
    /// [`Error::NotCompressed`] if Zstandard refuses, which it does for want of memory.
    ///
    /// ```
    /// use lookalike_index::PackedText;
    ///
    /// let packed = PackedText::new("la la la la la la la la la la la la")?;
    /// assert_eq!(packed.unpack().as_deref(), Some("la la la la la la la la la la la la"));
    /// assert_eq!(PackedText::new("")?.unpack().as_deref(), Some(""));
    /// # Ok::<(), lookalike_index::Error>(())
    /// ```
    pub fn new(text: &str) -> Result<Self> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let compressed = zstd::bulk::compress(text.as_bytes(), LEVEL);
        compressed.map(Self).map_err(|source| Error::NotCompressed { source })
    }

    /// The text that has these compressed bytes, which are not checked.
    pub fn from_packed(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// Bytes of the packed text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text; `None` if the bytes are no compressed text.
    pub fn unpack(&self) -> Option<String> {
        unpack_text(&self.0)
    }
}

/// The text that was compressed; `None` if the bytes are none.
pub(crate) fn unpack_text(packed: &[u8]) -> Option<String> {
    let bytes = if packed.is_empty() { Vec::new() } else { zstd::stream::decode_all(packed).ok()? };
    String::from_utf8(bytes).ok()
}
