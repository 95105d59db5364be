use super::*;
use proptest::prelude::{prop_assert, proptest};
use statrs::distribution::Discrete;
use std::ops::RangeInclusive;

/// P(|X / K - s| > e) for X ~ Binomial(K, s), term by term; s and e are in thousandths, so that borders are exact.
fn summed_error_probability(similarity: u64, error: u64, permutations: u64) -> f64 {
    let ln_factorial = |n: u64| (1..=n).map(|i| (i as f64).ln()).sum::<f64>();
    let s = similarity as f64 / 1000.0;
    let off = |count: u64| (1000 * count).abs_diff(similarity * permutations) > error * permutations;
    let all = ln_factorial(permutations);
    let term = |count: u64| {
        let ways = all - ln_factorial(count) - ln_factorial(permutations - count);
        (ways + count as f64 * s.ln() + (permutations - count) as f64 * (-s).ln_1p()).exp()
    };
    (0..=permutations).filter(|&count| off(count)).map(term).sum()
}

#[test]
fn error_probability_is_the_sum_of_the_binomial_tails() {
    for similarity in [10, 300, 500, 800, 999] {
        for error in [1, 50, 100, 333] {
            for permutations in [1, 2, 20, 64, 100, 128, 300] {
                let exact = summed_error_probability(similarity, error, permutations);
                let s = similarity as f64 / 1000.0;
                let e = error as f64 / 1000.0;
                let found = estimate_error_probability(s, e, permutations as usize).unwrap();
                assert!((found - exact).abs() < 1e-10, "{s} {e} {permutations}: {found} {exact}");
                assert!(found <= chernoff_error_probability(e, permutations as usize));
            }
        }
    }
}

#[test]
fn counts_on_the_border_are_no_errors() {
    // 20 x 0.8 = 16: 15 and 17 are off by 0.05 exactly, 14 and 18 by 0.1; in doubles by a little less or more.
    let binomial = binomial(0.8, 20).unwrap();
    let within = |counts: RangeInclusive<u64>| counts.map(|count| binomial.pmf(count)).sum::<f64>();
    for (error, counts) in [(0.05, 15..=17), (0.1, 14..=18), (0.0499, 16..=16)] {
        let outside = 1.0 - within(counts);
        assert!((estimate_error_probability(0.8, error, 20).unwrap() - outside).abs() < 1e-12, "{error}");
    }
}

#[test]
fn permutations_needed_are_the_least_from_which_on_all_do() {
    for (similarity, error, confidence) in [(800, 100, 0.95), (500, 80, 0.9), (50, 100, 0.99), (990, 60, 0.95)] {
        let needed = permutations_for_error(similarity as f64 / 1000.0, error as f64 / 1000.0, confidence).unwrap();
        let fails = |k: &usize| summed_error_probability(similarity, error, *k as u64) > 1.0 - confidence;
        let expected = (1..=needed.chernoff).rev().find(fails).map_or(1, |last| last + 1);
        assert_eq!(needed.exact, expected, "{similarity} {error} {confidence}");
    }
    assert_eq!(permutations_for_error(0.5, 0.1, 0.95).unwrap().chernoff, 185);
}

#[test]
fn the_textbook_size_for_five_percent_is_met() {
    // The normal approximation: 1.96^2 s (1 - s) / e^2 = 246, to which the lattice adds a few.
    let needed = permutations_for_error(0.8, 0.05, 0.95).unwrap();
    assert_eq!(needed.chernoff, 738);
    assert!((240..280).contains(&needed.exact), "{}", needed.exact);
    // Equal sets are estimated without error.
    assert_eq!(permutations_for_error(1.0, 0.05, 0.95).unwrap().exact, 1);
    assert_eq!(estimate_error_probability(0.8, 0.05, 0), Ok(1.0));
}

proptest! {
    #[test]
    fn the_worst_of_a_range_bounds_every_number_in_it(
        s in 0u32..=1000, e in 1u32..500, first in 1usize..200, more in 0usize..60,
    ) {
        let estimate = ErrorEstimate::new(f64::from(s) / 1000.0, f64::from(e) / 1000.0).unwrap();
        let worst = estimate.worst_between(first, first + more).unwrap();
        for k in first..=first + more {
            prop_assert!(estimate.worst_between(k, k).unwrap() <= worst + 1e-12);
        }
    }
}

#[test]
fn intervals_of_many_trials_end_and_continue_those_of_few() {
    for share in [0, 1, 10, 500, 990, 999, 1000] {
        let hits = |trials: u64| trials * share / 1000;
        let few = MAX_EXACT_TRIALS;
        let many = MAX_EXACT_TRIALS + 1000;
        let exact = binomial_interval(hits(few), few, 0.95);
        let score = binomial_interval(hits(many), many, 0.95);
        assert!((exact.0 - score.0).abs() < 1e-3 && (exact.1 - score.1).abs() < 1e-3, "{share}: {exact:?} {score:?}");
        let rate = share as f64 / 1000.0;
        for trials in [1_000_000, 9_999_990, 5_000_000_000_000] {
            let (low, high) = binomial_interval(hits(trials), trials, 0.95);
            assert!(low <= rate + 1e-9 && rate <= high + 1e-9 && high - low < 0.01, "{share} of {trials}");
        }
    }
}

#[test]
fn binomial_intervals_are_the_tabulated_ones() {
    let close = |found: (f64, f64), low: f64, high: f64| (found.0 - low).abs() < 5e-4 && (found.1 - high).abs() < 5e-4;
    assert!(close(binomial_interval(8, 10, 0.95), 0.4439, 0.9748));
    assert!(close(binomial_interval(0, 10, 0.95), 0.0, 0.3085));
    assert!(close(binomial_interval(10, 10, 0.95), 0.6915, 1.0));
    assert_eq!(binomial_interval(0, 0, 0.95), (0.0, 1.0));
    assert!(close(binomial_interval(4999, 5000, 0.95), 0.9989, 1.0));
}
