use super::*;
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
use statrs::distribution::Discrete;
use std::ops::RangeInclusive;

fn goal(threshold: f64, recall: f64, permutations: usize) -> Goal {
    Goal { threshold, recall, permutations, low: None }
}

fn shape(banding: Banding) -> (usize, usize) {
    (banding.bands(), banding.rows())
}

/// All bandings within the permutations that reach the goal, by trying them.
fn all_reaching(goal: &Goal) -> Vec<Banding> {
    let all = (1..=goal.permutations).flat_map(|rows| (1..=goal.permutations / rows).map(move |bands| (bands, rows)));
    let all = all.map(|(bands, rows)| Banding::new(bands, rows).unwrap());
    let reaching = all.filter(|banding| banding.probability(goal.threshold) >= goal.recall);
    reaching.filter(|banding| goal.low.is_none_or(|low| banding.probability(low.similarity) <= low.rate)).collect()
}

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
fn the_default_goal_keeps_recall_where_the_least_area_does_not() {
    let banding = choose(&goal(0.8, 0.99, 128)).unwrap();
    assert_eq!(shape(banding), (16, 6));
    assert!(banding.probability(0.8) >= 0.99);
    let peers = least_area(0.8, 128).unwrap();
    assert_eq!(shape(peers), (9, 13));
    assert!((peers.probability(0.8) - 0.40).abs() < 0.005);
}

#[test]
fn least_area_agrees_with_datasketch() {
    // Found with its loop and its integration (all strips 0.001 wide, the last one too) written again in Python.
    let known =
        [(0.5, 128, (25, 5)), (0.7, 128, (14, 9)), (0.9, 128, (5, 25)), (0.5, 256, (42, 6)), (0.8, 256, (17, 15))];
    for (threshold, permutations, expected) in known {
        assert_eq!(shape(least_area(threshold, permutations).unwrap()), expected, "{threshold} {permutations}");
    }
}

#[test]
fn a_low_rate_takes_the_fewest_permutations() {
    let low = Some(LowRate { similarity: 0.05, rate: 0.01 });
    let wanted = Goal { low, ..goal(0.5, 0.995, 128) };
    let banding = choose(&wanted).unwrap();
    assert_eq!(shape(banding), (40, 3));
    assert!(banding.probability(0.5) >= 0.995 && banding.probability(0.05) <= 0.01);
    assert_eq!(all_reaching(&wanted).iter().map(|banding| banding.num_perm()).min(), Some(120));
    assert!(all_reaching(&wanted).iter().any(|&banding| shape(banding) == (42, 3)));
}

#[test]
fn equal_sets_share_any_band() {
    // At threshold 1 every banding finds all, so one band of all rows has the least area below.
    assert_eq!(shape(choose(&goal(1.0, 0.999, 64)).unwrap()), (1, 64));
    assert_eq!(false_negative_area(Banding::new(1, 64).unwrap(), 1.0).to_bits(), 0.0f64.to_bits());
}

#[test]
fn goals_out_of_reach_are_refused() {
    let found = choose(&goal(0.1, 0.99, 16));
    assert_eq!(found, Err(Error::NoBanding { permutations: 16, recall: 0.99, threshold: 0.1, low: None }));
    assert!(matches!(choose(&goal(0.8, 0.99, 0)), Err(Error::NoBanding { .. })));
    let low = Some(LowRate { similarity: 0.79, rate: 0.01 });
    assert!(matches!(choose(&Goal { low, ..goal(0.8, 0.99, 128) }), Err(Error::NoBanding { .. })));
}

#[test]
fn numbers_outside_their_range_are_refused() {
    for threshold in [0.0, -0.1, 1.1, f64::NAN] {
        assert!(matches!(choose(&goal(threshold, 0.9, 9)), Err(Error::Threshold { .. })), "{threshold}");
        assert!(matches!(least_area(threshold, 9), Err(Error::Threshold { .. })), "{threshold}");
    }
    for recall in [0.0, 1.0, f64::NAN] {
        assert!(matches!(choose(&goal(0.5, recall, 9)), Err(Error::NotAProbability { name: "recall", .. })));
    }
    let low = Some(LowRate { similarity: 0.1, rate: 1.0 });
    let refused = choose(&Goal { low, ..goal(0.5, 0.9, 9) });
    assert_eq!(refused, Err(Error::NotAProbability { name: "low rate", found: 1.0 }));
    assert!(least_area(0.5, 0).is_err());
    assert!(permutations_for_error(1.1, 0.1, 0.9).is_err());
    assert!(permutations_for_error(f64::NAN, 0.1, 0.9).is_err());
    assert!(permutations_for_error(0.5, 0.0, 0.9).is_err());
    assert!(permutations_for_error(0.5, 0.1, 1.0).is_err());
}

#[test]
fn areas_are_those_of_the_integral() {
    // One band of one row: P(s) = s. One band of three: s^3.
    let line = Banding::new(1, 1).unwrap();
    let cubic = Banding::new(1, 3).unwrap();
    for threshold in [0.0005, 0.1, 0.3333, 0.8, 1.0] {
        let t: f64 = threshold;
        assert!((false_positive_area(line, t) - t * t / 2.0).abs() < 1e-12, "{t}");
        assert!((false_negative_area(line, t) - (1.0 - t).powi(2) / 2.0).abs() < 1e-12, "{t}");
        assert!((false_positive_area(cubic, t) - t.powi(4) / 4.0).abs() < 1e-6, "{t}");
    }
}

#[test]
fn error_probability_is_the_sum_of_the_binomial_tails() {
    for similarity in [10, 300, 500, 800, 999] {
        for error in [1, 50, 100, 333] {
            for permutations in [1, 2, 20, 64, 100, 128, 300] {
                let exact = summed_error_probability(similarity, error, permutations);
                let (s, e) = (similarity as f64 / 1000.0, error as f64 / 1000.0);
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
    fn choice_is_the_cheapest_of_all(t in 1u32..=100, miss in 1u32..500, k in 1usize..70, low in 0u32..60) {
        let low = LowRate { similarity: f64::from(low) / 100.0, rate: 0.05 };
        let low = (low.similarity > 0.0).then_some(low);
        let wanted = Goal { low, ..goal(f64::from(t) / 100.0, 1.0 - f64::from(miss) / 1000.0, k) };
        let all = all_reaching(&wanted);
        let Ok(chosen) = choose(&wanted) else {
            prop_assert!(all.is_empty());
            return Ok(());
        };
        prop_assert!(all.contains(&chosen));
        let least = all.iter().map(|&banding| wanted.cost(banding)).min_by(compare);
        prop_assert_eq!(Some(wanted.cost(chosen)), least);
    }

    #[test]
    fn blocks_bound_every_number_in_them(s in 0u32..=1000, e in 1u32..500, first in 1usize..200, more in 0usize..60) {
        let estimate = Estimate::new(f64::from(s) / 1000.0, f64::from(e) / 1000.0).unwrap();
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
        let (few, many) = (MOST_EXACT_TRIALS, MOST_EXACT_TRIALS + 1000);
        let (exact, score) = (binomial_interval(hits(few), few, 0.95), binomial_interval(hits(many), many, 0.95));
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
