//! Arguments and inputs that cannot be used: refused in one clear line, nothing written.

use crate::common::{Sandbox, record};

fn sandbox() -> Sandbox {
    Sandbox::with("in.jsonl", record("a", "x") + &record("b", "y"))
}

#[test]
fn flags_of_minhash_are_refused_with_the_exact_method() {
    for flags in ["--permutations 16", "--bands 4 --rows 2", "--recall 0.9", "--seed 7"] {
        let named = flags.split(' ').filter(|word| word.starts_with("--")).collect::<Vec<_>>().join(", ");
        for command in ["pairs in.jsonl", "clusters in.jsonl", "dedup in.jsonl -o out.jsonl"] {
            let words = sandbox().refuse_in_a_line(&format!("{command} --method exact {flags}"));
            assert_eq!(words, format!("--method exact has no use for {named}: minhash and auto do"));
        }
        for method in ["auto", "minhash"] {
            sandbox().succeed(&format!("pairs in.jsonl --method {method} {flags} --threshold 0.9"));
        }
    }
}

#[test]
fn messages_about_values_say_the_value_once() {
    for (flag, value) in
        [("--threshold", "1.25"), ("--shingle", "word:0"), ("--stem", "klingon"), ("--keep", "best"), ("--seed", "x7")]
    {
        let words = sandbox().refuse_in_a_line(&format!("dedup in.jsonl -o out.jsonl {flag} {value}"));
        assert_eq!(words.matches(value).count(), 1, "{words}");
    }
}

#[test]
fn scores_are_all_numbers_or_all_strings() {
    let line = |id: &str, score: &str| format!("{{\"id\":\"{id}\",\"text\":\"x\",\"n\":{score}}}\n");
    let mixed = Sandbox::with("in.jsonl", line("a", "1") + &line("b", "null") + &line("c", "\"two\""));
    mixed.refused("dedup in.jsonl -o out.jsonl --keep max:n", "...`n`...first at document `c`...");
    let array = Sandbox::with("in.jsonl", line("a", "1") + &line("b", "[2]"));
    array.refused("dedup in.jsonl -o out.jsonl --keep max:n", "in.jsonl:2: field `n` is an array...");
}

#[test]
fn compressed_inputs_are_recognized_and_must_be_whole() {
    for head in [&b"\x1F\x8B\x08"[..], b"\x28\xB5\x2F\xFD", b"BZh91AY&SY", b"\xFD7zXZ\0"] {
        let sandbox = Sandbox::with("in.jsonl", head);
        sandbox.refused("dedup in.jsonl -o out.jsonl", "...in.jsonl:1: cannot be unpacked behind byte 0...");
    }
    // Text may begin like a compressed file.
    let sandbox = Sandbox::with("in.txt", "BZh9 is a text");
    sandbox.writes("dedup in.txt --items -o out.txt", "out.txt", "BZh9 is a text");
}
