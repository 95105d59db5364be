//! Guarantees of the bits of fingerprints: SimHash tables for cosines, sampled bits for Hamming distances.

use super::args::{PlanAnswer, PlanArgs};
use super::plot::{Axis, Curve};
use super::table::{CurveRow, curve_table, format_rate, similarities};
use crate::messages::counted;
use anyhow::{Context, Result, ensure};
use lookalike::{
    Measure,
    measures::{Cosine, EmptyPolicy, Hamming, Weights},
    methods::{Bands, MinHash, SimHash, bits_within, differing_bit, probability_by_tables},
};
use serde::Serialize;

/// Bits of fingerprints, unless others are given.
const DEFAULT_WIDTH: u32 = 64;
/// Bits of a fingerprint whose tables are blocks of it.
const BLOCK_BITS: usize = 64;
/// Points of the curve that are shown.
const POINTS: u32 = 20;

/// The plan as the fields of JSON.
#[derive(Debug, Serialize)]
struct BitsPlan {
    measure: &'static str,
    /// Minimum cosine, or the share of equal bits at the distance.
    threshold: f64,
    /// Maximum distance and width of fingerprints, of Hamming distances.
    distance: Option<u32>,
    width: Option<u32>,
    wanted_recall: f64,
    tables: usize,
    bits_in_a_table: usize,
    /// Bits that are made of a document, or sampled.
    bits: usize,
    /// Probability that a bit of two documents at the threshold differs.
    differing_bit: f64,
    /// Maximum number of 64 bits that differ with the wanted recall; of cosines only.
    differing_of_64_bits: Option<usize>,
    recall_at_threshold: f64,
    curve: Vec<BitsPoint>,
}

/// The curve at one similarity.
#[derive(Debug, Serialize)]
struct BitsPoint {
    similarity: f64,
    /// Number of differing bits, of Hamming distances.
    distance: Option<u32>,
    probability: f64,
}

impl BitsPlan {
    /// The plan for people: tables of SimHash bits, of which `differing` of 64 may differ.
    fn text_of_cosines(&self, described: &str, differing: usize) -> String {
        format!(
            "{described}, of {}\nA bit of two documents with a cosine of {} differs with probability {}: their angle / \
             pi (Charikar 2002).\nBy this law --method simhash finds {} of such pairs, and more of closer ones. Terms \
             are no random directions, so the recall is measured.\n--method exact finds all.\n{}{}",
            counted(self.bits as u64, "SimHash bit"),
            self.threshold,
            format_rate(self.differing_bit),
            self.wanted_recall,
            blocks(self.bits, differing),
            self.curve_table("cosine"),
        )
    }

    /// The plan for people: tables of sampled bits.
    fn text_of_distances(&self, described: &str, Hamming { distance, width }: Hamming) -> String {
        format!(
            "{described}, of {}\nTwo fingerprints of {} that differ in {distance} agree in a sampled bit with \
             probability {}.\n--method bit-sampling finds {} of such pairs, and more of closer ones; --method exact \
             finds all of them.\n{}",
            counted(self.bits as u64, "sampled bit"),
            counted(width.into(), "bit"),
            format_rate(self.threshold),
            self.wanted_recall,
            self.curve_table("distance"),
        )
    }

    fn curve_table(&self, axis: &str) -> String {
        let row = |point: &BitsPoint| CurveRow {
            label: point.distance.map_or_else(|| format!("{:.2}", point.similarity), |distance| distance.to_string()),
            probability: point.probability,
            is_threshold: point.similarity == self.threshold,
        };
        curve_table(axis, "table", self.curve.iter().map(row))
    }
}

fn check(args: &PlanArgs) -> Result<()> {
    ensure!(args.bands.is_none() && args.low.is_none(), "--bands, --rows and --low are for --measure jaccard");
    Ok(())
}

/// The plan for `--measure cosine`.
///
/// # Errors
/// If no tables reach the recall, or flags do not fit the measure.
pub(super) fn plan_cosines(args: &PlanArgs) -> Result<PlanAnswer> {
    check(args)?;
    ensure!(args.distance.is_none() && args.width.is_none(), "--distance and --width are for --measure hamming");
    let recall = args.recall;
    let simhash = SimHash { recall, fingerprint_bits: args.fingerprint_bits, seed: 1 };
    let empty = EmptyPolicy::Keep;
    let tables = simhash.tables_for(Cosine { threshold: args.threshold, weights: Weights::default(), empty })?;
    let threshold = args.threshold.as_f64();
    let probability = move |cosine| probability_by_tables(tables, cosine);
    let differing_bit = differing_bit(threshold);
    let differing = bits_within(BLOCK_BITS, differing_bit, recall);
    let point = |similarity| BitsPoint { similarity, distance: None, probability: probability(similarity) };
    let plan = BitsPlan {
        measure: "cosine",
        threshold,
        distance: None,
        width: None,
        wanted_recall: recall,
        tables: tables.bands(),
        bits_in_a_table: tables.rows(),
        bits: tables.num_perm().max(BLOCK_BITS),
        differing_bit,
        differing_of_64_bits: Some(differing),
        recall_at_threshold: probability(threshold),
        curve: similarities([threshold]).into_iter().map(point).collect(),
    };
    let described = tables.described("table", "bit");
    let text = plan.text_of_cosines(&described, differing);
    let label = format!("law of {described}");
    let curve = Curve { axis: Axis::Similarity("cosine"), label, threshold, probability: Box::new(probability) };
    PlanAnswer::new(&plan, text, Some(curve))
}

/// The line that says whether blocks of 64 bits are tables enough.
fn blocks(all_bits: usize, differing: usize) -> String {
    let blocks = differing + 1;
    let bits = BLOCK_BITS / blocks;
    let of_them = format!("Of 64 bits at most {differing} differ with this recall");
    if all_bits == BLOCK_BITS {
        return format!("{of_them}, so one of {} of {bits} bits agrees.\n", counted(blocks as u64, "block"));
    }
    format!(
        "{of_them}: {blocks} blocks would have {bits} bits, and most documents would meet in one. Blocks of 64 bits \
         serve where they have 12 bits or more, at closer thresholds.\n"
    )
}

/// The plan for `--measure hamming`.
///
/// # Errors
/// If no tables reach the recall, or flags do not fit the measure.
pub(super) fn plan_distances(args: &PlanArgs) -> Result<PlanAnswer> {
    check(args)?;
    ensure!(args.fingerprint_bits.is_none(), "--fingerprint-bits is for --measure cosine");
    let distance = args.distance.context("--measure hamming needs the maximum number of bits: --distance K")?;
    let width = args.width.unwrap_or(DEFAULT_WIDTH);
    ensure!(
        distance.fract() == 0.0 && distance < f64::from(width),
        "--distance: expected a number of bits below {width}"
    );
    let distance = distance as u32;
    let hamming = Hamming { distance, width };
    Measure::Hamming(hamming).check()?;
    let threshold = hamming.min_similarity();
    let recall = args.recall;
    let goal = MinHash { recall, permutations: args.permutations, ..MinHash::default() };
    let Bands { banding, .. } =
        goal.bands_of_bits(hamming).context("the goal is out of reach: allow more --permutations or ask for less")?;
    let mut distances: Vec<u32> = (0..=POINTS).map(|step| width / 2 * step / POINTS).chain([distance]).collect();
    distances.sort_unstable();
    distances.dedup();
    let point = |distance| {
        let similarity = Hamming { distance, width }.min_similarity();
        BitsPoint { similarity, distance: Some(distance), probability: banding.probability(similarity) }
    };
    let plan = BitsPlan {
        measure: "hamming",
        threshold,
        distance: Some(distance),
        width: Some(width),
        wanted_recall: recall,
        tables: banding.bands(),
        bits_in_a_table: banding.rows(),
        bits: banding.num_perm(),
        differing_bit: 1.0 - threshold,
        differing_of_64_bits: None,
        recall_at_threshold: banding.probability(threshold),
        curve: distances.into_iter().map(point).collect(),
    };
    let described = banding.described("table", "bit");
    let text = plan.text_of_distances(&described, hamming);
    let probability = Box::new(move |similarity| banding.probability(similarity));
    let curve = Curve { axis: Axis::Distance { width }, label: format!("law of {described}"), threshold, probability };
    PlanAnswer::new(&plan, text, Some(curve))
}
