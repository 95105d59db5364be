//! The plan as a table to read.
//!
//! Numbers are aligned on the left: all that share a column start with `0.` or `1.`, so their points stand below each
//! other however many digits a small one needs.

use super::facts::{BandingFacts, ChosenBy, Plan};
use crate::messages::counted;
use std::fmt::Display;

/// Widths of a name and of a value.
const NAME: usize = 46;
const VALUE: usize = 14;

/// The whole answer, some fifty lines without colours.
pub(super) fn render(plan: &Plan) -> String {
    let sections = [render_choice(plan), render_bandings(plan), render_curve(plan), render_estimate(plan)];
    sections.join("\n")
}

fn render_choice(plan: &Plan) -> String {
    let Plan { threshold, wanted_recall, permutations, .. } = plan;
    let BandingFacts { bands, rows, permutations_used, recall_at_threshold, .. } = &plan.banding;
    let why = match plan.chosen_by {
        ChosenBy::LeastFalsePositiveArea => format!(
            "Of all bandings that find {wanted_recall} of the pairs at {threshold}, it lets the fewest less similar \
             pairs through."
        ),
        ChosenBy::FewestPermutations => format!(
            "Of all bandings that find {wanted_recall} of the pairs at {threshold} and keep the low rate, it needs the \
             fewest permutations."
        ),
        ChosenBy::User if recall_at_threshold >= wanted_recall => {
            format!("Given by --bands and --rows; it finds the wanted {wanted_recall} of the pairs at {threshold}.")
        }
        ChosenBy::User => {
            format!(
                "Given by --bands and --rows; it does NOT find the wanted {wanted_recall} of the pairs at {threshold}."
            )
        }
    };
    let [bands, rows] = [counted(*bands as u64, "band"), counted(*rows as u64, "row")];
    let permutations = counted(*permutations as u64, "permutation");
    let mut text = format!("{bands} x {rows}, using {permutations_used} of {permutations}\n{why}\n");
    if let Some(low) = plan.low {
        let similarity = low.similarity;
        let rate = format_rate(low.rate);
        text += &format!("At {similarity} it lets {rate} through; wanted was at most {}.\n", low.wanted_rate);
    }
    text
}

fn render_bandings(plan: &Plan) -> String {
    let ours = &plan.banding;
    let peers = &plan.least_area_rule;
    let threshold = plan.threshold;
    let shape = |facts: &BandingFacts| format!("{} x {}", facts.bands, facts.rows);
    let row =
        |name: &str, value: fn(&BandingFacts) -> f64| line(name, format_rate(value(ours)), format_rate(value(peers)));
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

fn render_curve(plan: &Plan) -> String {
    let title = "Probability P that a pair shares a band and so becomes a candidate\n\n".to_owned();
    let head = line("similarity", "this plan", "least-area rule");
    let points = plan.curve.iter().map(|point| {
        let mark = match plan.low {
            _ if point.similarity == plan.threshold => "  <- threshold",
            Some(low) if point.similarity == low.similarity => "  <- low",
            _ => "",
        };
        let name = format!("{:<6}{mark}", with_two_decimals(point.similarity));
        line(&name, format_rate(point.probability), format_rate(point.least_area_rule_probability))
    });
    [title, head].into_iter().chain(points).collect()
}

fn render_estimate(plan: &Plan) -> String {
    let facts = &plan.estimate;
    let similarity = facts.similarity;
    let error = facts.error;
    let confidence = facts.confidence;
    [
        format!("Estimating a similarity of {similarity} within +-{error}, with confidence {confidence}\n\n"),
        line("", "exact binomial", "Chernoff bound"),
        line("permutations needed", facts.permutations_needed_exact, facts.permutations_needed_chernoff),
        line(
            &format!("P of a larger error with {}", counted(plan.permutations as u64, "permutation")),
            format_rate(facts.error_probability_exact),
            format_rate(facts.error_probability_chernoff),
        ),
    ]
    .concat()
}

fn line(name: &str, first: impl Display, second: impl Display) -> String {
    let line = format!("  {name:<NAME$}  {first:<VALUE$}  {second}");
    line.trim_end().to_owned() + "\n"
}

/// 0.8 as 0.80, but 0.875 as it is.
fn with_two_decimals(similarity: f64) -> String {
    let short = format!("{similarity:.2}");
    let full = similarity.to_string();
    if short.len() > full.len() { short } else { full }
}

/// Five decimals, and three digits of a smaller rate; never 1 or 0 for what only comes near.
pub(super) fn format_rate(rate: f64) -> String {
    if (0.999_995..1.0).contains(&rate) {
        return "> 0.99999".to_owned();
    }
    if rate <= 0.0 || rate >= 0.001 {
        return format!("{rate:.5}");
    }
    let decimals = 2 - rate.log10().floor() as i32;
    if decimals > 10 { format!("{rate:.2e}") } else { format!("{rate:.*}", decimals as usize) }
}

#[cfg(test)]
mod tests {
    use super::super::tests::plan_for;
    use super::*;

    #[test]
    fn least_area_rule_is_shown_to_find_two_fifths() {
        let text = render(&plan_for(""));
        let expected = "least-area rule (datasketch and tools built on it): 9 bands x 13 rows, P = 0.40 at 0.8";
        assert!(text.contains(expected), "{text}");
        assert!(text.starts_with("16 bands x 6 rows, using 96 of 128 permutations\n"), "{text}");
    }

    #[test]
    fn false_negatives_of_the_classic_banding_have_enough_digits() {
        let text = render(&plan_for("--bands 20 --rows 5"));
        let line = text.lines().find(|line| line.contains("false-negative rate")).unwrap();
        assert!(line.contains("0.000356"), "{line}");
        assert!(text.contains("it finds the wanted 0.99"), "{text}");
    }

    #[test]
    fn a_given_banding_that_misses_the_recall_is_called_so() {
        let text = render(&plan_for("--bands 9 --rows 13"));
        assert!(text.contains("does NOT find the wanted 0.99 of the pairs at 0.8"), "{text}");
    }

    #[test]
    fn low_and_threshold_are_marked_where_they_stand() {
        let text = render(&plan_for("--threshold 0.475 --recall 0.9 --low 0.05 --low-rate 0.1"));
        assert!(text.lines().any(|line| line.starts_with("  0.475   <- threshold ")), "{text}");
        assert!(text.lines().any(|line| line.starts_with("  0.05    <- low ")), "{text}");
        assert!(text.contains("wanted was at most 0.1."), "{text}");
    }

    #[test]
    fn rates_keep_their_digits_and_never_round_to_certainty() {
        let shown = [
            (0.0, "0.00000"),
            (1.0, "1.00000"),
            (0.25, "0.25000"),
            (0.000_355_6, "0.000356"),
            (0.000_999_9, "0.001000"),
            (0.999_999_9, "> 0.99999"),
            (1.234e-12, "1.23e-12"),
        ];
        for (rate, expected) in shown {
            assert_eq!(format_rate(rate), expected);
        }
    }
}
