//! Errors as `application/problem+json` (RFC 9457): one sentence, which tells nothing of a document.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::openapi::{self, Content, RefOr, ResponseBuilder};
use utoipa::{IntoResponses, PartialSchema, ToSchema};

/// Why a request was not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HttpProblem {
    pub(crate) status: StatusCode,
    pub(crate) detail: String,
    /// Seconds after which it may be tried again.
    pub(crate) retry_after: Option<u32>,
    /// The cause of a fault of ours, for the log.
    pub(crate) fault: Option<String>,
}

/// The cause of a fault, on its way to the log.
#[derive(Debug, Clone)]
pub(crate) struct Fault(pub(crate) String);

/// A result of this crate.
pub(crate) type Result<T> = std::result::Result<T, HttpProblem>;

/// Why a request was not answered.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemBody<'a> {
    /// The name of the status.
    title: &'a str,
    /// The status of the answer.
    status: u16,
    /// The fault, in a sentence.
    detail: &'a str,
}

/// Statuses of problems, with their meaning in the document of the interface.
const REFUSALS: [(u16, &str); 15] = [
    (400, "The request cannot be understood, or asks for what the index is not made for"),
    (401, "A token is missing, or is none of the server's"),
    (403, "The token does not allow this, or a page of another site asks"),
    (404, "There is no such document"),
    (405, "The path is not asked by this method"),
    (408, "The body did not come in time"),
    (409, "The index does not store what this needs"),
    (413, "The body is too large"),
    (414, "The path is too long"),
    (415, "The body has another type than this takes"),
    (421, "The server is not asked by this name"),
    (422, "The document has nothing that is compared"),
    (429, "The server is full: try again after the seconds in Retry-After"),
    (500, "The server has a fault"),
    (503, "The answer took too long, or the server is about to stop"),
];

/// The answers that a request may get in place of the one that it asks for.
pub(crate) struct Refusals;

impl IntoResponses for Refusals {
    fn responses() -> BTreeMap<String, RefOr<openapi::Response>> {
        let response = |(status, description): (u16, &str)| {
            let content = Content::new(Some(ProblemBody::schema()));
            let response = ResponseBuilder::new().description(description).content(KIND, content).build();
            (status.to_string(), response.into())
        };
        REFUSALS.into_iter().map(response).collect()
    }
}

/// The content type of problems.
const KIND: &str = "application/problem+json";

impl HttpProblem {
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), retry_after: None, fault: None }
    }

    pub(crate) fn bad(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// There is no document with the id that was asked for, which is not repeated: it may be a long one.
    pub(crate) fn no_document() -> Self {
        Self::new(StatusCode::NOT_FOUND, "no document has this id")
    }

    /// A text or items of which nothing is compared.
    pub(crate) fn nothing_compared() -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "the document has no tokens or items: there is nothing to compare")
    }

    /// The problem in line `number` of a batch, from 1.
    pub(crate) fn of_line(self, number: usize) -> Self {
        Self { detail: format!("line {number}: {}", self.detail), ..self }
    }

    /// A request that no token of the server allows.
    pub(crate) fn not_allowed() -> Self {
        Self::new(StatusCode::FORBIDDEN, "the server was started without a token that allows this")
    }

    /// The index cannot be changed any more.
    pub(crate) fn broken() -> Self {
        let detail = "nothing can be changed until the server is started again; its log says why";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, detail)
    }

    /// The server, or its index, cannot do this for now.
    pub(crate) fn unavailable(detail: &str) -> Self {
        Self { retry_after: Some(5), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, detail) }
    }

    /// Refusal of a request where the queue is full.
    pub(crate) fn full() -> Self {
        let detail = "too many requests are waiting: try again";
        Self { retry_after: Some(1), ..Self::new(StatusCode::TOO_MANY_REQUESTS, detail) }
    }

    /// A fault of ours; the cause goes to the log, with the id of the request.
    pub(crate) fn fault(cause: &dyn std::fmt::Display) -> Self {
        let detail = "the server has a fault; its log says which";
        Self { fault: Some(cause.to_string()), ..Self::new(StatusCode::INTERNAL_SERVER_ERROR, detail) }
    }

    pub(crate) fn stopping() -> Self {
        Self { retry_after: Some(5), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "the server is about to stop") }
    }
}

impl From<lookalike::Error> for HttpProblem {
    /// The problem of an error: those that a request has caused are answered with their words, all others are faults.
    /// Paths of the server are not shown.
    fn from(error: lookalike::Error) -> Self {
        use lookalike::{Error, details::Contradiction};
        match error {
            Error::OfIndex { parameter, .. } => Self::bad(format!("the measure of the index has no {parameter}")),
            Error::OtherContent { .. } | Error::ItemEnd => Self::bad(error.to_string()),
            Error::WrongVector { .. } | Error::WrongItem { .. } => Self::bad(error.to_string()),
            Error::Parameters(error) => Self::bad(error.to_string()),
            Error::PassagesWithoutTexts { .. } => {
                Self::new(StatusCode::CONFLICT, "the index stores no texts, in which passages stand")
            }
            Error::Interrupted { .. } => Self::stopping(),
            Error::Contradiction(Contradiction::NoPassages) => Self::new(StatusCode::CONFLICT, error.to_string()),
            Error::Index(error) => error.into(),
            other => Self::fault(&chain(&other)),
        }
    }
}

impl From<lookalike::index::Error> for HttpProblem {
    fn from(error: lookalike::index::Error) -> Self {
        use lookalike::index::Error;
        match error {
            Error::OtherMeasure { .. } | Error::SignaturesOnly => Self::bad(error.to_string()),
            Error::OtherDimensions { .. } => Self::bad(error.to_string()),
            Error::WeightsTooLarge { .. } => Self::bad("a document has counts that are too large to be weighed"),
            Error::NoElements => Self::nothing_compared(),
            other => Self::fault(&chain(&other)),
        }
    }
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message += &format!(": {error}");
        cause = error.source();
    }
    message
}

impl IntoResponse for HttpProblem {
    fn into_response(self) -> Response {
        let Self { status, detail, retry_after, fault } = self;
        let title = status.canonical_reason().unwrap_or("Problem");
        let body = ProblemBody { title, status: status.as_u16(), detail: &detail };
        let mut response = (status, serde_json::to_string(&body).unwrap_or_default()).into_response();
        if let Some(cause) = fault {
            response.extensions_mut().insert(Fault(cause));
        }
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(KIND));
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
