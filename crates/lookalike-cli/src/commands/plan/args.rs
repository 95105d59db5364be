//! The flags of `lookalike plan`, and the forms of its answer.

use super::plot::Curve;
use crate::args::{any_distance, count, fingerprint_bits, permutations, probability, width};
use anyhow::Result;
use clap::{Args, ValueEnum};
use lookalike::{measures::Threshold, methods::Selection};
use serde::Serialize;
use std::path::PathBuf;

/// Below it the exact number of permutations, then above 100 million, takes seconds.
const MIN_ERROR: f64 = 0.0001;

/// Arguments of `lookalike plan`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lookalike plan -t 0.5 --recall 0.995 --low 0.05 --low-rate 0.01
  lookalike plan --bands 20 --rows 5 --plot curve.svg   look at a given banding
  lookalike plan --select mod:16 -t 0.9                 for --method fingerprint
  lookalike plan --measure cosine -t 0.9                for --method simhash
  lookalike plan --measure hamming --distance 3         for --method bit-sampling
  lookalike plan --vectors -t 0.9                       for --method hyperplanes
  lookalike plan --error 0.02 --format json             for a better estimate")]
pub(crate) struct PlanArgs {
    /// Similarity from which on pairs are wanted
    #[arg(short, long, value_name = "T", default_value_t, help_heading = "Goal")]
    pub(super) threshold: Threshold,
    /// jaccard for MinHash, cosine for SimHash, hamming for bit sampling [default: jaccard]
    ///
    /// With --vectors it is cosine or euclidean, and cosine unless another is given.
    #[arg(long, value_name = "MEASURE", value_enum, hide_possible_values = true)]
    #[arg(conflicts_with = "select", help_heading = "Goal")]
    pub(super) measure: Option<MeasureArg>,
    /// Maximum number of differing bits, for --measure hamming, or distance, for --measure euclidean [default: none]
    #[arg(long, hide_short_help = true, value_name = "D", value_parser = any_distance)]
    #[arg(help_heading = "Goal")]
    pub(super) distance: Option<f64>,
    /// Plan random projections of given vectors
    #[arg(long, hide_short_help = true, conflicts_with_all = ["select", "error", "confidence", "permutations"])]
    #[arg(help_heading = "Vectors")]
    pub(super) vectors: bool,
    /// Number of vectors for which bands are chosen
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 1_000_000, value_parser = count)]
    #[arg(help_heading = "Vectors")]
    pub(super) documents: usize,
    /// Number of bits of fingerprints, for --measure hamming [default: 64]
    #[arg(long, hide_short_help = true, value_name = "BITS", value_parser = width)]
    #[arg(help_heading = "Goal")]
    pub(super) width: Option<u32>,
    /// Maximum number of bits of a SimHash, for --measure cosine [default: as many as the recall asks for]
    #[arg(long, hide_short_help = true, value_name = "B")]
    #[arg(value_parser = fingerprint_bits, help_heading = "Goal")]
    pub(super) fingerprint_bits: Option<usize>,
    /// Minimum share of the pairs at the threshold that must be found
    #[arg(long, value_name = "R", default_value_t = 0.99, value_parser = probability, help_heading = "Goal")]
    pub(super) recall: f64,
    /// Low similarity whose pairs should rarely become candidates: fewest permutations then win [default: none]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "S",
        value_parser = probability,
        requires = "low_rate",
        help_heading = "Goal"
    )]
    pub(super) low: Option<f64>,
    /// Maximum share of the pairs at --low that may become candidates [default: none]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "P",
        value_parser = probability,
        requires = "low",
        help_heading = "Goal"
    )]
    pub(super) low_rate: Option<f64>,

    /// Maximum number of components of a signature: bands x rows must not exceed it
    #[arg(long, value_name = "K", default_value_t = 128, value_parser = permutations, help_heading = "Banding")]
    pub(super) permutations: usize,
    /// Show this number of bands instead of choosing; needs --rows [default: chosen]
    #[arg(long, value_name = "B", value_parser = permutations, requires = "rows", help_heading = "Banding")]
    pub(super) bands: Option<usize>,
    /// Show this number of rows in a band instead of choosing; needs --bands [default: chosen]
    #[arg(long, value_name = "R", value_parser = permutations, requires = "bands", help_heading = "Banding")]
    pub(super) rows: Option<usize>,

    /// Plan fingerprints for --measure containment instead: mod:P or winnow:W
    /// [default: MinHash]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "SELECTION",
        conflicts_with_all = ["low", "permutations", "bands", "error", "confidence", "plot"],
        help_heading = "Fingerprints"
    )]
    pub(super) select: Option<Selection>,

    /// Largest error wanted when signatures estimate a similarity at the threshold
    #[arg(long, value_name = "E", default_value_t = 0.05, value_parser = estimate_error, help_heading = "Estimates")]
    pub(super) error: f64,
    /// Probability with which the estimate must be within the error
    #[arg(long, value_name = "C", default_value_t = 0.95, value_parser = probability, help_heading = "Estimates")]
    pub(super) confidence: f64,

    /// Format of the answer
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Output")]
    pub(super) format: PlanFormat,
    /// SVG file for a drawing of the S-curve [default: none]
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    pub(super) plot: Option<PathBuf>,
}

/// Values of `--measure`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum MeasureArg {
    /// Bands of MinHash
    #[default]
    Jaccard,
    /// Tables of SimHash
    Cosine,
    /// Bands of sampled bits
    Hamming,
    /// Cells of projections of vectors
    Euclidean,
}

/// Forms of the answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum PlanFormat {
    /// A table to read
    #[default]
    Text,
    /// One JSON object
    Json,
}

/// A plan in all the forms in which it can be requested.
pub(super) struct PlanAnswer {
    pub(super) json: String,
    pub(super) text: String,
    /// The curve to draw; fingerprints have none.
    pub(super) curve: Option<Curve<'static>>,
}

impl PlanAnswer {
    pub(super) fn new(figures: &impl Serialize, text: String, curve: Option<Curve<'static>>) -> Result<Self> {
        Ok(Self { json: serde_json::to_string_pretty(figures)? + "\n", text, curve })
    }
}

fn estimate_error(text: &str) -> std::result::Result<f64, String> {
    let error = probability(text)?;
    if error >= MIN_ERROR { Ok(error) } else { Err(format!("must be at least {MIN_ERROR}")) }
}
