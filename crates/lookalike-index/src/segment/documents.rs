//! What a segment is made of.

use super::facts::Facts;
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
    /// Its elements and counts; `buffer` holds them if they do not lie in memory as they are.
    ///
    /// # Errors
    /// If it cannot be read.
    fn set<'s>(&'s self, document: usize, buffer: &'s mut SetBuffer) -> Result<(&'s [u64], &'s [u32])>;
    /// What is known of it beside its elements.
    fn facts(&self, document: usize) -> Facts;
    /// What travels along, as JSON.
    fn fields(&self, document: usize) -> &[u8];
    /// Its text, compressed.
    fn text(&self, document: usize) -> Vec<u8>;
    /// Is told now and then that so many more were written, perhaps none.
    ///
    /// # Errors
    /// [`crate::Error::Stopped`] stops the writing.
    fn advance(&self, _documents: usize) -> Result<()> {
        Ok(())
    }
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

    fn set<'s>(&'s self, document: usize, _: &'s mut SetBuffer) -> Result<(&'s [u64], &'s [u32])> {
        let Document { elements, counts, .. } = &self[document];
        Ok((elements, counts))
    }

    fn facts(&self, document: usize) -> Facts {
        let Document { text_hash, characters, expires, .. } = self[document];
        Facts::new(text_hash, characters, expires)
    }

    fn fields(&self, document: usize) -> &[u8] {
        self[document].fields.as_bytes()
    }

    fn text(&self, document: usize) -> Vec<u8> {
        self[document].text.as_bytes().to_vec()
    }
}
