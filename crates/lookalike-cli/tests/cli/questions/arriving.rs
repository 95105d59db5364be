//! `search -`: queries that arrive on standard input are answered before the next ones are there.

use crate::common::{Random, Run, Sandbox, interrupt, record, words};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};

/// An index of `count` documents of numbered words.
fn indexed(count: usize) -> Sandbox {
    let document = |number: usize| record(&format!("d{number}"), &words(number * 7..number * 7 + 30));
    let sandbox = Sandbox::with("corpus.jsonl", (0..count).map(document).collect::<String>());
    sandbox.succeed("index create corpus.idx corpus.jsonl -t 0.2");
    sandbox
}

/// Begins a command whose standard streams are pipes.
fn begin(sandbox: &Sandbox, arguments: &str) -> Child {
    let mut command = sandbox.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Some hundred queries: without ids, with ids that occur again, bad ones, blank lines, no line end at the end.
fn queries() -> String {
    let mut random = Random(11);
    let query = |number: usize| {
        let start = random.below(600) as usize;
        match number % 29 {
            3 => "no record\n".to_owned(),
            5 => "\n  \n".to_owned(),
            7 => format!("{{\"text\":\"{}\"}}\n", words(start..start + 25)),
            11 => record("again", &words(start..start + 25)),
            13 => record(&format!("q{number}"), "!"),
            _ => record(&format!("q{number}"), &words(start..start + 30)),
        }
    };
    let mut all: String = (0..400).map(query).collect();
    all.pop();
    all
}

#[test]
fn each_line_is_answered_when_it_comes() {
    let sandbox = indexed(40);
    let mut child = begin(&sandbox, "search - --in corpus.idx -k 1 --on-error skip --format csv");
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut answer = |query: &str| {
        stdin.write_all(query.as_bytes()).unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        line
    };
    assert_eq!(answer(&record("one", &words(0..30))), "query,rank,id,similarity,reason\n");
    assert_eq!(answer(""), "one,1,d0,1.0,identical\n");
    assert_eq!(
        answer(&("oops\n".to_owned() + &record("one", &words(70..100)))),
        "one@stdin.jsonl:3,1,d10,1.0,identical\n"
    );
    drop(stdin);
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
    assert!(said.contains("stdin:2") && said.contains("2 queries to 40 documents: 2 answers"), "{said}");
}

/// A summary without times and the name of the input.
fn told(summary: &str) -> Vec<Value> {
    let summary: Value = serde_json::from_str(&summary.replace("stdin:", "stdin.jsonl:")).unwrap();
    let stages = summary["stages"].as_array().unwrap().iter().map(|stage| stage["stage"].clone()).collect();
    let names = ["result", "tokens", "documents_without_id", "repeated_ids"];
    names.into_iter().map(|name| summary[name].clone()).chain([stages]).collect()
}

#[test]
fn answers_are_those_of_a_file_in_every_format() {
    let sandbox = indexed(90);
    let queries = queries();
    // Named as standard input is, because ids of records without one are made of it.
    sandbox.write("stdin.jsonl", &queries);
    for format in ["jsonl", "csv", "tsv", "parquet", "arrow"] {
        let flags = format!("--in corpus.idx -t 0.4 --on-error skip --format {format}");
        for output in ["rows", "-"] {
            let run = |input: &str, name: &str| {
                let output = if output == "-" { "-" } else { name };
                let arguments = format!("search {input} {flags} -o {output} --summary {name}.json");
                let mut command = sandbox.command(&arguments);
                command.stdout(std::fs::File::create(sandbox.path(&format!("{name}.out"))).unwrap());
                let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
                let mut stdin = child.stdin.take().unwrap();
                if input == "-" {
                    queries.as_bytes().chunks(1777).for_each(|part| stdin.write_all(part).unwrap());
                }
                drop(stdin);
                Run::from(child.wait_with_output().unwrap())
            };
            let file = run("stdin.jsonl", "file");
            let pipe = run("-", "pipe");
            assert_eq!(file.code, Some(0), "{}", file.stderr);
            assert_eq!(pipe.stderr.replace("stdin:", "stdin.jsonl:"), file.stderr);
            let name = |name: &str| if output == "-" { format!("{name}.out") } else { name.to_owned() };
            assert!(!sandbox.bytes(&name("file")).is_empty(), "{format}");
            assert!(sandbox.bytes(&name("pipe")) == sandbox.bytes(&name("file")), "{format}");
            assert_eq!(told(&sandbox.read("pipe.json")), told(&sandbox.read("file.json")));
        }
    }
}

#[test]
fn errors_are_those_of_a_file() {
    let sandbox = indexed(5);
    let one = record("a", &words(0..30));
    for (flags, input) in [
        ("", one.clone() + "oops\n" + &one),
        ("--on-error skip --input-format jsonl", "oops\nno record\n".to_owned()),
        ("", record("a", "!") + &record("b", "?")),
        ("--id-field name", one.clone()),
        ("--text-field body", one.clone()),
        ("", "id,text\na,b\n".to_owned()),
        ("", String::new()),
        ("--input-format jsonl", "\n\n".to_owned()),
    ] {
        sandbox.write("stdin.jsonl", &input);
        let file = sandbox.run(&format!("search stdin.jsonl --in corpus.idx {flags} -o rows.csv"));
        let name = if input.starts_with("id,") { "stdin.csv" } else { "stdin.jsonl" };
        let file = match name {
            "stdin.csv" => {
                sandbox.write(name, &input);
                sandbox.run(&format!("search {name} --in corpus.idx {flags} -o rows.csv"))
            }
            _ => file,
        };
        let pipe = sandbox.run_with_input(&format!("search - --in corpus.idx {flags} -o piped.csv"), input.as_bytes());
        let said = |said: &str| said.replace("standard input", "stdin").replace(name, "stdin");
        assert_eq!((pipe.code, said(&pipe.stderr)), (file.code, said(&file.stderr)), "{flags} {input:?}");
        assert_eq!(sandbox.path("piped.csv").exists(), file.code == Some(0), "{flags} {input:?}");
        let _ = (std::fs::remove_file(sandbox.path("piped.csv")), std::fs::remove_file(sandbox.path("rows.csv")));
    }
}

#[test]
fn compressed_and_other_inputs_are_read_as_a_whole() {
    let sandbox = indexed(5);
    let text = words(0..30);
    let search = "search - --in corpus.idx -k 1 --format csv";
    let rows = "query,rank,id,similarity,reason\na,1,d0,1.0,identical\n";
    let packed = zstd::encode_all(record("a", &text).as_bytes(), 0).unwrap();
    assert_eq!(sandbox.run_with_input(search, &packed).stdout, rows);
    let search_lines = format!("{search} --input-format jsonl");
    assert_eq!(sandbox.run_with_input(&search_lines, &packed).stdout, rows);
    assert_eq!(sandbox.run_with_input(search, format!("id,text\na,{text}\n").as_bytes()).stdout, rows);
    // A text is one document, however many lines it has.
    let lines = text.replace(" w20 ", "\nw20 ");
    assert_eq!(sandbox.run_with_input(search, lines.as_bytes()).stdout.lines().count(), 2);
}

#[cfg(unix)]
#[test]
fn ctrl_c_and_a_reader_that_leaves_end_the_waiting() {
    let sandbox = indexed(5);
    let mut child = begin(&sandbox, "search - --in corpus.idx -k 1 -o rows.csv");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(record("a", &words(0..30)).as_bytes()).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    interrupt(&child);
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!((run.code, sandbox.path("rows.csv").exists()), (Some(130), false), "{}", run.stderr);
    drop(stdin);

    let mut child = begin(&sandbox, "search - --in corpus.idx -k 1");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(record("a", &words(0..30)).as_bytes()).unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut String::new()).unwrap();
    drop(stdout);
    // A process that another test begins holds the pipe's end for a moment, too: an answer may still have a reader.
    while stdin.write_all(record("a", &words(0..30)).as_bytes()).is_ok() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!((run.code, &*run.stderr), (Some(0), ""));
}
