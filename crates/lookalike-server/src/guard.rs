//! Checks and headers around every route.
//!
//! ```text
//! request id -> host and origin -> time limit -> [token -> route] -> headers for browsers -> log, numbers
//! ```
//!
//! The log tells route, status and time of a request, and neither its path nor anything of its body.

use crate::access::{AccessRights, Client, Peer, TokenNumber};
use crate::problem::{Fault, HttpProblem};
use crate::state::App;
use axum::body::HttpBody;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Characters of an id that a client gives.
const MAX_ID: usize = 64;

/// Resources that the page of the server may load: its own style and script, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Around all routes.
pub(crate) async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let start = Instant::now();
    let id = request_id(&app, request.headers());
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map_or(NO_ROUTE, MatchedPath::as_str).to_owned();
    let has_body = !request.body().is_end_stream();
    let token = token(&app, &request);
    let client = client(token, &request);
    request.extensions_mut().insert(client);
    request.extensions_mut().insert(token);
    let checked = app.origins.check(request.headers(), request.uri());
    let origin = request.headers().get(header::ORIGIN).filter(|origin| app.origins.allows(origin)).cloned();
    let is_preflight = method == Method::OPTIONS && origin.is_some();
    let mut response = match checked {
        Err(refused) => refused.into_response(),
        Ok(()) if is_preflight => StatusCode::NO_CONTENT.into_response(),
        Ok(()) => match tokio::time::timeout(app.limits.request_time, next.run(request)).await {
            Ok(response) => response,
            Err(_) => late().into_response(),
        },
    };
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, HeaderValue::from_str(&id).unwrap_or(HeaderValue::from_static("none")));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    match origin {
        None => {
            headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
        }
        Some(origin) => {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::VARY, HeaderValue::from_static("Origin"));
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, PUT, DELETE"));
            let allowed = HeaderValue::from_static("Authorization, Content-Type, X-Request-Id");
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
        }
    }
    let status = response.status();
    let time = start.elapsed();
    if has_body && is_before_the_body(status, &route) {
        // The rest of the body would be taken for the next request, so the connection ends, which the client is told.
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    app.metrics.answered(&route, status, time);
    let milliseconds = time.as_micros() as f64 / 1000.0;
    if let Some(Fault(cause)) = response.extensions_mut().remove() {
        tracing::error!(request_id = %id, cause, "a request met a fault");
    }
    tracing::info!(request_id = %id, %method, route, status = status.as_u16(), milliseconds, "answered");
    response
}

/// A token of the server, as an extension of the requests that bring it.
#[derive(Debug, Clone, Copy)]
struct ClientToken {
    access: AccessRights,
    number: TokenNumber,
}

/// The token of the server that a request brings.
fn token(app: &App, request: &Request) -> Option<ClientToken> {
    let given = request.headers().get(header::AUTHORIZATION)?.to_str().ok()?;
    let (access, number) = app.tokens.find(bearer(given)?)?;
    Some(ClientToken { access, number })
}

/// Who asks: the holder of a token of the server, or an address.
fn client(token: Option<ClientToken>, request: &Request) -> Client {
    let address = || request.extensions().get::<Peer>().map(|peer| peer.0);
    token.map_or_else(|| Client::Unknown(address()), |token| Client::Known(token.number))
}

/// The token in the header Authorization.
fn bearer(given: &str) -> Option<&str> {
    let (scheme, token) = given.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// True if a request with this answer was refused before its body was read.
fn is_before_the_body(status: StatusCode, route: &str) -> bool {
    match status {
        StatusCode::UNAUTHORIZED
        | StatusCode::FORBIDDEN
        | StatusCode::METHOD_NOT_ALLOWED
        | StatusCode::PAYLOAD_TOO_LARGE
        | StatusCode::URI_TOO_LONG
        | StatusCode::UNSUPPORTED_MEDIA_TYPE
        | StatusCode::MISDIRECTED_REQUEST => true,
        StatusCode::NOT_FOUND => route == NO_ROUTE,
        _ => false,
    }
}

/// Route in the log of a path that is none.
const NO_ROUTE: &str = "none";

/// Around routes that need a kind of access.
pub(crate) async fn admit(
    State((app, wanted)): State<(Arc<App>, AccessRights)>,
    request: Request,
    next: Next,
) -> Response {
    match check(&app, wanted, &request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

fn check(app: &App, wanted: AccessRights, request: &Request) -> Result<(), HttpProblem> {
    let headers = request.headers();
    let unauthorized = |detail: &str| HttpProblem::new(StatusCode::UNAUTHORIZED, detail);
    let Some(given) = headers.get(header::AUTHORIZATION) else {
        return match wanted {
            AccessRights::Read if app.is_open => Ok(()),
            _ if !app.tokens.allow(wanted) => Err(HttpProblem::not_allowed()),
            _ => Err(unauthorized("this needs a token: Authorization: Bearer TOKEN")),
        };
    };
    if headers.get_all(header::AUTHORIZATION).iter().count() > 1 {
        return Err(unauthorized("several tokens were given"));
    }
    if given.to_str().ok().and_then(bearer).is_none() {
        return Err(unauthorized("the token must be given as Authorization: Bearer TOKEN"));
    }
    match request.extensions().get::<Option<ClientToken>>().copied().flatten() {
        None => Err(unauthorized("the token is unknown")),
        Some(token) if token.access >= wanted => Ok(()),
        Some(_) => Err(HttpProblem::new(StatusCode::FORBIDDEN, "the token allows to read only")),
    }
}

fn request_id(app: &App, headers: &HeaderMap) -> String {
    let is_usable = |id: &&str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        (1..=MAX_ID).contains(&id.len()) && id.bytes().all(is_plain)
    };
    match headers.get(REQUEST_ID).and_then(|id| id.to_str().ok()).filter(is_usable) {
        Some(given) => given.to_owned(),
        None => format!("{:016x}-{:x}", app.run, app.requests.fetch_add(1, Ordering::Relaxed)),
    }
}

/// The time for the answer is over; that for the body ends before.
fn late() -> HttpProblem {
    let detail = "the request took longer than the server allows";
    HttpProblem { retry_after: Some(1), ..HttpProblem::new(StatusCode::SERVICE_UNAVAILABLE, detail) }
}
