//! `plan`.

use crate::common::{Sandbox, assert_promised};
use serde_json::Value;

#[test]
fn the_default_plan_is_for_reading() {
    insta::assert_snapshot!(Sandbox::new().succeed("plan").stdout, @"
    16 bands x 6 rows, using 96 of 128 permutations
    Of all bandings that find 0.99 of the pairs at 0.8, it lets the fewest less similar pairs through.

                                                      this plan       least-area rule
      bands x rows                                    16 x 6          9 x 13
      permutations used                               96              117
      recall: P of a shared band at 0.8               0.99228         0.39884
      false-negative rate: 1 - P at 0.8               0.00772         0.60116
      false-positive area: under P, below 0.8         0.21922         0.02531
      false-negative area: over P, above 0.8          0.000153        0.03328
      steepest similarity                             0.61217         0.83986
        roughly (1/b)^(1/r)                           0.62996         0.84449

    least-area rule (datasketch and tools built on it): 9 bands x 13 rows, P = 0.40 at 0.8

    Probability P that a pair shares a band and so becomes a candidate

      similarity                                      this plan       least-area rule
      0.05                                            0.000000250     1.10e-16
      0.10                                            0.0000160       9.00e-13
      0.15                                            0.000182        1.75e-10
      0.20                                            0.00102         7.37e-9
      0.25                                            0.00390         0.000000134
      0.30                                            0.01160         0.00000143
      0.35                                            0.02901         0.0000106
      0.40                                            0.06356         0.0000604
      0.45                                            0.12490         0.000279
      0.50                                            0.22273         0.00110
      0.55                                            0.36182         0.00379
      0.60                                            0.53442         0.01169
      0.65                                            0.71482         0.03279
      0.70                                            0.86502         0.08390
      0.75                                            0.95654         0.19458
      0.80    <- threshold                            0.99228         0.39884
      0.85                                            0.99949         0.68644
      0.90                                            0.99999         0.92860
      0.95                                            > 0.99999       0.99847
      1.00                                            1.00000         1.00000

    Estimating a similarity of 0.8 within +-0.05, with confidence 0.95

                                                      exact binomial  Chernoff bound
      permutations needed                             248             738
      P of a larger error with 128 permutations       0.15228         1.00000
    ");
}

#[test]
fn the_banding_of_datasketch_is_shown_to_find_two_fifths() {
    let text = Sandbox::new().succeed("plan --threshold 0.8 --permutations 128").stdout;
    assert!(text.contains("9 bands x 13 rows, P = 0.40 at 0.8\n"), "{text}");
}

fn plan(arguments: &str) -> Value {
    serde_json::from_str(&Sandbox::new().succeed(&format!("plan --format json {arguments}")).stdout).unwrap()
}

#[test]
fn json_has_the_promised_fields() {
    let found = plan("--threshold 0.5 --recall 0.9 --low 0.1 --low-rate 0.05");
    assert_promised("plan", &found);
    assert_eq!((&found["low"]["similarity"], &found["low"]["wanted_rate"]), (&0.1.into(), &0.05.into()));
    assert_eq!(found["chosen_by"], "fewest_permutations");
    assert!(
        found["low"]["rate"].as_f64() <= Some(0.05) && found["banding"]["recall_at_threshold"].as_f64() >= Some(0.9)
    );
    let found = plan("");
    let figures = |names: [&str; 3]| names.map(|name| found["banding"][name].as_f64().unwrap());
    let [bands, rows, recall] = figures(["bands", "rows", "recall_at_threshold"]);
    let [missed, rule, steepest] =
        figures(["false_negative_rate_at_threshold", "approximate_threshold", "steepest_similarity"]);
    assert!(recall >= 0.99 && (missed - (1.0 - recall)).abs() < 1e-12, "{found}");
    let expected = (1.0 / bands).powf(1.0 / rows);
    assert!((rule - expected).abs() < 1e-12 && (steepest - expected).abs() < 0.05, "{found}");
    let [used, below, above] = figures(["permutations_used", "false_positive_area", "false_negative_area"]);
    assert!(bands * rows == used && used <= 128.0 && below > above, "{found}");
    let estimate = |name: &str| found["estimate"][name].as_f64().unwrap();
    for what in ["error_probability", "permutations_needed"] {
        assert!(estimate(&format!("{what}_exact")) <= estimate(&format!("{what}_chernoff")), "{found}");
    }
    let points = found["curve"].as_array().unwrap();
    let is_below = |point: &Value| point["least_area_rule_probability"].as_f64() <= point["probability"].as_f64();
    assert!(points.iter().all(is_below), "{found}");
}

#[test]
fn textbook_curves_are_reproduced() {
    let probability_at = |plan: &Value, similarity: f64| {
        let is_here = |point: &&Value| (point["similarity"].as_f64().unwrap() - similarity).abs() < 1e-9;
        plan["curve"].as_array().unwrap().iter().find(is_here).unwrap()["probability"].as_f64().unwrap()
    };
    let classic = plan("--bands 20 --rows 5");
    let expected = [0.006, 0.047, 0.186, 0.470, 0.802, 0.975, 0.9996];
    for (step, expected) in expected.into_iter().enumerate() {
        let found = probability_at(&classic, (step + 2) as f64 / 10.0);
        assert!((found - expected).abs() < 0.0006, "{found} for {expected}");
    }
    let missed = classic["banding"]["false_negative_rate_at_threshold"].as_f64().unwrap();
    assert!((missed - 0.00035).abs() < 0.00001);
    let steep = plan("--bands 42 --rows 3");
    let [half, low] = [0.5, 0.05].map(|similarity| probability_at(&steep, similarity));
    assert!((half - 0.996).abs() < 0.0005 && (low - 0.005).abs() < 0.0005);
}

#[test]
fn the_curve_can_be_drawn() {
    let sandbox = Sandbox::new();
    let run = sandbox.succeed("plan --plot curve.svg");
    assert_eq!(run.stdout, Sandbox::new().succeed("plan").stdout);
    let drawing = sandbox.read("curve.svg");
    assert!(drawing.starts_with("<svg") && drawing.trim_end().ends_with("</svg>"), "{drawing}");
    assert!(drawing.contains("<polygon") || drawing.contains("<path"), "two areas are filled");
}
