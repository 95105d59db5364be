//! Containment by fingerprints: against its definition, with the promised recall.

use crate::common::{Random, Sandbox, record, rows};
use std::collections::BTreeSet;

const SHINGLE: usize = 3;

/// Whole texts, and others that quote a part of one, from a few words to nearly all, among words of their own.
fn texts(seed: u64, count: usize) -> Vec<Vec<u64>> {
    let mut random = Random(seed);
    let bases: Vec<Vec<u64>> =
        (0..12).map(|_| (0..200 + random.below(600)).map(|_| random.below(20_000)).collect()).collect();
    let one = |random: &mut Random| {
        let base = &bases[random.below(12) as usize];
        let length = (3 + random.below(base.len() as u64 - 3)) as usize;
        let start = random.below((base.len() - length) as u64 + 1) as usize;
        let mut words = base[start..start + length].to_vec();
        for _ in 0..random.below(1 + length as u64 / 8) {
            let place = random.below(words.len() as u64) as usize;
            words[place] = random.below(20_000);
        }
        words
    };
    let parts: Vec<Vec<u64>> = (0..count).map(|_| one(&mut random)).collect();
    bases.into_iter().chain(parts).collect()
}

fn sandbox(texts: &[Vec<u64>]) -> Sandbox {
    let text = |words: &[u64]| words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
    let line = |(number, words): (usize, &Vec<u64>)| record(&number.to_string(), &text(words));
    Sandbox::with("in.jsonl", texts.iter().enumerate().map(line).collect::<String>())
}

fn shingles(words: &[u64]) -> BTreeSet<&[u64]> {
    words.windows(SHINGLE.min(words.len())).collect()
}

/// Pairs of which at least `percent` of a hundred of one document is in the other; whole texts of fewer words than a
/// shingle are left out of `texts`.
fn near(texts: &[Vec<u64>], percent: usize) -> BTreeSet<(usize, usize)> {
    let sets: Vec<_> = texts.iter().map(|words| shingles(words)).collect();
    let mut pairs = BTreeSet::new();
    for b in 0..sets.len() {
        for a in 0..b {
            let common = sets[a].intersection(&sets[b]).count();
            if common > 0 && common * 100 >= percent * sets[a].len().min(sets[b].len()) {
                pairs.insert((a, b));
            }
        }
    }
    pairs
}

fn found(text: &str) -> BTreeSet<(usize, usize)> {
    let number = |row: &serde_json::Value, name: &str| row[name].as_str().unwrap().parse().unwrap();
    rows::<serde_json::Value>(text).iter().map(|row| (number(row, "a"), number(row, "b"))).collect()
}

#[test]
fn pairs_are_true_and_the_recall_is_kept() {
    let texts = texts(3, 500);
    let sandbox = sandbox(&texts);
    for (select, percent, recall) in [("mod:4", 80, 0.9), ("mod:16", 80, 0.99), ("mod:8", 50, 0.95)] {
        let expected = near(&texts, percent);
        let threshold = percent as f64 / 100.0;
        let command = format!(
            "pairs in.jsonl --shingle word:{SHINGLE} --measure containment -t {threshold} --method fingerprint \
             --select {select} --recall {recall}"
        );
        let run = sandbox.succeed(&command);
        let found = found(&run.stdout);
        assert!(found.is_subset(&expected), "{select}: not all pairs are true");
        assert!(expected.len() > 500, "{}", expected.len());
        // A pair above the threshold is found with a higher probability.
        let least = expected.len() as f64 * recall - 5.0 * (expected.len() as f64 * recall * (1.0 - recall)).sqrt();
        assert!(found.len() as f64 >= least, "{select}: {} of {}", found.len(), expected.len());
        assert!(run.stderr.contains(&format!("fingerprint, {select}: expected recall")), "{}", run.stderr);
        assert!(run.stderr.contains("recall: "), "{}", run.stderr);
        let all = sandbox.succeed(&command.replace(&format!("--select {select}"), "--select mod:1")).stdout;
        assert_eq!(self::found(&all), expected, "all elements are fingerprints");
    }
}

/// Runs of W + n - 1 common words are found, whatever stands around them.
#[test]
fn winnowing_finds_every_whole_window() {
    let mut random = Random(11);
    let window = 6;
    let mut words = |count: u64| (0..count).map(|_| random.below(50_000)).collect::<Vec<_>>();
    let mut texts = Vec::new();
    for number in 0..150 {
        let whole = words(400);
        let before = words(number % 17);
        let behind = words(number % 11);
        let start = (number * 2) as usize;
        let quoted = whole[start..start + window + SHINGLE - 1].to_vec();
        texts.push(whole);
        texts.push([before, quoted, behind].concat());
    }
    let sandbox = sandbox(&texts);
    // The quoted shingles are 6 of at most 34 of the shorter text.
    let run = sandbox.succeed(&format!(
        "pairs in.jsonl --shingle word:{SHINGLE} --measure containment -t 0.15 --method fingerprint \
         --select winnow:{window}"
    ));
    let found = found(&run.stdout);
    assert!((0..150).all(|pair| found.contains(&(2 * pair, 2 * pair + 1))));
    assert!(found.is_subset(&near(&texts, 15)));
    assert!(run.stderr.contains("whole window in common"), "{}", run.stderr);
}

/// A short text may have no selected element: it is found by all its elements.
#[test]
fn short_texts_and_short_quotations_are_not_lost() {
    let whole: Vec<u64> = (0..900).collect();
    let parts = (0..60usize).map(|part| whole[part * 14..part * 14 + 3 + part % 5].to_vec());
    let texts: Vec<Vec<u64>> = std::iter::once(whole.clone()).chain(parts).collect();
    let sandbox = sandbox(&texts);
    for search in ["--select mod:64", "--select winnow:30"] {
        let command = format!("dedup in.jsonl --measure containment -t 0.9 --method fingerprint {search} -o out.jsonl");
        sandbox.succeed(&command);
        // Words of 5 are a shingle; three or four of them are looked up in the texts.
        assert_eq!(sandbox.read("out.jsonl").lines().count(), 1, "{search}");
    }
}

#[test]
fn references_are_searched_by_fingerprints() {
    let texts = texts(21, 300);
    let sandbox = sandbox(&texts);
    let lines: Vec<String> = sandbox.read("in.jsonl").lines().map(|line| format!("{line}\n")).collect();
    sandbox.write("new.jsonl", lines[..150].concat());
    sandbox.write("old.jsonl", lines[150..].concat());
    for side in ["in-reference", "of-reference", "either"] {
        let job = format!(
            "dedup new.jsonl --against old.jsonl --shingle word:3 --measure containment --containment {side} -t 0.8"
        );
        let kept = |method: &str| -> BTreeSet<String> {
            sandbox.succeed(&format!("{job} {method} -o out.jsonl"));
            sandbox.read("out.jsonl").lines().map(str::to_owned).collect()
        };
        let exact = kept("--method exact");
        assert!((20..148).contains(&exact.len()), "{side}: {}", exact.len());
        for search in ["--select mod:1", "--select mod:4 --recall 0.99", "--select winnow:4"] {
            let found = kept(&format!("--method fingerprint {search}"));
            assert!(found.is_superset(&exact), "{side} {search}: a document went without a reason");
            let missed = found.len() - exact.len();
            let allowed = if search.contains("mod:1") { 0 } else { 6 };
            assert!(missed <= allowed, "{side} {search}: {missed} missed");
        }
        let run = sandbox.succeed(&format!("{job} --method fingerprint --select mod:4"));
        assert!(run.stderr.contains("recall: 0.9") || run.stderr.contains("recall: 1.0"), "{}", run.stderr);
    }
}

#[test]
fn what_does_not_fit_is_refused_in_a_line() {
    let sandbox = sandbox(&texts(1, 5));
    sandbox.succeed("snapshot in.jsonl -o in.snapshot");
    let contained = "--measure containment --method fingerprint";
    sandbox.refuse_all("measures/what_does_not_fit_is_refused_in_a_line");
    sandbox.succeed(&format!("pairs in.snapshot {contained} --select mod:4"));
}

#[test]
fn compare_shows_the_estimate_beside_what_is_so() {
    let whole: Vec<u64> = (0..1000).collect();
    let part: Vec<u64> = whole[100..400].iter().copied().chain(5000..5100).collect();
    let sandbox = sandbox(&[whole, part]);
    let command = "compare in.jsonl:1 in.jsonl:0 --shingle word:2 --select mod:4";
    let answer: serde_json::Value =
        serde_json::from_str(&sandbox.succeed(&format!("{command} --format json")).stdout).unwrap();
    assert_eq!(answer["fingerprints"]["select"], "mod:4");
    let common = &answer["fingerprints"]["common"];
    let left = &answer["fingerprints"]["left"];
    let exact = answer["containment_of_left"].as_f64().unwrap();
    let [low, high] = [0, 1].map(|bound| left["interval"][bound].as_f64().unwrap());
    assert!(low <= exact && exact <= high && high - low < 0.3, "{answer}");
    let share = common.as_f64().unwrap() / left["fingerprints"].as_f64().unwrap();
    assert_eq!(left["estimated_containment"].as_f64().unwrap(), share);
    sandbox.answers(command, "...\nestimated of A       0...fingerprints (mod:4), 95 % interval...");
    sandbox.answers(&command.replace("mod:4", "winnow:9"), "...fingerprints (winnow:9)\n...");
    let none = sandbox.succeed(&command.replace("mod:4", "winnow:9000")).stdout;
    assert!(none.contains("estimated of A       -        0 of 0 fingerprints"), "{none}");
    assert!(!sandbox.succeed("compare in.jsonl:1 in.jsonl:0").stdout.contains("estimated"));
}

#[test]
fn pairs_by_fingerprints_say_so_to_recluster() {
    let sandbox = sandbox(&texts(2, 100));
    for (search, expected) in
        [("--select mod:8 --recall 0.95", "expected recall 0.9500, recall"), ("--select winnow:9", ": recall")]
    {
        let search = format!("--shingle word:3 --measure containment -t 0.6 --method fingerprint {search}");
        sandbox.succeed(&format!("pairs in.jsonl {search} -o pairs.parquet"));
        let words = sandbox.succeed("recluster pairs.parquet --measure containment -t 0.8").stderr;
        assert!(words.contains(expected), "{words}");
    }
}
