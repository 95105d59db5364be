//! The records that documents came from, and those whose ids occurred before.

use bytemuck::{Pod, Zeroable};
use lookalike_core::{Array, DocId};
use lookalike_io::{Source, Span, base::SkippedCounts, read::TableRemarks, sources::SourceKind};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Place of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct RecordPlace {
    /// Index of its source.
    pub source: u64,
    /// Number of its line, from 1, or of its file in the list of the folder, from 0.
    pub number: u64,
    /// Offset of its first byte in the file.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
}

impl RecordPlace {
    /// Its bytes in the file.
    pub(crate) fn span(&self) -> Span {
        Span { offset: self.offset, length: self.length }
    }
}

/// The records of documents, which can be written again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Records {
    /// Sources that were read, in order; those of references come first.
    pub(crate) sources: Vec<Source>,
    /// Number of sources that hold references.
    pub(crate) reference_sources: usize,
    /// Places of the records by document.
    pub(crate) places: Array<RecordPlace>,
    /// Number of records that were left out.
    pub bad_records: u64,
    /// Documents whose ids occurred before.
    pub repeated_ids: RepeatedIdCounts,
    /// Remarks about tables.
    pub tables: TableRemarks,
    /// Number of documents whose ids are made of file and line, references among them.
    pub without_id: u64,
    /// Pages, references among them, if their articles were requested.
    pub pages: u64,
    /// Pages without an article.
    pub whole_pages: u64,
    /// Hidden files and links in folders, which were not read.
    pub skipped_counts: SkippedCounts,
    /// The rows, where documents are groups of them; the place of a document is that of its first row then.
    pub(crate) rows: Option<GroupedRows>,
}

/// The rows that documents are groups of.
#[derive(Debug, Clone)]
pub(crate) struct GroupedRows {
    /// Places by row.
    pub(crate) places: Array<RecordPlace>,
    /// Numbers of documents by row.
    pub(crate) groups: Array<u32>,
}

impl Records {
    /// The records of the rows of groups, with the number of the group of each.
    pub(crate) fn of_rows(&self) -> Option<(Self, Array<u32>)> {
        let GroupedRows { places, groups } = self.rows.clone()?;
        let sources = self.sources.clone();
        let repeated_ids = self.repeated_ids.clone();
        let tables = self.tables.clone();
        Some((Self { sources, places, repeated_ids, tables, rows: None, ..*self }, groups))
    }

    /// The sources of inputs.
    pub(crate) fn inputs(&self) -> &[Source] {
        &self.sources[self.reference_sources..]
    }

    /// Place of the record of a document.
    pub(crate) fn place(&self, document: DocId) -> RecordPlace {
        self.places.slice(document.index()..document.index() + 1)[0]
    }

    /// The number of the record of a document in its source: of a row in memory from 0, of a line in a file from 1, of
    /// a text file in its folder from 0; `None` for a document of a snapshot or an index.
    pub(crate) fn row(&self, document: DocId) -> Option<u64> {
        let RecordPlace { source, number, .. } = self.place(document);
        match self.sources.get(source as usize) {
            Some(source) if source.is_stored() => None,
            Some(Source { kind: SourceKind::Memory { .. }, .. }) => Some(number.saturating_sub(1)),
            _ => Some(number),
        }
    }

    /// Returns whether a document is of the references.
    pub(crate) fn is_reference(&self, document: DocId) -> bool {
        self.place(document).source < self.reference_sources as u64
    }

    /// Documents by row of inputs in memory, of which there are so many; `None` for a bad
    /// record, which was left out.
    pub(crate) fn documents_of_rows(&self, rows: usize) -> Vec<Option<DocId>> {
        let mut documents = vec![None; rows];
        let mut note = |records: &Self, record: DocId, document: DocId| {
            let place = records.place(record);
            if !records.is_reference(record)
                && let Some(found) = documents.get_mut((place.number as usize).wrapping_sub(1))
            {
                *found = Some(document);
            }
        };
        match self.of_rows() {
            Some((rows, groups)) => {
                for (row, &group) in DocId::all(groups.len()).zip(groups.as_slice()) {
                    note(&rows, row, DocId(group));
                }
            }
            None => DocId::all(self.places.len()).for_each(|document| note(self, document, document)),
        }
        documents
    }

    /// The documents of a source, in input order.
    pub(crate) fn documents_of_source(&self, source: usize) -> impl ExactSizeIterator<Item = DocId> + Clone {
        let all: Range<u32> = 0..self.places.len() as u32;
        let first_of =
            |source: usize| partition_point(all.clone(), |id| (self.place(DocId(id)).source as usize) < source);
        (first_of(source)..first_of(source + 1)).map(DocId)
    }
}

/// The first number for which `is_before` is false; it is true for those before and false for those behind.
fn partition_point(mut range: Range<u32>, is_before: impl Fn(u32) -> bool) -> u32 {
    while !range.is_empty() {
        let middle = range.start + (range.end - range.start) / 2;
        if is_before(middle) {
            range.start = middle + 1;
        } else {
            range.end = middle;
        }
    }
    range.start
}

/// The documents whose ids occurred before and were qualified.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepeatedIdCounts {
    /// Their number.
    pub count: u64,
    /// The first of them; `None` if there are none.
    pub first: Option<RepeatedId>,
}

/// A document whose id occurred before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepeatedId {
    /// The id that its record has.
    pub id: String,
    /// Place of the first record with the id.
    pub first: String,
    /// Place of its own record.
    pub again: String,
    /// Name in all outputs.
    pub qualified: String,
}

impl RepeatedIdCounts {
    /// Counts one more, which is made only if it is the first.
    pub(crate) fn add(&mut self, repeated: impl FnOnce() -> RepeatedId) {
        self.count += 1;
        self.first.get_or_insert_with(repeated);
    }
}
