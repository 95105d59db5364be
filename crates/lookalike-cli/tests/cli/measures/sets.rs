//! Containment and the number of common elements against their definitions, on sets of items.

use crate::common::{Random, Sandbox, record, words};
use std::collections::{BTreeMap, BTreeSet};

type Set = BTreeSet<u32>;

/// Sets of all sizes and overlaps: parts of some bases, with other items.
fn sets(seed: u64, count: usize) -> Vec<Set> {
    let mut random = Random(seed);
    let bases: Vec<Vec<u32>> =
        (0..8).map(|_| (0..=random.below(50)).map(|_| random.below(2000) as u32).collect()).collect();
    let one = |random: &mut Random| {
        let share = random.below(11);
        let base = &bases[random.below(8) as usize];
        let mut set: Set = base.iter().copied().filter(|_| random.below(10) < share).collect();
        set.extend((0..random.below(5)).map(|_| 5000 + random.below(30) as u32));
        set.insert(9000 + random.below(4) as u32);
        set
    };
    (0..count).map(|_| one(&mut random)).collect()
}

fn write(sandbox: &Sandbox, name: &str, sets: &[Set]) {
    let line = |set: &Set| set.iter().map(|item| format!("i{item}")).collect::<Vec<_>>().join(" ") + "\n";
    sandbox.write(name, sets.iter().map(line).collect::<String>());
}

fn common(left: &Set, right: &Set) -> usize {
    left.intersection(right).count()
}

/// Whether `part` of `whole` is at least `percent` of a hundred.
fn reaches(part: usize, whole: usize, percent: usize) -> bool {
    part > 0 && part * 100 >= whole * percent
}

/// The number of the line of an id, from 0.
fn number(id: &serde_json::Value) -> usize {
    id.as_str().unwrap().rsplit(':').next().unwrap().parse::<usize>().unwrap() - 1
}

fn rows(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn pairs_by_containment_are_those_of_the_definition() {
    let sandbox = Sandbox::new();
    let sets = sets(7, 150);
    write(&sandbox, "in.txt", &sets);
    for percent in [30, 80, 100] {
        let mut expected = BTreeMap::new();
        for (b, right) in sets.iter().enumerate() {
            for (a, left) in sets[..b].iter().enumerate() {
                let common = common(left, right);
                if reaches(common, left.len(), percent) || reaches(common, right.len(), percent) {
                    let shares = [left, right].map(|set| common as f64 / set.len() as f64);
                    expected.insert((a, b), shares);
                }
            }
        }
        let threshold = percent as f64 / 100.0;
        let run = |more: &str| {
            let command = format!("pairs in.txt --items --measure containment -t {threshold} {more}");
            sandbox.succeed(&command).stdout
        };
        let text = run("--threads 1");
        let found = rows(&text).into_iter().map(|row| {
            let shares = ["containment_of_a", "containment_of_b"].map(|name| row[name].as_f64().unwrap());
            assert_eq!(row["similarity"].as_f64().unwrap(), shares[0].max(shares[1]));
            ((number(&row["a"]), number(&row["b"])), shares)
        });
        assert_eq!(found.collect::<BTreeMap<_, _>>(), expected, "{percent} %");
        assert_eq!(run("--threads 2 --memory 32MiB --method exact"), text);
    }
}

#[test]
fn the_part_goes_and_the_whole_stays() {
    let sandbox = Sandbox::new();
    let sets = sets(11, 150);
    write(&sandbox, "in.txt", &sets);
    for percent in [50, 90] {
        let mut order: Vec<usize> = (0..sets.len()).collect();
        order.sort_by_key(|&document| std::cmp::Reverse(sets[document].len()));
        let (mut kept, mut removed): (Vec<usize>, BTreeMap<usize, usize>) = Default::default();
        for document in order {
            let set = &sets[document];
            let holds = |keeper: &&usize| reaches(common(set, &sets[**keeper]), set.len(), percent);
            // Of equal maxima, `max_by_key` takes the last one.
            match kept.iter().filter(holds).rev().max_by_key(|keeper| common(set, &sets[**keeper])) {
                Some(&keeper) => drop(removed.insert(document, keeper)),
                None => kept.push(document),
            }
        }
        let flags = format!("--items --measure containment -t {}", percent as f64 / 100.0);
        let text = sandbox.succeed(&format!("dedup in.txt -n --removed - {flags}")).stdout;
        let found = rows(&text).into_iter().map(|row| (number(&row["id"]), number(&row["kept"])));
        assert_eq!(found.collect::<BTreeMap<_, _>>(), removed, "{percent} %");
        let resumed = format!("dedup in.txt -n --removed why.jsonl --work-dir work {flags}");
        sandbox.succeed(&resumed);
        assert_eq!(sandbox.read("why.jsonl"), text);
        std::fs::remove_dir_all(sandbox.path("work")).unwrap();
    }
}

#[test]
fn saved_containments_decide_as_a_new_run() {
    let sandbox = Sandbox::new();
    let sets = sets(23, 200);
    write(&sandbox, "in.txt", &sets);
    sandbox.succeed("pairs in.txt --items --measure containment -t 0.3 -o pairs.csv");
    for (threshold, keep) in [("0.3", "first"), ("0.5", "last"), ("0.9", "first"), ("1", "last")] {
        let flags = format!("--measure containment -t {threshold} --keep {keep}");
        sandbox.succeed(&format!("dedup in.txt --items {flags} --removed new.csv -o new.txt"));
        sandbox.succeed(&format!("recluster pairs.csv {flags} --removed alone.csv"));
        let documents = "--documents in.txt --items --removed named.csv --records named.txt";
        sandbox.succeed(&format!("recluster pairs.csv {flags} {documents}"));
        let new = sandbox.read("new.csv");
        assert!(new.lines().count() > 5, "{new}");
        assert_eq!(sandbox.read("named.csv"), new, "{flags}");
        assert_eq!(sandbox.read("named.txt"), sandbox.read("new.txt"), "{flags}");
        // Without the documents their order is one that the pairs allow.
        let sorted = |text: String| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
        assert_eq!(sorted(sandbox.read("alone.csv")), sorted(new), "{flags}");
    }
}

#[test]
fn references_are_contained_or_contain_as_asked() {
    let sandbox = Sandbox::new();
    let inputs = sets(13, 120);
    let references = sets(17, 60);
    write(&sandbox, "in.txt", &inputs);
    write(&sandbox, "ref.txt", &references);
    for (name, side) in [("in-reference", [true, false]), ("of-reference", [false, true]), ("either", [true, true])] {
        let is_near = |input: &Set, reference: &Set| {
            let common = common(input, reference);
            let shares = [input, reference].map(|set| reaches(common, set.len(), 80));
            (side[0] && shares[0]) || (side[1] && shares[1])
        };
        let goes = |input: &Set| references.iter().any(|reference| is_near(input, reference));
        let expected: BTreeSet<usize> = (0..inputs.len()).filter(|&number| goes(&inputs[number])).collect();
        let flags = format!("--items --measure containment --containment {name} -t 0.8");
        let text = sandbox.succeed(&format!("dedup in.txt --against ref.txt -n --removed - {flags}")).stdout;
        let found: BTreeSet<usize> = rows(&text).iter().map(|row| number(&row["id"])).collect();
        assert_eq!(found, expected, "{name}");
        assert!(!found.is_empty() && found.len() < inputs.len());
    }
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
    let found = rows(&text).into_iter().map(|row| {
        let shares = ["containment_of_a", "containment_of_b"].map(|name| row[name].as_f64().unwrap());
        ((number(&row["a"]), number(&row["b"])), shares)
    });
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected);
    for more in ["--threads 2 --memory 32MiB", "--check-texts", "--work-dir work", "--work-dir work -o again.jsonl"] {
        let found = pairs(more);
        assert_eq!(if found.is_empty() { sandbox.read("again.jsonl") } else { found }, text, "{more}");
    }
    // What stays holds what goes, and nothing that stays is in another text that stays.
    let removed = rows(&sandbox.succeed(&format!("dedup in.jsonl -n --removed - {flags}")).stdout);
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
    let note = "note: 2 of 3 documents have one shingle of word:5: a snapshot or an index keeps no texts, so a text of \
                fewer tokens is not looked for inside others; name the documents that it was made of\n";
    for stored in ["in.snapshot", "in.idx"] {
        for command in ["pairs", "clusters", "dedup -n"] {
            let words = sandbox.succeed(&format!("{command} {stored} {contained}")).stderr;
            assert!(words.contains(note), "{command} {stored}: {words}");
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
fn common_items_are_counted() {
    let sandbox = Sandbox::new();
    let sets = sets(19, 120);
    write(&sandbox, "in.txt", &sets);
    for min_common in [1, 5, 20] {
        let mut expected = BTreeMap::new();
        for (b, right) in sets.iter().enumerate() {
            for (a, left) in sets[..b].iter().enumerate() {
                let common = common(left, right);
                if common >= min_common {
                    expected.insert((a, b), common as u64);
                }
            }
        }
        let flags = format!("--items --measure overlap --min-common {min_common}");
        let found = rows(&sandbox.succeed(&format!("pairs in.txt {flags}")).stdout).into_iter();
        let found = found.map(|row| ((number(&row["a"]), number(&row["b"])), row["common"].as_u64().unwrap()));
        assert_eq!(found.collect::<BTreeMap<_, _>>(), expected, "{min_common}");
    }
    // A number of common items is read again.
    sandbox.succeed("pairs in.txt --items --measure overlap --min-common 5 -o pairs.parquet");
    sandbox.succeed("recluster pairs.parquet --measure overlap --min-common 20 -o new.csv");
    sandbox.succeed("clusters in.txt --items --measure overlap --min-common 20 -o old.csv");
    assert_eq!(sandbox.read("new.csv"), sandbox.read("old.csv"));
}

#[test]
fn annotations_of_overlaps_have_the_number_of_common_elements() {
    let records = [("a", "one two three four"), ("b", "one two three five"), ("c", "six")];
    let sandbox = Sandbox::with("in.jsonl", records.map(|(id, text)| record(id, text)).concat());
    let search = "--shingle word:1 --measure overlap --min-common 3 -q --annotate";
    sandbox.succeed(&format!("dedup in.jsonl {search} -o out.jsonl"));
    let found = rows(&sandbox.read("out.jsonl"));
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
    sandbox.refuse_in_a_line(&format!("dedup three.csv {search} -o again.csv"));
}

#[test]
fn flags_that_do_not_fit_the_measure_are_refused_in_a_line() {
    let sandbox = Sandbox::with("in.txt", "a b c\nb c d\n");
    sandbox.succeed("pairs in.txt --items --measure containment -t 0.5 -o c.csv");
    for (arguments, expected) in [
        ("pairs in.txt --items --measure overlap", "needs the minimum number of common elements: --min-common N"),
        ("pairs in.txt --items --min-common 2", "--min-common does not fit --measure jaccard: say --measure overlap"),
        (
            "pairs in.txt --items --measure overlap --min-common 2 -t 0.5",
            "--threshold does not fit --measure overlap: it has --min-common N",
        ),
        ("dedup in.txt --containment in-reference", "--containment does not fit --measure jaccard"),
        ("dedup in.txt --measure containment --containment either", "--containment needs references: --against REF"),
        (
            "pairs in.txt --items --measure containment --method minhash",
            "the method minhash does not fit the measure containment; exact does",
        ),
        (
            "recluster c.csv -t 0.5",
            "c.csv holds pairs by containment, not by jaccard; give the measure of the pairs (--measure containment)",
        ),
    ] {
        let words = sandbox.refuse_in_a_line(arguments);
        assert!(words.contains(expected), "{arguments}: {words}");
    }
    let words = sandbox.refuse("pairs in.txt --items --measure overlap --min-common 0");
    assert!(words.contains("expected a whole number between 1 and"), "{words}");
}
