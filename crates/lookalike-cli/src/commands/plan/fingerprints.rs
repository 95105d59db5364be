//! What a selection of fingerprints costs and promises, by the size of the contained document.

use super::args::{Format, PlanArgs};
use super::table::format_rate;
use crate::messages::counted;
use anyhow::Result;
use lookalike::methods::plan::binomial_interval;
use lookalike::methods::{FingerprintPlan, Selection};
use serde::Serialize;

/// Numbers of shingles that are shown.
const SIZES: [u64; 6] = [30, 100, 300, 1_000, 3_000, 10_000];
/// Confidence of the interval, as in `compare`.
const CONFIDENCE: f64 = 0.95;

/// What is shown of a selection.
#[derive(Debug, Serialize)]
pub(super) struct SelectionPlan {
    select: Selection,
    threshold: f64,
    /// Null for winnowing, which promises whole windows instead.
    wanted_recall: Option<f64>,
    /// Share of the shingles that is selected.
    density: f64,
    /// Documents with fewer fingerprints are looked up by all their shingles.
    min_fingerprints: usize,
    sizes: Vec<SizeFacts>,
}

/// The plan for contained documents of one number of shingles.
#[derive(Debug, Serialize)]
struct SizeFacts {
    shingles: u64,
    /// Expected number of fingerprints.
    fingerprints: u64,
    /// Common fingerprints that a container has, at least; null if they are too few to tell.
    min_common: Option<usize>,
    /// The interval, with a confidence of 95 %, of the containment of a pair at the threshold; null for winnowing.
    interval: Option<(f64, f64)>,
}

impl SelectionPlan {
    pub(super) fn new(args: &PlanArgs, select: Selection) -> Self {
        let is_by_hash = select.window().is_none();
        let recall = args.recall;
        let threshold = args.threshold.as_f64();
        let density = select.density();
        let plan = FingerprintPlan::new(select, args.threshold, recall);
        let of_size = |shingles: u64| {
            let fingerprints = (shingles as f64 * density).round() as u64;
            let at_threshold = (fingerprints as f64 * threshold).round() as u64;
            SizeFacts {
                shingles,
                fingerprints,
                min_common: Some(plan.min_common(fingerprints as usize)).filter(|&min| min > 0),
                interval: is_by_hash.then(|| binomial_interval(at_threshold, fingerprints, CONFIDENCE)),
            }
        };
        Self {
            select,
            threshold,
            wanted_recall: is_by_hash.then_some(recall),
            density,
            min_fingerprints: plan.min_fingerprints(),
            sizes: SIZES.into_iter().map(of_size).collect(),
        }
    }

    pub(super) fn text(&self, format: Format) -> Result<String> {
        Ok(match format {
            Format::Text => self.render(),
            Format::Json => serde_json::to_string_pretty(self)? + "\n",
        })
    }

    fn render(&self) -> String {
        let Self { select, threshold, min_fingerprints, .. } = self;
        let promise = match (self.wanted_recall, select.window()) {
            (Some(recall), _) => format!(
                "It finds {recall} of the pairs at a containment of {threshold}. Documents with fewer than {} are \
                 looked up by all their shingles.",
                counted(*min_fingerprints as u64, "fingerprint")
            ),
            (None, window) => format!(
                "Texts with {} in common find each other, always. Texts with fewer shingles are looked up by all of \
                 them.",
                counted(window.map_or(0, usize::from) as u64, "consecutive shingle")
            ),
        };
        let head = "  shingles  fingerprints  common, at least  95 % interval of an estimate at the threshold\n";
        let rows = self.sizes.iter().map(|size| {
            let min = size.min_common.map_or_else(|| "too few".to_owned(), |min| min.to_string());
            let interval = size.interval.map_or_else(|| "-".to_owned(), |(low, high)| format!("{low:.4} to {high:.4}"));
            format!("  {:<8}  {:<12}  {min:<16}  {interval}\n", size.shingles, size.fingerprints)
        });
        let rows: String = rows.collect();
        format!("{select} selects {} of the shingles of a text\n{promise}\n\n{head}{rows}", format_rate(self.density))
    }
}
