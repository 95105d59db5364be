//! The algebra of the cosine of term weights, in integers.
//!
//! The weight of a term is a positive integer: its count in the document (`tf`), 1 (`binary`), or count x idf in fixed
//! point (`tfidf`; see [`DocumentFrequencies`]). A dot product and squared norms are sums of integers, which are
//! the same in any order: no answer depends on threads or kernels. With a threshold of p / q,
//!
//! ```text
//! x.y / (|x| |y|) >= p / q    is the same as    (x.y)^2 q^2 >= p^2 |x|^2 |y|^2
//! ```
//!
//! which is compared in 256 bits. Squared norms are below 2^64 (a document beyond that is refused when its weights are
//! made), and so, by Cauchy and Schwarz, are dot products.
//!
//! The exact method (AllPairs: Bayardo, Ma, Srikant 2007; L2AP: Anastasiu, Karypis 2014) orders terms by a common
//! order. Let r(i) be the norm of the terms of x from the i-th on, s(j) that of y from the j-th on, as shares of |x|
//! and |y|. If these are the positions of their first common term, all common terms lie from there on, and
//!
//! ```text
//! x.y <= r(i) |x| s(j) |y|    so cosine >= t needs r(i) s(j) >= t, and each of them alone >= t
//! ```
//!
//! The prefix of x is the terms with r(i) >= t. The first common term of near-duplicates lies in the prefixes of both,
//! and passes the filter: nothing is missed. A posting has r(i) in place of a position, in units of 1 / (2^32 - 1),
//! rounded up.
//!
//! Binary weights are those of plain sets, with a and b elements, c of them common: cosine >= t is c >= t sqrt(a b).
//! As b >= c, also c >= t^2 a. So prefixes and positions are those of Jaccard with other bounds, and min(a - i, b - j)
//! bounds c, which is stronger than the norms. c >= t sqrt(a b) also bounds the Jaccard similarity: at a given c, a + b
//! is largest where one set is the intersection, and the Jaccard similarity is c / a >= t^2 there.

mod document_frequencies;
mod weight_table;

pub use document_frequencies::{DocumentFrequencies, weigh};
pub(super) use weight_table::WeightTable;
pub use weight_table::dot_product_at_least;

use crate::base::details::MethodKind;
use crate::base::{compare_products, ratio};
use crate::documents::{ElementSets, WeightedSet};
use crate::kernel::Kernel;
use crate::keys::{BlockingKey, Bounds, Extent};
use crate::similarity::{Agreement, Algebra, EmptyPolicy, Limit, Overlap, Threshold, Weights};
use serde::{Deserialize, Serialize};

/// The cosine of term weights with its threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cosine {
    /// Minimum cosine (>=) of near-duplicates.
    pub threshold: Threshold,
    /// The weight of a term.
    pub weights: Weights,
    /// True if documents without elements are duplicates of each other.
    pub empty: EmptyPolicy,
}

/// Weighted terms with their cosine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms<'a> {
    pub(crate) sets: &'a ElementSets,
    pub(crate) measure: Cosine,
    pub(crate) kernel: Kernel,
}

/// The share of the whole norm that stands for 1 in [`Extent::position`].
const WHOLE: u64 = u32::MAX as u64;

impl Cosine {
    /// Returns whether a dot product reaches the threshold, given the squared norms.
    pub fn reaches(self, dot: u64, [left, right]: [u64; 2]) -> bool {
        let (numerator, denominator) = self.squared_threshold();
        let dot = u128::from(dot);
        let norms = u128::from(left) * u128::from(right);
        dot > 0 && compare_products([dot * dot, denominator], [norms, numerator]).is_ge()
    }

    /// The exact check of weighted terms by a function for dot products of at least a minimum.
    pub(super) fn verify_terms<'a>(
        self,
        left: WeightedSet<'a>,
        right: WeightedSet<'a>,
        dot_product_at_least: impl FnOnce(WeightedSet<'a>, WeightedSet<'a>, u64) -> Option<u64>,
    ) -> Option<Agreement> {
        let norms = [left.squared_norm(), right.squared_norm()];
        let dot = dot_product_at_least(left, right, self.min_dot(norms))?;
        self.reaches(dot, norms).then(|| Agreement::Cosine(cosine(dot, norms)))
    }

    /// A dot product that near-duplicates reach, slightly below the minimum.
    fn min_dot(self, [left, right]: [u64; 2]) -> u64 {
        (self.threshold.as_f64() * (left as f64 * right as f64).sqrt() * (1.0 - 1e-12)) as u64
    }

    /// Returns whether a term is in the prefix, given the squared norm of the terms from it on, and that of all.
    pub fn is_in_prefix(self, rest: u64, whole: u64) -> bool {
        let (numerator, denominator) = self.squared_threshold();
        compare_products([rest.into(), denominator], [whole.into(), numerator]).is_ge()
    }

    /// Appends the keys of terms in the common order, given with their squared weights, as long as those from a term on
    /// can still reach the threshold. `rest` is the squared norm of all of them, `whole` that of the document.
    pub(crate) fn append_prefix(
        self,
        terms: impl Iterator<Item = (u64, u64)>,
        mut rest: u64,
        whole: u64,
        keys: &mut Vec<BlockingKey>,
    ) {
        for (element, square) in terms {
            if rest == 0 || !self.is_in_prefix(rest, whole) {
                break;
            }
            keys.push(BlockingKey { hash: element, position: Self::rest_share(rest, whole) });
            rest -= square;
        }
    }

    /// The norm of the terms from one on as a share of the whole norm, rounded up, given their squares.
    pub fn rest_share(rest: u64, whole: u64) -> u32 {
        let rest = rest.min(whole);
        let whole = whole.max(1);
        let square_of_rest = u128::from(rest) * u128::from(WHOLE * WHOLE);
        let is_enough = |share: u64| u128::from(share * share) * u128::from(whole) >= square_of_rest;
        // A root of floats is at most one off, and integers take ten times as long.
        let mut share = ((rest as f64 / whole as f64).sqrt() * WHOLE as f64) as u64;
        while !is_enough(share) {
            share += 1;
        }
        while share > 0 && is_enough(share - 1) {
            share -= 1;
        }
        share as u32
    }

    /// Squares of numerator and denominator of the threshold: at most 10^36.
    fn squared_threshold(self) -> (u128, u128) {
        let (numerator, denominator) = self.threshold.fraction();
        (u128::from(numerator).pow(2), u128::from(denominator).pow(2))
    }
}

impl Bounds for Cosine {
    fn may_reach(&self, left: Extent, right: Extent) -> bool {
        let (numerator, denominator) = self.threshold.fraction();
        if self.weights.are_counted() {
            // The keys of a fingerprint have no position.
            let share = |extent: Extent| if extent.position == 0 { WHOLE } else { extent.position.into() };
            let shares = share(left) * share(right);
            return u128::from(shares) * u128::from(denominator) >= u128::from(WHOLE * WHOLE) * u128::from(numerator);
        }
        self.reaches(left.max_common(right).into(), [left.size.into(), right.size.into()])
    }

    /// Returns the overlap that plain sets need, of which none is empty.
    fn required_overlap(&self, left: usize, right: usize) -> usize {
        let norms = [left as u64, right as u64];
        let mut required = self.min_dot(norms).max(1);
        while required > 1 && self.reaches(required - 1, norms) {
            required -= 1;
        }
        while !self.reaches(required, norms) {
            required += 1;
        }
        required as usize
    }

    /// size - ceil(t^2 size) + 1 for plain sets; all elements of weighted ones, whose prefix depends on the weights; 0
    /// for an empty set.
    fn prefix_length(&self, size: usize) -> usize {
        if self.weights.are_counted() || size == 0 {
            return size;
        }
        let (numerator, denominator) = self.squared_threshold();
        let reaches = |part: u64| compare_products([part.into(), denominator], [size as u128, numerator]).is_ge();
        let threshold = self.threshold.as_f64();
        let mut part = (threshold * threshold * size as f64 * (1.0 - 1e-12)) as u64;
        while part > 0 && reaches(part - 1) {
            part -= 1;
        }
        while !reaches(part) {
            part += 1;
        }
        size - part as usize + 1
    }

    fn bounds_overlap(&self) -> bool {
        !self.weights.are_counted()
    }
}

impl Algebra for Cosine {
    fn name(&self) -> &'static str {
        "cosine"
    }

    fn methods(&self) -> &'static [MethodKind] {
        &[MethodKind::Exact, MethodKind::SimHash]
    }

    fn limit(&self) -> Limit {
        Limit::Similarity(self.threshold)
    }

    /// The root of a rounded ratio may be a few units in the last place too low.
    fn is_reached_by(&self, similarity: f64) -> bool {
        similarity >= self.threshold.as_f64() * (1.0 - 4.0 * f64::EPSILON)
    }

    fn empty(&self) -> EmptyPolicy {
        self.empty
    }

    fn verify_weighted(&self, kernel: Kernel, left: WeightedSet<'_>, right: WeightedSet<'_>) -> Option<Agreement> {
        if self.weights.are_counted() {
            self.verify_terms(left, right, dot_product_at_least)
        } else {
            self.verify(kernel, left.elements(), right.elements())
        }
    }

    /// t^2 for plain sets; `None` for weighted ones.
    fn min_jaccard(&self) -> Option<f64> {
        (!self.weights.are_counted()).then(|| self.threshold.as_f64().powi(2))
    }

    fn similarity_of_sets(&self, overlap: Overlap) -> f64 {
        cosine(overlap.common as u64, [overlap.left as u64, overlap.right as u64])
    }
}

/// The cosine of two vectors, given their dot product and squared norms. Equal vectors have 1; a vector without terms
/// has 0 with any.
///
/// The square is rounded once and so is its root, as IEEE 754 says. So equal cosines are equal numbers, whatever the
/// norms, and the closer of two documents never has the smaller number; cosines that differ by less than a float can
/// tell count as equal, here and in files of pairs.
pub fn cosine(dot: u64, [left, right]: [u64; 2]) -> f64 {
    let dot = u128::from(dot);
    let norms = u128::from(left) * u128::from(right);
    if norms == 0 { 0.0 } else { ratio(dot * dot, norms).sqrt() }
}

#[cfg(test)]
mod tests;
