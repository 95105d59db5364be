//! The method of a job: how candidates are found.

use super::Measure;
use crate::base::details::{Instead, MethodKind};
use crate::base::{Error, Result};
use crate::bits::Hamming;
use crate::keys::Banding;
use crate::keys::plan::{Goal, check_permutations, choose};
use crate::sets::{Containment, Fingerprint};
use crate::terms::{Cosine, SimHash};
use crate::vectors::Projections;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;

/// Way to find candidates: the third parameter of a job. All candidates are verified alike.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "lowercase")]
pub enum Method {
    /// Exact, unless it costs far more than MinHash with these parameters; see [`super::cost`].
    Auto(MinHash),
    /// Prefix-filter join, with a recall of 1.
    Exact,
    /// MinHash bands, with at least the given recall for pairs at the threshold.
    MinHash(MinHash),
    /// SimHash tables, with at least the given recall for pairs at the threshold, by the law.
    SimHash(SimHash),
    /// Selected elements of containments, with at least the given recall for pairs at the threshold, or with the
    /// guarantee of winnowing.
    Fingerprint(Fingerprint),
    /// Bands of sampled bits of fingerprints, with at least the given recall for pairs at the distance. The parameters
    /// are those of MinHash, with sampled bits in place of components.
    #[serde(rename = "bit-sampling")]
    BitSampling(MinHash),
    /// Bands of sides of random hyperplanes, of vectors: at least the given recall for pairs at the cosine.
    Hyperplanes(Projections),
    /// Bands of cells of random projections, of vectors: at least the given recall for pairs at the Euclidean distance.
    #[serde(rename = "p-stable")]
    PStable(Projections),
}

/// Parameters of MinHash bands. Stored with `bands` and `rows` in place of `banding`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MinHash {
    /// Minimum probability, in (0, 1), of finding a pair whose similarity is the threshold.
    pub recall: f64,
    /// Maximum number of components of a signature.
    pub permutations: usize,
    /// Bands and rows; `None` to derive them from `recall`.
    #[serde(flatten, with = "crate::keys::optional_banding")]
    pub banding: Option<Banding>,
    /// Seed of the signatures.
    pub seed: u64,
}

impl MinHash {
    /// Maximum number of components of a signature, and of sampled bits.
    pub const MAX_PERMUTATIONS: usize = Goal::MAX_PERMUTATIONS;
}

impl Default for MinHash {
    fn default() -> Self {
        Self { recall: 0.99, permutations: 128, banding: None, seed: 1 }
    }
}

/// Bands with their rows, or tables with their bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bands {
    /// Bands and rows.
    pub banding: Banding,
    /// Seed of the hashes, or of the sample.
    pub seed: u64,
    /// Requested probability of finding a pair at the threshold.
    pub recall: f64,
}

impl Method {
    /// Number of consecutive shingles of the windows from which elements are selected, for which texts are needed.
    pub fn window(&self) -> Option<NonZeroUsize> {
        match self {
            Self::Fingerprint(fingerprint) => fingerprint.select.window(),
            Self::Auto(_)
            | Self::Exact
            | Self::MinHash(_)
            | Self::SimHash(_)
            | Self::BitSampling(_)
            | Self::Hyperplanes(_)
            | Self::PStable(_) => None,
        }
    }
}

impl Default for Method {
    fn default() -> Self {
        Self::Auto(MinHash::default())
    }
}

impl MinHash {
    /// The bands for near-duplicates by a measure that bounds the Jaccard similarity.
    pub(super) fn bands_for(self, measure: Measure) -> Result<Bands> {
        let threshold = measure.min_jaccard().ok_or_else(|| refusal(MethodKind::MinHash, measure))?;
        self.bands_at(threshold)
    }

    /// The bands for near-duplicates whose sampled bits agree with probability 1 - distance / width.
    ///
    /// # Errors
    /// [`Error::NoSampledBits`], [`Error::SampledBitsTooMany`].
    pub fn bands_of_bits(self, hamming: Hamming) -> Result<Bands> {
        let Hamming { distance, width } = hamming;
        self.bands_at(hamming.min_similarity()).map_err(|error| match error {
            Error::NoBanding { permutations: sampled_bits, recall, .. } => {
                Error::NoSampledBits { sampled_bits, recall, distance, width }
            }
            Error::BandingTooLarge { bands, rows: bits, permutations: sampled_bits } => {
                Error::SampledBitsTooMany { bands, bits, sampled_bits }
            }
            other => other,
        })
    }

    fn bands_at(self, threshold: f64) -> Result<Bands> {
        let Self { recall, permutations, banding, seed } = self;
        check_permutations(permutations)?;
        let banding = match banding {
            Some(banding) => Banding::within(banding.bands(), banding.rows(), permutations)?,
            None => choose(&Goal { threshold, recall, permutations, low: None })?,
        };
        Ok(Bands { banding, seed, recall })
    }

    /// Random projections with the same parameters.
    pub(super) fn as_projections(self) -> Projections {
        let Self { recall, banding, seed, .. } = self;
        Projections { recall, banding, seed }
    }
}

impl SimHash {
    /// The tables for near-duplicates by a cosine.
    pub(super) fn bands_for(self, cosine: Cosine) -> Result<Bands> {
        Ok(Bands { banding: self.tables_for(cosine)?, seed: self.seed, recall: self.recall })
    }
}

impl Fingerprint {
    /// Checks the parameters for near-duplicates by `measure`, and returns its containment.
    ///
    /// # Errors
    /// [`Error::MethodAndMeasure`] for another measure than containment; [`Error::NotAProbability`] for a recall
    /// outside (0, 1).
    pub fn containment(&self, measure: Measure) -> Result<Containment> {
        let containment = measure.contained().ok_or_else(|| refusal(MethodKind::Fingerprint, measure))?;
        self.check()?;
        Ok(containment)
    }
}

/// The error that a method does not fit a measure of sets, terms or bits; [`super::VectorSearch`] has its own.
pub(super) fn refusal(method: MethodKind, measure: Measure) -> Error {
    let instead = match method {
        MethodKind::SimHash => Instead::Cosine,
        MethodKind::Fingerprint => Instead::Containment,
        MethodKind::BitSampling => Instead::MethodsOfSets,
        MethodKind::Hyperplanes | MethodKind::PStable => Instead::Vectors,
        MethodKind::MinHash | MethodKind::Exact => Instead::Methods(measure.methods()),
    };
    Error::MethodAndMeasure { method, measure: measure.name(), instead }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_names_are_frozen() {
        let banding = Some(Banding::new(20, 5).unwrap());
        let given = Method::MinHash(MinHash { banding, ..MinHash::default() });
        for (method, expected) in [
            (
                Method::default(),
                r#"{"method":"auto","recall":0.99,"permutations":128,"bands":null,"rows":null,"seed":1}"#,
            ),
            (Method::Exact, r#"{"method":"exact"}"#),
            (
                Method::SimHash(SimHash::default()),
                r#"{"method":"simhash","recall":0.99,"fingerprint_bits":null,"seed":1}"#,
            ),
            (
                Method::Fingerprint(Fingerprint::default()),
                r#"{"method":"fingerprint","select":"mod:16","recall":0.99,"seed":1}"#,
            ),
            (
                Method::Fingerprint(Fingerprint { select: "winnow:8".parse().unwrap(), ..Fingerprint::default() }),
                r#"{"method":"fingerprint","select":"winnow:8","recall":0.99,"seed":1}"#,
            ),
            (
                Method::BitSampling(MinHash::default()),
                r#"{"method":"bit-sampling","recall":0.99,"permutations":128,"bands":null,"rows":null,"seed":1}"#,
            ),
            (
                Method::Hyperplanes(Projections::default()),
                r#"{"method":"hyperplanes","recall":0.99,"bands":null,"rows":null,"seed":1}"#,
            ),
            (
                Method::PStable(Projections { banding, ..Projections::default() }),
                r#"{"method":"p-stable","recall":0.99,"bands":20,"rows":5,"seed":1}"#,
            ),
            (given, r#"{"method":"minhash","recall":0.99,"permutations":128,"bands":20,"rows":5,"seed":1}"#),
        ] {
            let json = serde_json::to_string(&method).unwrap();
            assert_eq!(json, expected);
            assert_eq!(serde_json::from_str::<Method>(&json).unwrap(), method);
        }
    }
}
