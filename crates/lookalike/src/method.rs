//! The method that finds the candidates of a job, and the keys it gave the documents.

use lookalike_core::candidates::LinkedKeys;
use lookalike_core::sketch::Banding;
use std::fmt;

/// Keys by which documents find each other.
#[derive(Debug, Clone)]
pub(crate) struct MadeKeys {
    pub(crate) keys: LinkedKeys,
    pub(crate) method: MethodChoice,
    /// Postings after which following them is to be given up: MinHash may be cheaper.
    pub(crate) most_postings: u64,
}

/// The method that was used, and why.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MethodChoice {
    /// Prefix-filter join, as asked for or because it is cheap enough: nothing is missed.
    Exact {
        /// Postings that a join of all documents would follow, before the filters.
        postings: f64,
    },
    /// MinHash bands.
    MinHash {
        /// Bands and rows.
        banding: Banding,
        /// Probability that a pair at the threshold is found.
        expected_recall: f64,
        /// Postings that the exact method would have followed, or had followed when it was given up, if `auto` turned
        /// it down for that.
        exact_postings: Option<f64>,
    },
}

impl MethodChoice {
    /// Notes that the exact method was turned down.
    pub(crate) fn instead_of(self, exact_postings: f64) -> Self {
        match self {
            Self::MinHash { banding, expected_recall, .. } => {
                Self::MinHash { banding, expected_recall, exact_postings: Some(exact_postings) }
            }
            Self::Exact { .. } => self,
        }
    }
}

impl fmt::Display for MethodChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact { .. } => write!(formatter, "exact (prefix filter): complete"),
            Self::MinHash { banding, expected_recall, exact_postings } => {
                let (bands, rows) = (banding.bands(), banding.rows());
                write!(
                    formatter,
                    "minhash, {bands} bands x {rows} rows: expected recall {expected_recall:.4} at the threshold"
                )?;
                match exact_postings {
                    Some(postings) => write!(formatter, " (exact would follow {postings:.1e} postings or more)"),
                    None => Ok(()),
                }
            }
        }
    }
}
