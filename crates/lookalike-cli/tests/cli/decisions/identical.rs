//! Copies that are equal byte for byte, and nothing else.

use crate::common::{Pair, Removed, Sandbox, rows};
use serde_json::Value;

/// Copies, a text in other words, in another case, and some without words.
fn corpus() -> Sandbox {
    let long = "one two three four five six seven eight nine ten";
    let texts = [
        ("a", long.to_owned()),
        ("b", long.to_uppercase()),
        ("c", long.to_owned()),
        ("d", long.replace("ten", "eleven")),
        ("e", "?!".to_owned()),
        ("f", "?!".to_owned()),
        ("g", "!?".to_owned()),
        ("h", String::new()),
        ("i", String::new()),
        ("j", format!("{long} ")),
        ("k", long.to_owned()),
    ];
    let records = texts.map(|(id, text)| serde_json::json!({"id": id, "text": text}).to_string() + "\n");
    Sandbox::with("in.jsonl", records.concat())
}

#[test]
fn only_texts_that_are_equal_byte_for_byte_are_removed() {
    let sandbox = corpus();
    let run = sandbox.succeed("dedup in.jsonl --identical -o kept.jsonl --removed removed.jsonl --summary s.json");
    let removed: Vec<Removed> = rows(&sandbox.read("removed.jsonl"));
    let removed: Vec<_> = removed.iter().map(|row| (&*row.id, &*row.kept, row.similarity, &*row.reason)).collect();
    let one = 1.0;
    assert_eq!(removed, [("c", "a", one, "identical"), ("f", "e", one, "identical"), ("k", "a", one, "identical")]);
    let kept = sandbox.read("kept.jsonl");
    let kept: Vec<String> = rows::<Value>(&kept).iter().map(|record| record["id"].as_str().unwrap().into()).collect();
    assert_eq!(kept, ["a", "b", "d", "e", "g", "h", "i", "j"]);
    assert!(run.stderr.contains("(3 identical, 0 equal, 0 near)"), "{}", run.stderr);
    assert!(run.stderr.contains("2 documents without tokens"), "{}", run.stderr);
    let summary = sandbox.json("s.json");
    assert_eq!(summary["parameters"]["features"], "whole_text");
    assert_eq!(summary["parameters"]["threshold"], 1.0);
}

#[test]
fn empty_texts_are_copies_if_that_is_asked_for() {
    let run = corpus().succeed("dedup in.jsonl --identical --empty duplicate -o - --removed removed.jsonl");
    assert!(!run.stdout.contains("\"i\"") && run.stderr.contains("(4 identical"), "{}", run.stderr);
}

#[test]
fn pairs_clusters_references_and_snapshots_are_of_identical_texts() {
    let sandbox = corpus();
    let run = sandbox.succeed("pairs in.jsonl --identical");
    let pairs: Vec<Pair> = rows(&run.stdout);
    let ids: Vec<_> = pairs.iter().map(|pair| (&*pair.a, &*pair.b)).collect();
    assert_eq!(ids, [("a", "c"), ("a", "k"), ("c", "k"), ("e", "f")]);
    assert!(run.stderr.contains("4 pairs at 1\n"), "{}", run.stderr);
    assert_eq!(sandbox.succeed("clusters in.jsonl --identical --format csv").stdout.lines().count(), 1 + 5);
    sandbox.write("new.jsonl", sandbox.read("in.jsonl").replace("\"id\":\"", "\"id\":\"new-"));
    sandbox.succeed("snapshot in.jsonl --identical -o in.snapshot");
    for references in ["in.jsonl", "in.snapshot"] {
        let run = sandbox.succeed(&format!("dedup new.jsonl --identical --against {references} -o -"));
        let kept: Vec<Value> = rows(&run.stdout);
        let kept: Vec<_> = kept.iter().map(|record| record["id"].as_str().unwrap()).collect();
        assert_eq!(kept, ["new-h", "new-i"], "{references}");
    }
    // The snapshot has no shingles, so whole texts are compared.
    let followed = sandbox.succeed("dedup new.jsonl --against in.snapshot -o -").stdout;
    assert_eq!(followed, sandbox.succeed("dedup new.jsonl --identical --against in.snapshot -o -").stdout);
    sandbox.refused("dedup new.jsonl --against in.snapshot --shingle word:5 -o -", "...in.snapshot...");
}

#[test]
fn a_check_of_texts_compares_their_bytes() {
    let sandbox = corpus();
    sandbox.says(
        "dedup in.jsonl --identical --check-texts -o kept.jsonl",
        "...(3 identical, 0 equal, 0 near)...check of texts: 0 answers refused...",
    );
}

#[test]
fn nothing_else_goes_with_it() {
    let sandbox = corpus();
    sandbox.refuse_all("decisions/nothing_else_goes_with_it");
}
