//! `search`: the nearest documents, the same from a corpus, its snapshot and its index; the suite has all measures.

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
        sandbox.says(&format!("search --id d3 --in {place} -t 0.9 --format csv"), "...1 query...");
    }
    sandbox.refuse_all("questions/an_index_is_asked_by_its_own_nouns_and_no_others");
}

#[test]
fn queries_shorter_than_a_shingle_are_counted_where_they_would_be_looked_for() {
    let sandbox = Sandbox::with("corpus.jsonl", "{\"text\": \"the quick brown fox jumps over the lazy dog\"}\n");
    sandbox.succeed("index create corpus.idx corpus.jsonl --measure containment");
    sandbox.write("queries.txt", "quick brown");
    sandbox.succeed("snapshot corpus.jsonl -o corpus.snapshot");
    for place in ["corpus.snapshot", "corpus.idx"] {
        let found = sandbox
            .says(&format!("search queries.txt --in {place} --measure containment"), "...1 query has one shingle...");
        assert!(!found.stderr.contains("document has one shingle"), "{}", found.stderr);
    }
    sandbox.succeed("index create texts.idx corpus.jsonl --measure containment --store-texts");
    let by_text = |flags: &str| sandbox.succeed(&format!("search --in texts.idx --format csv {flags}")).stdout;
    for flags in ["", "--measure containment --containment in-reference"] {
        let found = by_text(&format!("--text quick-brown {flags}"));
        assert!(found.ends_with(",1.0,1.0,0.16666666666666666,near\n"), "{found}");
    }
    assert_eq!(by_text("--text quick-brown --measure containment --containment of-reference").lines().count(), 1);
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
    let note = "note: 1 of 3 documents has one shingle of word:5: the sets of a snapshot or an index do not tell \
                whether a text of fewer tokens stands inside others; name the documents that it was made of\n";
    for stored in ["corpus.snapshot", "corpus.idx"] {
        let (rows, words) = names(stored);
        assert_eq!(rows, ["d1 1 d1 1.0"], "{stored}");
        assert!(words.ends_with(note), "{words}");
    }
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
        sandbox.says(&search("queries"), "...recall: 0... measured (...");
        let summary = sandbox.json("s.json");
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
