//! Records of any format as one JSON array.

use crate::common::{Sandbox, record};
use serde_json::{Value, json};

fn array(sandbox: &Sandbox, name: &str) -> Value {
    serde_json::from_str(&sandbox.read(name)).unwrap()
}

#[test]
fn records_of_other_formats_become_one_array() {
    let lines = record("a", "one two") + "\n" + &record("b", "three") + &record("c", "one two");
    let sandbox = Sandbox::with("in.jsonl", &lines);
    let kept = json!([{"id": "a", "text": "one two"}, {"id": "b", "text": "three"}]);
    sandbox.succeed("dedup in.jsonl -o out.json");
    assert_eq!(array(&sandbox, "out.json"), kept);
    assert_eq!(sandbox.read("out.json").lines().count(), 4, "an element a line");
    sandbox.succeed("dedup in.jsonl --annotate -o annotated.json");
    assert_eq!(array(&sandbox, "annotated.json")[2]["lookalike"]["kept"], "a");
    sandbox.write("texts/x.txt", "one two");
    sandbox.write("texts/sub/y.txt", "one  two");
    sandbox.succeed("dedup texts -o texts.json");
    assert_eq!(array(&sandbox, "texts.json").as_array().unwrap().len(), 1);
    sandbox.write("empty.csv", "id,text\n");
    sandbox.succeed("dedup empty.csv -o empty.json");
    assert_eq!(array(&sandbox, "empty.json"), json!([]));
}

#[test]
fn lines_stay_lines_where_they_are_such_or_asked_for() {
    let lines = record("a", "one two") + &record("b", "three");
    let sandbox = Sandbox::with("in.json", &lines);
    sandbox.writes("dedup in.json -o out.json", "out.json", &lines);
    sandbox.write("in.csv", "id,text\na,one two\nb,three\n");
    sandbox.writes("dedup in.csv --format jsonl -o out.json", "out.json", &lines);
    sandbox.succeed("dedup in.csv -o out.json");
    assert!(array(&sandbox, "out.json").is_array());
}
