//! The combinations of a measure with a method that exist, with all parameters resolved.
//!
//! Searches, blocking keys, indexes and estimates of recall match this list in full: a combination that is not in it
//! is refused here, with the methods that there are, and can be met nowhere else.

use super::method::refusal;
use super::{Bands, Measure, Method};
use crate::base::details::{Instead, MethodKind};
use crate::base::{Error, Result};
use crate::bits::Hamming;
use crate::sets::Fingerprint;
use crate::terms::Cosine;
use crate::vectors::Projections;

/// A measure with the way in which candidates are found for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SearchPlan {
    /// A search of sets of elements, or of signatures, whose components are elements.
    Sets {
        /// The measure.
        measure: Measure,
        /// Source of the candidates.
        by: SetSearch,
    },
    /// A search of weighted terms.
    Terms {
        /// The measure.
        cosine: Cosine,
        /// Source of the candidates.
        by: TermSearch,
    },
    /// A search of fingerprints.
    Bits {
        /// The measure.
        hamming: Hamming,
        /// Source of the candidates.
        by: BitSearch,
    },
    /// A search of vectors.
    Vectors {
        /// The measure.
        measure: Measure,
        /// Source of the candidates.
        by: VectorSearch,
    },
}

/// Sources of candidates among sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SetSearch {
    /// The prefix filter.
    Exact,
    /// MinHash bands.
    MinHash(Bands),
    /// SimHash tables, for cosines of binary weights.
    SimHash(Bands),
    /// Selected elements, for containments.
    Fingerprint(Fingerprint),
    /// The prefix filter, unless it costs far more than these MinHash bands.
    Cheapest(Bands),
}

/// Sources of candidates among weighted terms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TermSearch {
    /// The prefix filter, or all pairs where that is cheaper.
    Exact,
    /// SimHash tables.
    SimHash(Bands),
}

/// Sources of candidates among fingerprints.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BitSearch {
    /// Tables of blocks of bits.
    Exact,
    /// Bands of sampled bits.
    Sampling(Bands),
}

/// Sources of candidates among vectors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum VectorSearch {
    /// Every pair.
    Exact,
    /// Random projections: bands and rows are chosen when the corpus is known.
    Projections(Projections),
    /// Every pair, unless that costs far more than these projections.
    Cheapest(Projections),
}

impl SearchPlan {
    /// Resolves a method for a measure: bands and rows are chosen for the recall at the threshold unless given.
    ///
    /// # Errors
    /// [`Error::NoBanding`] for [`Method::MinHash`] if no banding within the permutations reaches the recall,
    /// [`Error::BandingTooLarge`] if the given banding exceeds the permutations, [`Error::NotAProbability`] for a
    /// recall outside (0, 1); [`Error::MethodAndMeasure`] for a method that finds nothing by the measure; those of
    /// [`SimHash::tables_for`](crate::terms::SimHash::tables_for) and of the sampled bits.
    pub fn new(measure: Measure, method: Method) -> Result<Self> {
        if measure.is_of_vectors() {
            return Ok(Self::Vectors { measure, by: VectorSearch::new(measure, method)? });
        }
        if let Some(hamming) = measure.hamming() {
            return Ok(Self::Bits { hamming, by: BitSearch::new(hamming, method)? });
        }
        match measure.weighted() {
            Some(cosine) => Ok(Self::Terms { cosine, by: TermSearch::new(cosine, method)? }),
            None => Ok(Self::Sets { measure, by: SetSearch::new(measure, method)? }),
        }
    }

    /// The measure.
    pub fn measure(&self) -> Measure {
        match *self {
            Self::Sets { measure, .. } | Self::Vectors { measure, .. } => measure,
            Self::Terms { cosine, .. } => Measure::Cosine(cosine),
            Self::Bits { hamming, .. } => Measure::Hamming(hamming),
        }
    }

    /// The seed of the part of the method that is drawn at random; `None` for a method that is always complete.
    pub fn seed(&self) -> Option<u64> {
        match *self {
            Self::Sets {
                by: SetSearch::MinHash(bands) | SetSearch::SimHash(bands) | SetSearch::Cheapest(bands),
                ..
            }
            | Self::Terms { by: TermSearch::SimHash(bands), .. }
            | Self::Bits { by: BitSearch::Sampling(bands), .. } => Some(bands.seed),
            Self::Sets { by: SetSearch::Fingerprint(fingerprint), .. } => Some(fingerprint.seed),
            Self::Vectors { by: VectorSearch::Projections(by) | VectorSearch::Cheapest(by), .. } => Some(by.seed),
            Self::Sets { by: SetSearch::Exact, .. }
            | Self::Terms { by: TermSearch::Exact, .. }
            | Self::Bits { by: BitSearch::Exact, .. }
            | Self::Vectors { by: VectorSearch::Exact, .. } => None,
        }
    }
}

impl SetSearch {
    fn new(measure: Measure, method: Method) -> Result<Self> {
        match method {
            Method::Exact => Ok(Self::Exact),
            Method::MinHash(minhash) => minhash.bands_for(measure).map(Self::MinHash),
            // MinHash may find binary cosines, and is worth it where many documents are alike: only on request.
            Method::Auto(_) if measure.cosine().is_some() => Ok(Self::Exact),
            Method::Auto(minhash) => match minhash.bands_for(measure) {
                Ok(bands) => Ok(Self::Cheapest(bands)),
                Err(Error::NoBanding { .. } | Error::MethodAndMeasure { .. }) => Ok(Self::Exact),
                Err(error) => Err(error),
            },
            Method::SimHash(simhash) => {
                let cosine = measure.cosine().ok_or_else(|| refusal(MethodKind::SimHash, measure))?;
                simhash.bands_for(cosine).map(Self::SimHash)
            }
            Method::Fingerprint(fingerprint) => {
                fingerprint.containment(measure)?;
                Ok(Self::Fingerprint(fingerprint))
            }
            Method::BitSampling(_) => Err(refusal(MethodKind::BitSampling, measure)),
            Method::Hyperplanes(_) => Err(refusal(MethodKind::Hyperplanes, measure)),
            Method::PStable(_) => Err(refusal(MethodKind::PStable, measure)),
        }
    }
}

impl TermSearch {
    fn new(cosine: Cosine, method: Method) -> Result<Self> {
        let refused = |kind| Err(refusal(kind, Measure::Cosine(cosine)));
        match method {
            Method::Exact | Method::Auto(_) => Ok(Self::Exact),
            Method::SimHash(simhash) => simhash.bands_for(cosine).map(Self::SimHash),
            Method::MinHash(_) => refused(MethodKind::MinHash),
            Method::Fingerprint(_) => refused(MethodKind::Fingerprint),
            Method::BitSampling(_) => refused(MethodKind::BitSampling),
            Method::Hyperplanes(_) => refused(MethodKind::Hyperplanes),
            Method::PStable(_) => refused(MethodKind::PStable),
        }
    }
}

impl BitSearch {
    fn new(hamming: Hamming, method: Method) -> Result<Self> {
        let refused = |kind| Err(refusal(kind, Measure::Hamming(hamming)));
        match method {
            Method::Exact | Method::Auto(_) => Ok(Self::Exact),
            Method::BitSampling(sampling) => sampling.bands_of_bits(hamming).map(Self::Sampling),
            Method::MinHash(_) => refused(MethodKind::MinHash),
            Method::SimHash(_) => refused(MethodKind::SimHash),
            Method::Fingerprint(_) => refused(MethodKind::Fingerprint),
            Method::Hyperplanes(_) => refused(MethodKind::Hyperplanes),
            Method::PStable(_) => refused(MethodKind::PStable),
        }
    }
}

impl VectorSearch {
    fn new(measure: Measure, method: Method) -> Result<Self> {
        let refused = |method| {
            let instead = Instead::MethodsOfVectors(measure.methods());
            Err(Error::MethodAndMeasure { method, measure: measure.name(), instead })
        };
        match method {
            Method::Exact => Ok(Self::Exact),
            Method::Auto(minhash) => {
                let projections = minhash.as_projections();
                projections.check()?;
                Ok(projection_of(measure).map_or(Self::Exact, |_| Self::Cheapest(projections)))
            }
            Method::Hyperplanes(projections) => Self::projected(MethodKind::Hyperplanes, projections, measure),
            Method::PStable(projections) => Self::projected(MethodKind::PStable, projections, measure),
            Method::MinHash(_) => refused(MethodKind::MinHash),
            Method::SimHash(_) => refused(MethodKind::SimHash),
            Method::Fingerprint(_) => refused(MethodKind::Fingerprint),
            Method::BitSampling(_) => refused(MethodKind::BitSampling),
        }
    }

    fn projected(method: MethodKind, projections: Projections, measure: Measure) -> Result<Self> {
        let instead = match projection_of(measure) {
            Some(fitting) if fitting == method => {
                projections.check()?;
                return Ok(Self::Projections(projections));
            }
            Some(fitting) => Instead::Projection(fitting),
            None => Instead::Methods(measure.methods()),
        };
        Err(Error::MethodAndMeasure { method, measure: measure.name(), instead })
    }
}

/// The method of random projections that there is for a measure.
fn projection_of(measure: Measure) -> Option<MethodKind> {
    let is_projection = |method: &MethodKind| matches!(method, MethodKind::Hyperplanes | MethodKind::PStable);
    measure.methods().iter().copied().find(is_projection)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::MinHash;
    use crate::keys::Banding;
    use crate::terms::SimHash;
    use crate::vectors::{Euclidean, VectorCosine};

    fn by(measure: Measure, method: Method) -> Result<SetSearch> {
        SetSearch::new(measure, method)
    }

    #[test]
    fn auto_is_exact_where_no_bands_reach_the_recall() {
        let low = Measure::jaccard("0.01".parse().unwrap());
        assert_eq!(by(low, Method::default()).unwrap(), SetSearch::Exact);
        let minhash = Method::MinHash(MinHash::default());
        assert!(matches!(by(low, minhash), Err(Error::NoBanding { .. })));
        assert!(matches!(by(Measure::default(), Method::default()), Ok(SetSearch::Cheapest(_))));
        let far = Measure::Hamming(Hamming { distance: 63, width: 64 });
        let sampling = SearchPlan::new(far, Method::BitSampling(MinHash::default())).unwrap_err();
        let expected = "no bands within 128 sampled bits find 0.99 of the pairs at a distance of 63 of 64 bits";
        assert_eq!(sampling.to_string(), expected);
        let wrong = Method::Auto(MinHash { recall: 2.0, ..MinHash::default() });
        assert!(matches!(by(Measure::default(), wrong), Err(Error::NotAProbability { .. })));
    }

    #[test]
    fn methods_of_other_measures_are_refused_with_those_that_fit() {
        let cosine = Measure::VectorCosine(VectorCosine { threshold: "0.9".parse().unwrap() });
        let euclidean = Measure::Euclidean(Euclidean { distance: "1".parse().unwrap() });
        let default = Projections::default();
        assert!(SearchPlan::new(cosine, Method::Hyperplanes(default)).is_ok());
        assert!(SearchPlan::new(euclidean, Method::PStable(default)).is_ok());
        let refused = |method: Method, measure| SearchPlan::new(measure, method).unwrap_err().to_string();
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
