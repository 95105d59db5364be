//! What is added to records: a JSON object, or columns.
//!
//! ```text
//! of a decision   duplicate, kept, a figure of the measure, cluster_size
//! of cuts         cut, cut_tokens, tokens
//! ```

use super::field::RowField;
use super::schema::{COMMON, DISTANCE, EUCLIDEAN_DISTANCE, PairFigure, SIMILARITY};
use arrow_schema::Field;
use lookalike_core::measure::Figure;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// What is added to a record.
///
/// JSON records get an object with the name [`Annotation::NAME`], tables a column per field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Annotation<'a> {
    /// The decision on it.
    Decision {
        /// Whether the record is a duplicate of its keeper.
        duplicate: bool,
        /// Id of its keeper, or its own id.
        kept: &'a str,
        /// What the measure counts of the record and its keeper. A keeper is its own: of similarity 1, or distance 0;
        /// `None` where common elements are counted, for it has all of its own.
        figure: Option<PairFigure>,
        /// Number of records with this keeper, the keeper included.
        cluster_size: u32,
    },
    /// What is to be cut out of its text.
    Cut {
        /// First byte of each cut in the text, and the byte behind its last; ascending.
        spans: &'a [[u64; 2]],
        /// Number of tokens in the cuts.
        cut_tokens: u64,
        /// Number of tokens of the text.
        tokens: u64,
    },
}

/// What annotations of a file tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnnotationKind {
    /// Decisions, by a measure that counts this figure.
    Decision(Figure),
    /// Cuts.
    Cut,
}

/// A value of an annotation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell<'a> {
    Flag(bool),
    Text(Cow<'a, str>),
    Number(f64),
    Count(u64),
    Count32(u32),
    Null,
}

impl AnnotationKind {
    /// The fields of the JSON object, in order.
    pub(crate) fn header(self) -> Vec<RowField> {
        let figure = match self {
            Self::Cut => return vec![RowField::text("cut"), RowField::count("cut_tokens"), RowField::count("tokens")],
            // Nothing is decided by an estimate.
            Self::Decision(Figure::Similarity | Figure::Containment | Figure::EstimatedSimilarity) => SIMILARITY,
            Self::Decision(Figure::Common) => COMMON,
            Self::Decision(Figure::Distance { .. }) => DISTANCE,
            Self::Decision(Figure::EuclideanDistance) => EUCLIDEAN_DISTANCE,
        };
        vec![RowField::flag("duplicate"), RowField::text("kept"), figure, RowField::count32("cluster_size")]
    }

    /// The names of the columns, in order: `lookalike_duplicate` and so on.
    pub fn columns(self) -> Vec<String> {
        self.header().into_iter().map(|field| column_name(Annotation::NAME, field)).collect()
    }

    /// The columns that are added to tables. They have a null for records without an annotation.
    pub(crate) fn column_fields(self) -> Vec<Field> {
        let column = |field: RowField| Field::new(column_name(Annotation::NAME, field), field.kind.data_type(), true);
        self.header().into_iter().map(column).collect()
    }
}

impl<'a> Annotation<'a> {
    /// Name of the JSON object; the names of the columns begin with it.
    pub const NAME: &'static str = "lookalike";

    /// What it tells.
    fn kind(&self) -> AnnotationKind {
        match self {
            Self::Cut { .. } => AnnotationKind::Cut,
            Self::Decision { figure: Some(PairFigure::Similarity(_) | PairFigure::EstimatedSimilarity(_)), .. } => {
                AnnotationKind::Decision(Figure::Similarity)
            }
            Self::Decision { figure: Some(PairFigure::Distance(_)), .. } => {
                AnnotationKind::Decision(Figure::Distance { width: 0 })
            }
            Self::Decision { figure: Some(PairFigure::EuclideanDistance(_)), .. } => {
                AnnotationKind::Decision(Figure::EuclideanDistance)
            }
            Self::Decision { figure: Some(PairFigure::Common(_)) | None, .. } => {
                AnnotationKind::Decision(Figure::Common)
            }
        }
    }

    /// Its values, in the order of the header.
    pub(crate) fn cells(&self) -> Vec<Cell<'a>> {
        match *self {
            Self::Decision { duplicate, kept, figure, cluster_size } => vec![
                Cell::Flag(duplicate),
                Cell::Text(kept.into()),
                match figure {
                    Some(
                        PairFigure::Similarity(number)
                        | PairFigure::EuclideanDistance(number)
                        | PairFigure::EstimatedSimilarity(number),
                    ) => Cell::Number(number),
                    Some(PairFigure::Distance(count) | PairFigure::Common(count)) => Cell::Count(count),
                    None => Cell::Null,
                },
                Cell::Count32(cluster_size),
            ],
            Self::Cut { spans, cut_tokens, tokens } => {
                vec![Cell::Text(spelled(spans).into()), Cell::Count(cut_tokens), Cell::Count(tokens)]
            }
        }
    }

    /// The names of the columns that an annotation called `name` may have.
    pub(crate) fn reserved_columns(name: &str) -> impl Iterator<Item = String> {
        let fields = AnnotationKind::Decision(Figure::Similarity).header().into_iter().chain([
            COMMON,
            DISTANCE,
            EUCLIDEAN_DISTANCE,
        ]);
        fields.chain(AnnotationKind::Cut.header()).map(move |field| column_name(name, field))
    }
}

/// Spans as one text, which tables can hold, too: `0-120 300-410`.
fn spelled(spans: &[[u64; 2]]) -> String {
    let spans: Vec<String> = spans.iter().map(|[start, end]| format!("{start}-{end}")).collect();
    spans.join(" ")
}

impl Serialize for Annotation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (header, cells) = (self.kind().header(), self.cells());
        let mut fields = serializer.serialize_struct("Annotation", cells.len())?;
        for (field, cell) in header.iter().zip(&cells) {
            fields.serialize_field(field.name, cell)?;
        }
        fields.end()
    }
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Count(count) => serializer.serialize_u64(*count),
            Self::Count32(count) => serializer.serialize_u32(*count),
            Self::Null => serializer.serialize_none(),
        }
    }
}

fn column_name(annotation: &str, field: RowField) -> String {
    format!("{annotation}_{}", field.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_frozen() {
        let decision = |figure| Annotation::Decision { duplicate: true, kept: "x", figure, cluster_size: 2 };
        let cut = Annotation::Cut { spans: &[[0, 12], [30, 40]], cut_tokens: 4, tokens: 9 };
        for (annotation, kind, json, columns) in [
            (
                decision(Some(PairFigure::Similarity(0.5))),
                AnnotationKind::Decision(Figure::Similarity),
                r#"{"duplicate":true,"kept":"x","similarity":0.5,"cluster_size":2}"#,
                "lookalike_duplicate,lookalike_kept,lookalike_similarity,lookalike_cluster_size",
            ),
            (
                decision(Some(PairFigure::Distance(3))),
                AnnotationKind::Decision(Figure::Distance { width: 64 }),
                r#"{"duplicate":true,"kept":"x","distance":3,"cluster_size":2}"#,
                "lookalike_duplicate,lookalike_kept,lookalike_distance,lookalike_cluster_size",
            ),
            (
                decision(None),
                AnnotationKind::Decision(Figure::Common),
                r#"{"duplicate":true,"kept":"x","common":null,"cluster_size":2}"#,
                "lookalike_duplicate,lookalike_kept,lookalike_common,lookalike_cluster_size",
            ),
            (
                cut,
                AnnotationKind::Cut,
                r#"{"cut":"0-12 30-40","cut_tokens":4,"tokens":9}"#,
                "lookalike_cut,lookalike_cut_tokens,lookalike_tokens",
            ),
        ] {
            assert_eq!(serde_json::to_string(&annotation).unwrap(), json);
            assert_eq!(kind.columns().join(","), columns);
            let mut row = csv::Writer::from_writer(Vec::new());
            row.serialize(annotation).unwrap();
            let row = String::from_utf8(row.into_inner().unwrap()).unwrap();
            let names: Vec<&str> = kind.header().iter().map(|field| field.name).collect();
            assert_eq!(row.lines().next(), Some(names.join(",").as_str()));
            assert_eq!(annotation.cells().len(), kind.header().len());
        }
    }
}
