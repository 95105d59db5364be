//! A body that is received, and its share of the memory.

use crate::access::client_of;
use crate::memory::{MemoryShare, SMALL};
use crate::problem::{HttpProblem, Result};
use crate::state::App;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use http_body_util::BodyExt;
use lookalike::doors::thousands;
use tokio::time::timeout;

/// Content of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyKind {
    /// One JSON object.
    Json,
    /// An object on each line.
    Lines,
    /// A stream of Arrow IPC.
    Arrow,
}

/// The type of a body of lines.
pub(crate) const LINES: &str = "application/x-ndjson";
/// The type of a stream of Arrow IPC.
pub(crate) const ARROW: &str = "application/vnd.apache.arrow.stream";

impl BodyKind {
    /// The kind that the headers name.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Option<Self> {
        let named = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
        let (kind, rest) = named.split_once(';').unwrap_or((named, ""));
        let charset = rest.trim().to_ascii_lowercase();
        if !["", "charset=utf-8", "charset=\"utf-8\""].contains(&&charset[..]) {
            return None;
        }
        match &kind.trim().to_ascii_lowercase()[..] {
            "application/json" => Some(Self::Json),
            LINES | "application/ndjson" | "application/jsonl" => Some(Self::Lines),
            ARROW => Some(Self::Arrow),
            _ => None,
        }
    }
}

/// The answer to a body of another type than this route reads.
pub(crate) fn unsupported_type(expected: &str) -> HttpProblem {
    HttpProblem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("the body must have the content type {expected}"))
}

/// A body that was read, and its share of the memory.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    pub(crate) share: MemoryShare,
}

impl Body {
    /// Reads a body, which has to arrive within two thirds of the time of a request. Memory is reserved as bytes
    /// arrive; if none is free the request is refused.
    pub(crate) async fn read(request: Request, app: &App) -> Result<Self> {
        let limits = &app.limits;
        let max = limits.body_bytes;
        let too_large = || {
            let detail = format!("the body has more than {} bytes", thousands(max as u64));
            HttpProblem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
        };
        let announced: Option<usize> =
            request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if announced.is_some_and(|bytes| bytes > max) {
            return Err(too_large());
        }
        let mut share = app.memory.share(client_of(request.extensions()));
        let mut body = request.into_body();
        let mut bytes = Vec::new();
        let read = async {
            while let Some(frame) = body.frame().await {
                let Ok(data) = frame.map_err(|_| HttpProblem::bad("the body broke off"))?.into_data() else { continue };
                if bytes.len() + data.len() > max {
                    return Err(too_large());
                }
                let capacity = capacity_for(bytes.len() + data.len(), bytes.capacity()).min(max);
                if capacity > SMALL && !share.grow_to(capacity) {
                    return Err(HttpProblem::full());
                }
                bytes.reserve_exact(capacity - bytes.len());
                bytes.extend_from_slice(&data);
            }
            Ok(())
        };
        let timed_out =
            |_| HttpProblem::new(StatusCode::REQUEST_TIMEOUT, "the body took longer to arrive than the server allows");
        timeout(limits.request_time * 2 / 3, read).await.map_err(timed_out)??;
        Ok(Self { bytes, share })
    }
}

/// Capacity of a buffer of at least `bytes` bytes: the capacity before if that is enough, else at least twice that.
pub(super) fn capacity_for(bytes: usize, before: usize) -> usize {
    if bytes <= before { before } else { bytes.max(2 * before).max(4096) }
}
