//! `checksum`.

use crate::common::{Sandbox, record, rows};
use serde::Deserialize;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    group: u64,
    id: String,
    equal: String,
    checksum: String,
}

/// The textbook's text twice, in other letters, and another.
fn fish() -> Sandbox {
    let texts = [("a", "Tropical fish"), ("b", "Other"), ("c", "Tropical fish"), ("d", "TROPICAL \t fish")];
    Sandbox::with("in.jsonl", texts.map(|(id, text)| record(id, text)).concat())
}

#[test]
fn copies_are_listed_by_bytes_and_by_normalized_text() {
    let found = rows::<Row>(&fish().succeed("checksum in.jsonl --algorithm sum").stdout);
    let row = |group, id: &str, equal: &str, checksum: &str| Row {
        group,
        id: id.to_owned(),
        equal: equal.to_owned(),
        checksum: checksum.to_owned(),
    };
    let of_text = &found[2].checksum;
    let expected = [
        row(0, "a", "bytes", "508"),
        row(0, "c", "bytes", "508"),
        row(1, "a", "text", of_text),
        row(1, "c", "text", of_text),
        row(1, "d", "text", of_text),
    ];
    assert_eq!(found, expected);
    assert_eq!(of_text, "528", "the capital T became a small one");
}

#[test]
fn each_algorithm_gives_its_known_checksum() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "123456789") + &record("b", "123456789"));
    for (algorithm, expected) in [
        ("sum", "1dd"),
        ("crc32", "cbf43926"),
        ("xxh3", "72dcb18b67a17dff"),
        ("sha256", "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"),
    ] {
        let found = rows::<Row>(&sandbox.succeed(&format!("checksum in.jsonl --algorithm {algorithm}")).stdout);
        assert!(found.iter().all(|row| row.checksum == expected), "{algorithm}: {found:?}");
        assert_eq!(found.len(), 2);
    }
    assert_eq!(
        sandbox.succeed("checksum in.jsonl").stdout,
        sandbox.succeed("checksum in.jsonl --algorithm xxh3").stdout
    );
}

#[test]
fn tables_and_folders_are_understood() {
    let sandbox = Sandbox::with("in/a.txt", "same");
    sandbox.write("in/deep/b.txt", "same");
    sandbox.write("in/c.txt", "other");
    let run = sandbox.succeed("checksum in -o out.csv --algorithm crc32");
    assert_eq!(run.stderr, "1 group of exact copies\n");
    let table = sandbox.read("out.csv");
    assert_eq!(table.lines().next(), Some("group,id,equal,checksum"));
    assert!(table.contains("0,a.txt,bytes,") && table.contains("0,deep/b.txt,bytes,"), "{table}");
}

#[test]
fn bad_records_are_left_out_on_request() {
    let sandbox = fish();
    sandbox.write("bad.jsonl", "oops\n");
    sandbox.refused("checksum in.jsonl bad.jsonl -o out.csv", "bad.jsonl:1: not JSON...");
    let run = sandbox.run("checksum in.jsonl bad.jsonl --on-error skip");
    assert_eq!((run.code, rows::<Row>(&run.stdout).len()), (Some(0), 5));
    assert!(run.stderr.contains("bad.jsonl:1: not JSON"), "{}", run.stderr);
}
