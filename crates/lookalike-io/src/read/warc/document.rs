//! Conversion of WARC records to documents.

use super::http::{http_content, is_http};
use super::media::ContentType;
use super::record::{Header, RawRecord};
use crate::ground::{Document, DocumentContent, Problem, Score};
use crate::read::context::{Context, Visited, own_id};
use crate::sources::{DEFAULT_ID, json_string};
use std::borrow::Cow;

/// The document of a record; `None` if it holds none.
pub(super) fn document<'a>(record: &'a RawRecord, context: &Context<'_>) -> Option<Visited<'a>> {
    if let Some(problem) = &record.problem {
        return Some(Err(record.reject(context, problem.clone())));
    }
    let content = content_of(record, context).transpose()?;
    let content = match content.and_then(|content| context.of_text(content)) {
        Ok(content) => content,
        Err(problem) => return Some(Err(record.reject(context, problem))),
    };
    let header = record.header();
    let place = context.place(record.number);
    let id = own_id(if context.names.id == DEFAULT_ID { header.target() } else { header.get(&context.names.id) });
    let score = |name: &str| header.get(name).map(Score::from_text);
    Some(Ok(Document {
        has_own_id: id.is_some(),
        id: id.unwrap_or_else(|| Cow::Owned(context.id(record.number))),
        content,
        score: context.names.score.as_deref().and_then(score),
        more_scores: context.names.more_scores.iter().map(|name| score(name)).collect(),
        carried: context.names.carried.iter().map(|name| carried(header, name)).collect(),
        place,
        number: record.number,
        span: record.span,
    }))
}

/// The value of a carried field as JSON: URL and date, as conversions name them, or a header.
fn carried(header: Header<'_>, name: &str) -> Option<String> {
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
            let Some(content_type) = ContentType::of(content_type.as_deref().unwrap_or_default()) else {
                return Ok(None);
            };
            Ok(Some(content_type.content(record.complete_body()?, context.names.main_content)))
        }
        _ => Ok(None),
    }
}
