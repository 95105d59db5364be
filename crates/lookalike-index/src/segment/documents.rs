//! What a segment is made of.

use super::facts::{Facts, pack_text};
use crate::ground::{Document, Result, SetBuffer};

/// Documents that become a segment, by number.
pub trait Documents: Sync {
    /// Number of documents.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The name of a document.
    fn id(&self, document: usize) -> &str;
    /// Number of its elements.
    fn size(&self, document: usize) -> usize;
    /// Puts its elements and counts in place of those of `set`.
    ///
    /// # Errors
    /// If it cannot be read.
    fn read_set(&self, document: usize, set: &mut SetBuffer) -> Result<()>;
    /// What is known of it beside its elements.
    fn facts(&self, document: usize) -> Facts;
    /// What travels along, as JSON.
    fn fields(&self, document: usize) -> &[u8];
    /// Its text, compressed.
    fn text(&self, document: usize) -> Vec<u8>;
}

impl Documents for Vec<Document> {
    fn len(&self) -> usize {
        Self::len(self)
    }

    fn id(&self, document: usize) -> &str {
        &self[document].id
    }

    fn size(&self, document: usize) -> usize {
        self[document].elements.len()
    }

    fn read_set(&self, document: usize, set: &mut SetBuffer) -> Result<()> {
        let Document { elements, counts, .. } = &self[document];
        set.elements.clone_from(elements);
        set.counts.clone_from(counts);
        Ok(())
    }

    fn facts(&self, document: usize) -> Facts {
        let Document { text_hash, characters, expires, .. } = self[document];
        Facts::new(text_hash, characters, expires)
    }

    fn fields(&self, document: usize) -> &[u8] {
        self[document].fields.as_bytes()
    }

    fn text(&self, document: usize) -> Vec<u8> {
        pack_text(&self[document].text)
    }
}
