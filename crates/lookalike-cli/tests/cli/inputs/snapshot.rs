//! Saved snapshots stand for their documents.

use crate::common::{Sandbox, record};

fn two_years() -> Sandbox {
    let page = |words: std::ops::Range<u32>| words.map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
    let sandbox = Sandbox::new();
    sandbox.write("old.jsonl", record("o1", &page(0..60)) + &record("o2", &page(100..160)) + &record("o3", ""));
    let new = record("n1", &page(1..60)) + &record("n2", &page(500..560)) + &record("n3", &page(501..560));
    sandbox.write("new.jsonl", new);
    sandbox.succeed("snapshot old.jsonl -o old.snapshot");
    sandbox.succeed("snapshot new.jsonl -o new.snapshot");
    sandbox
}

#[test]
fn a_snapshot_finds_what_its_documents_would() {
    let sandbox = two_years();
    for arguments in ["", "--method minhash --threshold 0.5", "--empty duplicate"] {
        let expected = sandbox.succeed(&format!("pairs old.jsonl new.jsonl {arguments}"));
        assert!(expected.stdout.lines().count() > 1);
        for inputs in ["old.snapshot new.snapshot", "old.jsonl new.snapshot", "old.snapshot new.jsonl"] {
            let found = sandbox.succeed(&format!("pairs {inputs} {arguments}"));
            assert_eq!(found.stdout, expected.stdout, "{inputs} {arguments}");
        }
    }
    sandbox.succeed("dedup old.jsonl new.jsonl --dry-run --removed expected.csv --keep longest");
    sandbox.succeed("dedup old.snapshot new.snapshot --dry-run --removed found.csv --keep longest");
    assert_eq!(sandbox.read("found.csv"), sandbox.read("expected.csv"));
}

#[test]
fn references_may_be_snapshots_and_snapshots_become_one() {
    let sandbox = two_years();
    sandbox.succeed("dedup new.jsonl --against old.jsonl -o expected.jsonl --removed expected.csv");
    sandbox.succeed("dedup new.jsonl --against old.snapshot -o found.jsonl --removed found.csv");
    for name in ["jsonl", "csv"] {
        assert_eq!(sandbox.read(&format!("found.{name}")), sandbox.read(&format!("expected.{name}")));
    }
    sandbox.succeed("snapshot old.snapshot new.snapshot -o both.snapshot");
    let both = sandbox.succeed("pairs both.snapshot").stdout;
    assert_eq!(both, sandbox.succeed("pairs old.jsonl new.jsonl").stdout);
    sandbox.succeed("snapshot old.jsonl new.jsonl -o direct.snapshot");
    assert_eq!(sandbox.bytes("both.snapshot"), sandbox.bytes("direct.snapshot"));
}

#[test]
fn scores_are_kept_when_they_are_asked_for() {
    let sandbox = Sandbox::new();
    let text = "one two three four five six seven";
    let row = |id: &str, date: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\",\"date\":\"{date}\"}}\n");
    sandbox.write("in.jsonl", row("a", "2024-01-01") + &row("b", "2025-01-01"));
    sandbox.succeed("snapshot in.jsonl -o in.snapshot --score-field date");
    sandbox.succeed("dedup in.snapshot --dry-run --removed out.csv --keep max:date");
    assert_eq!(sandbox.read("out.csv"), "id,kept,similarity,reason\na,b,1.0,identical\n");
    sandbox.refused(
        "dedup in.snapshot --dry-run --keep max:length",
        "in.snapshot does not fit this job: score field was date and is length; make it anew with that field \
         (--score-field)",
    );
}

#[test]
fn what_a_snapshot_cannot_do_is_said_in_a_line() {
    let sandbox = two_years();
    sandbox.refuse_all("inputs/what_a_snapshot_cannot_do_is_said_in_a_line");
    let mut bytes = sandbox.bytes("old.snapshot");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    sandbox.write("broken.snapshot", bytes);
    sandbox.refused("pairs broken.snapshot", "broken.snapshot cannot be read: ...");
    sandbox.write("empty.snapshot", "");
    sandbox.refuse_in_a_line("pairs empty.snapshot");
}
