//! Documents of which a segment is made, and the facts that it keeps of each beside the elements.

use crate::base::{IndexDocument, PackedText, Result, SetBuffer};
use bytemuck::{Pod, Zeroable};
use lookalike_core::documents::TextHash;
use xxhash_rust::xxh3::Xxh3Default;

/// Documents that become a segment, by number.
pub trait Documents: Sync {
    /// Number of documents.
    fn len(&self) -> usize;
    /// Returns whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The name of a document.
    fn id(&self, document: usize) -> &str;
    /// Number of its elements.
    fn size(&self, document: usize) -> usize;
    /// Elements and counts of a document; `buffer` holds them if they do not lie in memory as they are.
    ///
    /// # Errors
    /// If it cannot be read.
    fn set<'s>(&'s self, document: usize, buffer: &'s mut SetBuffer) -> Result<(&'s [u64], &'s [u32])>;
    /// Facts of the document beside its elements.
    fn facts(&self, document: usize) -> Facts;
    /// Stored fields, as JSON.
    fn fields(&self, document: usize) -> &[u8];
    /// Text of a document, compressed.
    fn text(&self, document: usize) -> Vec<u8>;
    /// The whole document, to be put into another index.
    ///
    /// # Errors
    /// If it cannot be read.
    fn document(&self, document: usize) -> Result<IndexDocument> {
        let facts = self.facts(document);
        let mut buffer = SetBuffer::default();
        let (elements, counts) = self.set(document, &mut buffer)?;
        Ok(IndexDocument {
            id: self.id(document).to_owned(),
            elements: elements.to_vec(),
            counts: counts.to_vec(),
            text_hash: facts.text_hash,
            characters: facts.characters,
            expires: facts.expires(),
            fields: String::from_utf8_lossy(self.fields(document)).into_owned(),
            text: PackedText::from_packed(self.text(document)),
        })
    }
    /// Called now and then with the number of documents that were written since, perhaps 0.
    ///
    /// # Errors
    /// [`crate::Error::Stopped`] stops the writing.
    fn advance(&self, _documents: usize) -> Result<()> {
        Ok(())
    }
}

impl Documents for Vec<IndexDocument> {
    fn len(&self) -> usize {
        Self::len(self)
    }

    fn id(&self, document: usize) -> &str {
        &self[document].id
    }

    fn size(&self, document: usize) -> usize {
        self[document].elements.len()
    }

    fn set<'s>(&'s self, document: usize, _: &'s mut SetBuffer) -> Result<(&'s [u64], &'s [u32])> {
        let IndexDocument { elements, counts, .. } = &self[document];
        Ok((elements, counts))
    }

    fn facts(&self, document: usize) -> Facts {
        let IndexDocument { text_hash, characters, expires, .. } = self[document];
        Facts::new(text_hash, characters, expires)
    }

    fn fields(&self, document: usize) -> &[u8] {
        self[document].fields.as_bytes()
    }

    fn text(&self, document: usize) -> Vec<u8> {
        self[document].text.as_bytes().to_vec()
    }
}

/// Facts of a document beside its elements.
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
    /// Facts of a text, and the second since 1970 from which on the document is no more there.
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

/// Checksum of the id, packed set and counts of a document.
pub(super) fn checksum_of(id: &str, packed: &[u8], counts: &[u32]) -> u64 {
    let mut hash = Xxh3Default::new();
    hash.update(packed);
    hash.update(bytemuck::cast_slice(counts));
    hash.update(id.as_bytes());
    hash.digest()
}
