//! Two documents side by side as sets of shingles or items, or as vectors of weighted terms.

use super::comparing::Comparing;
use super::find::Finder;
use crate::base::details::WholeTextConflict;
use crate::base::{Contradiction, Error, Result};
use crate::corpus::read_frequencies;
use lookalike_core::comparison::Features;
use lookalike_core::documents::{Content, Multiplicity};
use lookalike_core::evidence::{self, Comparison, ShortTokens, TermComparison, TokenOverlaps, Verdict};
use lookalike_core::kernel::Kernel;
use lookalike_core::sets::{FingerprintEstimate, Selection};
use lookalike_core::similarity::Weights;
use lookalike_core::terms::Cosine;
use lookalike_io::sources::{FieldNames, MainContent};

/// Seed of the fingerprints that are shown: that of `fingerprint` unless another one is given there.
const SEED: u64 = 1;

/// Both contents, left first.
fn contents<'a>(request: &'a Comparing, features: &Features) -> Result<[Content<'a>; 2]> {
    let finder = Finder::new(&request.inputs, request.inputs.fields_compared(features))?;
    let [left, right] = &request.sides;
    let contents = [left.content(&finder)?, right.content(&finder)?];
    finder.check_settings_used(features)?;
    Ok(contents)
}

/// Two documents as sets.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedSets {
    /// Counts, passages and differences.
    pub comparison: Comparison,
    /// The share of each side that is in the other as fingerprints estimate it, left first; `None` without a selection.
    pub estimates: Option<(Selection, [FingerprintEstimate; 2])>,
}

/// Compares two documents as sets, and says what the measure says of them.
///
/// # Errors
/// If one cannot be found or read, or the fingerprints cannot be selected from such features.
pub(super) fn compare_sets(request: &Comparing, goes_on: &dyn Fn() -> bool) -> Result<(Option<Verdict>, ComparedSets)> {
    let Comparing { inputs, select, .. } = request;
    let features = inputs.features(&request.features);
    if features == Features::WholeText {
        return Err(Contradiction::NotForWholeTexts { found: WholeTextConflict::ComparedPassages }.into());
    }
    features.check()?;
    select.map_or(Ok(()), |select| select.check(features.shingle()))?;
    let [left, right] = contents(request, &features)?;
    let mut comparison =
        evidence::compare_while(&features, request.min_match, [left.borrowed(), right.borrowed()], goes_on)?;
    if !goes_on() {
        return Err(Error::Interrupted { is_resumable: false });
    }
    if comparison.are_identical && features.text().main_content {
        comparison.are_identical = are_pages_identical(request, &features)?;
    }
    if request.measure.is_some_and(|measure| measure.contained().is_some()) {
        // The figures are those of the verdict: a text shorter than a shingle is looked for in the other, as jobs do.
        let mut overlaps = TokenOverlaps::new(&features, Kernel::detect()).with_short(ShortTokens::LookedUp);
        comparison.overlap = overlaps.overlap(&left, &right)?;
    }
    let verdict = request.measure.map(|measure| comparison.verdict(measure, comparison.overlap));
    let estimates = select.map(|select| Ok::<_, Error>((select, estimate(select, [&left, &right], &features)?)));
    Ok((verdict, ComparedSets { comparison, estimates: estimates.transpose()? }))
}

/// True if two pages with the same article are equal in the rest as well.
fn are_pages_identical(request: &Comparing, features: &Features) -> Result<bool> {
    let fields = FieldNames { main_content: MainContent::Whole, ..request.inputs.fields_compared(features) };
    let finder = Finder::new(&request.inputs, fields)?;
    let [left, right] = &request.sides;
    Ok(left.content(&finder)? == right.content(&finder)?)
}

/// The share of each text that is in the other, as fingerprints estimate it.
fn estimate(
    select: Selection,
    [left, right]: [&Content<'_>; 2],
    features: &Features,
) -> Result<[FingerprintEstimate; 2]> {
    let mut shingler = features.shingler(Kernel::detect());
    let [left, right] = [select.of_text(left, &mut shingler)?, select.of_text(right, &mut shingler)?];
    let common = left.iter().filter(|hash| right.binary_search(hash).is_ok()).count();
    Ok([left, right].map(|hashes| FingerprintEstimate::new(select, common as u64, hashes.len() as u64)))
}

/// Two documents as vectors of weighted terms.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedTerms {
    /// Weights of the terms.
    pub weights: Weights,
    /// Cosine, common terms and fingerprints.
    pub found: TermComparison,
}

/// Compares two documents by their terms, and says what the measure says of them.
///
/// # Errors
/// If a document or the file of document frequencies cannot be found or read, or the file is of other features.
pub(super) fn compare_terms(request: &Comparing, cosine: Cosine) -> Result<(Verdict, ComparedTerms)> {
    let weights = cosine.weights;
    let features = &request.features;
    // Items with counts are no bag that was asked for.
    if features.shingle().multiplicity == Multiplicity::Bag {
        return Err(Contradiction::BagAndWeights.into());
    }
    let features = request.inputs.features(features).with_multiplicity(weights.multiplicity());
    features.check()?;
    let frequencies = request.idf.as_deref().map(|path| read_frequencies(path, &features)).transpose()?;
    let [left, right] = contents(request, &features)?;
    let found =
        evidence::compare_terms(&features, (weights, frequencies.as_ref()), [left.borrowed(), right.borrowed()], SEED)?;
    let verdict = found.verdict(cosine, [&left.stored(), &right.stored()]);
    Ok((verdict, ComparedTerms { weights, found }))
}
