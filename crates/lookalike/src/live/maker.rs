//! Texts, items and vectors as an index stores them.

use crate::corpus::notation_of;
use crate::ground::{Error, Result};
use lookalike_core::DocId;
use lookalike_core::features::{ElementSets, Extractor, Features, TextHash};
use lookalike_core::kernel::Kernel;
use lookalike_index::{Document, PackedText, Settings};
use lookalike_io::{GivenVectors, ItemCounts, Problem, article_of, items_of_list, vector_of_numbers};
use std::borrow::Cow;

/// What is compared of a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
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
    /// What is compared.
    pub content: Content,
    /// What the index stores of its fields, as one JSON object; empty for nothing.
    pub fields: String,
    /// The second, since the beginning of 1970 (UTC), from which on it is no more there.
    pub expires: Option<u64>,
}

/// Turns texts into what an index stores of them. Owns reusable buffers: create one per thread.
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

/// The set of a text that was made last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Made<'a> {
    pub(super) elements: &'a [u64],
    /// Empty if all are 1.
    pub(super) counts: &'a [u32],
    pub(super) text_hash: TextHash,
}

impl DocumentMaker {
    /// For documents of an index that was made for this.
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
    pub fn document(&mut self, given: NewDocument) -> Result<Document> {
        let NewDocument { id, content, fields, expires } = given;
        let stores_texts = self.stores_texts;
        let text = self.text_of(&content)?.into_owned();
        let Made { elements, counts, text_hash } = self.make(&text)?;
        let text_to_store = if stores_texts { PackedText::of(&text) } else { PackedText::default() };
        Ok(Document {
            id,
            elements: elements.to_vec(),
            counts: counts.to_vec(),
            text_hash,
            characters: text.chars().count() as u64,
            expires,
            fields,
            text: text_to_store,
        })
    }

    /// The content in the form in which all documents are read: of items one after the other.
    pub(super) fn text_of<'c>(&self, content: &'c Content) -> Result<Cow<'c, str>> {
        let expected = match &self.features {
            Features::Vector => "vectors",
            features if features.are_of_items() => "items",
            _ => "texts",
        };
        match content {
            Content::Text(text) if expected == "texts" => Ok(Cow::Borrowed(text)),
            Content::Text(_) => Err(Error::OtherContent { expected, found: "a text" }),
            Content::Vector(components) if expected == "vectors" => {
                let spelled = vector_of_numbers(components, self.vectors);
                spelled.map(Cow::Owned).map_err(|problem| Error::WrongVector { problem })
            }
            Content::Vector(_) => Err(Error::OtherContent { expected, found: "a vector" }),
            Content::Items(_) if expected != "items" => Err(Error::OtherContent { expected, found: "items" }),
            Content::Items(items) => {
                let counts = self.item_counts.ok_or(Error::UnknownNotation)?;
                items_of_list(items, counts).map(Cow::Owned).map_err(|problem| match problem {
                    Problem::NulInItem => Error::ItemEnd,
                    problem => Error::WrongItem { problem },
                })
            }
        }
    }

    /// The set of a text in that form.
    pub(super) fn make(&mut self, text: &str) -> Result<Made<'_>> {
        let Self { features, extractor, sets, .. } = self;
        sets.clear();
        let article = features.text().main_content.then(|| article_of(text)).flatten();
        let counts = extractor.push(article.as_deref().unwrap_or(text), sets)?;
        let document = DocId(0);
        Ok(Made {
            elements: sets.get(document).elements(),
            counts: sets.weights(document),
            text_hash: TextHash::of(text, counts.elements),
        })
    }
}
