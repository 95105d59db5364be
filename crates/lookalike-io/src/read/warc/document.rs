//! Conversion of WARC records to documents, a block at a time.

use super::http::{ContentType, http_content, is_http};
use super::record::{RawRecord, WarcHeader};
use crate::base::{DocumentContent, Problem, Score};
use crate::read::context::{Context, Origin, RecordFields, Visited, own_id};
use crate::sources::{DEFAULT_ID, json_string};
use std::borrow::Cow;

/// The document of a record; `None` if it holds none.
pub(super) fn document<'a>(record: &'a RawRecord, context: &Context<'_>) -> Option<Visited<'a>> {
    if let Some(problem) = &record.problem {
        return Some(context.document(Err(problem.clone()), record.number, record.span));
    }
    let content = content_of(record, context).transpose()?.and_then(|content| context.of_text(content));
    let header = record.header();
    let score = |name: &str| header.get(name).map(Score::from_text);
    let fields = content.map(|content| RecordFields {
        content,
        id: own_id(if context.names.id == DEFAULT_ID { header.target() } else { header.get(&context.names.id) }),
        score: context.names.score.as_deref().and_then(score),
        more_scores: context.names.more_scores.iter().map(|name| score(name)).collect(),
        carried: context.names.carried.iter().map(|name| carried(header, name)).collect(),
    });
    Some(context.document(fields, record.number, record.span))
}

/// The value of a carried field as JSON: URL and date, as conversions name them, or a header.
fn carried(header: WarcHeader<'_>, name: &str) -> Option<String> {
    let value = match name {
        "url" => header.target(),
        "date" => header.get("WARC-Date"),
        _ => header.get(name),
    };
    value.map(|value| json_string(&value))
}

/// The content of a record; `None` if it holds no document.
fn content_of(record: &RawRecord, context: &Context<'_>) -> Result<Option<DocumentContent<'static>>, Problem> {
    let header = record.header();
    let kind = header.get("WARC-Type");
    let content_type = header.get("Content-Type");
    match kind.unwrap_or_default().to_ascii_lowercase().as_str() {
        "response" if is_http(content_type.as_deref()) => http_content(record, context),
        "resource" | "conversion" => {
            let Some(content_type) = ContentType::parse(content_type.as_deref().unwrap_or_default()) else {
                return Ok(None);
            };
            Ok(Some(content_type.content(record.complete_body()?, context.names.main_content)))
        }
        _ => Ok(None),
    }
}

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
