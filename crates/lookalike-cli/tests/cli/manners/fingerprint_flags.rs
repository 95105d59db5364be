//! Words and records of jobs over given fingerprints: they name the flags and figures of fingerprints, not those of
//! texts.

use crate::common::{Sandbox, rows};
use serde_json::{Value, json};

const SEARCH: &str = "--bits phash --measure hamming --distance 3";
const LINES: &str = concat!(
    "{\"id\":\"a\",\"phash\":\"00000000000000f0\",\"n\":\"1\"}\n",
    "{\"id\":\"b\",\"phash\":\"00000000000000f3\",\"n\":\"2\"}\n",
);

/// Records, once in each of three formats.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with("in.jsonl", LINES);
    for output in ["in.csv", "in.parquet"] {
        sandbox.succeed(&format!("dedup in.jsonl --text-field n -q -o {output}"));
    }
    sandbox
}

#[test]
fn a_field_that_no_record_has_is_said_to_be_that_of_bits() {
    let sandbox = sandbox();
    let search = SEARCH.replace("phash", "nope");
    for (input, expected, remedy) in [
        ("in.jsonl", "in.jsonl:1: no field `nope`; ", " (--bits; --on-error skip leaves such records out)"),
        ("in.csv", "in.csv has no column `nope`; ", "; name yours (--bits)"),
        ("in.parquet", "in.parquet has no column `nope`; ", "; name yours (--bits)"),
    ] {
        sandbox.refused(&format!("dedup {input} {search}"), &format!("{expected}...{remedy}"));
        let words = sandbox.refuse_in_a_line(&format!("dedup {input} --text-field nope"));
        assert!(words.contains("--text-field") && !words.contains("--bits"), "{words}");
    }
}

#[test]
fn a_null_in_a_column_is_no_fingerprint() {
    let lines = LINES.to_owned() + "{\"id\":\"c\",\"phash\":null,\"n\":\"3\"}\n";
    let sandbox = Sandbox::with("in.jsonl", lines);
    sandbox.succeed("dedup in.jsonl --text-field n -q -o in.parquet");
    sandbox.refuse_all("manners/a_null_in_a_column_is_no_fingerprint");
}

#[test]
fn bit_sampling_that_is_out_of_reach_speaks_of_bits() {
    let sandbox = sandbox();
    sandbox.refuse_all("manners/bit_sampling_that_is_out_of_reach_speaks_of_bits");
}

#[test]
fn annotations_have_the_distance() {
    let sandbox = sandbox();
    let kept = json!({"duplicate": false, "kept": "a", "distance": 0, "cluster_size": 2});
    let removed = json!({"duplicate": true, "kept": "a", "distance": 2, "cluster_size": 2});
    for input in ["in.jsonl", "in.parquet"] {
        sandbox.succeed(&format!("dedup {input} {SEARCH} --annotate -q -o out.jsonl"));
        let found: Vec<Value> = rows(&sandbox.read("out.jsonl"));
        let found: Vec<&Value> = found.iter().map(|record| &record["lookalike"]).collect();
        assert_eq!(found, [&kept, &removed], "{input}");
    }
    sandbox.succeed(&format!("dedup in.parquet {SEARCH} --annotate -q -o out.parquet"));
    sandbox.succeed("dedup out.parquet --text-field n -q -o copied.csv");
    sandbox.succeed(&format!("dedup in.csv {SEARCH} --annotate -q -o out.csv"));
    let expected = "id,phash,n,lookalike_duplicate,lookalike_kept,lookalike_distance,lookalike_cluster_size\n\
                    a,00000000000000f0,1,false,a,0,2\nb,00000000000000f3,2,true,a,2,2\n";
    assert_eq!(sandbox.read("out.csv"), expected);
    assert_eq!(sandbox.read("copied.csv"), expected);
    sandbox.refuse_all("manners/annotations_have_the_distance");
}

#[test]
fn options_of_texts_are_refused() {
    let sandbox = sandbox();
    sandbox.succeed(&format!("pairs in.jsonl {SEARCH} -q -o pairs.csv"));
    sandbox.refuse_all("manners/options_of_texts_are_refused");
    sandbox.succeed(&format!("dedup in.jsonl {SEARCH} --keep max:n"));
}

#[test]
fn an_encoding_is_that_of_all_columns_of_a_table() {
    let sandbox = Sandbox::with("in.csv", b"id,phash\na,00000000000000f0\nb\xe9,00000000000000f1\n");
    sandbox.succeed(&format!("dedup in.csv {SEARCH} --encoding windows-1252 -q --removed removed.csv"));
    assert_eq!(sandbox.read("removed.csv"), "id,kept,distance,reason\nb\u{e9},a,1,near\n");
}
