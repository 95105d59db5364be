use super::*;
use crate::DocId;
use crate::comparison::Measure;
use crate::documents::ElementSets;
use crate::kernel::Kernel;
use crate::similarity::{Agreement, CandidatePair};
use proptest::collection::btree_map;
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

fn measure(threshold: &str, weights: Weights) -> Cosine {
    Cosine { threshold: threshold.parse().unwrap(), weights, empty: EmptyPolicy::Keep }
}

/// Vectors by component, of which those of 0 are no terms.
fn vectors(components: &[&[u32]]) -> ElementSets {
    ElementSets::of_counted(components.iter().map(|vector| (1..).zip(vector.iter().copied()).collect::<Vec<_>>()))
}

fn cosine_of(components: [&[u32]; 2]) -> f64 {
    let sets = vectors(&components);
    let space = Measure::Cosine(measure("0.1", Weights::Tf)).space(&sets, Kernel::detect());
    let verifier = space.verifier();
    verifier.similarity_of(DocId(0), DocId(1))
}

#[test]
fn known_vectors_have_known_cosines() {
    let found = cosine_of([&[3, 2, 0, 5, 0, 0, 0, 2, 0, 0], &[1, 0, 0, 0, 0, 0, 0, 1, 0, 2]]);
    assert!((found - 0.3150).abs() < 5e-5, "{found}");
    assert_eq!(cosine_of([&[10, 20], &[30, 60]]), 1.0);
    assert_eq!(cosine_of([&[10, 20], &[60, 30]]), 0.8);
    assert_eq!(cosine_of([&[30, 60], &[60, 30]]), 0.8);
    assert_eq!(cosine_of([&[10, 0], &[0, 30]]), 0.0);
}

/// Compares d / |y| of two documents with one x, from (d, |y|^2), as fractions of their squares.
fn closer([dot, norm]: [u64; 2], [other_dot, other_norm]: [u64; 2]) -> std::cmp::Ordering {
    let square = |number: u64| u128::from(number).pow(2);
    compare_products([square(dot), other_norm.into()], [square(other_dot), norm.into()])
}

#[test]
fn equal_cosines_are_equal_numbers_whatever_the_norms() {
    let cosines = [cosine_of([&[49_170, 49_170], &[5, 0, 1]]), cosine_of([&[49_170, 49_170], &[0, 31_045, 0, 6209]])];
    assert_eq!(cosines[0], cosines[1]);
    assert_eq!(closer([49_170 * 5, 26], [49_170 * 31_045, 31_045 * 31_045 + 6209 * 6209]), std::cmp::Ordering::Equal);
}

#[test]
fn a_cosine_of_exactly_the_threshold_reaches_it() {
    let sets = vectors(&[&[10, 20], &[60, 30], &[30, 60]]);
    let reaches = |threshold, a, b| {
        let space = Measure::Cosine(measure(threshold, Weights::Tf)).space(&sets, Kernel::detect());
        let verifier = space.verifier();
        verifier.verify(CandidatePair { a: DocId(a), b: DocId(b) }).is_some()
    };
    assert!(reaches("0.8", 0, 1) && !reaches("0.800000000000000001", 0, 1));
    assert!(reaches("1", 0, 2) && !reaches("1", 0, 1));
}

/// The least integer with these properties, one by one.
fn least(is_enough: impl Fn(u64) -> bool) -> usize {
    (1..).find(|&count| is_enough(count)).unwrap() as usize
}

proptest! {
    #[test]
    fn numbers_of_cosines_compare_as_their_fractions(
        norm in 1u64..1 << 40, dots in any::<[u32; 2]>(), rests in any::<[u32; 2]>(), factor in 1u64..1 << 7,
    ) {
        // Dot products that the norms allow, and a multiple of the first document.
        let side = |dot: u32, rest: u32| [u64::from(dot >> 8), u64::from(dot >> 8).pow(2) + u64::from(rest)];
        let [one, other] = [side(dots[0], rests[0]), side(dots[1], rests[1])];
        let multiple = [one[0] * factor, one[1] * factor.pow(2)];
        let number = |[dot, of]: [u64; 2]| cosine(dot, [norm, of]);
        for (left, right) in [(one, other), (one, multiple), (other, multiple)] {
            let exact = closer(left, right);
            let found = number(left).total_cmp(&number(right));
            prop_assert!(found == exact || exact.is_ne() && found.is_eq(), "{:?} {:?} {:?}", left, right, norm);
        }
    }

    #[test]
    fn bounds_of_plain_sets_are_the_least_that_reach(percent in 1u32..=100, left in 1usize..150, right in 1usize..150) {
        let cosine = measure(&(f64::from(percent) / 100.0).to_string(), Weights::Binary);
        // In integers of 64 bits: (100 c)^2 >= percent^2 a b.
        let reached = |common: u64, [a, b]: [usize; 2]| {
            (100 * common).pow(2) >= u64::from(percent).pow(2) * a as u64 * b as u64
        };
        let least_common = least(|common| reached(common, [left, right]));
        prop_assert_eq!(cosine.required_overlap(left, right), least_common);
        // A set that is part of this one has as many common elements as it has elements.
        let least_part = least(|part| reached(part, [left, part as usize]));
        prop_assert_eq!(cosine.prefix_length(left), left - least_part + 1);
        prop_assert!(cosine.min_jaccard().unwrap() <= least_part as f64 / left as f64 + 1e-9);
    }

    #[test]
    fn shares_of_the_norm_are_rounded_up(rest in any::<u64>(), whole in 1u64..) {
        let rest = rest % whole + 1;
        let share = u128::from(Cosine::rest_share(rest, whole));
        let at_least =
            |share: u128| compare_products([share * share, whole.into()], [rest.into(), u128::from(WHOLE * WHOLE)]);
        prop_assert!(at_least(share).is_ge());
        prop_assert!(share == 0 || at_least(share - 1).is_lt());
    }

    #[test]
    fn weighted_sets_are_verified_as_by_definition(
        left in btree_map(0u64..60, 1u32..9, 0..150),
        right in btree_map(0u64..60, 1u32..9, 0..150),
        percent in 1u32..=100,
    ) {
        let counted = [&left, &right].map(|map| map.iter().map(|(&e, &w)| (e, w)).collect::<Vec<_>>());
        let sets = ElementSets::of_counted(counted);
        let dot: u64 = left.iter().map(|(e, &w)| u64::from(w) * u64::from(right.get(e).copied().unwrap_or(0))).sum();
        let norm = |map: &std::collections::BTreeMap<u64, u32>| map.values().map(|&w| u64::from(w).pow(2)).sum::<u64>();
        let is_near = dot > 0 && (100 * dot).pow(2) >= u64::from(percent).pow(2) * norm(&left) * norm(&right);
        let measure = Measure::Cosine(measure(&(f64::from(percent) / 100.0).to_string(), Weights::Tf));
        for &kernel in Kernel::available() {
            let found = measure.space(&sets, kernel).verifier().verify(CandidatePair { a: DocId(0), b: DocId(1) });
            let expected = is_near.then(|| Agreement::Cosine(cosine(dot, [norm(&left), norm(&right)])));
            prop_assert_eq!(found.map(|pair| pair.found), expected);
        }
    }
}
