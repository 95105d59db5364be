//! A change of an index, and its bytes.

use crate::base::{IndexDocument, PackedText};
use lookalike_core::documents::TextHash;

/// A change of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A document comes, in place of one with the same id.
    Put(IndexDocument),
    /// The document with this id goes; nothing if there is none.
    Delete(String),
}

const PUT: u8 = 1;
const DELETE: u8 = 2;

impl Change {
    /// The document that comes, if one does.
    pub(crate) fn put(&self) -> Option<&IndexDocument> {
        match self {
            Self::Put(document) => Some(document),
            Self::Delete(_) => None,
        }
    }

    /// The id of the document that comes or goes.
    pub fn id(&self) -> &str {
        match self {
            Self::Put(document) => &document.id,
            Self::Delete(id) => id,
        }
    }

    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Put(IndexDocument { id, elements, counts, text_hash, characters, expires, fields, text }) => {
                bytes.push(PUT);
                put_bytes(bytes, id.as_bytes());
                put_bytes(bytes, bytemuck::cast_slice(elements));
                put_bytes(bytes, bytemuck::cast_slice(counts));
                bytes.extend_from_slice(bytemuck::bytes_of(text_hash));
                put_number(bytes, *characters);
                put_number(bytes, expires.unwrap_or(0));
                put_bytes(bytes, fields.as_bytes());
                put_bytes(bytes, text.as_bytes());
            }
            Self::Delete(id) => {
                bytes.push(DELETE);
                put_bytes(bytes, id.as_bytes());
            }
        }
    }

    /// The next change; `None` if the bytes are none.
    pub(super) fn read(bytes: &mut BytesReader<'_>) -> Option<Self> {
        match bytes.take(1)? {
            [PUT] => Some(Self::Put(IndexDocument {
                id: bytes.text()?,
                elements: bytes.numbers(u64::from_le_bytes)?,
                counts: bytes.numbers(u32::from_le_bytes)?,
                text_hash: bytemuck::pod_read_unaligned::<TextHash>(bytes.take(size_of::<TextHash>())?),
                characters: bytes.number()?,
                expires: bytes.number().map(|expires| (expires > 0).then_some(expires))?,
                fields: bytes.text()?,
                text: PackedText::from_packed(bytes.bytes()?.to_vec()),
            })),
            [DELETE] => Some(Self::Delete(bytes.text()?)),
            _ => None,
        }
    }
}

/// Appends a little-endian number.
fn put_number(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

/// Appends a string of bytes after its length.
fn put_bytes(bytes: &mut Vec<u8>, string: &[u8]) {
    put_number(bytes, string.len() as u64);
    bytes.extend_from_slice(string);
}

/// Reader of the numbers and strings of changes; `None` beyond the end.
#[derive(Debug, Clone, Copy)]
pub(super) struct BytesReader<'a>(pub(super) &'a [u8]);

impl<'a> BytesReader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        self.take(length)
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    /// Reads numbers of N bytes, after their number.
    fn numbers<const N: usize, T>(&mut self, read: impl Fn([u8; N]) -> T) -> Option<Vec<T>> {
        let bytes = self.bytes()?;
        bytes.len().is_multiple_of(N).then(|| bytes.as_chunks::<N>().0.iter().map(|&chunk| read(chunk)).collect())
    }
}
