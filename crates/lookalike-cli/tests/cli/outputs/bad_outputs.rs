//! Outputs that cannot be written: refused in one clear line, inputs untouched, nothing half-written.

use crate::common::{Sandbox, record, words};

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with("in.jsonl", record("a", &words(0..9)) + &record("b", &words(0..9)));
    sandbox.write("in/a.txt", "x");
    sandbox
}

/// Asserts that a command is refused in a line that contains all of `expected`.
fn assert_refused(sandbox: &Sandbox, arguments: &str, expected: &[&str]) {
    let input = sandbox.read("in.jsonl");
    let words = sandbox.refuse_in_a_line(arguments);
    assert!(expected.iter().all(|part| words.contains(part)), "{arguments}: {words}");
    assert!(!words.contains(".partial"), "{arguments} shows its inner life: {words}");
    assert_eq!(sandbox.read("in.jsonl"), input, "{arguments}");
}

#[test]
fn an_output_is_never_an_input() {
    let sandbox = sandbox();
    sandbox.refuse_all("outputs/an_output_is_never_an_input");
    let absolute = sandbox.path("in.jsonl");
    assert_refused(&sandbox, &format!("dedup in.jsonl -o {}", absolute.display()), &["same file as input"]);
    sandbox.refused("dedup in -o in", "...same...");
}

#[cfg(unix)]
#[test]
fn links_to_an_input_are_that_input() {
    let sandbox = sandbox();
    std::os::unix::fs::symlink("in.jsonl", sandbox.path("link.jsonl")).unwrap();
    std::os::unix::fs::symlink(".", sandbox.path("here")).unwrap();
    sandbox.refuse_all("outputs/links_to_an_input_are_that_input");
    let run = sandbox.run("dedup in.jsonl -o here/in.jsonl");
    assert!(run.code == Some(2) && run.stderr.contains("same file as input in.jsonl"), "{}", run.stderr);
    std::fs::hard_link(sandbox.path("in.jsonl"), sandbox.path("hard.jsonl")).unwrap();
    let input = sandbox.read("in.jsonl");
    sandbox.run("dedup in.jsonl -o hard.jsonl");
    assert_eq!(sandbox.read("in.jsonl"), input, "a hard link is replaced, not written through");
}

#[test]
fn outputs_stay_out_of_indexes() {
    let sandbox = sandbox();
    sandbox.succeed("index create in.idx in.jsonl");
    let search = "search in.jsonl --in in.idx";
    sandbox.refuse_all("outputs/outputs_stay_out_of_indexes");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(sandbox.path("in.idx"), sandbox.path("link")).unwrap();
        assert_refused(&sandbox, &format!("{search} -o link/manifest"), &["lies in the input folder in.idx"]);
    }
    sandbox.says("index verify in.idx", "...every byte is as it was written...");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_leaves_nothing() {
    let sandbox = sandbox();
    sandbox.refuse_all("outputs/a_full_disk_is_an_error_and_leaves_nothing");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_called_so() {
    let sandbox = sandbox();
    for arguments in [
        "dedup in.jsonl -o -",
        "pairs in.jsonl",
        "clusters in.jsonl --format json",
        "checksum in.jsonl",
        "compare in/a.txt in/a.txt",
        "plan",
        "plan --format json",
    ] {
        let full = std::fs::File::create("/dev/full").unwrap();
        let output = sandbox.command(arguments).stdout(full).output().unwrap();
        let words = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {words}");
        let expected = "lookalike: cannot write standard output: No space left on device";
        assert!(words.starts_with(expected) && words.lines().count() == 1, "{arguments}: {words}");
    }
}

/// A limit on the size of files stands for a disk that fills up while a staging file is written.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_finished_leaves_nothing() {
    let content: String = (0..2000).map(|n| record(&n.to_string(), &words(n * 20..n * 20 + 19))).collect();
    let sandbox = Sandbox::with("in.jsonl", content.clone() + &content.replace("{\"id\":\"", "{\"id\":\"copy"));
    for arguments in [
        "dedup in.jsonl -o out.jsonl",
        "dedup in.jsonl -o out.jsonl --removed r.jsonl",
        "dedup in.jsonl -o out.jsonl --annotate",
        "dedup in.jsonl --dry-run --removed r.jsonl",
        "pairs in.jsonl -o out.jsonl",
        "clusters in.jsonl -o out.csv",
    ] {
        let run = sandbox.run_limited("-f 8", arguments);
        assert_eq!((run.code, run.stderr.lines().count()), (Some(2), 1), "{arguments}: {}", run.stderr);
        assert!(run.stderr.contains("cannot write "), "{arguments}: {}", run.stderr);
        assert_eq!(sandbox.names(), ["in.jsonl"], "{arguments}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = sandbox();
    std::fs::create_dir(sandbox.path("locked")).unwrap();
    std::fs::set_permissions(sandbox.path("locked"), std::fs::Permissions::from_mode(0o555)).unwrap();
    if std::fs::write(sandbox.path("locked/probe"), "").is_ok() {
        eprintln!("SKIPPED: this user may write anywhere");
        return;
    }
    sandbox.refuse_all("outputs/a_folder_that_may_not_be_written_is_named");
}

#[test]
fn a_folder_does_not_get_the_name_of_a_file() {
    let sandbox = Sandbox::with("in/a.txt", "one two");
    sandbox.refuse_all("outputs/a_folder_does_not_get_the_name_of_a_file");
    sandbox.succeed("dedup in -o out.v2");
    sandbox.writes("dedup in -o out.zip/", "out.zip/a.txt", "one two");
}

/// The file beside the rows is an output like others.
#[test]
fn what_rows_depend_on_replaces_no_input_and_no_output() {
    let sandbox = Sandbox::with("x.csv.about.json", record("a", "one two three") + &record("b", "one two three"));
    let before = sandbox.read("x.csv.about.json");
    sandbox
        .refused("pairs x.csv.about.json -o x.csv --about", "...output x.csv.about.json is the same file as input...");
    sandbox.write("in.jsonl", &before);
    sandbox.refuse_all("outputs/what_rows_depend_on_replaces_no_input_and_no_output");
    assert_eq!(sandbox.names(), ["in.jsonl", "x.csv.about.json"]);
    assert_eq!(sandbox.read("x.csv.about.json"), before);
}

#[test]
fn no_file_is_replaced_where_none_may_be() {
    let sandbox = sandbox();
    sandbox.write("old.jsonl", "old");
    sandbox.write("pairs.csv", "a,b,similarity\n");
    sandbox.refuse_all("outputs/no_file_is_replaced_where_none_may_be");
    sandbox.write("old.snapshot", "old");
    sandbox.refused("snapshot in.jsonl -o old.snapshot --no-clobber", "...old.snapshot exists already...");
    sandbox.succeed("dedup in.jsonl -o new.jsonl --no-clobber");
    sandbox.write("old.jsonl", "old and longer than the new content of this file: it is replaced\n".repeat(9));
    sandbox.writes("dedup in.jsonl -o old.jsonl", "old.jsonl", &record("a", &words(0..9)));
}
