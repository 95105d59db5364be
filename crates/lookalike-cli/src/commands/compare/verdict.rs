//! The first line of an answer: whether two documents are near-duplicates.

use crate::messages::counted;
use lookalike::{Measure, Reason, evidence::Verdict, measures::Limit};
use serde::Serialize;

/// Decimal places of a similarity, unless more are needed to tell it from the threshold.
const DECIMALS: usize = 3;

/// The verdict in JSON.
#[derive(Debug, Serialize)]
pub(super) struct VerdictReport {
    measure: &'static str,
    /// Minimum similarity, or number of common elements; of fingerprints and vectors the maximum distance.
    limit: f64,
    near_duplicates: bool,
    similarity: f64,
    /// Null if they are none.
    reason: Option<&'static str>,
}

impl VerdictReport {
    pub(super) fn new(measure: &Measure, verdict: &Verdict) -> Self {
        Self {
            measure: measure.name(),
            limit: measure.limit().as_f64(),
            near_duplicates: verdict.reason.is_some(),
            similarity: verdict.similarity,
            reason: verdict.reason.map(Reason::name),
        }
    }
}

/// The verdict in a line.
pub(super) fn line(measure: &Measure, verdict: &Verdict) -> String {
    let (limit, figure) = match measure.limit() {
        Limit::Common(min_common) => {
            (format!("with {min_common} or more in common"), format!("{} in common", verdict.similarity))
        }
        Limit::Distance(bits) => (
            format!("within {}", counted(bits.into(), "bit")),
            format!("{:.3} of the bits are equal", verdict.similarity),
        ),
        Limit::Within(distance) => (format!("within {distance}"), format!("{:.6} apart", 0.0 - verdict.similarity)),
        Limit::Similarity(threshold) => {
            let limit = threshold.as_f64();
            let is_found = verdict.reason.is_some();
            let name = match measure.name() {
                "jaccard" => "Jaccard",
                other => other,
            };
            (format!("at {limit}"), format!("{name} {}", rounded(verdict.similarity, limit, is_found)))
        }
    };
    let answer = match verdict.reason {
        None => format!("no, {figure}"),
        Some(Reason::Near | Reason::Uncertain) => format!("yes, {figure}"),
        Some(Reason::Equal) => format!("yes, equal in all that is compared, {figure}"),
        Some(Reason::Identical) => format!("yes, the texts are identical byte for byte, {figure}"),
    };
    format!("near-duplicates {limit}: {answer}")
}

/// A similarity with as many decimals as it takes to be on its side of the limit.
fn rounded(similarity: f64, limit: f64, is_reached: bool) -> String {
    let decimals = (DECIMALS..17).find(|&decimals| {
        let shown = format!("{similarity:.decimals$}").parse();
        shown.is_ok_and(|shown: f64| (shown >= limit) == is_reached && (shown >= 1.0) == (similarity >= 1.0))
    });
    format!("{similarity:.*}", decimals.unwrap_or(17))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_never_changes_sides() {
        assert_eq!(rounded(0.896_551_7, 0.8, true), "0.897");
        assert_eq!(rounded(0.799_96, 0.8, false), "0.79996");
        assert_eq!(rounded(0.8, 0.8, true), "0.800");
        assert_eq!(rounded(0.999_96, 0.9, true), "0.99996");
        assert_eq!(rounded(1.0, 1.0, true), "1.000");
    }
}
