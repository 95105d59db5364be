//! Two vectors side by side, of records or as given.

use super::comparing::Comparing;
use super::find::Finder;
use crate::ground::{Contradiction, Error, Result};
use lookalike_core::comparison::Features;
use lookalike_core::documents::{ElementSets, Vector};
use lookalike_core::evidence::Verdict;
use lookalike_core::kernel::Kernel;
use lookalike_core::{DocId, Error as CoreError};
use lookalike_io::sources::vector_of_json;

/// Components that are told.
const TOLD: usize = 10;

/// Two vectors and where they differ most.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedVectors {
    /// Number of dimensions.
    pub dimensions: usize,
    /// Their norms.
    pub norms: [f64; 2],
    /// Their cosine; 0 if one is zero.
    pub cosine: f64,
    /// Their Euclidean distance.
    pub distance: f64,
    /// The dimensions, from 0, in which they differ most, with both components, the largest difference first.
    pub differences: Vec<(usize, [f32; 2])>,
}

/// Compares two vectors, each named as a record (`FILE:ID`) or given as a JSON array, and says what the measure says of
/// them.
///
/// # Errors
/// If one cannot be found or read, or they have different numbers of dimensions.
pub(super) fn compare_vectors(asked: &Comparing) -> Result<(Option<Verdict>, ComparedVectors)> {
    let finder = Finder::new(&asked.inputs, asked.inputs.fields())?;
    let mut sets = ElementSets::new();
    let mut extractor = Features::Vector.extractor(Kernel::detect());
    for side in &asked.sides {
        let vector = match side.content(&finder) {
            Err(error @ Error::NotADocument { .. }) => vector_of_json(side.name()).map_err(|_| error)?,
            found => found?,
        };
        extractor.push(vector, &mut sets)?;
    }
    let words = [0, 1].map(|document| sets.get(DocId(document)));
    let not_a_vector = || Error::from(CoreError::NotAVector);
    let both @ [a, b] = [
        Vector::of(words[0].elements()).ok_or_else(not_a_vector)?,
        Vector::of(words[1].elements()).ok_or_else(not_a_vector)?,
    ];
    if a.dimensions() != b.dimensions() {
        return Err(Contradiction::DimensionsOfTwo { found: both.map(Vector::dimensions) }.into());
    }
    let verdict = asked.measure.and_then(|measure| Verdict::of_vectors(measure, words));
    let kernel = Kernel::detect();
    let compared = ComparedVectors {
        dimensions: a.dimensions(),
        norms: both.map(|vector| vector.squared_norm().sqrt()),
        cosine: a.cosine(kernel, b),
        distance: a.distance(kernel, b),
        differences: largest_differences(a.components(), b.components()),
    };
    Ok((verdict, compared))
}

fn largest_differences(a: &[f32], b: &[f32]) -> Vec<(usize, [f32; 2])> {
    let mut all: Vec<(usize, [f32; 2])> = a.iter().zip(b).map(|(&a, &b)| [a, b]).enumerate().collect();
    all.retain(|(_, [a, b])| a != b);
    let difference = |pair: &(usize, [f32; 2])| (f64::from(pair.1[0]) - f64::from(pair.1[1])).abs();
    all.sort_by(|left, right| difference(right).total_cmp(&difference(left)).then(left.0.cmp(&right.0)));
    all.truncate(TOLD);
    all
}
