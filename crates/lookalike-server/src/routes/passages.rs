//! Sources of a text, and two texts compared.

use super::asked::{CompareRequest, ComparedSide, SourcesRequest, checked_id};
use super::told::{CommonPassage, Comparison, Places, Sources};
use crate::body::Json;
use crate::problem::{Problem, Refusals, Result};
use crate::state::App;
use crate::work::Admission;
use axum::Json as Told;
use axum::extract::State;
use axum::http::StatusCode;
use lookalike::live::Asker;
use lookalike::{ComparedAs, ComparedDocument, Comparing, jobs};
use std::sync::Arc;

/// Finds the sources of a text among the documents that are near to it, with the passages that stand in both.
///
/// The index must store texts. Documents that are less near than the index was made for are not looked at.
#[utoipa::path(
    post, path = "/v1/sources", tag = "passages", operation_id = "find_sources",
    request_body = SourcesRequest,
    responses((status = 200, body = Sources), Refusals),
    security((), ("token" = []))
)]
pub(super) async fn sources(State(app): State<Arc<App>>, Json(body): Json<SourcesRequest>) -> Result<Told<Sources>> {
    let question = body.question()?;
    let work = move |asker: &mut Asker| Ok(asker.sources(&body.text, &question)?);
    app.pool.run(Admission::Refused, work).await.map(|found| Told(found.into()))
}

/// Compares two documents as the index compares them: texts, or documents whose texts it stores.
#[utoipa::path(
    post, path = "/v1/compare", tag = "passages", operation_id = "compare",
    request_body = CompareRequest,
    responses((status = 200, body = Comparison), Refusals),
    security((), ("token" = []))
)]
pub(super) async fn compare(State(app): State<Arc<App>>, Json(body): Json<CompareRequest>) -> Result<Told<Comparison>> {
    app.pool.run(Admission::Refused, move |asker| compared(asker, body)).await.map(Told)
}

fn compared(asker: &Asker, asked: CompareRequest) -> Result<Comparison> {
    let settings = asker.index().settings();
    if settings.features.are_of_items() || settings.features.width().is_some() {
        return Err(Problem::new(StatusCode::CONFLICT, "the index is none of texts"));
    }
    let sides = [text_of(asker, asked.left)?, text_of(asker, asked.right)?];
    let comparing = Comparing {
        sides: sides.map(ComparedDocument::Text),
        features: settings.features.clone(),
        measure: Some(settings.measure),
        ..Comparing::default()
    };
    let found = jobs::compare(&comparing)?;
    let verdict = found.verdict.map(|(_, verdict)| verdict);
    let mut told = Comparison {
        similarity: verdict.map_or(0.0, |verdict| verdict.similarity),
        reason: verdict.and_then(|verdict| verdict.reason).map(|reason| reason.name()),
        elements: [0; 3],
        passages: Vec::new(),
        differences: Vec::new(),
    };
    if let ComparedAs::Sets(sets) = found.found {
        let comparison = &sets.comparison;
        let places = |left: std::ops::Range<usize>, right: std::ops::Range<usize>| Places {
            left_start: left.start,
            left_end: left.end,
            right_start: right.start,
            right_end: right.end,
        };
        told.elements = [comparison.left.elements, comparison.right.elements, comparison.overlap.common];
        let passages = comparison.passages.iter();
        told.passages = passages
            .map(|it| CommonPassage { tokens: it.tokens, places: places(it.left.bytes(), it.right.bytes()) })
            .collect();
        let differences = comparison.differences.iter();
        told.differences = differences.map(|it| places(it.left.clone(), it.right.clone())).collect();
    }
    Ok(told)
}

fn text_of(asker: &Asker, side: ComparedSide) -> Result<String> {
    match (side.text, side.id) {
        (Some(text), None) => Ok(text),
        (None, Some(id)) if asker.index().settings().texts => {
            let view = asker.index().view();
            let place = view.find(checked_id(&id)?).ok_or_else(Problem::no_document)?;
            Ok(view.text(place)?)
        }
        (None, Some(_)) => Err(Problem::new(StatusCode::CONFLICT, "the index stores no texts: give both")),
        _ => Err(Problem::bad("each side has one of `text` and `id`")),
    }
}
