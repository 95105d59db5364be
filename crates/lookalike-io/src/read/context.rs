//! Constants and types that all layouts share.

use super::main_content::with_article;
use crate::base::{BadRecord, Document, DocumentContent, Place, Problem, Score, Span};
use crate::sources::{FieldNames, MainContent, Source, SourceKind};
use lookalike_core::documents::Content;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// Desired size of a block: large enough to keep a thread busy for milliseconds, small enough that several fit into a
/// cache.
pub(super) const BLOCK_BYTES: usize = 1 << 18;

/// A document, or a bad record.
pub(super) type Visited<'a> = Result<Document<'a>, BadRecord>;

/// The values of a record that a document is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RecordFields<'a> {
    pub(super) content: DocumentContent<'a>,
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) score: Option<Score>,
    /// Further scores, by the names of their fields.
    pub(super) more_scores: Vec<Option<Score>>,
    /// Values of the carried fields as JSON, by their names.
    pub(super) carried: Vec<Option<String>>,
}

impl<'a> RecordFields<'a> {
    /// The fields of a record that holds a content and perhaps an id.
    pub(super) fn new(content: impl Into<DocumentContent<'a>>, id: Option<Cow<'a, str>>) -> Self {
        Self { content: content.into(), id, score: None, more_scores: Vec::new(), carried: Vec::new() }
    }
}

/// URL and date of a crawled document, if its record has them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) url: Option<String>,
    pub(crate) date: Option<String>,
}

/// Numbering of the records of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbering {
    /// Lines of a file, from 1.
    Lines,
    /// Rows in memory, from 0 for people; the number of a document is one more.
    Rows,
}

impl Numbering {
    pub(super) fn from_source(source: &Source) -> Self {
        match source.kind {
            SourceKind::Records { .. } | SourceKind::TextFiles { .. } | SourceKind::Index { .. } => Self::Lines,
            SourceKind::Memory { .. } => Self::Rows,
        }
    }
}

/// The settings for finding the documents of a block.
pub(super) struct Context<'a> {
    pub(super) names: &'a FieldNames,
    /// The source, as the user named it.
    pub(super) path: &'a Arc<Path>,
    /// Label of the source.
    pub(super) label: &'a str,
    /// Numbering of its records.
    pub(super) numbering: Numbering,
    /// True if its records may have ids.
    pub(super) has_ids: bool,
    /// Maximum size of a record in bytes.
    pub(super) limit: Option<u64>,
}

impl Context<'_> {
    /// Content that a text spells: itself, items, a fingerprint, or a vector.
    pub(super) fn content<'a>(&self, text: Cow<'a, str>) -> Result<Content<'a>, Problem> {
        if self.names.vectors.are_given() {
            return self.names.vectors.of_json(&text, &self.names.text);
        }
        match (self.names.items, self.names.fingerprints) {
            (None, None) => Ok(Content::Text(text)),
            (Some(separator), _) => separator.items(&text, self.names.item_counts).map(Content::Items),
            (None, Some(fingerprints)) => fingerprints.of_text(text, &self.names.text).map(Content::Bits),
        }
    }

    /// Content that the text of a document spells, if that is no page with an article.
    pub(super) fn of_text<'a>(&self, content: DocumentContent<'a>) -> Result<DocumentContent<'a>, Problem> {
        match content {
            DocumentContent::All(Content::Text(text)) => Ok(self.content(text)?.into()),
            other => Ok(other),
        }
    }

    /// A document whose items stand for no more copies than there may be.
    pub(super) fn checked<'d>(&self, document: Document<'d>) -> Visited<'d> {
        let DocumentContent::All(Content::Items(items)) = &document.content else { return Ok(document) };
        match self.names.check_copies(items, self.limit) {
            Ok(()) => Ok(document),
            Err(problem) => Err(BadRecord { place: document.place, problem }),
        }
    }

    /// A document with its article, if its text is a page that was not looked into yet.
    pub(super) fn with_article<'d>(&self, document: Document<'d>) -> Document<'d> {
        match document.content {
            DocumentContent::All(content) if self.names.main_content == MainContent::OfTexts => {
                Document { content: with_article(content), ..document }
            }
            _ => document,
        }
    }

    /// The document of a record, or the problem of a bad one.
    pub(super) fn document<'d>(
        &self,
        fields: Result<RecordFields<'d>, Problem>,
        number: u64,
        span: Span,
    ) -> Visited<'d> {
        let place = self.place(number);
        match fields {
            Ok(RecordFields { content, id, score, more_scores, carried }) => {
                let has_own_id = id.is_some();
                let id = id.unwrap_or_else(|| Cow::Owned(self.id(number)));
                Ok(Document { id, has_own_id, content, score, more_scores, carried, place, number, span })
            }
            Err(problem) => Err(BadRecord { place, problem }),
        }
    }

    /// The id of a record without one. In memory, the number of a row alone could be the id of another row.
    fn id(&self, number: u64) -> String {
        match self.numbering {
            Numbering::Lines => format!("{}:{number}", self.label),
            Numbering::Rows if self.has_ids => format!("{}:{}", self.path.display(), number.saturating_sub(1)),
            Numbering::Rows => number.saturating_sub(1).to_string(),
        }
    }

    pub(super) fn place(&self, number: u64) -> Place {
        match self.numbering {
            Numbering::Lines => Place::line(self.path, number),
            Numbering::Rows => Place::row(self.path, number.saturating_sub(1)),
        }
    }
}

/// The id of a record, if it has one: a string of blanks names nothing, whatever format and quotes it stands in.
pub(super) fn own_id<T: AsRef<str>>(id: Option<T>) -> Option<T> {
    id.filter(|id| !id.as_ref().trim().is_empty())
}

/// Reads all bytes; more than `limit` are a [`Problem::TooLarge`].
pub(super) fn read_limited(reader: impl Read, limit: Option<u64>) -> io::Result<Result<Vec<u8>, Problem>> {
    let mut bytes = Vec::new();
    reader.take(limit.map_or(u64::MAX, |limit| limit.saturating_add(1))).read_to_end(&mut bytes)?;
    Ok(Problem::check_size(bytes.len() as u64, limit).map(|()| bytes))
}

/// Peculiarities of the tables that were read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableRemarks {
    /// Rows with line ends in their fields.
    pub spanning_rows: Noted,
    /// Rows that repeat the header byte for byte, as files that were put together have them; they are no records.
    pub repeated_headers: Noted,
}

impl TableRemarks {
    /// Adds what was met later.
    pub fn append(&mut self, later: Self) {
        self.spanning_rows.append(later.spanning_rows);
        self.repeated_headers.append(later.repeated_headers);
    }
}

/// Number of occurrences of a peculiarity, and the first place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noted {
    /// Number of occurrences.
    pub count: u64,
    /// The place of the first one; `None` if there is none.
    pub first: Option<String>,
}

impl Noted {
    /// Adds one more; its place is computed only if it is the first.
    pub(crate) fn add(&mut self, place: impl FnOnce() -> Place) {
        self.count += 1;
        self.first.get_or_insert_with(|| place().to_string());
    }

    fn append(&mut self, later: Self) {
        self.count += later.count;
        self.first = self.first.take().or(later.first);
    }
}
