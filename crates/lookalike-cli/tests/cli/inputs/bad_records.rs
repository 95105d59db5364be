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
    let words = sandbox.refuse_in_a_line("dedup in.jsonl -o out.jsonl --removed r.csv --summary s.json");
    assert!(words.starts_with("in.jsonl:2: ") && words.contains(reason), "{shown}: {words}");
    assert!(words.len() < 500, "{shown}: the message is too long to read");

    let run = sandbox.succeed("dedup in.jsonl -o out.jsonl --on-error skip");
    assert_eq!(sandbox.names(), ["in.jsonl", "out.jsonl"], "{shown}");
    assert_eq!(sandbox.read("out.jsonl"), record("g1", &words_of(0)) + &record("g2", &words_of(10)), "{shown}");
    let named: Vec<&str> = run.stderr.lines().filter(|line| line.contains("in.jsonl:2: ")).collect();
    assert!(named.len() == 1 && named[0].contains(reason), "{shown}: {}", run.stderr);
    assert!(run.stderr.contains("\n1 bad record left out\n"), "{shown}: {}", run.stderr);
}

fn words_of(start: usize) -> String {
    words(start..start + 9)
}

#[test]
fn lines_that_are_no_json() {
    for bad in ["oops", "{'id':1}", "{\"text\":\"x\",}", "{\"text\":\"x\"} {}", "{\"text\":\"x\"", "{\"text\":\"\\x\"}"]
    {
        assert_is_bad(bad.as_bytes(), "not JSON: ");
    }
}

#[test]
fn fields_that_are_not_looked_at_must_be_json_too() {
    for bad in ["01", "tru", "[1,]", "[}]", "NaN", "1e", "\"\\q\"", "\"\t\""] {
        assert_is_bad(format!("{{\"text\":\"x\",\"other\":{bad}}}").as_bytes(), "not JSON: ");
    }
}

#[test]
fn json_that_is_no_object() {
    for bad in ["[1]", "\"text\"", "17", "null"] {
        assert_is_bad(bad.as_bytes(), "not a JSON object");
    }
}

#[test]
fn texts_that_are_missing_or_no_strings() {
    assert_is_bad(br#"{"id":"x"}"#, "no field `text`");
    assert_is_bad(br#"{"id":"x","Text":"x"}"#, "no field `text`");
    for (bad, kind) in
        [("7", "a number"), ("null", "null"), ("true", "a boolean"), ("[]", "an array"), ("{}", "an object")]
    {
        let reason = format!("field `text` is {kind}, expected a string");
        assert_is_bad(format!("{{\"id\":\"x\",\"text\":{bad}}}").as_bytes(), &reason);
    }
}

#[test]
fn ids_of_a_wrong_kind() {
    for (bad, kind) in [("true", "a boolean"), ("[1]", "an array"), ("{\"a\":1}", "an object")] {
        let reason = format!("field `id` is {kind}, expected a string or a number");
        assert_is_bad(format!("{{\"id\":{bad},\"text\":\"x\"}}").as_bytes(), &reason);
    }
}

#[test]
fn ids_that_were_used_before_and_are_to_be_unique() {
    let sandbox = Sandbox::with("a.jsonl", record("k", "x"));
    sandbox.write("b.jsonl", "\n{\"id\":\"k\",\"text\":\"y\"}\n");
    let words = sandbox.refuse_in_a_line("dedup a.jsonl b.jsonl -o out --unique-ids");
    assert!(words.starts_with("b.jsonl:2: id `k` was used at a.jsonl:1 already"), "{words}");
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
fn bytes_that_are_no_utf8() {
    assert_is_bad(b"{\"text\":\"caf\xE9\"}", "not UTF-8 (byte 13 of the record)");
    assert_is_bad(b"{\"text\":\"x\",\"other\":\"\xED\xA0\x80\"}", "not UTF-8");
}

#[test]
fn control_characters_and_lone_surrogates() {
    for bad in ["\u{1}", "\0", "\t"] {
        assert_is_bad(format!("{{\"text\":\"a{bad}b\"}}").as_bytes(), "control character");
    }
    assert_is_bad(br#"{"text":"\ud800"}"#, "urrogate");
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
    let words = sandbox.refuse_in_a_line("dedup in.jsonl -o out.jsonl");
    assert!(words.starts_with("in.jsonl:2: not JSON: EOF"), "{words}");
    sandbox.succeed("dedup in.jsonl -o out.jsonl --on-error skip");
    assert_eq!(sandbox.read("out.jsonl"), record("g1", "x"));
}

#[test]
fn very_deep_nesting_is_an_error_and_no_crash() {
    let open = "[".repeat(100_000);
    let close = "]".repeat(100_000);
    for bad in [open.clone(), format!("{{\"text\":{open}"), format!("{{\"text\":{open}{close}}}")] {
        assert_is_bad(bad.as_bytes(), "");
    }
    assert_is_bad(format!("{{\"id\":{open}{close},\"text\":\"x\"}}").as_bytes(), "");
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
    sandbox.succeed("dedup in.jsonl -o out.jsonl");
    assert_eq!(sandbox.read("out.jsonl"), sandbox.read("in.jsonl"));
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
        let run = sandbox.succeed(&format!("{command} --on-error skip"));
        assert!(
            run.stderr.contains("left out in.jsonl:1: ") && run.stderr.contains("1 bad record left out"),
            "{run:?}"
        );
    }
    assert_eq!(sandbox.run("dedup in.jsonl --on-error skip --fail-if-found").code, Some(1));
    assert_eq!(sandbox.run("clusters in.jsonl --on-error skip --fail-if-found").code, Some(1));
}

#[test]
fn text_files_that_are_no_utf8_are_named() {
    let sandbox = Sandbox::with("in/a.txt", "x");
    sandbox.write("in/deep/b.txt", b"caf\xE9");
    let words = sandbox.refuse_in_a_line("dedup in -o out");
    assert!(words.starts_with("in/deep/b.txt: not UTF-8"), "{words}");
    sandbox.succeed("dedup in -o out --on-error skip");
    // What is no text is copied as it is.
    assert_eq!(sandbox.names(), ["in/a.txt", "in/deep/b.txt", "out/a.txt", "out/deep/b.txt"]);
    assert_eq!(std::fs::read(sandbox.path("out/deep/b.txt")).unwrap(), b"caf\xE9");
}

#[test]
fn records_that_have_the_field_of_the_annotation() {
    let sandbox = with_bad(br#"{"text":"x","lookalike":{}}"#);
    let words = sandbox.refuse_in_a_line("dedup in.jsonl -o out.jsonl --annotate");
    assert!(words.starts_with("in.jsonl:2: has a field `lookalike` already"), "{words}");
    sandbox.succeed("dedup in.jsonl -o out.jsonl");
}

#[test]
fn ids_that_occur_again_are_qualified_and_no_record_is_lost() {
    let sandbox = Sandbox::new();
    let unlike = |number: usize| words(number * 40..number * 40 + 30);
    sandbox.write("a.jsonl", record("7", &unlike(0)) + &record("8", &unlike(1)));
    sandbox.write("x/b.jsonl", record("7", &unlike(2)) + &record("7", &unlike(0)) + &record("7@b.jsonl", &unlike(3)));
    let run = sandbox.succeed("dedup a.jsonl x/../x/b.jsonl -o out --removed r.csv --summary s.json");
    assert!(run.stderr.starts_with("5 documents: 4 kept, 1 removed (1 identical, 0 equal, 0 near)"), "{}", run.stderr);
    let note = "note: 3 ids occur again; the first, 7 of a.jsonl:1, is called 7@b.jsonl at x/../x/b.jsonl:1 \
                (--unique-ids refuses this)";
    assert_eq!(run.stderr.lines().filter(|line| line.contains("occur again")).collect::<Vec<_>>(), [note]);
    assert_eq!(sandbox.read("r.csv"), "id,kept,similarity,reason\n7@b.jsonl:2,7,1.0,identical\n");
    assert_eq!(sandbox.read("out/b.jsonl").lines().count(), 2);
    let summary: serde_json::Value = serde_json::from_str(&sandbox.read("s.json")).unwrap();
    assert_eq!((&summary["repeated_ids"]["count"], &summary["repeated_ids"]["first"]["id"]), (&3.into(), &"7".into()));
    // Everything that reads the same inputs knows the names.
    let pairs = sandbox.succeed("pairs a.jsonl x/b.jsonl").stdout;
    assert_eq!(pairs, "{\"a\":\"7\",\"b\":\"7@b.jsonl:2\",\"similarity\":1.0,\"reason\":\"identical\"}\n");
    sandbox.write("p.jsonl", pairs);
    let again = "recluster p.jsonl --threshold 0.9 --documents a.jsonl x/b.jsonl --removed again.csv";
    sandbox.succeed(again);
    assert_eq!(sandbox.read("again.csv"), sandbox.read("r.csv"));
    let compared = sandbox.succeed("compare a.jsonl:7 x/b.jsonl:7@b.jsonl:2").stdout;
    assert!(compared.contains("1.0000"), "{compared}");
    assert!(sandbox.succeed("checksum a.jsonl x/b.jsonl").stdout.contains("\"7@b.jsonl:2\""));
    let words = sandbox.refuse_in_a_line("dedup a.jsonl x/b.jsonl -o other --unique-ids --on-error skip");
    assert_eq!(
        words,
        "x/b.jsonl:1: id `7` was used at a.jsonl:1 already; \
         without --unique-ids such ids are qualified by file and line"
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
fn a_missing_field_names_the_fields_that_are_there_and_the_nearest() {
    let sandbox = Sandbox::with("in.jsonl", "{\"n\":1,\"Txt\":\"a b\",\"meta\":{\"lang\":\"de\"}}\n");
    let words = sandbox.refuse_in_a_line("dedup in.jsonl -o out.jsonl");
    let expected = "in.jsonl:1: no field `text`; its fields are `n`, `Txt`, `meta.lang`; the nearest is `Txt`";
    assert!(words.starts_with(expected) && words.contains("--text-field"), "{words}");
    sandbox.write("in.csv", "id,txet\n1,a\n");
    let words = sandbox.refuse_in_a_line("dedup in.csv -o out.csv");
    assert!(words.contains("no column `text`; its columns are `id`, `txet`; the nearest is `txet`"), "{words}");
}

#[test]
fn an_id_field_that_no_record_has_is_an_error() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "one two") + &record("b", "one two"));
    sandbox.write("in.csv", "id,text\na,one two\n");
    for command in ["dedup", "pairs", "clusters"] {
        for input in ["in.jsonl", "in.csv"] {
            let words = sandbox.refuse_in_a_line(&format!("{command} {input} --id-field idd"));
            let expected = "no record has an id in the field `idd`; the fields of the first are `id`, `text`; the \
                            nearest is `id` (--id-field)";
            assert_eq!(words, expected, "{command} {input}");
        }
    }
    sandbox.succeed("dedup in.jsonl --id-field id");
    // One record that has it is enough, and the default may be absent.
    sandbox.write("mixed.jsonl", record("a", "x") + "{\"key\":\"k\",\"text\":\"y\"}\n");
    sandbox.succeed("dedup mixed.jsonl --id-field key");
    sandbox.write("bare.jsonl", "{\"text\":\"x\"}\n");
    sandbox.succeed("dedup bare.jsonl --summary s.json");
    let summary: serde_json::Value = serde_json::from_str(&sandbox.read("s.json")).unwrap();
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
    let refused = sandbox.refuse_in_a_line("dedup in -o out");
    assert!(refused.starts_with("in/b.parquet has no column `text`"), "{refused}");
    let run = sandbox.succeed("dedup in -o out --on-error skip --removed r.csv");
    assert!(run.stderr.contains("2 documents: 2 kept") && run.stderr.contains("3 bad records left out"), "{run:?}");
    for name in ["b.parquet", "broken.parquet", "d.csv"] {
        assert!(run.stderr.contains(&format!("left out in/{name}: left out as a whole: ")), "{name}: {}", run.stderr);
    }
    let written: Vec<String> = sandbox.names().into_iter().filter(|name| name.starts_with("out/")).collect();
    // What holds no documents is copied as it is.
    let all = ["a.parquet", "b.parquet", "broken.parquet", "c.csv", "d.csv"].map(|name| format!("out/{name}"));
    assert_eq!(written, all);
    sandbox.succeed("dedup in -o all.csv --on-error skip");
    assert_eq!(sandbox.read("all.csv").lines().count(), 3);
    std::fs::remove_file(sandbox.path("in/a.parquet")).unwrap();
    std::fs::remove_file(sandbox.path("in/c.csv")).unwrap();
    assert!(sandbox.refuse_in_a_line("dedup in -o none.parquet --on-error skip").contains("has no column `text`"));
    // A single file is not left out: nothing would be left.
    assert!(sandbox.refuse_in_a_line("dedup in/b.parquet --on-error skip").contains("has no column `text`"));
}

#[test]
fn a_file_of_bad_records_is_left_out_as_a_whole() {
    let sandbox = Sandbox::with("be/a.jsonl", "{\"k\":1}\n{\"k\":2}\n");
    sandbox.write("be/b.txt", "a text of its own");
    sandbox.write("be/empty.jsonl", "");
    for (flags, to) in [("-o one", "one"), ("-o two --left-out rest", "rest")] {
        let run = sandbox.succeed(&format!("dedup be {flags} --on-error skip"));
        assert!(run.stderr.contains("1 document: 1 kept"), "{flags}: {}", run.stderr);
        assert_eq!(sandbox.read(&format!("{to}/a.jsonl")), sandbox.read("be/a.jsonl"), "{flags}");
    }
    assert!(!sandbox.path("two/a.jsonl").exists() && sandbox.path("two/empty.jsonl").exists());
    // A field that is named makes records of what is no document.
    sandbox.write("be/package.json", "{\"name\": \"x\"}");
    sandbox.succeed("dedup be -o three --on-error skip --text-field text");
    assert_eq!(sandbox.read("three/package.json"), sandbox.read("be/package.json"));
}

#[test]
fn values_that_were_meant_otherwise_get_a_line_with_a_remedy() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "one two"));
    sandbox.write("empty.parquet", "");
    sandbox.write("empty.arrow", "");
    sandbox.write("object.json", "{\"data\": [{\"id\": 1, \"text\": \"a\"}]}\n");
    sandbox.write("pretty.json", "{\n  \"data\": []\n}\n");
    for (arguments, expected) in [
        (
            "pairs empty.parquet",
            "empty.parquet is empty, which Parquet files never are: its writing was not finished; write",
        ),
        ("pairs empty.arrow", "empty.arrow is empty, which Arrow files never are"),
        ("pairs object.json", "a .json file holds an array of objects, or one in each line: jq -c '.FIELD[]' takes"),
        ("pairs pretty.json", "a .json file holds an array of objects, or one in each line: jq -c '.FIELD[]' takes"),
        ("pairs in.jsonl -t 80", "found `80`; 80 % are 0.8"),
        ("pairs in.jsonl -t 85%", "found `85%`; 85 % are 0.85"),
        ("pairs in.jsonl --shingle word:99999999999999", "with N from 1 to 65536; found `word:99999999999999`"),
    ] {
        let words = sandbox.refuse_in_a_line(arguments);
        assert!(words.contains(expected), "{words}");
    }
}
