//! Two documents side by side, wherever they are: as sets, as vectors of terms, as fingerprints, or as given
//! vectors.

use super::compare_points::{ComparedBits, ComparedVectors, compare_bits, compare_vectors};
use super::compare_texts::{ComparedSets, ComparedTerms, compare_sets, compare_terms};
use super::comparing::Comparing;
use crate::base::details::OfTexts;
use crate::base::{Result, SignatureError};
use lookalike_core::comparison::Measure;
use lookalike_core::evidence::Verdict;
use lookalike_io::sources::GivenVectors;

/// Two documents side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The documents, as they were named.
    pub names: [String; 2],
    /// The verdict of the measure; `None` if none was given.
    pub verdict: Option<(Measure, Verdict)>,
    /// The figures of their kind.
    pub found: ComparedAs,
}

/// Figures of two documents, by the kind of the comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum ComparedAs {
    /// Sets of shingles or items.
    Sets(Box<ComparedSets>),
    /// Vectors of weighted terms.
    Terms(ComparedTerms),
    /// Fingerprints.
    Bits(ComparedBits),
    /// Vectors.
    Vectors(ComparedVectors),
}

/// Compares two documents as long as `goes_on`, which stays false once it is.
///
/// # Errors
/// If one cannot be found or read, or features, measure and fingerprints do not fit each other; if it does not go on.
pub(crate) fn compare(request: &Comparing, goes_on: &dyn Fn() -> bool) -> Result<Compared> {
    request.measure.map_or(Ok(()), Measure::check)?;
    let (verdict, found) = match (request.inputs.fingerprints, request.measure) {
        (Some(fingerprints), _) => {
            let (verdict, found) = compare_bits(request, fingerprints)?;
            (verdict, ComparedAs::Bits(found))
        }
        (None, _) if request.inputs.vectors == GivenVectors::Signatures => {
            return Err(SignatureError::TextsNeeded { asked: OfTexts::Comparison }.into());
        }
        (None, _) if request.inputs.vectors.are_given() => {
            let (verdict, found) = compare_vectors(request)?;
            (verdict, ComparedAs::Vectors(found))
        }
        (None, Some(Measure::Cosine(cosine))) => {
            let (verdict, found) = compare_terms(request, cosine)?;
            (Some(verdict), ComparedAs::Terms(found))
        }
        (None, _) => {
            let (verdict, found) = compare_sets(request, goes_on)?;
            (verdict, ComparedAs::Sets(Box::new(found)))
        }
    };
    let names = request.sides.each_ref().map(|side| side.name().to_owned());
    Ok(Compared { names, verdict: request.measure.zip(verdict), found })
}
