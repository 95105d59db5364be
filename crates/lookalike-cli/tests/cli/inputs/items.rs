//! Sets of items instead of texts.

use crate::common::{Pair, Sandbox, record, rows};
use std::collections::BTreeSet;

/// Baskets of numbers from a small store, the same at each run.
fn baskets() -> Vec<Vec<u64>> {
    let mut state = 7u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    (0..150)
        .map(|_| {
            let family = random(6) * 4;
            (0..random(12)).map(|_| family + random(9)).collect()
        })
        .collect()
}

/// All pairs of lines with a Jaccard similarity of at least a half, by comparing each with each. Empty sets are in
/// none.
fn brute_force(
    baskets: &[Vec<u64>],
    elements: impl Fn(&[u64]) -> BTreeSet<(u64, usize)>,
) -> Vec<(String, String, f64)> {
    let sets: Vec<_> = baskets.iter().map(|basket| elements(basket)).collect();
    let mut pairs = Vec::new();
    for b in 0..sets.len() {
        for a in 0..b {
            let common = sets[a].intersection(&sets[b]).count();
            let union = sets[a].union(&sets[b]).count();
            if common > 0 && 2 * common >= union {
                pairs.push((a.to_string(), b.to_string(), common as f64 / union as f64));
            }
        }
    }
    pairs
}

fn set(basket: &[u64]) -> BTreeSet<(u64, usize)> {
    basket.iter().map(|&item| (item, 0)).collect()
}

/// The i-th copy of an item is an element of its own.
fn bag(basket: &[u64]) -> BTreeSet<(u64, usize)> {
    let copies = |place: usize| basket[..place].iter().filter(|&&item| item == basket[place]).count();
    (0..basket.len()).map(|place| (basket[place], copies(place))).collect()
}

/// Pairs by the numbers of their lines, from 0, in an order of their own.
fn found(sandbox: &Sandbox, arguments: &str) -> Vec<(String, String, f64)> {
    let pairs = rows::<Pair>(&sandbox.succeed(&format!("pairs --threshold 0.5 {arguments}")).stdout);
    let number = |id: String| match id.rsplit_once(':') {
        Some((_, line)) => (line.parse::<usize>().unwrap() - 1).to_string(),
        None => id,
    };
    pairs.into_iter().map(|pair| (number(pair.a), number(pair.b), pair.similarity)).collect()
}

fn sorted(mut pairs: Vec<(String, String, f64)>) -> Vec<(String, String, f64)> {
    pairs.sort_by(|a, b| a.partial_cmp(b).unwrap());
    pairs
}

#[test]
fn baskets_in_any_format_have_the_pairs_of_brute_force() {
    let baskets = baskets();
    let joined = |separator: &str| {
        let line = |basket: &Vec<u64>| basket.iter().map(u64::to_string).collect::<Vec<_>>().join(separator) + "\n";
        // A line of blanks would be no record.
        baskets
            .iter()
            .map(|basket| if basket.is_empty() { format!("only{basket:?}\n") } else { line(basket) })
            .collect::<String>()
    };
    let sandbox = Sandbox::with("in.txt", joined(" "));
    sandbox.write("comma.txt", joined(" , ").replace("only[]", ","));
    sandbox.write("tab.dat", joined("\t"));
    let json =
        |id: usize, basket: &Vec<u64>| serde_json::json!({"id": id.to_string(), "text": basket}).to_string() + "\n";
    sandbox.write("in.jsonl", baskets.iter().enumerate().map(|(id, basket)| json(id, basket)).collect::<String>());
    let csv: String = baskets
        .iter()
        .enumerate()
        .map(|(id, basket)| format!("{id},\"{}\"\n", basket.iter().map(u64::to_string).collect::<Vec<_>>().join(";")))
        .collect();
    sandbox.write("in.csv", "id,text\n".to_owned() + &csv);
    let expected = sorted(brute_force(&baskets, set));
    assert!(expected.len() > 100, "{}", expected.len());
    let lone = |pairs: Vec<(String, String, f64)>| {
        // The lines that stand for empty baskets are equal.
        let is_empty = |id: &str| baskets[id.parse::<usize>().unwrap()].is_empty();
        sorted(pairs.into_iter().filter(|(a, b, _)| !is_empty(a) && !is_empty(b)).collect())
    };
    assert_eq!(lone(found(&sandbox, "in.txt --items")), expected);
    assert_eq!(sorted(found(&sandbox, "comma.txt --items=,")), expected);
    assert_eq!(lone(found(&sandbox, "tab.dat --items=tab --method exact")), expected);
    assert_eq!(sorted(found(&sandbox, "in.jsonl --items")), expected);
    assert_eq!(sorted(found(&sandbox, "in.csv --items=;")), expected);
    let bags = sorted(brute_force(&baskets, bag));
    assert!(bags != expected);
    assert_eq!(sorted(found(&sandbox, "in.jsonl --items --bag")), bags);
}

#[test]
fn lines_of_items_are_written_again_and_named_by_file_and_line() {
    let sandbox = Sandbox::with("in.txt", "milk bread eggs\n\n  \neggs bread\tmilk\r\nMilk bread eggs\ntea");
    sandbox.succeed("dedup in.txt -o out.txt --items --removed r.csv");
    assert_eq!(sandbox.read("out.txt"), "milk bread eggs\nMilk bread eggs\ntea");
    assert_eq!(sandbox.read("r.csv"), "id,kept,similarity,reason\nin.txt:4,in.txt:1,1.0,equal\n");
    assert_eq!(sandbox.succeed("clusters in.txt --items").stdout.lines().count(), 2);
    let copies = sandbox.succeed("checksum in.txt --items").stdout;
    assert!(copies.lines().count() == 2 && copies.contains("\"equal\":\"text\""), "{copies}");
    sandbox.succeed("pairs in.txt --items --threshold 0.5 -o p.csv");
    sandbox.succeed("recluster p.csv --threshold 0.9 --documents in.txt --items --records again.txt");
    assert_eq!(sandbox.read("again.txt"), sandbox.read("out.txt"));
    let compared = sandbox.succeed("compare in.txt:in.txt:1 in.txt:in.txt:5 --items").stdout;
    assert!(compared.contains("2 common items of 4"), "{compared}");
    let lists = "common items: 2\n    bread\n    eggs\nonly in A: 1\n    milk\nonly in B: 1\n    Milk\n";
    assert!(compared.ends_with(lists), "{compared}");
    assert!(sandbox.refuse_in_a_line("dedup in.txt -o x --items --annotate").contains("holds lines of items"));
    assert!(sandbox.refuse_in_a_line("dedup in.txt -o x.warc --items").contains("lines of items cannot be turned"));
}

#[test]
fn items_that_cannot_be_used_are_named() {
    let sandbox = Sandbox::with("in.jsonl", "{\"text\":[\"a\",1,[2]]}\n");
    assert!(sandbox.refuse_in_a_line("pairs in.jsonl --items").contains("expected an array of strings and numbers"));
    sandbox.write("in.jsonl", "{\"text\":[\"a\\u0000b\"]}\n");
    assert!(sandbox.refuse_in_a_line("pairs in.jsonl --items").contains("an item holds the character U+0000"));
    sandbox.write("in.txt", "a\0b\n");
    assert!(sandbox.refuse_in_a_line("pairs in.txt --items").starts_with("in.txt:1: an item holds"));
    sandbox.write("in.txt", b"a \xFF\n");
    assert!(sandbox.refuse_in_a_line("pairs in.txt --items").starts_with("in.txt:1: not UTF-8"));
    sandbox.write("empty.jsonl", "{\"text\":[]}\n{\"text\":[]}\n{\"text\":[\"\"]}\n");
    assert!(sandbox.succeed("dedup empty.jsonl --dry-run --items").stderr.contains("2 documents without tokens"));
}

#[test]
fn flags_for_texts_do_not_go_with_items() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "x y"));
    for flag in [
        "--shingle word:2",
        "--stride 2",
        "--strip-html",
        "--stop-words en",
        "--stem en",
        "--nfkc false",
        "--lowercase true",
        "--tokens code",
        "--mask numbers",
        "--strip-marks",
        "--rename-blind --keywords c",
    ] {
        for command in
            ["dedup in.jsonl --dry-run", "pairs in.jsonl", "clusters in.jsonl", "compare in.jsonl:a in.jsonl:a"]
        {
            let words = sandbox.refuse(&format!("{command} --items {flag}"));
            assert!(words.contains("cannot be used with"), "{command} {flag}: {words}");
        }
    }
    assert!(sandbox.refuse_in_a_line("pairs in.jsonl --items=ab").contains("expected one character, or `tab`"));
    sandbox.succeed("pairs --items in.jsonl --bag --hash-bits 32");
}
