//! What saved pairs say of how they were found.

use crate::candidates::MeasuredRecall;
use lookalike_core::comparison::Measure;
use serde::Deserialize;
use std::num::NonZeroUsize;

/// What `recluster` asks a basis for; later programs may say more.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct BasisOfPairs {
    parameters: ParametersOfPairs,
    method: Option<MethodOfPairs>,
    /// Number of pairs that were listed at most, the most similar ones; `None` if all of them were.
    #[serde(default)]
    pub(crate) top: Option<NonZeroUsize>,
    /// The recall measured on a sample; `None` for a complete method.
    pub measured_recall: Option<MeasuredRecall>,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
struct ParametersOfPairs {
    #[serde(flatten)]
    measure: Measure,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
struct MethodOfPairs {
    expected_recall: Option<f64>,
}

impl BasisOfPairs {
    /// The basis that pairs were written with; `None` if it is of no pairs.
    pub(crate) fn of(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }

    /// The measure that the pairs were found by.
    pub fn measure(&self) -> Measure {
        self.parameters.measure
    }

    /// The probability that a pair at that threshold was found; 1 for a complete method, `None` if none was promised.
    pub fn expected_recall(&self) -> Option<f64> {
        self.method.map_or(Some(1.0), |method| method.expected_recall)
    }
}
