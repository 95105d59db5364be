//! An index that is changed by a process which is killed at random moments.

use crate::common::{Random, Sandbox};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Records of 40 words in groups of three, of which each is near to the others.
fn records(name: &str, begin: u64, count: u64) -> String {
    let record = |number: u64| {
        let words: Vec<String> = (0..40).map(|place| format!("w{}", (number / 3) * 37 + place + number % 3)).collect();
        format!("{{\"id\":\"{name}{number}\",\"text\":\"{}\"}}\n", words.join(" "))
    };
    (begin..begin + count).map(record).collect()
}

/// A command that changes an index, or makes one.
struct Killed {
    command: &'static str,
    /// The index that the command changes, or makes.
    index: &'static str,
    /// Its outputs beside that.
    outputs: &'static [&'static str],
}

const COMMANDS: &[Killed] = &[
    Killed { command: "index create new.idx first.jsonl -t 0.3", index: "new.idx", outputs: &[] },
    Killed { command: "index add news.idx few.jsonl", index: "news.idx", outputs: &[] },
    Killed { command: "index add news.idx many.jsonl", index: "news.idx", outputs: &[] },
    Killed {
        command: "index add news.idx few.jsonl --unless-near -o near.csv",
        index: "news.idx",
        outputs: &["near.csv"],
    },
    Killed {
        command: "index add news.idx many.jsonl --unless-near 0.99 -o near.csv --memory 64MiB",
        index: "news.idx",
        outputs: &["near.csv"],
    },
    Killed { command: "index remove news.idx n1 n2 n250", index: "news.idx", outputs: &[] },
    Killed { command: "index compact news.idx", index: "news.idx", outputs: &[] },
    Killed { command: "index backup news.idx new.idx", index: "new.idx", outputs: &[] },
    Killed {
        command: "dedup few.jsonl --against news.idx --add -o fresh.jsonl --removed why.csv -t 0.5",
        index: "news.idx",
        outputs: &["fresh.jsonl", "why.csv"],
    },
];

/// The answers of an index; `None` if it is not there.
fn answers_of(sandbox: &Sandbox, index: &str) -> Option<String> {
    let asked = format!("search asked.jsonl --in {index} -t 0.3 --format csv");
    sandbox.path(index).exists().then(|| sandbox.succeed(&asked).stdout)
}

/// The folder as it is before each command, with an index that has a log and several segments.
fn folder_before() -> Sandbox {
    let sandbox = Sandbox::with("first.jsonl", records("n", 0, 300));
    sandbox.write("few.jsonl", records("m", 200, 700));
    // More than a frame of the log takes, some of them twice.
    sandbox.write("many.jsonl", records("n", 200, 9000) + &records("c", 200, 300));
    sandbox.write("asked.jsonl", records("q", 0, 1200));
    sandbox.write("more.jsonl", records("o", 60, 60));
    sandbox.succeed("index create news.idx first.jsonl -t 0.3");
    sandbox.succeed("index add news.idx more.jsonl");
    sandbox.succeed("index remove news.idx o61");
    sandbox
}

fn copy_folder(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// Whatever command is killed at whatever moment: the index is as before, or as after it; its bytes are right; the
/// outputs of a command that has changed it are complete; and run again the command gives what it would have given.
///
/// `LOOKALIKE_INDEX_KILLS=200 cargo test --release -p lookalike-cli --test cli every_command` kills more often.
#[test]
fn every_command_that_changes_an_index_is_one_change() {
    let kills = std::env::var("LOOKALIKE_INDEX_KILLS").map_or(4, |kills| kills.parse().unwrap());
    let sandbox = folder_before();
    copy_folder(&sandbox.path("news.idx"), &sandbox.path("kept.idx"));
    let mut random = Random(29);
    for Killed { command, index, outputs } in COMMANDS {
        let restore = || {
            copy_folder(&sandbox.path("kept.idx"), &sandbox.path("news.idx"));
            let _ = fs::remove_dir_all(sandbox.path("new.idx"));
            outputs.iter().for_each(|output| drop(fs::remove_file(sandbox.path(output))));
        };
        let written = || outputs.iter().map(|output| sandbox.read(output)).collect::<Vec<_>>();
        restore();
        let before = answers_of(&sandbox, index);
        let begun = Instant::now();
        sandbox.succeed(command);
        let whole = begun.elapsed().as_micros() as u64;
        let after = answers_of(&sandbox, index);
        let expected = written();
        for kill in 0..kills {
            restore();
            let is_done = sandbox.kill_after(command, Duration::from_micros(random.below(whole + whole / 8 + 1)));
            let found = answers_of(&sandbox, index);
            assert!(found == before || found == after, "kill {kill} of {command}: part of a change is there");
            assert!(found == after || !is_done, "kill {kill} of {command}: a change that was acknowledged is lost");
            if before != after && found == after {
                assert_eq!(written(), expected, "kill {kill} of {command}: what comes with the change is missing");
                sandbox.succeed(&format!("index verify {index}"));
                continue;
            }
            sandbox.succeed(command);
            assert_eq!(written(), expected, "kill {kill} of {command}: run again it gives something else");
            assert!(
                answers_of(&sandbox, index) == after,
                "kill {kill} of {command}: run again it changes another thing"
            );
            sandbox.succeed(&format!("index verify {index}"));
        }
    }
}
