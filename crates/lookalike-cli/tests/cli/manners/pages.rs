//! Completions, manual pages, the format flag, and flags that other programs have.

use crate::common::{Sandbox, record, rows, words};

#[test]
fn completions_know_commands_and_flags() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = sandbox.succeed(&format!("completions {shell}")).stdout;
        assert!(["recluster", "text-field", "threshold"].iter().all(|word| script.contains(word)), "{shell}");
    }
    sandbox.refused("completions tcsh", "...expected bash, elvish, fish, powershell, zsh...");
}

#[test]
fn manual_pages_explain_the_program_and_each_command() {
    let sandbox = Sandbox::new();
    sandbox.answers("man", "....TH lookalike 1...lookalike\\-dedup(1)...");
    sandbox.answers("man dedup", "....TH lookalike-dedup 1...\\-\\-text\\-field...");
    sandbox.refused("man none", "...there are dedup, pairs, ...");
}

#[test]
fn the_format_of_the_main_output_is_one_flag() {
    let sandbox = Sandbox::with("in.jsonl", record("a", &words(0..30)) + &record("b", &words(0..30)));
    assert_eq!(sandbox.succeed("pairs in.jsonl --format csv").stdout, "a,b,similarity,reason\na,b,1.0,identical\n");
    assert_eq!(
        sandbox.succeed("pairs in.jsonl --format tsv").stdout,
        "a\tb\tsimilarity\treason\na\tb\t1.0\tidentical\n"
    );
    assert_eq!(sandbox.succeed("clusters in.jsonl --format csv").stdout, "cluster,id\n0,a\n0,b\n");
    let array: serde_json::Value =
        serde_json::from_str(&sandbox.succeed("clusters in.jsonl --format json").stdout).unwrap();
    assert_eq!(array[0]["ids"], serde_json::json!(["a", "b"]));
    sandbox.answers("checksum in.jsonl --format csv", "group,id,equal,checksum\n...");
    sandbox.answers("dedup in.jsonl -o - --format csv", "id,text\na,...");
    sandbox.succeed("pairs in.jsonl -o p.jsonl");
    let clusters = sandbox.succeed("recluster p.jsonl -t 0.9 --format tsv").stdout;
    assert_eq!(clusters, "cluster\tid\n0\ta\n0\tb\n");
    sandbox.succeed("pairs in.jsonl -o found.txt --format parquet");
    assert!(sandbox.bytes("found.txt").starts_with(b"PAR1"));
    sandbox.succeed("clusters in.jsonl -o found.json --format jsonl");
    assert_eq!(rows::<serde_json::Value>(&sandbox.read("found.json")).len(), 2);
}

#[test]
fn only_a_flag_that_means_the_same_is_proposed() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "x"));
    for (arguments, step) in [
        ("pairs in.jsonl --exact", "see --method exact"),
        ("compare a b --exact", "'--exact' ('lookalike compare --help' lists all)"),
        ("pairs in.jsonl --ignore-case", "see --lowercase true, the default"),
        ("pairs in.jsonl --case-sensitive", "see --lowercase false"),
        ("pairs in.jsonl --json", "see --format jsonl"),
        ("clusters in.jsonl --json", "see --format json "),
        ("compare a b --json", "see --format json "),
        ("clusters in.jsonl --best 5", "'--best' ('lookalike clusters --help' lists all)"),
    ] {
        let words = sandbox.refuse_in_a_line(arguments);
        assert!(words.contains(step) && !words.contains("similar"), "{arguments}: {words}");
    }
    for slip in ["--treshold 0.7", "--sumary x", "--thres 0.7"] {
        let words = sandbox.refuse(&format!("dedup in.jsonl {slip}"));
        assert!(words.contains("--threshold") || words.contains("--summary"), "{slip}: {words}");
    }
}
