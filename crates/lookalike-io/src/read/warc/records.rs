//! A block of WARC records.

use super::document::document;
use super::record::RawRecord;
use crate::read::context::{Context, Origin, Visited};
use std::borrow::Cow;

/// Consecutive records that may hold documents.
#[derive(Debug)]
pub(in crate::read) struct WarcRecords(pub(super) Vec<RawRecord>);

impl WarcRecords {
    pub(in crate::read) fn bytes(&self) -> u64 {
        self.0.iter().map(|record| record.bytes.len() as u64).sum()
    }

    pub(in crate::read) fn for_each_document(&self, context: &Context<'_>, visit: impl FnMut(Visited<'_>)) {
        self.0.iter().filter_map(|record| document(record, context)).for_each(visit);
    }

    pub(in crate::read) fn for_each_with_origin(
        &self,
        context: &Context<'_>,
        mut visit: impl FnMut(Visited<'_>, Origin),
    ) {
        for record in &self.0 {
            if let Some(document) = document(record, context) {
                let header = record.header();
                let owned = |value: Option<Cow<'_, str>>| value.map(Cow::into_owned);
                visit(document, Origin { url: owned(header.target()), date: owned(header.get("WARC-Date")) });
            }
        }
    }
}
