use super::*;
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

fn goal(threshold: f64, recall: f64, permutations: usize) -> Goal {
    Goal { threshold, recall, permutations, low: None }
}

fn shape(banding: Banding) -> (usize, usize) {
    (banding.bands(), banding.rows())
}

/// Finds all bandings within the permutations that reach the goal, by trying them.
fn all_reaching(goal: &Goal) -> Vec<Banding> {
    let all = (1..=goal.permutations).flat_map(|rows| (1..=goal.permutations / rows).map(move |bands| (bands, rows)));
    let all = all.map(|(bands, rows)| Banding::new(bands, rows).unwrap());
    let reaching = all.filter(|banding| banding.probability(goal.threshold) >= goal.recall);
    reaching.filter(|banding| goal.low.is_none_or(|low| banding.probability(low.similarity) <= low.rate)).collect()
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
    let goal_with_low = Goal { low, ..goal(0.5, 0.995, 128) };
    let banding = choose(&goal_with_low).unwrap();
    assert_eq!(shape(banding), (40, 3));
    assert!(banding.probability(0.5) >= 0.995 && banding.probability(0.05) <= 0.01);
    assert_eq!(all_reaching(&goal_with_low).iter().map(|banding| banding.num_perm()).min(), Some(120));
    assert!(all_reaching(&goal_with_low).iter().any(|&banding| shape(banding) == (42, 3)));
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
    let none = choose(&goal(0.8, 0.99, 0));
    assert!(matches!(none, Err(Error::OutOfRange { name: "permutations", .. })));
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

proptest! {
    #[test]
    fn choice_is_the_cheapest_of_all(t in 1u32..=100, miss in 1u32..500, k in 1usize..70, low in 0u32..60) {
        let low = LowRate { similarity: f64::from(low) / 100.0, rate: 0.05 };
        let low = (low.similarity > 0.0).then_some(low);
        let goal_with_low = Goal { low, ..goal(f64::from(t) / 100.0, 1.0 - f64::from(miss) / 1000.0, k) };
        let all = all_reaching(&goal_with_low);
        let Ok(chosen) = choose(&goal_with_low) else {
            prop_assert!(all.is_empty());
            return Ok(());
        };
        prop_assert!(all.contains(&chosen));
        let least = all.iter().map(|&banding| goal_with_low.cost(banding)).min_by(compare);
        prop_assert_eq!(Some(goal_with_low.cost(chosen)), least);
    }
}
