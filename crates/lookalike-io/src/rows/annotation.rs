//! Annotations of records: a JSON object, or columns.
//!
//! ```text
//! of a decision   duplicate, kept, a figure of the measure, cluster_size
//! of cuts         cut, cut_tokens, tokens
//! ```

use super::all_columns::{CLUSTER_SIZE, CUT, CUT_TOKENS, DUPLICATE, ESTIMATED_SIMILARITY, KEPT, TEXT_TOKENS};
use super::column::{Cell, Column, Value};
use super::figures::Figures;
use super::row::{Row, serialize_row};
use arrow_schema::Field;
use lookalike_core::similarity::Figure;
use serde::{Serialize, Serializer};

/// Annotation of a record.
///
/// JSON records get an object with the name [`Annotation::NAME`], tables a column per field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Annotation<'a> {
    /// The decision on it.
    Decision {
        /// True if the record is a duplicate of its keeper.
        duplicate: bool,
        /// Id of its keeper, or its own id.
        kept: &'a str,
        /// Figures of the record and its keeper. A keeper is its own: of similarity 1, or distance 0;
        /// null where common elements are counted, for it has all of its own.
        figures: Figures,
        /// Number of records with this keeper, the keeper included.
        cluster_size: u32,
    },
    /// Cuts of its text.
    Cut {
        /// First byte of each cut in the text, and the byte behind its last; ascending.
        spans: &'a [[u64; 2]],
        /// Number of tokens in the cuts.
        cut_tokens: u64,
        /// Number of tokens of the text.
        tokens: u64,
    },
}

/// Kind of the annotations of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnnotationKind {
    /// Decisions, by a measure that counts this figure.
    Decision(Figure),
    /// Cuts.
    Cut,
}

impl AnnotationKind {
    /// The columns of the JSON object, in order.
    pub(crate) fn header(self) -> Vec<Column> {
        match self {
            Self::Cut => Annotation::Cut { spans: &[], cut_tokens: 0, tokens: 0 },
            Self::Decision(figure) => {
                let figures = Figures::of_document_itself(figure);
                Annotation::Decision { duplicate: false, kept: "", figures, cluster_size: 1 }
            }
        }
        .columns()
    }

    /// The names of the columns, in order: `lookalike_duplicate` and so on.
    pub fn columns(self) -> Vec<String> {
        self.header().iter().map(|column| column_name(Annotation::NAME, column)).collect()
    }

    /// The columns that are added to tables. They have a null for records without an annotation.
    pub(crate) fn column_fields(self) -> Vec<Field> {
        let field = |column: &Column| Field::new(column_name(Annotation::NAME, column), column.kind.data_type(), true);
        self.header().iter().map(field).collect()
    }
}

impl Annotation<'_> {
    /// Name of the JSON object; the names of the columns begin with it.
    pub const NAME: &'static str = "lookalike";

    /// The names of the columns that an annotation called `name` may have.
    pub(crate) fn reserved_columns(name: &str) -> impl Iterator<Item = String> {
        // An estimate decides nothing.
        let figures = Figures::main_columns().filter(|column| column.name != ESTIMATED_SIMILARITY.name);
        let decision = AnnotationKind::Decision(Figure::Similarity).header().into_iter().chain(figures.copied());
        decision.chain(AnnotationKind::Cut.header()).map(move |column| column_name(name, &column))
    }
}

impl Row for Annotation<'_> {
    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        match *self {
            Self::Decision { duplicate, kept, figures, cluster_size } => {
                [(&DUPLICATE, Value::Flag(duplicate)), (&KEPT, Value::text(kept))]
                    .into_iter()
                    .chain(figures.main().cells())
                    .chain([(&CLUSTER_SIZE, Value::Count(cluster_size.into()))])
                    .collect::<Vec<_>>()
            }
            Self::Cut { spans, cut_tokens, tokens } => vec![
                (&CUT, Value::Text(spelled(spans).into())),
                (&CUT_TOKENS, Value::Count(cut_tokens)),
                (&TEXT_TOKENS, Value::Count(tokens)),
            ],
        }
        .into_iter()
    }
}

/// Spans as one text, which tables can hold, too: `0-120 300-410`.
fn spelled(spans: &[[u64; 2]]) -> String {
    let spans: Vec<String> = spans.iter().map(|[start, end]| format!("{start}-{end}")).collect();
    spans.join(" ")
}

impl Serialize for Annotation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_row(self, serializer)
    }
}

fn column_name(annotation: &str, column: &Column) -> String {
    format!("{annotation}_{}", column.name)
}

#[cfg(test)]
mod tests {
    use super::super::figures::Verified;
    use super::*;
    use lookalike_core::similarity::Metric;

    #[test]
    fn annotations_are_frozen() {
        let decision = |figures| Annotation::Decision { duplicate: true, kept: "x", figures, cluster_size: 2 };
        let near = |figure, similarity| Figures::new(figure, Verified::from_similarity(similarity));
        let cut = Annotation::Cut { spans: &[[0, 12], [30, 40]], cut_tokens: 4, tokens: 9 };
        for (annotation, kind, json, columns) in [
            (
                decision(near(Figure::Similarity, 0.5)),
                AnnotationKind::Decision(Figure::Similarity),
                r#"{"duplicate":true,"kept":"x","similarity":0.5,"cluster_size":2}"#,
                "lookalike_duplicate,lookalike_kept,lookalike_similarity,lookalike_cluster_size",
            ),
            (
                decision(near(Figure::Distance { width: 64 }, 61.0 / 64.0)),
                AnnotationKind::Decision(Figure::Distance { width: 64 }),
                r#"{"duplicate":true,"kept":"x","distance":3,"cluster_size":2}"#,
                "lookalike_duplicate,lookalike_kept,lookalike_distance,lookalike_cluster_size",
            ),
            (
                decision(Figures::of_document_itself(Figure::Common)),
                AnnotationKind::Decision(Figure::Common),
                r#"{"duplicate":true,"kept":"x","common":null,"cluster_size":2}"#,
                "lookalike_duplicate,lookalike_kept,lookalike_common,lookalike_cluster_size",
            ),
            (
                decision(Figures::of_document_itself(Figure::VectorDistance(Metric::Euclidean))),
                AnnotationKind::Decision(Figure::VectorDistance(Metric::Euclidean)),
                r#"{"duplicate":true,"kept":"x","euclidean_distance":0.0,"cluster_size":2}"#,
                "lookalike_duplicate,lookalike_kept,lookalike_euclidean_distance,lookalike_cluster_size",
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
            assert_eq!(annotation.columns(), kind.header());
        }
    }
}
