//! Guarantees of bands of MinHash signatures: recall, errors, and the accuracy of estimates.

use super::args::{PlanAnswer, PlanArgs};
use super::plot::{Axis, Curve};
use super::table::{format_rate, line, similarities, with_at_least_two_decimals};
use crate::messages::counted;
use anyhow::{Context, Result, ensure};
use lookalike::methods::Banding;
use lookalike::methods::plan::{self, Goal, LowRate};
use serde::Serialize;

/// The plan as the fields of JSON. Similarities, rates and probabilities are fractions.
#[derive(Debug, Serialize)]
pub(super) struct BandsPlan {
    /// Similarity from which on pairs are wanted.
    threshold: f64,
    /// Minimum wanted probability that a pair at the threshold shares a band.
    wanted_recall: f64,
    /// Components of a signature.
    permutations: usize,
    /// The limit on pairs that are not wanted, if one was given.
    low: Option<Low>,
    /// Reason for the banding.
    chosen_by: ChosenBy,
    /// The banding.
    banding: BandingFacts,
    /// The banding of datasketch, and of tools built on it, for the same threshold and permutations.
    least_area_rule: BandingFacts,
    /// Points of both S-curves, by rising similarity.
    curve: Vec<CurvePoint>,
    /// Accuracy of estimates by signatures.
    estimate: EstimateFacts,
}

/// Reason for the banding of the plan.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum ChosenBy {
    /// Least false-positive area among all bandings that keep the recall.
    LeastFalsePositiveArea,
    /// Fewest permutations among all bandings that keep the recall and the low rate.
    FewestPermutations,
    /// Given as --bands and --rows.
    User,
}

/// A low similarity with the wanted and the reached rate.
#[derive(Debug, Clone, Copy, Serialize)]
struct Low {
    /// The low similarity.
    similarity: f64,
    /// Maximum wanted probability of a shared band there.
    wanted_rate: f64,
    /// The probability with the banding.
    rate: f64,
}

/// A banding, and its figures at the threshold of the plan.
#[derive(Debug, Serialize)]
struct BandingFacts {
    bands: usize,
    rows: usize,
    /// bands x rows
    permutations_used: usize,
    /// Probability that a pair exactly at the threshold shares a band.
    recall_at_threshold: f64,
    /// 1 - `recall_at_threshold`
    false_negative_rate_at_threshold: f64,
    /// Area under the S-curve from 0 to the threshold.
    false_positive_area: f64,
    /// Area above the S-curve from the threshold to 1.
    false_negative_area: f64,
    /// Similarity at which the S-curve is steepest.
    steepest_similarity: f64,
    /// The rule of thumb (1/b)^(1/r) for it.
    approximate_threshold: f64,
}

/// Both S-curves at one similarity.
#[derive(Debug, Serialize)]
struct CurvePoint {
    similarity: f64,
    /// Probability that such a pair shares a band.
    probability: f64,
    /// Probability by the least-area rule.
    least_area_rule_probability: f64,
}

/// Permutations for an estimate, and its accuracy with those of the plan.
#[derive(Debug, Serialize)]
struct EstimateFacts {
    /// Similarity that is estimated: the threshold.
    similarity: f64,
    /// Largest wanted error.
    error: f64,
    /// Wanted probability of an estimate within the error.
    confidence: f64,
    /// Permutations from which on that holds, by the binomial distribution.
    permutations_needed_exact: usize,
    /// Permutations by the Chernoff-Hoeffding bound.
    permutations_needed_chernoff: usize,
    /// Probability of a larger error with the permutations of this plan, by the binomial distribution.
    error_probability_exact: f64,
    /// Probability of a larger error by the Chernoff-Hoeffding bound.
    error_probability_chernoff: f64,
}

impl BandsPlan {
    /// The plan for `--measure jaccard`.
    ///
    /// # Errors
    /// If no banding reaches the goal, or flags are for other measures.
    pub(super) fn new(args: &PlanArgs) -> Result<Self> {
        let of_bits = args.distance.is_some() || args.width.is_some() || args.fingerprint_bits.is_some();
        ensure!(!of_bits, "--distance, --width and --fingerprint-bits are for --measure hamming and cosine");
        let (banding, chosen_by) = find_banding(args)?;
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
            banding: BandingFacts::new(banding, threshold),
            least_area_rule: BandingFacts::new(least_area, threshold),
            curve: similarities([threshold].into_iter().chain(args.low)).into_iter().map(point).collect(),
            estimate: EstimateFacts::new(args)?,
        })
    }

    /// The plan as JSON, as text, and as a curve.
    pub(super) fn plan(&self) -> Result<PlanAnswer> {
        let banding = Banding::new(self.banding.bands, self.banding.rows)?;
        let curve = Curve {
            axis: Axis::Similarity("Jaccard similarity s"),
            label: format!("S-curve of {}", banding.described("band", "row")),
            threshold: self.threshold,
            probability: Box::new(move |similarity| banding.probability(similarity)),
        };
        PlanAnswer::new(self, self.text(), Some(curve))
    }

    /// The whole answer, some fifty lines without colours.
    fn text(&self) -> String {
        [self.choice(), self.bandings(), self.points(), self.estimates()].join("\n")
    }

    fn choice(&self) -> String {
        let Self { threshold, wanted_recall, permutations, .. } = self;
        let BandingFacts { bands, rows, permutations_used, recall_at_threshold, .. } = &self.banding;
        let why = match self.chosen_by {
            ChosenBy::LeastFalsePositiveArea => format!(
                "Of all bandings that find {wanted_recall} of the pairs at {threshold}, it lets the fewest less \
                 similar pairs through."
            ),
            ChosenBy::FewestPermutations => format!(
                "Of all bandings that find {wanted_recall} of the pairs at {threshold} and keep the low rate, it needs \
                 the fewest permutations."
            ),
            ChosenBy::User if recall_at_threshold >= wanted_recall => {
                format!("Given by --bands and --rows; it finds the wanted {wanted_recall} of the pairs at {threshold}.")
            }
            ChosenBy::User => format!(
                "Given by --bands and --rows; it does NOT find the wanted {wanted_recall} of the pairs at \
                 {threshold}."
            ),
        };
        let [bands, rows] = [counted(*bands as u64, "band"), counted(*rows as u64, "row")];
        let permutations = counted(*permutations as u64, "permutation");
        let mut text = format!("{bands} x {rows}, using {permutations_used} of {permutations}\n{why}\n");
        if let Some(low) = self.low {
            let similarity = low.similarity;
            let rate = format_rate(low.rate);
            text += &format!("At {similarity} it lets {rate} through; wanted was at most {}.\n", low.wanted_rate);
        }
        text
    }

    fn bandings(&self) -> String {
        let ours = &self.banding;
        let peers = &self.least_area_rule;
        let threshold = self.threshold;
        let shape = |facts: &BandingFacts| format!("{} x {}", facts.bands, facts.rows);
        let row = |name: &str, value: fn(&BandingFacts) -> f64| {
            line(name, format_rate(value(ours)), format_rate(value(peers)))
        };
        let at = |name: &str| format!("{name} at {threshold}");
        let summary = format!(
            "\nleast-area rule (datasketch and tools built on it): {} x {}, P = {:.2} at {threshold}\n",
            counted(peers.bands as u64, "band"),
            counted(peers.rows as u64, "row"),
            peers.recall_at_threshold
        );
        [
            line("", "this plan", "least-area rule"),
            line("bands x rows", shape(ours), shape(peers)),
            line("permutations used", ours.permutations_used, peers.permutations_used),
            row(&at("recall: P of a shared band"), |facts| facts.recall_at_threshold),
            row(&at("false-negative rate: 1 - P"), |facts| facts.false_negative_rate_at_threshold),
            row(&format!("false-positive area: under P, below {threshold}"), |facts| facts.false_positive_area),
            row(&format!("false-negative area: over P, above {threshold}"), |facts| facts.false_negative_area),
            row("steepest similarity", |facts| facts.steepest_similarity),
            row("  roughly (1/b)^(1/r)", |facts| facts.approximate_threshold),
            summary,
        ]
        .concat()
    }

    fn points(&self) -> String {
        let title = "Probability P that a pair shares a band and so becomes a candidate\n\n".to_owned();
        let head = line("similarity", "this plan", "least-area rule");
        let points = self.curve.iter().map(|point| {
            let mark = match self.low {
                _ if point.similarity == self.threshold => "  <- threshold",
                Some(low) if point.similarity == low.similarity => "  <- low",
                _ => "",
            };
            let name = format!("{:<6}{mark}", with_at_least_two_decimals(point.similarity));
            line(&name, format_rate(point.probability), format_rate(point.least_area_rule_probability))
        });
        [title, head].into_iter().chain(points).collect()
    }

    fn estimates(&self) -> String {
        let facts = &self.estimate;
        let similarity = facts.similarity;
        let error = facts.error;
        let confidence = facts.confidence;
        [
            format!("Estimating a similarity of {similarity} within +-{error}, with confidence {confidence}\n\n"),
            line("", "exact binomial", "Chernoff bound"),
            line("permutations needed", facts.permutations_needed_exact, facts.permutations_needed_chernoff),
            line(
                &format!("P of a larger error with {}", counted(self.permutations as u64, "permutation")),
                format_rate(facts.error_probability_exact),
                format_rate(facts.error_probability_chernoff),
            ),
        ]
        .concat()
    }
}

fn find_banding(args: &PlanArgs) -> Result<(Banding, ChosenBy)> {
    if let (Some(bands), Some(rows)) = (args.bands, args.rows) {
        let banding = Banding::within(bands, rows, args.permutations).context("cannot use --bands and --rows")?;
        return Ok((banding, ChosenBy::User));
    }
    let low = args.low.zip(args.low_rate).map(|(similarity, rate)| LowRate { similarity, rate });
    let threshold = args.threshold.as_f64();
    let goal = Goal { threshold, recall: args.recall, permutations: args.permutations, low };
    let banding = plan::choose(&goal).context("the goal is out of reach: allow more --permutations or ask for less")?;
    let chosen_by = if low.is_some() { ChosenBy::FewestPermutations } else { ChosenBy::LeastFalsePositiveArea };
    Ok((banding, chosen_by))
}

impl BandingFacts {
    fn new(banding: Banding, threshold: f64) -> Self {
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
    fn new(args: &PlanArgs) -> Result<Self> {
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

#[cfg(test)]
mod tests {
    use super::super::tests::bands_plan;

    #[test]
    fn least_area_rule_is_shown_to_find_two_fifths() {
        let text = bands_plan("").text();
        let expected = "least-area rule (datasketch and tools built on it): 9 bands x 13 rows, P = 0.40 at 0.8";
        assert!(text.contains(expected), "{text}");
        assert!(text.starts_with("16 bands x 6 rows, using 96 of 128 permutations\n"), "{text}");
    }

    #[test]
    fn false_negatives_of_the_classic_banding_have_enough_digits() {
        let text = bands_plan("--bands 20 --rows 5").text();
        let line = text.lines().find(|line| line.contains("false-negative rate")).unwrap();
        assert!(line.contains("0.000356"), "{line}");
        assert!(text.contains("it finds the wanted 0.99"), "{text}");
    }

    #[test]
    fn a_given_banding_that_misses_the_recall_is_called_so() {
        let text = bands_plan("--bands 9 --rows 13").text();
        assert!(text.contains("does NOT find the wanted 0.99 of the pairs at 0.8"), "{text}");
    }

    #[test]
    fn low_and_threshold_are_marked_where_they_stand() {
        let text = bands_plan("--threshold 0.475 --recall 0.9 --low 0.05 --low-rate 0.1").text();
        assert!(text.lines().any(|line| line.starts_with("  0.475   <- threshold ")), "{text}");
        assert!(text.lines().any(|line| line.starts_with("  0.05    <- low ")), "{text}");
        assert!(text.contains("wanted was at most 0.1."), "{text}");
    }
}
