//! `--check-texts`: answers that hold on hashes, and not on the texts.

use crate::common::{Sandbox, record, words};
use std::fs;

/// Two words of one hash of 32 bits: they stand for texts that were made to collide.
const COLLIDING: [&str; 2] = ["word194478", "word73587"];
const FLAGS: &str = "--shingle word:1 --hash-bits 32";

/// A pair that only hashes have (c0, c1), one of equal texts that look different (e0, e1), and a true near pair (n0,
/// n1).
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let records = [
        record("c0", COLLIDING[0]),
        record("c1", COLLIDING[1]),
        record("e0", "one two three four"),
        record("e1", "Four, three, TWO: one!"),
        record("n0", &words(0..30)),
        record("n1", &words(0..29)),
    ];
    sandbox.write("in.jsonl", records.concat());
    sandbox
}

#[test]
fn removals_that_only_hashes_have_are_undone() {
    let sandbox = sandbox();
    sandbox.says(&format!("dedup in.jsonl -o out.jsonl {FLAGS}"), "6 documents: 3 kept, 3 removed...");
    for cluster in ["keepers", "connected"] {
        let command = format!("dedup in.jsonl -o {cluster}.jsonl --removed why.csv --summary summary.json {FLAGS}");
        let checked = sandbox.says(
            &format!("{command} --cluster {cluster} --check-texts"),
            "...6 documents: 4 kept, 2 removed (0 identical, 1 equal, 1 near)...",
        );
        let named = checked.stderr.contains("the texts of c1 and c0 are not as alike as their hashes")
            || checked.stderr.contains("the texts of c0 and c1 are not as alike as their hashes");
        assert!(named, "{}", checked.stderr);
        assert!(checked.stderr.contains("check of texts: 1 answer refused"), "{}", checked.stderr);
        let summary = sandbox.json("summary.json");
        assert!(summary["parameters"]["check"] == "texts" && summary["refused_by_texts"] == 1, "{summary}");
        let why = sandbox.read("why.csv");
        assert_eq!(why, "id,kept,similarity,reason\ne1,e0,1.0,equal\nn1,n0,0.9666666666666667,near\n");
        ["why.csv", "summary.json"].into_iter().for_each(|name| fs::remove_file(sandbox.path(name)).unwrap());
    }
}

#[test]
fn pairs_and_clusters_that_only_hashes_have_are_not_listed() {
    let sandbox = sandbox();
    let rows = |command: &str| sandbox.succeed(&format!("{command} in.jsonl {FLAGS} --check-texts")).stdout;
    let pairs = rows("pairs");
    assert!(pairs.contains("\"e0\"") && pairs.contains("\"n0\"") && !pairs.contains("\"c0\""), "{pairs}");
    let clusters = rows("clusters");
    assert!(clusters.contains("\"e0\"") && clusters.contains("\"n0\"") && !clusters.contains("\"c0\""), "{clusters}");
}

#[test]
fn references_and_items_are_checked_too() {
    let sandbox = Sandbox::with("new.jsonl", record("new", COLLIDING[0]) + &record("near", "one two three four"));
    sandbox.write("old.jsonl", record("old", COLLIDING[1]) + &record("far", "four three two one"));
    let command = format!("dedup new.jsonl --against old.jsonl -o out.jsonl {FLAGS} --check-texts");
    sandbox.writes(&command, "out.jsonl", &record("new", COLLIDING[0]));
    sandbox.write("in.txt", format!("{} tea\n{} tea\ntea milk\nmilk tea\n", COLLIDING[0], COLLIDING[1]));
    sandbox.succeed("dedup in.txt --items -o kept.txt --hash-bits 32 --check-texts");
    assert_eq!(sandbox.read("kept.txt"), format!("{} tea\n{} tea\ntea milk\n", COLLIDING[0], COLLIDING[1]));
}

#[test]
fn honest_texts_have_the_same_answers() {
    let sandbox = Sandbox::new();
    let line =
        |number: usize| record(&format!("d{number}"), &words(number / 3 * 50..number / 3 * 50 + 30 + number % 3));
    sandbox.write("in.jsonl", (0..300).map(line).collect::<String>());
    for command in ["pairs", "clusters", "dedup --dry-run --removed -"] {
        for method in ["exact", "minhash"] {
            let plain = sandbox.succeed(&format!("{command} in.jsonl --method {method}"));
            let checked = sandbox.succeed(&format!("{command} in.jsonl --method {method} --check-texts"));
            assert_eq!(checked.stdout, plain.stdout, "{command}");
            assert!(checked.stderr.contains("check of texts: 0 answers refused"), "{}", checked.stderr);
        }
    }
}

#[test]
fn snapshots_have_no_texts_to_check() {
    let sandbox = sandbox();
    sandbox.succeed("snapshot in.jsonl -o in.snapshot");
    sandbox.refuse_all("decisions/snapshots_have_no_texts_to_check");
}
