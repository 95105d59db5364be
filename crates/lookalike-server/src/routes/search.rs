//! Searches.

use super::asked::{SearchRequest, checked_id};
use super::told::{Answer, Answers};
use crate::access::{Client, client_of};
use crate::body::{self, Body, Json, Kind, Lines, other_type, parse_for, read_stream, text_at, write_stream};
use crate::problem::{Problem, Refusals, Result};
use crate::state::App;
use crate::work::{Admission, Cost};
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
    let client = client_of(request.extensions());
    let body = Body::read(request, &app).await?;
    match kind {
        Kind::Json => {
            let Json { object, share: _share, cost } = parse_for(&app, client, body).await?;
            let answers = app.pool.run(client, Admission::First(cost), move |asker, _| answer(asker, object)).await?;
            Ok(Told(answers).into_response())
        }
        Kind::Lines => search_lines(&app, client, body).await,
        Kind::Arrow => search_table(&app, client, body).await,
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

async fn search_lines(app: &Arc<App>, client: Client, body: Body) -> Result<Response> {
    let Body { bytes, mut share } = body;
    let of_body = bytes.capacity();
    let mut lines = Lines::new(bytes);
    let mut told: Vec<u8> = Vec::new();
    let mut admission = Admission::First(Cost::Costly);
    loop {
        let work = move |asker: &mut Asker, _: &dyn Progress| {
            let some = lines.next_objects::<SearchRequest>(CHUNK)?;
            let count = some.len();
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
            Ok((lines, told, count))
        };
        // Between two chunks others have their turn.
        let (rest, some, count) = app.pool.run(client, admission, work).await?;
        if count == 0 {
            break;
        }
        (lines, admission) = (rest, Admission::Next);
        told.extend(some);
        check_size(told.len(), share.grow_to(of_body + told.capacity()))?;
    }
    Ok(([(header::CONTENT_TYPE, body::LINES)], told).into_response())
}

async fn search_table(app: &Arc<App>, client: Client, body: Body) -> Result<Response> {
    let Body { bytes, mut share } = body;
    let max_bytes = app.limits.body_bytes;
    let of_body = 2 * bytes.capacity();
    if !share.wait_for(of_body, app.limits.request_time / 4).await {
        return Err(Problem::full());
    }
    let read = move |_: &mut Asker, _: &dyn Progress| read_stream(&bytes, max_bytes);
    let batches = app.pool.run(client, Admission::First(Cost::Costly), read).await?;
    let mut all: Vec<AnswerRow<'static>> = Vec::new();
    let mut first = 0;
    for queries in batches {
        for begin in (0..queries.num_rows()).step_by(CHUNK) {
            let some = queries.slice(begin, CHUNK.min(queries.num_rows() - begin));
            let work = move |asker: &mut Asker, _: &dyn Progress| answer_rows(asker, &some, first + begin);
            all.extend(app.pool.run(client, Admission::Next, work).await?);
            let bytes = all.len().saturating_mul(BYTES_OF_ROW);
            check_size(bytes, share.grow_to(of_body.saturating_add(2 * bytes)))?;
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
    let stream = app.pool.run(client, Admission::Next, write).await?;
    Ok(([(header::CONTENT_TYPE, body::ARROW)], stream).into_response())
}

/// Bytes of the answers to a batch: they are held until all are there.
const MAX_ANSWER_BYTES: usize = 64 << 20;
/// Bytes of a row of a table, about.
const BYTES_OF_ROW: usize = 256;

/// Checks that answers are not too large, and that there was memory for them.
fn check_size(bytes: usize, has_memory: bool) -> Result<()> {
    if bytes > MAX_ANSWER_BYTES {
        let detail =
            format!("the answers have more than {} bytes: ask less at a time", thousands(MAX_ANSWER_BYTES as u64));
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail));
    }
    if has_memory { Ok(()) } else { Err(Problem::full()) }
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
