use super::*;
use clap::Parser;
use serde::Deserialize;

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    plan: PlanArgs,
}

fn args_of(flags: &str) -> PlanArgs {
    Command::try_parse_from(["plan"].into_iter().chain(flags.split_whitespace())).unwrap().plan
}

/// The plan of bands for a command line of flags and values, without the `plan` itself.
pub(super) fn bands_plan(flags: &str) -> bands::BandsPlan {
    bands::BandsPlan::new(&args_of(flags)).unwrap()
}

fn json_of(flags: &str) -> serde_json::Value {
    serde_json::from_str(&plan(&args_of(flags)).unwrap().json).unwrap()
}

fn refusal(flags: &str) -> String {
    match Command::try_parse_from(["plan"].into_iter().chain(flags.split_whitespace())) {
        Ok(command) => format!("{:#}", plan(&command.plan).map(|plan| plan.text).unwrap_err()),
        Err(error) => error.to_string(),
    }
}

fn text_of(flags: &str) -> String {
    plan(&args_of(flags)).unwrap().text
}

#[test]
fn a_selection_has_a_plan_of_its_own() {
    let json = json_of("--select mod:16 -t 0.9");
    assert_eq!((json["select"].as_str(), json["density"].as_f64()), (Some("mod:16"), Some(0.0625)));
    // 1000 shingles have 63 fingerprints; P(Binomial(63, 0.9) < 51) = 0.0087, < 52 = 0.0211.
    let size = &json["sizes"][3];
    assert_eq!((&size["shingles"], &size["fingerprints"], &size["min_common"]), (&1000.into(), &63.into(), &51.into()));
    // Of 2 fingerprints both are missed for 0.1^2 = 0.01 of the pairs, less than the 0.02 that are allowed.
    assert_eq!(json_of("--select mod:16 -t 0.9 --recall 0.98")["min_fingerprints"], 2);
    let text = text_of("--select winnow:9");
    assert!(text.contains("Texts with 9 consecutive shingles in common find each other, always."), "{text}");
    assert!(text.starts_with("winnow:9 selects 0.20000 of the shingles"), "{text}");
    for flags in ["--select mod:4 --bands 3 --rows 2", "--select mod:0", "--select winnow:4 --plot x.svg"] {
        assert!(Command::try_parse_from(["plan"].into_iter().chain(flags.split_whitespace())).is_err(), "{flags}");
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PromisedPlan {
    threshold: f64,
    wanted_recall: f64,
    permutations: usize,
    low: Option<PromisedLow>,
    chosen_by: String,
    banding: PromisedBanding,
    least_area_rule: PromisedBanding,
    curve: Vec<PromisedPoint>,
    estimate: PromisedEstimate,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PromisedLow {
    similarity: f64,
    wanted_rate: f64,
    rate: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are the promise; values are checked elsewhere")]
struct PromisedBanding {
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are the promise; values are checked elsewhere")]
struct PromisedPoint {
    similarity: f64,
    probability: f64,
    least_area_rule_probability: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are the promise; values are checked elsewhere")]
struct PromisedEstimate {
    similarity: f64,
    error: f64,
    confidence: f64,
    permutations_needed_exact: usize,
    permutations_needed_chernoff: usize,
    error_probability_exact: f64,
    error_probability_chernoff: f64,
}

fn promised(flags: &str) -> PromisedPlan {
    serde_json::from_value(json_of(flags)).unwrap()
}

#[test]
fn json_has_the_promised_fields_and_no_others() {
    let plan = promised("");
    assert_eq!((plan.threshold, plan.wanted_recall, plan.permutations), (0.8, 0.99, 128));
    assert_eq!((plan.banding.bands, plan.banding.rows, plan.chosen_by.as_str()), (16, 6, "least_false_positive_area"));
    assert_eq!((plan.least_area_rule.bands, plan.least_area_rule.rows), (9, 13));
    assert!(plan.low.is_none());
    assert_eq!((plan.curve.len(), plan.estimate.permutations_needed_chernoff), (20, 738));
}

#[test]
fn json_of_a_low_rate_names_the_wanted_and_the_reached_one() {
    let plan = promised("--threshold 0.5 --recall 0.995 --low 0.07 --low-rate 0.02");
    let low = plan.low.unwrap();
    assert_eq!((low.similarity, low.wanted_rate, plan.chosen_by.as_str()), (0.07, 0.02, "fewest_permutations"));
    assert!(low.rate <= 0.02);
    assert!(plan.curve.iter().any(|point| point.similarity == 0.07));
}

#[test]
fn a_given_banding_is_taken_as_it_is() {
    let plan = promised("--bands 20 --rows 5");
    assert_eq!((plan.banding.bands, plan.banding.rows, plan.chosen_by.as_str()), (20, 5, "user"));
}

#[test]
fn wrong_flags_are_explained() {
    assert!(refusal("--bands 20").contains("--rows"));
    assert!(refusal("--rows 5").contains("--bands"));
    assert!(refusal("--low 0.1").contains("--low-rate"));
    assert!(refusal("--recall 1").contains("both excluded"));
    assert!(refusal("--threshold 1.5").contains("at most 1"));
    assert!(refusal("--permutations 0").contains("--permutations"));
    assert!(refusal("--error 0.00001").contains("at least 0.0001"));
    assert!(refusal("--bands 16 --rows 16").contains("need 256 permutations, but the maximum is 128"));
    assert!(refusal("--threshold 0.05 --permutations 64").contains("no bands and rows within 64 permutations"));
}

#[test]
fn cosines_have_tables_of_bits_by_the_law() {
    let json = json_of("--measure cosine");
    assert_eq!((&json["tables"], &json["bits_in_a_table"], &json["bits"]), (&178.into(), &16.into(), &2848.into()));
    assert_eq!(json["differing_of_64_bits"], 21);
    // The definition: 1 - (1 - (1 - acos(0.8) / pi)^16)^178.
    let same = (1.0 - 0.8f64.acos() / std::f64::consts::PI).powi(16);
    let expected = 1.0 - (1.0 - same).powi(178);
    assert!((json["recall_at_threshold"].as_f64().unwrap() - expected).abs() < 1e-12);
    let text = text_of("--measure cosine -t 0.999");
    assert!(text.contains("at most 4 differ with this recall, so one of 5 blocks of 12 bits agrees"), "{text}");
    let text = text_of("--measure cosine -t 0.8");
    assert!(text.contains("22 blocks would have 2 bits") && text.contains("0.80  <- threshold"), "{text}");
    let refused = refusal("--measure cosine --fingerprint-bits 64");
    assert!(refused.contains("it takes 2,848 bits"), "{refused}");
}

#[test]
fn distances_have_sampled_bits() {
    let json = json_of("--measure hamming --distance 3 --width 128");
    let tables = json["tables"].as_i64().unwrap() as i32;
    let bits = json["bits_in_a_table"].as_i64().unwrap() as i32;
    let expected = 1.0 - (1.0 - (125.0f64 / 128.0).powi(bits)).powi(tables);
    assert!((json["recall_at_threshold"].as_f64().unwrap() - expected).abs() < 1e-12 && expected >= 0.99);
    for (flags, words) in [
        ("--measure hamming", "--distance K"),
        ("--measure hamming --distance 64", "expected a number of bits below 64"),
        ("--measure hamming --distance 3 --fingerprint-bits 64", "--fingerprint-bits is for --measure cosine"),
        ("--measure cosine --width 32", "--distance and --width are for --measure hamming"),
        ("--measure cosine --bands 2 --rows 3", "are for --measure jaccard"),
    ] {
        let refused = refusal(flags);
        assert!(refused.contains(words), "{flags}: {refused}");
    }
}
