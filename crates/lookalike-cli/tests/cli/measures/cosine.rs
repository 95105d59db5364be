//! The cosine of term weights against its definition, on texts of words that repeat.

use crate::common::{Pair, Random, Sandbox, record, rows};
use std::collections::{BTreeMap, BTreeSet};

/// Words with their counts.
type Terms = BTreeMap<u32, u64>;

/// Documents of all cosines: some bases, changed here and there, beside words that all have.
fn documents(seed: u64, count: usize) -> Vec<Terms> {
    let mut random = Random(seed);
    let base = |random: &mut Random| -> Terms {
        (0..=random.below(25)).map(|_| (random.below(400) as u32, 1 + random.below(6))).collect()
    };
    let bases: Vec<Terms> = (0..9).map(|_| base(&mut random)).collect();
    let mut one = || {
        let mut terms = bases[random.below(9) as usize].clone();
        for _ in 0..random.below(6) {
            *terms.entry(random.below(500) as u32).or_default() += random.below(4);
        }
        terms.insert(1000 + random.below(3) as u32, 1 + random.below(9));
        terms.retain(|_, count| *count > 0);
        terms
    };
    (0..count).map(|_| one()).collect()
}

fn text(terms: &Terms) -> String {
    let copies = terms.iter().flat_map(|(word, &count)| std::iter::repeat_n(format!("w{word}"), count as usize));
    copies.collect::<Vec<_>>().join(" ")
}

fn sandbox(documents: &[Terms]) -> Sandbox {
    let lines = documents.iter().enumerate().map(|(number, terms)| record(&number.to_string(), &text(terms)));
    Sandbox::with("in.jsonl", lines.collect::<String>())
}

/// The terms with their weights: count times idf in 1024ths, for `tfidf`.
fn weighed(documents: &[Terms], weights: &str) -> Vec<Terms> {
    let mut frequencies: BTreeMap<u32, u64> = BTreeMap::new();
    documents.iter().flat_map(BTreeMap::keys).for_each(|&word| *frequencies.entry(word).or_default() += 1);
    let weight = |word: &u32, count: u64| match weights {
        "tf" => count,
        "binary" => 1,
        _ => {
            let ratio = (1.0 + documents.len() as f64) / (1.0 + frequencies[word] as f64);
            count * (1024.0 * (ratio.ln() + 1.0)).round() as u64
        }
    };
    let all = |terms: &Terms| terms.iter().map(|(word, &count)| (*word, weight(word, count))).collect();
    documents.iter().map(all).collect()
}

/// Dot product and squared norms.
fn products(a: &Terms, b: &Terms) -> [u128; 3] {
    let sum = |terms: &Terms, other: &Terms| -> u128 {
        terms.iter().map(|(word, &weight)| u128::from(weight * other.get(word).copied().unwrap_or(0))).sum()
    };
    [sum(a, b), sum(a, a), sum(b, b)]
}

fn is_near([dot, left, right]: [u128; 3], percent: u128) -> bool {
    dot > 0 && (100 * dot).pow(2) >= percent.pow(2) * left * right
}

#[test]
fn pairs_and_keepers_are_those_of_the_definition() {
    for (seed, weights, percent) in
        [(1, "tf", 80), (2, "tf", 55), (3, "tfidf", 80), (4, "tfidf", 40), (5, "binary", 80), (6, "binary", 30)]
    {
        let documents = documents(seed, 130);
        let sandbox = sandbox(&documents);
        let vectors = weighed(&documents, weights);
        let flags = format!("--measure cosine --weights {weights} --shingle word:1 -t 0.{percent}");
        let found: Vec<Pair> = rows(&sandbox.succeed(&format!("pairs in.jsonl {flags}")).stdout);
        let mut expected = Vec::new();
        for (a, left) in vectors.iter().enumerate() {
            expected.extend(
                (a + 1..vectors.len()).filter(|&b| is_near(products(left, &vectors[b]), percent)).map(|b| (a, b)),
            );
        }
        let numbers = |pair: &Pair| (pair.a.parse::<usize>().unwrap(), pair.b.parse::<usize>().unwrap());
        let mut pairs: Vec<(usize, usize)> = found.iter().map(numbers).collect();
        pairs.sort_unstable();
        assert!(pairs.len() > 100, "{flags}: {}", pairs.len());
        assert_eq!(pairs, expected, "{flags}");
        for pair in &found {
            let (a, b) = numbers(pair);
            let [dot, left, right] = products(&vectors[a], &vectors[b]);
            let exact = dot as f64 / (left as f64 * right as f64).sqrt();
            assert!((pair.similarity - exact).abs() < 1e-12, "{flags}: {pair:?}");
        }
        let mut kept: Vec<usize> = Vec::new();
        for (number, vector) in vectors.iter().enumerate() {
            if !kept.iter().any(|&keeper| is_near(products(vector, &vectors[keeper]), percent)) {
                kept.push(number);
            }
        }
        let ids: Vec<String> = kept.iter().map(usize::to_string).collect();
        assert_eq!(sandbox.kept(&flags), ids, "{flags}");
    }
}

#[test]
fn of_equally_similar_keepers_the_first_is_named() {
    // Squared cosines of 49,170^2 5^2 / (2 49,170^2 26), and the same with all of the other keeper 6209 times as large.
    let keepers = [r#"{"id":"a","text":{"u":5,"w":1}}"#, r#"{"id":"b","text":{"v":31045,"z":6209}}"#];
    let removed = r#"{"id":"x","text":{"u":49170,"v":49170}}"#;
    for (first, keepers) in [("a", keepers), ("b", [keepers[1], keepers[0]])] {
        let sandbox = Sandbox::with("in.jsonl", format!("{}\n{}\n{removed}\n", keepers[0], keepers[1]));
        let flags = "--measure cosine -t 0.6";
        sandbox.succeed(&format!("pairs in.jsonl --items --item-counts {flags} -o pairs.jsonl -q"));
        sandbox.succeed(&format!("dedup in.jsonl --items --item-counts {flags} --removed dedup.csv -q"));
        sandbox.succeed(&format!("recluster pairs.jsonl {flags} --removed recluster.csv -q"));
        let removed = sandbox.read("dedup.csv");
        assert!(removed.contains(&format!("\nx,{first},0.69337")), "{removed}");
        assert_eq!(sandbox.read("recluster.csv"), removed);
    }
}

#[test]
fn answers_are_the_same_bytes_with_any_resources() {
    let documents = documents(9, 400);
    let sandbox = sandbox(&documents);
    sandbox.succeed("snapshot in.jsonl --counts --shingle word:1 -o in.snapshot");
    for weights in ["tf", "tfidf", "binary"] {
        let flags = format!("--measure cosine --weights {weights} --shingle word:1 -t 0.7");
        let expected = sandbox.succeed(&format!("pairs in.jsonl {flags} --threads 1")).stdout;
        let scalar =
            sandbox.command(&format!("pairs in.jsonl {flags}")).env("LOOKALIKE_KERNEL", "scalar").output().unwrap();
        assert_eq!(String::from_utf8(scalar.stdout).unwrap(), expected);
        assert!(expected.lines().count() > 100);
        for resources in ["--threads 3", "--memory 32MiB --threads 2", "--work-dir work"] {
            assert_eq!(sandbox.succeed(&format!("pairs in.jsonl {flags} {resources}")).stdout, expected, "{resources}");
        }
        // Once more from the checkpoints.
        assert_eq!(sandbox.succeed(&format!("pairs in.jsonl {flags} --work-dir work")).stdout, expected);
        std::fs::remove_dir_all(sandbox.path("work")).unwrap();
        if weights != "binary" {
            assert_eq!(sandbox.succeed(&format!("pairs in.snapshot {flags}")).stdout, expected);
        }
    }
}

#[test]
fn simhash_finds_what_it_promises_and_nothing_else() {
    let documents = documents(11, 500);
    let sandbox = sandbox(&documents);
    for weights in ["tf", "tfidf", "binary"] {
        let flags = format!("--measure cosine --weights {weights} --shingle word:1 -t 0.9");
        let exact = sandbox.succeed(&format!("pairs in.jsonl {flags}")).stdout;
        let exact: BTreeSet<&str> = exact.lines().collect();
        let found = sandbox.succeed(&format!("pairs in.jsonl {flags} --method simhash --threads 1"));
        let again = sandbox.succeed(&format!("pairs in.jsonl {flags} --method simhash --threads 3 --memory 32MiB"));
        assert_eq!(found.stdout, again.stdout);
        assert!(found.stderr.contains("recall"), "{}", found.stderr);
        let found: BTreeSet<&str> = found.stdout.lines().collect();
        assert!(found.is_subset(&exact));
        // The law promises 0.99 at the threshold and more above; terms are no random directions.
        assert!(
            exact.len() > 300 && found.len() as f64 >= 0.97 * exact.len() as f64,
            "{} of {}",
            found.len(),
            exact.len()
        );
    }
    let refused = sandbox.refuse_in_a_line("pairs in.jsonl --measure cosine --method simhash --fingerprint-bits 64");
    assert!(
        refused.contains("SimHash of 64 bits does not find 0.99") && refused.contains("it takes 2,848 bits"),
        "{refused}"
    );
    let refused = sandbox.refuse_in_a_line("pairs in.jsonl --method simhash");
    assert!(refused.contains("the method simhash does not fit the measure jaccard"), "{refused}");
    let refused = sandbox.refuse_in_a_line("pairs in.jsonl --measure cosine --method simhash --bands 3 --rows 4");
    assert!(refused.contains("--bands, --rows"), "{refused}");
}

#[test]
fn equal_sets_with_other_counts_are_equal_by_binary_weights_only() {
    let sandbox = Sandbox::with("in.jsonl", record("1", "a a b") + &record("2", "a b b") + &record("3", "b a a"));
    let pairs = |weights: &str| -> Vec<Pair> {
        let flags = "--measure cosine --shingle word:1 -t 0.5 --weights";
        rows(&sandbox.succeed(&format!("pairs in.jsonl {flags} {weights}")).stdout)
    };
    let shown = |weights: &str| -> Vec<String> {
        pairs(weights)
            .iter()
            .map(|Pair { a, b, similarity, reason }| format!("{a} {b} {similarity} {reason}"))
            .collect()
    };
    assert_eq!(shown("tf"), ["1 2 0.8 near", "1 3 1 equal", "2 3 0.8 near"]);
    assert_eq!(shown("binary"), ["1 2 1 equal", "1 3 1 equal", "2 3 1 equal"]);
}

#[test]
fn saved_document_frequencies_weight_new_documents_like_old_ones() {
    let sandbox = Sandbox::with("old.jsonl", record("1", "a a b") + &record("2", "a c") + &record("3", "a"));
    sandbox.write("new.jsonl", record("x", "a b") + &record("y", "a b u"));
    let flags = "--measure cosine --weights tfidf --shingle word:1 -t 0.1";
    let save = sandbox.succeed(&format!("pairs old.jsonl {flags} --save-idf old.idf -o old.csv"));
    assert_eq!(save.stdout, "");
    let run = sandbox.succeed(&format!("pairs new.jsonl {flags} --idf old.idf"));
    // a is in 3 of 3 old documents, b in 1, u in none: ln(4 / 4) + 1, ln(4 / 2) + 1, ln(4) + 1 in 1024ths.
    let [a, b, u] = [1024.0f64, 1734.0, 2444.0].map(|weight| weight * weight);
    let similarity = rows::<Pair>(&run.stdout)[0].similarity;
    assert!((similarity - ((a + b) / (a + b + u)).sqrt()).abs() < 1e-12, "{similarity}");
    let own = sandbox.succeed(&format!("pairs new.jsonl {flags}"));
    assert_ne!(rows::<Pair>(&own.stdout)[0].similarity, similarity);
    // Clusters and dedup take and save them, too.
    sandbox.succeed(&format!("clusters new.jsonl {flags} --idf old.idf -o clusters.csv"));
    sandbox.succeed(&format!("dedup old.jsonl {flags} --save-idf again.idf -o kept.jsonl"));
    assert_eq!(sandbox.bytes("again.idf"), sandbox.bytes("old.idf"));
}

#[test]
fn document_frequencies_that_do_not_fit_are_refused_in_a_line() {
    let sandbox = Sandbox::with("in.jsonl", record("1", "a a b") + &record("2", "a c"));
    let flags = "--measure cosine --weights tfidf";
    sandbox.succeed(&format!("pairs in.jsonl {flags} --shingle word:1 --save-idf one.idf -o one.csv"));
    for (flags, words) in [
        (
            "--measure cosine --weights tf --idf one.idf",
            "document frequencies fit the measure cosine with weights tfidf",
        ),
        ("--save-idf two.idf", "document frequencies fit the measure cosine with weights tfidf"),
        ("--measure cosine --weights tfidf --shingle word:2 --idf one.idf", "one.idf does not fit this job: shingle"),
        ("--measure cosine --weights tfidf --idf none.idf", "none.idf"),
        ("--measure cosine --weights tfidf --idf in.jsonl", "in.jsonl"),
        ("--measure cosine --weights tfidf --save-idf in.jsonl", "in.jsonl"),
    ] {
        let refused = sandbox.refuse_in_a_line(&format!("pairs in.jsonl {flags}"));
        assert!(refused.contains(words), "{flags}: {refused}");
    }
    let bytes = sandbox.bytes("one.idf");
    for place in [40, bytes.len() / 2, bytes.len() - 3] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        sandbox.write("one.idf", damaged);
        let refused = sandbox.refuse_in_a_line(&format!("pairs in.jsonl {flags} --shingle word:1 --idf one.idf"));
        assert!(refused.contains("one.idf"), "{refused}");
    }
}

#[test]
fn counts_of_items_are_weights() {
    let sandbox = Sandbox::with("in.txt", "x:10 y:20\nx:30 y:60\nx:60 y:30\n");
    let run = sandbox.succeed("pairs in.txt --items --item-counts --measure cosine -t 0.8");
    let similarities: Vec<f64> = rows::<Pair>(&run.stdout).iter().map(|pair| pair.similarity).collect();
    assert_eq!(similarities, [1.0, 0.8, 0.8]);
    // With a weight of 1, two of three common items count alike, however often they occur.
    sandbox.write("in.txt", "x:10 y:20 z:1\nx:1 y:1\n");
    let run = sandbox.succeed("pairs in.txt --items --item-counts --measure cosine --weights binary -t 0.8");
    let similarities: Vec<f64> = rows::<Pair>(&run.stdout).iter().map(|pair| pair.similarity).collect();
    assert!(similarities.len() == 1 && (similarities[0] - 2.0 / 6f64.sqrt()).abs() < 1e-12, "{similarities:?}");
    let refused = sandbox.refuse_in_a_line("pairs in.txt --items --measure cosine --weights binary --bag");
    assert!(refused.contains("a bag does not fit the measure cosine"), "{refused}");
}

#[test]
fn what_does_not_fit_the_cosine_is_refused_in_a_line() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "a b c"));
    for (flags, words) in [
        ("--weights tf", "--weights does not fit --measure jaccard: say --measure cosine"),
        ("--measure cosine --min-common 3", "--min-common does not fit --measure cosine"),
        ("--measure cosine --bag", "a bag does not fit the measure cosine"),
        ("--measure cosine --method minhash", "the method minhash does not fit the measure cosine"),
        ("--measure cosine --check-texts", "checking on texts does not fit the measure cosine"),
        ("--measure cosine -t 1.5", "threshold must be a decimal number"),
    ] {
        let refused = sandbox.refuse_in_a_line(&format!("pairs in.jsonl {flags}"));
        assert!(refused.contains(words), "{flags}: {refused}");
    }
    sandbox.succeed("snapshot in.jsonl --counts -o in.snapshot");
    let refused = sandbox.refuse_in_a_line("pairs in.snapshot");
    assert!(refused.contains("with --counts it is for --measure cosine"), "{refused}");
    sandbox.succeed("snapshot in.jsonl -o plain.snapshot");
    let refused = sandbox.refuse_in_a_line("pairs plain.snapshot --measure cosine");
    assert!(refused.contains("with --counts it is for --measure cosine"), "{refused}");
    let refused = sandbox.refuse_in_a_line("pairs plain.snapshot --bits text --measure hamming --distance 3");
    assert!(refused.contains("features was set and is bits"), "{refused}");
}

#[test]
fn recluster_takes_pairs_of_the_same_weights_only() {
    let documents = documents(21, 150);
    let sandbox = sandbox(&documents);
    let flags = "--measure cosine --weights tfidf --shingle word:1";
    sandbox.succeed(&format!("pairs in.jsonl {flags} -t 0.5 -o pairs.parquet"));
    sandbox.succeed(&format!("dedup in.jsonl {flags} -t 0.8 --removed searched.csv"));
    sandbox.succeed(
        "recluster pairs.parquet --documents in.jsonl --measure cosine --weights tfidf -t 0.8 --removed again.csv",
    );
    assert!(sandbox.read("searched.csv").lines().count() > 20);
    assert_eq!(sandbox.read("again.csv"), sandbox.read("searched.csv"));
    let refused = sandbox.refuse_in_a_line("recluster pairs.parquet --measure cosine -t 0.8 -o clusters.csv");
    assert!(refused.contains("holds pairs by cosine of weights tfidf, not by cosine of weights tf; "), "{refused}");
    assert!(refused.ends_with("(--measure cosine --weights tfidf)"), "{refused}");
}
