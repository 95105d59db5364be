//! Strict JSON, as one object or an object on each line: unknown fields are refused, and errors name a place, never a
//! value.

use super::{Body, BodyKind, unsupported_type};
use crate::access::{Client, client_of};
use crate::memory::{EXPANSION, Permit, SMALL};
use crate::problem::{HttpProblem, Result};
use crate::state::App;
use crate::work::{Admission, Cost};
use axum::extract::{FromRequest, Request};
use lookalike::Progress;
use lookalike::ask::Asker;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// Maximum number of characters of a name in an error.
const MAX_NAME: usize = 60;

/// A body that is one JSON object.
#[derive(Debug)]
pub(crate) struct Json<T> {
    pub(crate) object: T,
    /// The memory of the object and of the work on it, held until that is over; `None` for a small one.
    pub(crate) held: Option<Permit>,
    /// Cost of the answer, by the size of the body.
    pub(crate) cost: Cost,
}

impl<T: DeserializeOwned + Send + 'static> FromRequest<Arc<App>> for Json<T> {
    type Rejection = HttpProblem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self> {
        if BodyKind::from_headers(request.headers()) != Some(BodyKind::Json) {
            return Err(unsupported_type("application/json"));
        }
        let client = client_of(request.extensions());
        parse_for(app, client, Body::read(request, app).await?).await
    }
}

/// Parses a body that is one object.
pub(crate) async fn parse_for<T: DeserializeOwned + Send + 'static>(
    app: &App,
    client: Client,
    body: Body,
) -> Result<Json<T>> {
    let Body { bytes, share } = body;
    if bytes.len() <= SMALL {
        let object = parse(&bytes).map_err(HttpProblem::bad)?;
        return Ok(Json { object, held: None, cost: Cost::Quick });
    }
    let permit = app.permit(client, bytes.len().saturating_mul(EXPANSION)).await?;
    // All that is counted is with the work: who waits for it may go, and the work is there until its turn.
    let read = move |_: &mut Asker, _: &dyn Progress| {
        let parsed = parse::<T>(&bytes);
        drop(bytes);
        drop(share);
        let object = parsed.map_err(HttpProblem::bad)?;
        Ok((object, permit))
    };
    let (object, permit) = app.pool.run(client, Admission::First(Cost::Costly), read).await?;
    Ok(Json { object, held: Some(permit), cost: Cost::Costly })
}

/// Parses an object; the error is a sentence.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> std::result::Result<T, String> {
    // A list would be taken for the fields in their order.
    if bytes.trim_ascii_start().first().is_some_and(|&first| first != b'{') {
        return Err("the body is no JSON object".to_owned());
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let parsed = serde_path_to_error::deserialize(&mut reader);
    let parsed = parsed.map_err(|error| {
        let path = error.path().to_string();
        describe(error.inner(), &path)
    })?;
    reader.end().map_err(|error| describe(&error, "."))?;
    Ok(parsed)
}

/// The error without any value: it may be a text.
fn describe(error: &serde_json::Error, path: &str) -> String {
    let place = format!("line {}, column {}", error.line(), error.column());
    if !error.is_data() {
        return format!("the body is no JSON: {place}");
    }
    let message = error.to_string();
    let named = |prefix: &str| {
        let rest = message.strip_prefix(prefix)?;
        Some(rest.split('`').next().unwrap_or_default().chars().take(MAX_NAME).collect::<String>())
    };
    let shortened: String = path.chars().take(MAX_NAME).collect();
    let field = if path == "." { "the body".to_owned() } else { format!("`{shortened}`") };
    match (named("unknown field `"), named("missing field `"), named("duplicate field `")) {
        (Some(name), ..) => format!("unknown field `{name}` at {place}"),
        (_, Some(name), _) => format!("the field `{name}` is missing"),
        (_, _, Some(name)) => format!("the field `{name}` stands twice, at {place}"),
        _ => format!("{field} has another type or value than is expected, at {place}"),
    }
}

/// The lines of a body that are not parsed yet.
#[derive(Debug)]
pub(crate) struct BodyLines {
    body: Vec<u8>,
    /// Begin of the next line.
    at: usize,
    /// Its number, from 1.
    number: usize,
}

impl BodyLines {
    pub(crate) fn new(body: Vec<u8>) -> Self {
        Self { body, at: 0, number: 1 }
    }

    /// Bytes of the lines of the next objects, as many as `count`.
    pub(crate) fn next_bytes(&self, count: usize) -> usize {
        // Behind a last line without an end there is nothing, not even an empty line.
        let rest = self.body.get(self.at..).unwrap_or_default();
        let lines = rest.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        lines.take(count).map(<[u8]>::len).sum()
    }

    /// The objects on the next lines, as many as `count`, with the numbers of their lines; empty lines say nothing.
    ///
    /// # Errors
    /// The first line that is no such object, by its number.
    pub(crate) fn next_objects<T: DeserializeOwned>(&mut self, count: usize) -> Result<Vec<(usize, T)>> {
        let mut objects = Vec::new();
        while objects.len() < count && self.at < self.body.len() {
            let rest = &self.body[self.at..];
            let line = rest.split(|&byte| byte == b'\n').next().unwrap_or(rest);
            let number = self.number;
            self.at += line.len() + 1;
            self.number += 1;
            if line.trim_ascii().is_empty() {
                continue;
            }
            match parse(line) {
                Ok(object) => objects.push((number, object)),
                Err(detail) => return Err(HttpProblem::bad(detail.replace("the body", "it")).of_line(number)),
            }
        }
        Ok(objects)
    }
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
        let error_of = |text: &str| parse::<Example>(text.as_bytes()).unwrap_err();
        assert_eq!(error_of("{"), "the body is no JSON: line 1, column 1");
        assert_eq!(error_of("{}"), "the field `text` is missing");
        assert_eq!(error_of(r#"{"text":"secret","more":1}"#), "unknown field `more` at line 1, column 23");
        assert_eq!(error_of(r#"{"text":"a","text":"secret"}"#), "the field `text` stands twice, at line 1, column 18");
        for wrong in [r#"{"text":["secret"]}"#, r#"{"text":"a","items":["secret"]}"#] {
            let message = error_of(wrong);
            assert!(message.contains("has another type") && !message.contains("secret"), "{message}");
        }
        assert!(error_of(r#"{"text":"a","items":[1,"secret"]}"#).contains("`items[1]`"));
        assert!(error_of(r#"{"text":"a"} {}"#).contains("no JSON"));
        for wrong in [r#""secret""#, r#"["secret"]"#, &"[".repeat(1 << 20)] {
            assert_eq!(error_of(wrong), "the body is no JSON object");
        }
        assert!(error_of(&r#"{"text":"#.repeat(1 << 18)).contains("has another type"));
        let long = format!(r#"{{"text":"a","{}":1}}"#, "x".repeat(1 << 20));
        assert!(error_of(&long).len() < 200);
    }
}
