//! Selections against their definitions, the guarantee of winnowing, and what the plan promises.

use super::*;
use crate::base::hash::{SplitMix64, mix64};
use crate::similarity::Threshold;
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use std::num::NonZeroUsize;

fn winnow(window: usize, hashes: &[u64]) -> Vec<u64> {
    let mut winnower = Winnower::new(NonZeroUsize::new(window).unwrap());
    hashes.iter().filter_map(|&hash| winnower.select(hash)).collect()
}

/// Treats each window by itself: places of the least hashes, the last of equal ones.
fn winnow_by_definition(window: usize, hashes: &[u64]) -> Vec<u64> {
    let least = |(start, hashes): (usize, &[u64])| {
        let (place, _) = (start..).zip(hashes).min_by_key(|&(place, &hash)| (hash, usize::MAX - place)).unwrap();
        place
    };
    let mut places: Vec<usize> = hashes.windows(window).enumerate().map(least).collect();
    places.dedup();
    places.into_iter().map(|place| hashes[place]).collect()
}

/// Values of which many are equal.
fn hashes(seed: u64, count: usize, values: u64) -> Vec<u64> {
    let mut random = SplitMix64::new(seed);
    (0..count).map(|_| mix64(random.next_below(values))).collect()
}

#[test]
fn known_hashes_keep_those_that_are_0_mod_4() {
    let hashes = [938, 664, 463, 822, 492, 798, 78, 969, 143, 236, 913, 908, 694, 553, 870, 779];
    let selection: Selection = "mod:4".parse().unwrap();
    let kept: Vec<u64> = hashes.into_iter().filter(|&hash| selection.takes(hash)).collect();
    assert_eq!(kept, [664, 492, 236, 908]);
}

#[test]
fn the_example_of_the_paper_on_winnowing_is_right() {
    let hashes = [77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98];
    assert_eq!(winnow(4, &hashes), [17, 17, 8, 39, 17]);
}

#[test]
fn selections_are_parsed_and_printed_alike() {
    for text in ["mod:1", "mod:16", "winnow:1", "winnow:100"] {
        assert_eq!(text.parse::<Selection>().unwrap().to_string(), text);
    }
    for wrong in ["mod:0", "winnow:0", "mod", "mod:-4", "winnow:x", "0", "", "MOD:4", "mod:4:4"] {
        let error = wrong.parse::<Selection>().unwrap_err().to_string();
        assert!(error.contains("mod:P") && error.ends_with(&format!("found `{wrong}`")), "{error}");
    }
    assert_eq!(Selection::default().to_string(), "mod:16");
}

#[test]
fn hashes_of_32_bits_are_selected_by_their_bits() {
    let selection: Selection = "mod:16".parse().unwrap();
    let taken = (0..16_000u64).filter(|&i| selection.takes(mix64(i) & !0 << 32)).count();
    // 1000 expected, with a standard deviation of 31.
    assert!((850..1150).contains(&taken), "{taken}");
}

#[test]
fn windows_need_an_order_of_shingles() {
    use crate::documents::Multiplicity;
    use crate::sets::ShingleOptions;
    let [windows, by_remainder] = ["winnow:4", "mod:4"].map(|text| text.parse::<Selection>().unwrap());
    let bags = ShingleOptions { multiplicity: Multiplicity::Bag, ..ShingleOptions::default() };
    for options in [ShingleOptions::items(), bags] {
        assert!(windows.check(options).unwrap_err().to_string().contains("mod:P"));
        by_remainder.check(options).unwrap();
    }
    windows.check(ShingleOptions::default()).unwrap();
    windows.check(ShingleOptions::text_units(crate::text::TextUnit::Line, 1)).unwrap();
}

proptest! {
    #[test]
    fn winnowing_selects_what_each_window_selects(
        seed in any::<u64>(), count in 0usize..120, values in 1u64..40, window in 1usize..20,
    ) {
        let hashes = hashes(seed, count, values);
        prop_assert_eq!(winnow(window, &hashes), winnow_by_definition(window, &hashes));
    }

    /// The guarantee: W consecutive hashes in common, wherever they stand, are a common selected hash.
    #[test]
    fn a_common_window_is_a_common_fingerprint(
        seed in any::<u64>(), lengths in [0usize..60, 0usize..60, 0usize..60, 0usize..60], window in 1usize..20,
        more in 0usize..10, values in 1u64..500,
    ) {
        let part = |number: u64, length| hashes(seed ^ number, length, values);
        let common = part(9, window + more);
        let [left, right] = [[0, 1], [2, 3]].map(|[before, behind]| {
            let around = [before, behind].map(|at| part(at as u64, lengths[at]));
            winnow(window, &[&around[0][..], &common, &around[1]].concat())
        });
        prop_assert!(left.iter().any(|hash| right.contains(hash) && common.contains(hash)));
    }

    /// A winnower that was used before selects as a new one.
    #[test]
    fn texts_are_winnowed_apart(seed in any::<u64>(), counts in [0usize..60, 0usize..60], window in 1usize..20) {
        let [first, second] = counts.map(|count| hashes(seed ^ count as u64, count, 50));
        let mut winnower = Winnower::new(NonZeroUsize::new(window).unwrap());
        let _ = first.iter().filter_map(|&hash| winnower.select(hash)).count();
        winnower.clear();
        let found: Vec<u64> = second.iter().filter_map(|&hash| winnower.select(hash)).collect();
        prop_assert_eq!(found, winnow(window, &second));
    }
}

/// The expected density is 2 / (W + 1). Gaps between selected places are below W, so numbers of selected places in
/// parts of 10 W hashes are all but independent, with a variance below that of a random selection of that density.
#[test]
fn winnowing_selects_2_of_w_plus_1() {
    for window in [1, 2, 4, 15, 100] {
        let count = 200_000;
        let mut random = SplitMix64::new(window as u64);
        let hashes: Vec<u64> = (0..count).map(|_| random.next_u64()).collect();
        let density = Selection::Winnow(NonZeroUsize::new(window).unwrap()).density();
        let expected = density * (count - window + 1) as f64;
        let found = winnow(window, &hashes).len() as f64;
        let deviation = (expected * (1.0 - density)).sqrt();
        assert!((found - expected).abs() <= 5.0 * deviation + 1.0, "window {window}: {found}, expected {expected}");
    }
}

/// P(Binomial(n, t) < x), term by term.
fn below(n: usize, t: f64, x: usize) -> f64 {
    let mut distribution = vec![1.0];
    for _ in 0..n {
        let shifted = std::iter::once(0.0).chain(distribution.iter().map(|p| p * t));
        let same = distribution.iter().map(|p| p * (1.0 - t)).chain([0.0]);
        distribution = shifted.zip(same).map(|(a, b)| a + b).collect();
    }
    distribution[..x].iter().sum()
}

#[test]
fn the_minimum_is_the_greatest_that_keeps_the_recall() {
    let by_remainder: Selection = "mod:16".parse().unwrap();
    for (threshold, recall) in [("0.8", 0.99), ("0.5", 0.9), ("0.2", 0.999), ("0.99", 0.5)] {
        let parsed: Threshold = threshold.parse().unwrap();
        let t = parsed.as_f64();
        let plan = FingerprintPlan::new(by_remainder, parsed, recall);
        for n in 0..150 {
            let min = plan.min_common(n);
            assert!(below(n, t, min) <= 1.0 - recall + 1e-9, "{threshold}: {n} -> {min}");
            assert!(min == n || below(n, t, min + 1) > 1.0 - recall - 1e-9, "{threshold}: {n} -> {min}");
            assert!((plan.probability(n, t) - (1.0 - below(n, t, min))).abs() < 1e-9);
        }
        let first = plan.min_fingerprints();
        assert_eq!([plan.prefix_length(first - 1), plan.prefix_length(first)].map(|l| l.is_some()), [false, true]);
    }
    let all = FingerprintPlan::new(by_remainder, "1".parse().unwrap(), 0.99);
    assert_eq!((all.prefix_length(0), all.prefix_length(1), all.prefix_length(90)), (None, Some(1), Some(1)));
}

#[test]
fn the_minimum_of_many_fingerprints_goes_on_as_that_of_few() {
    let plan = FingerprintPlan::new(Selection::default(), "0.8".parse().unwrap(), 0.99);
    let steps: Vec<usize> = (9_990..10_020).map(|n| plan.min_common(n)).collect();
    assert!(steps.windows(2).all(|pair| pair[1] + 3 > pair[0] && pair[1] <= pair[0] + 3), "{steps:?}");
    assert!(plan.min_common(1_000_000) > 799_000 && plan.min_common(1_000_000) < 800_000);
}

#[test]
fn one_winnowed_fingerprint_suffices() {
    let plan = FingerprintPlan::new("winnow:8".parse().unwrap(), "0.8".parse().unwrap(), 0.99);
    assert_eq!((plan.min_common(0), plan.min_common(1), plan.min_common(50_000)), (0, 1, 1));
    assert_eq!((plan.prefix_length(0), plan.prefix_length(7)), (None, Some(7)));
}

#[test]
fn an_estimate_has_its_interval() {
    let by_remainder = FingerprintEstimate::new(Selection::default(), 8, 10);
    assert_eq!(by_remainder.estimated_containment, Some(0.8));
    // The exact interval of 8 of 10, as in tables.
    let (low, high) = by_remainder.interval.unwrap();
    assert!((low - 0.4439).abs() < 1e-4 && (high - 0.9748).abs() < 1e-4, "{low} {high}");
    let none = FingerprintEstimate::new(Selection::default(), 0, 0);
    assert_eq!((none.estimated_containment, none.interval), (None, Some((0.0, 1.0))));
    assert_eq!(FingerprintEstimate::new("winnow:4".parse().unwrap(), 8, 10).interval, None);
}
