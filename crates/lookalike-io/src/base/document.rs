//! A document as readers give it.
//!
//! All of a document decides whether two are `identical`, and is what conversions write; elements are made of what is
//! compared of it, and that is what passages and the check of texts show. The article of a page is found where pages
//! are decoded, for there the tags are known.

use super::place::{Place, Span};
use super::score::Score;
use lookalike_core::Result;
use lookalike_core::comparison::Extractor;
use lookalike_core::documents::{Content, Counts, ElementSets, TextHash};
use std::borrow::Cow;

/// Id and content of a document, and its position.
#[derive(Debug, Clone, PartialEq)]
pub struct Document<'a> {
    /// The user's id: that of the record, or the relative path of a text file, or file and line.
    pub id: Cow<'a, str>,
    /// True if the id is the record's own, not made of file and line.
    pub has_own_id: bool,
    /// Content of the document.
    pub content: DocumentContent<'a>,
    /// Value of the score field, if one is configured and the record has it, be it without a value.
    pub score: Option<Score>,
    /// Values of the further score fields, by their names.
    pub more_scores: Vec<Option<Score>>,
    /// Values of the carried fields as JSON, by their names; `None` if the record does not have one.
    pub carried: Vec<Option<String>>,
    /// File and line.
    pub place: Place,
    /// Number of its line, row or WARC record in the file, from 1; of a text file its index in the source, from 0.
    pub number: u64,
    /// Bytes of the document in the file.
    pub span: Span,
}

/// Content of a document, with the part that is compared.
#[derive(Debug, Clone, PartialEq)]
pub enum DocumentContent<'a> {
    /// A content that is compared as it is.
    All(Content<'a>),
    /// A page, of which the article is compared.
    Article {
        /// The page, readable or as it is read.
        page: Cow<'a, str>,
        /// Article of the page.
        article: String,
    },
    /// A page that is compared as it is, because no article was found in it.
    WholePage(Cow<'a, str>),
    /// An image.
    Image {
        /// The fingerprint or vector that it is compared by.
        compared: Content<'static>,
        /// Number of its pixels.
        pixels: u64,
        /// The hash of its file in hexadecimal digits: equal files are identical.
        file_hash: String,
    },
}

/// Counts and hash of a document whose elements were extracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extracted {
    /// Numbers of tokens and elements.
    pub counts: Counts,
    /// The hash by which identical documents are known.
    pub text_hash: TextHash,
}

impl<'a> DocumentContent<'a> {
    /// The compared content.
    pub fn compared(&self) -> Content<'_> {
        match self {
            Self::All(content) | Self::Image { compared: content, .. } => content.borrowed(),
            Self::Article { article: text, .. } => Content::from(text),
            Self::WholePage(page) => Content::from(&**page),
        }
    }

    /// The compared content, without the rest of the document.
    pub fn into_compared(self) -> Content<'a> {
        match self {
            Self::All(content) => content,
            Self::Image { compared, .. } => compared,
            Self::Article { article, .. } => Content::Text(article.into()),
            Self::WholePage(page) => Content::Text(page),
        }
    }

    /// Returns whether it is a page whose article was to be compared.
    pub fn is_page(&self) -> bool {
        matches!(self, Self::Article { .. } | Self::WholePage(_))
    }

    /// Length of the content: characters, or pixels of an image.
    pub fn length(&self) -> u64 {
        match self {
            Self::Image { pixels, .. } => *pixels,
            Self::All(_) | Self::Article { .. } | Self::WholePage(_) => self.identifying().characters(),
        }
    }

    /// The string that stands for all of it where it is stored.
    pub fn stored(&self) -> Cow<'_, str> {
        match self {
            Self::All(content) => content.stored(),
            Self::Article { page: text, .. } | Self::WholePage(text) => Cow::Borrowed(text),
            Self::Image { file_hash, .. } => Cow::Borrowed(file_hash),
        }
    }

    /// The hash by which identical documents are known, for one with this number of elements.
    pub fn text_hash(&self, elements: usize) -> TextHash {
        self.identifying().text_hash(elements)
    }

    /// The name of a record without an id in an index.
    pub fn name(&self) -> String {
        self.identifying().name()
    }

    /// The content that identical documents share.
    fn identifying(&self) -> Content<'_> {
        match self {
            Self::All(content) => content.borrowed(),
            Self::Article { page: text, .. } | Self::WholePage(text) => Content::from(&**text),
            Self::Image { file_hash, .. } => Content::from(file_hash),
        }
    }

    /// Appends the elements of what is compared to `sets` as the next document.
    ///
    /// # Errors
    /// As [`Extractor::push`].
    pub fn extract(&self, extractor: &mut Extractor, sets: &mut ElementSets) -> Result<Extracted> {
        let counts = extractor.push(self.compared(), sets)?;
        Ok(Extracted { counts, text_hash: self.text_hash(counts.elements) })
    }
}

impl<'a, C: Into<Content<'a>>> From<C> for DocumentContent<'a> {
    fn from(content: C) -> Self {
        Self::All(content.into())
    }
}
