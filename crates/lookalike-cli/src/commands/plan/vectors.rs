//! What random projections of vectors promise: hyperplanes for cosines, p-stable projections for distances.

use super::args::{Format, MeasureArg, PlanArgs};
use super::plot::{Axis, Curve};
use super::table::format_rate;
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

/// What is shown of random projections.
#[derive(Debug, Serialize)]
pub(super) struct VectorsPlan {
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
    curve: Vec<Point>,
    #[serde(skip)]
    banding: Banding,
}

/// The curve at one cosine or distance.
#[derive(Debug, Serialize)]
struct Point {
    #[serde(skip_serializing_if = "Option::is_none")]
    cosine: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
    probability: f64,
}

impl VectorsPlan {
    /// The plan for `--vectors`.
    ///
    /// # Errors
    /// If no bands reach the recall, or flags do not fit vectors.
    pub(super) fn new(args: &PlanArgs) -> Result<Self> {
        ensure!(args.low.is_none(), "--low is for --measure jaccard");
        ensure!(
            args.width.is_none() && args.fingerprint_bits.is_none(),
            "--width and --fingerprint-bits are for fingerprints"
        );
        let measure = measure_of(args)?;
        let banding = args.bands.zip(args.rows).map(|(bands, rows)| Banding::new(bands, rows)).transpose();
        let banding = banding.map_err(lookalike::Error::from)?;
        let projections = Projections { recall: args.recall, banding, ..Projections::default() };
        let plan = measure
            .by_products()
            .and_then(|measure| ProjectionPlan::for_strangers(projections, measure, args.documents))
            .context("the goal is out of reach: no bands of projections have this recall at this threshold")?;
        let (threshold, distance) = match measure {
            Measure::Euclidean(euclidean) => (None, Some(euclidean.distance.as_f64())),
            _ => (measure.min_similarity(), None),
        };
        let width = if let Projected::Cell { width, .. } = plan.projected { Some(width) } else { None };
        let banding = plan.banding;
        Ok(Self {
            measure: measure.name(),
            method: if distance.is_some() { "p-stable" } else { "hyperplanes" },
            threshold,
            distance,
            width,
            documents: args.documents,
            wanted_recall: args.recall,
            bands: banding.bands(),
            projections_in_a_band: banding.rows(),
            projections: banding.num_perm(),
            agreement: plan.agreement,
            recall_at_threshold: banding.probability(plan.agreement),
            curve: curve(banding, threshold, distance.zip(width)),
            banding,
        })
    }

    /// The curve to draw.
    pub(super) fn drawing(&self) -> Curve<'_> {
        let banding = self.banding;
        let label = format!("law of {}", banding.described("band", "projection"));
        match self.distance.zip(self.width) {
            Some((distance, width)) => {
                let axis = Axis::Euclidean { farthest: FARTHEST * distance };
                let of = move |similarity| banding.probability(cell_agreement(axis.place(similarity) / width));
                Curve { axis, label, threshold: 1.0 - 1.0 / FARTHEST, probability: Box::new(of) }
            }
            None => {
                let of = move |cosine| banding.probability(plane_agreement(cosine));
                let threshold = self.threshold.unwrap_or_default();
                Curve { axis: Axis::Similarity("cosine"), label, threshold, probability: Box::new(of) }
            }
        }
    }

    pub(super) fn text(&self, format: Format) -> Result<String> {
        Ok(match format {
            Format::Text => self.render(),
            Format::Json => serde_json::to_string_pretty(self)? + "\n",
        })
    }

    fn render(&self) -> String {
        let Self { banding, documents, wanted_recall, agreement, method, .. } = self;
        let projection = if self.distance.is_some() { "projection" } else { "plane" };
        let bands = banding.described("band", projection);
        let agreement = format_rate(*agreement);
        let head = format!("{bands}, for {} with little in common\n", counted(*documents as u64, "vector"));
        let law = match (self.distance, self.width, self.threshold) {
            (Some(distance), Some(width), _) => format!(
                "Two vectors at a distance of {distance} fall into the same cell of width {width:.4} with probability \
                 {agreement} (Datar et al. 2004).\n"
            ),
            (_, _, threshold) => format!(
                "Two vectors with a cosine of {} lie on the same side of a random plane with probability {agreement}: \
                 1 - angle / pi (Charikar 2002).\n",
                threshold.unwrap_or_default()
            ),
        };
        let promise = format!(
            "By this law --method {method} finds {wanted_recall} of such pairs, and more of closer ones; the recall is \
             measured, too. --method exact finds all.\nBands and rows are chosen anew for the vectors of a job, by how \
             alike they are.\n"
        );
        let name = if self.distance.is_some() { "distance" } else { "cosine" };
        let rows = self.curve.iter().map(|point| {
            let shown = point.cosine.or(point.distance).unwrap_or_default();
            let mark = if Some(shown) == self.threshold.or(self.distance) { "  <- threshold" } else { "" };
            format!("  {:<24}{}\n", format!("{shown:.2}{mark}"), format_rate(point.probability))
        });
        let rows: String = rows.collect();
        format!("{head}{law}{promise}\n  {name:<24}probability that a pair meets in a band\n{rows}")
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

fn curve(banding: Banding, threshold: Option<f64>, cells: Option<(f64, f64)>) -> Vec<Point> {
    let mut at: Vec<f64> = match cells {
        Some((distance, _)) => {
            (1..=POINTS).map(|step| FARTHEST * distance * f64::from(step) / f64::from(POINTS)).collect()
        }
        None => (1..=POINTS).map(|step| f64::from(step) / f64::from(POINTS)).chain(threshold).collect(),
    };
    at.sort_by(f64::total_cmp);
    at.dedup();
    let point = |at: f64| match cells {
        Some((_, width)) => {
            Point { cosine: None, distance: Some(at), probability: banding.probability(cell_agreement(at / width)) }
        }
        None => Point { cosine: Some(at), distance: None, probability: banding.probability(plane_agreement(at)) },
    };
    at.into_iter().map(point).collect()
}
