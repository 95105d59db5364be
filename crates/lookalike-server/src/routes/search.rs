//! Searches.

use super::requests::{SearchRequest, checked_id};
use super::responses::{AnswerJson, SearchResponse};
use crate::access::{Client, client_of};
use crate::body::{
    self, Body, BodyKind, BodyLines, Json, Written, parse_for, read_stream, text_at, unsupported_type, write_stream,
};
use crate::memory::{EXPANSION, Permit, SMALL};
use crate::problem::{HttpProblem, Refusals, Result};
use crate::state::App;
use crate::work::{Admission, Cost};
use arrow_array::RecordBatch;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use lookalike::ask::{Asker, IndexQuestion, RawContent, answers_batch};
use lookalike::{
    Progress,
    doors::thousands,
    rows::{AnswerFields, AnswerRow},
};
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
            (SearchResponse = "application/json"),
            (SearchResponse = "application/x-ndjson"),
            (Vec<u8> = "application/vnd.apache.arrow.stream")
        )),
        Refusals
    ),
    security((), ("token" = []))
)]
pub(super) async fn search(State(app): State<Arc<App>>, request: Request) -> Result<Response> {
    let expected = || unsupported_type(&format!("application/json, {} or {}", body::LINES, body::ARROW));
    let kind = BodyKind::from_headers(request.headers()).ok_or_else(expected)?;
    let client = client_of(request.extensions());
    let body = Body::read(request, &app).await?;
    match kind {
        BodyKind::Json => {
            let Json { object, held, cost } = parse_for(&app, client, body).await?;
            let share = app.memory.share(client);
            let work = move |asker: &mut Asker, _: &dyn Progress| {
                let found = answer(asker, object)?;
                drop(held);
                Written::json(&found, share)
            };
            Ok(app.pool.run(client, Admission::First(cost), work).await?.into_response())
        }
        BodyKind::Lines => search_lines(&app, client, body).await,
        BodyKind::Arrow => search_table(&app, client, body).await,
    }
}

fn answer(asker: &mut Asker, mut request: SearchRequest) -> Result<SearchResponse> {
    let content = request.content()?;
    let question = request.question()?;
    let rows = match (content, &request.id) {
        (None, Some(id)) => asker.search_id(checked_id(id)?, &question)?.ok_or_else(HttpProblem::no_document)?,
        (Some(content), _) => {
            let rows = asker.search("", &content, &question)?;
            if rows.is_empty() && asker.size(&content)? == 0 {
                return Err(HttpProblem::nothing_compared());
            }
            rows
        }
        (None, None) => Vec::new(),
    };
    Ok(SearchResponse { answers: rows.into_iter().map(AnswerJson).collect() })
}

async fn search_lines(app: &Arc<App>, client: Client, body: Body) -> Result<Response> {
    let Body { bytes, share } = body;
    let written = Written::new(body::LINES, app.memory.share(client));
    let mut state = (BodyLines::new(bytes), written, share);
    let mut admission = Admission::First(Cost::Costly);
    loop {
        let permit = chunk_permit(app, client, state.0.next_bytes(CHUNK)).await?;
        let work = move |asker: &mut Asker, progress: &dyn Progress| {
            let (mut lines, mut written, share) = state;
            let some = lines.next_objects::<SearchRequest>(CHUNK)?;
            let is_last = some.is_empty();
            for (line, request) in some {
                if progress.is_cancelled() {
                    return Err(HttpProblem::stopping());
                }
                let found = match answer(asker, request) {
                    // A text of which nothing is compared is near to nothing.
                    Err(problem) if problem == HttpProblem::nothing_compared() => {
                        SearchResponse { answers: Vec::new() }
                    }
                    other => other.map_err(|problem| problem.of_line(line))?,
                };
                written.push_json(&found)?;
                written.push(b"\n")?;
                check_size(written.len())?;
            }
            drop(permit);
            Ok(((lines, written, share), is_last))
        };
        // Between two chunks others have their turn.
        let (rest, is_last) = app.pool.run(client, admission, work).await?;
        state = rest;
        admission = Admission::Next;
        if is_last {
            return Ok(state.1.into_response());
        }
    }
}

/// A permit for the questions of a chunk with so many bytes, while they are parsed and answered; `None` for few bytes.
async fn chunk_permit(app: &App, client: Client, bytes: usize) -> Result<Option<Permit>> {
    if bytes <= SMALL {
        return Ok(None);
    }
    app.permit(client, bytes.saturating_mul(EXPANSION)).await.map(Some)
}

async fn search_table(app: &Arc<App>, client: Client, body: Body) -> Result<Response> {
    let Body { bytes, share } = body;
    let max_bytes = app.limits.body_bytes;
    // The body, its columns, and as many bytes of strings that views name.
    let permit = app.permit(client, bytes.len().saturating_mul(3)).await?;
    let read = move |_: &mut Asker, _: &dyn Progress| {
        let batches = read_stream(&bytes, max_bytes);
        drop(permit);
        // The columns take as much as the body did.
        batches.map(|batches| (batches, share))
    };
    let (batches, mut share) = app.pool.run(client, Admission::First(Cost::Costly), read).await?;
    let of_body = share.bytes();
    let mut all: Vec<AnswerRow<'static>> = Vec::new();
    let mut first = 0;
    for queries in batches {
        for begin in (0..queries.num_rows()).step_by(CHUNK) {
            let some = queries.slice(begin, CHUNK.min(queries.num_rows() - begin));
            let permit = chunk_permit(app, client, text_bytes(&some)?).await?;
            let work = move |asker: &mut Asker, progress: &dyn Progress| {
                let found = answer_rows(asker, &some, first + begin, progress);
                drop(permit);
                found
            };
            all.extend(app.pool.run(client, Admission::Next, work).await?);
            let bytes = all.len().saturating_mul(BYTES_OF_ROW);
            check_size(bytes)?;
            // The rows, their columns, and the stream.
            if bytes > SMALL && !share.grow_to(of_body.saturating_add(3 * bytes)) {
                return Err(HttpProblem::full());
            }
        }
        first += queries.num_rows();
    }
    let settings = app.index.settings();
    let figure = settings.storage.figure(settings.measure);
    let fields = if settings.fields.is_empty() { AnswerFields::Absent } else { AnswerFields::Present };
    let write = move |_: &mut Asker, _: &dyn Progress| {
        let batch = answers_batch(&all, figure, fields).map_err(|error| HttpProblem::fault(&error))?;
        drop(all);
        Written::whole(body::ARROW, write_stream(&batch)?, share)
    };
    Ok(app.pool.run(client, Admission::Next, write).await?.into_response())
}

/// Bytes of the answers to a batch: they are held until all are there.
const MAX_ANSWER_BYTES: usize = 64 << 20;
/// Bytes of a row of a table, about.
const BYTES_OF_ROW: usize = 256;

/// Checks that answers are not too large.
fn check_size(bytes: usize) -> Result<()> {
    if bytes > MAX_ANSWER_BYTES {
        let detail =
            format!("the answers have more than {} bytes: ask less at a time", thousands(MAX_ANSWER_BYTES as u64));
        return Err(HttpProblem::new(StatusCode::PAYLOAD_TOO_LARGE, detail));
    }
    Ok(())
}

/// Bytes of the texts of a batch.
fn text_bytes(queries: &RecordBatch) -> Result<usize> {
    let bytes = |row| Ok(text_at(queries, "text", row)?.map_or(0, str::len));
    (0..queries.num_rows()).map(bytes).sum()
}

/// The answers to the texts of a batch, of which the first is the row `first` of all.
fn answer_rows(
    asker: &mut Asker,
    queries: &RecordBatch,
    first: usize,
    progress: &dyn Progress,
) -> Result<Vec<AnswerRow<'static>>> {
    let question = IndexQuestion { limit: NonZeroUsize::new(10), ..IndexQuestion::default() };
    let mut all = Vec::new();
    for row in 0..queries.num_rows() {
        let number = first + row;
        if progress.is_cancelled() {
            return Err(HttpProblem::stopping());
        }
        let text = text_at(queries, "text", row)?
            .ok_or_else(|| HttpProblem::bad(format!("row {number} has no string in the column `text`")))?;
        let id = text_at(queries, "id", row)?.map_or_else(|| number.to_string(), str::to_owned);
        let found = asker.search(&id, &RawContent::Text(text.to_owned()), &question)?;
        all.extend(found.into_iter().map(|answer| AnswerRow { rows: [Some(number as u64), None], ..answer }));
    }
    Ok(all)
}
