//! JSON arrays as inputs.

use crate::common::{Sandbox, record, words};

/// Elements as other programs print them, of which the second is a copy of the first.
fn elements() -> [String; 3] {
    let text = words(0..20);
    [
        format!("{{\n    \"id\": \"a\",\n    \"text\": \"{text}\", \"n\": 1.50\n  }}"),
        format!("{{\"id\":\"b\",\"text\":\"{text}\"}}"),
        "{\"text\": \"] , [ \\\" {\"}".to_owned(),
    ]
}

fn array() -> String {
    format!("[\n  {}\n]", elements().join(",\n  "))
}

#[test]
fn arrays_are_written_as_arrays_with_the_records_as_they_stood() {
    let [a, _, c] = elements();
    let sandbox = Sandbox::with("in.json", array());
    sandbox.write("more.json", "[]");
    let expected = format!("[\n{a},\n{c}\n]\n");
    sandbox.writes("dedup in.json -o out.json --removed r.csv", "out.json", &expected);
    assert!(sandbox.read("r.csv").contains("b,a,1.0,identical"));
    assert_eq!(sandbox.succeed("dedup in.json -o -").stdout, expected);
    assert_eq!(sandbox.succeed("dedup more.json in.json -o -").stdout, expected);
    sandbox.writes("dedup in.json more.json -o joined.json", "joined.json", &expected);
    sandbox.succeed("dedup in.json more.json -o folder");
    assert_eq!((sandbox.read("folder/in.json"), sandbox.read("folder/more.json")), (expected.clone(), "[\n]\n".into()));
    sandbox.succeed("dedup in.json -o packed.json.gz");
    assert_eq!(sandbox.succeed("dedup packed.json.gz -o -").stdout, expected);
    let annotated = sandbox.succeed("dedup in.json -o - --annotate").stdout;
    let values: serde_json::Value = serde_json::from_str(&annotated).unwrap();
    assert_eq!(values[1]["lookalike"]["kept"], "a");
    assert_eq!(values[2]["lookalike"]["kept"], "in.json:3", "known by its number");
}

#[test]
fn arrays_become_lines_and_columns() {
    let [a, _, c] = elements();
    let sandbox = Sandbox::with("in.json", array());
    sandbox.write("x.jsonl", record("x", "more words"));
    let lines = format!("{}\n{c}\n", a.replace('\n', " "));
    assert_eq!(sandbox.succeed("dedup in.json -o - --format jsonl").stdout, lines);
    assert_eq!(sandbox.succeed("dedup in.json x.jsonl -o - --format jsonl").stdout, lines + &record("x", "more words"));
    sandbox.succeed("dedup in.json -o out.csv");
    assert!(sandbox.read("out.csv").starts_with("id,text,n\n"), "{}", sandbox.read("out.csv"));
    sandbox.succeed("dedup in.json x.jsonl -o out.parquet");
    sandbox.says("dedup out.parquet", "3 documents: 3 kept...");
}

#[test]
fn bad_elements_are_named_by_their_numbers() {
    let sandbox = Sandbox::with("in.json", "[{\"id\":1,\"text\":\"x\"}, 7, {\"text\":\"y\"} {}]");
    sandbox.refused("dedup in.json -o o.json", "in.json:2: not a JSON object...");
    let run = sandbox.succeed("dedup in.json -o o.json --on-error skip");
    let words = "in.json:4: not JSON: expected a comma or the end of the array; the rest of the file cannot be read";
    assert!(run.stderr.contains(words) && run.stderr.contains("2 bad records"), "{}", run.stderr);
    assert_eq!(sandbox.read("o.json"), "[\n{\"id\":1,\"text\":\"x\"},\n{\"text\":\"y\"}\n]\n");
    sandbox.write("lines.json", record("l", "x"));
    assert_eq!(sandbox.succeed("dedup lines.json -o -").stdout, record("l", "x"), ".json may also hold lines");
}
