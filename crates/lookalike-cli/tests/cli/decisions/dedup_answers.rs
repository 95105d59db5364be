//! `dedup`: what it says about its work: rows, annotations, counts, exit status.

use crate::common::{Sandbox, assert_promised, chain, record, rows, words};
use serde_json::{Value, json};

/// Two copies, a version and a text of its own.
fn family() -> Sandbox {
    let texts = [("a", words(0..32)), ("b", words(0..32)), ("c", words(0..36)), ("d", words(100..130))];
    Sandbox::with("in.jsonl", texts.map(|(id, text)| record(id, &text)).concat())
}

#[test]
fn keys_with_separators_are_quoted_in_tables() {
    let ids = ["a,b", "c\"d", "e\nf"];
    let sandbox = Sandbox::with("in.jsonl", ids.map(|id| record(id, &words(0..20))).concat());
    sandbox.succeed("dedup in.jsonl -o out.jsonl --removed why.csv");
    let expected = "id,kept,similarity,reason\n\"c\"\"d\",\"a,b\",1.0,identical\n\"e\nf\",\"a,b\",1.0,identical\n";
    assert_eq!(sandbox.read("why.csv"), expected);
}

fn annotation(duplicate: bool, kept: &str, similarity: f64, cluster_size: u64) -> Value {
    json!({"duplicate": duplicate, "kept": kept, "similarity": similarity, "cluster_size": cluster_size})
}

#[test]
fn annotated_output_has_all_records_and_their_fate() {
    let sandbox = family();
    sandbox.succeed("dedup in.jsonl -o out.jsonl --annotate");
    let found = rows::<Value>(&sandbox.read("out.jsonl"));
    let expected = [
        json!({"id": "a", "text": words(0..32), "lookalike": annotation(false, "a", 1.0, 3)}),
        json!({"id": "b", "text": words(0..32), "lookalike": annotation(true, "a", 1.0, 3)}),
        json!({"id": "c", "text": words(0..36), "lookalike": annotation(true, "a", 0.875, 3)}),
        json!({"id": "d", "text": words(100..130), "lookalike": annotation(false, "d", 1.0, 1)}),
    ];
    assert_eq!(found, expected);
}

#[test]
fn annotations_leave_the_other_bytes_of_a_record_alone() {
    let lines = ["{ \"text\" : \"x\", \"id\":\"a\" } \r\n", "{\"text\":\"y}\",\"n\":{\"m\":[1.0e2]}}"];
    let sandbox = Sandbox::with("in.jsonl", lines.concat());
    sandbox.succeed("dedup in.jsonl -o out.jsonl --annotate");
    let fate =
        |id: &str| format!(r#","lookalike":{{"duplicate":false,"kept":"{id}","similarity":1.0,"cluster_size":1}}}}"#);
    let expected = format!(
        "{{ \"text\" : \"x\", \"id\":\"a\" {} \r\n{{\"text\":\"y}}\",\"n\":{{\"m\":[1.0e2]}}{}",
        fate("a"),
        fate("in.jsonl:2")
    );
    assert_eq!(sandbox.read("out.jsonl"), expected);
}

#[test]
fn annotated_empty_duplicates_have_a_similarity() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "") + &record("b", ""));
    sandbox.succeed("dedup in.jsonl -o out.jsonl --annotate --empty duplicate");
    assert_eq!(rows::<Value>(&sandbox.read("out.jsonl"))[1]["lookalike"], annotation(true, "a", 1.0, 2));
}

#[test]
fn several_annotated_files_go_to_a_folder() {
    let sandbox = Sandbox::with("1.jsonl", record("a", &words(0..30)));
    sandbox.write("2.jsonl", record("b", &words(0..30)));
    sandbox.succeed("dedup 1.jsonl 2.jsonl -o out --annotate");
    assert_eq!(rows::<Value>(&sandbox.read("out/2.jsonl"))[0]["lookalike"], annotation(true, "a", 1.0, 2));
}

#[test]
fn a_dry_run_reports_and_writes_no_records() {
    let sandbox = family();
    let run = sandbox.succeed("dedup in.jsonl -o out.jsonl --dry-run");
    assert_eq!(sandbox.names(), ["in.jsonl"]);
    assert!(
        run.stderr.starts_with("4 documents: 2 kept, 2 removed (1 identical, 0 equal, 1 near) (dry run"),
        "{}",
        run.stderr
    );
    sandbox.succeed("dedup in.jsonl --dry-run --removed why.jsonl --summary summary.json");
    assert_eq!(sandbox.names(), ["in.jsonl", "summary.json", "why.jsonl"], "asked for by name, so written");
}

#[test]
fn finding_something_fails_only_on_request() {
    let sandbox = family();
    let run = sandbox.run("dedup in.jsonl -o out.jsonl --fail-if-found");
    assert_eq!((run.code, sandbox.read("out.jsonl").lines().count()), (Some(1), 2));
    sandbox.succeed("dedup out.jsonl -o again.jsonl --fail-if-found");
    assert_eq!(sandbox.run("dedup in.jsonl --dry-run --fail-if-found").code, Some(1));
}

#[test]
fn the_summary_has_the_promised_fields() {
    let sandbox = family();
    sandbox.write("more.jsonl", record("e", "") + "oops\n");
    sandbox.succeed("dedup in.jsonl more.jsonl -o out --on-error skip --summary s.json -j 3 --bag");
    let summary = sandbox.json("s.json");
    assert_promised("summary of dedup", &summary);
    assert_eq!((&summary["command"], &summary["version"]), (&json!("dedup"), &json!(env!("CARGO_PKG_VERSION"))));
    assert!(summary["tokens"].as_u64() > Some(0) && summary["candidates"].as_u64() > Some(0));
    let parameters = &summary["parameters"];
    for (name, value) in [
        ("inputs", json!(["in.jsonl", "more.jsonl"])),
        ("against", json!([])),
        ("on_error", json!("skip")),
        ("keep", json!("first")),
        ("rule", json!("keepers")),
        ("method", json!("auto")),
        ("max_document_bytes", json!(64 << 20)),
        ("threshold", json!(0.8)),
        ("shingle", json!("word:5")),
        ("stride", json!(1)),
        ("permutations", json!(128)),
        ("seed", json!(1)),
        ("threads", json!(3)),
        ("bag", json!(true)),
        ("lowercase", json!(true)),
        ("nfkc", json!(true)),
        ("strip_html", json!(false)),
    ] {
        assert_eq!(parameters[name], value, "{name}");
    }
    assert!(parameters["memory_bytes"].as_u64() >= Some(32 << 20));
    let method = json!({"name": "exact", "bands": null, "rows": null, "expected_recall": 1.0});
    assert_eq!(summary["method"], method);
    let expected = json!({
        "documents": 5, "kept": 3, "removed_identical": 1, "removed_equal": 0, "removed_near": 1, "empty": 1,
        "bad_records": 1, "families": 1, "largest_families": [{"kept": "a", "documents": 3}],
        "sources": [
            {"source": "in.jsonl", "documents": 4, "kept": 2, "removed": 2},
            {"source": "more.jsonl", "documents": 1, "kept": 1, "removed": 0},
        ],
    });
    assert_eq!(summary["result"], expected);
    let stages = summary["stages"].as_array().unwrap();
    let names: Vec<&Value> = stages.iter().map(|stage| &stage["stage"]).collect();
    assert_eq!(names, ["reading", "grouping", "sketching", "comparing", "writing"]);
    let peak = summary["peak_bytes"].as_u64();
    assert!(stages.iter().all(|stage| stage["seconds"].as_f64() >= Some(0.0) && stage["peak_bytes"].as_u64() <= peak));
}

#[test]
fn the_summary_names_bands_rows_and_recall() {
    let sandbox = Sandbox::with("in.jsonl", chain());
    sandbox.succeed("dedup in.jsonl --dry-run --summary s.json --method minhash --bands 20 --rows 5");
    let summary = sandbox.json("s.json");
    let recall = &summary["measured_recall"];
    assert_promised("measured recall", recall);
    assert_eq!((&recall["sampled_documents"], &recall["found_pairs"]), (&json!(3), &recall["true_pairs"]));
    assert!(recall["interval"][0].as_f64() < Some(1.0) && recall["interval"][1] == 1.0);
    let method = &summary["method"];
    assert_eq!((&method["name"], &method["bands"], &method["rows"]), (&json!("minhash"), &json!(20), &json!(5)));
    assert!((method["expected_recall"].as_f64().unwrap() - 0.999_644).abs() < 1e-6);
}

#[test]
fn explanations_name_choice_amounts_and_times() {
    let sandbox = Sandbox::with("in.jsonl", chain());
    let run = sandbox.succeed("pairs in.jsonl -v");
    for words in ["method: exact", "read: 3 documents", "before the filters", "verified: ", "comparing"] {
        assert!(run.stderr.contains(words), "{words}: {}", run.stderr);
    }
    let run = sandbox.succeed("dedup in.jsonl --dry-run --method minhash");
    assert!(run.stderr.contains("recall: ") && !run.stderr.contains("verified: "), "{}", run.stderr);
}

#[test]
fn the_report_counts_by_source_and_family() {
    let sandbox = family();
    sandbox.write(
        "more.jsonl",
        [("e", words(0..32)), ("f", words(0..32)), ("g", String::new())].map(|(id, text)| record(id, &text)).concat(),
    );
    sandbox.write("empty.jsonl", record("h", "\u{2026}"));
    let run = sandbox.succeed("dedup in.jsonl more.jsonl empty.jsonl -o out");
    insta::assert_snapshot!(run.stderr, @"
    8 documents: 4 kept, 4 removed (3 identical, 0 equal, 1 near)
    2 documents without tokens
    method: exact (prefix filter): complete
    3 sources: in.jsonl loses the most, 2 of 4 (-v: all)
    1 family of near-duplicates, by kept document:
               5    62.50 %  a
    ");
}

#[test]
fn progress_is_drawn_only_on_request() {
    let sandbox = family();
    let quiet = sandbox.succeed("dedup in.jsonl -o out.jsonl").stderr;
    assert!(!quiet.contains("reading") && !quiet.contains('\u{1b}'), "{quiet}");
    assert_eq!(sandbox.succeed("dedup in.jsonl -o out.jsonl --progress never").stderr, quiet);
    sandbox.says("dedup in.jsonl -o out.jsonl --progress always", "...1/5 reading...");
}
