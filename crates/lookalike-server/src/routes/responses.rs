//! Bodies of answers. Answers that are rows have the columns of rows, in JSON as in the document of the interface.

use lookalike::ask::{ConnectedFamily, FamilyMember, Survey, TextSource, TextSources};
use lookalike::rows::all_columns::{ID, NEAR_TO, QUERY};
use lookalike::rows::{
    AnswerRow, Cell, Column, ColumnKind, Figures, PassageRow, Row, StoredFields, Value, serialize_row,
};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use utoipa::openapi::schema::{KnownFormat, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{Object, ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The schema of rows as JSON: a property for each column, and whether each row has it.
fn object_of(description: &str, columns: impl Iterator<Item = (&'static Column, bool)>) -> RefOr<Schema> {
    let object = columns.fold(ObjectBuilder::new(), |object, (column, is_required)| {
        let object = object.property(column.name, property(column, is_required));
        if is_required { object.required(column.name) } else { object }
    });
    object.description(Some(description)).into()
}

/// The schema of the values of a column. One that a row may lack may be null.
fn property(column: &Column, is_required: bool) -> Object {
    let (kind, format) = match column.kind {
        ColumnKind::Id { .. } | ColumnKind::Text | ColumnKind::Bytes(_) => (Type::String, None),
        ColumnKind::Json => (Type::Object, None),
        ColumnKind::Share | ColumnKind::Number => (Type::Number, Some(KnownFormat::Double)),
        ColumnKind::Count | ColumnKind::Count32 => (Type::Integer, Some(KnownFormat::Int64)),
        ColumnKind::Flag => (Type::Boolean, None),
    };
    let schema_type =
        if is_required { SchemaType::new(kind.clone()) } else { SchemaType::from_iter([kind.clone(), Type::Null]) };
    let object = ObjectBuilder::new().schema_type(schema_type).format(format.map(SchemaFormat::KnownFormat));
    let minimum = (kind == Type::Integer).then_some(0);
    object.minimum(minimum).description(Some(column.description)).build()
}

/// A document that is near.
#[derive(Debug)]
pub(crate) struct AnswerJson(pub(super) AnswerRow<'static>);

impl Row for AnswerJson {
    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let row = self.0.cells().filter(|(column, _)| is_of_answers(column) && column.name != ID.name);
        std::iter::once((&ID, Value::text(&self.0.id))).chain(row)
    }
}

/// True for the columns of answers: whoever has asked knows the query.
fn is_of_answers(column: &Column) -> bool {
    column.name != QUERY.name
}

impl Serialize for AnswerJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_row(self, serializer)
    }
}

impl PartialSchema for AnswerJson {
    fn schema() -> RefOr<Schema> {
        let columns = AnswerRow::all_columns().filter(|(column, _)| is_of_answers(column));
        object_of("A document that is near.", columns)
    }
}

impl ToSchema for AnswerJson {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Answer")
    }
}

/// JSON that is handed on; `None` for nothing.
fn raw(json: &str) -> Option<Box<RawValue>> {
    RawValue::from_string(json.to_owned()).ok()
}

/// The documents that are near, the most similar first.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Answers)]
pub(crate) struct SearchResponse {
    pub(super) answers: Vec<AnswerJson>,
}

/// A document of the index.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StoredDocument {
    pub(super) id: String,
    /// Number of its elements
    pub(super) elements: usize,
    /// Length of its text in characters
    pub(super) characters: u64,
    /// The second since 1970 from which on it is gone
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expires: Option<u64>,
    /// Fields of the document that the index stores
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    fields: Option<Box<RawValue>>,
    /// Its text, if the index stores texts
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
}

impl StoredDocument {
    /// One without fields and text.
    pub(super) fn new(id: &str, elements: usize, characters: u64) -> Self {
        Self { id: id.to_owned(), elements, characters, expires: None, fields: None, text: None }
    }

    /// The document with its stored fields.
    pub(super) fn with_fields(self, fields: &str) -> Self {
        Self { fields: raw(StoredFields::new(fields.to_owned()).as_json()), ..self }
    }
}

/// Outcome for a document that was put.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Put)]
pub(crate) struct PutResponse {
    /// True if the document came in place of one with the same id
    pub(super) replaced: bool,
}

/// Outcome for a batch.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BatchPut {
    /// Documents of the batch
    pub(super) documents: u64,
    /// Documents that came in place of one with the same id
    pub(super) replaced: u64,
}

/// Outcome for a document that was to come unless another is near.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Inserted)]
pub(crate) struct InsertResponse {
    pub(super) added: bool,
    /// True if the document came in place of one with the same id
    pub(super) replaced: bool,
    /// The one that is near
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) near: Option<AnswerJson>,
}

/// A passage.
#[derive(Debug)]
pub(crate) struct PassageJson(PassageRow<'static>);

impl Row for PassageJson {
    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        self.0.place_cells()
    }
}

impl Serialize for PassageJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_row(self, serializer)
    }
}

impl PartialSchema for PassageJson {
    fn schema() -> RefOr<Schema> {
        let description = "A passage. Offsets are bytes of both texts, from the first to the one behind the last; \
                           lines count from 1.";
        let passage = PassageRow::default();
        object_of(description, passage.place_cells().map(|(column, _)| (column, true)))
    }
}

impl ToSchema for PassageJson {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Passage")
    }
}

/// A source of a text.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Source)]
pub(crate) struct SourceJson {
    /// The document; its rank is by the share of the text that stands in it
    document: AnswerJson,
    /// The share of the text that stands in it
    share: f64,
    /// Passages in the order of the text
    passages: Vec<PassageJson>,
}

/// The sources of a text, those with the largest shares first.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Sources)]
pub(crate) struct SourcesResponse {
    /// Tokens of the text
    tokens: u64,
    /// Tokens that stand in any source
    covered_tokens: u64,
    sources: Vec<SourceJson>,
}

impl From<TextSources> for SourcesResponse {
    fn from(found: TextSources) -> Self {
        let source = |TextSource { document, share, passages, .. }: TextSource| SourceJson {
            document: AnswerJson(document),
            share,
            passages: passages.into_iter().map(PassageJson).collect(),
        };
        Self {
            tokens: found.tokens,
            covered_tokens: found.covered_tokens,
            sources: found.sources.into_iter().map(source).collect(),
        }
    }
}

/// Bytes of both texts; ends are behind the last byte.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Places)]
pub(crate) struct RangesJson {
    pub(super) left_start: usize,
    pub(super) left_end: usize,
    pub(super) right_start: usize,
    pub(super) right_end: usize,
}

/// A passage that stands in both texts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CommonPassage)]
pub(crate) struct SharedPassageJson {
    /// Its length in tokens
    pub(super) tokens: usize,
    #[serde(flatten)]
    pub(super) places: RangesJson,
}

/// Two documents, compared as the index compares them.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Comparison)]
pub(crate) struct CompareResponse {
    /// Similarity by the measure of the index
    pub(super) similarity: f64,
    /// `identical`, `equal` or `near`, from the threshold of the index on
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<&'static str>,
    /// Elements of the first, of the second, and of both; not where terms have weights
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) elements: Option<[usize; 3]>,
    /// Common passages in the order of the first text; absent where terms have weights
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) passages: Option<Vec<SharedPassageJson>>,
    /// Differences of the texts in words or signs; absent where terms have weights
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) differences: Option<Vec<RangesJson>>,
}

/// A document of a family.
#[derive(Debug)]
pub(crate) struct Member(FamilyMember);

impl Row for Member {
    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let found_by = self.0.found_by.as_ref();
        let near = found_by
            .into_iter()
            .flat_map(|row| std::iter::once((&NEAR_TO, Value::text(&row.query))).chain(row.figures.main().cells()));
        std::iter::once((&ID, Value::text(&self.0.id))).chain(near)
    }
}

impl Serialize for Member {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_row(self, serializer)
    }
}

impl PartialSchema for Member {
    fn schema() -> RefOr<Schema> {
        let figures = Figures::main_columns().map(|column| (column, false));
        object_of("A document of a family.", [(&ID, true), (&NEAR_TO, false)].into_iter().chain(figures))
    }
}

impl ToSchema for Member {}

/// Documents that near-duplicates of near-duplicates connect.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Members {
    /// The one that was asked about first
    members: Vec<Member>,
    /// True if these are all
    is_whole: bool,
}

impl From<ConnectedFamily> for Members {
    fn from(family: ConnectedFamily) -> Self {
        Self { members: family.members.into_iter().map(Member).collect(), is_whole: family.is_whole }
    }
}

/// A cluster of the index.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NamedCluster {
    /// Number of its documents
    documents: u64,
    /// The first of them
    ids: Vec<String>,
}

/// The index as a whole.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Surveyed {
    /// Seconds since it was looked at
    age_seconds: u64,
    /// Pairs of near-duplicates
    pairs: u64,
    /// Clusters of documents that pairs connect
    clusters: u64,
    /// Documents in them
    clustered_documents: u64,
    /// The largest clusters
    largest: Vec<NamedCluster>,
    /// Histogram of the pairs by similarity, drawn as SVG
    #[serde(skip_serializing_if = "Option::is_none")]
    histogram: Option<String>,
}

impl Surveyed {
    /// A survey that was made some seconds ago.
    pub(super) fn new(survey: &Survey, age_seconds: u64) -> Self {
        let cluster = |cluster: &lookalike::jobs::ListedCluster| NamedCluster {
            documents: cluster.documents,
            ids: cluster.first.iter().map(|row| row.id.to_string()).collect(),
        };
        let svg = |drawing: &String| drawing.find("<svg").map(|begin| drawing[begin..].to_owned());
        Self {
            age_seconds,
            pairs: survey.pairs,
            clusters: survey.counts.clusters,
            clustered_documents: survey.counts.clustered_documents,
            largest: survey.largest.iter().map(cluster).collect(),
            histogram: survey.histogram.as_ref().and_then(svg),
        }
    }
}

/// Settings and size of the index.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Stats {
    /// Documents
    pub(super) documents: u64,
    /// Size of its files in bytes
    pub(super) bytes: u64,
    /// Measure of similarity, with its threshold
    pub(super) measure: String,
    /// Features of a document; absent for fingerprints
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shingle: Option<String>,
    /// The lowest threshold that can be asked for
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) threshold: Option<f64>,
    /// The maximum distance of near documents: differing bits of fingerprints, or the Euclidean distance of vectors
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_distance: Option<f64>,
    /// The probability of finding a document at that threshold; 1 if none is missed
    pub(super) expected_recall: f64,
    /// True if texts are stored, in which passages can be looked for
    pub(super) texts: bool,
    /// True for an index of items
    pub(super) items: bool,
    /// Fields that are stored
    pub(super) fields: Vec<String>,
    /// True if answers are estimates, from signatures
    pub(super) estimates: bool,
    /// True if a token allows to change the index
    pub(super) can_change: bool,
    /// Version of the server
    pub(super) version: &'static str,
}

/// Health of the server.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    pub(super) status: &'static str,
}

#[cfg(test)]
mod tests;
