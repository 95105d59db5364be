//! One corpus in every format: the same answers from each, and the same records back.
//!
//! Files are made by conversion, which `lookalike-io` tests against files of other writers.

use crate::common::{Sandbox, words};
use serde_json::json;

/// Formats by the extensions of their files.
const FORMATS: &[&str] = &[
    "json",
    "csv",
    "tsv",
    "parquet",
    "arrow",
    "jsonl.gz",
    "jsonl.zst",
    "jsonl.bz2",
    "jsonl.xz",
    "json.bz2",
    "csv.zst",
    "csv.gz",
    "tsv.xz",
];

/// Versions of a text, a copy, a text that tables must quote, one without words.
fn sandbox() -> Sandbox {
    let texts = [
        ("a", words(0..32), "2024-01-01"),
        ("b", words(0..36), "2024-03-01"),
        ("c", "ö, \"q\"\n\ttab".to_owned(), "2024-02-01"),
        ("d", String::new(), ""),
        ("e", words(0..32), "2023-12-31"),
    ];
    let record = |(id, text, date): (_, _, _)| json!({"date": date, "id": id, "text": text}).to_string() + "\n";
    let sandbox = Sandbox::with("in.jsonl", texts.map(record).concat());
    sandbox.write("nothing.jsonl", "");
    for format in FORMATS {
        sandbox.succeed(&format!("dedup in.jsonl -o in.{format} --against nothing.jsonl"));
    }
    sandbox
}

#[test]
fn every_format_gives_the_same_answers_and_records() {
    let sandbox = sandbox();
    let jobs = "--keep max:date --removed removed.csv";
    sandbox.says(
        &format!("dedup in.jsonl -o kept.jsonl {jobs}"),
        "5 documents: 3 kept, 2 removed (0 identical, 0 equal, 2 near)...",
    );
    let removed = sandbox.read("removed.csv");
    assert_eq!(removed, "id,kept,similarity,reason\na,b,0.875,near\ne,b,0.875,near\n");
    let pairs = sandbox.succeed("pairs in.jsonl").stdout;
    sandbox.succeed("dedup in.jsonl -o annotated.jsonl --annotate");
    for format in FORMATS {
        let input = format!("in.{format}");
        sandbox.succeed(&format!("dedup {input} -o back.jsonl --against nothing.jsonl"));
        assert_eq!(sandbox.read("back.jsonl"), sandbox.read("in.jsonl"), "{format}");
        assert_eq!(sandbox.succeed(&format!("pairs {input}")).stdout, pairs, "{format}");
        let piped = sandbox.run_with_input("pairs -", sandbox.bytes(&input));
        assert_eq!((piped.code, &piped.stdout), (Some(0), &pairs), "{format}: {}", piped.stderr);
        sandbox.writes(&format!("dedup {input} -o out.{format} {jobs}"), "removed.csv", &removed);
        sandbox.succeed(&format!("dedup out.{format} -o back.jsonl --against nothing.jsonl"));
        assert_eq!(sandbox.read("back.jsonl"), sandbox.read("kept.jsonl"), "{format}");
        sandbox.succeed(&format!("dedup {input} -o back.jsonl --annotate"));
        assert_eq!(sandbox.read("back.jsonl"), sandbox.read("annotated.jsonl"), "{format}");
        sandbox.answers(&format!("compare {input}:a {input}:b"), "...0.8750...");
        sandbox.refused(&format!("compare {input} in.jsonl:a"), "...holds many documents...");
        // Texts are read again, whatever holds them.
        for memory in ["", "--memory 32MiB --threads 3"] {
            let checked = format!("dedup {input} -n {jobs} --check-texts --work-dir work-{format} {memory}");
            sandbox.writes(&checked, "removed.csv", &removed);
        }
    }
}

#[test]
fn rows_are_written_in_every_format_and_read_again() {
    let sandbox = sandbox();
    let clusters = |pairs: &str| sandbox.succeed(&format!("recluster {pairs} --threshold 0.8")).stdout;
    sandbox.succeed("pairs in.jsonl -o pairs.jsonl");
    let expected = clusters("pairs.jsonl");
    assert_eq!(expected.lines().count(), 3);
    for format in FORMATS.iter().filter(|format| !format.starts_with("json.") && **format != "json") {
        sandbox.succeed(&format!("pairs in.jsonl -o pairs.{format}"));
        assert_eq!(clusters(&format!("pairs.{format}")), expected, "{format}");
    }
    // Rows are records, too: ids serve as their texts.
    for format in ["parquet", "arrow"] {
        for (command, field) in [
            ("pairs in.jsonl -o", "a"),
            ("clusters in.jsonl -o", "id"),
            ("checksum in.jsonl -o", "id"),
            ("dedup in.jsonl --dry-run --removed", "id"),
        ] {
            sandbox.succeed(&format!("{command} rows.{format}"));
            sandbox.succeed(&format!("{command} expected.jsonl"));
            let back = format!("-o rows.jsonl --text-field {field} --id-field= --against nothing.jsonl");
            sandbox.writes(&format!("dedup rows.{format} {back}"), "rows.jsonl", &sandbox.read("expected.jsonl"));
        }
        sandbox.refused(&format!("recluster in.{format} --threshold 0.8"), "...has no column `a`...");
    }
}
