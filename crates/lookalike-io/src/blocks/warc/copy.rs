//! Which records of a WARC file stay when some of its documents go.
//!
//! A page comes with records about it: the request, metadata, notes that it was seen again. They stand next to it and name the
//! same address, and go and stay with it. Whatever else is in the file stays.

use super::page::document;
use super::{RawRecord, WarcFile};
use crate::blocks::Context;
use crate::document::Span;
use crate::error::{Error, Result};
use crate::record::FieldNames;
use crate::source::Source;

/// What a record is to its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A document that stays.
    Kept,
    /// A document that goes, also for being bad.
    Gone,
    /// About a document.
    Companion,
    /// Anything else.
    Other,
}

/// Neighbours with one address.
#[derive(Debug, Default)]
struct Group {
    target: Option<String>,
    records: Vec<(Role, Span)>,
}

impl Group {
    /// Those of its records that stay.
    fn kept(&self) -> impl Iterator<Item = Span> {
        let has = |wanted: Role| self.records.iter().any(|(role, _)| *role == wanted);
        let companions_stay = has(Role::Kept) || !has(Role::Gone);
        let stays = move |role: Role| match role {
            Role::Kept | Role::Other => true,
            Role::Companion => companions_stay,
            Role::Gone => false,
        };
        self.records.iter().filter(move |(role, _)| stays(*role)).map(|(_, span)| *span)
    }
}

/// The records that stay, in order. `is_kept` says of the first byte of a document whether it stays, and nothing of records
/// that were not taken as documents.
///
/// # Errors
/// [`Error::Io`] if the file cannot be read.
pub fn kept_records(
    source: &Source,
    names: &FieldNames,
    limit: u64,
    is_kept: impl Fn(u64) -> Option<bool>,
) -> Result<Vec<Span>> {
    let mut file = WarcFile::open(source)?;
    let context = Context { names, path: &source.path, limit };
    let (mut kept, mut group) = (Vec::new(), Group::default());
    let io = |error| Error::io("read", &source.path, error);
    while let Some(record) = file.next_record(limit).map_err(io)? {
        let target = record.header().target().map(|target| target.into_owned());
        if target.is_none() || target != group.target {
            kept.extend(std::mem::replace(&mut group, Group { target, records: Vec::new() }).kept());
        }
        group.records.push((role(&record, &context, &is_kept), record.span));
    }
    kept.extend(group.kept());
    Ok(kept)
}

fn role(record: &RawRecord, context: &Context<'_>, is_kept: impl Fn(u64) -> Option<bool>) -> Role {
    let is_companion =
        |kind: &str| ["request", "metadata", "revisit"].iter().any(|companion| kind.eq_ignore_ascii_case(companion));
    match is_kept(record.span.offset).filter(|_| record.problem.is_none()) {
        Some(true) => Role::Kept,
        Some(false) => Role::Gone,
        // It could not be used, or its key was there already.
        None if document(record, context).is_some() => Role::Gone,
        None if record.header().get("WARC-Type").is_some_and(|kind| is_companion(&kind)) => Role::Companion,
        None => Role::Other,
    }
}
