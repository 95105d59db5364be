//! Every value is kept, or the job ends with file, record and column.

use super::*;

#[test]
fn empty_ids_of_tables_stay_empty_strings_if_they_are_quoted() {
    let content = "id,text\n\"\",a\n,b\nk,c\n\"\"\"\",d\n";
    let sandbox = Sandbox::with("in.csv", content.as_bytes());
    sandbox.rewrite("in.csv", "out.jsonl", &lines(content)[1..]).unwrap();
    let ids: Vec<serde_json::Value> = sandbox
        .text("out.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].clone())
        .collect();
    assert_eq!(ids, [serde_json::json!(""), serde_json::Value::Null, "k".into(), "\"".into()]);
    sandbox.rewrite("in.csv", "out.parquet", &lines(content)[1..]).unwrap();
    let batches = sandbox.batches("out.parquet", RecordFormat::Parquet);
    let ids: Vec<Option<&str>> = batches[0].column(0).as_string::<i32>().iter().collect();
    assert_eq!(ids, [Some(""), None, Some("k"), Some("\"")]);
}
