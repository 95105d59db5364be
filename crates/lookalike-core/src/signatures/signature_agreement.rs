//! The algebra of signatures that agree in a share of their components.
//!
//! A signature is kept as a set of as many elements as it has components ([`super::SignatureElements`]), and
//! two signatures agree in c components if c elements are common. Of K components, a share s asks for ceil(s K) common
//! elements, so a signature has a common element with each partner among any K - ceil(s K) + 1 of its elements: the
//! prefix filter finds all pairs. Sorting the signatures by one component after the other would find them, too, and
//! compare all that agree in any component.
//!
//! The share estimates the Jaccard similarity of the sets of which the signatures were made (Broder 1997). It is no
//! similarity of documents: nothing is verified by it.

use crate::base::details::PointKind;
use crate::keys::{Bounds, Extent};
use crate::similarity::{Algebra, Figure, Limit, Overlap, Threshold};
use serde::{Deserialize, Serialize};

/// The share of components in which two signatures agree, with its threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignatureAgreement {
    /// Minimum share (>=) of the components in which near-duplicates agree.
    pub threshold: Threshold,
}

impl Bounds for SignatureAgreement {
    fn prefix_length(&self, size: usize) -> usize {
        if size == 0 { 0 } else { size - self.threshold.part_of(size).max(1) + 1 }
    }

    fn may_reach(&self, probing: Extent, indexed: Extent) -> bool {
        probing.max_common(indexed) as usize >= self.required_overlap(probing.size as usize, indexed.size as usize)
    }

    /// The minimum number of components in which signatures of these numbers of components agree.
    fn required_overlap(&self, left: usize, right: usize) -> usize {
        self.threshold.part_of(left.max(right)).max(1)
    }
}

impl Algebra for SignatureAgreement {
    fn name(&self) -> &'static str {
        "signature agreement"
    }

    fn figure(&self) -> Figure {
        Figure::EstimatedSimilarity
    }

    fn points(&self) -> Option<PointKind> {
        Some(PointKind::Signatures)
    }

    fn limit(&self) -> Limit {
        Limit::Similarity(self.threshold)
    }

    fn similarity_of_sets(&self, overlap: Overlap) -> f64 {
        Self::share(overlap)
    }
}

impl SignatureAgreement {
    /// The share in which two signatures agree.
    pub fn share(overlap: Overlap) -> f64 {
        overlap.common as f64 / overlap.left.max(overlap.right).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_compared_without_rounding() {
        let measure = SignatureAgreement { threshold: "0.8".parse().unwrap() };
        assert_eq!([128, 10, 5, 1, 0].map(|size| measure.required_overlap(size, size)), [103, 8, 4, 1, 1]);
        assert_eq!([128, 10, 5, 1, 0].map(|size| measure.prefix_length(size)), [26, 3, 2, 1, 0]);
        assert_eq!(SignatureAgreement::share(Overlap { common: 103, left: 128, right: 128 }), 103.0 / 128.0);
    }
}
