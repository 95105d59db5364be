//! Two documents side by side as vectors of weighted terms.

use super::comparing::Comparing;
use super::find::Finder;
use crate::corpus::read_frequencies;
use crate::ground::{Contradiction, Result};
use lookalike_core::documents::Multiplicity;
use lookalike_core::evidence::{TermComparison, Verdict, compare_terms};
use lookalike_core::similarity::Weights;
use lookalike_core::terms::Cosine;

/// Seed of the fingerprints that are shown: that of `fingerprint` unless another one is given there.
const SEED: u64 = 1;

/// Two documents as vectors of weighted terms.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedTerms {
    /// How their terms are weighed.
    pub weights: Weights,
    /// Cosine, common terms and fingerprints.
    pub found: TermComparison,
}

/// Compares two documents by their terms, and says what the measure says of them.
///
/// # Errors
/// If a document or the file of document frequencies cannot be found or read, or the file is of other features.
pub(super) fn compare_by_terms(asked: &Comparing, cosine: Cosine) -> Result<(Verdict, ComparedTerms)> {
    let weights = cosine.weights;
    let features = &asked.features;
    // Items with counts are no bag that was asked for.
    if features.shingle().multiplicity == Multiplicity::Bag {
        return Err(Contradiction::BagAndWeights.into());
    }
    let features = asked.inputs.features(features).with_multiplicity(weights.multiplicity());
    features.check()?;
    let frequencies = asked.idf.as_deref().map(|path| read_frequencies(path, &features)).transpose()?;
    let finder = Finder::new(&asked.inputs, asked.inputs.fields_compared(&features))?;
    let left = asked.sides[0].content(&finder)?;
    let right = asked.sides[1].content(&finder)?;
    finder.check_said(&features)?;
    let found = compare_terms(&features, (weights, frequencies.as_ref()), [left.borrowed(), right.borrowed()], SEED)?;
    let verdict = found.verdict(cosine, [&left.stored(), &right.stored()]);
    Ok((verdict, ComparedTerms { weights, found }))
}
