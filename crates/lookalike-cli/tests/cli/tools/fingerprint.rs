//! `fingerprint`: SimHash in rows of all formats.

use crate::common::{Sandbox, record, rows, words};
use serde::Deserialize;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fingerprint {
    id: String,
    simhash: Option<String>,
}

fn sandbox() -> Sandbox {
    let texts = [("a", words(0..200)), ("b", words(2..202)), ("c", words(500..700)), ("empty", String::new())];
    Sandbox::with("in.jsonl", texts.map(|(id, text)| record(id, &text)).concat())
}

fn bits(row: &Fingerprint) -> u128 {
    u128::from_str_radix(row.simhash.as_deref().unwrap(), 16).unwrap()
}

#[test]
fn similar_documents_have_fingerprints_that_differ_in_few_bits() {
    let sandbox = sandbox();
    let found: Vec<Fingerprint> = rows(&sandbox.succeed("fingerprint in.jsonl --fingerprint-bits 128").stdout);
    assert_eq!(found.iter().map(|row| &*row.id).collect::<Vec<_>>(), ["a", "b", "c", "empty"]);
    assert_eq!(found[3].simhash, None);
    assert_eq!(found[0].simhash.as_ref().map(String::len), Some(32));
    let differing = |a: usize, b: usize| (bits(&found[a]) ^ bits(&found[b])).count_ones();
    // Cosines .98 and 0: 8 and 64 bits are expected to differ.
    assert!(differing(0, 1) < 25 && differing(0, 2) > 35, "{} {}", differing(0, 1), differing(0, 2));
    let short: Vec<Fingerprint> = rows(&sandbox.succeed("fingerprint in.jsonl").stdout);
    assert_eq!(short[0].simhash.as_deref(), found[0].simhash.as_deref().map(|digits| &digits[..16]));
}

#[test]
fn fingerprints_are_digits_in_text_and_bytes_in_columns() {
    let sandbox = sandbox();
    sandbox.succeed("fingerprint in.jsonl -o out.csv --weights tfidf --summary summary.json");
    let csv = sandbox.read("out.csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[4]), (5, "id,simhash", "empty,"));
    assert!(sandbox.read("summary.json").contains("\"weights\":\"tfidf\""));
    let first = lines[1].split(',').nth(1).unwrap().to_owned();
    sandbox.succeed("fingerprint in.jsonl -o out.parquet --weights tfidf --threads 3");
    sandbox.succeed("fingerprint in.jsonl -o out.arrow --weights tfidf --memory 32MiB");
    // Eight bytes as they stand in the digits.
    let bytes: Vec<u8> = (0..8).map(|byte| u8::from_str_radix(&first[2 * byte..2 * byte + 2], 16).unwrap()).collect();
    assert!(sandbox.bytes("out.arrow").windows(8).any(|window| window == bytes));
    assert!(sandbox.bytes("out.parquet").windows(8).any(|window| window == bytes));
}

#[test]
fn other_numbers_of_bits_are_refused_in_a_line() {
    for bits in ["0", "63", "100", "-64", "2048"] {
        let refused = sandbox().refuse_in_a_line(&format!("fingerprint in.jsonl -o out.csv --fingerprint-bits {bits}"));
        assert!(refused.contains(bits) || refused.contains("fingerprint-bits"), "{refused}");
    }
    sandbox().refused("fingerprint in.jsonl -o out.csv --bag", "...a bag does not fit the measure cosine...");
}
