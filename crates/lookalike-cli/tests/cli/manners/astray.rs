//! Command lines of people who guess: each is answered in one line that says what is wrong and what to do.

use crate::common::{Sandbox, record, words};

/// A folder with files of several kinds.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with("press.jsonl", record("a1", &words(0..30)) + &record("a2", &words(2..32)));
    sandbox.write("other.jsonl", record("b1", &words(0..30)));
    sandbox.write("products.csv", "sku,text,customer\nP1,one two three,anna\nP2,four five six,ben\n");
    sandbox.write("one.txt", words(0..30));
    sandbox.write("two.txt", words(2..32));
    sandbox.write("a.pdf", "%PDF-1.7 and so on");
    sandbox.write("a.docx", [&b"PK\x03\x04\x14\0\0\0\x08\0"[..], &[0; 40]].concat());
    sandbox.write("a.xlsx", [&b"PK\x03\x04\x14\0\0\0\x08\0"[..], &[0; 40]].concat());
    sandbox.write("mixed/a.csv", "id,text\n1,x\n");
    sandbox.write("mixed/b.csv", "id,body\n1,x\n");
    sandbox
}

#[test]
fn each_guess_is_answered_in_a_line() {
    let sandbox = sandbox();
    sandbox.refuse_all("manners/each_guess_is_answered_in_a_line");
}

#[test]
#[cfg(feature = "server")]
fn a_port_is_part_of_an_address() {
    sandbox().refused("serve x.idx --port 80", "no flag '--port': see --listen 127.0.0.1:8080...");
}

#[test]
fn what_the_parser_refuses_is_said_in_a_line_of_our_own() {
    let sandbox = sandbox();
    sandbox.refuse_all("manners/what_the_parser_refuses_is_said_in_a_line_of_our_own");
}

#[test]
fn what_finds_nothing_for_a_plain_reason_says_it() {
    let sandbox = sandbox();
    sandbox.write("empty.jsonl", "");
    for (arguments, expected) in [
        ("sources one.txt", "note: a document without others has no sources: name those that it may have (--against"),
        ("dedup empty.jsonl", "note: the inputs are empty: they hold no document"),
        ("pairs empty.jsonl", "note: the inputs are empty: they hold no document"),
        ("checksum empty.jsonl", "note: the inputs are empty: they hold no document"),
        ("dedup press.jsonl empty.jsonl", "note: empty.jsonl is empty: it holds no document"),
    ] {
        let run = sandbox.succeed(arguments);
        assert!(run.stderr.contains(expected), "{arguments}: {}", run.stderr);
    }
    for arguments in ["sources one.txt two.txt", "dedup press.jsonl", "pairs press.jsonl"] {
        assert!(!sandbox.succeed(arguments).stderr.contains("empty"), "{arguments}");
    }
}

#[test]
fn a_quiet_plan_says_nothing() {
    let sandbox = Sandbox::new();
    let run = sandbox.succeed("plan -q --plot curve.svg");
    assert_eq!((&*run.stdout, &*run.stderr), ("", ""));
    assert!(sandbox.read("curve.svg").contains("<svg"));
    sandbox.answers("plan -q --format json", "...\"bands\"...");
}

#[test]
fn comparing_and_searching_fail_where_something_is_found_if_asked() {
    let sandbox = sandbox();
    for (arguments, code) in [
        ("compare one.txt two.txt -t 0.5 --fail-if-found", 1),
        ("compare one.txt two.txt -t 1 --fail-if-found", 0),
        ("compare one.txt two.txt -t 0.5", 0),
        ("search one.txt --in press.jsonl -t 0.5 --fail-if-found", 1),
        ("search products.csv --in press.jsonl -t 0.5 --fail-if-found", 0),
    ] {
        assert_eq!(sandbox.run(arguments).code, Some(code), "{arguments}");
    }
}
