//! Sources of a text, and two texts compared.

use super::requests::{CompareRequest, ComparedSide, SourcesRequest, checked_id};
use super::responses::{CompareResponse, RangesJson, SharedPassageJson, SourcesResponse};
use crate::access::Client;
use crate::body::{Json, Written};
use crate::problem::{HttpProblem, Refusals, Result};
use crate::state::App;
use crate::work::{Admission, Cost};
use axum::extract::State;
use axum::http::StatusCode;
use lookalike::ask::Asker;
use lookalike::{
    Progress,
    doors::thousands,
    evidence::{ComparedAs, ComparedDocument, Comparing, Passage, TextDifference},
    jobs,
    measures::Weights,
};
use std::sync::Arc;

/// Bytes of a text that is compared with another, word by word.
const MAX_COMPARED_BYTES: usize = 2 << 20;

/// Finds the sources of a text among the documents that are near to it, with the passages that stand in both.
///
/// The index must store texts. Documents that are less near than the index was made for are not looked at.
#[utoipa::path(
    post, path = "/v1/sources", tag = "passages", operation_id = "find_sources",
    request_body = SourcesRequest,
    responses((status = 200, body = SourcesResponse), Refusals),
    security((), ("token" = []))
)]
pub(super) async fn sources(
    State(app): State<Arc<App>>,
    client: Client,
    body: Json<SourcesRequest>,
) -> Result<Written> {
    let Json { object, held, .. } = body;
    let question = object.question()?;
    let share = app.memory.share(client);
    let work = move |asker: &mut Asker, progress: &dyn Progress| {
        let found = asker.sources(&object.text, &question, progress)?;
        drop((object, held));
        Written::json(&SourcesResponse::from(found), share)
    };
    app.pool.run(client, Admission::First(Cost::Costly), work).await
}

/// Compares two documents as the index compares them: texts, or documents whose texts it stores.
#[utoipa::path(
    post, path = "/v1/compare", tag = "passages", operation_id = "compare",
    request_body = CompareRequest,
    responses((status = 200, body = CompareResponse), Refusals),
    security((), ("token" = []))
)]
pub(super) async fn compare(
    State(app): State<Arc<App>>,
    client: Client,
    body: Json<CompareRequest>,
) -> Result<Written> {
    let Json { object, held, .. } = body;
    let share = app.memory.share(client);
    let work = move |asker: &mut Asker, progress: &dyn Progress| {
        let found = compared(asker, object, progress)?;
        drop(held);
        Written::json(&found, share)
    };
    app.pool.run(client, Admission::First(Cost::Costly), work).await
}

fn compared(asker: &Asker, request: CompareRequest, progress: &dyn Progress) -> Result<CompareResponse> {
    let settings = asker.index().settings();
    if settings.features.are_of_items() || !matches!(settings.features, lookalike::Features::Set { .. }) {
        return Err(HttpProblem::new(StatusCode::CONFLICT, "the index is none of texts"));
    }
    if settings.measure.weighted().is_some_and(|cosine| cosine.weights == Weights::TfIdf) {
        return Err(HttpProblem::new(
            StatusCode::CONFLICT,
            "the index weighs terms by all its documents: search by id",
        ));
    }
    let sides = [text_of(asker, request.left)?, text_of(asker, request.right)?];
    if sides.iter().any(|text| text.len() > MAX_COMPARED_BYTES) {
        let detail = format!("texts of more than {} bytes are not compared", thousands(MAX_COMPARED_BYTES as u64));
        return Err(HttpProblem::new(StatusCode::PAYLOAD_TOO_LARGE, detail));
    }
    let comparing = Comparing {
        sides: sides.map(ComparedDocument::Text),
        features: settings.features.clone(),
        measure: Some(settings.measure),
        ..Comparing::default()
    };
    let found = jobs::compare_while(&comparing, &|| !progress.is_cancelled())?;
    let verdict = found.verdict.map(|(_, verdict)| verdict);
    let mut response = CompareResponse {
        similarity: verdict.map_or(0.0, |verdict| verdict.similarity),
        reason: verdict.and_then(|verdict| verdict.reason).map(|reason| reason.name()),
        elements: None,
        passages: None,
        differences: None,
    };
    if let ComparedAs::Sets(sets) = found.found {
        let comparison = &sets.comparison;
        let places = |left: std::ops::Range<usize>, right: std::ops::Range<usize>| RangesJson {
            left_start: left.start,
            left_end: left.end,
            right_start: right.start,
            right_end: right.end,
        };
        let passage =
            |it: &Passage| SharedPassageJson { tokens: it.tokens, places: places(it.left.bytes(), it.right.bytes()) };
        let difference = |it: &TextDifference| places(it.left.clone(), it.right.clone());
        response.elements = Some([comparison.left.elements, comparison.right.elements, comparison.overlap.common]);
        response.passages = Some(comparison.passages.iter().map(passage).collect());
        response.differences = Some(comparison.differences.iter().map(difference).collect());
    }
    Ok(response)
}

fn text_of(asker: &Asker, side: ComparedSide) -> Result<String> {
    match (side.text, side.id) {
        (Some(text), None) => Ok(text),
        (None, Some(id)) if asker.index().settings().texts => {
            let view = asker.index().view();
            let place = view.find(checked_id(&id)?).ok_or_else(HttpProblem::no_document)?;
            Ok(view.text(place)?)
        }
        (None, Some(_)) => Err(HttpProblem::new(StatusCode::CONFLICT, "the index stores no texts: give both")),
        _ => Err(HttpProblem::bad("each side has one of `text` and `id`")),
    }
}
