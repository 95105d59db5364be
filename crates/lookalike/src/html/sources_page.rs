//! Documents with their sources, or with what is cut, as a page: each text with its passages coloured, and beside it
//! the documents that have them, too.

use super::attributed::AttributedText;
use crate::ground::{Error, Result};
use askama::Template;

/// What a page of sources shows.
#[derive(Debug, Default, Template)]
#[template(path = "sources.html")]
pub struct SourcesPage {
    /// The heading: how many documents have sources.
    pub title: String,
    /// What was asked, in sentences.
    pub about: Vec<String>,
    /// Headings of the shares and of the numbers of sources.
    pub columns: [&'static str; 2],
    /// All documents that are listed: share in percent, name, and the name of a link to the text if it is shown.
    pub listed: Vec<ListedDocument>,
    /// By which rule documents are listed, and shown with their texts.
    pub rule: String,
    /// Documents with their texts.
    pub documents: Vec<AttributedDocument>,
    /// All that the answer depends on, as JSON.
    pub parameters: String,
}

/// A document in the list.
#[derive(Debug)]
pub struct ListedDocument {
    /// Its share that stands in sources, in percent.
    pub percent: String,
    /// Number of its sources.
    pub sources: usize,
    /// Its id.
    pub name: String,
    /// The link to its text; `None` if it is not shown.
    pub link: Option<String>,
}

/// A document with its text and its sources: a part of a page.
#[derive(Debug, Template)]
#[template(path = "attributed.html")]
pub struct AttributedDocument {
    /// What leads to it.
    pub anchor: String,
    /// Its id.
    pub name: String,
    /// How much of it stands in sources.
    pub share: String,
    /// What stands beside the text.
    pub beside: String,
    /// The text.
    pub text: AttributedText,
    /// The best first.
    pub sources: Vec<ShownSource>,
    /// Number of sources that are not shown.
    pub left_out: usize,
}

impl AttributedDocument {
    /// The part of a page.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn to_html(&self) -> Result<String> {
        self.render().map_err(|reason| Error::NoPage { reason: reason.to_string() })
    }
}

/// A source of a document.
#[derive(Debug)]
pub struct ShownSource {
    /// What leads to it.
    pub anchor: String,
    /// Its rank, from 1.
    pub rank: usize,
    /// Number of the colour.
    pub color: usize,
    /// Its id.
    pub name: String,
    /// Share of the document that stands in it, in percent.
    pub percent: String,
    /// The same as a number from 0 to 100.
    pub width: f64,
    /// Its passages, in the order of the document.
    pub passages: Vec<ShownPassage>,
    /// Number of passages that are not shown.
    pub left_out: usize,
}

/// A passage as it stands in a source.
#[derive(Debug)]
pub struct ShownPassage {
    /// What leads to it.
    pub anchor: String,
    /// The link to where it stands in the document; `None` if that is not shown.
    pub here: Option<String>,
    /// Its length and places.
    pub about: String,
    /// Its text in the source.
    pub text: String,
}

impl SourcesPage {
    /// The page.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn to_html(&self) -> Result<String> {
        self.render().map_err(|reason| Error::NoPage { reason: reason.to_string() })
    }
}
