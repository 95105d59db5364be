//! The algebra of the Manhattan distance of two vectors: the sum of |x_i - y_i|.
//!
//! Inside the program every measure is a similarity, higher for closer documents. Here it is -d, as for
//! [`super::Euclidean`]. Differences and sums are of 64 bits, in one order: eight running sums, of which sum i takes
//! the components i, i + 8, i + 16, ... No kernel has a version of its own, so all agree.
//!
//! All pairs are compared. The Euclidean distance is never larger, so a block of vectors refuses by it.

use super::Euclidean;
use super::vector_blocks::{Products, VectorMeasure};
use crate::base::details::PointKind;
use crate::documents::{ElementSet, Vector};
use crate::kernel::Kernel;
use crate::keys::Bounds;
use crate::similarity::{Agreement, Algebra, Distance, Figure, Limit, Metric};
use serde::{Deserialize, Serialize};

/// Running sums.
const LANES: usize = 8;

/// The Manhattan distance of vectors with its maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manhattan {
    /// Maximum distance (<=) of near-duplicates; stored under a name that no other parameter has.
    #[serde(rename = "within")]
    pub distance: Distance,
}

/// The distance of two vectors of equally many dimensions.
fn distance(left: Vector<'_>, right: Vector<'_>) -> f64 {
    let mut sums = [0.0; LANES];
    for (left, right) in left.components().chunks(LANES).zip(right.components().chunks(LANES)) {
        for (sum, (&left, &right)) in sums.iter_mut().zip(left.iter().zip(right)) {
            *sum += (f64::from(left) - f64::from(right)).abs();
        }
    }
    sums.iter().sum()
}

impl Bounds for Manhattan {}

impl VectorMeasure for Manhattan {
    fn with_limit(self, limit: Limit) -> Self {
        limit.max_distance().map_or(self, |distance| Self { distance })
    }

    fn needed(&self, squared_norm: f64, products: Products) -> f32 {
        Euclidean { distance: self.distance }.needed(squared_norm, products)
    }

    fn needed_of_other(&self, squared_norm: f64, products: Products) -> f32 {
        Euclidean { distance: self.distance }.needed_of_other(squared_norm, products)
    }
}

impl Algebra for Manhattan {
    fn name(&self) -> &'static str {
        "manhattan"
    }

    fn figure(&self) -> Figure {
        Figure::VectorDistance(Metric::Manhattan)
    }

    fn points(&self) -> Option<PointKind> {
        Some(PointKind::Vectors)
    }

    fn limit(&self) -> Limit {
        Limit::Within(self.distance)
    }

    fn verify(&self, _kernel: Kernel, left: ElementSet<'_>, right: ElementSet<'_>) -> Option<Agreement> {
        let [left, right] = Vector::pair(left.elements(), right.elements())?;
        let distance = distance(left, right);
        (distance <= self.distance.as_f64()).then_some(Agreement::Distance(distance))
    }

    fn compare(&self, _kernel: Kernel, left: ElementSet<'_>, right: ElementSet<'_>) -> Agreement {
        let pair = Vector::pair(left.elements(), right.elements());
        Agreement::Distance(pair.map_or(f64::INFINITY, |[left, right]| distance(left, right)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::DocId;
    use crate::comparison::{Features, Measure, Method, MinHash, SearchPlan, VectorSearch};
    use crate::documents::{Content, ElementSets};
    use crate::similarity::CandidatePair;
    use crate::vectors::Projections;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
    use std::collections::BTreeSet;

    fn manhattan(distance: f64) -> Measure {
        Measure::Manhattan(Manhattan { distance: distance.try_into().unwrap() })
    }

    fn vectors(components: &[Vec<f32>]) -> ElementSets {
        let mut sets = ElementSets::new();
        let mut extractor = Features::Vector.extractor(Kernel::detect());
        for vector in components {
            extractor.push(Content::Vector(vector.into()), &mut sets).unwrap();
        }
        sets
    }

    #[test]
    fn stored_names_are_frozen() {
        let json = serde_json::to_string(&manhattan(2.5)).unwrap();
        assert_eq!(json, r#"{"measure":"manhattan","within":2.5}"#);
        assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), manhattan(2.5));
    }

    #[test]
    fn all_pairs_are_compared_whatever_is_left_to_the_program() {
        let plan = SearchPlan::new(manhattan(1.0), Method::default()).unwrap();
        assert!(matches!(plan, SearchPlan::Vectors { by: VectorSearch::Exact, .. }));
        for method in [Method::Hyperplanes(Projections::default()), Method::MinHash(MinHash::default())] {
            let refused = SearchPlan::new(manhattan(1.0), method).unwrap_err().to_string();
            assert!(refused.contains("exact does"), "{refused}");
        }
    }

    #[test]
    fn a_limit_may_be_lowered_to_a_distance_that_was_found() {
        let nearer = manhattan(2.5).raised_to(-1.5);
        assert!(nearer.is_reached_by(-1.5) && !nearer.is_reached_by(-1.6) && manhattan(2.5).is_reached_by(-2.5));
        assert!(manhattan(2.5).lowest().is_reached_by(-1e300));
        assert_eq!(manhattan(2.5).similarity_of_equals(3), 0.0);
    }

    proptest! {
        /// Sums of small whole numbers are exact, in any order.
        #[test]
        fn near_pairs_are_those_of_the_definition_and_no_block_refuses_one(
            small in proptest::collection::vec(proptest::collection::vec(-3i8..=3, 11), 1..70), limit in 1u32..30,
        ) {
            let components: Vec<Vec<f32>> =
                small.iter().map(|vector| vector.iter().map(|&number| f32::from(number)).collect()).collect();
            let sets = vectors(&components);
            let measure = manhattan(limit.into());
            let all: Vec<DocId> = DocId::all(sets.len()).collect();
            for &kernel in Kernel::available() {
                let space = measure.space(&sets, kernel);
                let verifier = space.verifier();
                let mut block = verifier.block();
                block.fill(&all);
                let mut near = Vec::new();
                block.find_near(&all, &mut near);
                let found: BTreeSet<CandidatePair> = near.into_iter().collect();
                for (a, b) in all.iter().flat_map(|&a| all.iter().map(move |&b| (a, b))).filter(|(a, b)| a != b) {
                    let pairs = small[a.index()].iter().zip(&small[b.index()]);
                    let expected: u32 = pairs.map(|(&a, &b)| u32::from(a.abs_diff(b))).sum();
                    let verified = verifier.verify(CandidatePair { a, b }).map(|pair| pair.found);
                    let is_near = expected <= limit;
                    prop_assert_eq!(verified, is_near.then_some(Agreement::Distance(expected.into())));
                    let of_block = CandidatePair { a: b, b: a };
                    prop_assert!(!is_near || found.contains(&of_block));
                    let compared = measure.compare(kernel, sets.get(a), sets.get(b));
                    prop_assert_eq!(measure.similarity(compared), 0.0 - f64::from(expected));
                }
            }
        }
    }
}
