//! Two fingerprints or two vectors side by side, of records or as given.

use super::comparing::Comparing;
use super::find::Finder;
use crate::base::{Contradiction, Error, Result};
use lookalike_core::comparison::{Extractor, Features, Measure};
use lookalike_core::documents::{ElementSets, Vector, bits_to_text, differing_bits};
use lookalike_core::evidence::Verdict;
use lookalike_core::kernel::Kernel;
use lookalike_core::similarity::DifferingBits;
use lookalike_core::{DocId, Error as CoreError, NotBits};
use lookalike_io::sources::{Fingerprints, vector_of_json};

/// Components that are shown.
const SHOWN: usize = 10;

/// Both points. A name that stands for no document is parsed by `push_given`, which returns false if it is no point.
fn points(
    request: &Comparing,
    features: &Features,
    push_given: impl Fn(&str, &mut Extractor, &mut ElementSets) -> Result<bool>,
) -> Result<ElementSets> {
    let finder = Finder::new(&request.inputs, request.inputs.fields())?;
    let mut sets = ElementSets::new();
    let mut extractor = features.extractor(Kernel::detect());
    for side in &request.sides {
        match side.content(&finder) {
            Err(error @ Error::NotADocument { .. }) => {
                if !push_given(side.name(), &mut extractor, &mut sets)? {
                    return Err(error);
                }
            }
            found => {
                extractor.push(found?, &mut sets)?;
            }
        }
    }
    Ok(sets)
}

/// Two fingerprints and the bits in which they differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedBits {
    /// Their fingerprints in hexadecimal digits.
    pub digits: [String; 2],
    /// Number of their bits.
    pub width: u32,
    /// The bits in which they differ, ascending; bit 0 is the last of the last digit.
    pub differing: Vec<u32>,
}

/// Compares two fingerprints, each named as a record (`FILE:ID`) or given in hexadecimal digits, and says what the
/// measure says of them.
///
/// # Errors
/// If one cannot be found or read, or has another width.
pub(super) fn compare_bits(request: &Comparing, fingerprints: Fingerprints) -> Result<(Option<Verdict>, ComparedBits)> {
    let width = fingerprints.width;
    let sets = points(request, &Features::Bits { width }, |name, extractor, sets| match extractor.push(name, sets) {
        Err(CoreError::NotBits(NotBits::NotHexadecimal { .. })) => Ok(false),
        pushed => Ok(pushed.map(|_| true)?),
    })?;
    let [a, b] = [0, 1].map(|document| sets.get(DocId(document)));
    let digits = [a, b].map(|bits| bits_to_text(bits, width));
    let differing = differing_bits(a, b, width);
    let bits = DifferingBits { differing: differing.len() as u32, width };
    let verdict = request.measure.and_then(Measure::hamming).map(|hamming| Verdict::of_bits(hamming, bits));
    Ok((verdict, ComparedBits { digits, width, differing }))
}

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
pub(super) fn compare_vectors(request: &Comparing) -> Result<(Option<Verdict>, ComparedVectors)> {
    let sets = points(request, &Features::Vector, |name, extractor, sets| match vector_of_json(name) {
        Err(_) => Ok(false),
        Ok(vector) => Ok(extractor.push(vector, sets).map(|_| true)?),
    })?;
    let words = [0, 1].map(|document| sets.get(DocId(document)));
    let not_a_vector = || Error::from(CoreError::NotAVector);
    let both @ [a, b] = [
        Vector::from_words(words[0].elements()).ok_or_else(not_a_vector)?,
        Vector::from_words(words[1].elements()).ok_or_else(not_a_vector)?,
    ];
    if a.dimensions() != b.dimensions() {
        return Err(Contradiction::DimensionsOfTwo { found: both.map(Vector::dimensions) }.into());
    }
    let verdict = request.measure.and_then(|measure| Verdict::of_vectors(measure, words));
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
    all.truncate(SHOWN);
    all
}
