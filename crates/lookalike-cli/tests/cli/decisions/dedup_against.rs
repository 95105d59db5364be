//! `dedup --against`: what is in another corpus goes, and nothing else.

use crate::common::{Removed, Sandbox, chain, record, rows, words};

#[test]
fn only_what_is_in_the_reference_goes() {
    // b is similar to the reference, c to b only; c and its copy are not compared with each other.
    let sandbox = Sandbox::with("in.jsonl", chain() + &record("copy", &words(4..36)));
    sandbox.write("ref.jsonl", record("a", &words(0..32)) + &record("a2", &words(0..32)));
    assert_eq!(sandbox.kept("--against ref.jsonl --removed r.jsonl"), ["c", "copy"]);
    let removed = |id: &str, similarity, reason: &str| Removed {
        id: id.to_owned(),
        kept: "a".to_owned(),
        similarity,
        reason: reason.to_owned(),
    };
    assert_eq!(
        rows::<Removed>(&sandbox.read("r.jsonl")),
        [removed("a", 1.0, "identical"), removed("b", 0.875, "near")]
    );
}

#[test]
fn references_are_neither_written_nor_counted() {
    let sandbox = Sandbox::with("in/one.jsonl", record("x", &words(0..20)) + &record("empty", ""));
    sandbox.write("in/two.jsonl", record("y", &words(50..70)));
    sandbox.write("old/one.jsonl", record("x", &words(50..70)) + &record("empty", "") + &record("z", &words(80..99)));
    let run = sandbox.succeed("dedup in --against old -o out --summary s.json --method minhash");
    assert_eq!(
        sandbox.names(),
        ["in/one.jsonl", "in/two.jsonl", "old/one.jsonl", "out/one.jsonl", "out/two.jsonl", "s.json"]
    );
    assert_eq!(sandbox.read("out/one.jsonl"), sandbox.read("in/one.jsonl"));
    assert_eq!(sandbox.read("out/two.jsonl"), "");
    assert!(run.stderr.starts_with("3 documents: 2 kept, 1 removed"), "{}", run.stderr);
    assert!(run.stderr.contains("1 document without tokens") && !run.stderr.contains("old/"), "{}", run.stderr);
}

#[test]
fn what_makes_no_sense_with_references_is_refused() {
    let sandbox = Sandbox::with("in.jsonl", chain());
    sandbox.write("ref.jsonl", chain());
    sandbox.refuse_all("decisions/what_makes_no_sense_with_references_is_refused");
}

#[test]
fn a_bad_file_is_left_out_whenever_files_are_read() {
    let text = "one two three four five six seven eight";
    let sandbox = Sandbox::with("refs/a.csv", format!("id,text\na,{text}\n"));
    sandbox.write("refs/b.csv", "id,words\nb,nothing\n");
    sandbox.write("in.txt", text);
    for flags in ["", "--measure containment", "--check-texts"] {
        sandbox.says(&format!("dedup in.txt --against refs/ --on-error skip {flags}"), "...b.csv...1 removed...");
        sandbox.refuse(&format!("dedup in.txt --against refs/ {flags}"));
    }
}

#[test]
fn an_order_lets_inputs_be_compared_with_each_other_beside_the_references() {
    // x is near to the reference; y and its longer version z are near to each other only.
    let of_inputs = [record("x", &words(0..31)), record("y", &words(100..130)), record("z", &words(100..131))];
    let sandbox = Sandbox::with("in.jsonl", of_inputs.concat());
    sandbox.write("ref.jsonl", record("a", &words(0..32)) + &record("a2", &words(0..32)));
    assert_eq!(sandbox.kept("--against ref.jsonl"), ["y", "z"]);
    for (keep, kept) in [("first", "y"), ("longest", "z"), ("last", "z"), ("shortest", "y")] {
        for method in ["exact", "minhash --seed 1"] {
            let flags = format!("--against ref.jsonl --keep {keep} --method {method} --removed r.jsonl");
            assert_eq!(sandbox.kept(&flags), [kept], "{flags}");
            let removed = rows::<Removed>(&sandbox.read("r.jsonl"));
            let kept_for: Vec<&str> = removed.iter().map(|row| row.kept.as_str()).collect();
            assert_eq!(kept_for, ["a", kept], "{flags}");
        }
    }
    let measures = "--measure containment --against ref.jsonl --keep first --containment";
    assert_eq!(sandbox.kept(&format!("{measures} in-reference")), ["z"]);
    assert_eq!(sandbox.kept(&format!("{measures} of-reference")), ["z"]);
}

#[test]
fn the_most_similar_of_references_and_inputs_is_named() {
    // b is nearer to the input c than to the reference a.
    let sandbox = Sandbox::with("in.jsonl", record("c", &words(4..40)) + &record("b", &words(3..40)));
    sandbox.write("ref.jsonl", record("a", &words(0..38)));
    sandbox.succeed("dedup in.jsonl --against ref.jsonl --keep first -t 0.85 --removed r.jsonl");
    let kept_for: Vec<String> = rows::<Removed>(&sandbox.read("r.jsonl")).into_iter().map(|row| row.kept).collect();
    assert_eq!(kept_for, ["c"]);
}

#[test]
fn references_need_no_field_of_the_order() {
    let line = |id: &str, day: u32| {
        format!("{{\"id\":\"{id}\",\"text\":\"{}\",\"day\":\"2026-01-{day:02}\"}}\n", words(0..20))
    };
    let sandbox = Sandbox::with("in.jsonl", line("old", 9) + &line("new", 10));
    sandbox.write("ref.jsonl", record("r", &words(50..70)));
    sandbox.succeed("snapshot ref.jsonl -o ref.snapshot");
    sandbox.succeed("index create ref.idx ref.jsonl");
    for reference in ["ref.jsonl", "ref.snapshot", "ref.idx"] {
        assert_eq!(sandbox.kept(&format!("--against {reference} --keep max:day")), ["new"], "{reference}");
    }
}
