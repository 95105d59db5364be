//! Laws that hold for every family, and textbook examples.

use super::*;
use crate::documents::ElementSets;
use crate::ground::hash::SplitMix64;
use crate::ground::{DocId, Error};
use crate::keys::Banding;
use crate::sets::HashBits;
use crate::similarity::Overlap;
use proptest::prelude::{any, prop_assert_eq, proptest};

/// A family over 64-bit elements: name, and signature by `num_perm`, seed and set.
type Family = (&'static str, fn(usize, u64, &[u64]) -> Signature);

const FAMILIES: [Family; 2] = [
    ("classic", |num_perm, seed, set| ClassicMinHash::new(num_perm, seed).signature(set)),
    ("one-permutation", |num_perm, seed, set| OnePermutationMinHash::new(num_perm, seed).signature(set)),
];

/// Two random sets with `common` common elements and `each` further elements per set.
fn sets(common: usize, each: usize, seed: u64) -> (Vec<u64>, Vec<u64>) {
    let mut random = SplitMix64::new(seed);
    let mut draw = |count: usize| (0..count).map(|_| random.next_u64()).collect::<Vec<_>>();
    let shared = draw(common);
    ([shared.clone(), draw(each)].concat(), [shared, draw(each)].concat())
}

fn matrix_columns() -> [Vec<usize>; 4] {
    ["1100011", "0011100", "1000011", "0111100"]
        .map(|column| column.bytes().enumerate().filter(|&(_, bit)| bit == b'1').map(|(row, _)| row).collect())
}

#[test]
fn textbook_permutations_give_the_textbook_signatures() {
    let permutations = vec![vec![2, 3, 7, 6, 1, 5, 4], vec![4, 2, 1, 3, 6, 7, 5], vec![3, 4, 7, 2, 6, 1, 5]];
    let family = PermutationMinHash::new(permutations).unwrap();
    let columns = matrix_columns();
    let signatures = columns.clone().map(|column| family.signature(&column));
    let by_permutation: Vec<Vec<u32>> =
        (0..3).map(|i| signatures.iter().map(|signature| signature.0[i]).collect()).collect();
    assert_eq!(by_permutation, [[2, 1, 2, 1], [2, 1, 4, 1], [1, 2, 1, 2]]);

    let jaccard = |a: usize, b: usize| {
        let sets: ElementSets =
            [a, b].map(|column| columns[column].iter().map(|&row| row as u64).collect()).into_iter().collect();
        Overlap::of(sets.get(DocId(0)), sets.get(DocId(1))).jaccard()
    };
    assert_eq!([jaccard(0, 2), jaccard(1, 3), jaccard(0, 1), jaccard(2, 3)], [0.75, 0.75, 0.0, 0.0]);
    let estimate = |a: usize, b: usize| signatures[a].estimate(&signatures[b]).unwrap().estimated_jaccard;
    assert_eq!([estimate(0, 2), estimate(1, 3), estimate(0, 1), estimate(2, 3)], [2.0 / 3.0, 1.0, 0.0, 0.0]);
}

#[test]
fn textbook_one_pass_algorithm_gives_the_textbook_signatures() {
    let function = |factor| UniversalHash { factor, summand: 1, prime: 5, range: 5 };
    let family = ClassicMinHash::with_functions(vec![function(1), function(3)]);
    let sets: [&[u64]; 4] = [&[0, 3], &[2], &[1, 3, 4], &[0, 2, 3]];
    assert_eq!(sets.map(|set| family.signature(set).0), [[1, 0], [3, 2], [0, 0], [1, 0]]);
}

#[test]
fn wrong_permutations_and_lengths_are_refused() {
    for wrong in [vec![vec![1, 1]], vec![vec![0, 1]], vec![vec![1, 2], vec![1]]] {
        assert!(matches!(PermutationMinHash::new(wrong), Err(Error::Permutation { .. })));
    }
    let short = Signature(vec![1]);
    assert!(short.estimate(&Signature(vec![1, 2])).is_err());
    assert!(Signature(vec![]).estimate(&Signature(vec![])).is_err());
}

#[test]
fn signatures_are_frozen() {
    let set = [3, 1, 4, 1, 5, 9, 2, 6].map(crate::ground::hash::mix64);
    assert_eq!(ClassicMinHash::new(4, 1).signature(&set).0, FROZEN[0]);
    assert_eq!(OnePermutationMinHash::new(4, 1).signature(&set).0, FROZEN[1]);
    assert_eq!(OnePermutationMinHash::new(4, 1).signature(&set[..1]).0, FROZEN[2]);
}
const FROZEN: [[u32; 4]; 3] = [
    [277640896, 362990271, 187853646, 184660598],
    [15686403, 1479904441, 1590489519, 559410892],
    [15686403, 2309014813, 3112453153, 3059016747],
];

#[test]
fn estimates_are_unbiased_with_at_most_the_classic_variance() {
    const NUM_PERM: usize = 64;
    const RUNS: u64 = 400;
    const BOTH: [HashBits; 2] = [HashBits::Bits64, HashBits::Bits32];
    for ((name, signature), bits) in FAMILIES.into_iter().flat_map(|family| BOTH.map(|bits| (family, bits))) {
        for (common, each) in [(1, 1), (4, 3), (20, 20), (30, 3), (300, 100), (50, 500)] {
            let truth = common as f64 / (common + 2 * each) as f64;
            let (mut left, mut right) = sets(common, each, 7 * common as u64 + each as u64);
            if bits == HashBits::Bits32 {
                left.iter_mut().chain(&mut right).for_each(|element| *element &= !0 << 32);
            }
            let estimates: Vec<f64> = (0..RUNS)
                .map(|seed| {
                    signature(NUM_PERM, seed, &left)
                        .estimate(&signature(NUM_PERM, seed, &right))
                        .unwrap()
                        .estimated_jaccard
                })
                .collect();
            let mean = estimates.iter().sum::<f64>() / RUNS as f64;
            let variance = estimates.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / (RUNS - 1) as f64;
            let classic = truth * (1.0 - truth) / NUM_PERM as f64;
            // Five standard errors of a mean; the sample variance of 400 runs has a relative error of sqrt(2/399) = 7
            // %.
            assert!(
                (mean - truth).abs() < 5.0 * (classic / RUNS as f64).sqrt(),
                "{name} {bits:?} {common}/{each}: {mean} for {truth}"
            );
            assert!(
                variance < classic * 1.35,
                "{name} {bits:?} {common}/{each}: variance {variance}, classic {classic}"
            );
        }
    }
}

#[test]
fn band_recall_follows_the_s_curve() {
    const RUNS: u64 = 600;
    let banding = Banding::new(8, 4).unwrap();
    for (name, signature) in FAMILIES {
        for (common, each) in [(200, 100), (300, 60), (10, 3)] {
            let truth = common as f64 / (common + 2 * each) as f64;
            let shared = (0..RUNS).filter(|&seed| {
                let (left, right) = sets(common, each, 1000 + seed);
                let left = signature(32, seed, &left);
                let right = signature(32, seed, &right);
                banding.keys(&left.0).zip(banding.keys(&right.0)).any(|(a, b)| a == b)
            });
            let rate = shared.count() as f64 / RUNS as f64;
            let expected = banding.probability(truth);
            let deviation = (expected * (1.0 - expected) / RUNS as f64).sqrt();
            // The curve assumes independent rows; those of small sets under one permutation are slightly dependent.
            assert!((rate - expected).abs() < 5.0 * deviation + 0.01, "{name} {common}/{each}: {rate} for {expected}");
        }
    }
}

proptest! {
    #[test]
    fn merging_is_the_signature_of_the_union(left in proptest::collection::vec(any::<u64>(), 0..200),
                                             right in proptest::collection::vec(any::<u64>(), 0..200)) {
        for (name, signature) in FAMILIES {
            let mut merged = signature(32, 3, &left);
            merged.merge(&signature(32, 3, &right)).unwrap();
            let union = [left.clone(), right.clone()].concat();
            prop_assert_eq!(&merged, &signature(32, 3, &union), "{}", name);
        }
    }

    #[test]
    fn order_and_repetition_do_not_matter(set in proptest::collection::vec(any::<u64>(), 0..100), from in 0usize..100) {
        let mut other = [&set[..], &set[..from.min(set.len())]].concat();
        other.reverse();
        for (name, signature) in FAMILIES {
            prop_assert_eq!(signature(16, 5, &set), signature(16, 5, &other), "{}", name);
        }
    }
}
