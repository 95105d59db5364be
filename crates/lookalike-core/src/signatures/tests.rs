//! Laws of signatures.

use super::*;
use crate::base::hash::SplitMix64;
use crate::keys::Banding;
use crate::sets::HashBits;
use proptest::prelude::{any, prop_assert_eq, proptest};

fn signature(num_perm: usize, seed: u64, set: &[u64]) -> Signature {
    OnePermutationMinHash::new(num_perm, seed).signature(set)
}

/// Two random sets with `common` common elements and `each` further elements per set.
fn sets(common: usize, each: usize, seed: u64) -> (Vec<u64>, Vec<u64>) {
    let mut random = SplitMix64::new(seed);
    let mut draw = |count: usize| (0..count).map(|_| random.next_u64()).collect::<Vec<_>>();
    let shared = draw(common);
    ([shared.clone(), draw(each)].concat(), [shared, draw(each)].concat())
}

#[test]
fn wrong_lengths_are_refused() {
    let short = Signature(vec![1]);
    assert!(short.estimate(&Signature(vec![1, 2])).is_err());
    assert!(Signature(vec![]).estimate(&Signature(vec![])).is_err());
}

#[test]
fn signatures_are_frozen() {
    let set = [3, 1, 4, 1, 5, 9, 2, 6].map(crate::base::hash::mix64);
    assert_eq!(signature(4, 1, &set).0, FROZEN[0]);
    assert_eq!(signature(4, 1, &set[..1]).0, FROZEN[1]);
}
const FROZEN: [[u32; 4]; 2] =
    [[15686403, 1479904441, 1590489519, 559410892], [15686403, 2309014813, 3112453153, 3059016747]];

#[test]
fn estimates_are_unbiased_with_at_most_the_classic_variance() {
    const NUM_PERM: usize = 64;
    const RUNS: u64 = 400;
    for bits in [HashBits::Bits64, HashBits::Bits32] {
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
                "{bits:?} {common}/{each}: {mean} for {truth}"
            );
            assert!(variance < classic * 1.35, "{bits:?} {common}/{each}: variance {variance}, classic {classic}");
        }
    }
}

#[test]
fn band_recall_follows_the_s_curve() {
    const RUNS: u64 = 600;
    let banding = Banding::new(8, 4).unwrap();
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
        assert!((rate - expected).abs() < 5.0 * deviation + 0.01, "{common}/{each}: {rate} for {expected}");
    }
}

proptest! {
    #[test]
    fn merging_is_the_signature_of_the_union(left in proptest::collection::vec(any::<u64>(), 0..200),
                                             right in proptest::collection::vec(any::<u64>(), 0..200)) {
        let mut merged = signature(32, 3, &left);
        merged.merge(&signature(32, 3, &right)).unwrap();
        let union = [left, right].concat();
        prop_assert_eq!(merged, signature(32, 3, &union));
    }

    #[test]
    fn order_and_repetition_do_not_matter(set in proptest::collection::vec(any::<u64>(), 0..100), from in 0usize..100) {
        let mut other = [&set[..], &set[..from.min(set.len())]].concat();
        other.reverse();
        prop_assert_eq!(signature(16, 5, &set), signature(16, 5, &other));
    }
}
