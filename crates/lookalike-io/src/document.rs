//! A document as it comes out of a reader.

use crate::error::Place;
use crate::record::Score;
use std::borrow::Cow;

/// Bytes of a record in its file; all of the file for a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub offset: u64,
    /// Number of bytes, the line end included.
    pub length: u64,
}

impl Span {
    /// Offset of the first byte behind it.
    pub fn end(self) -> u64 {
        self.offset + self.length
    }
}

/// Key and text of one document, and where they stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Document<'a> {
    /// The user's id: that of the record, or the relative path of a file, or file and line.
    pub key: Cow<'a, str>,
    /// The text.
    pub text: Cow<'a, str>,
    /// Value of the field that decides which copy is kept, if one was asked for and it is there.
    pub score: Option<Score>,
    /// File and line.
    pub place: Place,
    /// Number of the line (of the record, in WARC files) in its file, from 1; or of the file in its folder's list, from 0.
    pub number: u64,
    /// Where its bytes are.
    pub span: Span,
}
