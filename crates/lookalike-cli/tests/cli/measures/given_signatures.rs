//! Signatures as inputs: all that agree are found, as estimates, and texts verify them.

use crate::common::{Sandbox, rows};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const COMPONENTS: usize = 40;

/// Texts in families of five, of which each differs from the others by some words.
fn families(count: usize) -> String {
    let word = |family: usize, place: usize| format!("w{}", (family * 7919 + place * 104_729) % 1_000_003);
    let text = |id: usize| {
        let changed = |place: usize| !id.is_multiple_of(5) && place.is_multiple_of(60 / (id % 5));
        let words = (0..60).map(|place| if changed(place) { word(id + 900, place) } else { word(id / 5, place) });
        words.collect::<Vec<_>>().join(" ")
    };
    (0..count).map(|id| format!("{}\n", json!({ "id": format!("d{id}"), "text": text(id) }))).collect()
}

/// The numbers of agreeing components of all pairs that agree in `min` of them, by brute force over written rows.
fn agreeing(written: &[Value], min: usize) -> BTreeMap<(String, String), usize> {
    let name = |row: &Value| row["id"].as_str().unwrap().to_owned();
    let mut found = BTreeMap::new();
    for (number, a) in written.iter().enumerate() {
        for b in &written[number + 1..] {
            let both = a["signature"].as_array().unwrap().iter().zip(b["signature"].as_array().unwrap());
            let agree = both.filter(|(left, right)| left == right).count();
            if agree >= min {
                found.insert((name(a), name(b)), agree);
            }
        }
    }
    found
}

#[test]
fn all_pairs_that_agree_are_found_in_all_formats() {
    let sandbox = Sandbox::with("in.jsonl", families(300));
    let make = format!("signatures in.jsonl --shingle word:2 --permutations {COMPONENTS}");
    let written = rows::<Value>(&sandbox.succeed(&make).stdout);
    let mut uncertain = 0;
    for scheme in ["lookalike", "affine32"] {
        for name in ["s.jsonl", "s.parquet", "s.arrow", "s.npy"] {
            sandbox.succeed(&format!("{make} --scheme {scheme} -q -o {name}"));
        }
        for (threshold, min) in [("0.5", 20), ("0.51", 21), ("0.9", 36), ("1", 40)] {
            let expected = agreeing(&rows::<Value>(&sandbox.read("s.jsonl")), min);
            assert!(threshold == "1" || expected.len() > 50, "{}", expected.len());
            let command = format!("--signature signature -t {threshold}");
            let found = sandbox.succeed(&format!("pairs s.jsonl {command}")).stdout;
            let told = rows::<Value>(&found).into_iter().map(|row| {
                let [estimate, low, high] =
                    ["estimated_similarity", "interval_low", "interval_high"].map(|field| row[field].as_f64().unwrap());
                assert!(low <= estimate && estimate <= high && row.get("similarity").is_none(), "{row}");
                assert_ne!(row["reason"], "identical", "texts are not known");
                // Below the threshold are those whose interval reaches it, and they are marked.
                let t: f64 = threshold.parse().unwrap();
                assert!(high >= t && (row["reason"] == "uncertain") == (estimate < t), "{row}");
                let id = |side: &str| row[side].as_str().unwrap().to_owned();
                ((id("a"), id("b")), (estimate * COMPONENTS as f64).round() as usize)
            });
            let told: BTreeMap<_, _> = told.collect();
            let least = told.values().copied().min().unwrap();
            assert_eq!(told, agreeing(&rows::<Value>(&sandbox.read("s.jsonl")), least));
            let certain: BTreeMap<_, _> = told.into_iter().filter(|(_, agree)| *agree >= min).collect();
            uncertain += agreeing(&rows::<Value>(&sandbox.read("s.jsonl")), least).len() - certain.len();
            assert_eq!(certain, expected);
            for other in ["s.parquet", "s.arrow", "s.npy"] {
                assert_eq!(found, sandbox.succeed(&format!("pairs {other} {command}")).stdout, "{other}");
            }
        }
    }
    assert_eq!(written.len(), 300);
    assert!(uncertain > 50, "{uncertain}");
}

#[test]
fn searches_and_clusters_agree_with_pairs() {
    let sandbox = Sandbox::with("in.jsonl", families(200));
    sandbox.succeed("signatures in.jsonl --shingle word:2 -q -o s.parquet");
    let pairs = rows::<Value>(&sandbox.succeed("pairs s.parquet --signature signature -t 0.9").stdout);
    let unordered = |row: &Value, sides: [&str; 2]| {
        let mut ids = sides.map(|side| row[side].as_str().unwrap().to_owned());
        ids.sort();
        (ids, row["estimated_similarity"].to_string(), row["interval_low"].to_string())
    };
    let expected: BTreeSet<_> = pairs.iter().map(|row| unordered(row, ["a", "b"])).collect();
    // Many queries are answered by an index, few by comparing all.
    sandbox.write("few.jsonl", "");
    sandbox.succeed("signatures in.jsonl --shingle word:2 -q -o all.jsonl");
    let few: String = sandbox.read("all.jsonl").lines().take(20).map(|line| format!("{line}\n")).collect();
    sandbox.write("few.jsonl", few);
    for (queries, count) in [("all.jsonl", 200), ("few.jsonl", 20)] {
        let found = sandbox.succeed(&format!("search {queries} --in s.parquet --signature signature -t 0.9")).stdout;
        let found = rows::<Value>(&found);
        let others: BTreeSet<_> = found
            .iter()
            .filter(|row| row["query"] != row["id"])
            .collect::<Vec<_>>()
            .into_iter()
            .map(|row| unordered(row, ["query", "id"]))
            .collect();
        let itself = found.iter().filter(|row| row["query"] == row["id"]).count();
        assert_eq!(itself, count);
        assert!(others.is_subset(&expected) && (count < 200 || others == expected), "{queries}");
    }
    let clusters = sandbox.succeed("clusters s.parquet --signature signature -t 0.9");
    let members: BTreeSet<String> =
        rows::<Value>(&clusters.stdout).iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect();
    // What is only possible joins no cluster.
    let certain = pairs.iter().filter(|row| row["reason"] != "uncertain");
    let paired: BTreeSet<String> = certain.flat_map(|row| unordered(row, ["a", "b"]).0).collect();
    assert!(pairs.iter().any(|row| row["reason"] == "uncertain"));
    assert_eq!(members, paired);
    assert!(clusters.stderr.contains("no text was compared"), "{}", clusters.stderr);
}

#[test]
fn texts_verify_what_signatures_find() {
    let sandbox = Sandbox::with("in.jsonl", families(300));
    sandbox.succeed("signatures in.jsonl --shingle word:2 -q -o s.parquet");
    // Neither file has to be in the order of the other.
    let turned: String = sandbox.read("in.jsonl").lines().rev().map(|line| format!("{line}\n")).collect();
    sandbox.write("turned.jsonl", turned);
    let flags = "--shingle word:2 -t 0.5";
    let by_signatures = format!("s.parquet --signature signature --texts turned.jsonl {flags}");
    let exact: BTreeSet<_> =
        sandbox.succeed(&format!("pairs turned.jsonl {flags}")).stdout.lines().map(str::to_owned).collect();
    let run = sandbox.succeed(&format!("pairs {by_signatures}"));
    let found: BTreeSet<_> = run.stdout.lines().map(str::to_owned).collect();
    assert!(found.is_subset(&exact) && found.len() * 100 >= exact.len() * 97, "{} of {}", found.len(), exact.len());
    assert!(run.stderr.contains("minhash") && run.stderr.contains("measured"), "{}", run.stderr);
    // What is removed was verified, and stands in the texts.
    let dedup = sandbox.succeed(&format!("dedup {by_signatures} -o kept.jsonl --removed why.jsonl"));
    let removed = rows::<Value>(&sandbox.read("why.jsonl"));
    assert!(removed.len() > 150 && removed.iter().all(|row| row["similarity"].as_f64().unwrap() >= 0.5));
    assert_eq!(sandbox.read("kept.jsonl").lines().count() + removed.len(), 300, "{}", dedup.stderr);
    // Resumed, it is the same.
    let folder = format!("dedup {by_signatures} --work-dir work -o again.jsonl");
    for _ in 0..2 {
        sandbox.writes(&folder, "again.jsonl", &sandbox.read("kept.jsonl"));
    }
}

#[test]
fn texts_may_have_fields_of_their_own_and_be_items_or_groups() {
    let sandbox = Sandbox::with("in.jsonl", families(60).replace("\"id\"", "\"doc\"").replace("\"text\"", "\"body\""));
    let flags = "--text-field body --id-field doc";
    for (features, threshold) in [("--shingle word:2", "0.5"), ("--items", "0.5")] {
        sandbox.succeed(&format!("signatures in.jsonl {flags} {features} -q -o s.parquet"));
        let exact = sandbox.succeed(&format!("pairs in.jsonl {flags} {features} -t {threshold}")).stdout;
        let command =
            format!("pairs s.parquet --signature signature --texts in.jsonl {flags} {features} -t {threshold}");
        assert_eq!(sandbox.succeed(&command).stdout, exact, "{features}");
    }
    // Short signatures get fewer bands.
    sandbox.succeed(&format!("signatures in.jsonl {flags} --shingle word:2 --permutations 32 -q -o short.jsonl"));
    let run = sandbox.says(
        &format!("pairs short.jsonl --signature signature --texts in.jsonl {flags} --shingle word:2"),
        "...minhash...",
    );
    sandbox.write("named.jsonl", sandbox.read("short.jsonl").replace("\"id\"", "\"key\""));
    let named = "pairs named.jsonl --signature signature --signature-id key --texts in.jsonl";
    assert_eq!(sandbox.succeed(&format!("{named} {flags} --shingle word:2")).stdout, run.stdout);
    let rows: String =
        (0..40).flat_map(|item| ["a", "b"].map(|of| format!("{of},p{}\n", item + usize::from(of == "b")))).collect();
    sandbox.write("rows.csv", format!("customer,product\n{rows}"));
    let groups = "--group-by customer --items-field product";
    sandbox.succeed(&format!("signatures rows.csv {groups} -q -o g.parquet"));
    let found = sandbox.succeed(&format!("pairs g.parquet --signature signature --texts rows.csv {groups}")).stdout;
    assert_eq!(found, sandbox.succeed(&format!("pairs rows.csv {groups}")).stdout);
    assert!(found.contains("\"similarity\":0.95"), "{found}");
}

#[test]
fn a_work_folder_knows_the_signatures_by_their_content() {
    let sandbox = Sandbox::with("in.jsonl", families(40));
    sandbox.succeed("signatures in.jsonl --shingle word:2 -q -o s.npy");
    let command = "pairs s.npy --signature signature --texts in.jsonl --shingle word:2 -t 0.5 --work-dir work";
    let ids = sandbox.read("s.npy.ids");
    let mut turned: Vec<&str> = ids.lines().collect();
    turned.sort_unstable();
    sandbox.write("s.npy.ids", &(turned.join("\n") + "\n"));
    let wrong = sandbox.run(command);
    sandbox.write("s.npy.ids", &ids);
    let refused = sandbox.refuse_in_a_line(command);
    let fresh = sandbox.succeed("pairs s.npy --signature signature --texts in.jsonl --shingle word:2 -t 0.5");
    assert!(refused.contains("work holds the work of another job: signatures was"), "{refused}");
    assert!(wrong.stdout != fresh.stdout);
}

/// A sandbox with texts and with signatures of several kinds.
fn with_signatures() -> Sandbox {
    let sandbox = Sandbox::with("in.jsonl", families(10));
    for (arguments, name) in [
        ("", "a.parquet"),
        ("--seed 7", "b.parquet"),
        ("--scheme affine32", "c.arrow"),
        ("--shingle word:2", "d.parquet"),
        ("--permutations 16", "e.jsonl"),
        ("", "f.jsonl"),
    ] {
        sandbox.succeed(&format!("signatures in.jsonl {arguments} -q -o {name}"));
    }
    std::fs::copy(sandbox.path("a.parquet"), sandbox.path("unnamed")).unwrap();
    let some: String = sandbox.read("in.jsonl").lines().take(5).map(|line| format!("{line}\n")).collect();
    sandbox.write("some.jsonl", some);
    sandbox.write("bad.jsonl", "{\"id\":\"a\",\"signature\":[1,2]}\n{\"id\":\"b\",\"signature\":[1,-2]}\n");
    sandbox
}

#[test]
fn signatures_that_do_not_fit_are_refused_in_a_line() {
    let sandbox = with_signatures();
    sandbox.refuse_all("measures/signatures_that_do_not_fit_are_refused_in_a_line");
}

#[test]
fn estimated_pairs_are_not_clustered_again() {
    let sandbox = with_signatures();
    sandbox.write(
        "p.jsonl",
        "{\"a\":\"x\",\"b\":\"y\",\"estimated_similarity\":0.9,\"interval_low\":0.8,\"interval_high\":0.95}\n",
    );
    sandbox.refused("recluster p.jsonl", "...an estimated similarity is not verified...");
    sandbox.succeed("pairs a.parquet --signature signature -t 0.5 -q -o p.parquet");
    sandbox.refused("recluster p.parquet", "...which nothing has verified; `pairs` with --texts does...");
}
