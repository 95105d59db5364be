//! Texts, items and vectors that programs give, as an index stores them.

use super::question::Query;
use crate::base::{Error, Result};
use crate::corpus::notation_of;
use lookalike_core::comparison::{Extractor, Features};
use lookalike_core::documents::{Bits, Content, ElementSets};
use lookalike_core::kernel::Kernel;
use lookalike_core::{ContentKind, DocId, Error as CoreError};
use lookalike_index::{IndexDocument, PackedText, Settings};
use lookalike_io::{
    Problem,
    base::Extracted,
    read::compared_content,
    sources::{GivenVectors, ItemCounts, items_of_list, vector_of_numbers},
};

/// Content of a document that is compared, as a program gives it.
#[derive(Debug, Clone, PartialEq)]
pub enum RawContent {
    /// A text; of an index of fingerprints, the digits of one.
    Text(String),
    /// Items, of which none is looked into; one that occurs twice counts twice where copies count. Of an index that was
    /// made of items with counts each is `ITEM:COUNT`.
    Items(Vec<String>),
    /// The components of a vector.
    Vector(Vec<f64>),
}

/// A document that is to be put into an index.
#[derive(Debug, Clone)]
pub struct NewDocument {
    /// Its name.
    pub id: String,
    /// Content that is compared.
    pub content: RawContent,
    /// Fields that the index stores, as one JSON object; empty for none.
    pub fields: String,
    /// The second, since the beginning of 1970 (UTC), from which on it is no more there.
    pub expires: Option<u64>,
}

/// Turns contents into what an index stores of them. Owns reusable buffers: create one per thread.
#[derive(Debug, Clone)]
pub struct DocumentMaker {
    features: Features,
    vectors: GivenVectors,
    /// `None` where this program does not know how documents are written.
    item_counts: Option<ItemCounts>,
    stores_texts: bool,
    extractor: Extractor,
    sets: ElementSets,
}

impl DocumentMaker {
    /// Maker of documents for an index with these settings.
    pub fn new(settings: &Settings) -> Self {
        let extractor = settings.features.extractor(Kernel::detect());
        let features = settings.features.clone();
        let vectors = GivenVectors::compared_by(settings.measure);
        let item_counts = notation_of(settings).ok().map(|notation| notation.item_counts);
        Self { features, vectors, item_counts, stores_texts: settings.texts, extractor, sets: ElementSets::new() }
    }

    /// The document as the index stores it.
    ///
    /// # Errors
    /// [`Error::OtherContent`] for items where texts are stored, and the other way round, and so on; for a text that is
    /// no fingerprint, where these are stored; for an item with U+0000; [`Error::WrongVector`];
    /// [`Error::WrongItem`].
    pub fn document(&mut self, given: NewDocument) -> Result<IndexDocument> {
        let NewDocument { id, content, fields, expires } = given;
        let stores_texts = self.stores_texts;
        let content = self.content_of(&content)?;
        let Query { elements, counts, text_hash } = self.make(content.borrowed())?;
        let text = if stores_texts { PackedText::new(&content.stored())? } else { PackedText::default() };
        Ok(IndexDocument {
            id,
            elements: elements.to_vec(),
            counts: counts.to_vec(),
            text_hash,
            characters: content.characters(),
            expires,
            fields,
            text,
        })
    }

    /// The content as documents that are read have it.
    pub(super) fn content_of<'c>(&self, given: &'c RawContent) -> Result<Content<'c>> {
        let expected = match &self.features {
            Features::Vector => ContentKind::Vector,
            features if features.are_of_items() => ContentKind::Items,
            // Fingerprints are given by their digits.
            _ => ContentKind::Text,
        };
        let found = match given {
            RawContent::Text(_) => ContentKind::Text,
            RawContent::Items(_) => ContentKind::Items,
            RawContent::Vector(_) => ContentKind::Vector,
        };
        if found != expected {
            return Err(Error::OtherContent { expected, found });
        }
        match (given, &self.features) {
            (RawContent::Vector(components), _) => {
                vector_of_numbers(components, self.vectors).map_err(|problem| Error::WrongVector { problem })
            }
            (RawContent::Items(items), _) => {
                let counts = self.item_counts.ok_or(Error::UnknownNotation)?;
                items_of_list(items, counts).map(Content::Items).map_err(|problem| match problem {
                    Problem::NulInItem => Error::ItemEnd,
                    problem => Error::WrongItem { problem },
                })
            }
            (RawContent::Text(digits), Features::Bits { width }) => {
                Ok(Content::Bits(Bits::parse(digits, *width).map_err(CoreError::from)?))
            }
            (RawContent::Text(text), _) => Ok(text.into()),
        }
    }

    /// The elements of a content.
    pub(super) fn make(&mut self, content: Content<'_>) -> Result<Query<'_>> {
        let Self { features, extractor, sets, .. } = self;
        sets.clear();
        let content = compared_content(content, features.text());
        let Extracted { text_hash, .. } = content.extract(extractor, sets)?;
        let document = DocId(0);
        Ok(Query { elements: sets.get(document).elements(), counts: sets.weights(document), text_hash })
    }
}
