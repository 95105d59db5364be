//! Ids that answers print are accepted by `compare`, and stand for the same documents there.

use crate::common::{Sandbox, record, words, zip};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Pair {
    a: String,
    b: String,
    similarity: f64,
    a_source: String,
    b_source: String,
}

/// The Jaccard similarity of two documents.
fn compared(sandbox: &Sandbox, arguments: &str) -> f64 {
    let found = sandbox.succeed(&format!("compare {arguments} --format json")).stdout;
    serde_json::from_str::<serde_json::Value>(&found).unwrap()["jaccard"].as_f64().unwrap()
}

/// Holds all pairs of these inputs, whose ids are without blanks, to `compare`: by ids and inputs, and by sources.
fn check(sandbox: &Sandbox, inputs: &[&str], flags: &str, expected: usize) {
    let pairs = sandbox.succeed(&format!("pairs {} {flags} -t 0.3 --with-source", inputs.join(" "))).stdout;
    let pairs: Vec<Pair> = pairs.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(pairs.len(), expected, "{pairs:?}");
    let among: String = inputs.iter().map(|input| format!(" --in {input}")).collect();
    for Pair { a, b, similarity, a_source, b_source } in &pairs {
        assert_eq!(compared(sandbox, &format!("{a} {b}{among} {flags}")), *similarity, "{a} {b}{among}");
        let by_source = |id: &str, source: &str| {
            if source.ends_with(".txt") { source.to_owned() } else { format!("{source}:{id}") }
        };
        let a = by_source(a, a_source);
        let b = by_source(b, b_source);
        assert_eq!(compared(sandbox, &format!("{a} {b} {flags}")), *similarity, "{a} {b}");
    }
}

#[test]
fn ids_that_occur_again_in_a_file_stand_for_one_record() {
    let same = words(0..20);
    let sandbox = Sandbox::with("d.jsonl", record("x", &same) + &record("x", &words(30..50)) + &record("y", &same));
    check(&sandbox, &["d.jsonl"], "", 1);
    assert_eq!(compared(&sandbox, "d.jsonl:x d.jsonl:y"), 1.0);
    assert_eq!(compared(&sandbox, "d.jsonl:x@d.jsonl:2 d.jsonl:y"), 0.0);
}

#[test]
fn ids_of_several_files_folders_and_archives_are_found() {
    let text = |number: usize| words(number..number + 20);
    let sandbox = Sandbox::with("x/d.jsonl", record("7", &text(0)) + &record("7", &text(1)));
    sandbox.write("y/d.jsonl", record("7", &text(2)) + &record("7", &text(3)));
    check(&sandbox, &["x/d.jsonl", "y/d.jsonl"], "", 6);
    sandbox.write("x/deep/a.txt", text(4));
    sandbox.write("y/deep/a.txt", text(5));
    sandbox.write("noid.jsonl", format!("{{\"text\":\"{}\"}}\n", text(6)));
    sandbox.write("table.csv", format!("id,text\n7,{}\n7,{}\n", text(7), text(8)));
    check(&sandbox, &["x", "y", "noid.jsonl", "table.csv"], "", 9 * 8 / 2);
    assert!(compared(&sandbox, "noid.jsonl:1 x/deep/a.txt") > 0.5);
    sandbox.write("essays.zip", zip(&[("ben.txt", text(0).as_bytes()), ("deep/ann.txt", text(1).as_bytes())]));
    check(&sandbox, &["essays.zip"], "", 1);
    assert!(compared(&sandbox, "essays.zip:ben.txt essays.zip:deep/ann.txt") > 0.5);
    assert!(compared(&sandbox, "essays.zip/ben.txt x:deep/a.txt") > 0.3);
}

#[test]
fn groups_are_compared_whole() {
    let rows = "customer,product,n\nann,pear,1\nben,fig,2\nann,fig,2\nben,pear,1\ncem,fig,1\nann,pear,1\n";
    let sandbox = Sandbox::with("sales.csv", rows);
    let flags = "--group-by customer --items-field product";
    assert_eq!(compared(&sandbox, &format!("sales.csv:ann sales.csv:ben {flags}")), 1.0);
    assert_eq!(compared(&sandbox, &format!("sales.csv:ann sales.csv:cem {flags}")), 0.5);
    // Two pears and two figs beside one pear and two figs.
    let counted = format!("{flags} --count-field n");
    assert_eq!(compared(&sandbox, &format!("ann ben --in sales.csv {counted}")), 0.75);
    let pairs = sandbox.succeed(&format!("pairs sales.csv {counted} -t 0.7")).stdout;
    assert!(pairs.contains(r#"{"a":"ann","b":"ben","similarity":0.75"#), "{pairs}");
    sandbox.refused(
        "compare sales.csv:anne sales.csv:ben --group-by customer --items-field product",
        "no document `anne` in sales.csv; the nearest: `ann`",
    );
}

#[test]
fn patterns_name_files_by_their_paths() {
    let sandbox = Sandbox::with("hw/ann/main.py", words(0..20));
    sandbox.write("hw/ben/main.py", words(0..21));
    sandbox.write("hw/.git/main.py", words(0..20));
    let rows = |inputs: &str| sandbox.succeed(&format!("pairs {inputs} --format csv")).stdout;
    let header = "a,b,similarity,reason\n";
    let pair = format!("{header}ann/main.py,ben/main.py,0.9411764705882353,near\n");
    for inputs in ["hw/*/*.py", "hw/**/*.py", "hw/*", "hw/ann/main.py hw/ben/main.py", "hw/ann hw/ben", "hw"] {
        assert_eq!(rows(inputs), pair, "{inputs}");
    }
    assert_eq!(rows("*/*/main.py"), pair.replace("ann/", "hw/ann/").replace("ben/", "hw/ben/"));
    assert!(compared(&sandbox, "ann/main.py ben/main.py --in hw/*/*.py") > 0.9);

    sandbox.writes("dedup hw/*/*.py -t 0.99 -o kept", "kept/ben/main.py", &words(0..21));
    sandbox.succeed("dedup hw/ann/main.py hw/ben/main.py -t 0.99 -o told-apart");
    assert_eq!(sandbox.read("told-apart/ann/main.py"), words(0..20));
    sandbox.succeed("dedup hw/*/*.py -t 0.99 -o kept.csv");
    let kept = sandbox.read("kept.csv");
    assert!(kept.contains("ann/main.py,") && kept.contains("ben/main.py,"), "{kept}");
}

#[test]
fn rows_of_clusters_and_removals_name_sources() {
    let sandbox = Sandbox::with("a.jsonl", record("1", "one two three"));
    sandbox.write("b/c.txt", "one two three");
    let clusters = sandbox.succeed("clusters a.jsonl b --with-source --format csv").stdout;
    assert_eq!(clusters, "cluster,id,source\n0,1,a.jsonl\n0,b/c.txt,b/c.txt\n");
    let clusters = sandbox.succeed("clusters a.jsonl b --with-source --format json").stdout;
    assert_eq!(clusters, "[\n{\"cluster\":0,\"ids\":[\"1\",\"b/c.txt\"],\"sources\":[\"a.jsonl\",\"b/c.txt\"]}\n]\n");
    sandbox.succeed("dedup a.jsonl b --with-source --removed removed.csv");
    let expected = "id,kept,similarity,reason,source,kept_source\nb/c.txt,1,1.0,identical,b/c.txt,a.jsonl\n";
    assert_eq!(sandbox.read("removed.csv"), expected);
    sandbox.succeed("pairs a.jsonl b --with-source -o pairs.csv");
    sandbox.succeed("pairs a.jsonl b --with-source -o pairs.parquet");
    for pairs in ["pairs.csv", "pairs.parquet"] {
        sandbox.says(&format!("recluster {pairs} -t 0.9 -o clusters.csv"), "...1 cluster with 2 documents...");
    }
}
