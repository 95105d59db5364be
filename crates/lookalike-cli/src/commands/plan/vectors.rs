//! Guarantees of random projections of vectors: hyperplanes for cosines, p-stable projections for distances.

use super::args::{MeasureArg, PlanAnswer, PlanArgs};
use super::plot::{Axis, Curve};
use super::table::{CurveRow, curve_table, format_rate, similarities};
use crate::messages::counted;
use anyhow::{Context, Result, ensure};
use lookalike::{
    Measure,
    measures::{Distance, Euclidean, VectorCosine},
    methods::{Banding, Projected, ProjectionPlan, Projections, cell_agreement, plane_agreement},
};
use serde::Serialize;

/// Points of the curve that are shown.
const POINTS: u32 = 20;
/// Maximum distance shown, as a multiple of the maximum distance of near-duplicates.
const FARTHEST: f64 = 4.0;
/// Similarity on the axis of distances at which the maximum distance of near-duplicates is: that axis goes from 0 at
/// the maximum distance shown to 1 at distance 0.
const LIMIT_ON_AXIS: f64 = 1.0 - 1.0 / FARTHEST;

/// The plan as the fields of JSON.
#[derive(Debug, Serialize)]
struct VectorsPlan {
    measure: &'static str,
    method: &'static str,
    /// Minimum cosine.
    threshold: Option<f64>,
    /// Maximum Euclidean distance, and width of a cell.
    distance: Option<f64>,
    width: Option<f64>,
    /// Vectors for which bands are chosen.
    documents: usize,
    wanted_recall: f64,
    bands: usize,
    projections_in_a_band: usize,
    projections: usize,
    /// Probability that two vectors at the threshold or distance agree in a projection.
    agreement: f64,
    recall_at_threshold: f64,
    curve: Vec<VectorsPoint>,
}

/// The curve at one cosine or distance.
#[derive(Debug, Serialize)]
struct VectorsPoint {
    #[serde(skip_serializing_if = "Option::is_none")]
    cosine: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
    probability: f64,
}

/// The kind of projections, whose law says how probably two vectors agree in one.
#[derive(Debug, Clone, Copy)]
enum Law {
    /// Sides of random planes.
    Planes {
        /// Minimum cosine of near-duplicates.
        threshold: f64,
    },
    /// Cells of p-stable projections.
    Cells {
        /// Maximum distance of near-duplicates.
        max_distance: f64,
        /// Width of a cell.
        width: f64,
    },
}

/// The plan for `--vectors`.
///
/// # Errors
/// If no bands reach the recall, or flags do not fit vectors.
pub(super) fn plan(args: &PlanArgs) -> Result<PlanAnswer> {
    check(args)?;
    let measure = measure_of(args)?;
    let chosen = choose(args, measure)?;
    let law = Law::new(measure, &chosen.projected);
    let plan = VectorsPlan::new(args, measure, &chosen, law);
    let text = plan.text(law, chosen.banding);
    PlanAnswer::new(&plan, text, Some(law.drawing(chosen.banding)))
}

fn check(args: &PlanArgs) -> Result<()> {
    ensure!(args.low.is_none(), "--low is for --measure jaccard");
    ensure!(
        args.width.is_none() && args.fingerprint_bits.is_none(),
        "--width and --fingerprint-bits are for fingerprints"
    );
    Ok(())
}

/// The projections for vectors of which few have anything in common.
fn choose(args: &PlanArgs, measure: Measure) -> Result<ProjectionPlan> {
    let given = args.bands.zip(args.rows).map(|(bands, rows)| Banding::new(bands, rows)).transpose();
    let given = given.map_err(lookalike::Error::from)?;
    let projections = Projections { recall: args.recall, banding: given, ..Projections::default() };
    measure
        .by_products()
        .and_then(|measure| ProjectionPlan::for_strangers(projections, measure, args.documents))
        .context("the goal is out of reach: no bands of projections have this recall at this threshold")
}

impl VectorsPlan {
    fn new(args: &PlanArgs, measure: Measure, chosen: &ProjectionPlan, law: Law) -> Self {
        let banding = chosen.banding;
        let (threshold, distance, width) = match law {
            Law::Planes { threshold } => (Some(threshold), None, None),
            Law::Cells { max_distance, width } => (None, Some(max_distance), Some(width)),
        };
        Self {
            measure: measure.name(),
            method: law.method(),
            threshold,
            distance,
            width,
            documents: args.documents,
            wanted_recall: args.recall,
            bands: banding.bands(),
            projections_in_a_band: banding.rows(),
            projections: banding.num_perm(),
            agreement: chosen.agreement,
            recall_at_threshold: banding.probability(chosen.agreement),
            curve: law.curve(banding),
        }
    }

    /// The plan for people.
    fn text(&self, law: Law, banding: Banding) -> String {
        let rows = self.curve.iter().map(|point| {
            let at = point.cosine.or(point.distance);
            CurveRow {
                label: format!("{:.2}", at.unwrap_or_default()),
                probability: point.probability,
                is_threshold: at == self.threshold.or(self.distance),
            }
        });
        format!(
            "{}, for {} with little in common\n{}\nBy this law --method {} finds {} of such pairs, and more of closer \
             ones; the recall is measured, too. --method exact finds all.\nBands and rows are chosen anew for the \
             vectors of a job, by how alike they are.\n{}",
            banding.described("band", law.projection()),
            counted(self.documents as u64, "vector"),
            law.described(self.agreement),
            self.method,
            self.wanted_recall,
            curve_table(law.axis(), "band", rows)
        )
    }
}

impl Law {
    fn new(measure: Measure, projected: &Projected) -> Self {
        match (measure, projected) {
            (Measure::Euclidean(euclidean), Projected::Cell { width, .. }) => {
                Self::Cells { max_distance: euclidean.distance.as_f64(), width: *width }
            }
            _ => Self::Planes { threshold: measure.min_similarity().unwrap_or_default() },
        }
    }

    fn method(self) -> &'static str {
        match self {
            Self::Planes { .. } => "hyperplanes",
            Self::Cells { .. } => "p-stable",
        }
    }

    /// Name of the axis of the curve.
    fn axis(self) -> &'static str {
        match self {
            Self::Planes { .. } => "cosine",
            Self::Cells { .. } => "distance",
        }
    }

    /// Noun of a projection.
    fn projection(self) -> &'static str {
        match self {
            Self::Planes { .. } => "plane",
            Self::Cells { .. } => "projection",
        }
    }

    /// The law in a sentence, with the probability that near-duplicates agree in a projection.
    fn described(self, agreement: f64) -> String {
        let agreement = format_rate(agreement);
        match self {
            Self::Planes { threshold } => format!(
                "Two vectors with a cosine of {threshold} lie on the same side of a random plane with probability \
                 {agreement}: 1 - angle / pi (Charikar 2002)."
            ),
            Self::Cells { max_distance, width } => format!(
                "Two vectors at a distance of {max_distance} fall into the same cell of width {width:.4} with \
                 probability {agreement} (Datar et al. 2004)."
            ),
        }
    }

    /// Points of the curve.
    fn curve(self, banding: Banding) -> Vec<VectorsPoint> {
        match self {
            Self::Planes { threshold } => {
                let point = |cosine| {
                    let probability = banding.probability(plane_agreement(cosine));
                    VectorsPoint { cosine: Some(cosine), distance: None, probability }
                };
                similarities([threshold]).into_iter().map(point).collect()
            }
            Self::Cells { max_distance, width } => {
                let farthest = FARTHEST * max_distance;
                let point = |step| {
                    let distance = farthest * f64::from(step) / f64::from(POINTS);
                    let probability = banding.probability(cell_agreement(distance / width));
                    VectorsPoint { cosine: None, distance: Some(distance), probability }
                };
                (1..=POINTS).map(point).collect()
            }
        }
    }

    /// The curve to draw.
    fn drawing(self, banding: Banding) -> Curve<'static> {
        let label = format!("law of {}", banding.described("band", "projection"));
        match self {
            Self::Planes { threshold } => {
                let probability = move |cosine| banding.probability(plane_agreement(cosine));
                Curve { axis: Axis::Similarity("cosine"), label, threshold, probability: Box::new(probability) }
            }
            Self::Cells { max_distance, width } => {
                let axis = Axis::Euclidean { farthest: FARTHEST * max_distance };
                let probability = move |similarity| banding.probability(cell_agreement(axis.place(similarity) / width));
                Curve { axis, label, threshold: LIMIT_ON_AXIS, probability: Box::new(probability) }
            }
        }
    }
}

fn measure_of(args: &PlanArgs) -> Result<Measure> {
    match args.measure {
        None | Some(MeasureArg::Cosine) => {
            ensure!(args.distance.is_none(), "--distance is for --measure euclidean");
            Ok(Measure::VectorCosine(VectorCosine { threshold: args.threshold }))
        }
        Some(MeasureArg::Euclidean) => {
            let distance = args.distance.context("--measure euclidean needs the maximum distance: --distance R")?;
            let distance = Distance::try_from(distance).map_err(lookalike::Error::from)?;
            Ok(Measure::Euclidean(Euclidean { distance }))
        }
        Some(MeasureArg::Jaccard | MeasureArg::Hamming) => {
            anyhow::bail!("--vectors does not fit this measure: say --measure cosine or euclidean")
        }
    }
}
