//! The rows of clusters, and of groups of exact copies.

use super::all_columns::{CHECKSUM, CLUSTER, EQUAL, GROUP, ID, SOURCE};
use super::column::{Cell, Column, Value};
use super::pairs::{RowSources, source_cells};
use super::row::Row;
use std::borrow::Cow;

/// A member of a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterRow<'a> {
    /// Number of the cluster, from 0.
    pub cluster: u64,
    /// Id of the document.
    pub id: Cow<'a, str>,
    /// File of the document, if rows name sources.
    pub source: Option<Cow<'a, str>>,
}

impl ClusterRow<'_> {
    /// The columns, in order.
    pub fn header(sources: RowSources) -> Vec<Column> {
        let [source] = sources.blank();
        ClusterRow { cluster: 0, id: "".into(), source }.columns()
    }
}

impl Row for ClusterRow<'_> {
    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let cells = [(&CLUSTER, Value::Count(self.cluster)), (&ID, Value::text(&self.id))];
        cells.into_iter().chain(source_cells([(&SOURCE, &self.source)]))
    }
}

/// A member of a group of exact copies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyRow<'a> {
    /// Number of the group, from 0, in input order of the first members.
    pub group: u64,
    /// Id of the document.
    pub id: Cow<'a, str>,
    /// The content in which the members are equal.
    pub equal: CopyKind,
    /// Checksum of that content, in hexadecimal.
    pub checksum: Cow<'a, str>,
}

impl CopyRow<'_> {
    /// The columns, in order.
    pub fn header() -> Vec<Column> {
        CopyRow { group: 0, id: "".into(), equal: CopyKind::Bytes, checksum: "".into() }.columns()
    }
}

impl Row for CopyRow<'_> {
    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        [
            (&GROUP, Value::Count(self.group)),
            (&ID, Value::text(&self.id)),
            (&EQUAL, Value::text(self.equal.name())),
            (&CHECKSUM, Value::text(&self.checksum)),
        ]
        .into_iter()
    }
}

/// The content in which the members of a group of copies are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyKind {
    /// The bytes of the texts of the documents.
    Bytes,
    /// The normalized texts, or sorted items, of the documents, but not the bytes of all of them.
    Text,
}

impl CopyKind {
    /// Name of the kind in rows.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Text => "text",
        }
    }
}
