//! What the bits of fingerprints promise: SimHash tables for cosines, sampled bits for Hamming distances.

use super::args::{Format, MeasureArg, PlanArgs};
use super::plot::{Axis, Curve};
use super::table::format_rate;
use crate::messages::counted;
use anyhow::{Context, Result, ensure};
use lookalike::{
    Measure,
    measures::{Cosine, EmptyPolicy, Hamming, Weights},
    methods::{Banding, Bands, MinHash, SimHash, bits_within, differing_bit, probability_by_tables},
};
use serde::Serialize;

/// Bits of fingerprints, unless others are given.
const DEFAULT_WIDTH: u32 = 64;
/// Bits of a fingerprint whose tables are blocks of it.
const BLOCK_BITS: usize = 64;
/// Points of the curve that are shown.
const POINTS: u32 = 20;

/// What is shown of tables of bits.
#[derive(Debug, Serialize)]
pub(super) struct BitsPlan {
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
    /// Of cosines: the number of 64 bits, at most, that differ with the wanted recall.
    differing_of_64_bits: Option<usize>,
    recall_at_threshold: f64,
    curve: Vec<Point>,
    #[serde(skip)]
    banding: Banding,
}

/// The curve at one similarity.
#[derive(Debug, Serialize)]
struct Point {
    similarity: f64,
    /// Number of differing bits, of Hamming distances.
    distance: Option<u32>,
    probability: f64,
}

impl BitsPlan {
    /// The plan for `--measure cosine` or `--measure hamming`.
    ///
    /// # Errors
    /// If no tables reach the recall, or flags do not fit the measure.
    pub(super) fn new(args: &PlanArgs) -> Result<Self> {
        ensure!(args.bands.is_none() && args.low.is_none(), "--bands, --rows and --low are for --measure jaccard");
        match args.measure.unwrap_or_default() {
            MeasureArg::Hamming => Self::of_distances(args),
            MeasureArg::Cosine | MeasureArg::Jaccard | MeasureArg::Euclidean => Self::of_cosines(args),
        }
    }

    fn of_cosines(args: &PlanArgs) -> Result<Self> {
        ensure!(args.distance.is_none() && args.width.is_none(), "--distance and --width are for --measure hamming");
        let threshold = args.threshold;
        let simhash = SimHash { recall: args.recall, fingerprint_bits: args.fingerprint_bits, seed: 1 };
        let weights = Weights::default();
        let empty = EmptyPolicy::Keep;
        let tables = simhash.tables_for(Cosine { threshold, weights, empty })?;
        let threshold = threshold.as_f64();
        let differing = differing_bit(threshold);
        let point = |step: u32| f64::from(step) / f64::from(POINTS);
        let mut similarities: Vec<f64> = (1..=POINTS).map(point).chain([threshold]).collect();
        similarities.sort_by(f64::total_cmp);
        similarities.dedup();
        let curve =
            |similarity| Point { similarity, distance: None, probability: probability_by_tables(tables, similarity) };
        Ok(Self {
            measure: "cosine",
            threshold,
            distance: None,
            width: None,
            wanted_recall: args.recall,
            tables: tables.bands(),
            bits_in_a_table: tables.rows(),
            bits: tables.num_perm().max(BLOCK_BITS),
            differing_bit: differing,
            differing_of_64_bits: Some(bits_within(BLOCK_BITS, differing, args.recall)),
            recall_at_threshold: probability_by_tables(tables, threshold),
            curve: similarities.into_iter().map(curve).collect(),
            banding: tables,
        })
    }

    fn of_distances(args: &PlanArgs) -> Result<Self> {
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
        let goal = MinHash { recall: args.recall, permutations: args.permutations, ..MinHash::default() };
        let Bands { banding, .. } = goal
            .bands_of_bits(hamming)
            .context("the goal is out of reach: allow more --permutations or ask for less")?;
        let mut distances: Vec<u32> = (0..=POINTS).map(|step| width / 2 * step / POINTS).chain([distance]).collect();
        distances.sort_unstable();
        distances.dedup();
        let curve = |distance| {
            let similarity = Hamming { distance, width }.min_similarity();
            Point { similarity, distance: Some(distance), probability: banding.probability(similarity) }
        };
        Ok(Self {
            measure: "hamming",
            threshold,
            distance: Some(distance),
            width: Some(width),
            wanted_recall: args.recall,
            tables: banding.bands(),
            bits_in_a_table: banding.rows(),
            bits: banding.num_perm(),
            differing_bit: 1.0 - threshold,
            differing_of_64_bits: None,
            recall_at_threshold: banding.probability(threshold),
            curve: distances.into_iter().map(curve).collect(),
            banding,
        })
    }

    /// The curve to draw.
    pub(super) fn drawing(&self) -> Curve<'_> {
        let banding = self.banding;
        let (axis, probability): (_, Box<dyn Fn(f64) -> f64>) = match self.width {
            Some(width) => (Axis::Distance { width }, Box::new(move |similarity| banding.probability(similarity))),
            None => (Axis::Similarity("cosine"), Box::new(move |cosine| probability_by_tables(banding, cosine))),
        };
        let label = format!("law of {}", banding.described("table", "bit"));
        Curve { axis, label, threshold: self.threshold, probability }
    }

    pub(super) fn text(&self, format: Format) -> Result<String> {
        Ok(match format {
            Format::Text => self.render(),
            Format::Json => serde_json::to_string_pretty(self)? + "\n",
        })
    }

    fn render(&self) -> String {
        let Self { banding, bits, threshold, .. } = self;
        let law = self.law();
        let blocks = self.blocks();
        let bits = counted(*bits as u64, if self.distance.is_some() { "sampled bit" } else { "SimHash bit" });
        let head = format!("{}, of {bits}\n", banding.described("table", "bit"));
        let name = if self.distance.is_some() { "distance" } else { "cosine" };
        let rows = self.curve.iter().map(|point| {
            let shown = match point.distance {
                Some(distance) => distance.to_string(),
                None => format!("{:.2}", point.similarity),
            };
            let mark = if point.similarity == *threshold { "  <- threshold" } else { "" };
            format!("  {:<24}{}\n", shown + mark, format_rate(point.probability))
        });
        let rows: String = rows.collect();
        format!("{head}{law}{blocks}\n  {name:<24}probability that a pair meets in a table\n{rows}")
    }

    /// What the bits promise.
    fn law(&self) -> String {
        let Self { wanted_recall, threshold, differing_bit, .. } = self;
        match (self.distance, self.width) {
            (Some(distance), Some(width)) => format!(
                "Two fingerprints of {} that differ in {distance} agree in a sampled bit with probability \
                 {}.\n--method bit-sampling finds {wanted_recall} of such pairs, and more of closer ones; --method \
                 exact finds all of them.\n",
                counted(width.into(), "bit"),
                format_rate(*threshold)
            ),
            _ => format!(
                "A bit of two documents with a cosine of {threshold} differs with probability {}: their angle / pi \
                 (Charikar 2002).\nBy this law --method simhash finds {wanted_recall} of such pairs, and more of \
                 closer ones. Terms are no random directions, so the recall is measured.\n--method exact finds all.\n",
                format_rate(*differing_bit)
            ),
        }
    }

    /// Whether blocks of 64 bits do.
    fn blocks(&self) -> String {
        let Some(differing) = self.differing_of_64_bits else { return String::new() };
        let blocks = differing + 1;
        let bits = BLOCK_BITS / (differing + 1);
        let of_them = format!("Of 64 bits at most {differing} differ with this recall");
        if self.bits == BLOCK_BITS {
            let blocks = counted(blocks as u64, "block");
            return format!("{of_them}, so one of {blocks} of {bits} bits agrees.\n");
        }
        format!(
            "{of_them}: {blocks} blocks would have {bits} bits, and most documents would meet in one. Blocks of 64 \
             bits serve where they have 12 bits or more, at closer thresholds.\n"
        )
    }
}
