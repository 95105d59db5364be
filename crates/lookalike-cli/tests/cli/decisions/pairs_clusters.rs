//! `pairs` and `clusters`.

use crate::common::{Pair, Sandbox, Summary, chain, record, rows, words};
use serde::Deserialize;

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
fn pairs_are_written_in_the_format_of_the_extension() {
    let sandbox = chain_and_copy();
    let run = sandbox.succeed("pairs in.jsonl --threshold 1 -o out.jsonl");
    assert_eq!(run.stdout, "");
    assert_eq!(sandbox.read("out.jsonl"), "{\"a\":\"a\",\"b\":\"Copy\",\"similarity\":1.0,\"reason\":\"identical\"}\n");
    sandbox.succeed("pairs in.jsonl --threshold 1 -o out.csv");
    assert_eq!(sandbox.read("out.csv"), "a,b,similarity,reason\na,Copy,1.0,identical\n");
    sandbox.succeed("pairs in.jsonl --threshold 1 -o out.tsv");
    assert_eq!(sandbox.read("out.tsv"), "a\tb\tsimilarity\treason\na\tCopy\t1.0\tidentical\n");
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

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClusterRow {
    cluster: u64,
    id: String,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClusterGroup {
    cluster: u64,
    ids: Vec<String>,
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
    let row = |cluster, id: &str| ClusterRow { cluster, id: id.to_owned() };
    let expected = [row(0, "x"), row(0, "y"), row(1, "a"), row(1, "b"), row(1, "c"), row(1, "Copy")];
    assert_eq!(rows::<ClusterRow>(&run.stdout), expected);
    assert!(run.stderr.starts_with("7 documents: 2 clusters with 6 documents in all, the largest with 4\n"));
}

#[test]
fn clusters_come_as_an_array_on_request() {
    let sandbox = two_clusters();
    let members = |cluster, ids: &[&str]| ClusterGroup { cluster, ids: ids.iter().map(ToString::to_string).collect() };
    let expected = [members(0, &["x", "y"]), members(1, &["a", "b", "c", "Copy"])];
    let printed = sandbox.succeed("clusters in.jsonl --format json").stdout;
    assert_eq!(serde_json::from_str::<Vec<ClusterGroup>>(&printed).unwrap(), expected);
    sandbox.succeed("clusters in.jsonl -o out.json");
    assert_eq!(sandbox.read("out.json"), printed);
}

#[test]
fn clusters_are_written_in_the_format_of_the_extension() {
    let sandbox = Sandbox::with("in.jsonl", record("a", &words(0..30)) + &record("b", &words(0..30)));
    sandbox.succeed("clusters in.jsonl -o out.csv");
    assert_eq!(sandbox.read("out.csv"), "cluster,id\n0,a\n0,b\n");
    sandbox.succeed("clusters in.jsonl -o out.tsv");
    assert_eq!(sandbox.read("out.tsv"), "cluster\tid\n0\ta\n0\tb\n");
    sandbox.succeed("clusters in.jsonl -o out.jsonl");
    assert_eq!(sandbox.read("out.jsonl"), "{\"cluster\":0,\"id\":\"a\"}\n{\"cluster\":0,\"id\":\"b\"}\n");
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

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct PairCounts {
    documents: u64,
    empty: u64,
    bad_records: u64,
    pairs: u64,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClusterCounts {
    documents: u64,
    empty: u64,
    bad_records: u64,
    clusters: u64,
    clustered_documents: u64,
    largest_cluster: u64,
}

#[test]
fn summaries_have_the_promised_fields() {
    let sandbox = chain_and_copy();
    sandbox.succeed("pairs in.jsonl -o out.csv --summary s.json");
    let pairs = serde_json::from_str::<Summary<PairCounts>>(&sandbox.read("s.json")).unwrap();
    assert_eq!((pairs.command.as_str(), pairs.candidates >= Some(2)), ("pairs", true));
    assert_eq!((pairs.parameters.inputs, pairs.parameters.keep), (vec!["in.jsonl".to_owned()], None));
    assert_eq!(pairs.result, PairCounts { documents: 6, empty: 1, bad_records: 0, pairs: 4 });
    sandbox.succeed("clusters in.jsonl -o out.csv --summary s.json");
    let clusters = serde_json::from_str::<Summary<ClusterCounts>>(&sandbox.read("s.json")).unwrap();
    let counts = ClusterCounts {
        documents: 6,
        empty: 1,
        bad_records: 0,
        clusters: 1,
        clustered_documents: 4,
        largest_cluster: 4,
    };
    assert_eq!((clusters.command.as_str(), clusters.candidates, clusters.result), ("clusters", None, counts));
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
