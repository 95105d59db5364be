//! `plan`.

use crate::common::Sandbox;
use serde::Deserialize;

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

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    threshold: f64,
    wanted_recall: f64,
    permutations: usize,
    low: Option<Low>,
    chosen_by: String,
    banding: Banding,
    least_area_rule: Banding,
    curve: Vec<Point>,
    estimate: Estimate,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Low {
    similarity: f64,
    wanted_rate: f64,
    rate: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Banding {
    bands: usize,
    rows: usize,
    permutations_used: usize,
    recall_at_threshold: f64,
    false_negative_rate_at_threshold: f64,
    false_positive_area: f64,
    false_negative_area: f64,
    steepest_similarity: f64,
    approximate_threshold: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Point {
    similarity: f64,
    probability: f64,
    least_area_rule_probability: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Estimate {
    similarity: f64,
    error: f64,
    confidence: f64,
    permutations_needed_exact: usize,
    permutations_needed_chernoff: usize,
    error_probability_exact: f64,
    error_probability_chernoff: f64,
}

fn plan(arguments: &str) -> Plan {
    serde_json::from_str(&Sandbox::new().succeed(&format!("plan --format json {arguments}")).stdout).unwrap()
}

impl Plan {
    fn probability_at(&self, similarity: f64) -> f64 {
        self.curve.iter().find(|point| (point.similarity - similarity).abs() < 1e-9).unwrap().probability
    }
}

#[test]
fn json_has_the_promised_fields() {
    let found = plan("");
    assert_eq!((found.threshold, found.wanted_recall, found.permutations), (0.8, 0.99, 128));
    assert_eq!((found.low.is_none(), found.chosen_by.as_str()), (true, "least_false_positive_area"));
    let Banding { bands, rows, permutations_used, recall_at_threshold: recall, .. } = found.banding;
    assert!(bands * rows == permutations_used && permutations_used <= 128 && recall >= 0.99);
    assert!((found.banding.false_negative_rate_at_threshold - (1.0 - recall)).abs() < 1e-12);
    assert!(found.banding.false_positive_area > found.banding.false_negative_area);
    let rule = (1.0 / bands as f64).powf(1.0 / rows as f64);
    assert!((found.banding.approximate_threshold - rule).abs() < 1e-12);
    assert!((found.banding.steepest_similarity - rule).abs() < 0.05);
    assert_eq!((found.least_area_rule.bands, found.least_area_rule.rows), (9, 13));
    assert!(found.curve.iter().all(|point| point.least_area_rule_probability <= point.probability));
    let Estimate { similarity, error, confidence, error_probability_exact: exact, .. } = found.estimate;
    assert_eq!((similarity, error, confidence), (0.8, 0.05, 0.95));
    assert!(exact <= found.estimate.error_probability_chernoff);
    assert!(found.estimate.permutations_needed_exact <= found.estimate.permutations_needed_chernoff);
}

#[test]
fn textbook_curves_are_reproduced() {
    let classic = plan("--bands 20 --rows 5");
    assert_eq!(classic.chosen_by, "user");
    let expected = [0.006, 0.047, 0.186, 0.470, 0.802, 0.975, 0.9996];
    for (step, expected) in expected.into_iter().enumerate() {
        let found = classic.probability_at((step + 2) as f64 / 10.0);
        assert!((found - expected).abs() < 0.0006, "{found} for {expected}");
    }
    assert!((classic.banding.false_negative_rate_at_threshold - 0.00035).abs() < 0.00001);
    let steep = plan("--bands 42 --rows 3");
    assert!((steep.probability_at(0.5) - 0.996).abs() < 0.0005 && (steep.probability_at(0.05) - 0.005).abs() < 0.0005);
}

#[test]
fn a_low_rate_chooses_the_fewest_permutations() {
    let found = plan("--threshold 0.5 --recall 0.9 --low 0.1 --low-rate 0.05");
    let low = found.low.unwrap();
    assert_eq!((low.similarity, low.wanted_rate, found.chosen_by.as_str()), (0.1, 0.05, "fewest_permutations"));
    assert!(low.rate <= 0.05 && found.banding.recall_at_threshold >= 0.9);
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

#[test]
fn impossible_goals_are_explained() {
    let sandbox = Sandbox::new();
    let words = sandbox.refuse_in_a_line("plan --threshold 0.05 --permutations 64");
    assert!(words.contains("out of reach") && words.contains("64 permutations"), "{words}");
    let words = sandbox.refuse_in_a_line("plan --bands 16 --rows 16");
    assert!(words.contains("need 256 permutations, but the maximum is 128"), "{words}");
    for arguments in ["--low 0.1", "--low-rate 0.1", "--bands 9", "--rows 9"] {
        assert!(sandbox.refuse(&format!("plan {arguments}")).contains("needs another"), "{arguments}");
    }
    for arguments in ["--recall 1", "--recall 0", "--threshold 0", "--threshold 1.1", "--low 2 --low-rate 0.1"] {
        assert!(sandbox.refuse(&format!("plan {arguments}")).contains("invalid value"), "{arguments}");
    }
    assert!(sandbox.refuse_in_a_line("plan --plot none/curve.svg").contains("none/curve.svg"));
}
