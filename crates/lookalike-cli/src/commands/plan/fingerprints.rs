//! Costs and guarantees of a selection of fingerprints, by the size of the contained document.

use super::args::{PlanAnswer, PlanArgs};
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

/// The plan as the fields of JSON.
#[derive(Debug, Serialize)]
struct SelectionPlan {
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

/// The plan of a selection.
pub(super) fn plan(args: &PlanArgs, select: Selection) -> Result<PlanAnswer> {
    let plan = SelectionPlan::new(args, select);
    PlanAnswer::new(&plan, plan.text(), None)
}

impl SelectionPlan {
    fn new(args: &PlanArgs, select: Selection) -> Self {
        let is_by_hash = select.window().is_none();
        let threshold = args.threshold.as_f64();
        let density = select.density();
        let chosen = FingerprintPlan::new(select, args.threshold, args.recall);
        let of_size = |shingles: u64| {
            let fingerprints = (shingles as f64 * density).round() as u64;
            let at_threshold = (fingerprints as f64 * threshold).round() as u64;
            SizeFacts {
                shingles,
                fingerprints,
                min_common: Some(chosen.min_common(fingerprints as usize)).filter(|&min| min > 0),
                interval: is_by_hash.then(|| binomial_interval(at_threshold, fingerprints, CONFIDENCE)),
            }
        };
        Self {
            select,
            threshold,
            wanted_recall: is_by_hash.then_some(args.recall),
            density,
            min_fingerprints: chosen.min_fingerprints(),
            sizes: SIZES.into_iter().map(of_size).collect(),
        }
    }

    /// The plan for people.
    fn text(&self) -> String {
        let rows: String = self.sizes.iter().map(SizeFacts::row).collect();
        format!(
            "{} selects {} of the shingles of a text\n{}\n\n  shingles  fingerprints  common, at least  95 % interval \
             of an estimate at the threshold\n{rows}",
            self.select,
            format_rate(self.density),
            self.promise()
        )
    }

    /// The pairs that are found.
    fn promise(&self) -> String {
        match self.select.window() {
            None => format!(
                "It finds {} of the pairs at a containment of {}. Documents with fewer than {} are looked up by all \
                 their shingles.",
                self.wanted_recall.unwrap_or_default(),
                self.threshold,
                counted(self.min_fingerprints as u64, "fingerprint")
            ),
            Some(window) => format!(
                "Texts with {} in common find each other, always. Texts with fewer shingles are looked up by all of \
                 them.",
                counted(usize::from(window) as u64, "consecutive shingle")
            ),
        }
    }
}

impl SizeFacts {
    /// A row of the table.
    fn row(&self) -> String {
        let min = self.min_common.map_or_else(|| "too few".to_owned(), |min| min.to_string());
        let interval = self.interval.map_or_else(|| "-".to_owned(), |(low, high)| format!("{low:.4} to {high:.4}"));
        format!("  {:<8}  {:<12}  {min:<16}  {interval}\n", self.shingles, self.fingerprints)
    }
}
