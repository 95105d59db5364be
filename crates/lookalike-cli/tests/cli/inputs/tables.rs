//! Quotes of tables, headers that come again, and byte order marks in the middle of files.

use crate::common::{Sandbox, record, words};

/// A row of a table without quotes, whose text begins with one.
const OPENED: &str = "1\t\"something is not closed\n2\tanother text\n3\t\"a third one\n";

#[test]
fn tsv_has_no_quotes_unless_all_pair_up() {
    let sandbox = Sandbox::with("t.tsv", format!("id\ttext\n{OPENED}"));
    assert_eq!(sandbox.succeed("dedup t.tsv -o -").stdout, format!("id\ttext\n{OPENED}"));
    let rows = sandbox.succeed("dedup t.tsv -o - --format jsonl").stdout;
    assert!(rows.starts_with(r#"{"id":"1","text":"\"something is not closed"}"#), "{rows}");
    let quoted = "id\ttext\n1\t\"a \"\"b\"\"\nc\"\n2\td\n";
    sandbox.write("q.tsv", quoted);
    let run = sandbox.succeed("dedup q.tsv -o - --format jsonl");
    assert_eq!(run.stdout, "{\"id\":\"1\",\"text\":\"a \\\"b\\\"\\nc\"}\n{\"id\":\"2\",\"text\":\"d\"}\n");
    let note = "note: 1 row of tables spans several lines, the first from q.tsv:2 on: quotes hold line ends";
    assert!(run.stderr.contains(note), "{}", run.stderr);
    sandbox.refuse_all("inputs/tsv_has_no_quotes_unless_all_pair_up");
}

#[test]
fn lines_of_tsv_that_may_be_one_row_or_several_are_never_guessed() {
    let rows = "1\t\"opened\n2\tbetween\n3\tsaid\"\n";
    let sandbox = Sandbox::with("both.tsv", format!("id\ttext\n{rows}"));
    // One of the rows has a field too many.
    sandbox.write("ragged.tsv", format!("id\ttext\n{}4\tlast one\n", rows.replace("between", "between\tmore")));
    sandbox.refuse_all("inputs/lines_of_tsv_that_may_be_one_row_or_several_are_never_guessed");
    sandbox.says("dedup both.tsv --quote none", "3 documents...");
    sandbox.says("dedup both.tsv --quote double", "1 document...");
    sandbox.refused("dedup ragged.tsv --quote none", "ragged.tsv:3: 3 instead of 2 fields...");
    sandbox.write("good.tsv", "id\ttext\na\tx y z\n");
    sandbox.says(
        "dedup good.tsv both.tsv -o out --on-error skip",
        "...left out both.tsv: left out as a whole: both.tsv:2: a quote opens...",
    );
    assert_eq!(sandbox.read("out/both.tsv"), sandbox.read("both.tsv"));
}

#[test]
fn tsv_that_is_written_here_is_read_again_or_refused() {
    let sandbox = Sandbox::with("r/a.txt", "hello\nfoo\tbar");
    sandbox.write("r/b.txt", "plain one");
    sandbox.writes("dedup r -o r.tsv", "r.tsv", "id\ttext\n\"a.txt\"\t\"hello\nfoo\tbar\"\nb.txt\tplain one\n");
    let again = sandbox.succeed("dedup r.tsv -o - --format jsonl").stdout;
    assert_eq!(again, record("a.txt", "hello\nfoo\tbar") + &record("b.txt", "plain one"));
    sandbox.succeed("dedup r.tsv -o annotated.tsv --annotate");
    sandbox.says("dedup annotated.tsv", "2 documents...");
    // In a table of one column nothing tells the lines of a text from rows.
    sandbox.write("one.csv", "text\n\"a\nb\"\n");
    sandbox.refused(
        "dedup one.csv -o one.tsv",
        "...one.csv:2: column `text` is a text whose lines could be rows...CSV and JSON Lines can...",
    );
}

#[test]
fn rows_of_answers_with_ids_of_several_lines_are_read_again() {
    let sandbox = Sandbox::with("in.jsonl", record("a\nb\tc\td\te\nz", "x y z") + &record("f", "x y z"));
    sandbox.succeed("pairs in.jsonl -o p.tsv");
    assert_eq!(
        sandbox.read("p.tsv"),
        "a\tb\tsimilarity\treason\n\"a\nb\tc\td\te\nz\"\t\"f\"\t\"1.0\"\t\"identical\"\n"
    );
    sandbox.succeed("recluster p.tsv -t 1 -o c.jsonl");
    assert!(sandbox.read("c.jsonl").contains("\"id\":\"f\""), "{}", sandbox.read("c.jsonl"));
}

#[test]
fn names_in_quotes_that_do_not_pair_up_are_told_so() {
    // As R writes it.
    let sandbox = Sandbox::with("r.tsv", "\"id\"\t\"text\"\n\"1\"\t\"a \\\"b\\\" c\"\n");
    sandbox.refused(
        "dedup r.tsv",
        "r.tsv has no column `text`, but one in quotation marks, which are characters here, as not all of them pair \
         up; --quote double takes them as quotes",
    );
}

#[test]
fn csv_may_be_read_without_quotes() {
    let sandbox = Sandbox::with("t.csv", "id,text\n1,\"a\n2,b\"\n3,c\n");
    sandbox.says("dedup t.csv", "2 documents...");
    let run = sandbox.succeed("dedup t.csv --quote none -o - --format jsonl");
    assert!(run.stdout.contains(r#"{"id":"1","text":"\"a"}"#), "{}", run.stdout);
    assert_eq!(sandbox.succeed("dedup t.csv --quote none -o -").stdout, "id,text\n1,\"a\n2,b\"\n3,c\n");
    sandbox.answers("dedup t.csv --quote none -o - --annotate", "...\n1,\"a,...");
}

#[test]
fn text_behind_a_closing_quote_is_a_bad_record_with_its_place() {
    let sandbox = Sandbox::with("t.csv", "id,text\n1,a\n2,\"b\" c\n3,\"d\ne\"f\n4,g\n");
    sandbox.refused("dedup t.csv", "t.csv:3: text stands behind the closing quote of field 2 (--quote none...");
    let run = sandbox.succeed("dedup t.csv --on-error skip -o - --format jsonl");
    assert_eq!(run.stdout, "{\"id\":\"1\",\"text\":\"a\"}\n{\"id\":\"4\",\"text\":\"g\"}\n");
    assert!(
        run.stderr.contains("t.csv:4: text stands behind the closing quote of field 2; the row goes on for 2 lines")
    );
    assert!(run.stderr.contains("2 bad records left out"), "{}", run.stderr);
    sandbox.write("h.csv", "\"id\"x,text\n1,a\n");
    sandbox.refused("dedup h.csv", "h.csv:1: text stands behind the closing quote...");
}

#[test]
fn a_header_that_comes_again_is_no_record_and_is_counted() {
    for (name, separator) in [("t.csv", ","), ("t.tsv", "\t")] {
        let table = |ids: [&str; 2], mark: &str| {
            let rows = ids.map(|id| format!("{id}{separator}text {id}\r\n"));
            format!("{mark}id{separator}text\r\n{}", rows.concat())
        };
        let sandbox = Sandbox::with(name, table(["1", "2"], "\u{feff}") + &table(["3", "4"], "\u{feff}"));
        let run = sandbox.succeed(&format!("dedup {name} -o - --summary s.json"));
        let rows = table(["3", "4"], "").split_once('\n').unwrap().1.to_owned();
        assert_eq!(run.stdout, table(["1", "2"], "\u{feff}") + &rows);
        let note = format!("note: 1 row repeats the header of the table, the first at {name}:4: no record");
        assert!(run.stderr.starts_with("4 documents: 4 kept") && run.stderr.contains(&note), "{}", run.stderr);
        assert!(sandbox.read("s.json").contains(r#""repeated_headers":"#), "{}", sandbox.read("s.json"));
        for command in ["checksum", "sources", "snapshot -o x.snapshot"] {
            sandbox.says(&format!("{command} {name}"), "...repeats the header...");
        }
    }
}

#[test]
fn a_byte_order_mark_in_the_middle_is_no_part_of_a_record() {
    let mark = "\u{feff}";
    let lines = |first: &str| record(first, "x y z") + mark + &record("b", "x y z") + mark + &record("c", "u v w");
    let sandbox = Sandbox::with("t.jsonl", mark.to_owned() + &lines("a"));
    assert_eq!(sandbox.succeed("dedup t.jsonl -o -").stdout, record("a", "x y z") + &record("c", "u v w"));
    let csv = sandbox.succeed("dedup t.jsonl -o - --format csv").stdout;
    assert_eq!(csv, "id,text\na,x y z\nc,u v w\n");
    sandbox.write("t.csv", format!("{mark}text,id\none,1\n{mark}\"two, three\",2\n{mark}\n{mark}four,3\n"));
    let run = sandbox.succeed("dedup t.csv -o - --format jsonl");
    assert_eq!(run.stdout.lines().nth(1), Some(r#"{"text":"two, three","id":"2"}"#), "{}", run.stdout);
    assert_eq!(run.stdout.lines().nth(2), Some(r#"{"text":"four","id":"3"}"#), "{}", run.stdout);
    sandbox.write("t.txt", format!("{mark}a b c\n{mark}c b a\n"));
    sandbox.says("dedup t.txt --items", "2 documents: 1 kept...");
}

#[test]
fn lists_of_words_and_ids_bear_byte_order_marks() {
    let sandbox = Sandbox::with("words", "\u{feff}the\nof\n\u{feff}a\n");
    sandbox.write("t.jsonl", record("1", "the cat of a king") + &record("2", "a the cat king of"));
    let flags = "--stop-words words --shingle word:2";
    sandbox.says(&format!("dedup t.jsonl {flags}"), "...1 equal...");
    sandbox.write("keywords", "\u{feff}if\n\u{feff}else\n");
    sandbox.write("c.jsonl", record("1", "if x else y") + &record("2", "x if y else"));
    let flags = "--tokens code --rename-blind --keywords keywords --shingle word:4";
    sandbox.says(&format!("dedup c.jsonl {flags}"), "2 documents: 2 kept...");
    sandbox.succeed("index create i t.jsonl");
    sandbox.write("ids", "\u{feff}1\n\u{feff}2\n");
    let ids = std::fs::File::open(sandbox.path("ids")).unwrap();
    let run = crate::common::Run::from(sandbox.command("index remove i -").stdin(ids).output().unwrap());
    assert!(run.code == Some(0) && run.stderr.starts_with("2 documents removed"), "{}", run.stderr);
}

#[test]
fn tables_with_and_without_quotes_become_one_file_with_quotes() {
    let sandbox = Sandbox::with("a.tsv", "id\ttext\n1\t\"open\n");
    sandbox.write("b.tsv", "id\ttext\n2\t\"a\tb\"\n");
    assert_eq!(sandbox.succeed("dedup a.tsv b.tsv -o out.tsv").code, Some(0));
    assert_eq!(sandbox.read("out.tsv"), "id\ttext\n1\t\"\"\"open\"\n2\t\"a\tb\"\n");
    let again = sandbox.succeed("dedup out.tsv -o - --format jsonl").stdout;
    assert_eq!(again, "{\"id\":\"1\",\"text\":\"\\\"open\"}\n{\"id\":\"2\",\"text\":\"a\\tb\"}\n");
}

#[test]
fn a_separator_that_a_table_cannot_hold_is_refused() {
    let long = words(0..60);
    let sandbox = Sandbox::with("t.tsv", format!("id\ttext\n1\t\"{long}\n2\tbefore {long} behind\n"));
    let run = sandbox.succeed("cut t.tsv -o -");
    assert!(run.stdout.ends_with("2\tbefore behind\n"), "{}", run.stdout);
    let run = sandbox.command("cut t.tsv -o out.tsv --separator \\n").output().unwrap();
    let words = String::from_utf8(run.stderr).unwrap();
    assert!(words.contains("t.tsv has no quotes, and so no place for tabs and line ends"), "{words}");
}
