//! The index: what it is, families of its documents, and all of it.

use super::requests::{FamilyQuery, Id};
use super::responses::{Members, Stats, Surveyed};
use crate::access::Client;
use crate::body::Written;
use crate::problem::{HttpProblem, Refusals, Result};
use crate::state::App;
use crate::work::{Admission, Cost, SurveyState};
use axum::Json as Reply;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use lookalike::ask::Asker;
use lookalike::index::Storage;
use lookalike::{Progress, measures::Limit};
use std::sync::Arc;

/// Settings and size of the index.
#[utoipa::path(
    get, path = "/v1/stats", tag = "corpus", operation_id = "stats",
    responses((status = 200, body = Stats), Refusals),
    security((), ("token" = []))
)]
pub(super) async fn stats(State(app): State<Arc<App>>, client: Client) -> Result<Reply<Stats>> {
    let can_change = app.writer.is_some();
    let tell = move |asker: &mut Asker, _: &dyn Progress| {
        let index = asker.index();
        let settings = index.settings();
        Ok(Stats {
            documents: index.view().len() as u64,
            bytes: index.info().bytes,
            measure: settings.measure.name().to_owned(),
            shingle: matches!(settings.features, lookalike::Features::Set { .. })
                .then(|| settings.features.shingle().size.to_string()),
            threshold: settings.measure.min_similarity(),
            max_distance: match settings.measure.limit() {
                Limit::Distance(bits) => Some(bits.into()),
                Limit::Within(distance) => Some(distance.as_f64()),
                Limit::Similarity(_) | Limit::Common(_) => None,
            },
            expected_recall: settings.expected_recall()?,
            texts: settings.texts,
            items: settings.features.are_of_items(),
            fields: settings.fields.clone(),
            estimates: settings.storage == Storage::Signatures,
            can_change,
            version: env!("CARGO_PKG_VERSION"),
        })
    };
    app.pool.run(client, Admission::First(Cost::Quick), tell).await.map(Reply)
}

/// Finds the family of a document: all that near-duplicates of near-duplicates connect with it.
#[utoipa::path(
    get, path = "/v1/families/{id}", tag = "corpus", operation_id = "family",
    params(("id" = String, Path, description = "A document", min_length = 1, max_length = 1024), FamilyQuery),
    responses((status = 200, body = Members), Refusals),
    security((), ("token" = []))
)]
pub(super) async fn family(
    State(app): State<Arc<App>>,
    client: Client,
    Id(id): Id,
    query: std::result::Result<Query<FamilyQuery>, QueryRejection>,
) -> Result<Written> {
    let Query(query) = query.map_err(|_| {
        HttpProblem::bad("the query may have `threshold`, a decimal number, and `limit`, a whole number")
    })?;
    let (question, limit) = query.question()?;
    let share = app.memory.share(client);
    let work = move |asker: &mut Asker, progress: &dyn Progress| {
        let family = asker.family(&id, &question, limit, progress)?.ok_or_else(HttpProblem::no_document)?;
        Written::json(&Members::from(family), share)
    };
    app.pool.run(client, Admission::First(Cost::Costly), work).await
}

/// Looks at the index as a whole: how many pairs have which similarity, and the largest clusters.
///
/// The first request begins to look; it may take as long as `pairs` and `clusters` over all documents.
#[utoipa::path(
    get, path = "/v1/survey", tag = "corpus", operation_id = "survey",
    responses(
        (status = 200, body = Surveyed),
        (status = 202, description = "It is being looked at: ask again after the seconds in Retry-After"),
        Refusals
    ),
    security((), ("token" = []))
)]
pub(super) async fn survey(State(app): State<Arc<App>>) -> Result<Response> {
    match app.surveys.get(&app.index) {
        SurveyState::Made { survey, age } => Ok(Reply(Surveyed::new(&survey, age.as_secs())).into_response()),
        SurveyState::Running => {
            Ok((StatusCode::ACCEPTED, [(header::RETRY_AFTER, HeaderValue::from_static("1"))]).into_response())
        }
        SurveyState::Failed => Err(HttpProblem::fault(&"the survey failed")),
    }
}
