//! Jobs that go on where they were: what is done again, and what is refused. `damage` and the suite kill jobs.

use crate::common::{Random, Sandbox, interrupt, record};
use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

/// Some megabytes of pages; a third are near-copies of the one before.
fn pages(count: usize) -> Sandbox {
    let mut random = Random(42);
    let mut words: Vec<u64> = Vec::new();
    let mut lines = String::new();
    for number in 0..count {
        if number % 3 == 2 {
            let place = random.below(words.len() as u64) as usize;
            words[place] = random.below(30_000);
        } else {
            words = (0..200 + random.below(200)).map(|_| random.below(30_000)).collect();
        }
        let text: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
        lines += &record(&format!("page-{number}"), &text.join(" "));
    }
    Sandbox::with("in.jsonl", lines)
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_how_to_go_on() {
    use std::io::Read;
    let sandbox = pages(9000);
    let mut child =
        sandbox.command("dedup in.jsonl -o out.jsonl --work-dir work").stderr(Stdio::piped()).spawn().unwrap();
    // Not before it listens.
    while !sandbox.path("work/corpus-ids").exists() {
        sleep(Duration::from_millis(1));
    }
    interrupt(&child);
    let mut words = String::new();
    child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{words}");
    assert_eq!(words, "lookalike: interrupted; no output was written; the same command goes on from here\n");
    assert!(sandbox.names().iter().all(|name| name == "in.jsonl" || name.starts_with("work/")));
    sandbox.succeed("dedup in.jsonl -o out.jsonl --work-dir work");
}

#[test]
fn a_finished_stage_is_not_done_again() {
    let sandbox = pages(600);
    let first = sandbox.succeed("pairs in.jsonl -o out.jsonl --work-dir work");
    let pairs = sandbox.bytes("out.jsonl");
    // What is made anew goes to new files.
    let names = ["corpus-elements", "reading.checkpoint", "keys-for-all.checkpoint", "pairs.checkpoint"];
    let made_at = || names.map(|name| fs::metadata(sandbox.path("work").join(name)).unwrap().modified().unwrap());
    let before = made_at();
    let second = sandbox.succeed("pairs in.jsonl -o out.jsonl --work-dir work");
    assert_eq!(sandbox.bytes("out.jsonl"), pairs);
    assert_eq!(second.stderr, format!("resumed: 4 of 5 stages done before\n{}", first.stderr));
    assert_eq!(made_at(), before);
}

/// Puts another file in the place of `name`, with the same time.
fn replace(sandbox: &Sandbox, name: &str, content: &[u8]) {
    let modified = fs::metadata(sandbox.path(name)).unwrap().modified().unwrap();
    sandbox.write("other", content);
    fs::File::options().write(true).open(sandbox.path("other")).unwrap().set_modified(modified).unwrap();
    fs::rename(sandbox.path("other"), sandbox.path(name)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_restored_input_goes_on_and_another_one_of_its_size_and_time_is_refused() {
    let sandbox = pages(60);
    sandbox.write("in/a.txt", "one two three four five six");
    sandbox.write("in/b.txt", "seven eight nine ten");
    for (name, command) in [("in.jsonl", "dedup in.jsonl -o o.jsonl"), ("in/b.txt", "dedup in -o o")] {
        let command = format!("{command} --work-dir {}-work", name.replace('/', "-"));
        sandbox.succeed(&command);
        let elements = format!("{}-work/corpus-elements", name.replace('/', "-"));
        let content = sandbox.bytes(name);
        let read_at = || fs::metadata(sandbox.path(&elements)).unwrap().modified().unwrap();
        let before = read_at();
        replace(&sandbox, name, &content);
        sandbox.succeed(&command);
        // Rewritten in place, with another time.
        sandbox.write(name, &content);
        sandbox.succeed(&command);
        assert_eq!(read_at(), before, "{name} was not read again");
        let mut other = content.clone();
        *other.last_mut().unwrap() ^= 1;
        replace(&sandbox, name, &other);
        let words = sandbox.refuse_in_a_line(&command);
        assert_eq!(
            words,
            format!(
                "{name} has changed since the job in this work folder has read it; \
                 name another folder, or delete this one"
            )
        );
    }
}

#[test]
fn work_of_another_job_is_refused_with_the_difference() {
    let sandbox = pages(60);
    sandbox.write("other.jsonl", record("other", "another text"));
    sandbox.succeed("dedup in.jsonl -o out.jsonl --work-dir work");
    sandbox.refuse_all("running/work_of_another_job_is_refused_with_the_difference");
    sandbox.write("in.jsonl", record("a", "another text"));
    sandbox.refused("dedup in.jsonl -o new.jsonl --work-dir work", "...input 1 was in.jsonl, ...");
    sandbox.write("mine/thesis.txt", "do not touch");
    sandbox.refuse_all("running/folders_that_hold_no_work_of_this_job");
}

#[test]
fn inputs_are_known_by_their_order_and_part() {
    let sandbox = Sandbox::with("a.jsonl", record("a", "one two three"));
    sandbox.write("b.jsonl", record("b", "four five six"));
    for (first, second) in
        [("a.jsonl b.jsonl", "b.jsonl a.jsonl"), ("a.jsonl --against b.jsonl", "b.jsonl --against a.jsonl")]
    {
        sandbox.succeed(&format!("dedup {first} -o out --work-dir work"));
        sandbox.refused(&format!("dedup {second} -o other --work-dir work"), "... 1 was ...");
        fs::remove_dir_all(sandbox.path("work")).unwrap();
        let out = sandbox.path("out");
        if out.is_dir() { fs::remove_dir_all(out).unwrap() } else { fs::remove_file(out).unwrap() }
    }
    // A folder between others is two sources with one name.
    for name in ["d/a.txt", "d/b.txt", "x.jsonl"] {
        sandbox.write(name, record(name, name));
    }
    let command = "dedup d/a.txt x.jsonl d/b.txt -o out --work-dir work";
    sandbox.succeed(command);
    sandbox.write("d/a.txt", "changed");
    let words = sandbox.refuse_in_a_line(&command.replace("out", "other"));
    assert!(words.contains("input 1 was d, 1 files, "), "{words}");
}

#[cfg(unix)]
#[test]
fn a_folder_that_had_just_appeared_is_complete() {
    let sandbox = Sandbox::with("in/a.jsonl", record("a", "one two three") + &record("b", "one two three"));
    if fs::metadata(sandbox.path("in")).unwrap().created().is_err() {
        eprintln!("SKIPPED: this file system does not tell when a folder was made");
        return;
    }
    let command = "dedup in -o out --removed why.csv --work-dir work";
    sandbox.succeed(command);
    let kept = sandbox.bytes("out/a.jsonl");
    let why = sandbox.bytes("why.csv");
    fs::remove_file(sandbox.path("why.csv")).unwrap();
    sandbox.says(command, "...(written already)...");
    assert_eq!((sandbox.bytes("out/a.jsonl"), sandbox.bytes("why.csv")), (kept.clone(), why));
    // The records of another job are not taken for those of this one.
    for other in ["--format csv", "--annotate", "--cluster connected", "--keep last", "--threshold 0.5"] {
        let words = sandbox.refuse_in_a_line(&format!("{command} {other}"));
        let is_said = words.contains("out exists already") || words.contains("is the work folder of another job");
        assert!(is_said || words.contains("was"), "{other}: {words}");
    }
    // Nor are those that somebody has changed since, though the folder is the same.
    let changed = [&kept[..kept.len() - 1], b" "].concat();
    sandbox.write("out/a.jsonl", &changed);
    sandbox.refused(
        "dedup in -o out --removed why.csv --work-dir work",
        "output out exists already; name a new or empty folder",
    );
    assert_eq!(sandbox.bytes("out/a.jsonl"), changed);
    // A folder of that name that somebody else has made is not touched.
    fs::rename(sandbox.path("out"), sandbox.path("mine")).unwrap();
    fs::create_dir(sandbox.path("out")).unwrap();
    sandbox.write("out/notes.txt", "do not touch");
    sandbox.refused(
        "dedup in -o out --removed why.csv --work-dir work",
        "output out exists already; name a new or empty folder",
    );
}

#[test]
fn decisions_about_another_corpus_are_never_taken() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "one two three") + &record("b", "four five six"));
    let command = "dedup in.jsonl -o out.jsonl --work-dir work";
    sandbox.succeed(command);
    // As a power failure may leave it.
    sandbox.write("work/reading.checkpoint", "");
    sandbox.write("in.jsonl", record("a", "one two three") + &record("b", "one two  three"));
    sandbox.refused("dedup in.jsonl -o out.jsonl --work-dir work", "...the corpus was ...");
    // The same corpus, read again, is the same.
    let sandbox = pages(60);
    sandbox.succeed("dedup in.jsonl -o out.jsonl --work-dir work");
    let expected = sandbox.bytes("out.jsonl");
    for name in ["reading", "keys-for-keepers", "decisions"] {
        sandbox.write(&format!("work/{name}.checkpoint"), "{");
        sandbox.succeed("dedup in.jsonl -o out.jsonl --work-dir work");
        assert_eq!(sandbox.bytes("out.jsonl"), expected, "{name}");
    }
}

#[test]
fn damaged_work_is_done_again() {
    let sandbox = pages(600);
    sandbox.succeed("dedup in.jsonl -o out.jsonl --work-dir work");
    let expected = sandbox.bytes("out.jsonl");
    for name in ["corpus-elements", "corpus-ids", "decisions.checkpoint", "keys-for-keepers.checkpoint"] {
        let name = format!("work/{name}");
        let mut bytes = sandbox.bytes(&name);
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        sandbox.write(&name, bytes);
        sandbox.succeed("dedup in.jsonl -o out.jsonl --work-dir work");
        assert_eq!(sandbox.bytes("out.jsonl"), expected, "{name}");
    }
}

/// Files of version 0.1.0 as it wrote them: a work folder and a sketch.
#[test]
fn files_of_the_first_version_are_refused_in_a_clear_line() {
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/version-0.1.0");
    let sandbox = Sandbox::with("in.jsonl", record("a", "one two three"));
    for name in ["lookalike.lock", "reading.json", "corpus-elements", "corpus-keys"] {
        sandbox.write(&format!("work/{name}"), fs::read(fixtures.join("work").join(name)).unwrap());
    }
    sandbox.refused(
        "dedup in.jsonl -o out.jsonl --work-dir work",
        "work holds the work of an earlier version of lookalike; name another folder, or delete this one",
    );
    assert!(sandbox.path("work/corpus-keys").exists(), "what is refused is not touched");
    sandbox.write("old.sketch", fs::read(fixtures.join("corpus.sketch")).unwrap());
    sandbox.refuse_all("running/files_of_the_first_version_are_refused_in_a_clear_line");
}

/// Files with tokens of version 1, in which signs that look alike are different: a work folder, snapshots, an index.
#[test]
fn files_with_other_tokens_are_refused_in_a_clear_line() {
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tokens-1");
    let sandbox = Sandbox::with("in.jsonl", fs::read(fixtures.join("in.jsonl")).unwrap());
    for folder in ["work", "idx"] {
        for entry in fs::read_dir(fixtures.join(folder)).unwrap() {
            let entry = entry.unwrap();
            sandbox
                .write(&format!("{folder}/{}", entry.file_name().to_str().unwrap()), fs::read(entry.path()).unwrap());
        }
    }
    for file in ["corpus.sketch", "passages.sketch"] {
        sandbox.write(file, fs::read(fixtures.join(file)).unwrap());
    }
    for command in [
        "pairs corpus.sketch",
        "dedup in.jsonl --against corpus.sketch",
        "sources in.jsonl --against passages.sketch",
        "search --text seven --in idx",
        "index add idx in.jsonl",
        "dedup in.jsonl --against idx",
        "dedup in.jsonl -o out.jsonl --work-dir work",
    ] {
        let words = sandbox.refuse_in_a_line(command);
        // The index is also of an earlier layout.
        let version = if command.contains("idx") { "it has format 2" } else { "version of the tokens" };
        let is_said = words.contains(version)
            && words.contains(if command.contains("--work-dir") {
                "; name another folder, or delete this one"
            } else {
                "; another version of lookalike made it: make it anew"
            });
        assert!(is_said, "{command}: {words}");
    }
}
