//! `dedup`: the records of several inputs in one file.

use crate::common::{Sandbox, record, words};

/// Two shards; the first has no line end at its end, the second a copy of a record of the first.
fn shards() -> Sandbox {
    let sandbox = Sandbox::with("a.jsonl", record("a1", &words(0..20)) + record("a2", "x y z").trim_end());
    sandbox.write("b.jsonl", record("b1", &words(0..20)) + &record("b2", "{ odd }"));
    sandbox
}

#[test]
fn lines_are_appended_byte_for_byte() {
    let sandbox = shards();
    let expected = [record("a1", &words(0..20)), record("a2", "x y z"), record("b2", "{ odd }")].concat();
    sandbox.writes("dedup a.jsonl b.jsonl -o merged.jsonl", "merged.jsonl", &expected);
    assert_eq!(sandbox.succeed("dedup a.jsonl b.jsonl -o -").stdout, expected);
    sandbox.succeed("dedup a.jsonl b.jsonl -o packed.jsonl.gz");
    sandbox.write("none.jsonl", "");
    assert_eq!(sandbox.succeed("dedup packed.jsonl.gz none.jsonl -o -").stdout, expected);
    sandbox.succeed("dedup a.jsonl b.jsonl -o folder");
    assert!(sandbox.path("folder/b.jsonl").is_file(), "without an extension: a folder");
    let annotated = sandbox.succeed("dedup a.jsonl b.jsonl -o - --annotate").stdout;
    assert_eq!(annotated.lines().filter(|line| line.contains("\"lookalike\":")).count(), 4, "{annotated}");
}

#[test]
fn a_folder_becomes_one_file() {
    let sandbox = shards();
    sandbox.write("in/a.jsonl", sandbox.read("a.jsonl"));
    sandbox.write("in/deep/c.txt", words(40..60));
    sandbox.succeed("dedup in -o all.jsonl");
    let lines = sandbox.read("all.jsonl");
    assert_eq!(lines.lines().count(), 3, "{lines}");
    let text = format!("{{\"id\":\"deep/c.txt\",\"text\":\"{}\"}}\n", words(40..60));
    assert!(lines.ends_with(&text), "{lines}");
    sandbox.refused("dedup in -o -", "...cannot go to standard output as they are...--format...");
    assert_eq!(sandbox.succeed("dedup in -o - --format jsonl").stdout, lines);
}

#[test]
fn tables_share_a_header() {
    let sandbox = Sandbox::with("a.csv", "\u{feff}id,text\r\n1,x y\r\n2,\"a\nb\"");
    sandbox.write("b.csv", "\"id\",text\n3,x y\n4,c d\n");
    sandbox.write("none.csv", "");
    sandbox.write("other.csv", "id,body,text\n5,,e\n");
    sandbox.writes("dedup a.csv none.csv b.csv -o m.csv", "m.csv", "\u{feff}id,text\r\n1,x y\r\n2,\"a\nb\"\n4,c d\n");
    sandbox.refused(
        "dedup a.csv other.csv -o m2.csv",
        "a.csv and other.csv cannot become one file: their columns are `id`, `text` and `id`, `body`, \
         `text`...--format jsonl...",
    );
    sandbox.succeed("dedup a.csv other.csv -o m.jsonl");
    assert_eq!(sandbox.read("m.jsonl").lines().last().unwrap(), r#"{"id":"5","body":"","text":"e"}"#);
}

#[test]
fn columns_of_several_files_become_one_file() {
    let sandbox = shards();
    sandbox.succeed("dedup a.jsonl -o a.parquet");
    sandbox.succeed("dedup b.jsonl -o b.parquet");
    sandbox.succeed("dedup b.jsonl -o b.arrow");
    sandbox.write("n.jsonl", "{\"id\":7,\"text\":\"seven\",\"n\":1}\n");
    sandbox.succeed("dedup n.jsonl -o n.parquet");
    let ids = |name: &str| {
        let lines = sandbox.succeed(&format!("dedup {name} -o - --format jsonl")).stdout;
        crate::common::rows::<serde_json::Value>(&lines).iter().map(|row| row["id"].to_string()).collect::<Vec<_>>()
    };
    for (inputs, output) in [
        ("a.parquet b.parquet", "m1.parquet"),
        ("a.parquet b.arrow", "m2.parquet"),
        ("a.parquet b.arrow", "m3.arrow"),
        ("a.jsonl b.parquet", "m4.parquet"),
        ("a.jsonl b.jsonl", "m5.parquet"),
        ("a.parquet b.parquet", "m6.csv"),
        ("a.parquet b.jsonl", "m7.jsonl"),
    ] {
        sandbox.succeed(&format!("dedup {inputs} -o {output}"));
        assert_eq!(ids(output), ["\"a1\"", "\"a2\"", "\"b2\""], "{inputs} -> {output}");
    }
    sandbox.says("dedup a.parquet b.parquet -o m8.parquet --annotate", "...3 kept...");
    sandbox.refused(
        "dedup a.parquet n.parquet -o m9.parquet",
        "a.parquet and n.parquet cannot become one file: column `id` is of type Utf8 in the first and of type Int64 \
         in the second...--format jsonl...",
    );
    // The types of lines are known when they were read.
    sandbox.refused("dedup a.parquet n.jsonl -o m9.parquet", "a.parquet and n.jsonl cannot become one file...");
    sandbox.succeed("dedup a.jsonl n.jsonl -o m9.parquet");
    assert_eq!(ids("m9.parquet"), ["\"a1\"", "\"a2\"", "\"7\""], "numbers beside texts are texts");
}
