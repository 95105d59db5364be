//! The records of a WARC file that remain when some of its documents are removed.
//!
//! A page comes with records about it: request, metadata, revisits. They are adjacent to it and have the same target
//! URI, and are kept or removed with it. All other records are kept.
//!
//! The file is walked once more for that: to keep the places of all such records from the first reading would cost
//! memory in every job.

use super::document::document;
use super::file::WarcFile;
use super::record::RawRecord;
use crate::base::details::Action;
use crate::base::{Error, Result, Span};
use crate::read::context::{Context, Numbering};
use crate::sources::{FieldNames, Source};

/// The role of a record among adjacent records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PageRole {
    /// A kept document.
    Kept,
    /// A removed document, or a bad one.
    Removed,
    /// A record about a document.
    Companion,
    /// Any other record.
    Other,
}

/// Adjacent records with one target URI.
#[derive(Debug, Default)]
struct RecordGroup {
    target: Option<String>,
    records: Vec<(PageRole, Span)>,
}

impl RecordGroup {
    /// The kept records.
    fn kept(&self) -> impl Iterator<Item = Span> {
        let has = |role: PageRole| self.records.iter().any(|(found, _)| *found == role);
        let keeps_companions = has(PageRole::Kept) || !has(PageRole::Removed);
        let is_kept = move |role: PageRole| match role {
            PageRole::Kept | PageRole::Other => true,
            PageRole::Companion => keeps_companions,
            PageRole::Removed => false,
        };
        self.records.iter().filter(move |(role, _)| is_kept(*role)).map(|(_, span)| *span)
    }
}

/// The kept records, in order. `is_kept` tells, by the offset of a document, whether it is kept; `None` for records
/// that were not read as documents.
///
/// # Errors
/// [`Error::Io`] if the file cannot be read.
pub fn kept_records(
    source: &Source,
    names: &FieldNames,
    limit: Option<u64>,
    is_kept: impl Fn(u64) -> Option<bool>,
) -> Result<Vec<Span>> {
    let mut file = WarcFile::open(source)?;
    let numbering = Numbering::Lines;
    let context = Context { names, path: &source.path, label: &source.label, numbering, has_ids: true, limit };
    let mut kept = Vec::new();
    let mut group = RecordGroup::default();
    let io = |error| Error::io(Action::Read, &source.path, error);
    while let Some(record) = file.next_record(limit).map_err(io)? {
        let target = record.header().target().map(|target| target.into_owned());
        if target.is_none() || target != group.target {
            kept.extend(std::mem::replace(&mut group, RecordGroup { target, records: Vec::new() }).kept());
        }
        group.records.push((role(&record, &context, &is_kept), record.span));
    }
    kept.extend(group.kept());
    Ok(kept)
}

fn role(record: &RawRecord, context: &Context<'_>, is_kept: impl Fn(u64) -> Option<bool>) -> PageRole {
    let is_companion =
        |kind: &str| ["request", "metadata", "revisit"].iter().any(|companion| kind.eq_ignore_ascii_case(companion));
    match is_kept(record.span.offset).filter(|_| record.problem.is_none()) {
        Some(true) => PageRole::Kept,
        Some(false) => PageRole::Removed,
        // A bad record.
        None if document(record, context).is_some() => PageRole::Removed,
        None if record.header().get("WARC-Type").is_some_and(|kind| is_companion(&kind)) => PageRole::Companion,
        None => PageRole::Other,
    }
}
