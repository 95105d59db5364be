//! Two documents side by side as vectors of weighted terms.

use super::find::Finder;
use crate::corpus::read_frequencies;
use crate::ground::{Error, Result};
use lookalike_core::evidence::{TermComparison, compare_terms};
use lookalike_core::features::{Features, Multiplicity};
use lookalike_core::measure::Weights;
use lookalike_io::Inputs;
use std::path::Path;

/// Seed of the fingerprints that are shown: that of `fingerprint` unless another one is given there.
const SEED: u64 = 1;

/// Two documents as vectors of weighted terms.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedTerms {
    /// The documents, as they were named.
    pub names: [String; 2],
    /// How their terms are weighed.
    pub weights: Weights,
    /// Cosine, common terms and fingerprints.
    pub found: TermComparison,
}

/// Compares two documents by their terms, each named as a file, or as `FILE:ID`. Document frequencies are read from the
/// file `idf`, or those of the two documents.
///
/// # Errors
/// If a document or the file cannot be found or read, or the file is of other features.
pub(crate) fn compare_by_terms(
    names: [&str; 2],
    (weights, idf): (Weights, Option<&Path>),
    inputs: &Inputs,
    features: &Features,
) -> Result<ComparedTerms> {
    // Items with counts are no bag that was asked for.
    if features.shingle().multiplicity == Multiplicity::Bag {
        return Err(Error::BagAndWeights);
    }
    let features = inputs.features(features).with_multiplicity(weights.multiplicity());
    features.check()?;
    let frequencies = idf.map(|path| read_frequencies(path, &features)).transpose()?;
    let finder = Finder::new(inputs, inputs.fields_compared(&features))?;
    let (left, right) = (finder.text_of(names[0])?, finder.text_of(names[1])?);
    let found = compare_terms(&features, (weights, frequencies.as_ref()), [&left, &right], SEED)?;
    Ok(ComparedTerms { names: names.map(str::to_owned), weights, found })
}
