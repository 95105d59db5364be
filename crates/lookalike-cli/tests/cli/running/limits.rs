//! Limits of the system: reached with an error in a line, never with a signal.

use crate::common::{Sandbox, record, words};
use std::process::{Command, Output};

fn sandbox() -> Sandbox {
    let records: Vec<String> =
        (0..3000).map(|number| record(&number.to_string(), &words(number..number + 40))).collect();
    Sandbox::with("in.jsonl", records.concat())
}

/// Runs the command under a limit of the shell.
fn limited(sandbox: &Sandbox, limit: &str, arguments: &str) -> Output {
    let script = format!("ulimit {limit} && exec {} {arguments}", env!("CARGO_BIN_EXE_lookalike"));
    Command::new("sh").args(["-c", &script]).current_dir(sandbox.path("")).output().unwrap()
}

/// Asserts that what was refused is one line, and that nothing was left behind.
fn assert_refused(sandbox: &Sandbox, output: &Output, expected: &str) {
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words}");
    assert!(words.starts_with("lookalike: ") && words.lines().count() == 1 && words.contains(expected), "{words}");
    assert_eq!(sandbox.names(), ["in.jsonl"]);
}

#[cfg(target_os = "linux")]
#[test]
fn standard_input_above_the_limit_of_a_file_is_an_error_and_leaves_nothing() {
    let sandbox = sandbox();
    std::fs::create_dir(sandbox.path("tmp")).unwrap();
    let output = limited(&sandbox, "-f 100", "dedup - -o out.jsonl --temp-dir tmp < in.jsonl");
    assert_eq!(std::fs::read_dir(sandbox.path("tmp")).unwrap().count(), 0);
    std::fs::remove_dir(sandbox.path("tmp")).unwrap();
    assert_refused(&sandbox, &output, "cannot copy standard input: File too large");
}

#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_an_error_and_no_signal() {
    let sandbox = sandbox();
    sandbox.write("long.jsonl", record("a", &"word ".repeat(4_000_000)));
    let starts = |kib: &u32| limited(&sandbox, &format!("-v {kib}"), "--version").status.success();
    let least = (10_000..1_000_000).step_by(10_000).find(starts).unwrap();
    let mut failed = 0;
    for kib in [0, 2_000, 4_000, 6_000, 10_000, 20_000, 40_000, 80_000, 160_000].map(|more| least + more) {
        for input in ["in.jsonl", "long.jsonl"] {
            let output = limited(&sandbox, &format!("-v {kib}"), &format!("dedup {input} -o out.jsonl --threads 2"));
            let words = String::from_utf8_lossy(&output.stderr);
            assert!(matches!(output.status.code(), Some(0 | 2)), "{input}, {kib} KiB: {:?} {words}", output.status);
            assert!(!words.contains("panicked"), "{input}, {kib} KiB: {words}");
            failed += u32::from(!output.status.success());
        }
    }
    assert!(failed > 0, "some limits were too low");
}
