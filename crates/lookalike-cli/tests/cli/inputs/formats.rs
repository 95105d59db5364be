//! Formats of inputs: told by extension or content, the same answers from each.

use crate::common::{Run, Sandbox, record, words};

#[test]
fn named_text_files_are_documents_with_their_names_as_ids() {
    let sandbox = Sandbox::with("essays/a.txt", words(0..20));
    sandbox.write("essays/b.txt", words(0..20));
    sandbox.write("essays/c.md", "other words");
    sandbox.write("notes", words(0..20));
    let run = sandbox.succeed("dedup essays/*.txt essays/c.md notes -o out --removed r.csv -v");
    assert_eq!(
        sandbox.read("r.csv"),
        "id,kept,similarity,reason\nb.txt,a.txt,1.0,identical\nnotes,a.txt,1.0,identical\n"
    );
    let names = sandbox.names_in("out/");
    assert_eq!(names, ["out/a.txt", "out/c.md"]);
    assert!(run.stderr.contains("3 text files in essays/\n") && run.stderr.contains("  notes\n"), "{}", run.stderr);
}

#[test]
fn a_single_text_file_goes_to_a_folder() {
    let sandbox = Sandbox::with("single.txt", words(0..20));
    sandbox.write("seen.jsonl", record("seen", &words(0..21)));
    sandbox.writes("dedup single.txt -o out/", "out/single.txt", &words(0..20));
    sandbox.succeed("dedup single.txt -o none --against seen.jsonl");
    assert!(sandbox.names().contains(&"none/".to_owned()), "{:?}", sandbox.names());
    sandbox.refused("dedup single.txt -o -", "...cannot go to standard output as they are...");
}

#[test]
fn text_files_of_one_name_are_told_apart_and_a_file_is_written_once() {
    let sandbox = Sandbox::with("a/x.txt", "one");
    sandbox.write("b/x.txt", "two");
    sandbox.succeed("dedup a/x.txt b/x.txt -o both");
    assert_eq!((sandbox.read("both/a/x.txt"), sandbox.read("both/b/x.txt")), ("one".to_owned(), "two".to_owned()));
    sandbox.writes("dedup a/x.txt b/../a/x.txt -o once", "once/x.txt", "one");
    sandbox.write("b/y.txt", "two");
    sandbox.succeed("dedup a/x.txt b/y.txt -o out");
}

#[test]
fn content_tells_the_format_where_the_extension_does_not() {
    let content = record("a", &words(0..20)) + &record("b", &words(0..20));
    let sandbox = Sandbox::with("records", &content);
    sandbox.write("records.2025", "\n\n".to_owned() + &content);
    for name in ["records", "records.2025"] {
        sandbox.says(&format!("dedup {name} -o -"), "2 documents: 1 kept...");
    }
    sandbox.refused("compare records records", "...name one as records:ID...");
}

#[test]
fn standard_input_is_judged_by_its_content() {
    let sandbox = Sandbox::new();
    let run = sandbox.run_with_input("dedup - -o -", record("a", "x").as_bytes());
    assert_eq!((run.code, run.stdout), (Some(0), record("a", "x")));
    let rows = b"id,text\na,x y z\nb,x y z\n";
    let run = sandbox.run_with_input("dedup - -o - --input-format csv", rows);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "id,text\na,x y z\n"), "{}", run.stderr);
    sandbox.write("rows", rows);
    sandbox.write("rows.jsonl", record("c", "x"));
    sandbox.refused(
        "dedup rows rows.jsonl -o both --input-format csv",
        "rows.jsonl looks like JSON Lines, not CSV; leave out --input-format; --on-error skip leaves such a file out",
    );
    let tsv = b"text\tid\nx y z\ta\nx y z\tb\n";
    for rows in [&rows[..], tsv, b"[{\"id\":\"a\",\"text\":\"x y z\"},{\"id\":\"b\",\"text\":\"x y z\"}]"] {
        let run = sandbox.run_with_input("pairs -", rows);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains(r#""a":"a","b":"b""#), "{}", run.stdout);
        sandbox.write("rows.2025", rows);
        assert_eq!(sandbox.succeed("pairs rows.2025").stdout, run.stdout);
        let run = sandbox.run_with_input("pairs - --input-format text", rows);
        assert!(run.stderr.starts_with("1 document"), "{}", run.stderr);
    }
}

#[test]
fn the_format_that_is_said_is_stronger_than_the_extension() {
    let rows = "id,text\na,x y z\nb,x y z\n";
    let sandbox = Sandbox::with("t.csv", rows);
    sandbox.write("t.txt", rows);
    sandbox.write("lines.txt", record("a", "x y z") + &record("b", "x y z"));
    sandbox.write("folder/lines.log", record("c", "u v w") + &record("d", "u v w"));
    sandbox.write("folder/more.json", record("e", "u v w"));
    for (arguments, documents) in [
        ("t.csv --input-format text", "1 document: 1 kept"),
        ("t.txt --input-format csv", "2 documents: 1 kept"),
        ("lines.txt --input-format jsonl", "2 documents: 1 kept"),
        ("folder --input-format jsonl", "3 documents: 1 kept"),
        ("folder --input-format text", "2 documents: 2 kept"),
    ] {
        let words = sandbox.succeed(&format!("dedup {arguments}")).stderr;
        assert!(words.starts_with(documents), "{arguments}: {words}");
    }
}

#[test]
fn json_files_in_folders_are_records_where_a_field_is_named() {
    let sandbox = Sandbox::with("d/a.json", r#"[{"id": "1", "text": "x y z", "body": "u v w"}]"#);
    sandbox.write("d/b.json", r#"{"id": "2", "text": "x y z", "body": "q r s"}"#);
    assert!(sandbox.succeed("pairs d").stdout.is_empty());
    assert!(sandbox.succeed("pairs d --text-field text").stdout.starts_with(r#"{"a":"1","b":"2","similarity":1.0"#));
    sandbox.says("dedup d --text-field body", "2 documents: 2 kept...");
    assert!(sandbox.succeed("pairs d --id-field id").stdout.contains(r#""a":"1""#));
}

#[test]
fn text_at_standard_input_is_one_document() {
    let sandbox = Sandbox::with("a.txt", "plain text, of one line\n");
    let run = sandbox.run_with_input("pairs - a.txt", b"plain text, of one line\n");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains(r#""a":"stdin","b":"a.txt""#), "{}", run.stdout);
    let run = sandbox.run_with_input("compare - a.txt", b"plain text, of one line\n");
    assert!(run.code == Some(0) && run.stdout.contains("1.0000"), "{}{}", run.stdout, run.stderr);
    let run = sandbox.run_with_input("pairs -", b"");
    assert!(run.code == Some(0) && run.stderr.starts_with("0 documents"), "{}", run.stderr);
    let run = sandbox.run_with_input("pairs - --input-format jsonl", b"plain text\nid\n");
    assert!(run.code == Some(2) && run.stderr.contains("stdin:1: not JSON"), "{}", run.stderr);
}

#[test]
fn files_named_as_another_format_say_what_they_look_like() {
    let sandbox = Sandbox::new();
    let csv = "id,text\na,x y z\n";
    let tsv = "id\ttext\na\tx y z\n";
    let jsonl = record("a", &words(0..400));
    let array = format!("[{}]", jsonl.trim_end());
    let contents = [("CSV", csv), ("TSV", tsv), ("JSON Lines", &*jsonl), ("JSON array", &*array)];
    let binary = [("WARC", "warc"), ("Parquet", "parquet"), ("Arrow", "arrow")];
    for (expected, extension) in [("CSV", "csv"), ("TSV", "tsv"), ("JSON Lines", "jsonl")].into_iter().chain(binary) {
        for (found, content) in contents {
            // Files named `.csv` have any separator.
            if expected == found || (expected, found) == ("CSV", "TSV") {
                continue;
            }
            let name = format!("x.{extension}");
            sandbox.write(&name, content);
            for command in ["pairs", "pairs --on-error skip", "compare a b --in"] {
                let words = sandbox.refuse_in_a_line(&format!("{command} {name}"));
                let looks = format!("{name} looks like {found}, not {expected}; rename it (.");
                assert!(words.contains(&looks), "{command}: {words}");
            }
        }
    }
    // Of several files, one is left out.
    sandbox.write("a.jsonl", &jsonl);
    sandbox.write("b.jsonl", csv);
    sandbox.says("pairs a.jsonl b.jsonl --on-error skip", "...b.jsonl: left out as a whole: b.jsonl looks like CSV...");
}

#[test]
fn a_job_without_any_usable_record_is_an_error() {
    let sandbox = Sandbox::with("a.jsonl", "oops\n{\"id\": 1}\n");
    sandbox.write("b.jsonl", record("b", &words(0..20)));
    for command in ["pairs", "dedup", "clusters", "dedup b.jsonl --against", "snapshot -o s.snapshot", "checksum"] {
        let words = sandbox.refuse(&format!("{command} a.jsonl --on-error skip"));
        assert!(words.contains("can be read: 2 cannot, the first: a.jsonl:1: not JSON"), "{command}: {words}");
    }
    sandbox.succeed("pairs a.jsonl b.jsonl --on-error skip");
    sandbox.write("empty.jsonl", "");
    sandbox.succeed("pairs empty.jsonl --on-error skip");
}

#[test]
fn an_encoding_is_refused_where_none_can_be_named() {
    let sandbox = Sandbox::with("a.jsonl", record("a", "x"));
    sandbox.refused(
        "pairs a.jsonl --encoding latin1",
        "a.jsonl is JSON Lines, which is never in windows-1252; leave out --encoding",
    );
    sandbox.write("b.csv", b"id,text\nb,caf\xE9\n");
    sandbox.succeed("pairs a.jsonl b.csv --encoding latin1");
    sandbox.succeed("pairs a.jsonl --encoding utf-8");
}

#[test]
fn piped_documents_need_no_dash() {
    let sandbox = Sandbox::new();
    let run = sandbox.run_with_input("dedup -o -", record("a", "x").as_bytes());
    assert_eq!((run.code, run.stdout), (Some(0), record("a", "x")), "{}", run.stderr);
    let run = sandbox.run_with_input("pairs", record("a", "x").as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    // Here standard input is nothing.
    sandbox.refused("dedup -o -", "no INPUT...");
    let run = sandbox.run_with_input("dedup - -o -", b"%PDF-1.7\n");
    assert!(run.stderr.contains("standard input is a PDF document, not text"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn named_pipes_are_inputs() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "x y") + &record("b", "x y"));
    for command in [
        "$0 dedup <(cat in.jsonl) -o - --removed r.csv",
        "$0 dedup <(gzip -c in.jsonl) in2.jsonl -o - --removed r.csv",
        "mkfifo p.jsonl; cat in.jsonl > p.jsonl & $0 dedup p.jsonl -o - --removed r.csv",
    ] {
        sandbox.write("in2.jsonl", "");
        let mut shell = std::process::Command::new("bash");
        shell.arg("-c").arg(command).arg(env!("CARGO_BIN_EXE_lookalike")).current_dir(sandbox.path("."));
        let run = Run::from(shell.output().unwrap());
        assert_eq!((run.code, run.stdout), (Some(0), record("a", "x y")), "{command}: {}", run.stderr);
        assert!(sandbox.read("r.csv").contains("b,a,1.0,identical"));
    }
    let mut shell = std::process::Command::new("bash");
    shell.arg("-c").arg("$0 dedup <(cat in.jsonl) --work-dir w").arg(env!("CARGO_BIN_EXE_lookalike"));
    let run = Run::from(shell.current_dir(sandbox.path(".")).output().unwrap());
    assert!(run.code == Some(2) && run.stderr.contains("cannot read standard input or a pipe"), "{}", run.stderr);
}

/// A table with a duplicate, in rows of several lines.
fn table() -> String {
    let text = words(0..20).replace(' ', "\n");
    format!("\u{feff}id,text,date\r\n\"k,1\",\"{text}\",2025\r\nb,\"said \"\"{text}\"\"\",2026\r\nc,other words,\r\n")
}

#[test]
fn tables_are_written_again_byte_for_byte() {
    let sandbox = Sandbox::with("in.csv", table());
    sandbox.succeed("dedup in.csv -o out.csv --removed r.jsonl --threshold 0.7");
    let lines = table();
    let kept: Vec<&str> = lines.split_inclusive("\r\n").filter(|row| !row.starts_with("b,")).collect();
    assert_eq!(sandbox.read("out.csv"), kept.concat());
    assert!(sandbox.read("r.jsonl").starts_with(r#"{"id":"b","kept":"k,1","similarity":0."#));
    sandbox.answers("dedup in.csv -o - --threshold 0.7 --keep max:date", "\u{feff}id,text,date\r\nb,...");
    sandbox.write("in.tsv", table().replace("\"k,1\"", "k1").replace(",", "\t"));
    sandbox.answers("dedup in.tsv -o - --threshold 0.7", "\u{feff}id\ttext...");
    assert_eq!(sandbox.succeed("compare in.csv:b in.csv:b").code, Some(0));
}

#[test]
fn annotations_become_columns() {
    let sandbox = Sandbox::with("in.csv", table() + "d,more,1");
    sandbox.succeed("dedup in.csv -o out.csv --annotate --threshold 0.7");
    let out = sandbox.read("out.csv");
    let added = ["duplicate", "kept", "similarity", "cluster_size"].map(|name| format!(",lookalike_{name}")).concat();
    assert!(out.starts_with(&format!("\u{feff}id,text,date{added}\r\n")), "{out}");
    let rows: Vec<&str> = out.split("\r\n").collect();
    assert!(rows[1].ends_with("\",2025,false,\"k,1\",1.0,2"), "{out}");
    assert!(rows[2].contains("\"\",2026,true,\"k,1\",0.") || rows[2].contains("2026,true,\"k,1\",0."), "{out}");
    assert_eq!(rows[3..], ["c,other words,,false,c,1.0,1", "d,more,1,false,d,1.0,1"]);
    sandbox
        .refused("dedup out.csv -o again.csv --annotate", "...out.csv has a column `lookalike_duplicate` already...");
}

#[test]
fn tables_that_cannot_be_used_are_refused_in_a_line() {
    let sandbox = Sandbox::with("in.csv", "id;body\n1;x\n");
    sandbox.refused(
        "dedup in.csv -o out.csv",
        "in.csv has no column `text`; its columns are `id`, `body`; name yours (--text-field, --id-field, --keep)",
    );
    sandbox.write("in.csv", table() + "d,e\r\nf,\"g,h\r\n");
    let run = sandbox.run("dedup in.csv -o out.csv --on-error skip");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("in.csv:43: 2 instead of 3 fields"), "{}", run.stderr);
    assert!(run.stderr.contains("in.csv:44: a quote is opened"), "{}", run.stderr);
    sandbox.refuse_all("inputs/tables_that_cannot_be_used_are_refused_in_a_line");
}

#[test]
fn folders_hold_files_of_many_formats() {
    let sandbox = Sandbox::with("in/t.csv", "id,text\n1,".to_owned() + &words(0..20) + "\n");
    sandbox.write("in/deep/u.tsv", "id\ttext\n2\t".to_owned() + &words(0..20) + "\n");
    sandbox.write("in/a.jsonl", record("3", &words(0..20)));
    sandbox.write("in/z.txt", words(0..20));
    sandbox.writes("dedup in -o out --keep source --removed r.csv", "out/t.csv", "id,text\n");
    assert_eq!(sandbox.read("out/deep/u.tsv"), "id\ttext\n");
    assert_eq!(sandbox.read("r.csv").lines().count(), 4);
}

#[test]
fn pages_are_compared_by_what_is_read_and_copied_as_they_are() {
    let text = words(0..20);
    let (head, tail) = text.split_at(30);
    let latin = [
        b"<html><head><meta charset=iso-8859-1><style>p {}</style><p>",
        head.as_bytes(),
        b" caf\xE9 ",
        tail.as_bytes(),
    ]
    .concat();
    let sandbox = Sandbox::with("in/a.html", &latin);
    sandbox.write("in/b.HTM", format!("<p class=x>{head}</p><script>1</script>caf&eacute; {tail}"));
    sandbox.write("in/c.txt", format!("{head} caf\u{e9} {tail}"));
    let utf16: Vec<u8> = format!("\u{feff}{head} caf\u{e9} {tail}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    sandbox.write("in/d.txt", utf16);
    let run = sandbox.succeed("dedup in -o out --removed r.csv");
    assert_eq!(sandbox.bytes("out/a.html"), latin);
    assert_eq!(
        sandbox.read("r.csv").lines().skip(1).filter(|row| row.ends_with(",a.html,1.0,equal")).count(),
        3,
        "{run:?}"
    );
    let pages = sandbox.succeed("pairs in/a.html in/b.HTM").stdout;
    assert_eq!(pages, "{\"a\":\"a.html\",\"b\":\"b.HTM\",\"similarity\":1.0,\"reason\":\"equal\"}\n");
    sandbox.answers("compare in/a.html in/d.txt", "...1.0000...");
    sandbox.write("odd.txt", b"\xFF\xFEx");
    assert_eq!(
        sandbox.refuse_in_a_line("pairs odd.txt").split(" (").next(),
        Some("odd.txt: not UTF-16, as its byte order mark says")
    );
}

/// A WARC record.
pub(crate) fn warc(kind: &str, target: &str, content_type: &str, body: &str) -> String {
    let (target, length) =
        (format!("WARC-Target-URI: {target}\r\nWARC-Record-ID: <urn:{kind}:{target}>\r\n"), body.len());
    let head = format!("WARC/1.0\r\nWARC-Type: {kind}\r\n{target}Content-Type: {content_type}\r\n");
    format!("{head}Content-Length: {length}\r\n\r\n{body}\r\n\r\n")
}

/// A crawl: its warcinfo, then three pages with their requests, of which the second is a copy of the first.
fn crawl() -> Vec<String> {
    let page = |text: &str| format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{text}</p>");
    let pair = |target: &str, text: &str| {
        let request = warc("request", target, "application/http", "GET / HTTP/1.1\r\n\r\n");
        [request, warc("response", target, "application/http", &page(text))]
    };
    let info = warc("warcinfo", "", "application/warc-fields", "software: x\r\n");
    let pairs = [pair("http://a/", &words(0..20)), pair("http://b/", &words(0..20)), pair("http://c/", "other words")];
    [info].into_iter().chain(pairs.concat()).collect()
}

#[test]
fn crawls_lose_copies_and_what_belongs_to_them() {
    let records = crawl();
    let sandbox = Sandbox::with("in.warc", records.concat());
    sandbox.says("dedup in.warc -o out.warc --removed r.csv", "3 documents: 2 kept, 1 removed...");
    assert_eq!(sandbox.read("r.csv"), "id,kept,similarity,reason\nhttp://b/,http://a/,1.0,identical\n");
    let kept = [&records[..3], &records[5..]].concat();
    assert_eq!(sandbox.read("out.warc"), kept.concat());
    sandbox.succeed("dedup in.warc -o out.warc.gz");
    let packed = sandbox.bytes("out.warc.gz");
    let members = packed.windows(4).filter(|window| window == b"\x1F\x8B\x08\x00").count();
    assert_eq!(members, kept.len(), "each record is a member of its own");
    sandbox.writes("dedup out.warc.gz -o again.warc", "again.warc", &kept.concat());
    sandbox.write("crawl", records.concat());
    sandbox.answers("pairs crawl", "...http://b/...");
    sandbox.answers("compare in.warc:http://a/ in.warc:http://b/", "...1.0000...");
    sandbox.answers("pairs in.warc --id-field warc-record-id", "...\"a\":\"<urn:response:...");
}

#[test]
fn crawls_with_faults_are_refused_in_a_line_or_read_on_request() {
    let mut records = crawl();
    records[4] = records[4].replace("Content-Length: ", "Content-Length: 9");
    records.push(warc("conversion", "http://a/", "text/plain", "fetched again"));
    let sandbox = Sandbox::with("in.wet", records.concat());
    sandbox.refused("dedup in.wet -o out.wet", "in.wet:5: not a WARC record: it is cut...");
    let run = sandbox.run("dedup in.wet -o out.wet --on-error skip");
    assert_eq!(run.code, Some(0));
    let note = "1 id occurs again; the first, http://a/ of in.wet:3, is called http://a/@in.wet:8 at in.wet:8";
    assert!(run.stderr.contains(note), "{}", run.stderr);
    assert_eq!(sandbox.read("out.wet"), [&records[..4], &records[5..]].concat().concat());
    sandbox.refused("dedup in.wet -o out.wet --annotate", "...in.wet holds WARC records, which cannot be annotated...");
    let run = sandbox.run("dedup in.wet -o out.jsonl --on-error skip");
    assert_eq!((run.code, sandbox.read("out.jsonl").lines().count()), (Some(0), 3), "{}", run.stderr);
}

#[test]
fn tables_keep_their_separator() {
    let rows = |separator: &str| {
        let rows = [["id", "text"], ["1", "x, y z"], ["2", "x, y z"], ["3", "\"a;b|c\""]];
        rows.map(|row| row.join(separator) + "\r\n")
    };
    for separator in [";", "|"] {
        let content = rows(separator);
        let [header, first, _, last] = content.clone();
        let expected = [header.clone(), first.clone(), last].concat();
        let sandbox = Sandbox::with("in.csv", content.concat());
        sandbox.write("in/x.csv", content.concat());
        sandbox.writes("dedup in.csv -o out.csv --removed r.csv", "out.csv", &expected);
        assert_eq!(sandbox.read("r.csv").lines().nth(1), Some("2,1,1.0,identical"));
        sandbox.writes("dedup in -o folder", "folder/x.csv", &expected);
        let run = sandbox.run_with_input("dedup --input-format csv -o -", content.concat().as_bytes());
        assert_eq!(run.stdout, expected, "{}", run.stderr);
        sandbox.writes("dedup in.csv -o commas.csv --format csv", "commas.csv", "id,text\n1,\"x, y z\"\n3,a;b|c\n");
        sandbox.write("more.csv", header.clone() + &["4", "new"].join(separator));
        sandbox.writes("dedup in.csv more.csv -o joined.csv", "joined.csv", &(expected + "4" + separator + "new"));
        sandbox.succeed("dedup in.csv --annotate -o a.csv");
        assert!(sandbox.read("a.csv").starts_with(&(header.trim_end().to_owned() + separator + "lookalike_dup")));
    }
}

#[test]
fn references_have_field_names_of_their_own() {
    let text = words(0..30);
    let sandbox = Sandbox::with("train.jsonl", record("t1", &text) + &record("t2", &words(50..80)));
    sandbox.write("test.jsonl", format!("{{\"key\":\"q1\",\"question\":\"{text}\"}}\n"));
    sandbox.write("test.csv", format!("key,question\nq1,{text}\n"));
    sandbox.write("test.2025", format!("key\tquestion\nq1\t{text}\n"));
    let fields = "--against-text-field question --against-id-field key";
    for reference in ["test.jsonl", "test.csv", "test.2025"] {
        let command = format!("dedup train.jsonl --against {reference} -o - --removed - -n {fields}");
        let run = sandbox.succeed(&command.replace("-o - ", ""));
        assert!(run.stdout.starts_with(r#"{"id":"t1","kept":"q1","similarity":1.0,"#), "{}", run.stdout);
        let again = sandbox.succeed(&format!("{} --check-texts", command.replace("-o - ", "")));
        assert_eq!(again.stdout, run.stdout);
    }
    sandbox.refuse_all("inputs/references_have_field_names_of_their_own");
}

#[test]
fn a_snapshot_goes_with_containment_unless_a_short_text_needs_texts() {
    let sandbox = Sandbox::with("tests.jsonl", record("q1", &words(0..20)) + &record("q2", "short one"));
    sandbox.write("train.jsonl", record("t1", &words(0..60)));
    sandbox.write("tiny.jsonl", record("t1", &words(0..60)) + &record("t2", &words(5..8)));
    sandbox.succeed("snapshot tests.jsonl -o tests.snapshot --shingle word:5");
    let options = "--measure containment --shingle word:5 --removed - -n";
    let of_texts = sandbox.succeed(&format!("dedup train.jsonl --against tests.jsonl {options}"));
    let of_snapshot = sandbox.succeed(&format!("dedup train.jsonl --against tests.snapshot {options}"));
    assert_eq!((of_texts.stdout.lines().count(), &of_texts.stdout), (1, &of_snapshot.stdout));
    sandbox.refused(
        "dedup tiny.jsonl --against tests.snapshot --measure containment --shingle word:5 --removed - -n",
        "`t2` has 3 tokens only, and the sets of tests.snapshot do not tell...",
    );
    let directed = format!("{options} --containment of-reference");
    let run = sandbox.succeed(&format!("dedup tiny.jsonl --against tests.snapshot {directed}"));
    assert_eq!(run.stdout, sandbox.succeed(&format!("dedup tiny.jsonl --against tests.jsonl {directed}")).stdout);
}

#[test]
fn empty_standard_input_is_an_empty_text() {
    let sandbox = Sandbox::with("a.txt", "one two");
    for flags in ["", "--input-format text"] {
        let run = sandbox.run_with_input(&format!("compare a.txt - {flags}"), b"");
        assert!(run.stdout.contains("B  -: 0 tokens"), "{run:?}");
    }
    let two = record("a", "one two") + &record("b", "three");
    let run = sandbox.run_with_input("compare a.txt -", two.as_bytes());
    let advice = "standard input holds many documents; name one by its id (--in -)";
    assert!(run.stderr.contains(advice), "{run:?}");
    let run = sandbox.run_with_input("compare a.txt a --in -", two.as_bytes());
    assert!(run.stdout.contains("identical byte for byte"), "{run:?}");
}
