//! `lookalike plan`: which bands, rows and permutations a threshold and a recall need, before anything is read.
//!
//! All numbers come from [`lookalike::core::plan`]; here they are gathered in one [`Plan`], which is printed as a table
//! ([`table`]) or as JSON, and drawn if wished ([`plot`]). The fields of the JSON are those of the structs below.

mod plot;
mod table;

use crate::args::permutations;
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use lookalike::core::Threshold;
use lookalike::core::plan::{self, Goal, LowRate};
use lookalike::core::sketch::Banding;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Below it the exact number of permutations, then above 100 million, takes seconds.
const MIN_ERROR: f64 = 0.0001;

/// What the user of `lookalike plan` asks for.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  lookalike plan                                        the defaults
  lookalike plan --threshold 0.5 --recall 0.995 --low 0.05 --low-rate 0.01
  lookalike plan --bands 20 --rows 5 --plot curve.svg   look at a given banding
  lookalike plan --error 0.02 --format json             permutations for a better estimate")]
pub(crate) struct PlanArgs {
    /// Similarity from which on pairs are wanted
    #[arg(long, value_name = "T", default_value_t, help_heading = "Goal")]
    threshold: Threshold,
    /// Least share of the pairs at the threshold that must be found
    #[arg(long, value_name = "R", default_value_t = 0.99, value_parser = probability, help_heading = "Goal")]
    recall: f64,
    /// Low similarity whose pairs should rarely become candidates: fewest permutations then win [default: none]
    #[arg(long, value_name = "S", value_parser = probability, requires = "low_rate", help_heading = "Goal")]
    low: Option<f64>,
    /// Highest share of the pairs at --low that may become candidates [default: none]
    #[arg(long, value_name = "P", value_parser = probability, requires = "low", help_heading = "Goal")]
    low_rate: Option<f64>,

    /// Components of a signature: bands x rows may use at most so many
    #[arg(long, value_name = "K", default_value_t = 128, value_parser = permutations(), help_heading = "Banding")]
    permutations: usize,
    /// Show this number of bands instead of choosing; needs --rows [default: chosen]
    #[arg(long, value_name = "B", requires = "rows", help_heading = "Banding")]
    bands: Option<usize>,
    /// Show this number of rows in a band instead of choosing; needs --bands [default: chosen]
    #[arg(long, value_name = "R", requires = "bands", help_heading = "Banding")]
    rows: Option<usize>,

    /// Largest error wanted when signatures estimate a similarity at the threshold
    #[arg(long, value_name = "E", default_value_t = 0.05, value_parser = estimate_error, help_heading = "Estimates")]
    error: f64,
    /// Probability with which the estimate must be within the error
    #[arg(long, value_name = "C", default_value_t = 0.95, value_parser = probability, help_heading = "Estimates")]
    confidence: f64,

    /// Form of the answer on standard output
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    format: Format,
    /// Also draw the S-curve into this SVG file [default: no drawing]
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    plot: Option<PathBuf>,
}

/// How the answer is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table to read
    #[default]
    Text,
    /// One JSON object
    Json,
}

fn probability(text: &str) -> Result<f64> {
    let value: f64 = text.parse()?;
    ensure!(value > 0.0 && value < 1.0, "must lie between 0 and 1, both excluded");
    Ok(value)
}

fn estimate_error(text: &str) -> Result<f64> {
    let value = probability(text)?;
    ensure!(value >= MIN_ERROR, "must be at least {MIN_ERROR}");
    Ok(value)
}

/// Everything that is shown. Similarities, rates and probabilities are fractions.
#[derive(Debug, Serialize)]
struct Plan {
    /// Similarity from which on pairs are wanted.
    threshold: f64,
    /// Least wanted probability that a pair at the threshold shares a band.
    wanted_recall: f64,
    /// Components of a signature.
    permutations: usize,
    /// The limit on pairs that are not wanted, if one was given.
    low: Option<Low>,
    /// How the banding came about.
    chosen_by: ChosenBy,
    /// The banding.
    banding: BandingFacts,
    /// What datasketch and the tools built on it would take for the same threshold and permutations.
    least_area_rule: BandingFacts,
    /// Points of both S-curves, by rising similarity.
    curve: Vec<CurvePoint>,
    /// How well signatures estimate a similarity.
    estimate: EstimateFacts,
}

/// What made the banding the one of the plan.
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

/// A low similarity, what was wanted there and what comes out.
#[derive(Debug, Clone, Copy, Serialize)]
struct Low {
    /// The low similarity.
    similarity: f64,
    /// Highest wanted probability of a shared band there.
    wanted_rate: f64,
    /// The probability with the banding.
    rate: f64,
}

/// A banding and what it does at the threshold of the plan.
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
    /// The same for the least-area rule.
    least_area_rule_probability: f64,
}

/// How many permutations an estimate needs, and how good it is with those of the plan.
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
    /// The same by the Chernoff-Hoeffding bound.
    permutations_needed_chernoff: usize,
    /// Probability of a larger error with the permutations of this plan, by the binomial distribution.
    error_probability_exact: f64,
    /// The same by the Chernoff-Hoeffding bound.
    error_probability_chernoff: f64,
}

/// Plans and prints; draws first, so that a drawing that cannot be written does not follow a finished answer.
///
/// # Errors
/// If no banding reaches the goal, or the drawing or standard output cannot be written.
pub(crate) fn run(args: &PlanArgs) -> Result<()> {
    let (banding, chosen_by) = find_banding(args)?;
    let plan = Plan::new(args, banding, chosen_by)?;
    if let Some(path) = &args.plot {
        plot::write(banding, plan.threshold, path)?;
    }
    let text = match args.format {
        Format::Text => table::render(&plan),
        Format::Json => serde_json::to_string_pretty(&plan)? + "\n",
    };
    Ok(io::stdout().lock().write_all(text.as_bytes())?)
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

impl Plan {
    fn new(args: &PlanArgs, banding: Banding, chosen_by: ChosenBy) -> Result<Self> {
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
    fn new(args: &PlanArgs) -> Result<Self> {
        let (similarity, error) = (args.threshold.as_f64(), args.error);
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
mod tests;
