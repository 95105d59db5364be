//! Readers that go away, and Ctrl-C.

#![cfg(unix)]

use crate::common::{Sandbox, interrupt, record};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Copies of one text whose pairs fill some hundred megabytes.
fn copies() -> Sandbox {
    Sandbox::with("in.jsonl", (0..3000).map(|n| record(&format!("copy-{n}"), "x")).collect::<String>())
}

fn words_of(child: &mut Child) -> String {
    let mut words = String::new();
    child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    words
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let sandbox = copies();
    sandbox.write("text.txt", "some words to compare with each other");
    for (arguments, has_read) in [
        ("pairs in.jsonl", true),
        ("dedup in.jsonl -o - --threshold 1 --shingle word:1 --annotate", true),
        ("plan", false),
        ("checksum in.jsonl", false),
        ("clusters in.jsonl", false),
        ("compare text.txt text.txt", false),
        ("--help", false),
    ] {
        let mut child = sandbox.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        if has_read {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            assert!(line.starts_with('{'), "{arguments}: {line}");
        }
        drop(stdout);
        let words = words_of(&mut child);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments}: {words}");
        assert!(!words.contains("lookalike:") && !words.contains("panicked"), "{arguments}: {words}");
    }
}

#[test]
fn nobody_has_to_listen_to_the_words() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "x") + &record("b", "x") + "oops\n");
    let outputs = ["out.jsonl", "pairs.csv", "clusters.csv", "copies.csv"];
    let commands = ["dedup", "pairs", "clusters", "checksum"];
    for (command, output) in commands.into_iter().zip(outputs) {
        let arguments = format!("{command} in.jsonl -o {output} --on-error skip");
        let mut child = sandbox.command(&arguments).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments}");
        assert!(!sandbox.read(output).is_empty(), "{arguments}");
    }
}

/// Texts of common words: all meet, few are similar, and the exact method has work for minutes.
fn laborious() -> Sandbox {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % 400
    };
    let text = |next: &mut dyn FnMut() -> usize| (0..60).map(|_| format!("w{} ", next())).collect::<String>();
    Sandbox::with("in.jsonl", (0..30_000).map(|n| record(&n.to_string(), &text(&mut next))).collect::<String>())
}

#[test]
fn ctrl_c_ends_a_long_job_and_leaves_nothing() {
    let sandbox = laborious();
    let slow = "--method exact --shingle word:1 --threshold 0.3";
    for command in ["dedup in.jsonl -o out.jsonl --removed r.jsonl", "pairs in.jsonl -o pairs.csv"] {
        let mut child = sandbox.command(&format!("{command} {slow}")).stderr(Stdio::piped()).spawn().unwrap();
        sleep(Duration::from_millis(700));
        if child.try_wait().unwrap().is_some() {
            eprintln!("SKIPPED: {command} was done before it could be interrupted");
            continue;
        }
        interrupt(&child);
        let words = words_of(&mut child);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{command}: {words}");
        assert_eq!(words, "lookalike: interrupted; no output was written\n", "{command}");
        assert_eq!(sandbox.names(), ["in.jsonl"], "{command}");
    }
}

#[test]
fn ctrl_c_ends_the_writing_of_a_long_answer() {
    let sandbox = copies();
    let mut child = sandbox.command("pairs in.jsonl").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut answer = child.stdout.take().unwrap();
    answer.read_exact(&mut vec![0; 1 << 20]).unwrap();
    interrupt(&child);
    let rest = std::io::copy(&mut answer, &mut std::io::sink()).unwrap();
    let words = words_of(&mut child);
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest} more bytes came: {words}");
}
