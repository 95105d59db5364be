//! `dedup`: what it says about its work: rows, annotations, counts, exit status.

use crate::common::{Removed, Sandbox, Summary, chain, record, rows, words};
use serde::Deserialize;

/// Two copies, a version and a text of its own.
fn family() -> Sandbox {
    let texts = [("a", words(0..32)), ("b", words(0..32)), ("c", words(0..36)), ("d", words(100..130))];
    Sandbox::with("in.jsonl", texts.map(|(id, text)| record(id, &text)).concat())
}

#[test]
fn removed_records_are_explained_as_json_lines() {
    let sandbox = family();
    sandbox.succeed("dedup in.jsonl -o out.jsonl --removed why.jsonl");
    let row = |id: &str, similarity, reason: &str| Removed {
        id: id.to_owned(),
        kept: "a".to_owned(),
        similarity,
        reason: reason.to_owned(),
    };
    let expected = [row("b", 1.0, "identical"), row("c", 0.875, "near")];
    assert_eq!(rows::<Removed>(&sandbox.read("why.jsonl")), expected);
}

#[test]
fn removed_records_are_explained_as_tables() {
    let sandbox = family();
    sandbox.succeed("dedup in.jsonl -o out.jsonl --removed why.csv");
    let table = "id,kept,similarity,reason\nb,a,1.0,identical\nc,a,0.875,near\n";
    assert_eq!(sandbox.read("why.csv"), table);
    sandbox.succeed("dedup in.jsonl -o out.jsonl --removed why.tsv");
    assert_eq!(sandbox.read("why.tsv"), table.replace(',', "\t"));
}

#[test]
fn keys_with_separators_are_quoted_in_tables() {
    let ids = ["a,b", "c\"d", "e\nf"];
    let sandbox = Sandbox::with("in.jsonl", ids.map(|id| record(id, &words(0..20))).concat());
    sandbox.succeed("dedup in.jsonl -o out.jsonl --removed why.csv");
    let expected = "id,kept,similarity,reason\n\"c\"\"d\",\"a,b\",1.0,identical\n\"e\nf\",\"a,b\",1.0,identical\n";
    assert_eq!(sandbox.read("why.csv"), expected);
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Annotated {
    id: String,
    #[serde(rename = "text")]
    _text: String,
    lookalike: Annotation,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Annotation {
    duplicate: bool,
    kept: String,
    similarity: f64,
    cluster_size: u64,
}

fn annotation(duplicate: bool, kept: &str, similarity: f64, cluster_size: u64) -> Annotation {
    Annotation { duplicate, kept: kept.to_owned(), similarity, cluster_size }
}

#[test]
fn annotated_output_has_all_records_and_their_fate() {
    let sandbox = family();
    sandbox.succeed("dedup in.jsonl -o out.jsonl --annotate");
    let found = rows::<Annotated>(&sandbox.read("out.jsonl"));
    assert_eq!(found.iter().map(|row| row.id.as_str()).collect::<String>(), "abcd");
    let fates: Vec<Annotation> = found.into_iter().map(|row| row.lookalike).collect();
    let expected = [
        annotation(false, "a", 1.0, 3),
        annotation(true, "a", 1.0, 3),
        annotation(true, "a", 0.875, 3),
        annotation(false, "d", 1.0, 1),
    ];
    assert_eq!(fates, expected);
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
    let found = rows::<Annotated>(&sandbox.read("out.jsonl"));
    assert_eq!(found[1].lookalike, annotation(true, "a", 1.0, 2));
}

#[test]
fn several_annotated_files_go_to_a_folder() {
    let sandbox = Sandbox::with("1.jsonl", record("a", &words(0..30)));
    sandbox.write("2.jsonl", record("b", &words(0..30)));
    sandbox.succeed("dedup 1.jsonl 2.jsonl -o out --annotate");
    assert_eq!(rows::<Annotated>(&sandbox.read("out/2.jsonl"))[0].lookalike, annotation(true, "a", 1.0, 2));
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

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counts {
    documents: u64,
    kept: u64,
    removed_identical: u64,
    removed_equal: u64,
    removed_near: u64,
    empty: u64,
    bad_records: u64,
    sources: Vec<SourceCounts>,
    families: u64,
    largest_families: Vec<Family>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceCounts {
    source: String,
    documents: u64,
    kept: u64,
    removed: u64,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Family {
    kept: String,
    documents: u64,
}

#[test]
fn the_summary_has_the_promised_fields() {
    let sandbox = family();
    sandbox.write("more.jsonl", record("e", "") + "oops\n");
    sandbox.succeed("dedup in.jsonl more.jsonl -o out --on-error skip --summary s.json -j 3 --bag");
    let summary = serde_json::from_str::<Summary<Counts>>(&sandbox.read("s.json")).unwrap();
    assert!(summary.tokens > 0 && summary.candidates > Some(0));
    let Summary { command, version, parameters, method, measured_recall, result, peak_bytes, stages, .. } = summary;
    assert_eq!((parameters.inputs.len(), parameters.against.len(), parameters.on_error.as_str()), (2, 0, "skip"));
    assert_eq!((parameters.keep.as_deref(), parameters.rule.as_str()), (Some("first"), "keepers"));
    assert_eq!((parameters.method.as_str(), parameters.max_document_bytes), ("auto", 64 << 20));
    assert!(parameters.memory_bytes >= 32 << 20 && parameters.items.is_none());
    assert_eq!(measured_recall, None);
    assert_eq!((command.as_str(), version.as_str()), ("dedup", env!("CARGO_PKG_VERSION")));
    assert_eq!((parameters.threshold, parameters.shingle.as_str(), parameters.stride), (0.8, "word:5", 1));
    assert_eq!((parameters.permutations, parameters.seed, parameters.threads), (128, 1, 3));
    assert_eq!([parameters.bag, parameters.lowercase, parameters.nfkc], [true; 3]);
    assert_eq!((parameters.strip_html, parameters.stop_words.len(), parameters.stem), (false, 0, None));
    assert_eq!((method.name.as_str(), method.bands, method.rows, method.expected_recall), ("exact", None, None, 1.0));
    let source = |source: &str, documents, removed| SourceCounts {
        source: source.to_owned(),
        documents,
        kept: documents - removed,
        removed,
    };
    let expected = Counts {
        documents: 5,
        kept: 3,
        removed_identical: 1,
        removed_equal: 0,
        removed_near: 1,
        empty: 1,
        bad_records: 1,
        sources: vec![source("in.jsonl", 4, 2), source("more.jsonl", 1, 0)],
        families: 1,
        largest_families: vec![Family { kept: "a".to_owned(), documents: 3 }],
    };
    assert_eq!(result, expected);
    assert!(stages.iter().all(|stage| stage.seconds >= 0.0 && stage.peak_bytes <= peak_bytes));
    let names: Vec<&str> = stages.iter().map(|stage| stage.stage.as_str()).collect();
    assert_eq!(names, ["reading", "grouping", "sketching", "comparing", "writing"]);
}

#[test]
fn the_summary_names_bands_rows_and_recall() {
    let sandbox = Sandbox::with("in.jsonl", chain());
    sandbox.succeed("dedup in.jsonl --dry-run --summary s.json --method minhash --bands 20 --rows 5");
    let summary = serde_json::from_str::<Summary<Counts>>(&sandbox.read("s.json")).unwrap();
    let method = summary.method;
    let recall = summary.measured_recall.unwrap();
    assert_eq!((recall.sampled_documents, recall.found_pairs), (3, recall.true_pairs));
    assert!(recall.interval.0 < 1.0 && recall.interval.1 == 1.0);
    assert_eq!((method.name.as_str(), method.bands, method.rows), ("minhash", Some(20), Some(5)));
    assert!((method.expected_recall - 0.999_644).abs() < 1e-6);
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
    let drawn = sandbox.succeed("dedup in.jsonl -o out.jsonl --progress always").stderr;
    assert!(drawn.contains("1/5 reading"), "always means also where stderr is no terminal: {drawn}");
}
