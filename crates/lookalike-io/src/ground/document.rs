//! A document as readers give it.
//!
//! A document has a text, and what of it is compared ([`Compared`]). The text decides whether two documents are
//! `identical`, and is what conversions write; of the article of a page its elements are made, and what passages and
//! the check of texts show. The article is found where pages are decoded, for there the tags are known.

use super::place::{Place, Span};
use super::score::Score;
use std::borrow::Cow;

/// Id and text of a document, and its position.
#[derive(Debug, Clone, PartialEq)]
pub struct Document<'a> {
    /// The user's id: that of the record, or the relative path of a text file, or file and line.
    pub id: Cow<'a, str>,
    /// Whether the id is the record's own, not made of file and line.
    pub has_own_id: bool,
    /// The text.
    pub text: Cow<'a, str>,
    /// What of it is compared.
    pub compared: Compared,
    /// Value of the score field, if one is configured and the record has it, be it without a value.
    pub score: Option<Score>,
    /// By name: values of the further score fields.
    pub more_scores: Vec<Option<Score>>,
    /// By name: the value of a carried field as JSON; `None` if the record does not have it.
    pub carried: Vec<Option<String>>,
    /// File and line.
    pub place: Place,
    /// Number of its line, row or WARC record in the file, from 1; of a text file its index in the source, from 0.
    pub number: u64,
    /// Its bytes in the file.
    pub span: Span,
}

impl<'a> Document<'a> {
    /// The text that is compared.
    pub fn compared_text(&self) -> &str {
        match &self.compared {
            Compared::Article(compared) | Compared::Image { compared, .. } => compared,
            Compared::Text | Compared::WholePage => &self.text,
        }
    }

    /// Its length: characters of the text, or pixels of an image.
    pub fn length(&self) -> u64 {
        match self.compared {
            Compared::Image { pixels, .. } => pixels,
            Compared::Text | Compared::Article(_) | Compared::WholePage => self.text.chars().count() as u64,
        }
    }

    /// The text that is compared, without the rest of the document.
    pub fn into_compared_text(self) -> Cow<'a, str> {
        match self.compared {
            Compared::Article(compared) | Compared::Image { compared, .. } => Cow::Owned(compared),
            Compared::Text | Compared::WholePage => self.text,
        }
    }
}

/// What of a document is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
    /// Its text.
    Text,
    /// Its article, of an HTML page.
    Article(String),
    /// Its text, because no article was found in it.
    WholePage,
    /// An image, of which the text only tells whether two files are identical.
    Image {
        /// What was made of it.
        compared: String,
        /// Number of its pixels.
        pixels: u64,
    },
}
