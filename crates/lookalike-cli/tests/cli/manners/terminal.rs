//! Output as a reader at a terminal sees it, on a pseudo-terminal of 80 columns.

use crate::common::{Sandbox, record, rows};
use nix::pty::{Winsize, openpty};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

/// Output of a command on standard output and standard error, of which each goes to the terminal or nowhere.
fn drawn(sandbox: &Sandbox, arguments: &str, [stdout, stderr]: [bool; 2]) -> String {
    let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    let pty = openpty(&size, None).unwrap();
    let stream = |is_drawn: bool| if is_drawn { Stdio::from(pty.slave.try_clone().unwrap()) } else { Stdio::null() };
    let mut command = sandbox.command(arguments);
    command.env("TERM", "xterm").env_remove("NO_COLOR").stdin(Stdio::null());
    let mut child = command.stdout(stream(stdout)).stderr(stream(stderr)).spawn().unwrap();
    // The terminal ends when the last one closes who may write to it.
    drop((command, pty.slave));
    let mut bytes = Vec::new();
    // Linux says EIO at the end.
    let _ = File::from(pty.master).read_to_end(&mut bytes);
    assert!(child.wait().unwrap().success(), "{arguments}");
    String::from_utf8(bytes).unwrap()
}

/// The lines without colours.
fn lines(drawn: &str) -> Vec<String> {
    anstream::adapter::strip_str(drawn).to_string().lines().map(|line| line.trim_end().to_owned()).collect()
}

const ONLY_STDOUT: [bool; 2] = [true, false];

fn near_and_equal() -> Sandbox {
    let near = "one two three four five six seven eight nine";
    let records = [
        record("b", near),
        record("a", &near.replace("nine", "ten")),
        record("c", &near.to_uppercase()),
        record("d", "x"),
    ];
    Sandbox::with("in.jsonl", records.concat())
}

#[test]
fn pairs_are_a_table_with_the_most_similar_first() {
    let sandbox = near_and_equal();
    let expected = [
        "similarity  reason  a  b",
        "     1.000  equal   b  c",
        "     0.667  near    b  a",
        "     0.667  near    a  c",
    ];
    assert_eq!(lines(&drawn(&sandbox, "pairs in.jsonl -t 0.6", ONLY_STDOUT)), expected);
    let top = lines(&drawn(&sandbox, "pairs in.jsonl -t 0.6 --top 1", ONLY_STDOUT));
    assert_eq!(top[..2], expected[..2]);
    assert_eq!(top[2], "... and 2 more pairs (--top N lists more, -o FILE writes all)");
    // Rows that were asked for, by a format or a pipe, are rows.
    let row = "{\"a\":\"b\",\"b\":\"a\",";
    assert!(drawn(&sandbox, "pairs in.jsonl -t 0.6 --format jsonl", ONLY_STDOUT).starts_with(row));
    assert!(sandbox.succeed("pairs in.jsonl -t 0.6").stdout.starts_with(row));
    assert_eq!(drawn(&sandbox, "pairs in.jsonl -t 0.6 --shingle word:9 --lowercase false", ONLY_STDOUT), "");
}

#[test]
fn rows_do_not_control_the_terminal() {
    let text = "one two three four five six";
    let sandbox = Sandbox::with("in.jsonl", record("a\u{9b}2J", text) + &record("b\u{202e}\u{7f}", text));
    let command = "pairs in.jsonl --format jsonl";
    let shown = drawn(&sandbox, command, ONLY_STDOUT);
    assert!(shown.starts_with(r#"{"a":"a\u009b2J","b":"b\u202e\u007f","#), "{shown}");
    sandbox.answers(command, "...a\u{9b}2J...");
    let kept = drawn(&sandbox, "dedup in.jsonl -o -", ONLY_STDOUT);
    assert!(kept.starts_with(r#"{"id":"a\u009b2J","#), "{kept}");
}

#[test]
fn clusters_are_a_table_with_the_largest_first() {
    let sandbox = near_and_equal();
    let expected = ["documents  members", "        3  b, a, c"];
    assert_eq!(lines(&drawn(&sandbox, "clusters in.jsonl -t 0.6", ONLY_STDOUT)), expected);
    sandbox.succeed("pairs in.jsonl -t 0.6 -o pairs.csv");
    assert_eq!(lines(&drawn(&sandbox, "recluster pairs.csv -t 0.6", ONLY_STDOUT)), expected);
}

#[test]
fn no_progress_stays_above_rows() {
    let sandbox = near_and_equal();
    for arguments in ["pairs in.jsonl", "pairs in.jsonl --format csv", "dedup in.jsonl -o -"] {
        let drawn = drawn(&sandbox, arguments, [true, true]);
        // What stands before the first line end is drawn on one line, which is erased before rows come.
        let first = drawn.lines().next().unwrap();
        let shown = first.rsplit("\u{1b}[2K").next().unwrap();
        assert!(!shown.contains(" of ") && !shown.is_empty(), "{drawn:?}");
    }
}

#[test]
fn top_lists_the_beginning_of_all_pairs_sorted_and_the_largest_clusters() {
    let sandbox = near_and_equal();
    let pairs = rows::<serde_json::Value>(&sandbox.succeed("pairs in.jsonl -t 0.6 --top 2").stdout);
    let ids: Vec<_> = pairs.iter().map(|pair| (pair["a"].as_str().unwrap(), pair["b"].as_str().unwrap())).collect();
    assert_eq!(ids, [("b", "c"), ("b", "a")]);
    sandbox
        .write("two.jsonl", sandbox.read("in.jsonl") + &record("e", "X") + &record("f", "x y") + &record("g", "x y"));
    let clusters = sandbox.succeed("clusters two.jsonl -t 0.6 --top 2 --format json").stdout;
    let clusters: serde_json::Value = serde_json::from_str(&clusters).unwrap();
    // Numbers are those among all clusters.
    let expected = serde_json::json!([{"cluster":0,"ids":["b","a","c"]},{"cluster":1,"ids":["d","e"]}]);
    assert_eq!(clusters, expected);
    assert_eq!(sandbox.succeed("clusters two.jsonl -t 0.6 --top 1 --format csv").stdout, "cluster,id\n0,b\n0,a\n0,c\n");
    sandbox.refuse_all("manners/top_lists_the_beginning_of_all_pairs_sorted_and_the_largest_clusters");
}

#[test]
fn some_of_the_pairs_are_not_taken_for_all() {
    let sandbox = near_and_equal();
    sandbox.succeed("pairs in.jsonl -t 0.6 --top 2 -o pairs.parquet");
    sandbox.refused(
        "recluster pairs.parquet -t 0.7",
        "pairs.parquet holds the 2 most similar pairs at most: the others are not known; run `pairs` once more \
         without --top",
    );
    sandbox.succeed("pairs in.jsonl -t 0.6 --top 2 -o pairs.csv --about");
    sandbox.refused("recluster pairs.csv -t 0.7", "...without --top...");
}

#[test]
fn answers_to_queries_that_arrive_are_a_table_that_grows() {
    let near = "one two three four five six seven eight nine";
    let sandbox = Sandbox::with("in.jsonl", record("a", near) + &record("b", "another text of more than five words"));
    sandbox.succeed("index create in.idx in.jsonl -t 0.5");
    let pty = openpty(&Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 }, None).unwrap();
    let mut command = sandbox.command("search - --in in.idx");
    command.env("TERM", "xterm").stdin(Stdio::piped()).stderr(Stdio::null()).stdout(Stdio::from(pty.slave));
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut stdin = child.stdin.take().unwrap();
    let mut terminal = BufReader::new(File::from(pty.master));
    let mut next_lines = |query: &str, count: usize| {
        stdin.write_all(query.as_bytes()).unwrap();
        let mut drawn = String::new();
        for _ in 0..count {
            terminal.read_line(&mut drawn).unwrap();
        }
        lines(&drawn)
    };
    let first = ["rank  similarity  reason     id", "x", "   1       1.000  identical  a"];
    assert_eq!(next_lines(&record("x", near), 3), first);
    assert_eq!(next_lines(&record("y", near), 2), ["y", "   1       1.000  identical  a"]);
    drop(stdin);
    assert!(child.wait().unwrap().success());
}
