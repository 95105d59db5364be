//! Strict JSON: unknown fields are refused, and what is wrong is told by its place.

use super::kind::{Body, Kind, other_type};
use crate::access::{Client, client_of};
use crate::memory::{EXPANSION, Permit, SMALL};
use crate::problem::{Problem, Result};
use crate::state::App;
use crate::work::{Admission, Cost};
use axum::extract::{FromRequest, Request};
use lookalike::Progress;
use lookalike::ask::Asker;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// Characters of a name that are told.
const MAX_NAME: usize = 60;

/// A body that is one JSON object.
#[derive(Debug)]
pub(crate) struct Json<T> {
    pub(crate) object: T,
    /// The memory of the object and of the work on it, which is held until that is over; `None` for a small one.
    pub(crate) held: Option<Permit>,
    /// What answering it costs, by its size.
    pub(crate) cost: Cost,
}

/// What a request holds.
pub(crate) trait Size {
    /// Bytes in memory, about.
    fn bytes(&self) -> usize;
}

impl<T: DeserializeOwned + Size + Send + 'static> FromRequest<Arc<App>> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self> {
        if Kind::of(request.headers()) != Some(Kind::Json) {
            return Err(other_type("application/json"));
        }
        let client = client_of(request.extensions());
        parse_for(app, client, Body::read(request, app).await?).await
    }
}

/// Bytes of memory for a byte of an object while it is worked on, about: its tokens, its elements, copies of them.
const WORK: usize = 8;

/// Parses a body that is one object.
pub(crate) async fn parse_for<T: DeserializeOwned + Size + Send + 'static>(
    app: &App,
    client: Client,
    body: Body,
) -> Result<Json<T>> {
    let Body { bytes, share } = body;
    if bytes.len() <= SMALL {
        let object = parse(&bytes).map_err(Problem::bad)?;
        return Ok(Json { object, held: None, cost: Cost::Quick });
    }
    let mut permit = app.permit(client, bytes.len().saturating_mul(EXPANSION)).await?;
    // All that is counted is with the work: who waits for it may go, and the work is there until its turn.
    let read = move |_: &mut Asker, _: &dyn Progress| {
        let parsed = parse::<T>(&bytes);
        drop(bytes);
        drop(share);
        let object = parsed.map_err(Problem::bad)?;
        permit.shrink_to(object.bytes().saturating_mul(WORK));
        Ok((object, permit))
    };
    let (object, permit) = app.pool.run(client, Admission::First(Cost::Costly), read).await?;
    Ok(Json { object, held: Some(permit), cost: Cost::Costly })
}

/// Parses an object; the error is a sentence.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> std::result::Result<T, String> {
    // A list would be taken for the fields in their order.
    if bytes.trim_ascii_start().first().is_some_and(|&first| first != b'{') {
        return Err("the body is no JSON object".to_owned());
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let parsed = serde_path_to_error::deserialize(&mut reader);
    let parsed = parsed.map_err(|error| {
        let path = error.path().to_string();
        told(error.inner(), &path)
    })?;
    reader.end().map_err(|error| told(&error, "."))?;
    Ok(parsed)
}

/// What is wrong, without any value: it may be a text.
fn told(error: &serde_json::Error, path: &str) -> String {
    let place = format!("line {}, column {}", error.line(), error.column());
    if !error.is_data() {
        return format!("the body is no JSON: {place}");
    }
    let message = error.to_string();
    let named = |prefix: &str| {
        let rest = message.strip_prefix(prefix)?;
        Some(rest.split('`').next().unwrap_or_default().chars().take(MAX_NAME).collect::<String>())
    };
    let field = if path == "." { "the body".to_owned() } else { format!("`{}`", &shortened(path)) };
    match (named("unknown field `"), named("missing field `"), named("duplicate field `")) {
        (Some(name), ..) => format!("unknown field `{name}` at {place}"),
        (_, Some(name), _) => format!("the field `{name}` is missing"),
        (_, _, Some(name)) => format!("the field `{name}` stands twice, at {place}"),
        _ => format!("{field} has another type or value than is expected, at {place}"),
    }
}

fn shortened(path: &str) -> String {
    path.chars().take(MAX_NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Example {
        text: String,
        #[serde(default)]
        items: Vec<u32>,
    }

    #[test]
    fn what_is_wrong_is_told_without_its_value() {
        let told = |text: &str| parse::<Example>(text.as_bytes()).unwrap_err();
        assert_eq!(told("{"), "the body is no JSON: line 1, column 1");
        assert_eq!(told("{}"), "the field `text` is missing");
        assert_eq!(told(r#"{"text":"secret","more":1}"#), "unknown field `more` at line 1, column 23");
        assert_eq!(told(r#"{"text":"a","text":"secret"}"#), "the field `text` stands twice, at line 1, column 18");
        for wrong in [r#"{"text":["secret"]}"#, r#"{"text":"a","items":["secret"]}"#] {
            let message = told(wrong);
            assert!(message.contains("has another type") && !message.contains("secret"), "{message}");
        }
        assert!(told(r#"{"text":"a","items":[1,"secret"]}"#).contains("`items[1]`"));
        assert!(told(r#"{"text":"a"} {}"#).contains("no JSON"));
        for wrong in [r#""secret""#, r#"["secret"]"#, &"[".repeat(1 << 20)] {
            assert_eq!(told(wrong), "the body is no JSON object");
        }
        assert!(told(&r#"{"text":"#.repeat(1 << 18)).contains("has another type"));
        let long = format!(r#"{{"text":"a","{}":1}}"#, "x".repeat(1 << 20));
        assert!(told(&long).len() < 200);
    }
}
