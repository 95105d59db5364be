//! The rows of a search.

use super::field::RowField;
use super::schema::{ESTIMATED_SIMILARITY, INTERVAL_HIGH, INTERVAL_LOW, PairFigure};
use lookalike_core::measure::Figure;
use lookalike_core::rule::Reason;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A document that is near to a query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnswerRow<'a> {
    /// Id of the query.
    pub query: Cow<'a, str>,
    /// Rank of the document among the answers to the query, from 1.
    pub rank: u64,
    /// Id of the document.
    pub id: Cow<'a, str>,
    /// Their similarity, above 0 and at most 1; of a containment, the one that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// An estimate of it, by signatures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_similarity: Option<f64>,
    /// The lower end of the interval of the similarity, with a confidence of 95 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval_low: Option<f64>,
    /// The upper end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval_high: Option<f64>,
    /// The share of the query that is in the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub containment_of_query: Option<f64>,
    /// The share of the document that is in the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub containment_of_id: Option<f64>,
    /// The number of common elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub common: Option<u64>,
    /// The number of bits in which their fingerprints differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<u64>,
    /// The Euclidean distance of their vectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub euclidean_distance: Option<f64>,
    /// What they have in common: `identical`, `equal` or `near`.
    pub reason: Cow<'a, str>,
    /// The fields that an index stores of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fields: Option<StoredFields<'a>>,
    /// The number of the record of the query, and of the document, in its source; in no file. `None` for a document of
    /// an index.
    #[serde(skip)]
    pub rows: [Option<u64>; 2],
}

/// What answers tell of how similar documents are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerFigure {
    /// What the measure counts, exactly.
    Exact(Figure),
    /// An estimated similarity and its interval.
    Estimated,
}

/// Whether answers tell the fields that an index stores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AnswerFields {
    /// It stores none.
    #[default]
    Absent,
    /// Each answer has those of its document.
    Told,
}

/// How a JSON value stands in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonForm {
    /// As a value, where rows are JSON.
    Value,
    /// As a string, in a column.
    Text,
}

/// The fields that an index stores of a document: a JSON object as it is spelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFields<'a> {
    json: Cow<'a, str>,
    form: JsonForm,
}

impl<'a> StoredFields<'a> {
    /// The fields in this object; nothing is an empty one.
    pub fn new(json: impl Into<Cow<'a, str>>) -> Self {
        let json = json.into();
        Self { json: if json.is_empty() { "{}".into() } else { json }, form: JsonForm::Value }
    }

    /// The object.
    pub fn as_json(&self) -> &str {
        &self.json
    }
}

impl Serialize for StoredFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.form, serde_json::from_str::<&RawValue>(&self.json)) {
            (JsonForm::Value, Ok(value)) => value.serialize(serializer),
            (JsonForm::Text, _) | (JsonForm::Value, Err(_)) => serializer.serialize_str(&self.json),
        }
    }
}

impl<'a> AnswerRow<'a> {
    /// The document with this id and rank among the answers to a query; the shares are told of containments alone.
    pub fn new(
        (query, rank, id): (&'a str, u64, &'a str),
        (figure, similarity): (Figure, f64),
        containments: Option<[f64; 2]>,
        reason: Reason,
    ) -> Self {
        let told = PairFigure::of(figure, similarity);
        let [of_query, of_id] = match containments.filter(|_| figure == Figure::Containment) {
            Some(shares) => shares.map(Some),
            None => [None; 2],
        };
        Self {
            query: query.into(),
            rank,
            id: id.into(),
            similarity: told.as_similarity(),
            estimated_similarity: told.as_estimated_similarity(),
            interval_low: None,
            interval_high: None,
            containment_of_query: of_query,
            containment_of_id: of_id,
            common: told.as_common(),
            distance: told.as_distance(),
            euclidean_distance: told.as_euclidean_distance(),
            reason: reason.name().into(),
            fields: None,
            rows: [None; 2],
        }
    }

    /// The same, where the records of both stand.
    #[must_use]
    pub fn with_rows(self, rows: [Option<u64>; 2]) -> Self {
        Self { rows, ..self }
    }

    /// The same, of which the similarity is an estimate with this interval; as it is for none.
    #[must_use]
    pub fn with_interval(self, interval: Option<(f64, f64)>) -> Self {
        match interval {
            None => self,
            Some((low, high)) => Self {
                similarity: None,
                estimated_similarity: self.estimated_similarity.or(self.similarity),
                interval_low: Some(low),
                interval_high: Some(high),
                ..self
            },
        }
    }

    /// The same, with the fields that an index stores of the document.
    #[must_use]
    pub fn with_fields(self, fields: Option<StoredFields<'a>>) -> Self {
        Self { fields, ..self }
    }

    /// The same, with its fields in a form.
    #[must_use]
    pub fn in_form(self, form: JsonForm) -> Self {
        Self { fields: self.fields.map(|fields| StoredFields { form, ..fields }), ..self }
    }

    /// The same row with ids of its own.
    pub fn into_owned(self) -> AnswerRow<'static> {
        let Self { query, id, reason, fields, .. } = self;
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let fields = fields.map(|StoredFields { json, form }| StoredFields { json: own(json), form });
        AnswerRow { query: own(query), id: own(id), reason: own(reason), fields, ..self }
    }

    /// What the row says of the two documents.
    pub fn figure(&self) -> Option<PairFigure> {
        let estimate = self.estimated_similarity.map(PairFigure::EstimatedSimilarity);
        let similarity = self.similarity.map(PairFigure::Similarity).or(estimate);
        let count = self.common.map(PairFigure::Common).or(self.distance.map(PairFigure::Distance));
        similarity.or(count).or(self.euclidean_distance.map(PairFigure::EuclideanDistance))
    }

    /// The fields of rows that tell `figure`, in order.
    pub fn header(figure: AnswerFigure, fields: AnswerFields) -> Vec<RowField> {
        let told: &[RowField] = match figure {
            AnswerFigure::Estimated | AnswerFigure::Exact(Figure::EstimatedSimilarity) => {
                &[ESTIMATED_SIMILARITY, INTERVAL_LOW, INTERVAL_HIGH]
            }
            AnswerFigure::Exact(Figure::Similarity) => &[RowField::number("similarity")],
            AnswerFigure::Exact(Figure::Containment) => &[
                RowField::number("similarity"),
                RowField::number("containment_of_query"),
                RowField::number("containment_of_id"),
            ],
            AnswerFigure::Exact(Figure::Common) => &[RowField::count("common")],
            AnswerFigure::Exact(Figure::Distance { .. }) => &[RowField::count("distance")],
            AnswerFigure::Exact(Figure::EuclideanDistance) => &[RowField::number("euclidean_distance")],
        };
        let first = [RowField::text("query"), RowField::count("rank"), RowField::text("id")];
        let stored: &[RowField] = match fields {
            AnswerFields::Absent => &[],
            AnswerFields::Told => &[RowField::text("fields")],
        };
        [&first, told, &[RowField::text("reason")], stored].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_fields_of_their_header() {
        for (figure, similarity, interval) in [
            (Figure::Similarity, 0.5, None),
            (Figure::Similarity, 0.5, Some((0.4, 0.6))),
            (Figure::Containment, 0.5, None),
            (Figure::Common, 7.0, None),
            (Figure::Distance { width: 64 }, 0.75, None),
            (Figure::EuclideanDistance, -0.75, None),
        ] {
            let row = AnswerRow::new(("q", 1, "a"), (figure, similarity), Some([0.5, 1.0]), Reason::Near);
            let row = row.with_interval(interval);
            let figure = interval.map_or(AnswerFigure::Exact(figure), |_| AnswerFigure::Estimated);
            let told = row.clone().with_fields(Some(StoredFields::new("{}")));
            for (row, fields) in [(&row, AnswerFields::Absent), (&told, AnswerFields::Told)] {
                let object = serde_json::to_value(row).unwrap();
                let mut names: Vec<&String> = object.as_object().unwrap().keys().collect();
                let mut header: Vec<&str> = AnswerRow::header(figure, fields).iter().map(|field| field.name).collect();
                names.sort();
                header.sort_unstable();
                assert_eq!(names, header);
                assert!(row.figure().is_some());
            }
        }
    }
}
