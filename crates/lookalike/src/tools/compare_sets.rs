//! Two documents side by side as sets of shingles or items.

use super::comparing::Comparing;
use super::find::Finder;
use crate::ground::details::WholeTextConflict;
use crate::ground::{Contradiction, Error, Result};
use lookalike_core::comparison::Features;
use lookalike_core::documents::Content;
use lookalike_core::evidence::{self, Comparison, ShortTokens, TokenOverlaps, Verdict};
use lookalike_core::kernel::Kernel;
use lookalike_core::sets::{FingerprintEstimate, Selection};
use lookalike_io::sources::{FieldNames, MainContent};

/// Two documents as sets.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedSets {
    /// Counts, passages and differences.
    pub comparison: Comparison,
    /// What fingerprints say of the share of each side that is in the other, left first; `None` if none were asked for.
    pub estimates: Option<(Selection, [FingerprintEstimate; 2])>,
}

/// Compares two documents as sets, and says what the measure says of them.
///
/// # Errors
/// If one cannot be found or read, or the fingerprints cannot be selected from such features.
pub(super) fn compare_sets(asked: &Comparing, goes_on: &dyn Fn() -> bool) -> Result<(Option<Verdict>, ComparedSets)> {
    let Comparing { sides: [left, right], inputs, select, .. } = asked;
    let features = inputs.features(&asked.features);
    if features == Features::WholeText {
        return Err(Contradiction::NotForWholeTexts { found: WholeTextConflict::ComparedPassages }.into());
    }
    features.check()?;
    select.map_or(Ok(()), |select| select.check(features.shingle()))?;
    let finder = Finder::new(inputs, inputs.fields_compared(&features))?;
    let left = left.content(&finder)?;
    let right = right.content(&finder)?;
    finder.check_said(&features)?;
    let mut comparison =
        evidence::compare_while(&features, asked.min_match, [left.borrowed(), right.borrowed()], goes_on)?;
    if !goes_on() {
        return Err(Error::Interrupted { is_resumable: false });
    }
    if comparison.are_identical && features.text().main_content {
        comparison.are_identical = are_pages_identical(asked, &features)?;
    }
    if asked.measure.is_some_and(|measure| measure.contained().is_some()) {
        // The figures are those of the verdict: a text shorter than a shingle is looked for in the other, as jobs do.
        let mut overlaps = TokenOverlaps::new(&features, Kernel::detect()).with_short(ShortTokens::LookedUp);
        comparison.overlap = overlaps.of(&left, &right)?;
    }
    let verdict = asked.measure.map(|measure| comparison.verdict(measure, comparison.overlap));
    let estimates = select.map(|select| Ok::<_, Error>((select, estimate(select, [&left, &right], &features)?)));
    Ok((verdict, ComparedSets { comparison, estimates: estimates.transpose()? }))
}

/// Whether two pages with the same article are equal in the rest as well.
fn are_pages_identical(asked: &Comparing, features: &Features) -> Result<bool> {
    let fields = FieldNames { main_content: MainContent::Whole, ..asked.inputs.fields_compared(features) };
    let finder = Finder::new(&asked.inputs, fields)?;
    let [left, right] = &asked.sides;
    Ok(left.content(&finder)? == right.content(&finder)?)
}

/// What the fingerprints of two texts say of the share of each that is in the other.
fn estimate(
    select: Selection,
    [left, right]: [&Content<'_>; 2],
    features: &Features,
) -> Result<[FingerprintEstimate; 2]> {
    let mut shingler = features.shingler(Kernel::detect());
    let [left, right] = [select.of_text(left, &mut shingler)?, select.of_text(right, &mut shingler)?];
    let common = left.iter().filter(|hash| right.binary_search(hash).is_ok()).count();
    Ok([left, right].map(|hashes| FingerprintEstimate::of(select, common as u64, hashes.len() as u64)))
}
