//! The cosine of term weights: ties, saved document frequencies, counts as weights. The suite has its definition.

use crate::common::{Pair, Sandbox, record, rows};

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
fn equal_sets_with_other_counts_are_equal_by_binary_weights_only() {
    let sandbox = Sandbox::with("in.jsonl", record("1", "a a b") + &record("2", "a b b") + &record("3", "b a a"));
    for (weights, expected) in [
        ("tf", "1,2,0.8,near\n1,3,1.0,equal\n2,3,0.8,near\n"),
        ("binary", "1,2,1.0,equal\n1,3,1.0,equal\n2,3,1.0,equal\n"),
    ] {
        let pairs = format!("pairs in.jsonl --measure cosine --shingle word:1 -t 0.5 --weights {weights} --format csv");
        assert_eq!(sandbox.succeed(&pairs).stdout, format!("a,b,similarity,reason\n{expected}"));
    }
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
    sandbox.refuse_all("measures/document_frequencies_that_do_not_fit_are_refused_in_a_line");
    let bytes = sandbox.bytes("one.idf");
    for place in [40, bytes.len() / 2, bytes.len() - 3] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        sandbox.write("one.idf", damaged);
        sandbox.refused(&format!("pairs in.jsonl {flags} --shingle word:1 --idf one.idf"), "...one.idf...");
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
}
