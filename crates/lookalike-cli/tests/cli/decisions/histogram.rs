//! `pairs --histogram`: its counts are those of brute force, and its drawing has all that it says.

use crate::common::{Pair, Random, Sandbox, record, rows, words};
use serde_json::Value;

/// Texts of which many share a part, copies among them.
fn texts() -> Vec<Vec<usize>> {
    let mut random = Random(11);
    let mut text = |_| {
        let start = random.below(40) as usize;
        let length = 8 + random.below(25) as usize;
        (start..start + length).collect()
    };
    (0..120).map(&mut text).collect()
}

fn corpus() -> String {
    let text = |numbers: &Vec<usize>| words(numbers[0]..numbers[0] + numbers.len());
    texts().iter().enumerate().map(|(id, numbers)| record(&id.to_string(), &text(numbers))).collect()
}

fn histogram(sandbox: &Sandbox, flags: &str) -> Value {
    sandbox.succeed(&format!("pairs in.jsonl {flags} -o pairs.jsonl --histogram h.json"));
    serde_json::from_str(&sandbox.read("h.json")).unwrap()
}

/// Number of pairs of texts by hundredths of their similarity: shared words of those in either, as fractions.
fn brute_force() -> [u64; 100] {
    let texts = texts();
    let mut counts = [0; 100];
    for (index, right) in texts.iter().enumerate() {
        for left in &texts[..index] {
            let common = left.iter().filter(|word| right.contains(word)).count();
            let union = left.len() + right.len() - common;
            counts[(100 * common / union).min(99)] += 1;
        }
    }
    counts
}

fn numbers(histogram: &Value, field: &str) -> Vec<f64> {
    histogram["bins"].as_array().unwrap().iter().map(|bin| bin[field].as_f64().unwrap()).collect()
}

#[test]
fn pairs_are_counted_as_brute_force_counts_them() {
    let sandbox = Sandbox::with("in.jsonl", corpus());
    let expected = brute_force();
    let found = histogram(&sandbox, "--shingle word:1 -t 0.3 --method exact");
    let pairs = numbers(&found, "pairs");
    for (bin, (&count, &expected)) in pairs.iter().zip(&expected).enumerate() {
        assert_eq!(count as u64, if bin < 30 { 0 } else { expected }, "{bin}");
    }
    let listed = rows::<Pair>(&sandbox.read("pairs.jsonl")).len() as u64;
    assert_eq!((found["pairs"].as_u64(), pairs.iter().sum::<f64>() as u64), (Some(listed), listed));
    // All refused candidates are few enough to be looked at, and each is a pair of different texts below the threshold.
    let refused = numbers(&found, "estimated_refused_candidates");
    assert_eq!(found["refused_candidates"], found["sampled_candidates"]);
    assert_eq!(found["refused_candidates"].as_f64(), Some(refused.iter().sum()));
    assert!(found["refused_candidates"].as_u64() > Some(50), "{found}");
    assert!(refused.iter().zip(&expected).all(|(&refused, &all)| refused as u64 <= all));
    assert!(refused[30..].iter().all(|&count| count == 0.0));
    assert_eq!(
        (found["bins"][29]["probability"].as_f64(), found["bins"][30]["probability"].as_f64()),
        (None, Some(1.0))
    );
}

#[test]
fn histogram_is_counted_though_a_checkpoint_does_not_know_its_candidates() {
    let sandbox = Sandbox::with("in.jsonl", corpus());
    let flags = "--shingle word:1 -t 0.4 --method minhash --bands 20 --rows 2";
    let one = histogram(&sandbox, flags);
    assert_eq!((one["method"].as_str(), one["bands"].as_u64()), (Some("minhash"), Some(20)));
    assert!(
        (one["bins"][50]["probability"].as_f64().unwrap() - (1.0 - (1.0f64 - 0.505 * 0.505).powi(20))).abs() < 1e-9
    );
    // A checkpoint of a job without a histogram does not know the candidates.
    sandbox.succeed(&format!("pairs in.jsonl {flags} -o pairs.jsonl --work-dir work"));
    assert_eq!(histogram(&sandbox, &format!("{flags} --work-dir work")), one);
}

#[test]
fn drawing_shows_bars_curve_and_threshold() {
    let sandbox = Sandbox::with("in.jsonl", corpus());
    for (method, curve, refused) in [
        ("exact", "found by the exact method: all from the threshold on", "candidates of the prefix filter below"),
        ("minhash --bands 20 --rows 2", "S-curve of 20 bands x 2 rows", "candidates of the bands below"),
    ] {
        sandbox
            .succeed(&format!("pairs in.jsonl --shingle word:1 -t 0.3 --method {method} -o p.csv --histogram h.svg"));
        let svg = sandbox.read("h.svg");
        let pairs = sandbox.read("p.csv").lines().count() - 1;
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        let pairs_label = format!("{}{:03} verified pairs", pairs / 1000, pairs % 1000);
        assert!(svg.replace(',', "").contains(pairs_label.trim_start_matches('0')), "{pairs_label}");
        for label in [curve, "threshold 0.3", refused, "Jaccard similarity"] {
            assert!(svg.contains(label), "{label}");
        }
    }
    sandbox.write("empty.jsonl", "");
    sandbox.succeed("pairs empty.jsonl -o p.csv --histogram empty.svg");
    assert!(sandbox.read("empty.svg").contains("0 verified pairs"));
}

#[test]
fn histogram_is_refused_where_it_cannot_be_written() {
    let sandbox = Sandbox::with("in.jsonl", corpus());
    sandbox.refuse_all("decisions/histogram_is_refused_where_it_cannot_be_written");
    sandbox.write("in.json", "[]");
    sandbox.refused("pairs in.json -o p.csv --histogram in.json", "...input...--histogram...");
    let line = sandbox.refuse_in_a_line("pairs in.jsonl -o p.json --histogram p.json");
    assert!(!line.is_empty());
}

#[cfg(unix)]
#[test]
fn drawings_go_to_devices_and_descriptors() {
    let sandbox = Sandbox::with("in.jsonl", corpus());
    let flags = "--shingle word:1 -t 0.3 -o p.csv -q";
    sandbox.answers(&format!("pairs in.jsonl {flags} --histogram /dev/stdout"), "<svg...verified pairs...");
    sandbox.succeed(&format!("pairs in.jsonl {flags} --histogram /dev/null"));
    let drawn = sandbox.succeed("plan --measure hamming --distance 3 --plot /dev/stdout").stdout;
    assert!(
        drawn.contains("<svg") && drawn.contains("distance 3: P = ") && drawn.contains("Hamming distance"),
        "{drawn}"
    );
}
