//! Outputs that are descriptors or devices: what stands behind them stays.

use crate::common::{Sandbox, record, words};
use std::fs::OpenOptions;
use std::process::Stdio;

/// Two equal documents, and a file `log` in which a line stands.
fn world() -> Sandbox {
    let text = words(0..20);
    let sandbox = Sandbox::with("in.jsonl", record("a", &text) + &record("b", &text));
    sandbox.write("log", "first\n");
    sandbox
}

/// The file as a shell opens it for `>> log`.
fn appended(sandbox: &Sandbox) -> Stdio {
    OpenOptions::new().append(true).open(sandbox.path("log")).unwrap().into()
}

const REMOVED: &str = "{\"id\":\"b\",\"kept\":\"a\",\"similarity\":1.0,\"reason\":\"identical\"}\n";

#[test]
fn what_stands_behind_standard_error_stays() {
    for path in ["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"] {
        let sandbox = world();
        let mut command = sandbox.command(&format!("dedup in.jsonl --removed {path}"));
        assert!(command.stderr(appended(&sandbox)).status().unwrap().success());
        let log = sandbox.read("log");
        assert!(log.starts_with("first\n") && log.contains(REMOVED) && log.contains("1 removed"), "{path}: {log}");
        assert_eq!(sandbox.names(), ["in.jsonl", "log"], "{path}");
    }
}

#[test]
fn what_stands_behind_standard_output_stays() {
    for (arguments, expected) in [
        ("dedup in.jsonl -o /dev/stdout", record("a", &words(0..20))),
        ("pairs in.jsonl -o /dev/stdout --format csv", "a,b,similarity,reason\na,b,1.0,identical\n".to_owned()),
        ("clusters in.jsonl -o /dev/fd/1 --format csv", "cluster,id\n0,a\n0,b\n".to_owned()),
        ("dedup in.jsonl -q --removed /dev/stdout", REMOVED.to_owned()),
    ] {
        let sandbox = world();
        assert!(sandbox.command(arguments).stdout(appended(&sandbox)).status().unwrap().success(), "{arguments}");
        assert_eq!(sandbox.read("log"), format!("first\n{expected}"), "{arguments}");
    }
}

#[test]
fn summaries_and_snapshots_are_written_to_descriptors() {
    for (arguments, part) in [
        ("dedup in.jsonl --summary /dev/stdout", "\"documents\""),
        ("snapshot in.jsonl -o /dev/stdout", "LOOKLIKE"),
        ("fingerprint in.jsonl -o /dev/stdout --format csv", "id,simhash"),
        ("checksum in.jsonl -o /dev/stdout --format csv", "group,id"),
    ] {
        let sandbox = world();
        assert!(sandbox.command(arguments).stdout(appended(&sandbox)).status().unwrap().success(), "{arguments}");
        let log = String::from_utf8_lossy(&sandbox.bytes("log")).into_owned();
        assert!(log.starts_with("first\n") && log.contains(part), "{arguments}: {log}");
    }
}

#[test]
fn other_descriptors_and_devices_are_written_to() {
    let sandbox = world();
    let shell = |command: &str| {
        let line = format!("{} {command}", env!("CARGO_BIN_EXE_lookalike"));
        let status = std::process::Command::new("sh").args(["-c", &line]).current_dir(sandbox.path("")).status();
        assert!(status.unwrap().success(), "{line}");
    };
    shell("dedup in.jsonl -q --removed /dev/fd/3 3>>log");
    assert_eq!(sandbox.read("log"), format!("first\n{REMOVED}"));
    shell("dedup in.jsonl -q --removed /dev/null");
    assert!(!std::path::Path::new("/dev/null").is_file());
}
