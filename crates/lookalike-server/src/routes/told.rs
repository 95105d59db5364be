//! What answers say.

use lookalike::live::{Family, FamilyMember, Survey, TextSource, TextSources};
use lookalike::{AnswerRow, PassageRow, StoredFields};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// A document that is near.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Answer {
    /// Its id
    id: String,
    /// Its rank among the answers, from 1
    rank: u64,
    /// Exact, by the measure of the index
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<f64>,
    /// From an index of signatures
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated_similarity: Option<f64>,
    /// The lower end of its interval, with a confidence of 95 %
    #[serde(skip_serializing_if = "Option::is_none")]
    interval_low: Option<f64>,
    /// The upper end
    #[serde(skip_serializing_if = "Option::is_none")]
    interval_high: Option<f64>,
    /// The share of what was asked about that is in the document
    #[serde(skip_serializing_if = "Option::is_none")]
    containment_of_query: Option<f64>,
    /// The share of the document that is in what was asked about
    #[serde(skip_serializing_if = "Option::is_none")]
    containment_of_id: Option<f64>,
    /// Common elements
    #[serde(skip_serializing_if = "Option::is_none")]
    common: Option<u64>,
    /// Bits that differ
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u64>,
    /// The Euclidean distance of the vectors
    #[serde(skip_serializing_if = "Option::is_none")]
    euclidean_distance: Option<f64>,
    /// `identical` (the same text), `equal` (in all that is compared), or `near`; of an estimate below the threshold
    /// whose interval reaches it `uncertain`
    reason: String,
    /// What the index stores of its fields
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    fields: Option<Box<RawValue>>,
}

impl From<AnswerRow<'static>> for Answer {
    fn from(row: AnswerRow<'static>) -> Self {
        Self {
            fields: row.fields.as_ref().and_then(|fields| raw(fields.as_json())),
            id: row.id.into_owned(),
            rank: row.rank,
            similarity: row.similarity,
            estimated_similarity: row.estimated_similarity,
            interval_low: row.interval_low,
            interval_high: row.interval_high,
            containment_of_query: row.containment_of_query,
            containment_of_id: row.containment_of_id,
            common: row.common,
            distance: row.distance,
            euclidean_distance: row.euclidean_distance,
            reason: row.reason.into_owned(),
        }
    }
}

/// JSON that is handed on; `None` for nothing.
fn raw(json: &str) -> Option<Box<RawValue>> {
    RawValue::from_string(json.to_owned()).ok()
}

/// The documents that are near, the most similar first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Answers {
    pub(super) answers: Vec<Answer>,
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
    /// What the index stores of its fields
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

    /// The same with the fields that are stored.
    pub(super) fn with_fields(self, fields: &str) -> Self {
        Self { fields: raw(StoredFields::new(fields.to_owned()).as_json()), ..self }
    }
}

/// What became of a document that was put.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Put {
    /// Whether it came in place of one with the same id
    pub(super) replaced: bool,
}

/// What became of a batch.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BatchPut {
    /// Documents of the batch
    pub(super) documents: u64,
    /// Those that came in place of one with the same id
    pub(super) replaced: u64,
}

/// What became of a document that was to come unless another is near.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Inserted {
    pub(super) added: bool,
    /// Whether it came in place of one with the same id
    pub(super) replaced: bool,
    /// The one that is near
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) near: Option<Answer>,
}

/// A passage. Offsets are bytes of both texts, from the first to the one behind the last; lines count from 1.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Passage {
    /// Its length in tokens
    tokens: u64,
    start: u64,
    end: u64,
    line: u64,
    end_line: u64,
    source_start: u64,
    source_end: u64,
    source_line: u64,
    source_end_line: u64,
}

impl From<PassageRow<'static>> for Passage {
    fn from(row: PassageRow<'static>) -> Self {
        Self {
            tokens: row.tokens,
            start: row.start,
            end: row.end,
            line: row.line,
            end_line: row.end_line,
            source_start: row.source_start,
            source_end: row.source_end,
            source_line: row.source_line,
            source_end_line: row.source_end_line,
        }
    }
}

/// A source of a text.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Source {
    /// The document; its rank is by the share of the text that stands in it
    document: Answer,
    /// The share of the text that stands in it
    share: f64,
    /// In the order of the text
    passages: Vec<Passage>,
}

/// The sources of a text, those with the largest shares first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Sources {
    /// Tokens of the text
    tokens: u64,
    /// Those that stand in any source
    covered_tokens: u64,
    sources: Vec<Source>,
}

impl From<TextSources> for Sources {
    fn from(found: TextSources) -> Self {
        let source = |TextSource { document, share, passages, .. }: TextSource| Source {
            document: document.into(),
            share,
            passages: passages.into_iter().map(Into::into).collect(),
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
pub(crate) struct Places {
    pub(super) left_start: usize,
    pub(super) left_end: usize,
    pub(super) right_start: usize,
    pub(super) right_end: usize,
}

/// A passage that stands in both texts.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CommonPassage {
    /// Its length in tokens
    pub(super) tokens: usize,
    #[serde(flatten)]
    pub(super) places: Places,
}

/// Two documents, compared as the index compares them.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Comparison {
    /// By the measure of the index
    pub(super) similarity: f64,
    /// `identical`, `equal` or `near`, from the threshold of the index on
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<&'static str>,
    /// Elements of the first, of the second, and of both; not where terms have weights
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) elements: Option<[usize; 3]>,
    /// In the order of the first text; not where terms have weights
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) passages: Option<Vec<CommonPassage>>,
    /// Where the texts differ in words or signs; not where terms have weights
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) differences: Option<Vec<Places>>,
}

/// A document of a family.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Member {
    id: String,
    /// The member to which it is near, as it was found
    #[serde(skip_serializing_if = "Option::is_none")]
    near_to: Option<String>,
    /// Their similarity
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<f64>,
    /// An estimate of it, from an index of signatures
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated_similarity: Option<f64>,
    /// Their common elements
    #[serde(skip_serializing_if = "Option::is_none")]
    common: Option<u64>,
    /// The bits in which they differ
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u64>,
    /// The Euclidean distance of their vectors
    #[serde(skip_serializing_if = "Option::is_none")]
    euclidean_distance: Option<f64>,
}

/// Documents that near-duplicates of near-duplicates connect.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Members {
    /// The one that was asked about first
    members: Vec<Member>,
    /// Whether these are all
    is_whole: bool,
}

impl From<Family> for Members {
    fn from(family: Family) -> Self {
        let member = |FamilyMember { id, found_by }: FamilyMember| {
            let row = found_by.as_ref();
            Member {
                id,
                similarity: row.and_then(|row| row.similarity),
                estimated_similarity: row.and_then(|row| row.estimated_similarity),
                common: row.and_then(|row| row.common),
                distance: row.and_then(|row| row.distance),
                euclidean_distance: row.and_then(|row| row.euclidean_distance),
                near_to: found_by.map(|row| row.query.into_owned()),
            }
        };
        Self { members: family.members.into_iter().map(member).collect(), is_whole: family.is_whole }
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
    /// How many pairs have which similarity, drawn as SVG
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

/// What the index is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Stats {
    /// Documents
    pub(super) documents: u64,
    /// Size of its files in bytes
    pub(super) bytes: u64,
    /// What "alike" means, and from when on
    pub(super) measure: String,
    /// What a document becomes; not of fingerprints
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
    /// Whether texts are stored, in which passages can be looked for
    pub(super) texts: bool,
    /// Whether it is one of items
    pub(super) items: bool,
    /// Fields that are stored
    pub(super) fields: Vec<String>,
    /// Whether answers are estimates, from signatures
    pub(super) estimates: bool,
    /// Whether a token allows to change it
    pub(super) can_change: bool,
    /// Version of the server
    pub(super) version: &'static str,
}

/// Whether the server is there.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    pub(super) status: &'static str,
}
