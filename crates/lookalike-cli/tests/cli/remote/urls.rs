//! Inputs and outputs in stores, all of them on this machine.

use super::store::Store;
use crate::common::{Removed, Sandbox, chain, interrupt, record, rows, words};

#[test]
fn files_behind_http_are_read_as_files_are() {
    let store = Store::with(&[("site/in.jsonl", chain().as_bytes()), ("site/page.html", b"<p>one two")]);
    let sandbox = Sandbox::with("in.jsonl", chain());
    sandbox.succeed("dedup in.jsonl -o here.jsonl");
    store.succeed(&sandbox, &format!("dedup {}/site/in.jsonl -o out.jsonl --temp-dir tmp", store.address));
    assert_eq!(sandbox.read("out.jsonl"), sandbox.read("here.jsonl"));
    let run = store.succeed(&sandbox, &format!("dedup {0}/site/in.jsonl {0}/site/page.html -o out", store.address));
    assert!(run.stderr.contains(&format!("{}/site/in.jsonl", store.address)), "{}", run.stderr);
    assert_eq!(sandbox.read("out/page.html"), "<p>one two");
}

#[test]
fn objects_are_read_from_a_store_and_written_to_it() {
    let store = Store::with(&[("corpus/a b/in?.jsonl", chain().as_bytes())]);
    let sandbox = Sandbox::with("in.jsonl", chain());
    sandbox.succeed("dedup in.jsonl -o here.jsonl");
    let mut command = store.command(&sandbox, "dedup -o s3://corpus/new/out.jsonl --removed s3://corpus/new/why.jsonl");
    let run = command.args(["--summary", "s3://corpus/new/s.json", "s3://corpus/a b/in?.jsonl"]).output().unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(store.text("corpus/new/out.jsonl"), sandbox.read("here.jsonl"));
    assert_eq!(rows::<Removed>(&store.text("corpus/new/why.jsonl"))[0].id, "b");
    assert!(store.text("corpus/new/s.json").contains("\"source\":\"s3://corpus/a b/in?.jsonl\""));
    store.succeed(&sandbox, "pairs s3://corpus/new/out.jsonl -o s3://corpus/new/pairs.csv");
    assert_eq!(store.text("corpus/new/pairs.csv"), "a,b,similarity,reason\n");
}

/// Objects of a folder, among them what object stores show for folders and what is hidden.
fn folder() -> Store {
    let a = record("a", &words(0..30));
    let b = record("b", &words(0..30));
    let text = words(40..70);
    Store::with(&[
        ("corpus/news/", b""),
        ("corpus/news/.hidden.jsonl", b"oops"),
        ("corpus/news/2024/a.jsonl", a.as_bytes()),
        ("corpus/news/2025", b""),
        ("corpus/news/2025/b.jsonl", b.as_bytes()),
        ("corpus/news/2025/c.txt", text.as_bytes()),
        ("corpus/newspapers.jsonl", b"oops"),
    ])
}

#[test]
fn folders_in_stores_are_searched_and_written() {
    for input in ["s3://corpus/news/", "s3://corpus/news"] {
        let store = folder();
        let sandbox = Sandbox::new();
        let run = store.succeed(&sandbox, &format!("dedup {input} -o s3://clean/news"));
        assert!(run.stderr.contains("1 hidden file not read"), "{}", run.stderr);
        let names: Vec<String> = store.names().into_iter().filter(|name| name.starts_with("clean/")).collect();
        assert_eq!(names, ["clean/news/2024/a.jsonl", "clean/news/2025/b.jsonl", "clean/news/2025/c.txt"]);
        assert_eq!(store.text("clean/news/2024/a.jsonl"), record("a", &words(0..30)));
        assert_eq!(store.text("clean/news/2025/b.jsonl"), "");
        assert_eq!(store.text("clean/news/2025/c.txt"), words(40..70));
    }
}

#[test]
fn patterns_of_keys_fit_within_a_folder() {
    let store = folder();
    let sandbox = Sandbox::new();
    store.succeed(&sandbox, "dedup s3://corpus/news/*/*.jsonl -o out");
    assert_eq!(sandbox.names(), ["out/2024/a.jsonl", "out/2025/b.jsonl", "tmp/"]);
    store.refused(
        &sandbox,
        "dedup s3://corpus/*.csv -o none",
        "no file fits the pattern s3://corpus/*.csv; `*` stays within a folder, `**` goes into all below",
    );
}

#[test]
fn references_may_be_in_a_store() {
    let store = Store::with(&[("corpus/test.jsonl", record("t", &words(0..30)).as_bytes())]);
    let sandbox = Sandbox::with("in.jsonl", record("a", &words(0..30)) + &record("b", &words(50..90)));
    store.succeed(&sandbox, "dedup in.jsonl --against s3://corpus/test.jsonl -o out.jsonl");
    assert_eq!(sandbox.read("out.jsonl"), record("b", &words(50..90)));
}

#[test]
fn what_is_missing_or_cannot_be_listed_is_named_in_a_line() {
    let store = folder();
    let sandbox = Sandbox::new();
    let at = &store.address;
    for (input, expected) in [
        ("s3://corpus/none.jsonl".to_owned(), "cannot read s3://corpus/none.jsonl: 404 Not Found".to_owned()),
        (
            "s3://corpus/none/".to_owned(),
            "folder s3://corpus/none/ holds no documents; hidden files and links in folders are not read".to_owned(),
        ),
        (
            format!("{at}/x/none.jsonl"),
            format!("cannot read {at}/x/none.jsonl: NoSuchKey: The specified key does not exist."),
        ),
        (
            format!("{at}/x/"),
            format!("cannot use {at}/x/: a folder or pattern behind http(s) cannot be listed; name its files"),
        ),
        (format!("{at}/x.jsonl?sig=sesame"), format!("cannot use {at}/x.jsonl: a URL with a query is not taken")),
    ] {
        store.refused(&sandbox, &format!("dedup {input} -o out.jsonl --removed r.csv"), &expected);
    }
}

#[test]
fn a_file_that_ends_too_early_is_never_taken_for_the_whole() {
    let store = Store::with(&[("site/cut.jsonl", chain().as_bytes()), ("site/once.jsonl", chain().as_bytes())]);
    let sandbox = Sandbox::with("in.jsonl", chain());
    let url = format!("{}/site/cut.jsonl", store.address);
    store.refused(&sandbox, &format!("dedup {url} -o out.jsonl --on-error skip"), &format!("cannot read {url}: ..."));
    // By its tag the store knows it again, and gives the rest.
    sandbox.succeed("dedup in.jsonl -o here.jsonl");
    store.succeed(&sandbox, "dedup s3://site/once.jsonl -o out.jsonl");
    assert_eq!(sandbox.read("out.jsonl"), sandbox.read("here.jsonl"));
}

#[test]
fn large_outputs_go_in_parts() {
    let content: String = (0..3).map(|id| record(&id.to_string(), &format!("{id} word ").repeat(700_000))).collect();
    let store = Store::with(&[]);
    let sandbox = Sandbox::with("in.jsonl", &content);
    store.succeed(&sandbox, "dedup in.jsonl -o s3://corpus/out.jsonl");
    assert!(store.text("corpus/out.jsonl") == content);
    assert_eq!(store.uploads(), (1, 0));
    store.refused(
        &sandbox,
        "dedup in.jsonl -o s3://corpus/denied.jsonl --removed s3://corpus/r.jsonl",
        "cannot write s3://corpus/denied.jsonl: AccessDenied: Access Denied",
    );
    assert_eq!(store.uploads(), (2, 0), "the parts were taken back");
}

#[test]
fn an_upload_that_fails_keeps_the_local_outputs_away() {
    let store = Store::with(&[]);
    let sandbox = Sandbox::with("in.jsonl", chain());
    store.refused(
        &sandbox,
        "dedup in.jsonl -o out.jsonl --removed s3://corpus/denied.csv --summary s.json",
        "cannot write s3://corpus/denied.csv: AccessDenied: Access Denied",
    );
    store.refused(
        &sandbox,
        "dedup in.jsonl -o out.jsonl --removed s3://corpus/",
        "output s3://corpus/ is a folder; name a file",
    );
}

#[test]
fn outputs_in_stores_keep_off_the_inputs_and_off_what_is_there() {
    let store = folder();
    let sandbox = Sandbox::new();
    let at = &store.address;
    let input = "dedup s3://corpus/news/2024/a.jsonl";
    for (arguments, expected) in [
        (format!("{input} -o s3://corpus/news/2024/a.jsonl"), "is the same file as input"),
        ("dedup s3://corpus/news -o s3://corpus/news/out".to_owned(), "lies in the input folder s3://corpus/news"),
        ("dedup s3://corpus/news/*/a.jsonl -o s3://corpus/news/2023/a.jsonl".to_owned(), "lies in the input"),
        (format!("{input} -o out.jsonl --removed s3://corpus/x.txt"), ".jsonl, .csv, .tsv, .parquet and .arrow"),
        ("dedup s3://corpus/news -o s3://corpus/news/2025".to_owned(), "lies in the input folder"),
        ("dedup s3://corpus/news/2024/ -o s3://corpus/news/2025".to_owned(), "exists already"),
        (format!("{input} -o {at}/x.jsonl"), "outputs go to s3://, gs:// or az://"),
    ] {
        store.refused(&sandbox, &arguments, &format!("...{expected}..."));
    }
}

#[cfg(unix)]
#[test]
fn a_transfer_can_be_interrupted() {
    let store = Store::with(&[("site/slow.jsonl", chain().repeat(1000).as_bytes())]);
    let sandbox = Sandbox::new();
    let mut command = store.command(&sandbox, &format!("dedup {}/site/slow.jsonl -o out.jsonl", store.address));
    let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    store.wait_for_slow();
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(sandbox.names(), ["tmp/"], "no copy is left");
}

#[test]
fn what_has_appeared_when_an_upload_fails_is_told() {
    let store = Store::with(&[]);
    let sandbox = Sandbox::with("a.jsonl", record("a", "x y z"));
    sandbox.write("denied.jsonl", record("b", "u v w"));
    let run = store.run(&sandbox, "dedup a.jsonl denied.jsonl -o s3://clean/new --removed why.csv");
    let reason = "cannot write s3://clean/new/denied.jsonl: AccessDenied: Access Denied";
    let told = format!("lookalike: {reason}; written already: 1 of 2 objects of this output\n");
    assert_eq!((run.code, run.stderr), (Some(2), told));
    assert_eq!((store.names(), sandbox.path("why.csv").exists()), (vec!["clean/new/a.jsonl".to_owned()], false));
}
