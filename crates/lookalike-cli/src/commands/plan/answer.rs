//! A plan in all its forms, and the similarities that it shows.

use super::plot::Curve;
use anyhow::Result;
use serde::Serialize;

/// A plan in all its forms.
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

/// Twenty similarities up to 1, and `others`, ascending.
pub(super) fn similarities(others: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut all: Vec<f64> = (1..=20).map(|step| f64::from(step) / 20.0).chain(others).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}
