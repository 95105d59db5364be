//! Limits of the system: reached with an error in a line, never with a signal.

use crate::common::{Sandbox, fits, record, words};

fn sandbox() -> Sandbox {
    let records: Vec<String> =
        (0..3000).map(|number| record(&number.to_string(), &words(number..number + 40))).collect();
    Sandbox::with("in.jsonl", records.concat())
}

#[cfg(target_os = "linux")]
#[test]
fn standard_input_above_the_limit_of_a_file_is_an_error_and_leaves_nothing() {
    let sandbox = sandbox();
    std::fs::create_dir(sandbox.path("tmp")).unwrap();
    let run = sandbox.run_limited("-f 100", "dedup - -o out.jsonl --temp-dir tmp < in.jsonl");
    assert_eq!(run.code, Some(2));
    assert!(fits("lookalike: cannot copy standard input: File too large...", run.stderr.trim_end()), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert_eq!(sandbox.names(), ["in.jsonl", "tmp/"]);
}

#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_an_error_and_no_signal() {
    let sandbox = sandbox();
    sandbox.write("long.jsonl", record("a", &"word ".repeat(4_000_000)));
    let starts = |kib: &u32| sandbox.run_limited(&format!("-v {kib}"), "--version").code == Some(0);
    let least = (10_000..1_000_000).step_by(10_000).find(starts).unwrap();
    let mut failed = 0;
    for kib in [0, 2_000, 4_000, 6_000, 10_000, 20_000, 40_000, 80_000, 160_000].map(|more| least + more) {
        for input in ["in.jsonl", "long.jsonl"] {
            let run = sandbox.run_limited(&format!("-v {kib}"), &format!("dedup {input} -o out.jsonl --threads 2"));
            assert!(matches!(run.code, Some(0 | 2)), "{input}, {kib} KiB: {run:?}");
            assert!(!run.stderr.contains("panicked"), "{input}, {kib} KiB: {run:?}");
            failed += u32::from(run.code != Some(0));
        }
    }
    assert!(failed > 0, "some limits were too low");
}
