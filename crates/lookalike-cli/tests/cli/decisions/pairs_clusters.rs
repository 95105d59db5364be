//! `pairs` and `clusters`.

use crate::common::{Pair, Sandbox, chain, record, rows, words};
use serde_json::{Value, json};

/// The chain, a copy of its first member that comes before it in the alphabet, and two texts alone.
fn chain_and_copy() -> Sandbox {
    let lone = record("lone", &words(200..230)) + &record("empty", "");
    Sandbox::with("in.jsonl", lone + &chain() + &record("Copy", &words(0..32)))
}

fn pair(a: &str, b: &str, similarity: f64) -> Pair {
    let reason = if similarity == 1.0 { "identical" } else { "near" };
    Pair { a: a.to_owned(), b: b.to_owned(), similarity, reason: reason.to_owned() }
}

#[test]
fn pairs_come_sorted_in_input_order_with_their_similarity() {
    let sandbox = chain_and_copy();
    let expected = [pair("a", "b", 0.875), pair("a", "Copy", 1.0), pair("b", "c", 0.875), pair("b", "Copy", 0.875)];
    for method in ["exact", "minhash --bands 64 --rows 2"] {
        let run = sandbox.succeed(&format!("pairs in.jsonl --method {method}"));
        assert_eq!(rows::<Pair>(&run.stdout), expected, "{method}");
        assert!(run.stderr.starts_with("6 documents: 4 pairs at 0.8 or above\n"), "{}", run.stderr);
    }
}

#[test]
fn lower_thresholds_find_more_pairs() {
    let sandbox = chain_and_copy();
    let found = rows::<Pair>(&sandbox.succeed("pairs in.jsonl --threshold 0.7").stdout);
    assert_eq!((found.len(), &found[1]), (6, &pair("a", "c", 0.75)));
    assert_eq!(rows::<Pair>(&sandbox.succeed("pairs in.jsonl --threshold 1").stdout), [pair("a", "Copy", 1.0)]);
}

#[test]
fn pairs_cross_files_and_folders() {
    let sandbox = Sandbox::with("in.jsonl", record("a", &words(0..30)));
    sandbox.write("texts/deep/b.txt", words(0..30));
    let found = rows::<Pair>(&sandbox.succeed("pairs texts in.jsonl").stdout);
    assert_eq!(found, [pair("texts/deep/b.txt", "a", 1.0)]);
}

#[test]
fn inputs_of_the_same_name_can_be_compared() {
    let sandbox = Sandbox::with("old/x.jsonl", record("a", &words(0..30)));
    sandbox.write("new/x.jsonl", record("b", &words(0..30)));
    assert_eq!(rows::<Pair>(&sandbox.succeed("pairs old/x.jsonl new/x.jsonl").stdout), [pair("a", "b", 1.0)]);
    assert_eq!(sandbox.succeed("clusters old/x.jsonl new/x.jsonl").stdout.lines().count(), 2);
    assert_eq!(sandbox.succeed("checksum old/x.jsonl new/x.jsonl").stdout.lines().count(), 2);
    sandbox.succeed("dedup old/x.jsonl new/x.jsonl --dry-run");
}

/// A chain of three with a copy, and before it one member of a pair.
fn two_clusters() -> Sandbox {
    let [first, second] = ["x", "y"].map(|id| record(id, &words(300..330)));
    Sandbox::with("in.jsonl", first + &chain() + &second + &record("Copy", &words(0..32)) + &record("lone", "one"))
}

#[test]
fn clusters_join_chains_and_come_in_input_order() {
    let sandbox = two_clusters();
    let run = sandbox.succeed("clusters in.jsonl");
    let row = |(cluster, id): (u64, &str)| json!({"cluster": cluster, "id": id});
    let expected = [(0, "x"), (0, "y"), (1, "a"), (1, "b"), (1, "c"), (1, "Copy")].map(row);
    assert_eq!(rows::<Value>(&run.stdout), expected);
    assert!(run.stderr.starts_with("7 documents: 2 clusters with 6 documents in all, the largest with 4\n"));
}

#[test]
fn clusters_come_as_an_array_on_request() {
    let sandbox = two_clusters();
    let expected = json!([{"cluster": 0, "ids": ["x", "y"]}, {"cluster": 1, "ids": ["a", "b", "c", "Copy"]}]);
    let printed = sandbox.succeed("clusters in.jsonl --format json").stdout;
    assert_eq!(serde_json::from_str::<Value>(&printed).unwrap(), expected);
    sandbox.writes("clusters in.jsonl -o out.json", "out.json", &printed);
}

#[test]
fn finding_something_fails_only_on_request() {
    let sandbox = chain_and_copy();
    for command in ["pairs in.jsonl", "clusters in.jsonl", "checksum in.jsonl"] {
        assert_eq!(sandbox.run(&format!("{command} --fail-if-found")).code, Some(1), "{command}");
    }
    let alone = Sandbox::with("in.jsonl", record("a", "one") + &record("b", "two"));
    for command in ["pairs in.jsonl", "clusters in.jsonl", "checksum in.jsonl"] {
        alone.succeed(&format!("{command} --fail-if-found"));
    }
}

#[test]
fn summaries_have_the_promised_fields() {
    let sandbox = chain_and_copy();
    sandbox.succeed("pairs in.jsonl -o out.csv --summary s.json");
    let pairs = sandbox.json("s.json");
    assert_eq!((&pairs["command"], &pairs["parameters"]["inputs"]), (&json!("pairs"), &json!(["in.jsonl"])));
    assert!(pairs["candidates"].as_u64() >= Some(2) && pairs["parameters"]["keep"].is_null());
    assert_eq!(pairs["result"], json!({"documents": 6, "empty": 1, "bad_records": 0, "pairs": 4}));
    sandbox.succeed("clusters in.jsonl -o out.csv --summary s.json");
    let clusters = sandbox.json("s.json");
    assert_eq!((&clusters["command"], &clusters["candidates"]), (&json!("clusters"), &Value::Null));
    let counts = json!({
        "documents": 6, "empty": 1, "bad_records": 0, "clusters": 1, "clustered_documents": 4, "largest_cluster": 4
    });
    assert_eq!(clusters["result"], counts);
}

#[test]
fn many_pairs_are_the_same_bytes_for_any_number_of_threads_and_memory() {
    // 90 texts that differ in their last word, so 14 of 16 shingles are common; 60 of them have a copy.
    let text = |document: usize| words(0..18) + " " + &words(1000 + document % 90..1001 + document % 90);
    let sandbox = Sandbox::with("in.jsonl", (0..150).map(|d| record(&format!("d{d}"), &text(d))).collect::<String>());
    let all = rows::<Pair>(&sandbox.succeed("pairs in.jsonl --threads 1").stdout);
    let in_order = (0..150).flat_map(|a| (a + 1..150).map(move |b| (a, b)));
    let similarity = |a, b| if b - a == 90 { 1.0 } else { 0.875 };
    let expected: Vec<Pair> =
        in_order.map(|(a, b)| pair(&format!("d{a}"), &format!("d{b}"), similarity(a, b))).collect();
    assert!(expected.len() > 8192 && all == expected);
    for name in ["jsonl", "csv", "parquet", "arrow"] {
        let written = |choices: &str| {
            sandbox.succeed(&format!("pairs in.jsonl {choices} -o out.{name}"));
            std::fs::read(sandbox.path(&format!("out.{name}"))).unwrap()
        };
        for more in ["", "--with-source", "--top 9000"] {
            let first = written(&format!("{more} --threads 1"));
            assert!(first == written(&format!("{more} --threads 3")), "{name} {more}");
            assert!(first == written(&format!("{more} --threads 2 --memory 32MiB")), "{name} {more}");
        }
    }
}
