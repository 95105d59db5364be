//! Formats of inputs: told by ending or content, the same answers from each.

use crate::common::{Run, Sandbox, record, words};
use std::io::Write;
use std::process::Stdio;

/// Runs a command with standard input.
fn run_with_stdin(sandbox: &Sandbox, arguments: &str, stdin: &[u8]) -> Run {
    let mut command = sandbox.command(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(stdin).unwrap();
    child.wait_with_output().unwrap().into()
}

#[test]
fn named_text_files_are_documents_with_their_names_as_keys() {
    let sandbox = Sandbox::with("essays/a.txt", words(0..20));
    sandbox.write("essays/b.txt", words(0..20));
    sandbox.write("essays/c.md", "other words");
    sandbox.write("notes", words(0..20));
    let run = sandbox.succeed("dedup essays/*.txt essays/c.md notes -o out --removed r.csv");
    assert_eq!(sandbox.read("r.csv"), "key,kept,similarity,reason\nb.txt,a.txt,1.0,exact\nnotes,a.txt,1.0,exact\n");
    let names: Vec<String> = sandbox.names().into_iter().filter(|name| name.starts_with("out/")).collect();
    assert_eq!(names, ["out/a.txt", "out/c.md"]);
    assert!(run.stderr.contains("3 text files in essays/\n") && run.stderr.contains("  notes\n"), "{}", run.stderr);
}

#[test]
fn a_single_text_file_goes_to_a_folder() {
    let sandbox = Sandbox::with("single.txt", words(0..20));
    sandbox.write("seen.jsonl", record("seen", &words(0..21)));
    sandbox.succeed("dedup single.txt -o out/");
    assert_eq!(sandbox.read("out/single.txt"), words(0..20));
    sandbox.succeed("dedup single.txt -o none --against seen.jsonl");
    assert!(sandbox.names().contains(&"none/".to_owned()), "{:?}", sandbox.names());
    assert!(sandbox.refuse_in_a_line("dedup single.txt -o -").contains("need an output folder"));
}

#[test]
fn text_files_of_one_name_cannot_both_be_written() {
    let sandbox = Sandbox::with("a/x.txt", "one");
    sandbox.write("b/x.txt", "two");
    let words = sandbox.refuse_in_a_line("dedup a/x.txt b/x.txt -o out");
    assert!(words.contains("inputs a/x.txt and b/x.txt would both be written as x.txt"), "{words}");
    sandbox.write("b/y.txt", "two");
    sandbox.succeed("dedup a/x.txt b/y.txt -o out");
}

#[test]
fn content_tells_the_format_where_the_ending_does_not() {
    let content = record("a", &words(0..20)) + &record("b", &words(0..20));
    let sandbox = Sandbox::with("records", &content);
    sandbox.write("records.2025", "\n\n".to_owned() + &content);
    for name in ["records", "records.2025"] {
        assert!(sandbox.succeed(&format!("dedup {name} -o -")).stderr.starts_with("2 documents: 1 kept"), "{name}");
    }
    assert!(sandbox.refuse_in_a_line("compare records records").contains("name one as records:KEY"));
}

#[test]
fn standard_input_is_judged_by_its_content() {
    let sandbox = Sandbox::new();
    let run = run_with_stdin(&sandbox, "dedup - -o -", record("a", "x").as_bytes());
    assert_eq!((run.code, run.stdout), (Some(0), record("a", "x")));
    let run = run_with_stdin(&sandbox, "dedup - -o -", b"plain text\n");
    assert!(run.code == Some(2) && run.stderr.contains("stdin:1: not JSON"), "{}", run.stderr);
}
