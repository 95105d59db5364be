//! What a body is made of, and its bytes.

use crate::config::Limits;
use crate::problem::{Problem, Result};
use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};

/// What a body is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
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

impl Kind {
    /// What the headers say.
    pub(crate) fn of(headers: &HeaderMap) -> Option<Self> {
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

/// A body of a type that is not taken here.
pub(crate) fn other_type(expected: &str) -> Problem {
    Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("the body must have the content type {expected}"))
}

/// Reads a body, which has two thirds of the time of a request to come.
pub(crate) async fn read(body: Body, limits: &Limits) -> Result<Vec<u8>> {
    let max = limits.body_bytes;
    let read = tokio::time::timeout(limits.request_time * 2 / 3, Limited::new(body, max).collect());
    let late = |_| Problem::new(StatusCode::REQUEST_TIMEOUT, "the body took longer to come than the server allows");
    match read.await.map_err(late)? {
        Ok(read) => Ok(Vec::from(read.to_bytes())),
        Err(error) if error.is::<LengthLimitError>() => {
            let detail = format!("the body has more than {} bytes", lookalike::thousands(max as u64));
            Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail))
        }
        Err(_) => Err(Problem::bad("the body broke off")),
    }
}
