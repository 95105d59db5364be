//! Documents that come and go.

use super::requests::{BatchDocument, DocumentBody, Id, InsertRequest, checked_id};
use super::responses::{AnswerJson, BatchPut, InsertResponse, PutResponse, StoredDocument};
use crate::access::{Client, client_of};
use crate::body::{self, Body, BodyKind, BodyLines, Json, Written, read_stream, text_at, unsupported_type};
use crate::memory::{EXPANSION, MemoryShare, SMALL};
use crate::problem::{HttpProblem, Refusals, Result};
use crate::state::App;
use crate::work::{Admission, Cost, Edit, Edits, QueuedInsertion, WriterThread};
use arrow_array::RecordBatch;
use arrow_schema::Schema;
use axum::Json as Reply;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use lookalike::ask::{Asker, NewDocument};
use lookalike::index::{self, IndexDocument};
use lookalike::jobs::{Found, IndexChange, add_to_open_index};
use lookalike::{
    Data, InMemory, Progress, Resources, Silent,
    inputs::MemoryTable,
    measures::Overlap,
    rows::{AnswerRow, Figures, Verified},
};
use std::collections::HashSet;
use std::sync::Arc;

/// Documents that are made ready at a time.
const CHUNK: usize = 64;

/// Reads a document of the index.
#[utoipa::path(
    get, path = "/v1/documents/{id}", tag = "documents", operation_id = "get_document",
    params(("id" = String, Path, description = "Its id", min_length = 1, max_length = 1024)),
    responses((status = 200, body = StoredDocument), Refusals),
    security((), ("token" = []))
)]
pub(super) async fn get(State(app): State<Arc<App>>, client: Client, Id(id): Id) -> Result<Written> {
    let share = app.memory.share(client);
    let look = move |asker: &mut Asker, _: &dyn Progress| match text_bytes(asker, &id)? {
        bytes if bytes > SMALL => Ok(DocumentAnswer::Large { id, share, bytes }),
        _ => Written::json(&stored(asker, &id)?, share).map(DocumentAnswer::Reply),
    };
    match app.pool.run(client, Admission::First(Cost::Quick), look).await? {
        DocumentAnswer::Reply(written) => Ok(written),
        // It is no quick question: others that are do not wait for it.
        DocumentAnswer::Large { id, share, bytes } => {
            let permit = app.permit(client, bytes).await?;
            let tell = move |asker: &mut Asker, _: &dyn Progress| {
                let written = Written::json(&stored(asker, &id)?, share);
                drop(permit);
                written
            };
            app.pool.run(client, Admission::First(Cost::Costly), tell).await
        }
    }
}

/// A document as JSON; or what the JSON of one with a large text takes.
enum DocumentAnswer {
    Reply(Written),
    Large { id: String, share: MemoryShare, bytes: usize },
}

/// Bytes of the text of a document, about; 0 of one whose text is not in the answer.
fn text_bytes(asker: &Asker, id: &str) -> Result<usize> {
    let view = asker.index().view();
    let place = view.find(id).ok_or_else(HttpProblem::no_document)?;
    let characters = if asker.index().settings().texts { view.facts(place).characters } else { 0 };
    Ok(usize::try_from(characters).unwrap_or(usize::MAX).saturating_mul(2))
}

fn stored(asker: &Asker, id: &str) -> Result<StoredDocument> {
    let index = asker.index();
    let view = index.view();
    let place = view.find(id).ok_or_else(HttpProblem::no_document)?;
    let facts = view.facts(place);
    let mut found = StoredDocument::new(id, view.size(place), facts.characters);
    found.expires = facts.expires();
    if !index.settings().fields.is_empty() {
        found = found.with_fields(view.fields(place));
    }
    if index.settings().texts {
        found.text = Some(view.text(place)?);
    }
    Ok(found)
}

/// Puts a document into the index, in place of one with the same id.
#[utoipa::path(
    put, path = "/v1/documents/{id}", tag = "documents", operation_id = "put_document",
    params(("id" = String, Path, description = "Its id", min_length = 1, max_length = 1024)),
    request_body = DocumentBody,
    responses(
        (status = 200, description = "It came in place of another", body = PutResponse),
        (status = 201, description = "It is new", body = PutResponse),
        Refusals
    ),
    security(("token" = []))
)]
pub(super) async fn put(
    State(app): State<Arc<App>>,
    client: Client,
    Id(id): Id,
    body: Json<DocumentBody>,
) -> Result<(StatusCode, Reply<PutResponse>)> {
    let Json { object, held, cost } = body;
    let new = object.named(id).document(app.index.settings())?;
    let make = move |asker: &mut Asker, _: &dyn Progress| Ok((prepared(asker, new)?, held));
    let (document, held) = app.pool.run(client, Admission::First(cost), make).await?;
    let edits = Edits { edits: vec![Edit::Put(document)], held };
    let replaced = writer(&app)?.edit(edits).await?.contains(&true);
    let status = if replaced { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Reply(PutResponse { replaced })))
}

/// Removes a document from the index.
#[utoipa::path(
    delete, path = "/v1/documents/{id}", tag = "documents", operation_id = "delete_document",
    params(("id" = String, Path, description = "Its id", min_length = 1, max_length = 1024)),
    responses((status = 204, description = "It is gone"), Refusals),
    security(("token" = []))
)]
pub(super) async fn delete(State(app): State<Arc<App>>, Id(id): Id) -> Result<StatusCode> {
    let was_there = writer(&app)?.edit(Edits { edits: vec![Edit::Delete(id)], held: None }).await?;
    if was_there.contains(&true) { Ok(StatusCode::NO_CONTENT) } else { Err(HttpProblem::no_document()) }
}

/// Puts many documents into the index, all or none.
///
/// A JSON object on each line, or a stream of Arrow IPC with the columns `id` and `text` and those of the fields that
/// the index stores.
#[utoipa::path(
    post, path = "/v1/documents", tag = "documents", operation_id = "put_documents",
    request_body(content(
        (BatchDocument = "application/x-ndjson"),
        (Vec<u8> = "application/vnd.apache.arrow.stream")
    )),
    responses((status = 200, body = BatchPut), Refusals),
    security(("token" = []))
)]
pub(super) async fn batch(State(app): State<Arc<App>>, request: Request) -> Result<Reply<BatchPut>> {
    let kind = BodyKind::from_headers(request.headers());
    if !matches!(kind, Some(BodyKind::Lines | BodyKind::Arrow)) {
        return Err(unsupported_type(&format!("{} or {}", body::LINES, body::ARROW)));
    }
    let client = client_of(request.extensions());
    let read = Body::read(request, &app).await?;
    match kind {
        Some(BodyKind::Arrow) => put_table(&app, client, read).await,
        _ => put_lines(&app, client, read).await,
    }
    .map(Reply)
}

async fn put_lines(app: &Arc<App>, client: Client, body: Body) -> Result<BatchPut> {
    let Body { bytes, share } = body;
    // What is parsed at a time, and the documents that are made of all.
    let permit = app.permit(client, bytes.len().saturating_mul(EXPANSION)).await?;
    let mut state = (BodyLines::new(bytes), Vec::new(), permit, share);
    let mut admission = Admission::First(Cost::Costly);
    loop {
        let index = app.index.clone();
        let make = move |asker: &mut Asker, _: &dyn Progress| {
            let (mut lines, mut edits, permit, share) = state;
            let given = lines.next_objects::<BatchDocument>(CHUNK)?;
            let is_last = given.is_empty();
            for (line, document) in given {
                let new = document.document(index.settings());
                let document = new.and_then(|new| prepared(asker, new)).map_err(|problem| problem.of_line(line))?;
                edits.push(Edit::Put(document));
            }
            Ok(((lines, edits, permit, share), is_last))
        };
        // Between two chunks others have their turn.
        let (rest, is_last) = app.pool.run(client, admission, make).await?;
        state = rest;
        admission = Admission::Next;
        if is_last {
            break;
        }
    }
    let (_, edits, permit, _) = state;
    if edits.is_empty() {
        return Ok(BatchPut { documents: 0, replaced: 0 });
    }
    let replaced = writer(app)?.edit(Edits { edits, held: Some(permit) }).await?;
    Ok(BatchPut {
        documents: replaced.len() as u64,
        replaced: replaced.iter().filter(|&&was_there| was_there).count() as u64,
    })
}

async fn put_table(app: &Arc<App>, client: Client, body: Body) -> Result<BatchPut> {
    let features = &app.index.settings().features;
    if features.are_of_items() || *features == lookalike::Features::Vector {
        return Err(HttpProblem::bad("an index of items or vectors takes JSON lines"));
    }
    let max_bytes = app.limits.body_bytes;
    let Body { bytes, share } = body;
    // Its columns, and the documents that are made of them.
    let permit = app.permit(client, bytes.len().saturating_mul(EXPANSION)).await?;
    let read = move |_: &mut Asker, _: &dyn Progress| {
        let batches = read_stream(&bytes, max_bytes)?;
        check_ids(&batches)?;
        drop(bytes);
        drop(share);
        let schema = batches.first().map_or_else(|| Arc::new(Schema::empty()), |batch| batch.schema());
        let table = MemoryTable::new(schema, batches);
        let table = table.map_err(|_| HttpProblem::bad("the batches of the stream differ in their columns"))?;
        Ok((table, permit))
    };
    let (table, permit) = app.pool.run(client, Admission::First(Cost::Costly), read).await?;
    let add = move |writer: &mut index::IndexWriter| {
        let data = Data { inputs: Some(InMemory::Table(table)), references: None };
        let change = IndexChange::default();
        let report = add_to_open_index(writer, &change, &data, &Resources::default(), &Silent).map_err(not_read)?;
        drop(permit);
        match report.found {
            Found::Index { counts, .. } => Ok(BatchPut { documents: counts.added, replaced: counts.replaced }),
            _ => Ok(BatchPut { documents: 0, replaced: 0 }),
        }
    };
    writer(app)?.run(add).await
}

/// Checks that each row has an id of its own, and a text.
fn check_ids(batches: &[RecordBatch]) -> Result<()> {
    let mut known = HashSet::new();
    for batch in batches {
        for row in 0..batch.num_rows() {
            let number = known.len();
            let missing = |name| HttpProblem::bad(format!("row {number} has no string in the column `{name}`"));
            let id = text_at(batch, "id", row)?.ok_or_else(|| missing("id"))?;
            checked_id(id).map_err(|problem| HttpProblem::bad(format!("row {number}: {}", problem.detail)))?;
            text_at(batch, "text", row)?.ok_or_else(|| missing("text"))?;
            if !known.insert(id) {
                return Err(HttpProblem::bad(format!("row {number} has the id of an earlier one")));
            }
        }
    }
    Ok(())
}

/// Errors in a table are answered by row and column; all other errors are faults of the server.
fn not_read(error: lookalike::Error) -> HttpProblem {
    match error {
        lookalike::Error::Io(error) => HttpProblem::bad(error.to_string()),
        other => other.into(),
    }
}

/// Puts a document into the index unless another is near, in one step: of two equal ones that come at the same time one
/// is added.
#[utoipa::path(
    post, path = "/v1/insert", tag = "documents", operation_id = "insert_document",
    request_body = InsertRequest,
    responses(
        (status = 200, description = "Another is near: it was not added", body = InsertResponse),
        (status = 201, description = "It was added", body = InsertResponse),
        Refusals
    ),
    security(("token" = []))
)]
pub(super) async fn insert(State(app): State<Arc<App>>, client: Client, body: Json<InsertRequest>) -> Result<Response> {
    let Json { object, held, cost } = body;
    let (document, near) = object.parts()?;
    let new = document.document(app.index.settings())?;
    let ready = move |asker: &mut Asker, _: &dyn Progress| {
        Ok(QueuedInsertion { measure: asker.measure_of(&near)?, document: prepared(asker, new)?, held })
    };
    let insertion = app.pool.run(client, Admission::First(cost), ready).await?;
    let measure = insertion.measure;
    let inserted = writer(&app)?.insert(insertion).await?;
    Ok(match inserted {
        index::Inserted::Added { replaced } => {
            (StatusCode::CREATED, Reply(InsertResponse { added: true, replaced, near: None })).into_response()
        }
        index::Inserted::Near { id, answer, reason } => {
            let containments = answer.found.overlap().map(Overlap::containments);
            let interval = answer.found.interval();
            let verified = Verified { similarity: answer.similarity, containments, interval };
            let near = AnswerRow::new("", 1, &id, Figures::new(measure.figure(), verified), reason);
            let near = AnswerJson(near.into_owned());
            (StatusCode::OK, Reply(InsertResponse { added: false, replaced: false, near: Some(near) })).into_response()
        }
    })
}

/// A document as the index stores it; one of which nothing is compared is refused.
fn prepared(asker: &mut Asker, new: NewDocument) -> Result<IndexDocument> {
    let document = asker.document(new)?;
    if document.elements.is_empty() {
        return Err(HttpProblem::nothing_compared());
    }
    // In a commit it would be the end of all that are committed with it.
    if !asker.index().can_weigh(&document) {
        return Err(HttpProblem::bad("the document has counts that are too large to be weighed"));
    }
    Ok(document)
}

fn writer(app: &App) -> Result<&WriterThread> {
    app.writer.as_ref().ok_or_else(HttpProblem::not_allowed)
}
