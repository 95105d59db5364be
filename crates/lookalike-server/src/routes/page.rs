//! The page at `/`, and what it loads.

use super::requests::SourcesRequest;
use crate::access::Client;
use crate::body::{Json, Written};
use crate::problem::{Refusals, Result};
use crate::state::App;
use crate::work::{Admission, Cost};
use axum::extract::State;
use axum::http::header;
use axum::response::Html;
use axum::routing::get;
use lookalike::Progress;
use lookalike::ask::Asker;
use lookalike::pages::{self, attributed_html};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;

const PAGE: &str = include_str!("../../page/index.html");
const SCRIPT: &str = include_str!("../../page/page.js");
const STYLE: &str = include_str!("../../page/page.css");
const ICON: &str = include_str!("../../page/icon.svg");

/// Time for which browsers keep the files of the page.
const KEPT: &str = "max-age=300";

/// The page and its files; they say nothing of the index.
pub(super) fn files() -> OpenApiRouter<Arc<App>> {
    let file = |kind: &'static str, content: &'static str| {
        get(move || async move { ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, KEPT)], content) })
    };
    OpenApiRouter::new()
        .route("/", get(|| async { Html(PAGE) }))
        .route("/page.js", file("text/javascript; charset=utf-8", SCRIPT))
        .route("/page.css", file("text/css; charset=utf-8", STYLE))
        .route("/icon.svg", file("image/svg+xml", ICON))
        .route("/report.css", file("text/css; charset=utf-8", pages::STYLE))
}

/// The sources of a text as a part of the page: the text with its passages coloured, the sources beside it.
#[utoipa::path(
    post, path = "/page/sources", tag = "page", operation_id = "sources_of_page",
    request_body = SourcesRequest,
    responses((status = 200, body = String, content_type = "text/html"), Refusals),
    security((), ("token" = []))
)]
pub(super) async fn sources_part(
    State(app): State<Arc<App>>,
    client: Client,
    body: Json<SourcesRequest>,
) -> Result<Written> {
    let Json { object: body, held, .. } = body;
    let share = app.memory.share(client);
    let question = body.question()?;
    let work = move |asker: &mut Asker, progress: &dyn Progress| {
        let found = asker.sources(&body.text, &question, progress)?;
        let page = attributed_html(body.name.as_deref().unwrap_or("Your text"), &found)?;
        drop((found, body, held));
        Written::whole("text/html; charset=utf-8", page.into_bytes(), share)
    };
    app.pool.run(client, Admission::First(Cost::Costly), work).await
}
