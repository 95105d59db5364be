//! Documents of which many are alike: clusters without their pairs, and answers that would be too large.

use crate::common::{Sandbox, record, words};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Families of documents in turns, of which each member differs from the others in one word, and chains, of which only
/// neighbours are alike.
fn texts(documents: usize) -> String {
    let text = |document: usize| {
        let family = 10_000 * (document % 3);
        let own = 100_000 + document;
        match document % 4 {
            3 => words(document / 4 + 500..document / 4 + 520),
            _ => words(family..family + 25) + " " + &words(own..own + 1),
        }
    };
    (0..documents).map(|document| record(&format!("d{document}"), &text(document))).collect()
}

/// Vectors in three directions, some of them equal, and some between two of them.
fn vectors(documents: u32) -> String {
    let mut lines = String::new();
    for document in 0..documents {
        let length = f64::from(document / 2 + 1);
        let vector = match document % 5 {
            0 => [length, 0.0],
            1 => [-length, length],
            2 => [0.0, -length],
            3 => [length, 0.3 * length],
            _ => [1.0, 1.0 + f64::from(document) / 100.0],
        };
        writeln!(lines, "{{\"id\":\"d{document}\",\"v\":[{},{}]}}", vector[0], vector[1]).unwrap();
    }
    lines
}

fn fingerprints(documents: u32) -> String {
    (0..documents)
        .map(|document| {
            let bits = (u64::from(document % 3) << 40) ^ (1 << (document % 37)) ^ (u64::from(document % 7) << 50);
            format!("{{\"id\":\"d{document}\",\"b\":\"{bits:016x}\"}}\n")
        })
        .collect()
}

/// Rows of clusters that the pairs of a file connect, in the order of the documents.
fn connected(pairs: &str, documents: u32) -> String {
    let mut first: Vec<u32> = (0..documents).collect();
    let number = |id: &str| id.trim_matches('"').trim_start_matches('d').parse::<usize>().unwrap();
    for line in pairs.lines().skip(1) {
        let mut ids = line.split(',').take(2).map(number);
        let a = first[ids.next().unwrap()];
        let b = first[ids.next().unwrap()];
        first.iter_mut().filter(|first| **first == a.max(b)).for_each(|first| *first = a.min(b));
    }
    let mut clusters: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    first.iter().enumerate().for_each(|(document, &first)| clusters.entry(first).or_default().push(document));
    let several = clusters.into_values().filter(|members| members.len() > 1);
    let rows = several
        .enumerate()
        .flat_map(|(number, members)| members.into_iter().map(move |document| format!("{number},d{document}\n")));
    "cluster,id\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn clusters_are_what_all_pairs_connect() {
    const DOCUMENTS: u32 = 400;
    let sandbox = Sandbox::with("texts.jsonl", texts(DOCUMENTS as usize));
    std::fs::write(sandbox.path("vectors.jsonl"), vectors(DOCUMENTS)).unwrap();
    std::fs::write(sandbox.path("bits.jsonl"), fingerprints(DOCUMENTS)).unwrap();
    for flags in [
        "texts.jsonl -t 0.7",
        "texts.jsonl -t 0.7 --shingle word:1",
        "texts.jsonl -t 0.9 --shingle word:1 --method minhash",
        "texts.jsonl -t 0.8 --shingle word:1 --measure containment",
        "texts.jsonl -t 0.7 --shingle word:1 --measure cosine",
        "texts.jsonl -t 0.7 --check-texts",
        "vectors.jsonl --vector v -t 0.95",
        "vectors.jsonl --vector v -t 0.95 --method hyperplanes",
        "vectors.jsonl --vector v --measure euclidean --distance 3",
        "bits.jsonl --bits b --measure hamming --distance 3",
        "bits.jsonl --bits b --measure hamming --distance 3 --method bit-sampling",
    ] {
        sandbox.succeed(&format!("pairs {flags} --format csv -o pairs.csv"));
        let expected = connected(&sandbox.read("pairs.csv"), DOCUMENTS);
        assert!(expected.lines().count() > 50, "{flags}: {expected}");
        for resources in ["--threads 1", "--threads 4", "--threads 3 --memory 32MiB"] {
            sandbox.succeed(&format!("clusters {flags} {resources} -o clusters.csv"));
            assert_eq!(sandbox.read("clusters.csv"), expected, "{flags} {resources}");
        }
    }
}

#[test]
fn pairs_beyond_a_maximum_are_refused_before_they_are_written() {
    let equal: String = (0..20).map(|document| record(&format!("d{document}"), &words(0..9))).collect();
    let sandbox = Sandbox::with("equal.jsonl", equal);
    std::fs::write(sandbox.path("near.jsonl"), texts(60)).unwrap();
    let words = sandbox.refuse_in_a_line("pairs equal.jsonl --max-pairs 189 -o pairs.csv");
    assert!(words.contains("the answer has at least 190 pairs; 189 are allowed; raise --max-pairs"), "{words}");
    sandbox.succeed("pairs equal.jsonl --max-pairs 190 -o pairs.csv");
    assert_eq!(sandbox.read("pairs.csv").lines().count(), 191);
    let words = sandbox.refuse_in_a_line("pairs near.jsonl -t 0.7 --max-pairs 5 -o near.csv");
    assert!(words.contains("the answer has more than 5 pairs"), "{words}");
    // Nothing was written.
    assert!(!sandbox.path("near.csv").exists());
    sandbox.succeed("pairs near.jsonl --identical --max-pairs 0 -o near.csv");
}
