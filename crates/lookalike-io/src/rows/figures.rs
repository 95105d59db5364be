//! The figures of a pair: what its measure counts, made once of what was verified, and the same in all rows.

use super::all_columns;
use super::column::{Cell, Column, ColumnKind, Value};
use lookalike_core::similarity::{DifferingBits, Figure, Metric, distance_of};

/// Columns of figures at most.
const MAX: usize = 3;

/// Similarities of a pair, verified or estimated: all that its figures are made of.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Verified {
    /// The similarity by the measure, as it is counted inside the program.
    pub similarity: f64,
    /// The share of each document that is in the other; `None` for pairs that are near by something else than sets.
    pub containments: Option<[f64; 2]>,
    /// The interval of the similarity, with a confidence of 95 %, where it is an estimate.
    pub interval: Option<(f64, f64)>,
}

impl Verified {
    /// A pair of which only the similarity matters.
    pub fn from_similarity(similarity: f64) -> Self {
        Self { similarity, ..Self::default() }
    }
}

/// The figures of a pair, in the order of their columns. The first one is what the measure counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    columns: &'static [Column],
    values: [Option<f64>; MAX],
}

/// The figures of each kind of measure. Kinds with the same first column stand beside each other, and
/// the one with more columns behind.
const KINDS: &[&[Column]] =
    &[OF_SIMILARITY, OF_CONTAINMENT, OF_COMMON, OF_DISTANCE, OF_EUCLIDEAN, OF_MANHATTAN, OF_ESTIMATE];
const OF_SIMILARITY: &[Column] = &[all_columns::SIMILARITY];
const OF_CONTAINMENT: &[Column] =
    &[all_columns::SIMILARITY, all_columns::CONTAINMENT_OF_A, all_columns::CONTAINMENT_OF_B];
const OF_COMMON: &[Column] = &[all_columns::COMMON];
const OF_DISTANCE: &[Column] = &[all_columns::DISTANCE];
const OF_EUCLIDEAN: &[Column] = &[all_columns::EUCLIDEAN_DISTANCE];
const OF_MANHATTAN: &[Column] = &[all_columns::MANHATTAN_DISTANCE];
const OF_ESTIMATE: &[Column] =
    &[all_columns::ESTIMATED_SIMILARITY, all_columns::INTERVAL_LOW, all_columns::INTERVAL_HIGH];
/// The figures of containment, of a query and a document.
const OF_CONTAINMENT_OF_QUERY: &[Column] =
    &[all_columns::SIMILARITY, all_columns::CONTAINMENT_OF_QUERY, all_columns::CONTAINMENT_OF_ID];

impl Figures {
    /// The figures of a pair by a measure that counts `figure`, those of an estimate where there is an interval: here
    /// alone it is defined which columns these are, and what stands in them.
    pub fn new(figure: Figure, verified: Verified) -> Self {
        let Verified { similarity, containments, interval } = verified;
        let figure = if interval.is_some() { Figure::EstimatedSimilarity } else { figure };
        match figure {
            Figure::Similarity => Self::alone(OF_SIMILARITY, similarity),
            Figure::Containment => {
                let [of_a, of_b] = containments.map_or([None; 2], |shares| shares.map(Some));
                Self { columns: OF_CONTAINMENT, values: [Some(similarity), of_a, of_b] }
            }
            Figure::Common => Self::alone(OF_COMMON, similarity),
            Figure::Distance { width } => Self::alone(OF_DISTANCE, distance_of(similarity, width).into()),
            // 0 in place of -0.
            Figure::VectorDistance(Metric::Euclidean) => Self::alone(OF_EUCLIDEAN, 0.0 - similarity),
            Figure::VectorDistance(Metric::Manhattan) => Self::alone(OF_MANHATTAN, 0.0 - similarity),
            Figure::EstimatedSimilarity => {
                let [low, high] = interval.map_or([None; 2], |(low, high)| [Some(low), Some(high)]);
                Self { columns: OF_ESTIMATE, values: [Some(similarity), low, high] }
            }
        }
    }

    /// The figures of a document and itself; null where they depend on the document.
    pub fn of_document_itself(figure: Figure) -> Self {
        match figure.similarity_to_itself() {
            Some(similarity) => Self::new(figure, Verified::from_similarity(similarity)),
            None => Self { columns: Self::columns(figure), values: [None; MAX] },
        }
    }

    const fn alone(columns: &'static [Column], value: f64) -> Self {
        Self { columns, values: [Some(value), None, None] }
    }

    /// The columns of the figures of a measure.
    pub(super) fn columns(figure: Figure) -> &'static [Column] {
        Self::new(figure, Verified::default()).columns
    }

    /// The main figure: what the measure counts, without the others.
    #[must_use]
    pub fn main(self) -> Self {
        Self { columns: &self.columns[..1], ..self }
    }

    /// Figures of a query and a document in place of a and b.
    #[must_use]
    pub(super) fn of_query(self) -> Self {
        if self.are(OF_CONTAINMENT) { Self { columns: OF_CONTAINMENT_OF_QUERY, ..self } } else { self }
    }

    /// The cells, in order.
    pub fn cells<'r>(self) -> impl Iterator<Item = Cell<'r>> {
        self.columns.iter().zip(self.values).map(|(column, value)| {
            let value = match (value, column.kind) {
                (None, _) => Value::Null,
                (Some(count), ColumnKind::Count) => Value::Count(count as u64),
                (Some(number), _) => Value::Number(number),
            };
            (column, value)
        })
    }

    /// The shares of each document in the other, where the measure is containment.
    pub fn containments(self) -> Option<[f64; 2]> {
        let [_, of_a, of_b] = self.values;
        if self.are(OF_CONTAINMENT) { of_a.zip(of_b).map(<[f64; 2]>::from) } else { None }
    }

    /// The similarity by a measure that counts `figure`; `None` if these are the figures of another one.
    pub fn similarity(self, figure: Figure) -> Option<f64> {
        if !self.are(Self::columns(figure)) {
            return None;
        }
        let counted = self.values[0]?;
        Some(match figure {
            Figure::Similarity | Figure::Containment | Figure::Common | Figure::EstimatedSimilarity => counted,
            Figure::Distance { width } => {
                // More bits than there are differ in none of our files; such a pair is near by no distance.
                DifferingBits { differing: (counted as u32).min(width), width }.similarity()
            }
            Figure::VectorDistance(_) => 0.0 - counted,
        })
    }

    /// Columns of the main figures of all measures, each once.
    pub fn main_columns() -> impl Iterator<Item = &'static Column> {
        kinds_by_main().map(|kinds| &kinds[0][0])
    }

    /// Columns that the figures of pairs may have, each once.
    pub(super) fn pair_columns() -> impl Iterator<Item = &'static Column> {
        kinds_by_main().filter_map(|kinds| kinds.last()).flat_map(|columns| columns.iter())
    }

    /// Columns that the figures of a query and a document may have, each once.
    pub(super) fn query_columns() -> impl Iterator<Item = &'static Column> {
        let of_query = |columns: &&'static [Column]| Self { columns, values: [None; MAX] }.of_query().columns;
        kinds_by_main().filter_map(|kinds| kinds.last()).flat_map(of_query)
    }

    /// The figures that the values in the columns of [`Self::pair_columns`] are, by their places; `None` if they are
    /// not those of one measure. What stands beside the first figure may be missing.
    pub(crate) fn from_values(value_at: impl Fn(usize) -> Option<f64>) -> Option<Self> {
        let mut place = 0;
        let mut known = None;
        for kinds in kinds_by_main() {
            if value_at(place).is_some() && known.replace((kinds, place)).is_some() {
                return None;
            }
            place += kinds.last().map_or(0, |columns| columns.len());
        }
        let (kinds, place) = known?;
        let is_known = |columns: &&&[Column]| columns.len() == 1 || value_at(place + 1).is_some();
        let columns = kinds.iter().rev().find(is_known).or(kinds.first())?;
        let value = |number| if number < columns.len() { value_at(place + number) } else { None };
        Some(Self { columns, values: std::array::from_fn(value) })
    }

    /// Returns whether these are the figures of a kind: the first column and the number of columns tell.
    fn are(&self, kind: &[Column]) -> bool {
        self.columns.len() == kind.len() && self.columns[0].name == kind[0].name
    }
}

/// The kinds that have the same first column, for each of these.
fn kinds_by_main() -> impl Iterator<Item = &'static [&'static [Column]]> {
    KINDS.chunk_by(|kind, next| kind[0].name == next[0].name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURES: [Figure; 7] = [
        Figure::Similarity,
        Figure::Containment,
        Figure::Common,
        Figure::Distance { width: 64 },
        Figure::VectorDistance(Metric::Euclidean),
        Figure::VectorDistance(Metric::Manhattan),
        Figure::EstimatedSimilarity,
    ];

    #[test]
    fn a_figure_is_read_by_its_own_measure_alone() {
        let verified = Verified { similarity: 1.0, containments: Some([1.0, 0.5]), interval: Some((0.5, 1.0)) };
        for counted in FIGURES {
            let interval = verified.interval.filter(|_| counted == Figure::EstimatedSimilarity);
            let figures = Figures::new(counted, Verified { interval, ..verified });
            assert_eq!(figures.containments(), (counted == Figure::Containment).then_some([1.0, 0.5]));
            let cells: Vec<Cell<'_>> = figures.cells().collect();
            let columns: Vec<&Column> = Figures::pair_columns().collect();
            let value_at = |place: usize| match cells.iter().find(|(known, _)| *known == columns[place])?.1 {
                Value::Number(number) => Some(number),
                Value::Count(count) => Some(count as f64),
                _ => None,
            };
            assert_eq!(Figures::from_values(value_at), Some(figures));
            for requested in FIGURES {
                assert_eq!(
                    figures.similarity(requested),
                    (requested == counted).then_some(1.0),
                    "{counted:?} as {requested:?}"
                );
            }
        }
    }

    #[test]
    fn a_document_has_no_distance_to_itself() {
        for (figure, value) in [
            (Figure::Similarity, Value::Number(1.0)),
            (Figure::Containment, Value::Number(1.0)),
            (Figure::Common, Value::Null),
            (Figure::Distance { width: 64 }, Value::Count(0)),
            (Figure::VectorDistance(Metric::Euclidean), Value::Number(0.0)),
        ] {
            let (_, itself) = Figures::of_document_itself(figure).main().cells().next().unwrap();
            assert_eq!(itself, value, "{figure:?}");
            // 0 and -0 are equal, and not written alike.
            assert!(!matches!(itself, Value::Number(number) if number.is_sign_negative()));
        }
    }

    #[test]
    fn several_figures_or_none_are_those_of_no_measure() {
        let columns: Vec<&Column> = Figures::pair_columns().collect();
        let two = |place: usize| ["similarity", "common"].contains(&columns[place].name).then_some(1.0);
        assert_eq!(Figures::from_values(two), None);
        assert_eq!(Figures::from_values(|_| None), None);
    }
}
