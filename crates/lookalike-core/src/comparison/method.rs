//! The noun that defines how candidates are found.

use super::Measure;
use crate::bits::Hamming;
use crate::ground::details::{Instead, MethodKind};
use crate::ground::{Error, Result};
use crate::keys::Banding;
use crate::keys::plan::{Goal, check_permutations, choose};
use crate::sets::{Containment, Fingerprint};
use crate::terms::SimHash;
use crate::vectors::Projections;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;

/// How candidates are found: the third noun of a job. All candidates are verified alike.
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
#[serde(try_from = "StoredMinHash", into = "StoredMinHash")]
pub struct MinHash {
    /// Minimum probability, in (0, 1), of finding a pair whose similarity is the threshold.
    pub recall: f64,
    /// Maximum number of components of a signature.
    pub permutations: usize,
    /// Bands and rows; `None` to derive them from `recall`.
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

/// A method with all parameters resolved for one measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Search {
    /// The exact method.
    Exact,
    /// MinHash bands.
    MinHash {
        /// Bands and rows.
        banding: Banding,
        /// Seed of the signatures.
        seed: u64,
    },
    /// SimHash tables.
    SimHash {
        /// Tables, and bits in each.
        tables: Banding,
        /// Seed of the hashes of the bits.
        seed: u64,
    },
    /// Selected elements.
    Fingerprint(Fingerprint),
    /// Bands of sampled bits.
    BitSampling {
        /// Bands and rows.
        banding: Banding,
        /// Seed of the sample.
        seed: u64,
    },
    /// Random projections of vectors: bands and rows are chosen when the corpus is known.
    Projections(Projections),
    /// All pairs of vectors, unless that costs far more than these projections.
    CheapestOfVectors(Projections),
    /// The exact method, unless it costs far more than these bands.
    Cheapest {
        /// Bands and rows.
        banding: Banding,
        /// Seed of the signatures.
        seed: u64,
    },
}

impl Method {
    /// Number of consecutive shingles of the windows from which elements are selected, for which texts are needed.
    pub fn window(&self) -> Option<NonZeroUsize> {
        match self {
            Self::Fingerprint(fingerprint) => fingerprint.select.window(),
            Self::Auto(_) | Self::Exact | Self::MinHash(_) | Self::SimHash(_) | Self::BitSampling(_) => None,
            Self::Hyperplanes(_) | Self::PStable(_) => None,
        }
    }

    /// Resolves the method: bands and rows are chosen for the recall at the threshold unless they are given.
    ///
    /// # Errors
    /// [`Error::NoBanding`] for [`Method::MinHash`] if no banding within the permutations reaches the recall,
    /// [`Error::BandingTooLarge`] if the given banding exceeds the permutations, [`Error::NotAProbability`] for a
    /// recall outside (0, 1); [`Error::MethodAndMeasure`] for a method that finds nothing by the measure; those of
    /// [`MinHash::banding_of_bits`], [`SimHash::tables_for`] and [`Fingerprint::containment`].
    pub fn search(&self, measure: Measure) -> Result<Search> {
        if let Some(method) = self.kind_of_sets().filter(|_| measure.is_of_vectors()) {
            return Err(refusal(method, measure, Instead::MethodsOfVectors(measure.methods())));
        }
        match self {
            Self::Exact => Ok(Search::Exact),
            Self::MinHash(minhash) => {
                Ok(Search::MinHash { banding: minhash.banding_for(measure)?, seed: minhash.seed })
            }
            Self::SimHash(simhash) => {
                let cosine = measure.cosine().ok_or_else(|| refusal(MethodKind::SimHash, measure, Instead::Cosine))?;
                Ok(Search::SimHash { tables: simhash.tables_for(cosine)?, seed: simhash.seed })
            }
            Self::Fingerprint(fingerprint) => {
                fingerprint.containment(measure)?;
                Ok(Search::Fingerprint(*fingerprint))
            }
            Self::Hyperplanes(projections) => projections.search(MethodKind::Hyperplanes, measure),
            Self::PStable(projections) => projections.search(MethodKind::PStable, measure),
            Self::Auto(minhash) if measure.is_of_vectors() => minhash.search_of_vectors(measure),
            // MinHash may find binary cosines, and is worth it where many documents are alike: only if asked for.
            Self::Auto(_) if measure.cosine().is_some() => Ok(Search::Exact),
            Self::BitSampling(sampling) => {
                Ok(Search::BitSampling { banding: sampling.banding_of_bits(measure)?, seed: sampling.seed })
            }
            Self::Auto(minhash) => match minhash.banding_for(measure) {
                Ok(banding) => Ok(Search::Cheapest { banding, seed: minhash.seed }),
                Err(Error::NoBanding { .. } | Error::MethodAndMeasure { .. }) => Ok(Search::Exact),
                Err(error) => Err(error),
            },
        }
    }

    /// The kind of a method that compares no vectors.
    fn kind_of_sets(&self) -> Option<MethodKind> {
        match self {
            Self::MinHash(_) => Some(MethodKind::MinHash),
            Self::SimHash(_) => Some(MethodKind::SimHash),
            Self::Fingerprint(_) => Some(MethodKind::Fingerprint),
            Self::BitSampling(_) => Some(MethodKind::BitSampling),
            Self::Exact | Self::Auto(_) | Self::Hyperplanes(_) | Self::PStable(_) => None,
        }
    }
}

impl Default for Method {
    fn default() -> Self {
        Self::Auto(MinHash::default())
    }
}

impl MinHash {
    fn banding_for(&self, measure: Measure) -> Result<Banding> {
        let refused = || refusal(MethodKind::MinHash, measure, Instead::Methods(measure.methods()));
        let threshold = measure.min_jaccard().ok_or_else(refused)?;
        self.banding_at(threshold)
    }

    /// The banding for near-duplicates whose sampled bits agree with probability 1 - distance / width.
    ///
    /// # Errors
    /// [`Error::NoSampledBits`], [`Error::SampledBitsTooMany`]; [`Error::MethodAndMeasure`] for another measure than
    /// the Hamming distance.
    pub fn banding_of_bits(&self, measure: Measure) -> Result<Banding> {
        let refused = || refusal(MethodKind::BitSampling, measure, Instead::MethodsOfSets);
        let hamming = measure.hamming().ok_or_else(refused)?;
        let Hamming { distance, width } = hamming;
        self.banding_at(hamming.min_similarity()).map_err(|error| match error {
            Error::NoBanding { permutations: sampled_bits, recall, .. } => {
                Error::NoSampledBits { sampled_bits, recall, distance, width }
            }
            Error::BandingTooLarge { bands, rows: bits, permutations: sampled_bits } => {
                Error::SampledBitsTooMany { bands, bits, sampled_bits }
            }
            other => other,
        })
    }

    fn banding_at(&self, threshold: f64) -> Result<Banding> {
        let Self { recall, permutations, banding, .. } = *self;
        check_permutations(permutations)?;
        match banding {
            Some(banding) => Banding::within(banding.bands(), banding.rows(), permutations),
            None => choose(&Goal { threshold, recall, permutations, low: None }),
        }
    }
}

impl MinHash {
    /// The cheaper of all pairs and the projections that there are for a measure of vectors.
    fn search_of_vectors(&self, measure: Measure) -> Result<Search> {
        let Self { recall, banding, seed, .. } = *self;
        let projections = Projections { recall, banding, seed };
        projections.check()?;
        Ok(projection_of(measure).map_or(Search::Exact, |_| Search::CheapestOfVectors(projections)))
    }
}

impl Projections {
    fn search(&self, method: MethodKind, measure: Measure) -> Result<Search> {
        match projection_of(measure) {
            Some(fitting) if fitting == method => {}
            Some(fitting) => return Err(refusal(method, measure, Instead::Projection(fitting))),
            None if measure.is_of_vectors() => {
                return Err(refusal(method, measure, Instead::Methods(measure.methods())));
            }
            None => return Err(refusal(method, measure, Instead::Vectors)),
        }
        self.check()?;
        Ok(Search::Projections(*self))
    }
}

impl Fingerprint {
    /// Checks the parameters for near-duplicates by `measure`, and returns its containment.
    ///
    /// # Errors
    /// [`Error::MethodAndMeasure`] for another measure than containment; [`Error::NotAProbability`] for a recall
    /// outside (0, 1).
    pub fn containment(&self, measure: Measure) -> Result<Containment> {
        let refused = || refusal(MethodKind::Fingerprint, measure, Instead::Containment);
        let containment = measure.contained().ok_or_else(refused)?;
        self.check()?;
        Ok(containment)
    }
}

/// The method of random projections that there is for a measure.
fn projection_of(measure: Measure) -> Option<MethodKind> {
    let is_projection = |method: &MethodKind| matches!(method, MethodKind::Hyperplanes | MethodKind::PStable);
    measure.methods().iter().copied().find(is_projection)
}

fn refusal(method: MethodKind, measure: Measure, instead: Instead) -> Error {
    Error::MethodAndMeasure { method, measure: measure.name(), instead }
}

/// The stored form of [`MinHash`].
#[derive(Serialize, Deserialize)]
struct StoredMinHash {
    recall: f64,
    permutations: usize,
    bands: Option<usize>,
    rows: Option<usize>,
    seed: u64,
}

impl From<MinHash> for StoredMinHash {
    fn from(MinHash { recall, permutations, banding, seed }: MinHash) -> Self {
        let (bands, rows) = (banding.map(Banding::bands), banding.map(Banding::rows));
        Self { recall, permutations, bands, rows, seed }
    }
}

impl TryFrom<StoredMinHash> for MinHash {
    type Error = Error;

    fn try_from(StoredMinHash { recall, permutations, bands, rows, seed }: StoredMinHash) -> Result<Self> {
        let banding = bands.zip(rows).map(|(bands, rows)| Banding::new(bands, rows)).transpose()?;
        Ok(Self { recall, permutations, banding, seed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::{Euclidean, VectorCosine};

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

    #[test]
    fn auto_is_exact_where_no_bands_reach_the_recall() {
        let low = Measure::jaccard("0.01".parse().unwrap());
        assert_eq!(Method::default().search(low).unwrap(), Search::Exact);
        let minhash = Method::MinHash(MinHash::default());
        assert!(matches!(minhash.search(low), Err(Error::NoBanding { .. })));
        assert!(matches!(Method::default().search(Measure::default()), Ok(Search::Cheapest { .. })));
        let far = Measure::Hamming(Hamming { distance: 63, width: 64 });
        let sampling = Method::BitSampling(MinHash::default()).search(far).unwrap_err();
        let expected = "no bands within 128 sampled bits find 0.99 of the pairs at a distance of 63 of 64 bits";
        assert_eq!(sampling.to_string(), expected);
        let wrong = Method::Auto(MinHash { recall: 2.0, ..MinHash::default() });
        assert!(matches!(wrong.search(Measure::default()), Err(Error::NotAProbability { .. })));
    }
    #[test]
    fn methods_of_other_measures_are_refused_with_those_that_fit() {
        let cosine = Measure::VectorCosine(VectorCosine { threshold: "0.9".parse().unwrap() });
        let euclidean = Measure::Euclidean(Euclidean { distance: "1".parse().unwrap() });
        let default = Projections::default();
        assert!(
            Method::Hyperplanes(default).search(cosine).is_ok() && Method::PStable(default).search(euclidean).is_ok()
        );
        let refused = |method: Method, measure| method.search(measure).unwrap_err().to_string();
        for (method, measure, instead) in [
            (Method::Hyperplanes(default), euclidean, "p-stable and exact do"),
            (Method::PStable(default), cosine, "hyperplanes and exact do"),
            (Method::PStable(default), Measure::default(), "it is for vectors"),
            (Method::MinHash(MinHash::default()), cosine, "of vectors exact and hyperplanes do"),
            (Method::SimHash(SimHash::default()), euclidean, "of vectors exact and p-stable do"),
            (Method::SimHash(SimHash::default()), Measure::default(), "cosine does"),
        ] {
            let found = refused(method, measure);
            assert!(found.contains(instead), "{found}");
        }
        refused(Method::Hyperplanes(Projections { recall: 1.0, ..default }), cosine);
        refused(Method::Hyperplanes(Projections { banding: Banding::new(1, 65).ok(), ..default }), cosine);
    }
}
