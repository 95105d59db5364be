//! Routes for operators: health, readiness, numbers, and the document of the interface.

use super::responses::Health;
use crate::problem::{Refusals, Result};
use crate::state::App;
use crate::work::WriterThread;
use axum::Json as Reply;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use std::sync::Arc;

/// Liveness: the process answers.
#[utoipa::path(
    get, path = "/healthz", tag = "service", operation_id = "health",
    responses((status = 200, body = Health), Refusals)
)]
pub(super) async fn health() -> Reply<Health> {
    Reply(Health { status: "ok" })
}

/// Readiness: the server answers questions, and makes changes if it may.
#[utoipa::path(
    get, path = "/readyz", tag = "service", operation_id = "readiness",
    responses((status = 200, body = Health), Refusals)
)]
pub(super) async fn ready(State(app): State<Arc<App>>) -> Result<Reply<Health>> {
    app.check_ready().await.map(|()| Reply(Health { status: "ready" }))
}

/// Numbers for Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "service", operation_id = "metrics",
    responses((status = 200, body = String, content_type = "application/openmetrics-text"), Refusals),
    security((), ("token" = []))
)]
pub(super) async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let waiting = [app.pool.waiting(), app.writer.as_ref().map_or(0, WriterThread::waiting)];
    let in_flight_bytes = app.memory.used_bytes() + app.workspace.used_bytes();
    let text = app.metrics.encoded(app.index.view().len(), waiting, in_flight_bytes);
    ([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text)
}

/// The document of the interface.
pub(super) async fn interface(document: String) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], document)
}
