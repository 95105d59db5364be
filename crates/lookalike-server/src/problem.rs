//! What went wrong, as `application/problem+json` (RFC 9457): one sentence, which tells nothing of a document.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

/// Why a request was not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
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
pub(crate) type Result<T> = std::result::Result<T, Problem>;

/// Why a request was not answered.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemBody<'a> {
    /// The name of the status.
    title: &'a str,
    /// The status of the answer.
    status: u16,
    /// What is wrong, in a sentence.
    detail: &'a str,
}

/// The answers that a request may get in place of the one that it asks for.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it stands in the document of the interface, which is made of it")]
pub(crate) enum Refusals {
    /// The request cannot be understood, or asks for what the index is not made for
    #[response(status = 400, content_type = "application/problem+json")]
    BadRequest(#[to_schema] ProblemBody<'static>),
    /// A token is missing, or is none of the server's
    #[response(status = 401, content_type = "application/problem+json")]
    Unauthorized(#[to_schema] ProblemBody<'static>),
    /// The token does not allow this, or a page of another site asks
    #[response(status = 403, content_type = "application/problem+json")]
    Forbidden(#[to_schema] ProblemBody<'static>),
    /// There is no such document
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(#[to_schema] ProblemBody<'static>),
    /// The path is not asked by this method
    #[response(status = 405, content_type = "application/problem+json")]
    Method(#[to_schema] ProblemBody<'static>),
    /// The body did not come in time
    #[response(status = 408, content_type = "application/problem+json")]
    Timeout(#[to_schema] ProblemBody<'static>),
    /// The index does not store what this needs
    #[response(status = 409, content_type = "application/problem+json")]
    Conflict(#[to_schema] ProblemBody<'static>),
    /// The body is too large
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(#[to_schema] ProblemBody<'static>),
    /// The path is too long
    #[response(status = 414, content_type = "application/problem+json")]
    LongPath(#[to_schema] ProblemBody<'static>),
    /// The body has another type than this takes
    #[response(status = 415, content_type = "application/problem+json")]
    MediaType(#[to_schema] ProblemBody<'static>),
    /// The server is not asked by this name
    #[response(status = 421, content_type = "application/problem+json")]
    Misdirected(#[to_schema] ProblemBody<'static>),
    /// The document has nothing that is compared
    #[response(status = 422, content_type = "application/problem+json")]
    Unprocessable(#[to_schema] ProblemBody<'static>),
    /// The server is full: try again after the seconds in Retry-After
    #[response(status = 429, content_type = "application/problem+json")]
    Full(#[to_schema] ProblemBody<'static>),
    /// The server has a fault
    #[response(status = 500, content_type = "application/problem+json")]
    Fault(#[to_schema] ProblemBody<'static>),
    /// The answer took too long, or the server is about to stop
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(#[to_schema] ProblemBody<'static>),
}

impl Problem {
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), retry_after: None, fault: None }
    }

    pub(crate) fn bad(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// There is no document with the id that was asked for, which is not told: it may be a long one.
    pub(crate) fn no_document() -> Self {
        Self::new(StatusCode::NOT_FOUND, "no document has this id")
    }

    /// A text or items of which nothing is compared.
    pub(crate) fn nothing_compared() -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "the document has no tokens or items: there is nothing to compare")
    }

    /// The same, of a line of a batch, from 1.
    pub(crate) fn of_line(self, number: usize) -> Self {
        Self { detail: format!("line {number}: {}", self.detail), ..self }
    }

    /// What no token of the server allows.
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

    /// As many questions or changes wait as may.
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

impl From<lookalike::Error> for Problem {
    /// What a question met: what it may not ask for is told, all else is a fault. Paths of the server are not told.
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

impl From<lookalike::index::Error> for Problem {
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
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        told += &format!(": {error}");
        cause = error.source();
    }
    told
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Self { status, detail, retry_after, fault } = self;
        let title = status.canonical_reason().unwrap_or("Problem");
        let body = ProblemBody { title, status: status.as_u16(), detail: &detail };
        let mut response = (status, serde_json::to_string(&body).unwrap_or_default()).into_response();
        if let Some(cause) = fault {
            response.extensions_mut().insert(Fault(cause));
        }
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
