//! Guarantees of random projections of vectors: hyperplanes for cosines, p-stable projections for distances.

use super::answer::{PlanAnswer, similarities};
use super::args::{MeasureArg, PlanArgs};
use super::plot::{Axis, Curve};
use super::table::{CurveRow, curve_table, format_rate};
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
/// Distances up to which the curve is shown, in distances of near-duplicates.
const FARTHEST: f64 = 4.0;

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

/// The plan for `--vectors`.
///
/// # Errors
/// If no bands reach the recall, or flags do not fit vectors.
pub(super) fn plan(args: &PlanArgs) -> Result<PlanAnswer> {
    ensure!(args.low.is_none(), "--low is for --measure jaccard");
    ensure!(
        args.width.is_none() && args.fingerprint_bits.is_none(),
        "--width and --fingerprint-bits are for fingerprints"
    );
    let measure = measure_of(args)?;
    let given = args.bands.zip(args.rows).map(|(bands, rows)| Banding::new(bands, rows)).transpose();
    let given = given.map_err(lookalike::Error::from)?;
    let projections = Projections { recall: args.recall, banding: given, ..Projections::default() };
    let chosen = measure
        .by_products()
        .and_then(|measure| ProjectionPlan::for_strangers(projections, measure, args.documents))
        .context("the goal is out of reach: no bands of projections have this recall at this threshold")?;
    let banding = chosen.banding;
    let agreement = format_rate(chosen.agreement);
    // Maximum distance of near-duplicates, and width of a cell.
    let cells = match (measure, chosen.projected) {
        (Measure::Euclidean(euclidean), Projected::Cell { width, .. }) => Some((euclidean.distance.as_f64(), width)),
        _ => None,
    };
    let threshold = measure.min_similarity().filter(|_| cells.is_none());
    let (method, axis, projection) = match cells {
        Some(_) => ("p-stable", "distance", "projection"),
        None => ("hyperplanes", "cosine", "plane"),
    };
    let law = match cells {
        Some((distance, width)) => format!(
            "Two vectors at a distance of {distance} fall into the same cell of width {width:.4} with probability \
             {agreement} (Datar et al. 2004)."
        ),
        None => format!(
            "Two vectors with a cosine of {} lie on the same side of a random plane with probability {agreement}: 1 - \
             angle / pi (Charikar 2002).",
            threshold.unwrap_or_default()
        ),
    };
    let plan = VectorsPlan {
        measure: measure.name(),
        method,
        threshold,
        distance: cells.map(|(distance, _)| distance),
        width: cells.map(|(_, width)| width),
        documents: args.documents,
        wanted_recall: args.recall,
        bands: banding.bands(),
        projections_in_a_band: banding.rows(),
        projections: banding.num_perm(),
        agreement: chosen.agreement,
        recall_at_threshold: banding.probability(chosen.agreement),
        curve: curve(banding, threshold, cells),
    };
    let rows = plan.curve.iter().map(|point| {
        let at = point.cosine.or(point.distance);
        CurveRow {
            label: format!("{:.2}", at.unwrap_or_default()),
            probability: point.probability,
            is_threshold: at == threshold.or(plan.distance),
        }
    });
    let text = format!(
        "{}, for {} with little in common\n{law}\nBy this law --method {method} finds {} of such pairs, and more of \
         closer ones; the recall is measured, too. --method exact finds all.\nBands and rows are chosen anew for the \
         vectors of a job, by how alike they are.\n{}",
        banding.described("band", projection),
        counted(args.documents as u64, "vector"),
        args.recall,
        curve_table(axis, "band", rows)
    );
    PlanAnswer::new(&plan, text, Some(drawing(banding, threshold, cells)))
}

/// The curve to draw.
fn drawing(banding: Banding, threshold: Option<f64>, cells: Option<(f64, f64)>) -> Curve<'static> {
    let label = format!("law of {}", banding.described("band", "projection"));
    match cells {
        Some((distance, width)) => {
            let axis = Axis::Euclidean { farthest: FARTHEST * distance };
            let probability = move |similarity| banding.probability(cell_agreement(axis.place(similarity) / width));
            Curve { axis, label, threshold: 1.0 - 1.0 / FARTHEST, probability: Box::new(probability) }
        }
        None => {
            let probability = move |cosine| banding.probability(plane_agreement(cosine));
            let threshold = threshold.unwrap_or_default();
            Curve { axis: Axis::Similarity("cosine"), label, threshold, probability: Box::new(probability) }
        }
    }
}

/// Points of the curve.
fn curve(banding: Banding, threshold: Option<f64>, cells: Option<(f64, f64)>) -> Vec<VectorsPoint> {
    let Some((distance, width)) = cells else {
        let point = |cosine| {
            let probability = banding.probability(plane_agreement(cosine));
            VectorsPoint { cosine: Some(cosine), distance: None, probability }
        };
        return similarities(threshold).into_iter().map(point).collect();
    };
    let farthest = FARTHEST * distance;
    let point = |step| {
        let distance = farthest * f64::from(step) / f64::from(POINTS);
        let probability = banding.probability(cell_agreement(distance / width));
        VectorsPoint { cosine: None, distance: Some(distance), probability }
    };
    (1..=POINTS).map(point).collect()
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
