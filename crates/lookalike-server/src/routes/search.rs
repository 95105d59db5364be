//! Searches.

use super::asked::{SearchRequest, checked_id};
use super::told::{Answer, Answers};
use crate::body::{self, Body, Kind, lines, other_type, parse_for, read_stream, text_at, write_stream};
use crate::problem::{Problem, Refusals, Result};
use crate::state::App;
use crate::work::Admission;
use arrow_array::RecordBatch;
use axum::Json as Told;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use lookalike::index::Storage;
use lookalike::live::{Asker, Content, LiveQuestion, answers_batch};
use lookalike::{AnswerFields, AnswerFigure, AnswerRow, Progress, thousands};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Questions of a batch that are answered at a time.
const CHUNK: usize = 64;

/// Finds the documents that are near to a text, to items, or to a document of the index.
///
/// One object; or an object on each line, answered by one on each line, where a text without tokens has no answers; or
/// a stream of Arrow IPC with the column `text` and, if they have names, `id`, answered by one with a row for each
/// answer, ten for each text at most.
#[utoipa::path(
    post, path = "/v1/search", tag = "search", operation_id = "search",
    request_body(content(
        (SearchRequest = "application/json"),
        (SearchRequest = "application/x-ndjson"),
        (Vec<u8> = "application/vnd.apache.arrow.stream")
    )),
    responses(
        (status = 200, content(
            (Answers = "application/json"),
            (Answers = "application/x-ndjson"),
            (Vec<u8> = "application/vnd.apache.arrow.stream")
        )),
        Refusals
    ),
    security((), ("token" = []))
)]
pub(super) async fn search(State(app): State<Arc<App>>, request: Request) -> Result<Response> {
    let expected = || other_type(&format!("application/json, {} or {}", body::LINES, body::ARROW));
    let kind = Kind::of(request.headers()).ok_or_else(expected)?;
    let body = Body::read(request, &app).await?;
    match kind {
        Kind::Json => {
            let asked = parse_for(&app, body).await?;
            let answers = app.pool.run(Admission::Refused, move |asker, _| answer(asker, asked)).await?;
            Ok(Told(answers).into_response())
        }
        Kind::Lines => search_lines(&app, body).await,
        Kind::Arrow => search_table(&app, body).await,
    }
}

fn answer(asker: &mut Asker, mut asked: SearchRequest) -> Result<Answers> {
    let (content, question) = (asked.content()?, asked.question()?);
    let rows = match (content, &asked.id) {
        (None, Some(id)) => asker.search_id(checked_id(id)?, &question)?.ok_or_else(Problem::no_document)?,
        (Some(content), _) => {
            let rows = asker.search(("", &content), &question)?;
            if rows.is_empty() && asker.size(&content)? == 0 {
                return Err(Problem::nothing_compared());
            }
            rows
        }
        (None, None) => Vec::new(),
    };
    Ok(Answers { answers: rows.into_iter().map(Answer::from).collect() })
}

async fn search_lines(app: &Arc<App>, body: Body) -> Result<Response> {
    let read = move |_: &mut Asker, _: &dyn Progress| lines::<SearchRequest>(&body.bytes);
    let mut asked = app.pool.run(Admission::Refused, read).await?.into_iter();
    let mut told = Vec::new();
    loop {
        let some: Vec<(usize, SearchRequest)> = asked.by_ref().take(CHUNK).collect();
        if some.is_empty() {
            break;
        }
        let work = move |asker: &mut Asker, _: &dyn Progress| {
            let mut told = Vec::new();
            for (line, asked) in some {
                let found = match answer(asker, asked) {
                    // A text of which nothing is compared is near to nothing.
                    Err(problem) if problem == Problem::nothing_compared() => Answers { answers: Vec::new() },
                    other => other.map_err(|problem| problem.of_line(line))?,
                };
                serde_json::to_writer(&mut told, &found).map_err(|error| Problem::fault(&error))?;
                told.push(b'\n');
            }
            Ok(told)
        };
        // Between two chunks others have their turn.
        told.extend(app.pool.run(Admission::Waits, work).await?);
        check_size(told.len())?;
    }
    Ok(([(header::CONTENT_TYPE, body::LINES)], told).into_response())
}

async fn search_table(app: &Arc<App>, body: Body) -> Result<Response> {
    let max_bytes = app.limits.body_bytes;
    let batches = app.pool.run(Admission::Refused, move |_, _| read_stream(&body.bytes, max_bytes)).await?;
    let mut all: Vec<AnswerRow<'static>> = Vec::new();
    let mut first = 0;
    for queries in batches {
        for begin in (0..queries.num_rows()).step_by(CHUNK) {
            let some = queries.slice(begin, CHUNK.min(queries.num_rows() - begin));
            let rows = app.pool.run(Admission::Waits, move |asker, _| answer_rows(asker, &some, first + begin)).await?;
            all.extend(rows);
            check_size(all.len().saturating_mul(BYTES_OF_ROW))?;
        }
        first += queries.num_rows();
    }
    let settings = app.index.settings();
    let figure = match settings.storage {
        Storage::Sets => AnswerFigure::Exact(settings.measure.figure()),
        Storage::Signatures => AnswerFigure::Estimated,
    };
    let fields = if settings.fields.is_empty() { AnswerFields::Absent } else { AnswerFields::Told };
    let write = move |_: &mut Asker, _: &dyn Progress| {
        write_stream(&answers_batch(&all, (figure, fields)).map_err(|error| Problem::fault(&error))?)
    };
    let stream = app.pool.run(Admission::Waits, write).await?;
    Ok(([(header::CONTENT_TYPE, body::ARROW)], stream).into_response())
}

/// Bytes of the answers to a batch: they are held until all are there.
const MAX_ANSWER_BYTES: usize = 256 << 20;
/// Bytes of a row of a table, about.
const BYTES_OF_ROW: usize = 256;

fn check_size(bytes: usize) -> Result<()> {
    let detail =
        || format!("the answers have more than {} bytes: ask less at a time", thousands(MAX_ANSWER_BYTES as u64));
    if bytes > MAX_ANSWER_BYTES { Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail())) } else { Ok(()) }
}

/// The answers to the texts of a batch, of which the first is the row `first` of all.
fn answer_rows(asker: &mut Asker, queries: &RecordBatch, first: usize) -> Result<Vec<AnswerRow<'static>>> {
    let question = LiveQuestion { limit: NonZeroUsize::new(10), ..LiveQuestion::default() };
    let mut all = Vec::new();
    for row in 0..queries.num_rows() {
        let number = first + row;
        let text = text_at(queries, "text", row)?
            .ok_or_else(|| Problem::bad(format!("row {number} has no string in the column `text`")))?;
        let id = text_at(queries, "id", row)?.map_or_else(|| number.to_string(), str::to_owned);
        let found = asker.search((&id, &Content::Text(text.to_owned())), &question)?;
        all.extend(found.into_iter().map(|answer| answer.with_rows([Some(number as u64), None])));
    }
    Ok(all)
}
