//! The interface: a file for each kind of request.
//!
//! ```text
//! requests    bodies and queries                responses   bodies of answers
//! documents   put, get, delete, batches, insert     search    by text, by items, by id; batches
//! passages    sources of a text; two texts compared
//! corpus      what the index is; families; the survey
//! service     health, readiness, numbers, the document of the interface
//! page        the page at / and what it loads
//! ```

mod corpus;
mod documents;
mod page;
mod passages;
mod requests;
mod responses;
mod search;
mod service;

use crate::access::AccessRights;
use crate::guard;
use crate::problem::HttpProblem;
use crate::state::App;
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::Response;
use std::sync::Arc;
use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The head of the document of the interface; routes add themselves.
#[derive(OpenApi)]
#[openapi(info(
    title = "lookalike",
    description = "Near-duplicate documents of a stored index, verified. Errors are one sentence in \
                   application/problem+json. Writing needs a token in any case, reading unless the server listens on \
                   loopback."
))]
struct Interface;

/// The router of all routes.
///
/// ```
/// use lookalike::index::{Durability, IndexWriter, Settings};
/// use lookalike::{Features, Measure, Method};
/// use lookalike_server::{App, Config, app};
/// use std::sync::Arc;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("idx");
/// let settings = Settings::new(Features::default(), Measure::default(), Method::Exact);
/// IndexWriter::create(&path, settings, Durability::Process)?;
/// let state = Arc::new(App::start(&Config::new(path, "127.0.0.1:8080".parse()?))?);
/// let router = app(&state);
/// # drop(router);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn app(state: &Arc<App>) -> Router {
    let readers = from_fn_with_state((Arc::clone(state), AccessRights::Read), guard::admit);
    let reading = OpenApiRouter::new()
        .routes(routes!(documents::get))
        .routes(routes!(search::search))
        .routes(routes!(passages::sources))
        .routes(routes!(passages::compare))
        .routes(routes!(corpus::stats))
        .routes(routes!(corpus::family))
        .routes(routes!(corpus::survey))
        .routes(routes!(page::sources_part))
        .route_layer(readers.clone());
    let writing = OpenApiRouter::new()
        .routes(routes!(documents::put, documents::delete))
        .routes(routes!(documents::batch))
        .routes(routes!(documents::insert))
        .route_layer(from_fn_with_state((Arc::clone(state), AccessRights::Write), guard::admit));
    let open =
        OpenApiRouter::new().routes(routes!(service::health)).routes(routes!(service::ready)).merge(page::files());
    // Numbers tell how much there is, so they are read like the rest.
    let numbers = OpenApiRouter::new().routes(routes!(service::metrics)).route_layer(readers);
    let all =
        OpenApiRouter::with_openapi(Interface::openapi()).merge(reading).merge(writing).merge(open).merge(numbers);
    let (router, mut interface) = all.split_for_parts();
    interface.info.version = env!("CARGO_PKG_VERSION").to_owned();
    let components = interface.components.get_or_insert_default();
    components.add_security_scheme("token", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    let document = serde_json::to_string(&interface).unwrap_or_default();
    router
        .route("/openapi.json", axum::routing::get(move || service::interface(document.clone())))
        .fallback(unknown)
        .method_not_allowed_fallback(other_method)
        .layer(from_fn(refuse_long_paths))
        .layer(from_fn_with_state(Arc::clone(state), guard::guard))
        .with_state(Arc::clone(state))
}

/// Characters of a path: no id that an index takes is longer, encoded.
const MAX_PATH: usize = 16 << 10;

async fn refuse_long_paths(request: axum::extract::Request, next: axum::middleware::Next) -> Response {
    use axum::response::IntoResponse;
    if request.uri().path().len() > MAX_PATH {
        return HttpProblem::new(StatusCode::URI_TOO_LONG, "the path is too long").into_response();
    }
    next.run(request).await
}

async fn unknown() -> HttpProblem {
    HttpProblem::new(StatusCode::NOT_FOUND, "there is no such path; /openapi.json lists those that there are")
}

async fn other_method() -> HttpProblem {
    HttpProblem::new(StatusCode::METHOD_NOT_ALLOWED, "this method is not allowed for this path")
}
