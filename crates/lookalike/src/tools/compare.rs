//! Two documents side by side, wherever they are.

use super::find::Finder;
use crate::ground::{Error, Result};
use lookalike_core::evidence::{self, Comparison};
use lookalike_core::features::Features;
use lookalike_core::method::{FingerprintEstimate, Selection};
use lookalike_io::Inputs;

/// A comparison and the names of its sides.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The left document, as it was named.
    pub left: String,
    /// The right document, as it was named.
    pub right: String,
    /// Counts, similarity and passages.
    pub comparison: Comparison,
    /// What the fingerprints say of the share of each side that is in the other, left first; `None` if none were asked
    /// for.
    pub estimates: Option<[FingerprintEstimate; 2]>,
}

/// Compares two documents, each named as [`Finder::text_of`] says.
///
/// # Errors
/// If one cannot be found or read, or the fingerprints cannot be selected from such features.
pub(crate) fn compare_documents(
    [left, right]: [&str; 2],
    select: Option<Selection>,
    inputs: &Inputs,
    features: &Features,
) -> Result<Compared> {
    let features = inputs.features(features);
    if features == Features::WholeText {
        return Err(Error::NotForWholeTexts { found: "passages to compare" });
    }
    features.check()?;
    select.map_or(Ok(()), |select| select.check(features.shingle()))?;
    let finder = Finder::new(inputs, inputs.fields_compared(&features))?;
    let (left_text, right_text) = (finder.text_of(left)?, finder.text_of(right)?);
    let comparison = evidence::compare(&features, &left_text, &right_text)?;
    let estimates = select.map(|select| estimate(select, [&left_text, &right_text], &features)).transpose()?;
    Ok(Compared { left: left.to_owned(), right: right.to_owned(), comparison, estimates })
}

/// What the fingerprints of two texts say of the share of each that is in the other.
fn estimate(select: Selection, [left, right]: [&str; 2], features: &Features) -> Result<[FingerprintEstimate; 2]> {
    let [left, right] = [select.of_text(left, features)?, select.of_text(right, features)?];
    let common = left.iter().filter(|hash| right.binary_search(hash).is_ok()).count();
    Ok([left, right].map(|hashes| FingerprintEstimate::of(select, common as u64, hashes.len() as u64)))
}
