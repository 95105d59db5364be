//! The example of the README, `examples/press.jsonl`.

use crate::common::{Removed, Sandbox, rows};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn press() -> Sandbox {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/press.jsonl");
    Sandbox::with("press.jsonl", fs::read(path).unwrap())
}

#[test]
fn eighteen_of_sixty_four_records_go_and_the_rest_is_untouched() {
    let sandbox = press();
    sandbox.says(
        "dedup press.jsonl -o out.jsonl --removed removed.jsonl",
        "64 documents: 46 kept, 18 removed (3 identical, 2 equal, 13 near)\n...",
    );
    let removed = rows::<Removed>(&sandbox.read("removed.jsonl"));
    assert_eq!(removed.len(), 18);
    let ids: BTreeSet<&str> = removed.iter().map(|row| row.id.as_str()).collect();
    assert!(removed.iter().all(|row| row.similarity >= 0.8 && !ids.contains(row.kept.as_str())));
    let input = sandbox.read("press.jsonl");
    let id = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].as_str().unwrap().to_owned();
    let stays: String = input.split_inclusive('\n').filter(|line| !ids.contains(id(line).as_str())).collect();
    assert_eq!(sandbox.read("out.jsonl"), stays);
}

#[test]
fn what_is_kept_is_kept_again() {
    let sandbox = press();
    sandbox.succeed("dedup press.jsonl -o once.jsonl");
    sandbox.says(
        "dedup once.jsonl -o twice.jsonl --fail-if-found",
        "46 documents: 46 kept, 0 removed (0 identical, 0 equal, 0 near)\n...",
    );
    assert_eq!(sandbox.read("once.jsonl"), sandbox.read("twice.jsonl"));
}

#[test]
fn the_newest_version_can_be_kept() {
    let sandbox = press();
    sandbox.succeed("dedup press.jsonl -o out.jsonl --keep max:published --removed removed.jsonl");
    let input = sandbox.read("press.jsonl");
    let published = |id: &str| {
        let records = rows::<serde_json::Value>(&input);
        records.iter().find(|record| record["id"] == id).unwrap()["published"].as_str().unwrap().to_owned()
    };
    let removed = rows::<Removed>(&sandbox.read("removed.jsonl"));
    assert!(!removed.is_empty());
    assert!(removed.iter().all(|row| published(&row.kept) >= published(&row.id)));
}
