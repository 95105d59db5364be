//! The noun that defines similarity and its threshold.
//!
//! Filters, joins and decisions depend on these methods only, not on a particular similarity. A new measure is a
//! variant here and a file of algebra beside [`super::Jaccard`].

use super::{
    Agreement, CommonElements, Containment, Cosine, EmptyPolicy, Euclidean, Extent, Figure, Hamming, Jaccard, Limit,
    Overlap, Side, SignatureAgreement, Threshold, VectorCosine, cosine, distance_of, dot_product_at_least,
};
use crate::features::{ElementSet, Vector, WeightedSet};
use crate::ground::Result;
use crate::kernel::Kernel;
use serde::{Deserialize, Serialize};

/// A similarity of documents with its threshold: the second noun of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "measure", rename_all = "snake_case")]
pub enum Measure {
    /// Jaccard similarity of sets; for bags, whose copies of an element are numbered, weighted Jaccard similarity.
    Jaccard(Jaccard),
    /// Containment of sets: the share of one document that is in the other.
    Containment(Containment),
    /// The number of common elements.
    Overlap(CommonElements),
    /// The cosine of term weights.
    Cosine(Cosine),
    /// Hamming distance of fingerprints.
    Hamming(Hamming),
    /// The cosine of vectors.
    VectorCosine(VectorCosine),
    /// The Euclidean distance of vectors.
    Euclidean(Euclidean),
    /// The share of components in which MinHash signatures agree: an estimate of a Jaccard similarity.
    #[serde(rename = "signature_agreement")]
    Signature(SignatureAgreement),
}

impl Measure {
    /// Jaccard similarity of at least `threshold`; empty documents have no duplicates.
    pub fn jaccard(threshold: Threshold) -> Self {
        Self::Jaccard(Jaccard { threshold, empty: EmptyPolicy::Keep })
    }

    /// The stored name of the measure.
    pub fn name(self) -> &'static str {
        match self {
            Self::Jaccard(_) => "jaccard",
            Self::Containment(_) => "containment",
            Self::Overlap(_) => "overlap",
            Self::Cosine(_) => "cosine",
            Self::Hamming(_) => "hamming",
            Self::VectorCosine(_) => "cosine",
            Self::Euclidean(_) => "euclidean",
            Self::Signature(_) => "signature agreement",
        }
    }

    /// The minimum, or maximum, with which documents are near-duplicates.
    pub fn limit(self) -> Limit {
        match self {
            Self::Jaccard(jaccard) => Limit::Similarity(jaccard.threshold),
            Self::Containment(containment) => Limit::Similarity(containment.threshold),
            Self::Overlap(overlap) => Limit::Common(overlap.min_common),
            Self::Cosine(cosine) => Limit::Similarity(cosine.threshold),
            Self::Hamming(hamming) => Limit::Distance(hamming.distance),
            Self::VectorCosine(cosine) => Limit::Similarity(cosine.threshold),
            Self::Euclidean(euclidean) => Limit::Within(euclidean.distance),
            Self::Signature(signature) => Limit::Similarity(signature.threshold),
        }
    }

    /// The minimum similarity of near-duplicates, of equal documents 1; of fingerprints the share of equal bits. `None`
    /// for a number of common elements and for a distance of vectors, which have no end.
    pub fn min_similarity(self) -> Option<f64> {
        match self {
            Self::Jaccard(Jaccard { threshold, .. })
            | Self::Containment(Containment { threshold, .. })
            | Self::Cosine(Cosine { threshold, .. })
            | Self::VectorCosine(VectorCosine { threshold })
            | Self::Signature(SignatureAgreement { threshold }) => Some(threshold.as_f64()),
            Self::Overlap(_) | Self::Euclidean(_) => None,
            Self::Hamming(hamming) => Some(hamming.min_similarity()),
        }
    }

    /// What the measure counts.
    pub fn figure(self) -> Figure {
        match self {
            Self::Jaccard(_) | Self::Cosine(_) | Self::VectorCosine(_) => Figure::Similarity,
            Self::Containment(_) => Figure::Containment,
            Self::Overlap(_) => Figure::Common,
            Self::Hamming(Hamming { width, .. }) => Figure::Distance { width },
            Self::Euclidean(_) => Figure::EuclideanDistance,
            Self::Signature(_) => Figure::EstimatedSimilarity,
        }
    }

    /// Whether documents without elements are duplicates.
    pub fn empty(self) -> EmptyPolicy {
        match self {
            Self::Jaccard(Jaccard { empty, .. })
            | Self::Containment(Containment { empty, .. })
            | Self::Overlap(CommonElements { empty, .. })
            | Self::Cosine(Cosine { empty, .. }) => empty,
            // A text without digits is no fingerprint and no vector, so there are no such documents.
            Self::Hamming(_) | Self::VectorCosine(_) | Self::Euclidean(_) => EmptyPolicy::Keep,
            // What was without shingles says nothing of itself.
            Self::Signature(_) => EmptyPolicy::Keep,
        }
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`crate::Error::NoCommonElements`] for a minimum of 0 common elements; [`crate::Error::Distance`] for one that
    /// any two fingerprints are within.
    pub fn check(self) -> Result<()> {
        match self {
            Self::Jaccard(_) | Self::Containment(_) | Self::Cosine(_) | Self::Signature(_) => Ok(()),
            Self::VectorCosine(_) | Self::Euclidean(_) => Ok(()),
            Self::Overlap(overlap) => overlap.check(),
            Self::Hamming(hamming) => hamming.check(),
        }
    }

    /// Whether two documents with equal sets of `size` elements are near-duplicates.
    pub fn is_reached_by_equals(self, size: usize) -> bool {
        match self {
            Self::Jaccard(_)
            | Self::Containment(_)
            | Self::Cosine(_)
            | Self::Hamming(_)
            | Self::VectorCosine(_)
            | Self::Euclidean(_)
            | Self::Signature(_) => true,
            Self::Overlap(overlap) => size >= overlap.min_common,
        }
    }

    /// Whether the two documents of a pair have different blocking keys: of the contained one a prefix, of the
    /// container all elements.
    pub fn contained(self) -> Option<Containment> {
        match self {
            Self::Containment(containment) => Some(containment),
            Self::Jaccard(_) | Self::Overlap(_) | Self::Cosine(_) | Self::Signature(_) => None,
            Self::Hamming(_) | Self::VectorCosine(_) | Self::Euclidean(_) => None,
        }
    }

    /// The same measure, of a containment whichever document is contained in the other.
    #[must_use]
    pub fn of_either_side(self) -> Self {
        match self {
            Self::Containment(mine) => Self::Containment(Containment { contained: Side::Either, ..mine }),
            Self::Jaccard(_) | Self::Overlap(_) | Self::Cosine(_) | Self::Signature(_) => self,
            Self::Hamming(_) | Self::VectorCosine(_) | Self::Euclidean(_) => self,
        }
    }

    /// The cosine, if it depends on how often a document has a term: such documents are weighted sets.
    pub fn weighted(self) -> Option<Cosine> {
        match self {
            Self::Cosine(cosine) => cosine.weights.are_counted().then_some(cosine),
            Self::Jaccard(_) | Self::Containment(_) | Self::Overlap(_) | Self::Signature(_) => None,
            Self::Hamming(_) | Self::VectorCosine(_) | Self::Euclidean(_) => None,
        }
    }

    /// Length of the prefix of a set of `size` elements, in any fixed order of the elements, of which every
    /// near-duplicate contains an element; of a containment, every container.
    pub fn prefix_length(self, size: usize) -> usize {
        match self {
            Self::Jaccard(jaccard) => jaccard.prefix_length(size),
            Self::Containment(containment) => containment.contained_prefix_length(size),
            Self::Overlap(overlap) => overlap.prefix_length(size),
            Self::Cosine(cosine) => cosine.prefix_length(size),
            Self::Signature(signature) => signature.prefix_length(size),
            // Points share no elements: their blocking keys are others.
            Self::Hamming(_) | Self::VectorCosine(_) | Self::Euclidean(_) => size,
        }
    }

    /// Length of the prefixes such that two near-duplicates have an element in common that is in the prefixes of both.
    pub fn common_prefix_length(self, size: usize) -> usize {
        match self {
            Self::Jaccard(_) | Self::Overlap(_) | Self::Cosine(_) | Self::Signature(_) => self.prefix_length(size),
            // An element in the prefix of the contained document is anywhere in the container.
            Self::Containment(_) => size,
            Self::Hamming(_) | Self::VectorCosine(_) | Self::Euclidean(_) => size,
        }
    }

    /// The minimum Jaccard similarity that the element sets of near-duplicates have: what MinHash bands must find.
    /// `None` if it may be arbitrarily low.
    pub fn min_jaccard(self) -> Option<f64> {
        match self {
            Self::Jaccard(jaccard) => Some(jaccard.threshold.as_f64()),
            // All signatures that agree are wanted, and each is short.
            Self::Containment(_) | Self::Overlap(_) | Self::Signature(_) => None,
            Self::Hamming(_) | Self::VectorCosine(_) | Self::Euclidean(_) => None,
            Self::Cosine(cosine) => cosine.min_jaccard(),
        }
    }

    /// Whether two documents that share a blocking key can be near-duplicates, by size and position; never false for
    /// near-duplicates under the first key that they share.
    #[inline]
    pub fn may_reach(self, probing: Extent, indexed: Extent) -> bool {
        match self {
            Self::Jaccard(jaccard) => jaccard.may_reach(probing, indexed),
            Self::Containment(containment) => containment.may_reach(probing, indexed),
            Self::Overlap(overlap) => overlap.may_reach(probing, indexed),
            Self::Cosine(cosine) => cosine.may_reach(probing, indexed),
            Self::Signature(signature) => signature.may_reach(probing, indexed),
            Self::Hamming(_) | Self::VectorCosine(_) | Self::Euclidean(_) => true,
        }
    }

    /// Minimum number of common elements of two near-duplicates, given the sizes of their sets. Of a comparison with
    /// references, the first is the input.
    pub fn required_overlap(self, left: usize, right: usize) -> usize {
        match self {
            Self::Jaccard(jaccard) => jaccard.required_overlap(left, right),
            Self::Containment(containment) => containment.required_overlap(left, right),
            Self::Overlap(overlap) => overlap.min_common,
            Self::Cosine(cosine) => cosine.required_overlap(left, right),
            Self::Signature(signature) => signature.required_overlap(left, right),
            Self::Hamming(_) | Self::VectorCosine(_) | Self::Euclidean(_) => 0,
        }
    }

    /// Maximum number of elements that are in one of the sets of two near-duplicates and not in the other, given their
    /// sizes; `None` if documents of these sizes are never near-duplicates.
    pub fn max_difference(self, left: usize, right: usize) -> Option<usize> {
        (left + right).checked_sub(2 * self.required_overlap(left, right))
    }

    /// The exact check of two sets, whose elements all have a weight of 1: what they have in common if they are
    /// near-duplicates. The intersection stops as soon as the remaining elements cannot suffice. `None` for sets
    /// without a common element. Of points, the exact check of their words.
    pub fn verify(self, kernel: Kernel, left: ElementSet<'_>, right: ElementSet<'_>) -> Option<Agreement> {
        match self {
            Self::Hamming(hamming) => return hamming.verify(left, right).map(Agreement::Bits),
            Self::VectorCosine(cosine) => {
                let [left, right] = vectors(left, right)?;
                return cosine.verify(kernel, left, right).map(Agreement::Cosine);
            }
            Self::Euclidean(euclidean) => {
                let [left, right] = vectors(left, right)?;
                return euclidean.verify(kernel, left, right).map(Agreement::Distance);
            }
            Self::Jaccard(_) | Self::Containment(_) | Self::Overlap(_) => {}
            Self::Cosine(_) | Self::Signature(_) => {}
        }
        let required = self.required_overlap(left.len(), right.len());
        let common = kernel.count_common_at_least(&left, &right, required)?;
        let overlap = Overlap { common, left: left.len(), right: right.len() };
        (common > 0).then_some(Agreement::Sets(overlap))
    }

    /// The exact check of two sets with weights, which only measures of weighted sets look at: what they have in common
    /// if they are near-duplicates.
    pub fn verify_weighted(self, kernel: Kernel, left: WeightedSet<'_>, right: WeightedSet<'_>) -> Option<Agreement> {
        let Some(measure) = self.weighted() else { return self.verify(kernel, left.elements(), right.elements()) };
        let norms = [left.squared_norm(), right.squared_norm()];
        let dot = dot_product_at_least(left, right, measure.min_dot(norms));
        let dot = dot.filter(|&dot| measure.is_reached_by(dot, norms))?;
        Some(Agreement::Cosine(cosine(dot, norms)))
    }

    /// Compares two sets or points, near-duplicates or not; the result does not depend on the kernel.
    pub fn compare(self, kernel: Kernel, left: ElementSet<'_>, right: ElementSet<'_>) -> Agreement {
        match self {
            Self::VectorCosine(_) => {
                let of = |[left, right]: [Vector<'_>; 2]| left.cosine(kernel, right);
                Agreement::Cosine(vectors(left, right).map_or(0.0, of))
            }
            Self::Euclidean(_) => {
                let of = |[left, right]: [Vector<'_>; 2]| left.distance(kernel, right);
                Agreement::Distance(vectors(left, right).map_or(f64::INFINITY, of))
            }
            Self::Jaccard(_) | Self::Containment(_) | Self::Overlap(_) | Self::Cosine(_) | Self::Signature(_) => {
                Agreement::Sets(Overlap::of(left, right))
            }
            Self::Hamming(hamming) => Agreement::Bits(hamming.compare(left, right)),
        }
    }

    /// Whether two sets with this overlap are near-duplicates.
    pub fn is_reached(self, overlap: Overlap) -> bool {
        overlap.common > 0 && overlap.common >= self.required_overlap(overlap.left, overlap.right)
    }

    /// The exact similarity of two documents: a share from 0 to 1, the number of common elements, or a distance below
    /// 0.
    pub fn similarity(self, found: Agreement) -> f64 {
        let overlap = match found {
            Agreement::Sets(overlap) => overlap,
            Agreement::Cosine(cosine) => return cosine,
            Agreement::Bits(bits) => return bits.similarity(),
            // 0 in place of -0.
            Agreement::Distance(distance) => return 0.0 - distance,
        };
        match self {
            // Points are not compared as sets.
            Self::Jaccard(_) | Self::Hamming(_) | Self::VectorCosine(_) | Self::Euclidean(_) => overlap.jaccard(),
            Self::Containment(containment) => containment.similarity(overlap),
            Self::Overlap(_) => overlap.common as f64,
            Self::Signature(_) => SignatureAgreement::share(overlap),
            Self::Cosine(_) => cosine(overlap.common as u64, [overlap.left as u64, overlap.right as u64]),
        }
    }

    /// The similarity of two documents with equal sets of `size` elements.
    pub fn similarity_of_equals(self, size: usize) -> f64 {
        match self {
            Self::Jaccard(_) | Self::Containment(_) | Self::Cosine(_) => 1.0,
            Self::Hamming(_) | Self::VectorCosine(_) | Self::Signature(_) => 1.0,
            Self::Overlap(_) => size as f64,
            Self::Euclidean(_) => 0.0,
        }
    }

    /// Whether the similarity that an earlier job has computed and stored is within the limit. A stored similarity is
    /// rounded, so the comparison is one of rounded numbers.
    pub fn is_reached_by(self, similarity: f64) -> bool {
        match self {
            Self::Jaccard(Jaccard { threshold, .. }) | Self::Containment(Containment { threshold, .. }) => {
                similarity >= threshold.as_f64()
            }
            Self::Overlap(overlap) => similarity >= overlap.min_common as f64,
            // The root of a rounded ratio may be a few units in the last place too low.
            Self::Cosine(cosine) => similarity >= cosine.threshold.as_f64() * (1.0 - 4.0 * f64::EPSILON),
            Self::Hamming(hamming) => similarity >= hamming.min_similarity(),
            Self::VectorCosine(VectorCosine { threshold }) | Self::Signature(SignatureAgreement { threshold }) => {
                similarity >= threshold.as_f64()
            }
            Self::Euclidean(euclidean) => -similarity <= euclidean.distance.as_f64(),
        }
    }

    /// The same measure with another threshold; `None` for a measure that counts something else.
    pub fn with_threshold(self, threshold: Threshold) -> Option<Self> {
        match self {
            Self::Jaccard(mine) => Some(Self::Jaccard(Jaccard { threshold, ..mine })),
            Self::Containment(mine) => Some(Self::Containment(Containment { threshold, ..mine })),
            Self::Cosine(mine) => Some(Self::Cosine(Cosine { threshold, ..mine })),
            Self::VectorCosine(_) => Some(Self::VectorCosine(VectorCosine { threshold })),
            Self::Signature(_) => Some(Self::Signature(SignatureAgreement { threshold })),
            Self::Overlap(_) | Self::Hamming(_) | Self::Euclidean(_) => None,
        }
    }

    /// Whether what is stored for this measure, with its threshold, answers questions by `asked`: by the same
    /// similarity, from the same threshold or a higher one on.
    pub fn serves(self, asked: Self) -> bool {
        match (self, asked) {
            (Self::Jaccard(mine), Self::Jaccard(asked)) => asked.threshold.is_at_least(mine.threshold),
            (Self::Containment(mine), Self::Containment(asked)) => {
                let is_same_side = [asked.contained, Side::Either].contains(&mine.contained);
                is_same_side && asked.threshold.is_at_least(mine.threshold)
            }
            (Self::Overlap(mine), Self::Overlap(asked)) => asked.min_common >= mine.min_common,
            (Self::Cosine(mine), Self::Cosine(asked)) => {
                mine.weights == asked.weights && asked.threshold.is_at_least(mine.threshold)
            }
            (Self::Hamming(mine), Self::Hamming(asked)) => mine.width == asked.width && asked.distance <= mine.distance,
            (Self::VectorCosine(mine), Self::VectorCosine(asked)) => asked.threshold.is_at_least(mine.threshold),
            (Self::Euclidean(mine), Self::Euclidean(asked)) => asked.distance <= mine.distance,
            (Self::Signature(mine), Self::Signature(asked)) => asked.threshold.is_at_least(mine.threshold),
            (Self::Jaccard(_) | Self::Containment(_) | Self::Overlap(_) | Self::Cosine(_), _) => false,
            (Self::Signature(_), _) => false,
            (Self::Hamming(_) | Self::VectorCosine(_) | Self::Euclidean(_), _) => false,
        }
    }

    /// The same measure with the lowest limit that there is: reached by all documents with something in common.
    #[must_use]
    pub fn lowest(self) -> Self {
        let threshold = Threshold::LOWEST;
        match self {
            Self::Jaccard(mine) => Self::Jaccard(Jaccard { threshold, ..mine }),
            Self::Containment(mine) => Self::Containment(Containment { threshold, ..mine }),
            Self::Overlap(mine) => Self::Overlap(CommonElements { min_common: 1, ..mine }),
            Self::Cosine(mine) => Self::Cosine(Cosine { threshold, ..mine }),
            Self::Hamming(mine) => Self::Hamming(Hamming { distance: mine.width.saturating_sub(1), ..mine }),
            Self::VectorCosine(_) => Self::VectorCosine(VectorCosine { threshold }),
            Self::Signature(_) => Self::Signature(SignatureAgreement { threshold }),
            Self::Euclidean(mine) => Self::Euclidean(mine.unlimited()),
        }
    }

    /// The same measure with a limit that documents of this similarity just reach, or its own if that is stricter: what
    /// is left to be found once there are enough of that similarity.
    #[must_use]
    pub fn raised_to(self, similarity: f64) -> Self {
        match self {
            Self::Jaccard(mine) => Self::Jaccard(Jaccard { threshold: mine.threshold.raised_to(similarity), ..mine }),
            Self::Containment(mine) => {
                Self::Containment(Containment { threshold: mine.threshold.raised_to(similarity), ..mine })
            }
            Self::Overlap(mine) => {
                let min_common = mine.min_common.max(similarity as usize);
                Self::Overlap(CommonElements { min_common, ..mine })
            }
            Self::Cosine(mine) => Self::Cosine(Cosine { threshold: mine.threshold.raised_to(similarity), ..mine }),
            Self::Hamming(mine) => {
                let distance = mine.distance.min(distance_of(similarity, mine.width));
                Self::Hamming(Hamming { distance, ..mine })
            }
            Self::VectorCosine(mine) => {
                Self::VectorCosine(VectorCosine { threshold: mine.threshold.raised_to(similarity) })
            }
            Self::Euclidean(mine) => Self::Euclidean(mine.within(-similarity)),
            Self::Signature(mine) => {
                Self::Signature(SignatureAgreement { threshold: mine.threshold.raised_to(similarity) })
            }
        }
    }

    /// The distance by which fingerprints are compared; `None` for measures of sets.
    pub fn hamming(self) -> Option<Hamming> {
        match self {
            Self::Hamming(hamming) => Some(hamming),
            Self::Jaccard(_) | Self::Containment(_) | Self::Overlap(_) | Self::Cosine(_) | Self::Signature(_) => None,
            Self::VectorCosine(_) | Self::Euclidean(_) => None,
        }
    }

    /// Whether similarities are estimates, which nothing verifies.
    pub fn is_estimate(self) -> bool {
        self.figure() == Figure::EstimatedSimilarity
    }

    /// Whether documents are vectors.
    pub fn is_of_vectors(self) -> bool {
        match self {
            Self::VectorCosine(_) | Self::Euclidean(_) => true,
            Self::Jaccard(_) | Self::Containment(_) | Self::Overlap(_) | Self::Cosine(_) | Self::Hamming(_) => false,
            Self::Signature(_) => false,
        }
    }

    /// Whether documents are points of a space, and no sets: fingerprints or vectors.
    pub fn is_of_points(self) -> bool {
        self.is_of_vectors() || self.hamming().is_some()
    }
}

/// The vectors that two documents are, if they have equally many dimensions.
fn vectors<'a>(left: ElementSet<'a>, right: ElementSet<'a>) -> Option<[Vector<'a>; 2]> {
    let pair = [Vector::of(left.elements())?, Vector::of(right.elements())?];
    (pair[0].dimensions() == pair[1].dimensions()).then_some(pair)
}

impl Default for Measure {
    /// Jaccard similarity of at least 0.8.
    fn default() -> Self {
        Self::jaccard(Threshold::default())
    }
}

#[cfg(test)]
mod tests;
