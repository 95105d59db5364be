//! Everything that a plan shows, as the fields of its JSON.

use super::args::PlanArgs;
use anyhow::Result;
use lookalike::methods::Banding;
use lookalike::methods::plan;
use serde::Serialize;

/// Everything that is shown. Similarities, rates and probabilities are fractions.
#[derive(Debug, Serialize)]
pub(super) struct Plan {
    /// Similarity from which on pairs are wanted.
    pub(super) threshold: f64,
    /// Minimum wanted probability that a pair at the threshold shares a band.
    pub(super) wanted_recall: f64,
    /// Components of a signature.
    pub(super) permutations: usize,
    /// The limit on pairs that are not wanted, if one was given.
    pub(super) low: Option<Low>,
    /// How the banding came about.
    pub(super) chosen_by: ChosenBy,
    /// The banding.
    pub(super) banding: BandingFacts,
    /// What datasketch and the tools built on it would take for the same threshold and permutations.
    pub(super) least_area_rule: BandingFacts,
    /// Points of both S-curves, by rising similarity.
    pub(super) curve: Vec<CurvePoint>,
    /// How well signatures estimate a similarity.
    pub(super) estimate: EstimateFacts,
}

/// What made the banding the one of the plan.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ChosenBy {
    /// Least false-positive area among all bandings that keep the recall.
    LeastFalsePositiveArea,
    /// Fewest permutations among all bandings that keep the recall and the low rate.
    FewestPermutations,
    /// Given as --bands and --rows.
    User,
}

/// A low similarity, what was wanted there and what comes out.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Low {
    /// The low similarity.
    pub(super) similarity: f64,
    /// Maximum wanted probability of a shared band there.
    pub(super) wanted_rate: f64,
    /// The probability with the banding.
    pub(super) rate: f64,
}

/// A banding and what it does at the threshold of the plan.
#[derive(Debug, Serialize)]
pub(super) struct BandingFacts {
    pub(super) bands: usize,
    pub(super) rows: usize,
    /// bands x rows
    pub(super) permutations_used: usize,
    /// Probability that a pair exactly at the threshold shares a band.
    pub(super) recall_at_threshold: f64,
    /// 1 - `recall_at_threshold`
    pub(super) false_negative_rate_at_threshold: f64,
    /// Area under the S-curve from 0 to the threshold.
    pub(super) false_positive_area: f64,
    /// Area above the S-curve from the threshold to 1.
    pub(super) false_negative_area: f64,
    /// Similarity at which the S-curve is steepest.
    pub(super) steepest_similarity: f64,
    /// The rule of thumb (1/b)^(1/r) for it.
    pub(super) approximate_threshold: f64,
}

/// Both S-curves at one similarity.
#[derive(Debug, Serialize)]
pub(super) struct CurvePoint {
    pub(super) similarity: f64,
    /// Probability that such a pair shares a band.
    pub(super) probability: f64,
    /// The same for the least-area rule.
    pub(super) least_area_rule_probability: f64,
}

/// How many permutations an estimate needs, and how good it is with those of the plan.
#[derive(Debug, Serialize)]
pub(super) struct EstimateFacts {
    /// Similarity that is estimated: the threshold.
    pub(super) similarity: f64,
    /// Largest wanted error.
    pub(super) error: f64,
    /// Wanted probability of an estimate within the error.
    pub(super) confidence: f64,
    /// Permutations from which on that holds, by the binomial distribution.
    pub(super) permutations_needed_exact: usize,
    /// The same by the Chernoff-Hoeffding bound.
    pub(super) permutations_needed_chernoff: usize,
    /// Probability of a larger error with the permutations of this plan, by the binomial distribution.
    pub(super) error_probability_exact: f64,
    /// The same by the Chernoff-Hoeffding bound.
    pub(super) error_probability_chernoff: f64,
}

impl Plan {
    pub(super) fn new(args: &PlanArgs, banding: Banding, chosen_by: ChosenBy) -> Result<Self> {
        let threshold = args.threshold.as_f64();
        let least_area = plan::least_area(threshold, args.permutations)?;
        let low = args.low.zip(args.low_rate).map(|(similarity, wanted_rate)| Low {
            similarity,
            wanted_rate,
            rate: banding.probability(similarity),
        });
        let point = |similarity| CurvePoint {
            similarity,
            probability: banding.probability(similarity),
            least_area_rule_probability: least_area.probability(similarity),
        };
        Ok(Self {
            threshold,
            wanted_recall: args.recall,
            permutations: args.permutations,
            low,
            chosen_by,
            banding: BandingFacts::of(banding, threshold),
            least_area_rule: BandingFacts::of(least_area, threshold),
            curve: similarities(threshold, args.low).into_iter().map(point).collect(),
            estimate: EstimateFacts::new(args)?,
        })
    }
}

/// Every twentieth, and the similarities that were asked for.
fn similarities(threshold: f64, low: Option<f64>) -> Vec<f64> {
    let steps = (1..=20).map(|step| f64::from(step) / 20.0);
    let mut all: Vec<f64> = steps.chain([threshold]).chain(low).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

impl BandingFacts {
    fn of(banding: Banding, threshold: f64) -> Self {
        let recall = banding.probability(threshold);
        Self {
            bands: banding.bands(),
            rows: banding.rows(),
            permutations_used: banding.num_perm(),
            recall_at_threshold: recall,
            false_negative_rate_at_threshold: 1.0 - recall,
            false_positive_area: plan::false_positive_area(banding, threshold),
            false_negative_area: plan::false_negative_area(banding, threshold),
            steepest_similarity: banding.steepest(),
            approximate_threshold: banding.approximate_threshold(),
        }
    }
}

impl EstimateFacts {
    pub(super) fn new(args: &PlanArgs) -> Result<Self> {
        let similarity = args.threshold.as_f64();
        let error = args.error;
        let needed = plan::permutations_for_error(similarity, error, args.confidence)?;
        Ok(Self {
            similarity,
            error,
            confidence: args.confidence,
            permutations_needed_exact: needed.exact,
            permutations_needed_chernoff: needed.chernoff,
            error_probability_exact: plan::estimate_error_probability(similarity, error, args.permutations)?,
            error_probability_chernoff: plan::chernoff_error_probability(error, args.permutations),
        })
    }
}
