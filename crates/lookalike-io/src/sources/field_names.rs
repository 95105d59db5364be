//! Names of the fields that are read.

use super::encoding::TextEncoding;
use super::given::{Fingerprints, GivenVectors, ImageFeatures, ItemCounts, ItemSeparator, points_of};
use crate::ground::details::PointKind;
use crate::ground::{Error, NamesFound, Problem};
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
    /// For documents that are sets of items: the separator of items in strings.
    pub items: Option<ItemSeparator>,
    /// Whether these items say how often they occur.
    pub item_counts: ItemCounts,
    /// Maximum number of copies of the items of a record beyond the first of each; `None` where copies are not compared
    /// one by one.
    pub max_repeats: Option<u64>,
    /// For documents that are given fingerprints: how they are read.
    pub fingerprints: Option<Fingerprints>,
    /// Whether documents are given vectors.
    pub vectors: GivenVectors,
    /// What images are compared by, if documents are such.
    pub images: Option<ImageFeatures>,
    /// What a record is.
    pub record: RecordRole,
    /// The encoding of tables and text files; `None` for UTF-8, and UTF-16 by its byte order mark.
    pub encoding: Option<TextEncoding>,
    /// What is compared of HTML pages.
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

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordRole {
    /// A document; ids and scores may be absent.
    Document,
    /// A row of a group, which the id names; the score is a count. A table without one of them has no rows of groups.
    OfGroup,
}

/// What is compared of HTML pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MainContent {
    /// The whole page.
    Whole,
    /// The article, of files and crawled records that are pages.
    OfPages,
    /// The same, and all other texts are pages, too; their articles stay HTML.
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

    /// What documents are if they have no texts.
    pub(crate) fn points(&self) -> Option<PointKind> {
        points_of(self.fingerprints, self.vectors)
    }

    /// The error of a table at `path` without one of these columns.
    pub(crate) fn missing<'a>(&self, column: &str, path: &Path, columns: impl IntoIterator<Item = &'a str>) -> Error {
        let path = path.to_owned();
        let found = NamesFound::new(column, columns);
        let column = column.to_owned();
        match (self.record, self.points().filter(|_| column == self.text)) {
            (RecordRole::Document, Some(points)) => {
                Error::NoPointColumn { points, path, column, found: Box::new(found) }
            }
            (RecordRole::Document, None) => Error::NoColumn { path, column, found },
            (RecordRole::OfGroup, _) => Error::NoGroupColumn { path, column, found },
        }
    }

    /// The fields that each table must have as columns, beside the text.
    pub(crate) fn required(&self) -> impl Iterator<Item = &str> {
        let all = [Some(&self.id), self.score.as_ref()];
        all.into_iter().flatten().filter(|_| self.record == RecordRole::OfGroup).map(String::as_str)
    }
}

impl Default for FieldNames {
    /// `text` and `id`.
    fn default() -> Self {
        Self {
            text: "text".to_owned(),
            id: DEFAULT_ID.to_owned(),
            score: None,
            more_scores: Vec::new(),
            reserved: None,
            items: None,
            item_counts: ItemCounts::Absent,
            max_repeats: None,
            fingerprints: None,
            vectors: GivenVectors::Absent,
            images: None,
            record: RecordRole::Document,
            encoding: None,
            main_content: MainContent::Whole,
            carried: Vec::new(),
        }
    }
}
