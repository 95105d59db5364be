//! Records that cannot be used: named with file, line and reason; the job stops before any output, or leaves them out.

use crate::common::{Sandbox, record, words};

/// A good record, the bad line (the second), another good one.
fn with_bad(bad: &[u8]) -> Sandbox {
    let first = record("g1", &words(0..9));
    let last = record("g2", &words(10..19));
    Sandbox::with("in.jsonl", [first.as_bytes(), bad, b"\n", last.as_bytes()].concat())
}

/// Asserts what `--on-error` promises for a bad second line, for a reason that contains `reason`.
fn assert_is_bad(bad: &[u8], reason: &str) {
    let shown = String::from_utf8_lossy(&bad[..bad.len().min(60)]).into_owned();
    let sandbox = with_bad(bad);
    let line = sandbox.refuse_in_a_line("dedup in.jsonl -o out.jsonl --removed r.csv --summary s.json");
    assert!(line.starts_with("in.jsonl:2: ") && line.contains(reason), "{shown}: {line}");
    assert!(line.len() < 500, "{shown}: the message is too long to read");

    let run = sandbox.succeed("dedup in.jsonl -o out.jsonl --on-error skip");
    assert_eq!(sandbox.names(), ["in.jsonl", "out.jsonl"], "{shown}");
    assert_eq!(sandbox.read("out.jsonl"), record("g1", &words(0..9)) + &record("g2", &words(10..19)), "{shown}");
    let named: Vec<&str> = run.stderr.lines().filter(|said| said.contains("in.jsonl:2: ")).collect();
    assert!(named.len() == 1 && named[0].contains(reason), "{shown}: {}", run.stderr);
    assert!(run.stderr.contains("\n1 bad record left out\n"), "{shown}: {}", run.stderr);
}

#[test]
fn bad_records_are_named_with_their_reason_and_left_out_on_request() {
    for (bad, reason) in [
        ("oops", "not JSON: "),
        ("\0", "not JSON: expected value at column 1"),
        ("{'id':1}", "not JSON: "),
        (r#"{"text":"x",}"#, "not JSON: "),
        (r#"{"text":"x"} {}"#, "not JSON: "),
        (r#"{"text":"x""#, "not JSON: EOF while parsing an object at column 11"),
        (r#"{"text":"\x"}"#, "not JSON: "),
        ("{\"text\":\"a\u{1}b\"}", "control character"),
        ("{\"text\":\"a\0b\"}", "control character (\\u0000-\\u001F) found while parsing a string at column 10"),
        ("{\"text\":\"a\tb\"}", "control character"),
        (r#"{"text":"\ud800"}"#, "not JSON: Invalid surrogate Unicode code point at column 15"),
        ("{\0}\0", "not JSON: key must be a string at column 2"),
        ("[1]", "not a JSON object"),
        ("\"text\"", "not a JSON object"),
        ("17", "not a JSON object"),
        ("null", "not a JSON object"),
        (r#"{"id":"x"}"#, "no field `text`"),
        (r#"{"id":"x","Text":"x"}"#, "no field `text`"),
        (r#"{"id":"x","text":7}"#, "field `text` is a number, expected a string"),
        (r#"{"id":"x","text":null}"#, "field `text` is null, expected a string"),
        (r#"{"id":"x","text":true}"#, "field `text` is a boolean, expected a string"),
        (r#"{"id":"x","text":[]}"#, "field `text` is an array, expected a string"),
        (r#"{"id":"x","text":{}}"#, "field `text` is an object, expected a string"),
        (r#"{"id":true,"text":"x"}"#, "field `id` is a boolean, expected a string or a number"),
        (r#"{"id":[1],"text":"x"}"#, "field `id` is an array, expected a string or a number"),
        (r#"{"id":{"a":1},"text":"x"}"#, "field `id` is an object, expected a string or a number"),
    ] {
        assert_is_bad(bad.as_bytes(), reason);
    }
    // Fields that are not looked at must be JSON, too.
    for bad in ["01", "tru", "[1,]", "[}]", "NaN", "1e", "\"\\q\"", "\"\t\""] {
        assert_is_bad(format!("{{\"text\":\"x\",\"other\":{bad}}}").as_bytes(), "not JSON: ");
    }
    assert_is_bad(b"{\"text\":\"caf\xE9\"}", "not UTF-8 (byte 13 of the record)");
    assert_is_bad(b"{\"text\":\"x\",\"other\":\"\xED\xA0\x80\"}", "not UTF-8");
    let nested = |layers| ["[".repeat(layers), "]".repeat(layers)];
    let [open, close] = nested(500);
    let reason = "not JSON: Encountered nesting of JSON maps and arrays more than 128 layers deep at column 270";
    assert_is_bad(format!("{{\"text\":\"x\",\"y\":{open}{close}}}").as_bytes(), reason);
    let [open, close] = nested(100_000);
    for bad in [
        open.clone(),
        format!("{{\"text\":{open}"),
        format!("{{\"text\":{open}{close}}}"),
        format!("{{\"id\":{open}{close},\"text\":\"x\"}}"),
    ] {
        assert_is_bad(bad.as_bytes(), "");
    }
}

#[test]
fn keys_with_control_characters_cannot_spoil_the_message() {
    let sandbox = Sandbox::with("in.jsonl", [record("a\nb\u{1b}[31m", "x"), record("a\nb\u{1b}[31m", "y")].concat());
    let words = sandbox.refuse_in_a_line("dedup in.jsonl -o out.jsonl --unique-ids");
    assert!(!words.contains('\u{1b}'), "{words:?}");
    let copies = Sandbox::with("in.jsonl", [record("a\nb\u{1b}[31m", "x"), record("c", "x")].concat());
    let report = copies.succeed("dedup in.jsonl -o out.jsonl").stderr;
    assert!(!report.contains('\u{1b}') && !report.contains("a\nb"), "{report:?}");
}

#[test]
fn endless_ids_are_cut_in_messages() {
    let sandbox = Sandbox::with("in.jsonl", record(&"k".repeat(100_000), "x").repeat(2));
    let words = sandbox.refuse_in_a_line("dedup in.jsonl -o out.jsonl --unique-ids");
    assert!(words.len() < 1000, "{} bytes", words.len());
    let words = sandbox.succeed("dedup in.jsonl -o out.jsonl").stderr;
    assert!(words.contains("1 id occurs again") && words.len() < 1000, "{} bytes", words.len());
}

#[test]
fn reasons_give_the_column_and_not_a_second_line_number() {
    for bad in ["{\"text\":\"\\ud800\"}", "{\"text\":oops}", "oops", "{\"text\":\"x\""] {
        let words = with_bad(bad.as_bytes()).refuse_in_a_line("dedup in.jsonl -o out.jsonl");
        assert!(words.contains(" column ") && !words.contains("line 1"), "{words}");
    }
}

#[test]
fn a_last_line_that_was_cut_off() {
    let sandbox = Sandbox::with("in.jsonl", record("g1", "x") + "{\"id\":\"cut\",\"text\":\"abc");
    sandbox.refused("dedup in.jsonl -o out.jsonl", "in.jsonl:2: not JSON: EOF...");
    sandbox.writes("dedup in.jsonl -o out.jsonl --on-error skip", "out.jsonl", &record("g1", "x"));
}

#[test]
fn very_deep_nesting_in_other_fields_is_no_crash() {
    let arrays = ["[".repeat(100_000), "]".repeat(100_000)].concat();
    let objects = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    for other in [arrays, objects] {
        let sandbox = with_bad(format!("{{\"id\":\"x\",\"text\":\"x\",\"other\":{other}}}").as_bytes());
        let run = sandbox.run("dedup in.jsonl -o out.jsonl --on-error skip");
        assert!(matches!(run.code, Some(0)), "{run:?}");
        assert!(sandbox.read("out.jsonl").lines().count() >= 2);
    }
}

#[test]
fn a_line_of_twenty_megabytes_is_a_line_as_any_other() {
    let sandbox = with_bad(record("big", &"word ".repeat(4_000_000)).trim_end().as_bytes());
    sandbox.writes("dedup in.jsonl -o out.jsonl", "out.jsonl", &sandbox.read("in.jsonl"));
    assert_is_bad(&b"x".repeat(20_000_000), "not JSON: ");
}

#[test]
fn each_bad_record_is_named_once_and_counted() {
    let sandbox = Sandbox::with("in.jsonl", format!("oops\n{}\n{{}}\n{{\"text\":7}}\n", record("a", "x")));
    let run = sandbox.run("pairs in.jsonl --on-error skip -o out.csv");
    assert_eq!((run.code, sandbox.read("out.csv").as_str()), (Some(0), "a,b,similarity,reason\n"));
    let named: Vec<&str> = run.stderr.lines().filter(|line| line.contains("left out in.jsonl:")).collect();
    assert_eq!(named.len(), 3, "{}", run.stderr);
    for (line, place) in named.iter().zip(["in.jsonl:1:", "in.jsonl:4:", "in.jsonl:5:"]) {
        assert!(line.contains(place), "{}", run.stderr);
    }
    assert!(run.stderr.contains("3 bad records left out"), "{}", run.stderr);
}

#[test]
fn bad_records_that_are_left_out_as_asked_do_not_change_the_exit_status() {
    let sandbox = Sandbox::with("in.jsonl", ["oops\n", &record("a", "x"), &record("b", "x")].concat());
    for command in
        ["dedup in.jsonl", "pairs in.jsonl", "clusters in.jsonl", "checksum in.jsonl", "snapshot in.jsonl -o s"]
    {
        sandbox.says(&format!("{command} --on-error skip"), "...left out in.jsonl:1: ...1 bad record left out...");
    }
    assert_eq!(sandbox.run("dedup in.jsonl --on-error skip --fail-if-found").code, Some(1));
    assert_eq!(sandbox.run("clusters in.jsonl --on-error skip --fail-if-found").code, Some(1));
}

#[test]
fn text_files_that_are_no_utf8_are_named() {
    let sandbox = Sandbox::with("in/a.txt", "x");
    sandbox.write("in/deep/b.txt", b"caf\xE9");
    sandbox.refused("dedup in -o out", "in/deep/b.txt: not UTF-8...");
    sandbox.succeed("dedup in -o out --on-error skip");
    // What is no text is copied as it is.
    assert_eq!(sandbox.names(), ["in/a.txt", "in/deep/b.txt", "out/a.txt", "out/deep/b.txt"]);
    assert_eq!(std::fs::read(sandbox.path("out/deep/b.txt")).unwrap(), b"caf\xE9");
}

#[test]
fn records_that_have_the_field_of_the_annotation() {
    let sandbox = with_bad(br#"{"text":"x","lookalike":{}}"#);
    sandbox.refused("dedup in.jsonl -o out.jsonl --annotate", "in.jsonl:2: has a field `lookalike` already...");
    sandbox.succeed("dedup in.jsonl -o out.jsonl");
}

#[test]
fn ids_that_occur_again_are_qualified_and_no_record_is_lost() {
    let sandbox = Sandbox::new();
    let unlike = |number: usize| words(number * 40..number * 40 + 30);
    sandbox.write("a.jsonl", record("7", &unlike(0)) + &record("8", &unlike(1)));
    sandbox.write("x/b.jsonl", record("7", &unlike(2)) + &record("7", &unlike(0)) + &record("7@b.jsonl", &unlike(3)));
    let run = sandbox.says(
        "dedup a.jsonl x/../x/b.jsonl -o out --removed r.csv --summary s.json",
        "5 documents: 4 kept, 1 removed (1 identical, 0 equal, 0 near)...",
    );
    let note = "note: 3 ids occur again; the first, 7 of a.jsonl:1, is called 7@b.jsonl at x/../x/b.jsonl:1 \
                (--unique-ids refuses this)";
    assert_eq!(run.stderr.lines().filter(|line| line.contains("occur again")).collect::<Vec<_>>(), [note]);
    assert_eq!(sandbox.read("r.csv"), "id,kept,similarity,reason\n7@b.jsonl:2,7,1.0,identical\n");
    assert_eq!(sandbox.read("out/b.jsonl").lines().count(), 2);
    let summary = sandbox.json("s.json");
    assert_eq!((&summary["repeated_ids"]["count"], &summary["repeated_ids"]["first"]["id"]), (&3.into(), &"7".into()));
    // Everything that reads the same inputs knows the names.
    let pairs = sandbox.succeed("pairs a.jsonl x/b.jsonl").stdout;
    assert_eq!(pairs, "{\"a\":\"7\",\"b\":\"7@b.jsonl:2\",\"similarity\":1.0,\"reason\":\"identical\"}\n");
    sandbox.write("p.jsonl", pairs);
    let again = "recluster p.jsonl --threshold 0.9 --documents a.jsonl x/b.jsonl --removed again.csv";
    sandbox.writes(again, "again.csv", &sandbox.read("r.csv"));
    sandbox.answers("compare a.jsonl:7 x/b.jsonl:7@b.jsonl:2", "...1.0000...");
    sandbox.answers("checksum a.jsonl x/b.jsonl", "...\"7@b.jsonl:2\"...");
    sandbox.refused(
        "dedup a.jsonl x/b.jsonl -o other --unique-ids --on-error skip",
        "x/b.jsonl:1: id `7` was used at a.jsonl:1 already; without --unique-ids such ids are qualified by file and \
         line",
    );
}

#[test]
fn ids_from_file_and_line_do_not_depend_on_how_the_path_is_typed() {
    let sandbox = Sandbox::new();
    let line = format!("{{\"text\":\"{}\"}}\n", words(0..30));
    sandbox.write("x/a.jsonl", line.repeat(2));
    sandbox.write("y/a.jsonl", &line);
    let whole = sandbox.path("x/a.jsonl").display().to_string();
    for typed in ["x/a.jsonl", "./x/../x/a.jsonl", &whole, "x"] {
        let pairs = sandbox.succeed(&format!("pairs {typed} --format csv")).stdout;
        assert_eq!(pairs, "a,b,similarity,reason\na.jsonl:1,a.jsonl:2,1.0,identical\n", "{typed}");
    }
    let removed = sandbox.succeed("dedup x/a.jsonl ./y/a.jsonl --removed -").stdout;
    let ids: Vec<_> = removed.lines().map(|row| row.split('"').nth(3).unwrap()).collect();
    assert_eq!(ids, ["x/a.jsonl:2", "y/a.jsonl:1"]);
}

#[test]
fn an_id_field_that_no_record_has_is_an_error() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "one two") + &record("b", "one two"));
    sandbox.write("in.csv", "id,text\na,one two\n");
    sandbox.refuse_all("inputs/an_id_field_that_no_record_has_is_an_error");
    sandbox.succeed("dedup in.jsonl --id-field id");
    // One record that has it is enough, and the default may be absent.
    sandbox.write("mixed.jsonl", record("a", "x") + "{\"key\":\"k\",\"text\":\"y\"}\n");
    sandbox.succeed("dedup mixed.jsonl --id-field key");
    sandbox.write("bare.jsonl", "{\"text\":\"x\"}\n");
    sandbox.succeed("dedup bare.jsonl --summary s.json");
    let summary = sandbox.json("s.json");
    assert_eq!(summary["documents_without_id"], 1);
}

#[test]
fn a_file_without_the_text_column_is_left_out_as_asked() {
    let sandbox = Sandbox::with("a.jsonl", record("a", &words(0..20)));
    sandbox.write("b.jsonl", "{\"id\":\"b\",\"body\":\"x\"}\n");
    sandbox.write("in/broken.parquet", "PAR1 and no more");
    sandbox.succeed("dedup a.jsonl -o in/a.parquet");
    sandbox.succeed("dedup b.jsonl --text-field body -o in/b.parquet");
    sandbox.write("in/c.csv", format!("id,text\nc,{}\n", words(40..60)));
    sandbox.write("in/d.csv", "id,body\nd,x\n");
    sandbox.refused("dedup in -o out", "in/b.parquet has no column `text`...");
    let run = sandbox
        .says("dedup in -o out --on-error skip --removed r.csv", "...2 documents: 2 kept...3 bad records left out...");
    for name in ["b.parquet", "broken.parquet", "d.csv"] {
        assert!(run.stderr.contains(&format!("left out in/{name}: left out as a whole: ")), "{name}: {}", run.stderr);
    }
    let written = sandbox.names_in("out/");
    // What holds no documents is copied as it is.
    let all = ["a.parquet", "b.parquet", "broken.parquet", "c.csv", "d.csv"].map(|name| format!("out/{name}"));
    assert_eq!(written, all);
    sandbox.succeed("dedup in -o all.csv --on-error skip");
    assert_eq!(sandbox.read("all.csv").lines().count(), 3);
    std::fs::remove_file(sandbox.path("in/a.parquet")).unwrap();
    std::fs::remove_file(sandbox.path("in/c.csv")).unwrap();
    sandbox.refused("dedup in -o none.parquet --on-error skip", "...has no column `text`...");
    // A single file is not left out: nothing would be left.
    sandbox.refused("dedup in/b.parquet --on-error skip", "...has no column `text`...");
}

#[test]
fn a_file_of_bad_records_is_left_out_as_a_whole() {
    let sandbox = Sandbox::with("be/a.jsonl", "{\"k\":1}\n{\"k\":2}\n");
    sandbox.write("be/b.txt", "a text of its own");
    sandbox.write("be/empty.jsonl", "");
    for (flags, to) in [("-o one", "one"), ("-o two --left-out rest", "rest")] {
        sandbox.says(&format!("dedup be {flags} --on-error skip"), "...1 document: 1 kept...");
        assert_eq!(sandbox.read(&format!("{to}/a.jsonl")), sandbox.read("be/a.jsonl"), "{flags}");
    }
    assert!(!sandbox.path("two/a.jsonl").exists() && sandbox.path("two/empty.jsonl").exists());
    // A field that is named makes records of what is no document.
    sandbox.write("be/package.json", "{\"name\": \"x\"}");
    sandbox.succeed("dedup be -o three --on-error skip --text-field text");
    assert_eq!(sandbox.read("three/package.json"), sandbox.read("be/package.json"));
}
