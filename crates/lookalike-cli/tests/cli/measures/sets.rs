//! Containment of short texts, and the number of common elements; the suite has both on sets of items.

use crate::common::{Random, Sandbox, record, rows, words};
use std::collections::{BTreeMap, BTreeSet};

/// Returns whether `part` of `whole` is at least `percent` of a hundred.
fn reaches(part: usize, whole: usize, percent: usize) -> bool {
    part > 0 && part * 100 >= whole * percent
}

/// The number of the line of an id, from 0.
fn number(id: &serde_json::Value) -> usize {
    id.as_str().unwrap().rsplit(':').next().unwrap().parse::<usize>().unwrap() - 1
}

/// Texts of few words, of which there are five.
fn texts(seed: u64, count: usize) -> Vec<Vec<u64>> {
    let mut random = Random(seed);
    (0..count).map(|_| (0..=random.below(9)).map(|_| random.below(5)).collect()).collect()
}

/// The share of a text that is in another one, by shingles of three words; a shorter text is in it as a whole or not.
fn share(text: &[u64], other: &[u64]) -> (usize, usize) {
    let shingles = |text: &[u64]| text.windows(3).map(<[u64]>::to_vec).collect::<BTreeSet<_>>();
    let is_inside = |text: &[u64], other: &[u64]| other.windows(text.len()).any(|run| run == text);
    let size = |text: &[u64]| shingles(text).len().max(1);
    match (text.len() < 3, other.len() < 3) {
        (true, _) if is_inside(text, other) => (1, 1),
        (_, true) if is_inside(other, text) => (1, size(text) + 1),
        _ => (shingles(text).intersection(&shingles(other)).count(), size(text)),
    }
}

#[test]
fn short_texts_are_contained_where_they_stand() {
    let sandbox = Sandbox::new();
    let texts = texts(23, 120);
    let spelled = |text: &Vec<u64>| text.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
    let line = |(number, text): (usize, &Vec<u64>)| record(&format!("d:{}", number + 1), &spelled(text));
    sandbox.write("in.jsonl", texts.iter().enumerate().map(line).collect::<String>());
    let mut expected = BTreeMap::new();
    for (b, right) in texts.iter().enumerate() {
        for (a, left) in texts[..b].iter().enumerate() {
            let shares = [share(left, right), share(right, left)];
            if shares.iter().any(|&(part, whole)| reaches(part, whole, 90)) {
                expected.insert((a, b), shares.map(|(part, whole)| part as f64 / whole as f64));
            }
        }
    }
    let flags = "--shingle word:3 --measure containment -t 0.9";
    let pairs = |more: &str| sandbox.succeed(&format!("pairs in.jsonl {flags} {more}")).stdout;
    let text = pairs("--threads 1");
    let found = rows::<serde_json::Value>(&text).into_iter().map(|row| {
        let shares = ["containment_of_a", "containment_of_b"].map(|name| row[name].as_f64().unwrap());
        ((number(&row["a"]), number(&row["b"])), shares)
    });
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected);
    assert_eq!(pairs("--threads 2 --memory 32MiB --check-texts"), text);
    // What stays holds what goes, and nothing that stays is in another text that stays.
    let removed = rows::<serde_json::Value>(&sandbox.succeed(&format!("dedup in.jsonl -n --removed - {flags}")).stdout);
    let gone: BTreeMap<usize, usize> = removed.iter().map(|row| (number(&row["id"]), number(&row["kept"]))).collect();
    let is_in = |text: usize, other: usize| {
        let (part, whole) = share(&texts[text], &texts[other]);
        reaches(part, whole, 90)
    };
    assert!(gone.iter().all(|(&text, kept)| is_in(text, *kept) && !gone.contains_key(kept)));
    let kept: Vec<usize> = (0..texts.len()).filter(|text| !gone.contains_key(text)).collect();
    assert!(kept.iter().all(|&text| kept.iter().all(|&other| text == other || !is_in(text, other))));
    assert!(gone.keys().any(|&text| texts[text].len() < 3));
}

#[test]
fn a_page_that_quotes_a_short_question_is_found() {
    let sandbox = Sandbox::new();
    sandbox.write("in.jsonl", record("page", &format!("{} why is the sky blue {}", words(0..50), words(60..90))));
    sandbox.write("questions.jsonl", record("q1", "Who knows?") + &record("q2", "Why is the sky?"));
    let against = "dedup in.jsonl --against questions.jsonl -n --removed - --measure containment";
    let run = sandbox.succeed(&format!("{against} --containment of-reference"));
    assert_eq!(run.stdout, "{\"id\":\"page\",\"kept\":\"q2\",\"similarity\":1.0,\"reason\":\"near\"}\n");
    assert_eq!(sandbox.succeed(&format!("{against} --containment in-reference")).stdout, "");
}

#[test]
fn short_documents_of_snapshots_and_indexes_are_counted() {
    let short = record("s1", "two words") + &record("s2", "here and");
    let long = record("long", &format!("{} two words {} here and there", words(0..40), words(40..60)));
    let sandbox = Sandbox::with("in.jsonl", short.clone() + &long);
    let contained = "--measure containment";
    assert_eq!(sandbox.succeed(&format!("pairs in.jsonl {contained}")).stdout.lines().count(), 2);
    sandbox.succeed("snapshot in.jsonl -o in.snapshot");
    sandbox.succeed("index create in.idx in.jsonl --measure containment --store-texts");
    for stored in ["in.snapshot", "in.idx"] {
        for command in ["pairs", "clusters", "dedup -n"] {
            sandbox.says(
                &format!("{command} {stored} {contained}"),
                "...note: 2 of 3 documents have one shingle of word:5: the sets of a snapshot or an index \
                 do not tell whether a text of fewer tokens stands inside others; name the documents that it was \
                 made of\n...",
            );
        }
        assert!(!sandbox.succeed(&format!("pairs {stored} --measure jaccard")).stderr.contains("one shingle"));
    }
    // Texts are looked into, and no reference is looked for where the inputs are.
    sandbox.write("short.jsonl", short);
    sandbox.write("long.jsonl", long);
    sandbox.succeed("snapshot short.jsonl -o short.snapshot");
    let against = |flags: &str| sandbox.succeed(&format!("dedup long.jsonl --against short.snapshot -n {flags}"));
    let run = against("--measure containment --containment of-reference");
    assert!(run.stderr.starts_with("1 document: 0 kept, 1 removed") && !run.stderr.contains("one shingle"));
}

#[test]
fn annotations_of_overlaps_have_the_number_of_common_elements() {
    let records = [("a", "one two three four"), ("b", "one two three five"), ("c", "six")];
    let sandbox = Sandbox::with("in.jsonl", records.map(|(id, text)| record(id, text)).concat());
    let search = "--shingle word:1 --measure overlap --min-common 3 -q --annotate";
    sandbox.succeed(&format!("dedup in.jsonl {search} -o out.jsonl"));
    let found = rows::<serde_json::Value>(&sandbox.read("out.jsonl"));
    let removed = serde_json::json!({"duplicate": true, "kept": "a", "common": 3, "cluster_size": 2});
    assert_eq!(found[1]["lookalike"], removed);
    // Keepers are their own: the number of their elements is not told.
    let kept = serde_json::json!({"duplicate": false, "kept": "a", "common": null, "cluster_size": 2});
    assert_eq!(found[0]["lookalike"], kept);
    // In columns, by both writers of Parquet, and in tables.
    for (input, output) in
        [("plain.jsonl", "one.parquet"), ("plain.parquet", "two.parquet"), ("plain.csv", "three.csv")]
    {
        sandbox.succeed(&format!("dedup in.jsonl -q -o {input}"));
        sandbox.succeed(&format!("dedup {input} {search} -o {output}"));
        sandbox.succeed(&format!("dedup {output} -q -o shown.csv"));
        let shown = sandbox.read("shown.csv");
        assert!(shown.starts_with("id,text,lookalike_duplicate,lookalike_kept,lookalike_common,"), "{shown}");
        assert!(shown.contains("\na,one two three four,false,a,,2\nb,one two three five,true,a,3,2\n"), "{shown}");
    }
    sandbox.refuse_in_a_line(
        "dedup three.csv --shingle word:1 --measure overlap --min-common 3 -q --annotate -o again.csv",
    );
}
