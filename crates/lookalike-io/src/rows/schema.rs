//! The rows that files hold, each a struct with its header beside it.
//!
//! ```text
//! PairRow     a, b, a figure of the measure, reason      every verified pair
//! RemovalRow  id, kept, a figure of the measure, reason  every removed document
//! ClusterRow  cluster, id                                every member of a cluster
//! CopyRow     group, id, equal, checksum                 every member of a group of exact copies
//! ```
//!
//! On request, rows of pairs, removals and clusters name the files of their documents behind these fields.
//!
//! Writers serialize the structs under the names of the headers, readers look for these names. A test keeps struct and
//! header alike; a macro that makes one from the other would hide both.

use super::field::RowField;
use lookalike_core::measure::{DifferingBits, Figure, distance_of};
use lookalike_core::rule::Reason;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A verified pair of documents. Which of the optional fields it has depends on the measure: [`PairRow::header`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairRow<'a> {
    /// Id of the earlier document.
    pub a: Cow<'a, str>,
    /// Id of the later document.
    pub b: Cow<'a, str>,
    /// Their similarity, above 0 and at most 1; of a containment, the larger one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// The share of a that is in b.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub containment_of_a: Option<f64>,
    /// The share of b that is in a.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub containment_of_b: Option<f64>,
    /// The number of common elements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common: Option<u64>,
    /// The number of bits in which their fingerprints differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<u64>,
    /// The Euclidean distance of their vectors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub euclidean_distance: Option<f64>,
    /// The share in which their signatures agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated_similarity: Option<f64>,
    /// The lower end of the interval of the similarity that it estimates, with a confidence of 95 %.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval_low: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval_high: Option<f64>,
    /// What they have in common: `identical`, `equal` or `near`. Files of version 0.1.0 do not say it.
    #[serde(default)]
    pub reason: Option<Cow<'a, str>>,
    /// The file of a, if rows name sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a_source: Option<Cow<'a, str>>,
    /// The file of b, if rows name sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b_source: Option<Cow<'a, str>>,
}

/// Whether rows name the files of their documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RowSources {
    /// Documents are known by their ids alone.
    #[default]
    Absent,
    /// Each id has a field with the file beside it.
    Named,
}

impl RowSources {
    /// The fields of rows, with `sources` behind them if files are named.
    fn behind(self, fields: &[RowField], sources: &[RowField]) -> Vec<RowField> {
        match self {
            Self::Absent => fields.to_vec(),
            Self::Named => [fields, sources].concat(),
        }
    }
}

impl<'a> PairRow<'a> {
    /// A pair of the documents with these ids.
    pub fn new([a, b]: [&'a str; 2], figure: PairFigure, reason: Reason) -> Self {
        let (similarity, common, distance) = (figure.as_similarity(), figure.as_common(), figure.as_distance());
        let euclidean_distance = figure.as_euclidean_distance();
        let reason = Some(reason.name().into());
        Self {
            a: a.into(),
            b: b.into(),
            similarity,
            containment_of_a: None,
            containment_of_b: None,
            common,
            distance,
            euclidean_distance,
            estimated_similarity: figure.as_estimated_similarity(),
            interval_low: None,
            interval_high: None,
            reason,
            a_source: None,
            b_source: None,
        }
    }

    /// The same pair with the files of both documents, if they are named.
    #[must_use]
    pub fn with_sources(self, [a_source, b_source]: [Option<Cow<'a, str>>; 2]) -> Self {
        Self { a_source, b_source, ..self }
    }

    /// The same pair with ids and files of its own.
    pub fn into_owned(self) -> PairRow<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let Self { a, b, reason, a_source, b_source, .. } = self;
        let (a, b, reason) = (own(a), own(b), reason.map(own));
        PairRow { a, b, reason, a_source: a_source.map(own), b_source: b_source.map(own), ..self }
    }

    /// The same pair with the shares of a in b and of b in a.
    #[must_use]
    pub fn with_containments(self, [of_a, of_b]: [f64; 2]) -> Self {
        Self { containment_of_a: Some(of_a), containment_of_b: Some(of_b), ..self }
    }

    /// The same pair, of which the similarity is an estimate with this interval.
    #[must_use]
    pub fn with_interval(self, (low, high): (f64, f64)) -> Self {
        Self { interval_low: Some(low), interval_high: Some(high), ..self }
    }

    /// What the row says of the pair; `None` for not exactly one figure.
    pub fn figure(&self) -> Option<PairFigure> {
        let figures = [
            self.similarity.map(PairFigure::Similarity),
            self.common.map(PairFigure::Common),
            self.distance.map(PairFigure::Distance),
            self.euclidean_distance.map(PairFigure::EuclideanDistance),
            self.estimated_similarity.map(PairFigure::EstimatedSimilarity),
        ];
        let mut told = figures.into_iter().flatten();
        told.next().filter(|_| told.next().is_none())
    }

    /// The fields of rows by a measure that counts `figure`, in order.
    pub fn header(figure: Figure, sources: RowSources) -> Vec<RowField> {
        const OF_SIMILARITY: &[RowField] = &[A, B, SIMILARITY, REASON];
        const OF_CONTAINMENT: &[RowField] = &[A, B, SIMILARITY, OF_A, OF_B, REASON];
        const OF_COMMON: &[RowField] = &[A, B, COMMON, REASON];
        const OF_DISTANCE: &[RowField] = &[A, B, DISTANCE, REASON];
        const OF_EUCLIDEAN: &[RowField] = &[A, B, EUCLIDEAN_DISTANCE, REASON];
        const OF_ESTIMATE: &[RowField] = &[A, B, ESTIMATED_SIMILARITY, INTERVAL_LOW, INTERVAL_HIGH, REASON];
        let fields = match figure {
            Figure::Similarity => OF_SIMILARITY,
            Figure::Containment => OF_CONTAINMENT,
            Figure::Common => OF_COMMON,
            Figure::Distance { .. } => OF_DISTANCE,
            Figure::EuclideanDistance => OF_EUCLIDEAN,
            Figure::EstimatedSimilarity => OF_ESTIMATE,
        };
        sources.behind(fields, &[A_SOURCE, B_SOURCE])
    }

    /// All fields that a file may have, and those that some files do not have.
    pub(crate) const ALL: &'static [RowField] = &[
        A,
        B,
        SIMILARITY,
        OF_A,
        OF_B,
        COMMON,
        DISTANCE,
        EUCLIDEAN_DISTANCE,
        ESTIMATED_SIMILARITY,
        INTERVAL_LOW,
        INTERVAL_HIGH,
        REASON,
        A_SOURCE,
        B_SOURCE,
    ];
    pub(crate) const OPTIONAL: &'static [RowField] = Self::ALL.split_at(2).1;
}

const A: RowField = RowField::text("a");
const B: RowField = RowField::text("b");
pub(super) const SIMILARITY: RowField = RowField::number("similarity");
const OF_A: RowField = RowField::number("containment_of_a");
const OF_B: RowField = RowField::number("containment_of_b");
pub(super) const COMMON: RowField = RowField::count("common");
pub(super) const DISTANCE: RowField = RowField::count("distance");
pub(super) const EUCLIDEAN_DISTANCE: RowField = RowField::number("euclidean_distance");
pub(super) const ESTIMATED_SIMILARITY: RowField = RowField::number("estimated_similarity");
pub(super) const INTERVAL_LOW: RowField = RowField::number("interval_low");
pub(super) const INTERVAL_HIGH: RowField = RowField::number("interval_high");
const REASON: RowField = RowField::text("reason");
const A_SOURCE: RowField = RowField::text("a_source");
const B_SOURCE: RowField = RowField::text("b_source");
const SOURCE: RowField = RowField::text("source");
const KEPT_SOURCE: RowField = RowField::text("kept_source");

/// A figure of a pair, under the name that it has in rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PairFigure {
    /// `similarity`, above 0 and at most 1.
    Similarity(f64),
    /// `common`: the number of common elements.
    Common(u64),
    /// `distance`: the number of bits in which fingerprints differ.
    Distance(u64),
    /// `euclidean_distance`: that of vectors.
    EuclideanDistance(f64),
    /// `estimated_similarity`: the share in which signatures agree.
    EstimatedSimilarity(f64),
}

impl PairFigure {
    /// What a measure that counts `figure` means by this similarity.
    pub fn of(figure: Figure, similarity: f64) -> Self {
        match figure {
            Figure::Similarity | Figure::Containment => Self::Similarity(similarity),
            Figure::Common => Self::Common(similarity as u64),
            Figure::Distance { width } => Self::Distance(distance_of(similarity, width).into()),
            // 0 in place of -0.
            Figure::EuclideanDistance => Self::EuclideanDistance(0.0 - similarity),
            Figure::EstimatedSimilarity => Self::EstimatedSimilarity(similarity),
        }
    }

    /// The figure as the similarity of a measure that counts `counted`; `None` if it counts something else.
    pub fn similarity(self, counted: Figure) -> Option<f64> {
        match (self, counted) {
            (Self::Similarity(similarity), Figure::Similarity | Figure::Containment) => Some(similarity),
            (Self::Common(common), Figure::Common) => Some(common as f64),
            (Self::Distance(differing), Figure::Distance { width }) => {
                // More bits than there are differ in none of our files; such a pair is near by no distance.
                let differing = u32::try_from(differing).unwrap_or(u32::MAX).min(width);
                Some(DifferingBits { differing, width }.similarity())
            }
            (Self::EuclideanDistance(distance), Figure::EuclideanDistance) => Some(0.0 - distance),
            (Self::EstimatedSimilarity(similarity), Figure::EstimatedSimilarity) => Some(similarity),
            (Self::Similarity(_) | Self::Common(_) | Self::Distance(_), _) => None,
            (Self::EuclideanDistance(_) | Self::EstimatedSimilarity(_), _) => None,
        }
    }

    /// The name of its field.
    pub fn name(self) -> &'static str {
        match self {
            Self::Similarity(_) => SIMILARITY.name,
            Self::Common(_) => COMMON.name,
            Self::Distance(_) => DISTANCE.name,
            Self::EuclideanDistance(_) => EUCLIDEAN_DISTANCE.name,
            Self::EstimatedSimilarity(_) => ESTIMATED_SIMILARITY.name,
        }
    }

    /// The value of the field `similarity`.
    pub(crate) fn as_similarity(self) -> Option<f64> {
        if let Self::Similarity(similarity) = self { Some(similarity) } else { None }
    }

    /// The value of the field `common`.
    pub(super) fn as_common(self) -> Option<u64> {
        if let Self::Common(common) = self { Some(common) } else { None }
    }

    /// The value of the field `distance`.
    pub(super) fn as_distance(self) -> Option<u64> {
        if let Self::Distance(distance) = self { Some(distance) } else { None }
    }

    /// The value of the field `estimated_similarity`.
    pub(super) fn as_estimated_similarity(self) -> Option<f64> {
        if let Self::EstimatedSimilarity(similarity) = self { Some(similarity) } else { None }
    }

    /// The value of the field `euclidean_distance`.
    pub(super) fn as_euclidean_distance(self) -> Option<f64> {
        if let Self::EuclideanDistance(distance) = self { Some(distance) } else { None }
    }
}

/// A removed document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemovalRow<'a> {
    /// Its id.
    pub id: Cow<'a, str>,
    /// Id of its keeper.
    pub kept: Cow<'a, str>,
    /// Their similarity; of a containment, the share of the removed document that is in the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// The number of their common elements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common: Option<u64>,
    /// The number of bits in which their fingerprints differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<u64>,
    /// The Euclidean distance of their vectors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub euclidean_distance: Option<f64>,
    /// Why it was removed: `identical`, `equal` or `near`.
    pub reason: Cow<'a, str>,
    /// Its file, if rows name sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Cow<'a, str>>,
    /// The file of its keeper, if rows name sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_source: Option<Cow<'a, str>>,
}

impl<'a> RemovalRow<'a> {
    /// The removal of a document because of the `kept` one.
    pub fn new([id, kept]: [&'a str; 2], figure: PairFigure, reason: Reason) -> Self {
        let (similarity, common, distance) = (figure.as_similarity(), figure.as_common(), figure.as_distance());
        let euclidean_distance = figure.as_euclidean_distance();
        let reason = reason.name().into();
        let (id, kept, source, kept_source) = (id.into(), kept.into(), None, None);
        Self { id, kept, similarity, common, distance, euclidean_distance, reason, source, kept_source }
    }

    /// The same removal with the files of both documents, if they are named.
    #[must_use]
    pub fn with_sources(self, [source, kept_source]: [Option<Cow<'a, str>>; 2]) -> Self {
        Self { source, kept_source, ..self }
    }

    /// The fields of rows by a measure that counts `figure`, in order.
    pub fn header(figure: Figure, sources: RowSources) -> Vec<RowField> {
        const ID: RowField = RowField::text("id");
        const KEPT: RowField = RowField::text("kept");
        const OF_SIMILARITY: &[RowField] = &[ID, KEPT, SIMILARITY, REASON];
        const OF_COMMON: &[RowField] = &[ID, KEPT, COMMON, REASON];
        const OF_DISTANCE: &[RowField] = &[ID, KEPT, DISTANCE, REASON];
        const OF_EUCLIDEAN: &[RowField] = &[ID, KEPT, EUCLIDEAN_DISTANCE, REASON];
        let fields = match figure {
            // Nothing is removed by an estimate.
            Figure::Similarity | Figure::Containment | Figure::EstimatedSimilarity => OF_SIMILARITY,
            Figure::Common => OF_COMMON,
            Figure::Distance { .. } => OF_DISTANCE,
            Figure::EuclideanDistance => OF_EUCLIDEAN,
        };
        sources.behind(fields, &[SOURCE, KEPT_SOURCE])
    }
}

/// A member of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterRow<'a> {
    /// Number of the cluster, from 0.
    pub cluster: u64,
    /// Id of the document.
    pub id: Cow<'a, str>,
    /// Its file, if rows name sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Cow<'a, str>>,
}

impl ClusterRow<'_> {
    /// The fields, in order.
    pub fn header(sources: RowSources) -> Vec<RowField> {
        sources.behind(&[RowField::count("cluster"), RowField::text("id")], &[SOURCE])
    }
}

/// A member of a group of exact copies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopyRow<'a> {
    /// Number of the group, from 0, in input order of the first members.
    pub group: u64,
    /// Id of the document.
    pub id: Cow<'a, str>,
    /// The content in which the members are equal.
    pub equal: CopyKind,
    /// Checksum of that content, in hexadecimal.
    pub checksum: Cow<'a, str>,
}

impl CopyRow<'_> {
    /// The fields, in order.
    pub const HEADER: &'static [RowField; 4] =
        &[RowField::count("group"), RowField::text("id"), RowField::text("equal"), RowField::text("checksum")];
}

/// The content in which the members of a group of copies are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CopyKind {
    /// The bytes of their texts.
    Bytes,
    /// Their normalized texts, or sorted items, but not the bytes of all of them.
    Text,
}

#[cfg(test)]
mod tests;
