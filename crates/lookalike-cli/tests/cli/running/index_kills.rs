//! An index that is changed by a process which is killed at random moments.

use crate::common::{Random, Sandbox};
use std::collections::BTreeSet;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

/// Kills, of which some come before the command has begun and some after its end.
const KILLS: u64 = 15;

fn records(begin: u64, count: u64) -> String {
    let record = |number: u64| {
        let words: Vec<String> = (0..40).map(|place| format!("w{}", number * 31 + place)).collect();
        format!("{{\"id\":\"n{number}\",\"text\":\"{}\"}}\n", words.join(" "))
    };
    (begin..begin + count).map(record).collect()
}

/// The ids that are there, of those that may be.
fn ids_of(sandbox: &Sandbox, end: u64) -> BTreeSet<u64> {
    sandbox.write("all.jsonl", records(0, end));
    let rows = sandbox.succeed("search all.jsonl --in news.idx -t 1 --format csv").stdout;
    rows.lines().skip(1).map(|line| line.split(',').nth(2).unwrap()[1..].parse().unwrap()).collect()
}

/// Looks at all bytes. What a kill has left at the end of the log is told, and goes when the index is changed.
fn check_after_kill(sandbox: &Sandbox) {
    let run = sandbox.command("index verify news.idx").output().unwrap();
    if !run.status.success() {
        let told = String::from_utf8(run.stderr).unwrap();
        assert!(told.contains("a write that did not come to its end"), "{told}");
        sandbox.succeed("index remove news.idx n1");
        sandbox.write("one.jsonl", records(1, 1));
        sandbox.succeed("index add news.idx one.jsonl");
        sandbox.succeed("index verify news.idx");
    }
}

#[test]
fn acknowledged_documents_are_there_and_groups_are_whole() {
    let sandbox = Sandbox::with("first.jsonl", records(0, 300));
    sandbox.succeed("index create news.idx first.jsonl");
    let (mut random, mut known, mut end) = (Random(17), (0..300).collect::<BTreeSet<u64>>(), 300);
    for kill in 0..KILLS {
        let group = end..end + 200;
        sandbox.write("more.jsonl", records(group.start, 200));
        let mut command = sandbox.command("index add news.idx more.jsonl");
        let mut process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(random.below(40)));
        let is_done = process.try_wait().unwrap().is_some();
        let _ = process.kill();
        process.wait().unwrap();
        if kill % 5 == 4 {
            sandbox.succeed("index compact news.idx");
        }
        end = group.end;
        let found = ids_of(&sandbox, end);
        let with_group: BTreeSet<u64> = known.iter().copied().chain(group).collect();
        assert!(found == with_group || found == known && !is_done, "kill {kill}: {} documents", found.len());
        known = found;
        check_after_kill(&sandbox);
    }
}

/// A nightly job that was killed, and is run again: the outputs are those of a job that was not, and so is the index.
#[test]
fn a_nightly_job_may_be_killed_and_run_again() {
    let sandbox = Sandbox::with("first.jsonl", records(0, 300));
    sandbox.write("tonight.jsonl", records(250, 500));
    let nightly = "dedup tonight.jsonl --against news.idx --add -o fresh.jsonl --removed why.csv -t 0.3";
    let create = "index create news.idx first.jsonl -t 0.3";
    sandbox.succeed(create);
    sandbox.succeed(nightly);
    let (expected, ids) = ([sandbox.read("fresh.jsonl"), sandbox.read("why.csv")], ids_of(&sandbox, 1000));
    let (mut random, mut ended) = (Random(23), 0);
    for kill in 0..KILLS {
        std::fs::remove_dir_all(sandbox.path("news.idx")).unwrap();
        sandbox.succeed(create);
        let mut process = sandbox.command(nightly).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(random.below(60)));
        ended += usize::from(process.try_wait().unwrap().is_some());
        let _ = process.kill();
        process.wait().unwrap();
        check_after_kill(&sandbox);
        sandbox.succeed(nightly);
        assert_eq!([sandbox.read("fresh.jsonl"), sandbox.read("why.csv")], expected, "kill {kill}");
        assert_eq!(ids_of(&sandbox, 1000), ids, "kill {kill}");
    }
    assert!(ended < KILLS as usize, "no job was killed");
}
