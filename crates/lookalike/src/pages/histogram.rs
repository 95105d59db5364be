//! The numbers of a histogram, as they are drawn and as JSON.

use crate::candidates::{MethodUsed, UsedFingerprints};
use crate::decide::{RefusedCandidates, SimilarityBins};
use lookalike_core::keys::Banding;
use lookalike_core::{counted, thousands};
use serde::Serialize;

/// Content of a histogram.
#[derive(Debug, Clone, Copy)]
pub struct HistogramFacts<'a> {
    /// Numbers of pairs by similarity.
    pub pairs: &'a SimilarityBins,
    /// The candidates that the exact check has refused; `None` if they were not counted.
    pub refused: Option<&'a RefusedCandidates>,
    /// Method by which candidates were found.
    pub method: MethodUsed,
    /// The minimum similarity.
    pub threshold: f64,
    /// Name of the measure.
    pub measure: &'static str,
    /// Name of what is counted: pairs, or removed documents.
    pub noun: &'static str,
}

/// The histogram as JSON.
#[derive(Debug, Serialize)]
pub struct HistogramJson {
    measure: &'static str,
    threshold: f64,
    method: &'static str,
    bands: Option<usize>,
    rows: Option<usize>,
    /// Number of listed pairs.
    pairs: u64,
    /// Number of candidates that the exact check has refused.
    refused_candidates: u64,
    /// Number of those whose similarity was computed.
    sampled_candidates: u64,
    bins: Vec<Bin>,
}

/// A bin: similarities from `from` on and below `to`, 1 included in the last one.
#[derive(Debug, Serialize)]
pub(crate) struct Bin {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) pairs: u64,
    /// Exact if all refused candidates were sampled.
    pub(crate) estimated_refused_candidates: f64,
    /// Probability that the method finds a pair in the middle of the bin; null where it promises nothing.
    pub(crate) probability: Option<f64>,
}

impl HistogramFacts<'_> {
    /// The bins from similarity 0 to 1.
    pub(crate) fn bins(&self) -> Vec<Bin> {
        let end = |bin: usize| bin as f64 / SimilarityBins::BINS as f64;
        let bin = |(bin, &pairs): (usize, &u64)| {
            let from = end(bin);
            let to = end(bin + 1);
            let middle = f64::midpoint(from, to);
            let is_promised = !self.method.is_complete() || middle >= self.threshold;
            Bin {
                from,
                to,
                pairs,
                estimated_refused_candidates: self.refused.map_or(0.0, |refused| refused.estimated(bin)),
                probability: is_promised.then(|| self.method.probability(middle)),
            }
        };
        self.pairs.counts().iter().enumerate().map(bin).collect()
    }

    /// The first bin that is drawn: the tenth below all that is counted and below the threshold.
    pub(crate) fn first_bin(&self) -> usize {
        const TENTH: usize = SimilarityBins::BINS / 10;
        let counted = self.bins().iter().position(|bin| bin.pairs > 0 || bin.estimated_refused_candidates > 0.0);
        let threshold = (self.threshold * SimilarityBins::BINS as f64) as usize;
        let lowest = counted.unwrap_or(threshold).min(threshold).min(SimilarityBins::BINS - TENTH);
        lowest / TENTH * TENTH
    }

    pub(crate) fn pairs_label(&self) -> String {
        counted(self.pairs.total(), self.noun)
    }

    /// Label of refused candidates, if they were counted.
    pub(crate) fn refused_label(&self) -> Option<String> {
        let refused = self.refused?;
        let candidates = format!("{} below the threshold", self.refused_pairs(refused.count));
        if !refused.are_estimated() {
            return Some(candidates);
        }
        Some(format!("{candidates}, from a sample of {}", thousands(refused.sampled.total())))
    }

    /// The pairs that the exact check has refused, and where they come from.
    fn refused_pairs(&self, count: u64) -> String {
        let source = match self.method {
            MethodUsed::AllPairs | MethodUsed::AllVectors => return counted(count, "pair"),
            MethodUsed::Projections(_) => "the projections",
            MethodUsed::Exact { .. } => "the prefix filter",
            MethodUsed::Tables { .. } => "the tables of bits",
            MethodUsed::MinHash { .. } => "the bands",
            MethodUsed::SimHash { .. } => "the SimHash tables",
            MethodUsed::BitSampling { .. } => "the sampled bits",
            MethodUsed::Fingerprint(_) => "the fingerprints",
        };
        format!("{} of {source}", counted(count, "candidate"))
    }

    pub(crate) fn axis_label(&self) -> &'static str {
        match self.measure {
            "jaccard" => "Jaccard similarity",
            "hamming" => "share of equal bits",
            other => other,
        }
    }

    pub(crate) fn curve_label(&self) -> String {
        match self.method {
            MethodUsed::Projections(used) => {
                format!("curve of {}", used.banding.described("band", "projection"))
            }
            MethodUsed::Exact { .. } | MethodUsed::AllPairs | MethodUsed::AllVectors | MethodUsed::Tables { .. } => {
                "found by the exact method: all from the threshold on".to_owned()
            }
            MethodUsed::MinHash { banding, .. } => {
                format!("S-curve of {}", banding.described("band", "row"))
            }
            MethodUsed::Fingerprint(UsedFingerprints { select, mean_fingerprints, min_common, .. }) => {
                format!("{select}: {min_common} of {} in common", counted(mean_fingerprints, "fingerprint"))
            }
            MethodUsed::BitSampling { banding, .. } => {
                format!("S-curve of {}", banding.described("band", "sampled bit"))
            }
            MethodUsed::SimHash { tables, .. } => {
                format!("law of {}", tables.described("SimHash table", "bit"))
            }
        }
    }

    /// The histogram for programs.
    pub fn json(&self) -> HistogramJson {
        let (method, banding) = name_and_banding(&self.method);
        HistogramJson {
            measure: self.measure,
            threshold: self.threshold,
            method,
            bands: banding.map(|banding| banding.bands()),
            rows: banding.map(|banding| banding.rows()),
            pairs: self.pairs.total(),
            refused_candidates: self.refused.map_or(0, |refused| refused.count),
            sampled_candidates: self.refused.map_or(0, |refused| refused.sampled.total()),
            bins: self.bins(),
        }
    }
}

/// The name of a method, as JSON has it, and its bands.
pub(crate) fn name_and_banding(method: &MethodUsed) -> (&'static str, Option<Banding>) {
    match *method {
        MethodUsed::Exact { .. } | MethodUsed::AllPairs | MethodUsed::AllVectors | MethodUsed::Tables { .. } => {
            ("exact", None)
        }
        MethodUsed::Projections(used) => (used.name(), Some(used.banding)),
        MethodUsed::BitSampling { banding, .. } => ("bit-sampling", Some(banding)),
        MethodUsed::MinHash { banding, .. } => ("minhash", Some(banding)),
        MethodUsed::SimHash { tables, .. } => ("simhash", Some(tables)),
        MethodUsed::Fingerprint(_) => ("fingerprint", None),
    }
}
