//! The measure of a job: a similarity and its threshold.
//!
//! Filters, joins and decisions depend on these methods only, not on a particular similarity. A new measure is a
//! variant of [`Measure`] and [`MeasureName`], its place in [`MeasureName::ALL`], and a file with [`Bounds`] and
//! [`Algebra`].

mod name;

pub use name::{MeasureKind, MeasureName, MeasureOptions};

use crate::base::Result;
use crate::base::details::{MethodKind, PointKind};
use crate::bits::{BitSpace, Hamming};
use crate::documents::{ElementSet, ElementSets};
use crate::kernel::Kernel;
use crate::keys::{Bounds, Extent, Postings};
use crate::sets::{CommonElements, Containment, Dice, Jaccard, OddSketches, SetSpace, Side};
use crate::signatures::SignatureAgreement;
use crate::similarity::{Agreement, Algebra, EmptyPolicy, Figure, Limit, Overlap, SearchFilters, Space, Threshold};
use crate::terms::{Cosine, NormSketches, TermSpace, Terms};
use crate::vectors::{Euclidean, Manhattan, ProductMeasure, VectorCosine, VectorSpace};
use serde::{Deserialize, Serialize};

/// A similarity of documents with its threshold: the second parameter of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "measure", rename_all = "snake_case")]
pub enum Measure {
    /// Jaccard similarity of sets; for bags, whose copies of an element are numbered, weighted Jaccard similarity.
    Jaccard(Jaccard),
    /// Dice coefficient of sets.
    Dice(Dice),
    /// Containment of sets: the share of one document that is in the other.
    Containment(Containment),
    /// The number of common elements.
    Overlap(CommonElements),
    /// The cosine of term weights.
    Cosine(Cosine),
    /// Hamming distance of fingerprints.
    Hamming(Hamming),
    /// The cosine of vectors.
    VectorCosine(VectorCosine),
    /// The Euclidean distance of vectors.
    Euclidean(Euclidean),
    /// The Manhattan distance of vectors.
    Manhattan(Manhattan),
    /// The share of components in which MinHash signatures agree: an estimate of a Jaccard similarity.
    #[serde(rename = "signature_agreement")]
    Signature(SignatureAgreement),
}

impl Measure {
    /// Jaccard similarity of at least `threshold`; empty documents have no duplicates.
    pub fn jaccard(threshold: Threshold) -> Self {
        Self::Jaccard(Jaccard { threshold, empty: EmptyPolicy::Keep })
    }

    /// The algebra of the measure.
    pub(crate) fn algebra(&self) -> &dyn Algebra {
        match self {
            Self::Jaccard(jaccard) => jaccard,
            Self::Dice(dice) => dice,
            Self::Containment(containment) => containment,
            Self::Overlap(overlap) => overlap,
            Self::Cosine(cosine) => cosine,
            Self::Hamming(hamming) => hamming,
            Self::VectorCosine(cosine) => cosine,
            Self::Euclidean(euclidean) => euclidean,
            Self::Manhattan(manhattan) => manhattan,
            Self::Signature(agreement) => agreement,
        }
    }

    /// The space of these documents.
    pub(super) fn new_space<'a>(
        self,
        sets: &'a ElementSets,
        kernel: Kernel,
        SearchFilters { max_sketch_bytes, short }: SearchFilters<'a>,
    ) -> Box<dyn Space + 'a> {
        let odd = || max_sketch_bytes.map(|max_bytes| OddSketches::new(sets, max_bytes));
        match self {
            Self::Jaccard(measure) => Box::new(SetSpace::new(sets, measure, kernel, odd(), short)),
            Self::Dice(measure) => Box::new(SetSpace::new(sets, measure, kernel, odd(), short)),
            Self::Containment(measure) => Box::new(SetSpace::new(sets, measure, kernel, odd(), short)),
            Self::Overlap(measure) => Box::new(SetSpace::new(sets, measure, kernel, odd(), short)),
            Self::Cosine(measure) if measure.weights.are_counted() => {
                let norms = max_sketch_bytes.map(|max_bytes| NormSketches::new(sets, max_bytes));
                Box::new(TermSpace::new(Terms { sets, measure, kernel }, norms))
            }
            Self::Cosine(measure) => Box::new(SetSpace::new(sets, measure, kernel, odd(), short)),
            Self::Signature(measure) => Box::new(SetSpace::new(sets, measure, kernel, odd(), short)),
            Self::Hamming(measure) => Box::new(BitSpace::new(sets, measure, kernel)),
            Self::VectorCosine(measure) => Box::new(VectorSpace::new(sets, measure, kernel)),
            Self::Euclidean(measure) => Box::new(VectorSpace::new(sets, measure, kernel)),
            Self::Manhattan(measure) => Box::new(VectorSpace::new(sets, measure, kernel)),
        }
    }

    /// The name in messages and reports.
    pub fn name(self) -> &'static str {
        self.algebra().name()
    }

    /// The name of the measure in flags and requests.
    pub fn measure_name(self) -> MeasureName {
        match self {
            Self::Jaccard(_) | Self::Signature(_) => MeasureName::Jaccard,
            Self::Dice(_) => MeasureName::Dice,
            Self::Containment(_) => MeasureName::Containment,
            Self::Overlap(_) => MeasureName::Overlap,
            Self::Cosine(_) | Self::VectorCosine(_) => MeasureName::Cosine,
            Self::Hamming(_) => MeasureName::Hamming,
            Self::Euclidean(_) => MeasureName::Euclidean,
            Self::Manhattan(_) => MeasureName::Manhattan,
        }
    }

    /// Parameters of a similarity beside the two documents.
    pub fn kind(self) -> MeasureKind {
        let weights = self.cosine().map(|cosine| cosine.weights);
        MeasureKind { name: self.measure_name(), points: self.points(), weights }
    }

    /// The kind of documents, if they are fingerprints, vectors or signatures; `None` for sets and weighted terms.
    pub fn points(self) -> Option<PointKind> {
        self.algebra().points()
    }

    /// Methods that messages recommend where another does not fit.
    pub fn methods(self) -> &'static [MethodKind] {
        self.algebra().methods()
    }

    /// The minimum, or maximum, with which documents are near-duplicates.
    pub fn limit(self) -> Limit {
        self.algebra().limit()
    }

    /// The minimum similarity of near-duplicates, of equal documents 1; of fingerprints the share of equal bits. `None`
    /// for a number of common elements and for a distance of vectors, which have no end.
    pub fn min_similarity(self) -> Option<f64> {
        self.algebra().min_similarity()
    }

    /// Figure that the measure counts.
    pub fn figure(self) -> Figure {
        self.algebra().figure()
    }

    /// Returns whether documents without elements are duplicates.
    pub fn empty(self) -> EmptyPolicy {
        self.algebra().empty()
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`crate::Error::NoCommonElements`] for a minimum of 0 common elements; [`crate::Error::Distance`] for one that
    /// any two fingerprints are within.
    pub fn check(self) -> Result<()> {
        self.algebra().check()
    }

    /// Returns whether two documents with equal sets of `size` elements are near-duplicates.
    pub fn is_reached_by_equals(self, size: usize) -> bool {
        self.algebra().is_reached_by_equals(size)
    }

    /// The minimum Jaccard similarity that the element sets of near-duplicates have: what MinHash bands must find.
    /// `None` if it may be arbitrarily low.
    pub fn min_jaccard(self) -> Option<f64> {
        self.algebra().min_jaccard()
    }

    /// Compares two documents, near-duplicates or not; the result does not depend on the kernel.
    pub fn compare(self, kernel: Kernel, left: ElementSet<'_>, right: ElementSet<'_>) -> Agreement {
        self.algebra().compare(kernel, left, right)
    }

    /// Returns whether two sets with this overlap are near-duplicates.
    pub fn is_reached(self, overlap: Overlap) -> bool {
        self.algebra().is_reached(overlap)
    }

    /// The exact similarity of two documents: a share from 0 to 1, the number of common elements, or a distance below
    /// 0.
    pub fn similarity(self, found: Agreement) -> f64 {
        match found {
            Agreement::Sets(overlap) => self.algebra().similarity_of_sets(overlap),
            Agreement::Cosine(cosine) => cosine,
            Agreement::Bits(bits) => bits.similarity(),
            // 0 in place of -0.
            Agreement::Distance(distance) => 0.0 - distance,
        }
    }

    /// The similarity of two documents with equal sets of `size` elements.
    pub fn similarity_of_equals(self, size: usize) -> f64 {
        self.algebra().similarity_of_equals(size)
    }

    /// Returns whether the similarity that an earlier job has computed and stored is within the limit. A stored
    /// similarity is rounded, so the comparison is one of rounded numbers.
    pub fn is_reached_by(self, similarity: f64) -> bool {
        self.algebra().is_reached_by(similarity)
    }

    /// Copy with another threshold; `None` for one that counts something else.
    pub fn with_threshold(self, threshold: Threshold) -> Option<Self> {
        self.with_limit(Limit::Similarity(threshold))
    }

    /// Copy with another limit; `None` for one of another figure.
    fn with_limit(self, limit: Limit) -> Option<Self> {
        Some(match self {
            Self::Jaccard(mine) => Self::Jaccard(Jaccard { threshold: limit.threshold()?, ..mine }),
            Self::Dice(mine) => Self::Dice(Dice { threshold: limit.threshold()?, ..mine }),
            Self::Containment(mine) => Self::Containment(Containment { threshold: limit.threshold()?, ..mine }),
            Self::Overlap(mine) => Self::Overlap(CommonElements { min_common: limit.min_common()?, ..mine }),
            Self::Cosine(mine) => Self::Cosine(Cosine { threshold: limit.threshold()?, ..mine }),
            Self::Hamming(mine) => Self::Hamming(Hamming { distance: limit.max_bits()?, ..mine }),
            Self::VectorCosine(_) => Self::VectorCosine(VectorCosine { threshold: limit.threshold()? }),
            Self::Euclidean(_) => Self::Euclidean(Euclidean { distance: limit.max_distance()? }),
            Self::Manhattan(_) => Self::Manhattan(Manhattan { distance: limit.max_distance()? }),
            Self::Signature(_) => Self::Signature(SignatureAgreement { threshold: limit.threshold()? }),
        })
    }

    /// Returns whether what is stored for this measure, with its threshold, answers questions by `requested`: by the
    /// same similarity, from the same threshold or a higher one on.
    pub fn serves(self, requested: Self) -> bool {
        let has_its_similarities = match (self.contained(), requested.contained()) {
            (Some(mine), Some(requested)) => mine.has_side_of(requested),
            _ => self.kind() == requested.kind() && self.figure() == requested.figure(),
        };
        has_its_similarities && requested.limit().is_within(self.limit())
    }

    /// Copy with the lowest limit: reached by all documents with something in common.
    #[must_use]
    pub fn lowest(self) -> Self {
        self.with_limit(self.algebra().lowest_limit()).unwrap_or(self)
    }

    /// Copy with a limit that documents of this similarity just reach, or its own if that is stricter: what is
    /// left to be found once there are enough of that similarity.
    #[must_use]
    pub fn raised_to(self, similarity: f64) -> Self {
        self.with_limit(self.algebra().raised_limit(similarity)).unwrap_or(self)
    }

    /// The containment, by which the two documents of a pair have different blocking keys: of the contained one a
    /// prefix, of the container all elements.
    pub fn contained(self) -> Option<Containment> {
        if let Self::Containment(containment) = self { Some(containment) } else { None }
    }

    /// Copy in which either document of a pair may be contained in the other.
    #[must_use]
    pub fn of_either_side(self) -> Self {
        match self {
            Self::Containment(mine) => Self::Containment(Containment { contained: Side::Either, ..mine }),
            other => other,
        }
    }

    /// The cosine, if it depends on how often a document has a term: such documents are weighted sets.
    pub fn weighted(self) -> Option<Cosine> {
        self.cosine().filter(|cosine| cosine.weights.are_counted())
    }

    /// The cosine of term weights.
    pub fn cosine(self) -> Option<Cosine> {
        if let Self::Cosine(cosine) = self { Some(cosine) } else { None }
    }

    /// The measure, if inner products of vectors decide it: projections are planned for it.
    pub fn by_products(self) -> Option<ProductMeasure> {
        match self {
            Self::VectorCosine(cosine) => Some(ProductMeasure::Cosine(cosine)),
            Self::Euclidean(euclidean) => Some(ProductMeasure::Euclidean(euclidean)),
            _ => None,
        }
    }

    /// The distance by which fingerprints are compared.
    pub fn hamming(self) -> Option<Hamming> {
        if let Self::Hamming(hamming) = self { Some(hamming) } else { None }
    }

    /// Returns whether similarities are estimates, which nothing verifies.
    pub fn is_estimate(self) -> bool {
        self.figure() == Figure::EstimatedSimilarity
    }

    /// Returns whether documents are vectors.
    pub fn is_of_vectors(self) -> bool {
        self.points() == Some(PointKind::Vectors)
    }

    /// Returns whether documents are points of a space, and no sets: fingerprints or vectors.
    pub fn is_of_points(self) -> bool {
        matches!(self.points(), Some(PointKind::Fingerprints | PointKind::Vectors))
    }
}

impl MeasureName {
    /// The measure of this name over documents of this kind; `None` for a limit of another figure.
    pub fn measure(self, documents: Option<PointKind>, limit: Limit, options: MeasureOptions) -> Option<Measure> {
        let MeasureOptions { weights, contained, empty, width } = options;
        Some(match self {
            Self::Jaccard if documents == Some(PointKind::Signatures) => {
                Measure::Signature(SignatureAgreement { threshold: limit.threshold()? })
            }
            Self::Jaccard => Measure::Jaccard(Jaccard { threshold: limit.threshold()?, empty }),
            Self::Dice => Measure::Dice(Dice { threshold: limit.threshold()?, empty }),
            Self::Containment => Measure::Containment(Containment { threshold: limit.threshold()?, contained, empty }),
            Self::Overlap => Measure::Overlap(CommonElements { min_common: limit.min_common()?, empty }),
            Self::Cosine if documents == Some(PointKind::Vectors) => {
                Measure::VectorCosine(VectorCosine { threshold: limit.threshold()? })
            }
            Self::Cosine => Measure::Cosine(Cosine { threshold: limit.threshold()?, weights, empty }),
            Self::Hamming => Measure::Hamming(Hamming { distance: limit.max_bits()?, width }),
            Self::Euclidean => Measure::Euclidean(Euclidean { distance: limit.max_distance()? }),
            Self::Manhattan => Measure::Manhattan(Manhattan { distance: limit.max_distance()? }),
        })
    }
}

impl Bounds for Measure {
    fn prefix_length(&self, size: usize) -> usize {
        self.algebra().prefix_length(size)
    }

    fn common_prefix_length(&self, size: usize) -> usize {
        self.algebra().common_prefix_length(size)
    }

    fn may_reach(&self, probing: Extent, indexed: Extent) -> bool {
        self.algebra().may_reach(probing, indexed)
    }

    fn append_passing(&self, probing: Extent, postings: Postings<'_>, found: &mut Vec<u32>) -> usize {
        self.algebra().append_passing(probing, postings, found)
    }

    fn required_overlap(&self, left: usize, right: usize) -> usize {
        self.algebra().required_overlap(left, right)
    }

    fn bounds_overlap(&self) -> bool {
        self.algebra().bounds_overlap()
    }
}

/// Agreement of signatures with a threshold that every pair reaches whose estimate has an interval that reaches that of
/// `measure`, for signatures of so many components; other measures unchanged.
#[must_use]
pub fn reaching_by_interval(measure: Measure, components: usize) -> Measure {
    match measure {
        Measure::Signature(agreement) => Measure::Signature(agreement.reaching_by_interval(components)),
        other => other,
    }
}

impl Default for Measure {
    /// Jaccard similarity of at least 0.8.
    fn default() -> Self {
        Self::jaccard(Threshold::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::similarity::Weights;

    #[test]
    fn stored_names_are_frozen() {
        let json = serde_json::to_string(&Measure::default()).unwrap();
        assert_eq!(json, r#"{"measure":"jaccard","threshold":0.8,"empty":"keep"}"#);
        assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), Measure::default());
        let weights = Weights::TfIdf;
        let cosine = Measure::Cosine(Cosine { threshold: Threshold::default(), weights, empty: EmptyPolicy::Keep });
        let json = serde_json::to_string(&cosine).unwrap();
        assert_eq!(json, r#"{"measure":"cosine","threshold":0.8,"weights":"tfidf","empty":"keep"}"#);
        assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), cosine);
        let hamming = Measure::Hamming(Hamming { distance: 3, width: 64 });
        let json = serde_json::to_string(&hamming).unwrap();
        assert_eq!(json, r#"{"measure":"hamming","distance":3,"of_bits":64}"#);
        assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), hamming);
        let cosine = Measure::VectorCosine(VectorCosine { threshold: Threshold::default() });
        let json = serde_json::to_string(&cosine).unwrap();
        assert_eq!(json, r#"{"measure":"vector_cosine","threshold":0.8}"#);
        assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), cosine);
        let euclidean = Measure::Euclidean(Euclidean { distance: "0.5".parse().unwrap() });
        let json = serde_json::to_string(&euclidean).unwrap();
        assert_eq!(json, r#"{"measure":"euclidean","within":0.5}"#);
        assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), euclidean);
        let signature = Measure::Signature(SignatureAgreement { threshold: Threshold::default() });
        let json = serde_json::to_string(&signature).unwrap();
        assert_eq!(json, r#"{"measure":"signature_agreement","threshold":0.8}"#);
        assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), signature);
        for (mine, requested, expected) in [("0.5", "0.5", true), ("0.5", "0.50001", true), ("0.5", "0.4999", false)] {
            let [mine, requested] = [mine, requested].map(|threshold| Measure::jaccard(threshold.parse().unwrap()));
            assert_eq!(mine.serves(requested), expected);
        }
        assert!(!Measure::default().serves(cosine));
        for damaged in [r#"{"measure":"cosine"}"#, r#"{"measure":"jaccard","threshold":1.5,"empty":"keep"}"#] {
            assert!(serde_json::from_str::<Measure>(damaged).is_err());
        }
    }
}
