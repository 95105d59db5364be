//! Records of one format written in another: tables of text, crawls, text files, sets of items.

use crate::common::{Sandbox, record, rows, words};
use crate::inputs::formats::warc;
use serde_json::{Value, json};

fn table(delimiter: char) -> String {
    let row = |cells: [&str; 3]| cells.join(&delimiter.to_string()) + "\n";
    row(["id", "text", "note"])
        + &row(["a", &words(0..20), "\"x \"\"y\"\"\""])
        + &row(["b", &words(0..20), ""])
        + &row(["007", "\"two\nlines\"", "1.50"])
}

#[test]
fn cells_of_tables_are_strings_and_come_back_as_they_were() {
    for (extension, delimiter) in [("csv", ','), ("tsv", '\t')] {
        let sandbox = Sandbox::with(&format!("in.{extension}"), table(delimiter));
        let kept = sandbox.succeed(&format!("dedup in.{extension} -o -")).stdout;
        for format in ["parquet", "arrow", "jsonl"] {
            sandbox.succeed(&format!("dedup in.{extension} -o out.{format}"));
            sandbox.writes(&format!("dedup out.{format} -o back.{extension}"), &format!("back.{extension}"), &kept);
        }
        let expected = [
            json!({"id": "a", "text": words(0..20), "note": "x \"y\""}),
            json!({"id": "007", "text": "two\nlines", "note": "1.50"}),
        ];
        assert_eq!(rows::<Value>(&sandbox.read("out.jsonl")), expected);
        for (format, head) in [("jsonl.gz", &b"\x1F\x8B"[..]), ("csv.zst", b"\x28\xB5\x2F\xFD")] {
            sandbox.succeed(&format!("dedup in.{extension} -o out.{format}"));
            assert!(sandbox.bytes(&format!("out.{format}")).starts_with(head), "{format}");
        }
    }
}

#[test]
fn numbers_that_no_double_is_are_kept_as_they_are_written() {
    let number = |id: usize, n: &str| format!("{{\"id\":\"{id}\",\"text\":\"text {id}\",\"n\":{n}}}\n");
    let numbers = ["1e-400", "3.14159265358979323846", "1e400", "1.50"];
    let all: String = (0..).zip(numbers).map(|(id, n)| number(id, n)).collect();
    let sandbox = Sandbox::with("in.jsonl", all);
    for format in ["csv", "tsv", "parquet", "arrow"] {
        sandbox.succeed(&format!("dedup in.jsonl -o out.{format}"));
        let back = rows::<Value>(&sandbox.succeed(&format!("dedup out.{format} -o - --format jsonl")).stdout);
        let found: Vec<&str> = back.iter().map(|record| record["n"].as_str().unwrap()).collect();
        assert_eq!(found, numbers, "{format}");
    }
    // Another spelling of a double is no other number.
    sandbox.write("exact.jsonl", number(1, "1.50") + &number(2, "1e2") + &number(3, "7"));
    sandbox.succeed("dedup exact.jsonl -o exact.parquet");
    let back = rows::<Value>(&sandbox.succeed("dedup exact.parquet -o - --format jsonl").stdout);
    assert_eq!(back.iter().map(|record| record["n"].as_f64().unwrap()).collect::<Vec<_>>(), [1.5, 100.0, 7.0]);
}

#[test]
fn annotations_follow_the_format_that_is_written() {
    let sandbox = Sandbox::with("in.csv", table(','));
    sandbox.write("nothing.jsonl", "");
    sandbox.succeed("dedup in.csv -o out.jsonl --annotate");
    let fate = json!({"duplicate": true, "kept": "a", "similarity": 1.0, "cluster_size": 2});
    assert_eq!(rows::<Value>(&sandbox.read("out.jsonl"))[1]["lookalike"], fate);
    sandbox.succeed("dedup in.csv -o direct.csv --annotate");
    for format in ["parquet", "arrow", "tsv"] {
        sandbox.succeed(&format!("dedup in.csv -o out.{format} --annotate"));
        sandbox.succeed(&format!("dedup out.{format} -o back.csv --against nothing.jsonl"));
        assert_eq!(sandbox.read("back.csv"), sandbox.read("direct.csv"), "{format}");
    }
}

#[test]
fn rows_without_ids_and_tables_without_rows_stay_so() {
    let sandbox = Sandbox::with("in.csv", "id,text\n,one text\n,another\n");
    sandbox.succeed("dedup in.csv -o out.parquet");
    assert_eq!(sandbox.succeed("pairs out.parquet").stdout, "");
    sandbox.writes("dedup out.parquet -o out.csv", "out.csv", "id,text\n,one text\n,another\n");
    for (name, content) in [("header.csv", "id,text,note\n"), ("nothing.csv", "")] {
        sandbox.write(name, content);
        sandbox.succeed(&format!("dedup {name} -o none.parquet"));
        sandbox.succeed("dedup none.parquet -o none.csv");
        assert!(sandbox.read("none.csv").starts_with("id,text"), "{name}");
    }
    sandbox.write("twice.csv", "id,text,note,note\n1,x,y,z\n");
    sandbox.succeed("dedup twice.csv -o same.csv");
    sandbox.refused("dedup twice.csv -o other.parquet", "twice.csv has two columns `note`; rename one of them");
}

#[test]
fn pages_of_a_crawl_become_records() {
    let page = |target: &str, text: &str| {
        let body = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{text}");
        let record = warc("response", target, "application/http", &body);
        record.replacen("\r\n", "\r\nWARC-Date: 2024-05-01T00:00:00Z\r\n", 1)
    };
    let crawl = [page("http://a/", &words(0..20)), page("http://b/", &words(0..20)), page("http://c/", "x, y")];
    let sandbox = Sandbox::with("in.warc", warc("request", "http://a/", "text/plain", "GET") + &crawl.concat());
    let date = "2024-05-01T00:00:00Z";
    sandbox.succeed("dedup in.warc -o out.csv");
    let expected =
        format!("id,url,date,text\nhttp://a/,http://a/,{date},{}\nhttp://c/,http://c/,{date},\"x, y\"\n", words(0..20));
    assert_eq!(sandbox.read("out.csv"), expected);
    for format in ["parquet", "arrow", "jsonl.gz"] {
        sandbox.succeed(&format!("dedup in.warc -o out.{format}"));
        sandbox.writes(&format!("dedup out.{format} -o back.csv"), "back.csv", &expected);
    }
    sandbox.succeed("dedup in.warc -o ids.jsonl --id-field WARC-Record-ID --annotate");
    let found = rows::<Value>(&sandbox.read("ids.jsonl"));
    assert_eq!((&found[1]["id"], &found[1]["url"]), (&json!("<urn:response:http://b/>"), &json!("http://b/")));
    assert_eq!(found[1]["lookalike"]["kept"], "<urn:response:http://a/>");
    sandbox.refused(
        "dedup out.csv -o out.warc",
        "cannot write out.warc: CSV cannot be turned into what this extension says; .jsonl, .csv, .tsv, .parquet and \
         .arrow can be made",
    );
}

#[test]
fn text_files_of_a_folder_become_one_file_if_that_is_asked_for() {
    let sandbox = Sandbox::with("in/a.txt", words(0..20));
    sandbox.write("in/deep/b.html", format!("<p>{}</p>", words(0..20)));
    sandbox.write("in/deep/c.html", "other &amp; more");
    sandbox.write("in/d.csv", "id,text\nd,yet another\n");
    sandbox.write("single.txt", "only one");
    sandbox.succeed("dedup in single.txt -o out --format jsonl");
    assert_eq!(sandbox.names_in("out/"), ["out/in.jsonl", "out/in/d.jsonl", "out/texts.jsonl"]);
    let expected =
        [json!({"id": "in/a.txt", "text": words(0..20)}), json!({"id": "in/deep/c.html", "text": "other & more"})];
    assert_eq!(rows::<Value>(&sandbox.read("out/in.jsonl")), expected);
    assert_eq!(rows::<Value>(&sandbox.read("out/texts.jsonl")), [json!({"id": "single.txt", "text": "only one"})]);
    sandbox.succeed("dedup in -o all --format tsv --annotate");
    assert!(sandbox.read("all/in.tsv").contains("deep/b.html\t"), "{}", sandbox.read("all/in.tsv"));
}

#[test]
fn sets_of_items_become_records() {
    let sandbox = Sandbox::with("in.txt", "milk , bread\nbread,milk\n\nrye bread,butter\n");
    sandbox.writes("dedup in.txt -o out.txt --items=,", "out.txt", "milk , bread\nrye bread,butter\n");
    sandbox.succeed("dedup in.txt -o out.jsonl --items=,");
    let expected = [
        json!({"id": "in.txt:1", "text": ["milk", "bread"]}),
        json!({"id": "in.txt:4", "text": ["rye bread", "butter"]}),
    ];
    assert_eq!(rows::<Value>(&sandbox.read("out.jsonl")), expected);
    sandbox.succeed("dedup in.txt -o out.csv --items=, --annotate");
    assert!(
        sandbox.read("out.csv").contains("in.txt:2,\"bread,milk\",true,in.txt:1,1.0,2\n"),
        "{}",
        sandbox.read("out.csv")
    );
    sandbox.succeed("dedup in.txt -o out.parquet --items=,");
    sandbox.succeed("dedup out.parquet -o back.jsonl --items");
    assert_eq!(rows::<Value>(&sandbox.read("back.jsonl")), expected);
}

#[test]
fn records_with_thousands_of_fields_become_rows_or_are_refused_with_their_number() {
    let sandbox = Sandbox::new();
    // A hundred fields of its own in each record.
    let wide = |records: usize| -> String {
        let fields = |record: usize| (0..100).map(move |field| format!(",\"f{}\":{field}", record * 100 + field));
        let line = |record| format!("{{\"text\":\"{record}\"{}}}\n", fields(record).collect::<String>());
        (0..records).map(line).collect()
    };
    sandbox.write("wide.jsonl", wide(40));
    for format in ["csv", "parquet"] {
        sandbox.succeed(&format!("dedup wide.jsonl -o out.{format}"));
        sandbox.succeed(&format!("dedup out.{format} -o back.jsonl"));
        let back = rows::<Value>(&sandbox.read("back.jsonl"));
        let value = &back[39]["f3999"];
        assert!(back.len() == 40 && (value == 99 || value == "99"), "{format}: {value}");
    }
    sandbox.write("wider.jsonl", wide(80));
    sandbox.succeed("dedup wider.jsonl -o out.csv");
    sandbox.refused("dedup wider.jsonl -o wider.parquet", "...its records have 8001 fields...");
}

#[test]
fn records_in_columns_say_what_their_choice_depends_on() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "one two three") + &record("b", "one two three"));
    let said = |name: &str| {
        let bytes = sandbox.bytes(name);
        let words = String::from_utf8_lossy(&bytes);
        (words.matches(r#"{"command":"dedup""#).count(), words.contains(r#""threshold":0.9"#))
    };
    for format in ["parquet", "arrow"] {
        let first = format!("first.{format}");
        let second = format!("second.{format}");
        sandbox.succeed(&format!("dedup in.jsonl -o {first}"));
        assert_eq!(said(&first), (1, false), "{format}");
        assert!(!String::from_utf8_lossy(&sandbox.bytes(&first)).contains("in.jsonl"), "{format}: no paths");
        sandbox.succeed(&format!("dedup {first} -o {second} -t 0.9"));
        assert_eq!(said(&second), (1, true), "{format}: in place of the first");
        sandbox.succeed(&format!("dedup {first} {second} -o joined.{format} -t 0.9"));
        assert_eq!(said(&format!("joined.{format}")), (1, true), "{format}");
    }
}

#[test]
fn records_in_a_file_that_is_read_as_one_text_are_refused() {
    let lines = record("a", "one two") + &record("b", "three four");
    let sandbox = Sandbox::with("in.jsonl", &lines);
    sandbox.refuse_all("outputs/records_in_a_file_that_is_read_as_one_text_are_refused");
    // Who says the format knows what is in the file; and what comes from such a file goes into one.
    sandbox.writes("dedup in.jsonl -o said.txt --format jsonl", "said.txt", &lines);
    sandbox.writes("dedup said.txt --input-format jsonl -o again.txt", "again.txt", &lines);
}
