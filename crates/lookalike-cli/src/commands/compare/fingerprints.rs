//! The containment of two documents as their fingerprints estimate it, beside the exact one.

use crate::messages::counted;
use lookalike::methods::{FingerprintEstimate, Selection};
use serde::Serialize;
use std::io::{self, Write};

/// What the selected fingerprints of two documents say.
#[derive(Debug, Serialize)]
pub(super) struct FingerprintsReport {
    select: Selection,
    /// Fingerprints of both documents.
    common: u64,
    left: EstimateReport,
    right: EstimateReport,
}

/// The share of one document that is in the other, by its fingerprints.
#[derive(Debug, Serialize)]
struct EstimateReport {
    fingerprints: u64,
    /// Null without fingerprints.
    estimated_containment: Option<f64>,
    /// With a confidence of 95 %; null for winnowing.
    interval: Option<(f64, f64)>,
}

impl FingerprintsReport {
    pub(super) fn new((select, estimates): (Selection, [FingerprintEstimate; 2])) -> Self {
        let common = estimates[0].common;
        let [left, right] =
            estimates.map(|FingerprintEstimate { fingerprints, estimated_containment, interval, .. }| EstimateReport {
                fingerprints,
                estimated_containment,
                interval,
            });
        Self { select, common, left, right }
    }

    pub(super) fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for (letter, of) in [("A", &self.left), ("B", &self.right)] {
            let estimate = of.estimated_containment.map_or_else(|| "-     ".to_owned(), |share| format!("{share:.4}"));
            let interval = match of.interval {
                Some((low, high)) => format!(", 95 % interval {low:.4} to {high:.4}"),
                None => String::new(),
            };
            let common = self.common;
            let all = counted(of.fingerprints, "fingerprint");
            let select = self.select;
            writeln!(out, "estimated of {letter}       {estimate}   {common} of {all} ({select}){interval}")?;
        }
        Ok(())
    }
}
