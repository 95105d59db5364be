//! `search`: the same answers from a corpus, its snapshot and its index, for every measure.

use crate::common::{Random, Sandbox};
use std::collections::BTreeSet;

/// Texts of some families of sentences, some of them twice.
fn texts(count: u64, seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    let text = |_| {
        let family = random.below(6);
        let words = (0..5 + random.below(20)).map(|place| {
            let word = if random.below(12) == 0 { random.below(40) } else { family * 7 + place };
            format!("w{word}")
        });
        words.collect::<Vec<_>>().join(" ")
    };
    (0..count).map(text).collect()
}

fn records(texts: &[String], prefix: &str) -> String {
    let record = |(number, text): (usize, &String)| format!(r#"{{"id":"{prefix}{number}","text":"{text}"}}"#) + "\n";
    texts.iter().enumerate().map(record).collect()
}

/// The shingles of three words of a text, or the whole text if it is shorter.
fn shingles(text: &str) -> BTreeSet<String> {
    let words: Vec<&str> = text.split(' ').collect();
    words.windows(3.min(words.len())).map(|window| window.join(" ")).collect()
}

/// The answers by Jaccard similarity, by comparing all with all.
fn expected(corpus: &[String], queries: &[String], threshold: f64, limit: usize) -> Vec<String> {
    let sets: Vec<_> = corpus.iter().map(|text| shingles(text)).collect();
    let mut rows = Vec::new();
    for (query, text) in queries.iter().enumerate() {
        let asked = shingles(text);
        let similarity = |set: &BTreeSet<String>| {
            let common = asked.intersection(set).count();
            common as f64 / (asked.len() + set.len() - common) as f64
        };
        let mut near: Vec<(usize, f64)> = sets.iter().map(similarity).enumerate().collect();
        near.retain(|&(_, similarity)| similarity >= threshold && similarity > 0.0);
        near.sort_by(|a, b| b.1.total_cmp(&a.1));
        near.truncate(limit);
        rows.extend((1..).zip(near).map(|(rank, (document, _))| format!("q{query},{rank},d{document}")));
    }
    rows
}

fn names_of(csv: &str) -> Vec<String> {
    csv.lines().skip(1).map(|line| line.split(',').take(3).collect::<Vec<_>>().join(",")).collect()
}

#[test]
fn answers_are_those_of_brute_force_wherever_they_come_from() {
    let corpus = texts(150, 1);
    let queries = texts(80, 2);
    let sandbox = Sandbox::with("corpus.jsonl", records(&corpus, "d"));
    sandbox.write("queries.jsonl", records(&queries, "q"));
    sandbox.succeed("snapshot corpus.jsonl --shingle word:3 -o corpus.snapshot");
    sandbox.succeed("index create corpus.idx corpus.jsonl --shingle word:3 -t 0.3");
    for (flags, threshold, limit) in [("-t 0.3", 0.3, 999), ("-t 0.5 -k 4", 0.5, 4), ("-t 0.8", 0.8, 999)] {
        let expected = expected(&corpus, &queries, threshold, limit);
        assert!(expected.len() > 50, "{flags}: {}", expected.len());
        for place in ["corpus.jsonl", "corpus.snapshot", "corpus.idx"] {
            let found =
                sandbox.succeed(&format!("search queries.jsonl --in {place} --shingle word:3 {flags} --format csv"));
            assert_eq!(names_of(&found.stdout), expected, "{place} {flags}");
        }
    }
    let all = sandbox.succeed("search queries.jsonl --in corpus.jsonl --shingle word:3 -k 7 --format csv");
    assert_eq!(names_of(&all.stdout), expected(&corpus, &queries, 0.0, 7));
}

#[test]
fn an_index_is_asked_by_its_own_nouns_and_no_others() {
    let sandbox = Sandbox::with("corpus.jsonl", records(&texts(30, 5), "d"));
    sandbox.succeed("index create jaccard.idx corpus.jsonl --shingle word:3 -t 0.3");
    sandbox.succeed("index create containment.idx corpus.jsonl --shingle word:3 --measure containment -t 0.3");
    for place in ["jaccard.idx", "containment.idx"] {
        let own = sandbox.succeed(&format!("search --id d3 --in {place} -t 0.9 --format csv"));
        assert!(own.stderr.contains("1 query"), "{}", own.stderr);
    }
    for (flags, told) in [
        ("--in containment.idx --measure jaccard", "the index answers by containment"),
        ("--in jaccard.idx --shingle word:5", "word:3"),
        ("--in jaccard.idx --method minhash", "by its own method"),
        ("--in jaccard.idx -t 0.2", "jaccard at 0.3 or above"),
        ("--in corpus.jsonl --method fingerprint --measure containment", "fingerprint"),
    ] {
        let refused = sandbox.refuse(&format!("search corpus.jsonl {flags}"));
        assert!(refused.contains(told), "{flags}: {refused}");
    }
}

#[test]
fn a_document_without_words_is_near_to_nothing_wherever_it_is() {
    let sandbox =
        Sandbox::with("corpus.jsonl", "{\"id\": \"e\", \"text\": \"...\"}\n{\"id\": \"d\", \"text\": \"a b c\"}\n");
    sandbox.succeed("index create corpus.idx corpus.jsonl");
    sandbox.succeed("snapshot corpus.jsonl -o corpus.snapshot");
    for place in ["corpus.jsonl", "corpus.snapshot", "corpus.idx"] {
        let refused = sandbox.refuse(&format!("search --id e --in {place}"));
        assert!(refused.contains("`e`"), "{place}: {refused}");
    }
}

#[test]
fn queries_shorter_than_a_shingle_are_counted_where_they_would_be_looked_for() {
    let sandbox = Sandbox::with("corpus.jsonl", "{\"text\": \"the quick brown fox jumps over the lazy dog\"}\n");
    sandbox.succeed("index create corpus.idx corpus.jsonl --measure containment");
    sandbox.write("queries.txt", "quick brown");
    sandbox.succeed("snapshot corpus.jsonl -o corpus.snapshot");
    for place in ["corpus.snapshot", "corpus.idx"] {
        let found = sandbox.succeed(&format!("search queries.txt --in {place} --measure containment"));
        assert!(found.stderr.contains("1 query has one shingle"), "{}", found.stderr);
        assert!(!found.stderr.contains("document has one shingle"), "{}", found.stderr);
    }
    let remedied = "search queries.txt --in corpus.jsonl --measure containment --shingle word:2 --format csv";
    let remedied = sandbox.succeed(remedied);
    assert!(remedied.stdout.contains(",1.0,1.0,"), "{}", remedied.stdout);
    let other_way = "search queries.txt --in corpus.jsonl --measure containment --containment of-reference";
    for harmless in [other_way, "search queries.txt --in corpus.jsonl"] {
        let found = sandbox.succeed(harmless);
        assert!(!found.stderr.contains("one shingle"), "{}", found.stderr);
    }
}

#[test]
fn short_queries_and_documents_are_found_inside_others_by_containment() {
    let long = "the quick brown fox jumps over the lazy dog while nobody looks at all";
    let [long, short, page] = [("d1", long), ("d2", "lazy dog"), ("d3", "one two three four five six seven")]
        .map(|(id, text)| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n"));
    let sandbox = Sandbox::with("corpus.jsonl", long.clone() + &short + &page);
    sandbox
        .write("queries.jsonl", "{\"id\":\"q1\",\"text\":\"Nobody looks\"}\n".to_owned() + &long.replace("d1", "q2"));
    let names = |flags: &str| {
        let found = sandbox.succeed(&format!("search queries.jsonl --in {flags} --measure containment --format csv"));
        let names = found.stdout.lines().skip(1).map(|row| row.split(',').take(4).collect::<Vec<_>>().join(" "));
        (names.collect::<Vec<_>>(), found.stderr)
    };
    let (rows, words) = names("corpus.jsonl");
    assert_eq!(rows, ["q1 1 d1 1.0", "q2 1 d1 1.0", "q2 2 d2 1.0"]);
    assert!(!words.contains("one shingle"), "{words}");
    assert_eq!(names("corpus.jsonl --containment in-reference -t 0.9").0, ["q1 1 d1 1.0", "q2 1 d1 1.0"]);
    assert_eq!(names("corpus.jsonl --containment of-reference -t 0.9").0, ["q2 1 d1 1.0", "q2 2 d2 1.0"]);
    // Many queries are asked of an index, but for those that no shingle leads to.
    let many = (0..70).map(|number| format!("{{\"id\":\"m{number}\",\"text\":\"lazy dog\"}}\n")).collect::<String>();
    sandbox.write("queries.jsonl", many);
    assert_eq!(names("corpus.jsonl -t 0.9").0.len(), 140);
    // What is stored has no texts to look into, which is said.
    sandbox.write("queries.jsonl", long);
    sandbox.succeed("snapshot corpus.jsonl -o corpus.snapshot");
    sandbox.succeed("index create corpus.idx corpus.jsonl --measure containment --store-texts");
    let note = "note: 1 of 3 documents has one shingle of word:5: a snapshot or an index keeps no texts, so a text of \
                fewer tokens is not looked for inside others; name the documents that it was made of\n";
    for stored in ["corpus.snapshot", "corpus.idx"] {
        let (rows, words) = names(stored);
        assert_eq!(rows, ["d1 1 d1 1.0"], "{stored}");
        assert!(words.ends_with(note), "{words}");
    }
}

#[test]
fn every_measure_answers_alike_from_corpus_snapshot_and_index() {
    let sandbox = Sandbox::with("corpus.jsonl", records(&texts(150, 3), "d"));
    // Few, so that they are compared with all; and many, so that the corpus is indexed.
    sandbox.write("few.jsonl", records(&texts(20, 4), "q"));
    sandbox.write("many.jsonl", records(&texts(90, 5), "q"));
    for measure in [
        "--measure containment -t 0.5",
        "--measure containment --containment in-reference -t 0.5",
        "--measure containment --containment of-reference -t 0.5",
        "--measure overlap --min-common 3",
        "--measure cosine -t 0.4 --shingle word:1",
        "--measure cosine --weights tfidf -t 0.4 --shingle word:1",
        "--measure cosine --weights binary -t 0.4",
        "--bag -t 0.3",
    ] {
        let counts = if measure.contains("cosine") && !measure.contains("binary") { "--counts" } else { "" };
        let shape = measure.split(" -t").next().unwrap_or_default();
        let shingle = if measure.contains("word:1") { "--shingle word:1" } else { "" };
        let bag = if shape.contains("--bag") { "--bag" } else { "" };
        sandbox.succeed(&format!("snapshot corpus.jsonl {counts} {shingle} {bag} -o corpus.snapshot"));
        let either = measure.replace("--containment in-reference", "").replace("--containment of-reference", "");
        sandbox.succeed(&format!("index create corpus.idx corpus.jsonl {either}"));
        for queries in ["few.jsonl", "many.jsonl"] {
            let from = |place| sandbox.succeed(&format!("search {queries} --in {place} {measure} -k 5")).stdout;
            let rows = from("corpus.jsonl");
            assert!(rows.lines().count() > 20, "{measure}: {rows}");
            assert_eq!(from("corpus.snapshot"), rows, "snapshot, {measure}");
            assert_eq!(from("corpus.idx"), rows, "index, {measure}");
        }
        std::fs::remove_dir_all(sandbox.path("corpus.idx")).unwrap();
    }
}

#[test]
fn fingerprints_are_found_within_their_distance() {
    let mut random = Random(9);
    let mut record = |number: u64, prefix: &str| {
        let flipped = (0..random.below(6)).fold(0u64, |bits, _| bits ^ 1 << random.below(64));
        format!("{prefix}{number},{:016x}\n", (number % 9).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ flipped)
    };
    let corpus: String = (0..200).map(|number| record(number, "d")).collect();
    let queries: String = (0..90).map(|number| record(number, "q")).collect();
    let sandbox = Sandbox::with("corpus.csv", format!("id,hash\n{corpus}"));
    sandbox.write("queries.csv", format!("id,hash\n{queries}"));
    let flags = "--bits hash --measure hamming --distance 5";
    sandbox.succeed(&format!("index create corpus.idx corpus.csv {flags}"));
    let rows = sandbox.succeed(&format!("search queries.csv --in corpus.csv {flags}")).stdout;
    assert!(rows.lines().count() > 100 && rows.contains(r#""distance":"#));
    assert_eq!(sandbox.succeed(&format!("search queries.csv --in corpus.idx {flags}")).stdout, rows);
}

#[test]
fn a_text_and_a_document_of_the_corpus_can_be_asked_about() {
    let sandbox = Sandbox::with(
        "a.jsonl",
        concat!(
            "{\"id\":\"x\",\"text\":\"one two three four five six\"}\n",
            "{\"id\":\"y\",\"text\":\"one two three four five seven\"}\n",
            "{\"id\":\"z\",\"text\":\"One two three four five six!\"}\n",
        ),
    );
    sandbox.succeed("index create a.idx a.jsonl -t 0.2");
    for place in ["a.jsonl", "a.idx"] {
        let rows = sandbox.succeed(&format!("search --id x --in {place}")).stdout;
        let expected = concat!(
            "{\"query\":\"x\",\"rank\":1,\"id\":\"z\",\"similarity\":1.0,\"reason\":\"equal\"}\n",
            "{\"query\":\"x\",\"rank\":2,\"id\":\"y\",\"similarity\":0.3333333333333333,\"reason\":\"near\"}\n",
        );
        assert_eq!(rows, expected, "{place}");
        let run =
            sandbox.command(&format!("search --in {place} -k 1 --text")).arg("one two three four five seven").output();
        let rows = String::from_utf8(run.unwrap().stdout).unwrap();
        assert_eq!(rows, "{\"query\":\"0\",\"rank\":1,\"id\":\"y\",\"similarity\":1.0,\"reason\":\"identical\"}\n");
    }
}

#[test]
fn a_query_that_cannot_be_compared_is_named() {
    let sandbox = Sandbox::with("a.jsonl", "{\"id\":\"x\",\"v\":[1,2,3]}\n{\"id\":\"y\",\"v\":[3,2,1]}\n");
    let flags = "--vector v --measure euclidean --distance 3";
    sandbox.succeed(&format!("index create a.idx a.jsonl {flags}"));
    for (query, problem) in
        [("[1,2,", "not a vector; expected an array of numbers"), ("[1,2]", "2 components, the documents have 3")]
    {
        for place in [format!("a.jsonl {flags}"), "a.idx".to_owned()] {
            let words = sandbox.refuse_in_a_line(&format!("search --in {place} --text {query}"));
            assert_eq!(words, format!("query `{query}`: {problem}"), "{place}");
        }
    }
}

#[test]
fn recall_is_measured_where_there_are_many_queries() {
    let corpus = texts(400, 3);
    let queries = texts(90, 4);
    let sandbox = Sandbox::with("corpus.jsonl", records(&corpus, "d"));
    sandbox.write("queries.jsonl", records(&queries, "q"));
    sandbox.write("few.jsonl", records(&queries[..9], "q"));
    let minhash = "--shingle word:3 -t 0.3 --method minhash --recall 0.8";
    sandbox.succeed(&format!("index create corpus.idx corpus.jsonl {minhash}"));
    let near = expected(&corpus, &queries, 0.3, 1000).len() as u64;
    for corpus in ["corpus.idx", "corpus.jsonl"] {
        let flags = if corpus == "corpus.idx" { "-t 0.3" } else { minhash };
        let search = |queries| {
            format!("search {queries}.jsonl --in {corpus} {flags} --measure-recall --summary s.json -o rows.csv")
        };
        let unasked = sandbox.succeed(&search("queries").replace("--measure-recall", "")).stderr;
        assert!(unasked.contains("at the threshold, not measured") && !unasked.contains(" measured ("), "{unasked}");
        let run = sandbox.succeed(&search("queries"));
        assert!(run.stderr.contains("recall: 0.") && run.stderr.contains(" measured ("), "{}", run.stderr);
        let summary: serde_json::Value = serde_json::from_str(&sandbox.read("s.json")).unwrap();
        let measured = &summary["result"]["measured_recall"];
        let [found, all] = ["found_pairs", "true_pairs"].map(|name| measured[name].as_u64().unwrap());
        // Answers with equal sets do not count.
        assert!(0 < found && found <= all && all < near, "{found} of {all} of {near}");
        assert_eq!(measured["sampled_documents"], 90);
        let answers = sandbox.read("rows.csv").lines().filter(|row| !row.contains(",1.0,")).count() as u64;
        assert_eq!(answers - 1, found, "{corpus}");
        let run = sandbox.succeed(&search("few"));
        assert!(!run.stderr.contains(" measured ("), "{}", run.stderr);
    }
}

#[test]
fn a_question_without_an_answer_is_one_line() {
    let sandbox = Sandbox::with("a.jsonl", "{\"id\":\"x\",\"text\":\"one two three four five six\"}\n");
    sandbox.write("empty.jsonl", "");
    sandbox.write("wordless.jsonl", "{\"id\":\"w\",\"text\":\"...\"}\n");
    sandbox.succeed("index create a.idx a.jsonl");
    sandbox.succeed("index create none.idx");
    for (arguments, words) in [
        ("search a.jsonl --in empty.jsonl", "empty.jsonl has no documents to be searched"),
        ("search a.jsonl --in none.idx", "none.idx has no documents to be searched"),
        ("search wordless.jsonl --in a.idx", "query `w` has nothing to compare: no tokens"),
        ("search wordless.jsonl --in a.jsonl", "query `w` has nothing to compare: no tokens"),
        (
            "search --id nobody --in a.idx",
            "no document of a.idx has the id `nobody`; ids are what `search` and `pairs` show",
        ),
        ("search --id nobody --in a.jsonl", "no document of a.jsonl has the id `nobody`"),
        (
            "search a.jsonl --in a.idx -t 0.5",
            "the index answers by jaccard at 0.8 or above, and jaccard at 0.5 or above",
        ),
        (
            "search a.jsonl --in a.idx --measure cosine",
            "the index answers by jaccard at 0.8 or above, and cosine of weights tf",
        ),
        (
            "search a.jsonl --in a.idx --shingle char:5",
            "a.idx does not fit this job: shingle was word:5 and is char:5; leave out",
        ),
        ("search a.jsonl --in a.jsonl --identical", "a search"),
        ("index create whole.idx a.jsonl --identical", "an index"),
        ("search a.jsonl --in a.idx -k 0", "expected a whole number between 1"),
    ] {
        let line = sandbox.refuse_in_a_line(arguments);
        assert!(line.contains(words), "{arguments}: {line}");
    }
}

#[test]
fn a_text_shorter_than_a_shingle_is_looked_for_as_a_whole() {
    let texts =
        ["The Old Salt Bridge is closed", "salt of the old bridge", "old salt bridge", "On the old, salt-bridge!"];
    let record = |(number, text): (usize, &&str)| format!("{{\"id\": \"d{number}\", \"text\": \"{text}\"}}\n");
    let corpus: String = texts.iter().enumerate().map(record).collect();
    let sandbox = Sandbox::with("corpus.jsonl", corpus);
    let names = |command: &str| {
        let found = sandbox.succeed(&format!("search {command} --format csv"));
        let ids = found.stdout.lines().skip(1).map(|line| line.split(',').nth(2).unwrap().to_owned());
        (ids.collect::<Vec<_>>(), found.stderr)
    };
    let (ids, words) = names("--text Old-Salt-Bridge --in corpus.jsonl");
    assert_eq!(ids, ["d0", "d2", "d3"]);
    let note = "note: 1 query has fewer tokens than word:5: answers are the documents that contain it whole\n";
    assert!(words.ends_with(note), "{words}");
    assert_eq!(names("--text salt-bridge --text nothing --in corpus.jsonl -k 1").0, ["d0"]);
    // A shingle or more is searched as ever, and so is what a measure or threshold is given for.
    assert_eq!(names("--text the-old-salt-bridge-is-closed --in corpus.jsonl").0, ["d0"]);
    let (ids, words) = names("--text Old-Salt-Bridge --in corpus.jsonl -t 0.5");
    assert_eq!(ids, ["d2"]);
    assert!(
        words.contains("note: 1 query has fewer tokens than word:5, and can only be equal to a document; "),
        "{words}"
    );
    // An index is looked into if it stores texts, and else says why not.
    sandbox.succeed("index create texts.idx corpus.jsonl --store-texts");
    sandbox.succeed("index create sets.idx corpus.jsonl");
    let (ids, words) = names("--text Old-Salt-Bridge --in texts.idx");
    assert_eq!(ids, ["d2", "d0", "d3"]);
    assert!(words.ends_with(note), "{words}");
    for corpus in ["sets.idx", "corpus.snapshot"] {
        sandbox.succeed("snapshot corpus.jsonl -o corpus.snapshot");
        let (ids, words) = names(&format!("--text Old-Salt-Bridge --in {corpus}"));
        assert_eq!(ids, ["d2"], "{corpus}");
        assert!(words.contains("can only be equal to a document; "), "{words}");
    }
    sandbox.write("queries.txt", "old salt bridge");
    let (ids, words) = names("queries.txt --in corpus.jsonl");
    assert_eq!(ids, ["d2"]);
    let remedy = "--measure containment --containment in-reference --shingle word:1";
    assert!(words.contains(remedy), "{words}");
    assert_eq!(names(&format!("queries.txt --in corpus.jsonl {remedy} -t 1")).0.len(), 4);
}
