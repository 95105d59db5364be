//! Interface of measures to filters, joins, decisions and messages.
//!
//! A measure is one file in the module of its documents: a type with its limit, its [`Bounds`] for filters, and its
//! algebra. [`Measure`](crate::comparison::Measure) is the list of them.

use super::{Agreement, Distance, EmptyPolicy, Figure, Limit, Overlap, Threshold};
use crate::base::Result;
use crate::base::details::{MethodKind, PointKind};
use crate::documents::{ElementSet, WeightedSet};
use crate::kernel::Kernel;
use crate::keys::Bounds;

/// The algebra of one measure: names, limit, the exact check, and the similarity, beside its [`Bounds`] for filters.
///
/// Inside the program a similarity is one number, and higher is closer: a share from 0 to 1, a number of common
/// elements, or a distance below 0.
pub(crate) trait Algebra: Bounds {
    /// The name in messages and reports, spelled as in flags: `a-b` where it has two words. The stored
    /// name is the tag of [`Measure`](crate::comparison::Measure), `a_b`.
    fn name(&self) -> &'static str;

    /// The figure that rows show.
    fn figure(&self) -> Figure {
        Figure::Similarity
    }

    /// The kind of documents, if they are fingerprints, vectors or signatures; `None` for sets and weighted terms.
    fn points(&self) -> Option<PointKind> {
        None
    }

    /// Methods that messages recommend where another does not fit.
    fn methods(&self) -> &'static [MethodKind] {
        &[MethodKind::Exact]
    }

    /// The minimum, or maximum, with which documents are near-duplicates.
    fn limit(&self) -> Limit;

    /// The limit that all documents with something in common are within.
    fn lowest_limit(&self) -> Limit {
        match self.limit() {
            Limit::Within(_) => Limit::Within(Distance::LARGEST),
            _ => Limit::Similarity(Threshold::LOWEST),
        }
    }

    /// The limit that documents of this similarity just reach, or the measure's own if that is stricter.
    fn raised_limit(&self, similarity: f64) -> Limit {
        match self.limit() {
            Limit::Similarity(threshold) => Limit::Similarity(threshold.raised_to(similarity)),
            Limit::Within(distance) => Limit::Within(distance.lowered_to(-similarity)),
            limit @ (Limit::Common(_) | Limit::Distance(_)) => limit,
        }
    }

    /// The minimum similarity of near-duplicates, of equal documents 1; `None` for a figure without such an end.
    fn min_similarity(&self) -> Option<f64> {
        match self.limit() {
            Limit::Similarity(threshold) => Some(threshold.as_f64()),
            Limit::Common(_) | Limit::Distance(_) | Limit::Within(_) => None,
        }
    }

    /// Returns whether a similarity that an earlier job has computed and rounded is within the limit.
    fn is_reached_by(&self, similarity: f64) -> bool {
        match self.limit() {
            Limit::Within(distance) => -similarity <= distance.as_f64(),
            _ => self.min_similarity().is_some_and(|min| similarity >= min),
        }
    }

    /// Returns whether documents without elements are duplicates.
    fn empty(&self) -> EmptyPolicy {
        EmptyPolicy::Keep
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// Those of the measure.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// Returns whether two documents with equal sets of `size` elements are near-duplicates.
    fn is_reached_by_equals(&self, _size: usize) -> bool {
        true
    }

    /// The similarity of two documents with equal sets of `size` elements.
    fn similarity_of_equals(&self, _size: usize) -> f64 {
        if let Limit::Within(_) = self.limit() { 0.0 } else { 1.0 }
    }

    /// Returns whether two sets with this overlap are near-duplicates.
    fn is_reached(&self, overlap: Overlap) -> bool {
        overlap.common > 0 && overlap.common >= self.required_overlap(overlap.left, overlap.right)
    }

    /// The minimum Jaccard similarity that the element sets of near-duplicates have: what MinHash bands must find.
    /// `None` if it may be arbitrarily low.
    fn min_jaccard(&self) -> Option<f64> {
        None
    }

    /// The exact check of two documents, whose elements all have a weight of 1: their agreement if they are
    /// near-duplicates. `None` for sets without a common element. The intersection stops as soon as the remaining
    /// elements cannot suffice.
    fn verify(&self, kernel: Kernel, left: ElementSet<'_>, right: ElementSet<'_>) -> Option<Agreement> {
        let required = self.required_overlap(left.len(), right.len());
        let common = kernel.count_common_at_least(&left, &right, required)?;
        let overlap = Overlap { common, left: left.len(), right: right.len() };
        (common > 0).then_some(Agreement::Sets(overlap))
    }

    /// The exact check of two sets with weights, which only a measure of weighted sets looks at.
    fn verify_weighted(&self, kernel: Kernel, left: WeightedSet<'_>, right: WeightedSet<'_>) -> Option<Agreement> {
        self.verify(kernel, left.elements(), right.elements())
    }

    /// Compares two documents, near-duplicates or not; the result does not depend on the kernel.
    fn compare(&self, _kernel: Kernel, left: ElementSet<'_>, right: ElementSet<'_>) -> Agreement {
        Agreement::Sets(Overlap::new(left, right))
    }

    /// The similarity of two sets. The first is the probing one.
    fn similarity_of_sets(&self, overlap: Overlap) -> f64 {
        overlap.jaccard()
    }
}
