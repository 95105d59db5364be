//! Names of the fields that are read.

use super::encoding::TextEncoding;
use super::given::{Fingerprints, GivenVectors, ImageFeatures, ItemCounts, ItemSeparator, points_of};
use crate::base::details::{ColumnRole, PointKind};
use crate::base::{Error, Problem};
use lookalike_core::text::Items;
use std::path::Path;

/// Names of the fields to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldNames {
    /// The text.
    pub text: String,
    /// The id; the id of a record without it is its file and line. In WARC files a header, by default the target URI.
    pub id: String,
    /// The value that orders documents.
    pub score: Option<String>,
    /// The values that order documents whose scores are equal, in turn.
    pub more_scores: Vec<String>,
    /// A field that must not exist, because it will be added; in tables the columns that begin with it.
    pub reserved: Option<String>,
    /// Separator of items in strings, if documents are sets of items.
    pub items: Option<ItemSeparator>,
    /// Presence of counts beside these items.
    pub item_counts: ItemCounts,
    /// Maximum number of copies of the items of a record beyond the first of each; `None` where copies are not compared
    /// one by one.
    pub max_repeats: Option<u64>,
    /// Width and digits of fingerprints, if documents are given such.
    pub fingerprints: Option<Fingerprints>,
    /// Kind of the vectors that documents are given.
    pub vectors: GivenVectors,
    /// Features by which images are compared, if documents are such.
    pub images: Option<ImageFeatures>,
    /// Role of a record.
    pub record: RecordRole,
    /// The encoding of tables and text files; `None` for UTF-8, and UTF-16 by its byte order mark.
    pub encoding: Option<TextEncoding>,
    /// Compared part of HTML pages.
    pub main_content: MainContent,
    /// Fields whose values travel along with the document.
    pub carried: Vec<String>,
}

/// Names of fields that sources have in place of those of the job, as references of another origin do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnFields {
    /// The text; `None` for the name of the job.
    pub text: Option<String>,
    /// The id; `None` for the name of the job.
    pub id: Option<String>,
}

impl OwnFields {
    /// The names of the fields to read, where the job has `names`.
    pub(crate) fn in_place_of(&self, names: &FieldNames) -> FieldNames {
        let or = |own: &Option<String>, name: &String| own.as_ref().unwrap_or(name).clone();
        FieldNames { text: or(&self.text, &names.text), id: or(&self.id, &names.id), ..names.clone() }
    }
}

/// Role of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordRole {
    /// A document; ids and scores may be absent.
    Document,
    /// A row of a group, which the id names; the score is a count. A table without one of them has no rows of groups.
    OfGroup,
}

/// Compared part of HTML pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MainContent {
    /// The whole page.
    Whole,
    /// The article, of files and crawled records that are pages.
    OfPages,
    /// The article of these, and of all other texts, which are pages, too; their articles stay HTML.
    OfTexts,
}

/// The default id field.
pub(crate) const DEFAULT_ID: &str = "id";

impl FieldNames {
    /// Checks that counted items stand for no more copies than a record of `limit` bytes could hold, and than can be
    /// compared one by one.
    ///
    /// # Errors
    /// [`Problem::TooManyCopies`], [`Problem::RepeatsTooMuch`].
    pub(crate) fn check_copies(&self, items: &Items<'_>, limit: Option<u64>) -> Result<(), Problem> {
        if self.item_counts == ItemCounts::Absent {
            return Ok(());
        }
        let counts = items.iter().map(|item| u64::from(item.count));
        let (found, different) = counts.fold((0, 0), |(sum, items), count| (sum + count, items + 1));
        match (limit, self.max_repeats) {
            (Some(limit), _) if found > limit => Err(Problem::TooManyCopies { found, limit }),
            (_, Some(max)) if found - different > max => Err(Problem::RepeatsTooMuch { max }),
            _ => Ok(()),
        }
    }

    /// Kind of the documents, if they have no texts.
    pub(crate) fn points(&self) -> Option<PointKind> {
        points_of(self.fingerprints, self.vectors)
    }

    /// The error of a table at `path` without one of these columns.
    pub(crate) fn missing<'a>(&self, column: &str, path: &Path, columns: impl IntoIterator<Item = &'a str>) -> Error {
        let role = match (self.record, self.points().filter(|_| column == self.text)) {
            (RecordRole::OfGroup, _) => ColumnRole::Groups,
            (RecordRole::Document, Some(points)) => ColumnRole::Points(points),
            (RecordRole::Document, None) => ColumnRole::Field,
        };
        Error::no_column(path, column, columns, role)
    }

    /// The fields that each table must have as columns, beside the text.
    pub(crate) fn required(&self) -> impl Iterator<Item = &str> {
        let all = [Some(&self.id), self.score.as_ref()];
        all.into_iter().flatten().filter(|_| self.record == RecordRole::OfGroup).map(String::as_str)
    }
}
