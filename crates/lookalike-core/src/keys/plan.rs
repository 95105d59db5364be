//! The choice of bands, rows and permutations for a goal.
//!
//! A user specifies a recall at the threshold; MinHash is specified by b bands of r rows. The S-curve P(s) = 1 - (1 -
//! s^r)^b relates the two, and [`choose`] solves it for the cheapest banding with that recall:
//!
//! ```text
//! P 1|            ..----- <- false negatives: 1 - P, right of t
//!    |          .'|
//!    |         /  |          choose:     minimum area left of t subject to P(t) >= recall
//!    |        /   |          least_area: minimum sum of both areas, with any P(t)
//!   0|____..-'____|_______
//!    0            t      1 s
//!       false positives: P, left of t
//! ```
//!
//! Balancing the areas is the rule of datasketch and of the tools built on it. It assumes that similarities are uniform
//! between 0 and 1, and guarantees no recall at t itself: with 128 permutations it finds 0.40 of the pairs at 0.8. It
//! is provided for comparison. Verification removes false candidates later, but a missed pair is never seen again; that
//! is why recall comes first.

mod area;
mod ensemble;
mod precision;

pub use area::area_under;
use area::check_threshold;
pub use ensemble::{Division, least_containment_area, partitions_by_size};
pub(crate) use precision::binomial_at_most;
pub use precision::{
    PermutationsNeeded, binomial_interval, bits_within, chernoff_error_probability, estimate_error_probability,
    permutations_for_error,
};

use super::Banding;
use crate::base::{Error, Result, check_probability, check_range};
use std::cmp::Ordering;

/// Requirements on a banding.
///
/// All similarities and rates are fractions, not percentages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goal {
    /// Minimum similarity t of the pairs to be found, in (0, 1].
    pub threshold: f64,
    /// Minimum probability P(t) that a pair at the threshold shares a band, in (0, 1). P is higher for more similar
    /// pairs.
    pub recall: f64,
    /// Maximum number of components of the signature, b r.
    pub permutations: usize,
    /// An optional limit on candidates of low similarity.
    pub low: Option<LowRate>,
}

/// A limit on the probability that a pair of low similarity becomes a candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LowRate {
    /// The low similarity, in (0, 1).
    pub similarity: f64,
    /// Maximum probability of a shared band at that similarity, in (0, 1).
    pub rate: f64,
}

impl Goal {
    /// Maximum number of permutations: estimates then err by 0.005, and the rule of the peers, which tries all
    /// bandings, would take seconds with more.
    pub const MAX_PERMUTATIONS: usize = 10_000;

    fn check(&self) -> Result<()> {
        check_threshold(self.threshold)?;
        check_permutations(self.permutations)?;
        check_probability("recall", self.recall)?;
        let Some(low) = self.low else { return Ok(()) };
        check_probability("low similarity", low.similarity)?;
        check_probability("low rate", low.rate)
    }

    /// The minimum number of bands of `rows` rows with P(t) >= recall; `None` if it exceeds the permutations.
    fn fewest_bands(&self, rows: usize) -> Option<Banding> {
        let max_bands = self.permutations.checked_div(rows).filter(|&bands| bands > 0)?;
        let reaching = |bands| {
            let banding = Banding::new(bands, rows).ok()?;
            (banding.probability(self.threshold) >= self.recall).then_some(banding)
        };
        // 1 - (1 - t^r)^b >= recall, solved for b. The cast saturates, so that t^r = 0 exceeds every limit.
        let bands = ((-self.recall).ln_1p() / (-self.threshold.powi(rows as i32)).ln_1p()).ceil();
        let mut bands = (bands as usize).clamp(1, max_bands);
        // The formula may be off by one because of rounding; the computed S-curve decides.
        while bands < max_bands && reaching(bands).is_none() {
            bands += 1;
        }
        while bands > 1 && reaching(bands - 1).is_some() {
            bands -= 1;
        }
        reaching(bands)
    }

    fn meets_low_rate(&self, banding: Banding) -> bool {
        self.low.is_none_or(|low| banding.probability(low.similarity) <= low.rate)
    }

    /// The cost to minimize, in lexicographic order.
    fn cost(&self, banding: Banding) -> [f64; 2] {
        let area = false_positive_area(banding, self.threshold);
        let permutations = banding.num_perm() as f64;
        if self.low.is_some() { [permutations, area] } else { [area, permutations] }
    }
}

/// The banding that meets the goal at minimum cost.
///
/// For each number of rows, only the minimum number of bands with the recall is considered: each further band raises
/// the whole S-curve, and with it the number of false candidates. Among these bandings,
///
/// - without a low rate, the one with the minimum area under the S-curve left of the threshold (fewest false
///   candidates) is chosen, because unused permutations save nothing;
/// - with a low rate, which bounds false candidates already, the one with the fewest permutations is chosen.
///
/// The textbook example, 99.5 % at similarity 0.5 and at most 1 % at 0.05, is often answered with 42 bands x 3 rows (P
/// = 0.9963 and 0.0052). 40 bands x 3 rows are the minimum, with P = 0.9952 and 0.0050; of two rows, 19 bands suffice
/// for the recall but have P = 0.046 at 0.05.
///
/// ```
/// use lookalike_core::keys::plan::{Goal, LowRate, choose};
///
/// let low = Some(LowRate { similarity: 0.05, rate: 0.01 });
/// let banding = choose(&Goal { threshold: 0.5, recall: 0.995, permutations: 128, low })?;
/// assert_eq!((banding.bands(), banding.rows()), (40, 3));
/// # Ok::<(), lookalike_core::Error>(())
/// ```
///
/// # Errors
/// [`Error::NoBanding`] if the permutations do not suffice, [`Error::Threshold`] if the threshold lies outside (0, 1],
/// [`Error::NotAProbability`] if another number lies outside (0, 1).
pub fn choose(goal: &Goal) -> Result<Banding> {
    goal.check()?;
    let reaching = (1..=goal.permutations).filter_map(|rows| goal.fewest_bands(rows));
    let costs = reaching.filter(|&banding| goal.meets_low_rate(banding)).map(|banding| (goal.cost(banding), banding));
    let best = costs.min_by(|(left, _), (right, _)| compare(left, right));
    best.map(|(_, banding)| banding).ok_or(Error::NoBanding {
        permutations: goal.permutations,
        recall: goal.recall,
        threshold: goal.threshold,
        low: goal.low.map(|low| (low.similarity, low.rate)),
    })
}

/// Checks a number of permutations, or of sampled bits.
pub(crate) fn check_permutations(permutations: usize) -> Result<()> {
    check_range("permutations", permutations as u64, 1..=Goal::MAX_PERMUTATIONS as u64)
}

fn compare(left: &[f64; 2], right: &[f64; 2]) -> Ordering {
    left[0].total_cmp(&right[0]).then(left[1].total_cmp(&right[1]))
}

/// The banding with the minimum mean of false-positive and false-negative area: the rule of datasketch with its default
/// weights (`MinHashLSH(threshold, num_perm)`), which SlimPajama, RedPajama-V2, text-dedup and Data-Juicer inherit.
///
/// All b and r with b r <= `permutations` are tried, about K ln K of them; among equals the fewest bands, then rows,
/// win. For comparison only: this rule ignores the recall at the threshold.
///
/// # Errors
/// [`Error::Threshold`] if the threshold lies outside (0, 1]; [`Error::BandingTooLarge`] if there are no permutations.
pub fn least_area(threshold: f64, permutations: usize) -> Result<Banding> {
    least_weighted_area(threshold, permutations, [0.5; 2])
}

/// Does what [`least_area`] does, with weights of the false-positive and the false-negative area.
///
/// # Errors
/// As [`least_area`].
pub fn least_weighted_area(threshold: f64, permutations: usize, weights: [f64; 2]) -> Result<Banding> {
    check_threshold(threshold)?;
    let mut best = Banding::within(1, 1, permutations)?;
    let mut min_area = f64::INFINITY;
    for bands in 1..=permutations {
        for rows in 1..=permutations / bands {
            let banding = Banding::new(bands, rows)?;
            let areas = [false_positive_area(banding, threshold), false_negative_area(banding, threshold)];
            let area = weights[0] * areas[0] + weights[1] * areas[1];
            if area < min_area {
                (best, min_area) = (banding, area);
            }
        }
    }
    Ok(best)
}

/// The area under the S-curve from 0 to the threshold, at most 1. If similarities were uniform in [0, 1], this would be
/// the fraction of all pairs that are false candidates.
///
/// Integrated by the midpoint rule with strips of width 0.001.
pub fn false_positive_area(banding: Banding, threshold: f64) -> f64 {
    area_under(0.0, threshold, |similarity| banding.probability(similarity))
}

/// The area above the S-curve from the threshold to 1: the fraction of missed pairs, integrated as in
/// [`false_positive_area`].
pub fn false_negative_area(banding: Banding, threshold: f64) -> f64 {
    area_under(threshold, 1.0, |similarity| 1.0 - banding.probability(similarity))
}

#[cfg(test)]
mod tests;
