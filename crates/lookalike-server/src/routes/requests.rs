//! Bodies and queries of requests.

use crate::body::Fields;
use crate::problem::{HttpProblem, Result};
use crate::state::App;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use lookalike::ask::{IndexQuestion, NewDocument, PassageQuestion, RawContent};
use lookalike::index::Settings;
use lookalike::jobs::expiry_after;
use lookalike::{
    doors::push_object,
    measures::{Side, Threshold},
    texts::ShingleSize,
};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, SeqAccess, Visitor};
use serde_json::Number;
use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Bytes of an id.
pub(super) const MAX_ID_BYTES: usize = 1024;
/// Answers to a question.
const MAX_ANSWERS: u32 = 1000;
/// Answers to a question that says nothing of them.
const USUAL_ANSWERS: u32 = 10;

/// Side of containment: the document of two that is in the other.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Contained {
    /// Either in the other.
    Either,
    /// The query in the document of the index.
    InReference,
    /// The document of the index in the query.
    OfReference,
}

/// A text, items or a vector that is compared with the index.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchRequest {
    /// A text
    text: Option<String>,
    /// Items, for an index of items
    #[schema(value_type = Option<Vec<String>>, max_items = 1048576)]
    items: Option<ItemList>,
    /// The numbers of a vector, for an index of vectors
    #[schema(value_type = Option<Vec<f64>>, max_items = 65536)]
    vector: Option<Coordinates>,
    /// A document of the index
    #[schema(max_length = 1024)]
    pub(super) id: Option<String>,
    /// Minimum similarity (>=); the lowest that the index was made for, if absent
    #[schema(value_type = Option<f64>, exclusive_minimum = 0, maximum = 1)]
    threshold: Option<Number>,
    /// Answers at most, the most similar first
    #[schema(minimum = 1, maximum = 1000, default = 10)]
    limit: Option<u32>,
    /// Document that is in the other, by containment
    contained: Option<Contained>,
}

/// A document that comes, under the id in the path.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DocumentBody {
    /// Its text
    text: Option<String>,
    /// Its items, for an index of items
    #[schema(value_type = Option<Vec<String>>, max_items = 1048576)]
    items: Option<ItemList>,
    /// Its vector, for an index of vectors
    #[schema(value_type = Option<Vec<f64>>, max_items = 65536)]
    vector: Option<Coordinates>,
    /// Fields of the document that the index stores
    #[schema(value_type = Option<Object>)]
    fields: Option<Fields>,
    /// Seconds after which it is gone
    #[schema(minimum = 1)]
    ttl: Option<u64>,
}

/// A document that comes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BatchDocument {
    /// Its id
    #[schema(min_length = 1, max_length = 1024)]
    id: String,
    /// Its text
    text: Option<String>,
    /// Its items, for an index of items
    #[schema(value_type = Option<Vec<String>>, max_items = 1048576)]
    items: Option<ItemList>,
    /// Its vector, for an index of vectors
    #[schema(value_type = Option<Vec<f64>>, max_items = 65536)]
    vector: Option<Coordinates>,
    /// Fields of the document that the index stores
    #[schema(value_type = Option<Object>)]
    fields: Option<Fields>,
    /// Seconds after which it is gone
    #[schema(minimum = 1)]
    ttl: Option<u64>,
}

/// A document that comes unless another is near.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InsertRequest {
    /// Its id
    #[schema(min_length = 1, max_length = 1024)]
    id: String,
    /// Its text
    text: Option<String>,
    /// Its items, for an index of items
    #[schema(value_type = Option<Vec<String>>, max_items = 1048576)]
    items: Option<ItemList>,
    /// Its vector, for an index of vectors
    #[schema(value_type = Option<Vec<f64>>, max_items = 65536)]
    vector: Option<Coordinates>,
    /// Fields of the document that the index stores
    #[schema(value_type = Option<Object>)]
    fields: Option<Fields>,
    /// Seconds after which it is gone
    #[schema(minimum = 1)]
    ttl: Option<u64>,
    /// Minimum similarity of another that is near (>=); the lowest that the index was made for, if absent
    #[schema(value_type = Option<f64>, exclusive_minimum = 0, maximum = 1)]
    threshold: Option<Number>,
}

/// A text whose sources are wanted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SourcesRequest {
    /// The text
    pub(super) text: String,
    /// Name of the document in the answer
    #[schema(max_length = 1024)]
    pub(super) name: Option<String>,
    /// The shortest passage: a number of words
    #[schema(minimum = 1, maximum = 1000, default = 5)]
    min_match: Option<u32>,
    /// Other tokens inside of one passage
    #[schema(minimum = 0, maximum = 1000, default = 3)]
    gap: Option<usize>,
    /// Documents near to the text in which passages are looked for, at most
    #[schema(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u32>,
    /// Minimum similarity of a document that is near (>=); the lowest that the index was made for, if absent
    #[schema(value_type = Option<f64>, exclusive_minimum = 0, maximum = 1)]
    threshold: Option<Number>,
}

/// One of two documents.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ComparedSide {
    /// A text
    pub(super) text: Option<String>,
    /// A document of the index
    #[schema(max_length = 1024)]
    pub(super) id: Option<String>,
}

/// Two documents that are compared.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CompareRequest {
    /// The first
    pub(super) left: ComparedSide,
    /// The second
    pub(super) right: ComparedSide,
}

/// Whose family.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct FamilyQuery {
    /// Minimum similarity (>=) of two members, a decimal number
    #[param(pattern = r"^(0?\.[0-9]*[1-9]|1)$")]
    threshold: Option<String>,
    /// Members that are named at most
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u32>,
}

impl FamilyQuery {
    /// Who belongs to it, and how many are named.
    pub(super) fn question(&self) -> Result<(IndexQuestion, usize)> {
        let threshold = self.threshold.as_deref().map(parse_threshold).transpose()?;
        let members = limited(self.limit, 100, MAX_ANSWERS)?.get();
        Ok((IndexQuestion { threshold, ..IndexQuestion::default() }, members))
    }
}

/// A threshold as it was written: 0.8 is 8/10.
fn threshold_of(given: Option<&Number>) -> Result<Option<Threshold>> {
    given.map(|number| parse_threshold(&number.to_string())).transpose()
}

fn parse_threshold(text: &str) -> Result<Threshold> {
    text.parse().map_err(|_| HttpProblem::bad("a threshold is a decimal number above 0 and at most 1"))
}

fn limited(given: Option<u32>, usual: u32, most: u32) -> Result<NonZeroUsize> {
    let limit = given.filter(|&limit| limit <= most).or(given.is_none().then_some(usual));
    let limit = limit.and_then(|limit| NonZeroUsize::new(limit as usize));
    limit.ok_or_else(|| HttpProblem::bad(format!("`limit` is from 1 to {most}")))
}

/// An id in a path.
#[derive(Debug)]
pub(crate) struct Id(pub(super) String);

impl FromRequestParts<Arc<App>> for Id {
    type Rejection = HttpProblem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self> {
        let path = Path::<String>::from_request_parts(parts, app).await;
        let Path(id) = path.map_err(|_| HttpProblem::bad("the id in the path is no percent-encoded UTF-8"))?;
        checked_id(&id)?;
        Ok(Self(id))
    }
}

pub(super) fn checked_id(id: &str) -> Result<&str> {
    match id.len() {
        // Clients take these for folders, and never ask for such a document by its path.
        _ if matches!(id, "." | "..") => Err(HttpProblem::bad("an id is neither . nor ..")),
        1..=MAX_ID_BYTES => Ok(id),
        _ => Err(HttpProblem::bad(format!("an id has 1 to {MAX_ID_BYTES} bytes"))),
    }
}

/// Items of a document.
const MAX_ITEMS: usize = 1 << 20;
/// Dimensions of a vector.
const MAX_DIMENSIONS: usize = 1 << 16;

/// A list that is read as long as it has no more than `MAX` elements.
#[derive(Debug)]
struct Limited<T, const MAX: usize>(Vec<T>);

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for Limited<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Elements<T, const MAX: usize>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for Elements<T, MAX> {
            type Value = Vec<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "a list of at most {MAX}")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> std::result::Result<Vec<T>, A::Error> {
                let mut elements = Vec::new();
                while let Some(element) = sequence.next_element()? {
                    if elements.len() == MAX {
                        return Err(A::Error::invalid_length(MAX + 1, &self));
                    }
                    elements.push(element);
                }
                Ok(elements)
            }
        }
        deserializer.deserialize_seq(Elements::<T, MAX>(PhantomData)).map(Self)
    }
}

type ItemList = Limited<String, MAX_ITEMS>;
type Coordinates = Limited<f64, MAX_DIMENSIONS>;

/// The one of the three that is given.
fn content_of(text: Option<String>, items: Option<ItemList>, vector: Option<Coordinates>) -> Result<RawContent> {
    match (text, items, vector) {
        (Some(text), None, None) => Ok(RawContent::Text(text)),
        (None, Some(items), None) => Ok(RawContent::Items(items.0)),
        (None, None, Some(vector)) => Ok(RawContent::Vector(vector.0)),
        _ => Err(HttpProblem::bad("expected one of `text`, `items` and `vector`")),
    }
}

impl SearchRequest {
    /// The content of the query; `None` for a document of the index.
    pub(super) fn content(&mut self) -> Result<Option<RawContent>> {
        if self.id.is_none() {
            return content_of(self.text.take(), self.items.take(), self.vector.take()).map(Some);
        }
        match (&self.text, &self.items, &self.vector) {
            (None, None, None) => Ok(None),
            _ => Err(HttpProblem::bad("expected one of `text`, `items`, `vector` and `id`")),
        }
    }

    pub(super) fn question(&self) -> Result<IndexQuestion> {
        let contained = self.contained.map(|contained| match contained {
            Contained::Either => Side::Either,
            Contained::InReference => Side::InReference,
            Contained::OfReference => Side::OfReference,
        });
        let limit = Some(limited(self.limit, USUAL_ANSWERS, MAX_ANSWERS)?);
        Ok(IndexQuestion { threshold: threshold_of(self.threshold.as_ref())?, contained, limit })
    }
}

impl SourcesRequest {
    pub(super) fn question(&self) -> Result<PassageQuestion> {
        let usual = PassageQuestion::default();
        let limit = Some(limited(self.limit, 20, 100)?);
        let near = IndexQuestion { threshold: threshold_of(self.threshold.as_ref())?, limit, ..usual.near };
        let gap = self.gap.unwrap_or(usual.gap);
        if self.name.as_ref().is_some_and(|name| name.len() > MAX_ID_BYTES) {
            return Err(HttpProblem::bad(format!("`name` has at most {MAX_ID_BYTES} bytes")));
        }
        let tokens = self.min_match.unwrap_or(usual.min_match.tokens as u32);
        if !(1..=1000).contains(&tokens) || gap > 1000 {
            return Err(HttpProblem::bad("`min_match` is from 1 to 1000, and `gap` at most 1000"));
        }
        Ok(PassageQuestion { near, min_match: ShingleSize { tokens: tokens as usize, ..usual.min_match }, gap })
    }
}

impl BatchDocument {
    /// The document for an index with these settings.
    pub(super) fn document(self, settings: &Settings) -> Result<NewDocument> {
        let Self { id, text, items, vector, fields, ttl } = self;
        checked_id(&id)?;
        Ok(NewDocument {
            id,
            content: content_of(text, items, vector)?,
            fields: fields_of(fields.unwrap_or_default(), settings)?,
            expires: ttl.map(expires).transpose()?,
        })
    }
}

impl DocumentBody {
    /// The document with this id.
    pub(super) fn named(self, id: String) -> BatchDocument {
        let Self { text, items, vector, fields, ttl } = self;
        BatchDocument { id, text, items, vector, fields, ttl }
    }
}

impl InsertRequest {
    /// The document, and from which similarity on another is near.
    pub(super) fn parts(self) -> Result<(BatchDocument, IndexQuestion)> {
        let Self { id, text, items, vector, fields, ttl, threshold } = self;
        let near = IndexQuestion { threshold: threshold_of(threshold.as_ref())?, ..IndexQuestion::default() };
        Ok((BatchDocument { id, text, items, vector, fields, ttl }, near))
    }
}

/// The fields as the index stores them.
fn fields_of(Fields(mut given): Fields, settings: &Settings) -> Result<String> {
    if given.keys().any(|name| !settings.fields.contains(name)) {
        let stored = if settings.fields.is_empty() { "none".to_owned() } else { settings.fields.join(", ") };
        return Err(HttpProblem::bad(format!("`fields` has one that the index does not store: it stores {stored}")));
    }
    let values: Vec<Option<String>> =
        settings.fields.iter().map(|name| given.remove(name).map(|value| value.to_string())).collect();
    let mut object = Vec::new();
    push_object(&settings.fields, &values, &mut object);
    Ok(String::from_utf8_lossy(&object).into_owned())
}

/// The second from which on a document is gone that stays for some.
fn expires(ttl: u64) -> Result<u64> {
    if ttl == 0 {
        return Err(HttpProblem::bad("`ttl` is a number of seconds, from 1 on"));
    }
    Ok(expiry_after(ttl))
}
