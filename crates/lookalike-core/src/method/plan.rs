//! How many bands, rows and permutations a goal needs.
//!
//! What a user wants is a rate of pairs found at the threshold; what MinHash takes is b bands of r rows. The S-curve
//! P(s) = 1 - (1 - s^r)^b joins the two, and [`choose`] solves it for the cheapest banding that keeps the promise:
//!
//! ```text
//! P 1|            ..----- <- false negatives: 1 - P, right of t
//!    |          .'|
//!    |         /  |          choose:     P(t) >= recall first, then the least area left of t
//!    |        /   |          least_area: the least sum of both areas, whatever P(t) comes out
//!   0|____..-'____|_______
//!    0            t      1 s
//!       false positives: P, left of t
//! ```
//!
//! Balancing the areas is the rule of datasketch and of the tools built on it. It treats the pairs as if they lay
//! evenly between 0 and 1, and promises nothing at t itself: with 128 permutations it finds 0.40 of the pairs at 0.8.
//! It is here to be compared with. Verification removes false candidates later, but a missed pair is never seen again;
//! that is why recall comes first.

use super::Banding;
use crate::ground::{Error, Result};
use statrs::distribution::{Beta, Binomial, ContinuousCDF, DiscreteCDF, Normal};
use std::cmp::Ordering;

/// Width of the strips by which areas are summed, as in datasketch.
const STRIP: f64 = 0.001;

/// What a banding has to reach.
///
/// All similarities and rates are fractions, not percentages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goal {
    /// Similarity t from which on pairs are wanted, in (0, 1].
    pub threshold: f64,
    /// Least probability P(t) that a pair at the threshold shares a band, in (0, 1). More similar pairs have a higher
    /// one.
    pub recall: f64,
    /// Most components of the signature that bands x rows may use.
    pub permutations: usize,
    /// A limit on pairs that are not wanted.
    pub low: Option<LowRate>,
}

/// A limit on the probability that a pair of low similarity becomes a candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LowRate {
    /// The low similarity, in (0, 1).
    pub similarity: f64,
    /// The highest probability of a shared band there, in (0, 1).
    pub rate: f64,
}

impl Goal {
    fn check(&self) -> Result<()> {
        check_threshold(self.threshold)?;
        check_probability("recall", self.recall)?;
        let Some(low) = self.low else { return Ok(()) };
        check_probability("low similarity", low.similarity)?;
        check_probability("low rate", low.rate)
    }

    /// The fewest bands of `rows` rows with P(t) >= recall, if the permutations allow so many.
    fn fewest_bands(&self, rows: usize) -> Option<Banding> {
        let most = self.permutations.checked_div(rows).filter(|&most| most > 0)?;
        let reaching = |bands| {
            let banding = Banding::new(bands, rows).ok()?;
            (banding.probability(self.threshold) >= self.recall).then_some(banding)
        };
        // 1 - (1 - t^r)^b >= recall, solved for b. The cast saturates, so that t^r = 0 asks for too many bands.
        let bands = ((-self.recall).ln_1p() / (-self.threshold.powi(rows as i32)).ln_1p()).ceil();
        let mut bands = (bands as usize).clamp(1, most);
        // Rounding can put the formula one off; the S-curve as we compute it has the last word.
        while bands < most && reaching(bands).is_none() {
            bands += 1;
        }
        while bands > 1 && reaching(bands - 1).is_some() {
            bands -= 1;
        }
        reaching(bands)
    }

    fn keeps_low_rate(&self, banding: Banding) -> bool {
        self.low.is_none_or(|low| banding.probability(low.similarity) <= low.rate)
    }

    /// What to keep small: first, and among equals second.
    fn cost(&self, banding: Banding) -> [f64; 2] {
        let area = false_positive_area(banding, self.threshold);
        let permutations = banding.num_perm() as f64;
        if self.low.is_some() { [permutations, area] } else { [area, permutations] }
    }
}

/// The banding that reaches the goal at the least cost.
///
/// For each number of rows only the fewest bands that reach the recall matter: one more band lifts the whole S-curve,
/// and with it false candidates. Among these bandings,
///
/// - without a low rate, the one with the least area under the S-curve left of the threshold (fewest false candidates)
///   is taken: the permutations are there anyway;
/// - with a low rate, false candidates are bounded already, so the one that uses the fewest permutations is taken.
///
/// The textbook example, 99.5 % at similarity 0.5 and at most 1 % at 0.05, is often answered with 42 bands x 3 rows
/// (P = 0.9963 and 0.0052). 40 bands x 3 rows are the fewest that keep it, with P = 0.9952 and 0.0050; of two rows, 19
/// bands would do for the recall but pass 0.046 at 0.05.
///
/// ```
/// use lookalike_core::method::plan::{Goal, LowRate, choose};
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
    let costs = reaching.filter(|&banding| goal.keeps_low_rate(banding)).map(|banding| (goal.cost(banding), banding));
    let best = costs.min_by(|(left, _), (right, _)| compare(left, right));
    best.map(|(_, banding)| banding).ok_or(Error::NoBanding {
        permutations: goal.permutations,
        recall: goal.recall,
        threshold: goal.threshold,
        low: goal.low.map(|low| (low.similarity, low.rate)),
    })
}

fn compare(left: &[f64; 2], right: &[f64; 2]) -> Ordering {
    left[0].total_cmp(&right[0]).then(left[1].total_cmp(&right[1]))
}

/// The banding with the least mean of false-positive and false-negative area: the rule of datasketch with its default
/// weights (`MinHashLSH(threshold, num_perm)`), which SlimPajama, RedPajama-V2, text-dedup and Data-Juicer inherit.
///
/// All b and r with b r <= `permutations` are tried, about K ln K of them; among equals the fewest bands, then rows,
/// win. For comparison only: it does not look at the recall at the threshold.
///
/// # Errors
/// [`Error::Threshold`] if the threshold lies outside (0, 1]; [`Error::BandingTooLarge`] if there are no permutations.
pub fn least_area(threshold: f64, permutations: usize) -> Result<Banding> {
    check_threshold(threshold)?;
    let mut best = Banding::within(1, 1, permutations)?;
    let mut least = f64::INFINITY;
    for bands in 1..=permutations {
        for rows in 1..=permutations / bands {
            let banding = Banding::new(bands, rows)?;
            let area = 0.5 * false_positive_area(banding, threshold) + 0.5 * false_negative_area(banding, threshold);
            if area < least {
                (best, least) = (banding, area);
            }
        }
    }
    Ok(best)
}

/// The area under the S-curve from 0 to the threshold (at most 1): were the similarities of all pairs spread evenly,
/// the share of pairs below the threshold that become candidates all the same, times the threshold.
///
/// Summed over strips of width 0.001, each as high as the curve at its middle.
pub fn false_positive_area(banding: Banding, threshold: f64) -> f64 {
    sum_strips(0.0, threshold, |similarity| banding.probability(similarity))
}

/// The area above the S-curve from the threshold to 1: the pairs that are missed, as in [`false_positive_area`].
pub fn false_negative_area(banding: Banding, threshold: f64) -> f64 {
    sum_strips(threshold, 1.0, |similarity| 1.0 - banding.probability(similarity))
}

fn sum_strips(from: f64, to: f64, height: impl Fn(f64) -> f64) -> f64 {
    // The small step back keeps 0.8 / 0.001 at 800 strips, whichever way it is rounded.
    let strips = ((to - from) / STRIP - 1e-9).ceil().max(0.0) as u32;
    let width = (to - from) / f64::from(strips.max(1));
    let heights = (0..strips).map(|strip| height(from + (f64::from(strip) + 0.5) * width));
    // Not `sum`, which is -0.0 of no strips.
    width * heights.fold(0.0, |sum, height| sum + height)
}

/// Permutations that an estimate needs, by two ways to bound its error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PermutationsNeeded {
    /// By the binomial distribution itself: from this number on, up to `chernoff` and by that bound beyond, every
    /// number of permutations suffices.
    pub exact: usize,
    /// By the Chernoff-Hoeffding bound, ceil(ln(2 / (1 - confidence)) / (2 error^2)), which knows no similarity.
    pub chernoff: usize,
}

/// Permutations K with which a similarity is estimated to within +-`error` (inclusive) with probability `confidence`.
///
/// Of K independent permutations X agree, X ~ Binomial(K, s), and X / K estimates s (Broder 1997). The probability of
/// an error does not simply fall with K, since X / K is a multiple of 1 / K: it saws. So the least K that happens to do
/// is no answer; this is the least from which on all do. The one-permutation sketch has at most the variance of
/// independent permutations, so for it the number is on the safe side.
///
/// Work grows with 1 / error: some ten thousand binomial tails for an error of 0.001.
///
/// # Errors
/// [`Error::NotAProbability`] if the similarity lies outside \[0, 1\], or the error or the confidence outside (0, 1).
pub fn permutations_for_error(similarity: f64, error: f64, confidence: f64) -> Result<PermutationsNeeded> {
    check_probability("confidence", confidence)?;
    let estimate = Estimate::new(similarity, error)?;
    let tolerated = 1.0 - confidence;
    let chernoff = ((2.0 / tolerated).ln() / (2.0 * error * error)).ceil() as usize;
    let exact = estimate.last_beyond(tolerated, 1, chernoff)?.map_or(1, |last| last + 1);
    Ok(PermutationsNeeded { exact, chernoff })
}

/// The probability that an estimate from `permutations` independent permutations is off by more than `error`:
/// P(|X / K - s| > error) for X ~ Binomial(K, s). 1 if there are no permutations.
///
/// # Errors
/// [`Error::NotAProbability`] if the similarity lies outside \[0, 1\] or the error outside (0, 1).
pub fn estimate_error_probability(similarity: f64, error: f64, permutations: usize) -> Result<f64> {
    let estimate = Estimate::new(similarity, error)?;
    if permutations == 0 { Ok(1.0) } else { estimate.worst_between(permutations, permutations) }
}

/// The Chernoff-Hoeffding bound on [`estimate_error_probability`], whatever the similarity: 2 exp(-2 K error^2), at
/// most 1 (Hoeffding 1963, theorem 1).
pub fn chernoff_error_probability(error: f64, permutations: usize) -> f64 {
    (2.0 * (-2.0 * permutations as f64 * error * error).exp()).min(1.0)
}

/// A similarity and the error up to which its estimate is good.
struct Estimate {
    similarity: f64,
    error: f64,
}

impl Estimate {
    fn new(similarity: f64, error: f64) -> Result<Self> {
        check_probability("error", error)?;
        binomial(similarity, 1)?;
        Ok(Self { similarity, error })
    }

    /// The last K in `first..=last` with an error probability above `tolerated`, found by halving: a block of numbers
    /// whose worst case is fine needs no closer look.
    fn last_beyond(&self, tolerated: f64, first: usize, last: usize) -> Result<Option<usize>> {
        if self.worst_between(first, last)? <= tolerated {
            return Ok(None);
        }
        if first == last {
            return Ok(Some(first));
        }
        let middle = first + (last - first) / 2;
        match self.last_beyond(tolerated, middle + 1, last)? {
            Some(found) => Ok(Some(found)),
            None => self.last_beyond(tolerated, first, middle),
        }
    }

    /// At least the error probability of every K in `first..=last`; exactly that of K if both are K.
    ///
    /// More trials never make fewer agree, and both borders K (s +- error) rise with K. So the upper tail is worst with
    /// the trials of the last and the border of the first, the lower tail the other way round.
    fn worst_between(&self, first: usize, last: usize) -> Result<f64> {
        // Counts on the border are no errors, and there a product such as 20 x (0.8 + 0.05) may round to either side of
        // 17.
        let slack = 1e-12;
        let most = (first as f64 * (self.similarity + self.error + slack)).floor();
        let least = (last as f64 * (self.similarity - self.error - slack)).ceil();
        let above = binomial(self.similarity, last)?.sf(most as u64);
        let below = if least < 1.0 { 0.0 } else { binomial(self.similarity, first)?.cdf(least as u64 - 1) };
        Ok((above + below).min(1.0))
    }
}

fn binomial(similarity: f64, permutations: usize) -> Result<Binomial> {
    let error = |_| Error::NotAProbability { name: "similarity", found: similarity };
    Binomial::new(similarity, permutations as u64).map_err(error)
}

fn check_threshold(threshold: f64) -> Result<()> {
    let fits = threshold > 0.0 && threshold <= 1.0;
    if fits { Ok(()) } else { Err(Error::Threshold { found: threshold.to_string() }) }
}

fn check_probability(name: &'static str, found: f64) -> Result<()> {
    let fits = found > 0.0 && found < 1.0;
    if fits { Ok(()) } else { Err(Error::NotAProbability { name, found }) }
}

/// Trials up to which the interval of a proportion is the exact one.
const MOST_EXACT_TRIALS: u64 = 10_000;

/// The interval of a proportion: the rates that a two-sided test at `confidence` does not rule out after `successes` of
/// `trials`. Without trials it is (0, 1).
///
/// Up to 10,000 trials it is the exact one (Clopper, Pearson 1934), beyond that the score interval (Wilson 1927), which
/// is the same to three digits there and needs no continued fraction of thousands of terms.
pub fn binomial_interval(successes: u64, trials: u64, confidence: f64) -> (f64, f64) {
    let tail = (1.0 - confidence) / 2.0;
    let (hits, misses) = (successes as f64, trials.saturating_sub(successes) as f64);
    if trials > MOST_EXACT_TRIALS {
        return score_interval(hits, misses, tail);
    }
    let low = if successes == 0 { 0.0 } else { beta_quantile(hits, misses + 1.0, tail) };
    let high = if successes >= trials { 1.0 } else { beta_quantile(hits + 1.0, misses, 1.0 - tail) };
    (low, high)
}

/// By bisection: the library's own inverse does not end for some large parameters.
fn beta_quantile(a: f64, b: f64, probability: f64) -> f64 {
    let Ok(beta) = Beta::new(a, b) else { return f64::NAN };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..f64::MANTISSA_DIGITS {
        let middle = 0.5 * (low + high);
        if beta.cdf(middle) < probability { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

fn score_interval(hits: f64, misses: f64, tail: f64) -> (f64, f64) {
    let z = Normal::standard().inverse_cdf(1.0 - tail);
    let trials = hits + misses;
    let center = (hits + 0.5 * z * z) / (trials + z * z);
    let half = z / (trials + z * z) * (hits * misses / trials + 0.25 * z * z).sqrt();
    ((center - half).max(0.0), (center + half).min(1.0))
}

#[cfg(test)]
mod tests;
