//! Files of an index that are not its own, damaged or left behind.

use crate::common::{Sandbox, record, words};
use std::fs;

/// Two indexes of other documents, each with a change in its log.
fn two_indexes() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, begin) in [("mine", 0), ("other", 1000)] {
        let records: String = (0..40).map(|number| record(&format!("{name}{number}"), &text(begin + number))).collect();
        sandbox.write(&format!("{name}.jsonl"), records);
        sandbox.write(&format!("{name}-more.jsonl"), record(&format!("{name}-more"), &text(begin + 500)));
        sandbox.succeed(&format!("index create {name}.idx {name}.jsonl"));
        sandbox.succeed(&format!("index remove {name}.idx {name}1"));
    }
    sandbox
}

fn text(number: usize) -> String {
    words(30 * number..30 * number + 30)
}

/// Commands that read an index, and one that changes it.
const READERS: [&str; 6] = [
    "index get mine.idx mine3",
    "index info mine.idx",
    "search mine-more.jsonl --in mine.idx",
    "index backup mine.idx copy.idx",
    "index remove mine.idx mine3",
    "index verify mine.idx",
];

/// A file of an index by the beginning of its name.
fn file_of(sandbox: &Sandbox, index: &str, name: &str) -> String {
    let files = fs::read_dir(sandbox.path(index)).unwrap().map(|entry| entry.unwrap().file_name());
    let file = files.map(|file| file.into_string().unwrap()).find(|file| file.starts_with(name)).unwrap();
    format!("{index}/{file}")
}

fn log_of(sandbox: &Sandbox, index: &str) -> String {
    file_of(sandbox, index, "log-")
}

#[test]
fn a_file_of_another_index_is_refused_by_every_command() {
    for name in ["segment-", "manifest", "log-"] {
        let sandbox = two_indexes();
        let foreign = sandbox.bytes(&file_of(&sandbox, "other.idx", name));
        sandbox.write(&file_of(&sandbox, "mine.idx", name), foreign);
        for command in READERS {
            assert!(sandbox.refuse(command).contains("another index"), "{command}");
        }
    }
}

#[test]
fn a_damaged_last_change_is_refused_by_every_command() {
    let sandbox = two_indexes();
    let log = log_of(&sandbox, "mine.idx");
    let mut bytes = sandbox.bytes(&log);
    // In the id of the document that was removed, before the frame that acknowledges the change.
    let place = bytes.len() - 50;
    bytes[place] ^= 1;
    sandbox.write(&log, bytes);
    for command in READERS {
        assert!(sandbox.refuse(command).contains("damaged at byte"), "{command}");
    }
}

#[test]
fn an_interrupted_write_is_told_by_every_command_and_cut_off_by_the_next_change() {
    let sandbox = two_indexes();
    let log = log_of(&sandbox, "mine.idx");
    let whole = sandbox.bytes(&log);
    sandbox.write(&log, [&whole[..], b"LKGROUP2 and then"].concat());
    for command in &READERS[..4] {
        sandbox.says(command, "...ends with 17 bytes of an interrupted write...");
    }
    assert!(sandbox.refuse("index verify mine.idx").contains("17 bytes"));
    sandbox.succeed("index verify copy.idx");
    sandbox.says("index remove mine.idx mine3", "...cut 17 bytes off the log...");
    sandbox.succeed("index verify mine.idx");
}

#[cfg(unix)]
#[test]
fn a_link_to_a_device_is_refused_and_none_is_written_through() {
    let sandbox = two_indexes();
    let log = sandbox.path(&log_of(&sandbox, "mine.idx"));
    fs::remove_file(&log).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &log).unwrap();
    for command in READERS {
        assert!(sandbox.refuse(command).contains("is not a regular file"), "{command}");
    }
    sandbox.write("victim", "as it was");
    std::os::unix::fs::symlink(sandbox.path("victim"), sandbox.path("other.idx/manifest.new")).unwrap();
    sandbox.writes("index add other.idx other-more.jsonl", "victim", "as it was");
}

#[test]
fn compact_removes_what_killed_jobs_have_left_beside_an_index() {
    let sandbox = two_indexes();
    for left in [".lookalike-index-abcdef", ".lookalike-backup-mine.idx-17", "mine.idx/.lookalike-index-ghijkl"] {
        fs::create_dir_all(sandbox.path(left)).unwrap();
    }
    sandbox.write(".lookalike-mnopqr.partial", "left");
    sandbox.succeed("index compact mine.idx");
    let is_left = |name: &String| name.starts_with(".lookalike-");
    assert!(!sandbox.names().iter().any(is_left), "{:?}", sandbox.names());
    assert!(!sandbox.path("mine.idx/.lookalike-index-ghijkl").exists());
}
