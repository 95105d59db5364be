//! The precision of estimates: permutations for a tolerated error, and confidence intervals of proportions.

use crate::base::{Error, Result, check_probability};
use statrs::distribution::{Beta, Binomial, ContinuousCDF, DiscreteCDF, Normal};

/// Numbers of permutations for a given precision, from two bounds on the error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PermutationsNeeded {
    /// Number by the binomial distribution: this and every larger number of permutations suffices.
    pub exact: usize,
    /// Number by the Chernoff-Hoeffding bound, independent of the similarity: ceil(ln(2 / (1 - confidence)) / (2
    /// error^2)).
    pub chernoff: usize,
}

/// The number K of permutations with which a similarity is estimated to within +-`error` (inclusive) with probability
/// `confidence`.
///
/// X of K independent permutations agree, X ~ Binomial(K, s), and X / K estimates s (Broder 1997). The probability of
/// an error is not monotonic in K, because X / K is a multiple of 1 / K. So the result is the minimum K from which on
/// every number suffices. One-permutation signatures have at most the variance of independent permutations, so the
/// result is conservative for them.
///
/// The running time grows with 1 / error: some ten thousand binomial tails for an error of 0.001.
///
/// # Errors
/// [`Error::NotAProbability`] if the similarity lies outside \[0, 1\], or the error or the confidence outside (0, 1).
pub fn permutations_for_error(similarity: f64, error: f64, confidence: f64) -> Result<PermutationsNeeded> {
    check_probability("confidence", confidence)?;
    let estimate = ErrorEstimate::new(similarity, error)?;
    let tolerated = 1.0 - confidence;
    let chernoff = ((2.0 / tolerated).ln() / (2.0 * error * error)).ceil() as usize;
    let exact = estimate.last_beyond(tolerated, 1, chernoff)?.map_or(1, |last| last + 1);
    Ok(PermutationsNeeded { exact, chernoff })
}

/// The probability that an estimate from `permutations` independent permutations is off by more than `error`:
/// P(|X / K - s| > error) for X ~ Binomial(K, s). The probability is 1 for 0 permutations.
///
/// # Errors
/// [`Error::NotAProbability`] if the similarity lies outside \[0, 1\] or the error outside (0, 1).
pub fn estimate_error_probability(similarity: f64, error: f64, permutations: usize) -> Result<f64> {
    let estimate = ErrorEstimate::new(similarity, error)?;
    if permutations == 0 { Ok(1.0) } else { estimate.worst_between(permutations, permutations) }
}

/// The Chernoff-Hoeffding bound on [`estimate_error_probability`] for every similarity: 2 exp(-2 K error^2), at most 1
/// (Hoeffding 1963, theorem 1).
pub fn chernoff_error_probability(error: f64, permutations: usize) -> f64 {
    (2.0 * (-2.0 * permutations as f64 * error * error).exp()).min(1.0)
}

/// A similarity and the tolerated error of its estimate.
struct ErrorEstimate {
    similarity: f64,
    error: f64,
}

impl ErrorEstimate {
    fn new(similarity: f64, error: f64) -> Result<Self> {
        check_probability("error", error)?;
        binomial(similarity, 1)?;
        Ok(Self { similarity, error })
    }

    /// The maximum K in `first..=last` with an error probability above `tolerated`, by bisection: a range whose upper
    /// bound is at most `tolerated` is skipped.
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

    /// An upper bound on the error probability of every K in `first..=last`; exact if `first` equals `last`.
    ///
    /// X increases stochastically with K, and both limits K (s +- error) increase with K. So the upper tail is bounded
    /// by `last` trials with the limit of `first`, the lower tail by `first` trials with the limit of `last`.
    fn worst_between(&self, first: usize, last: usize) -> Result<f64> {
        // Counts on the limits are no errors, and a product such as 20 x (0.8 + 0.05) may round to either side of 17.
        let slack = 1e-12;
        let max_good = (first as f64 * (self.similarity + self.error + slack)).floor();
        let min_good = (last as f64 * (self.similarity - self.error - slack)).ceil();
        let above = binomial(self.similarity, last)?.sf(max_good as u64);
        let below = if min_good < 1.0 { 0.0 } else { binomial(self.similarity, first)?.cdf(min_good as u64 - 1) };
        Ok((above + below).min(1.0))
    }
}

fn binomial(similarity: f64, permutations: usize) -> Result<Binomial> {
    let error = |_| Error::NotAProbability { name: "similarity", found: similarity };
    Binomial::new(similarity, permutations as u64).map_err(error)
}

/// Maximum number of trials for which the interval of a proportion is exact.
const MAX_EXACT_TRIALS: u64 = 10_000;

/// The confidence interval of a proportion: the rates that a two-sided test at `confidence` does not reject after
/// `successes` of `trials`. It is (0, 1) for 0 trials.
///
/// Up to 10,000 trials it is the exact interval (Clopper, Pearson 1934), beyond that the score interval (Wilson 1927),
/// which agrees to three digits there and needs no continued fraction of thousands of terms.
pub fn binomial_interval(successes: u64, trials: u64, confidence: f64) -> (f64, f64) {
    let tail = (1.0 - confidence) / 2.0;
    let hits = successes as f64;
    let misses = trials.saturating_sub(successes) as f64;
    if trials > MAX_EXACT_TRIALS {
        return score_interval(hits, misses, tail);
    }
    let low = if successes == 0 { 0.0 } else { beta_quantile(hits, misses + 1.0, tail) };
    let high = if successes >= trials { 1.0 } else { beta_quantile(hits + 1.0, misses, 1.0 - tail) };
    (low, high)
}

/// The quantile of the beta distribution, by bisection: the inverse of the library does not terminate for some large
/// parameters.
fn beta_quantile(a: f64, b: f64, probability: f64) -> f64 {
    let Ok(beta) = Beta::new(a, b) else { return f64::NAN };
    let mut low = 0.0;
    let mut high = 1.0;
    for _ in 0..f64::MANTISSA_DIGITS {
        let middle = 0.5 * (low + high);
        if beta.cdf(middle) < probability { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The score interval (Wilson 1927), with probability `tail` on either side.
fn score_interval(hits: f64, misses: f64, tail: f64) -> (f64, f64) {
    let z = Normal::standard().inverse_cdf(1.0 - tail);
    let trials = hits + misses;
    let center = (hits + 0.5 * z * z) / (trials + z * z);
    let half = z / (trials + z * z) * (hits * misses / trials + 0.25 * z * z).sqrt();
    ((center - half).max(0.0), (center + half).min(1.0))
}

/// The number of `trials` bits, at most, that differ with probability `confidence`, if each differs with `probability`:
/// a quantile of the binomial distribution.
pub fn bits_within(trials: usize, probability: f64, confidence: f64) -> usize {
    (0..trials).find(|&hits| binomial_at_most(hits, trials, probability) >= confidence).unwrap_or(trials)
}

/// The probability of at most `hits` successes in `trials` trials.
pub(crate) fn binomial_at_most(hits: usize, trials: usize, probability: f64) -> f64 {
    let mut term = (1.0 - probability).powi(trials as i32);
    let mut sum = term;
    for hit in 1..=hits {
        term *= (trials + 1 - hit) as f64 / hit as f64 * probability / (1.0 - probability);
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests;
