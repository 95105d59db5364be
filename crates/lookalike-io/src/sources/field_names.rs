//! Names of the fields that are read.

use super::encoding::TextEncoding;
use super::fingerprints::Fingerprints;
use super::items::{ItemCounts, ItemSeparator};

/// Names of the fields to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldNames {
    /// The text.
    pub text: String,
    /// The id; the id of a record without it is its file and line. In WARC files a header, by default the target URI.
    pub id: String,
    /// The value that orders documents.
    pub score: Option<String>,
    /// A field that must not exist, because it will be added; in tables the columns that begin with it.
    pub reserved: Option<String>,
    /// For documents that are sets of items: the separator of items in strings.
    pub items: Option<ItemSeparator>,
    /// Whether these items say how often they occur.
    pub item_counts: ItemCounts,
    /// For documents that are given fingerprints: how they are read.
    pub fingerprints: Option<Fingerprints>,
    /// The encoding of tables and text files; `None` for UTF-8, and UTF-16 by its byte order mark.
    pub encoding: Option<TextEncoding>,
}

/// The default id field.
pub(crate) const DEFAULT_ID: &str = "id";

impl Default for FieldNames {
    /// `text` and `id`.
    fn default() -> Self {
        Self {
            text: "text".to_owned(),
            id: DEFAULT_ID.to_owned(),
            score: None,
            reserved: None,
            items: None,
            item_counts: ItemCounts::Absent,
            fingerprints: None,
            encoding: None,
        }
    }
}
