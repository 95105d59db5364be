//! Files that a job touches in its work folder, and among those it has left elsewhere.

use crate::common::{Sandbox, record, words};
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

/// Enough documents to be killed while they are read.
fn many() -> Sandbox {
    let lines: Vec<String> =
        (0..9000).map(|number| record(&number.to_string(), &words(number..number + 200))).collect();
    Sandbox::with("in.jsonl", lines.concat())
}

fn staged(sandbox: &Sandbox) -> Vec<String> {
    sandbox.names().into_iter().filter(|name| name.starts_with("out/.")).collect()
}

#[cfg(unix)]
#[test]
fn what_killed_jobs_left_beside_their_outputs_is_removed() {
    let sandbox = Sandbox::with("in.jsonl", "{\"id\":\"a\",\"text\":\"one two three four five six\"}\n");
    for command in ["dedup in.jsonl -o out.jsonl", "index create in.idx in.jsonl", "dedup in.jsonl -o out"] {
        sandbox.write(".lookalike-abcdef.partial", "left");
        sandbox.write(".lookalike-index-ghijkl/in.idx/manifest", "left");
        sandbox.write(".lookalike-mine", "not of a job");
        sandbox.succeed(command);
        let exists = [".lookalike-abcdef.partial", ".lookalike-index-ghijkl", ".lookalike-mine"]
            .map(|name| sandbox.path(name).exists());
        assert_eq!(exists, [false, false, true], "{command}");
    }
}

#[test]
fn staging_of_a_killed_job_is_removed_by_the_next_one_whatever_its_outputs_are() {
    let sandbox = many();
    let command = "dedup in.jsonl -o out/kept.jsonl --removed out/removed.csv --work-dir work";
    sandbox.write("out/notes.txt", "mine");
    let mut child = sandbox.command(command).stderr(Stdio::null()).spawn().unwrap();
    // Outputs are begun before the work.
    while !sandbox.path("work/corpus-ids").exists() {
        sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(staged(&sandbox).len(), 2, "{:?}", sandbox.names());
    sandbox.write("out/.lookalike-mine.partial", "mine");
    let run = sandbox.run("dedup in.jsonl -o kept.jsonl --threshold 0.5 --work-dir work");
    assert!(run.code.is_some(), "{}", run.stderr);
    assert_eq!(staged(&sandbox), ["out/.lookalike-mine.partial"]);
    assert_eq!(sandbox.read("out/notes.txt"), "mine");
}

#[test]
fn a_file_of_the_user_in_the_work_folder_stays() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "one two three"));
    sandbox.succeed("dedup in.jsonl -o out.jsonl --work-dir work");
    sandbox.write("work/lookalike-clean.jsonl", "mine");
    sandbox.write("work/lookalike-notes/a.txt", "mine");
    sandbox.succeed("dedup in.jsonl -o out.jsonl --work-dir work");
    assert_eq!(sandbox.read("work/lookalike-clean.jsonl") + &sandbox.read("work/lookalike-notes/a.txt"), "minemine");
}

#[cfg(unix)]
#[test]
fn a_link_in_the_work_folder_is_refused_and_not_followed() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "one two three"));
    sandbox.succeed("dedup in.jsonl -o out.jsonl --work-dir work");
    let names = sandbox.names().into_iter().filter(|name| name.starts_with("work/"));
    for name in names.collect::<Vec<_>>() {
        let content = sandbox.bytes(&name);
        std::fs::rename(sandbox.path(&name), sandbox.path("mine")).unwrap();
        std::os::unix::fs::symlink(sandbox.path("mine"), sandbox.path(&name)).unwrap();
        // Whatever is asked for, the files are opened or made anew.
        for removed in ["reading.checkpoint", "decisions.checkpoint"] {
            let path = sandbox.path("work").join(removed);
            if !path.is_symlink() {
                std::fs::remove_file(path).unwrap();
            }
        }
        let words = sandbox.run("dedup in.jsonl -o out.jsonl --work-dir work").stderr;
        let expected = format!("lookalike: {name} is a link or no file; a job uses only files of its own");
        assert!(words.starts_with(&expected), "{name}: {words}");
        assert_eq!(sandbox.bytes("mine"), content, "{name}");
        std::fs::remove_file(sandbox.path(&name)).unwrap();
        std::fs::rename(sandbox.path("mine"), sandbox.path(&name)).unwrap();
        sandbox.succeed("dedup in.jsonl -o out.jsonl --work-dir work");
    }
}
