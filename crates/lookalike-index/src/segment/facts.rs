//! What a segment keeps of each document beside its elements.

use bytemuck::{Pod, Zeroable};
use lookalike_core::documents::TextHash;
use xxhash_rust::xxh3::Xxh3Default;

/// What is known of a document beside its elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Facts {
    /// The hash of its text.
    pub text_hash: TextHash,
    /// Length of its text in characters.
    pub characters: u64,
    /// The second since 1970 from which on it is no more there; 0 for never.
    pub(crate) expires: u64,
    /// Checksum of its packed set and counts.
    pub(crate) checksum: u64,
}

impl Facts {
    /// Of a text, and the second since 1970 from which on the document is no more there.
    pub fn new(text_hash: TextHash, characters: u64, expires: Option<u64>) -> Self {
        Self { text_hash, characters, expires: expires.unwrap_or(0), checksum: 0 }
    }

    /// The second since 1970 from which on the document is no more there.
    pub fn expires(&self) -> Option<u64> {
        (self.expires > 0).then_some(self.expires)
    }

    pub(crate) fn is_expired(&self, now: u64) -> bool {
        self.expires > 0 && self.expires <= now
    }
}

/// Of a document: its id, packed set and counts.
pub(super) fn checksum_of(id: &str, packed: &[u8], counts: &[u32]) -> u64 {
    let mut hash = Xxh3Default::new();
    hash.update(packed);
    hash.update(bytemuck::cast_slice(counts));
    hash.update(id.as_bytes());
    hash.digest()
}
