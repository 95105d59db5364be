//! Texts and fields that an index stores beside the sets.

use crate::common::{Sandbox, rows};
use serde_json::{Value, json};

/// Three records, the second without a date.
const OLD: &str = concat!(
    r#"{"id":"a","text":"one two three four five six","url":"http://a","n": 1.50,"date":"2026-01-01"}"#,
    "\n",
    r#"{"id":"b","text":"seven eight nine ten eleven twelve","url":"http://b","n": 2.25}"#,
    "\n",
    r#"{"id":"c","text":"c d e \"f\" ü h","url":"http://c","n": 1e3,"date":null}"#,
    "\n",
);

fn get(sandbox: &Sandbox, index: &str, ids: &str) -> Vec<Value> {
    rows(&sandbox.succeed(&format!("index get {index} {ids}")).stdout)
}

fn fields(sandbox: &Sandbox, index: &str, id: &str) -> Value {
    get(sandbox, index, id)[0]["fields"].clone()
}

#[test]
fn fields_and_texts_come_back_from_every_format() {
    let sandbox = Sandbox::with("in.jsonl", OLD);
    sandbox.write("in.json", format!("[{}]", OLD.trim_end().replace('\n', ",\n").replace(r#""n""#, "\n \"n\"")));
    for to in ["csv", "tsv", "parquet", "arrow"] {
        sandbox.succeed(&format!("dedup in.jsonl -o in.{to}"));
    }
    for from in ["jsonl", "json", "csv", "tsv", "parquet", "arrow"] {
        let index = format!("{from}.idx");
        sandbox.says(
            &format!("index create {index} in.{from} --store url,date --store n --store-texts"),
            "3 documents added...",
        );
        let known = get(&sandbox, &index, "a b c");
        let texts: Vec<&str> = known.iter().map(|document| document["text"].as_str().unwrap()).collect();
        let expected = ["one two three four five six", "seven eight nine ten eleven twelve", "c d e \"f\" ü h"];
        assert_eq!(texts, expected, "{from}");
        let number = known[0]["fields"]["n"].clone();
        assert_eq!(number, if from.ends_with("sv") { json!("1.5") } else { json!(1.5) }, "{from}");
        assert_eq!(known[1]["fields"]["url"], "http://b", "{from}");
        // What a record lacks is absent; a column has a value for each.
        let date = known[1]["fields"].get("date").cloned();
        let expected = match from {
            "jsonl" | "json" => None,
            "csv" | "tsv" => Some(json!("")),
            _ => Some(Value::Null),
        };
        assert_eq!(date, expected, "{from}");
        sandbox.says(&format!("index verify {index}"), "...every byte...");
    }
    let line = sandbox.succeed("index get jsonl.idx c").stdout;
    let expected = concat!(
        r#"{"id":"c","elements":2,"characters":13,"expires":null,"#,
        r#""fields":{"url":"http://c","date":null,"n":1e3},"text":"c d e \"f\" ü h"}"#
    );
    assert_eq!(line.trim_end(), expected);
    sandbox.answers("index info jsonl.idx", "...stored beside them             texts; fields url, date, n\n...");
    let info = sandbox.succeed("index info jsonl.idx --json").stdout;
    assert!(info.contains(r#""texts":true,"fields":["url","date","n"]"#), "{info}");
}

#[test]
fn answers_tell_the_fields() {
    let sandbox = Sandbox::with("in.jsonl", OLD);
    sandbox.succeed("index create news.idx in.jsonl -t 0.5 --store url,n");
    let search = |format: &str| sandbox.succeed(&format!("search in.jsonl --in news.idx --format {format}")).stdout;
    let first = search("jsonl").lines().next().unwrap().to_owned();
    let expected = concat!(
        r#"{"query":"a","rank":1,"id":"a","similarity":1.0,"reason":"identical","#,
        r#""fields":{"url":"http://a","n":1.50}}"#
    );
    assert_eq!(first, expected);
    let table = search("csv");
    let expected = "query,rank,id,similarity,reason,fields\n\
                    a,1,a,1.0,identical,\"{\"\"url\"\":\"\"http://a\"\",\"\"n\"\":1.50}\"\n";
    assert!(table.starts_with(expected), "{table}");
    for format in ["parquet", "arrow"] {
        sandbox.succeed(&format!("search in.jsonl --in news.idx -o rows.{format}"));
        let columns =
            format!("dedup rows.{format} --id-field query --text-field fields --shingle word:1 -o {format}.jsonl");
        sandbox.succeed(&columns);
        let found: Vec<Value> = rows(&sandbox.read(&format!("{format}.jsonl")));
        assert_eq!(found[0]["fields"], r#"{"url":"http://a","n":1.50}"#, "{format}");
    }
    sandbox.write("more.jsonl", "{\"id\":\"d\",\"text\":\"one two three four five six x\",\"url\":\"http://d\"}\n");
    sandbox.succeed("index add news.idx more.jsonl");
    let of_id: Vec<Value> = rows(&sandbox.succeed("search --id d --in news.idx").stdout);
    assert_eq!((&of_id[0]["id"], &of_id[0]["fields"]["url"]), (&json!("a"), &json!("http://a")));
    // Several inputs are read as sets.
    let all: Vec<Value> = rows(&sandbox.succeed("search in.jsonl --in news.idx more.jsonl").stdout);
    assert!(all.iter().all(|row| row.get("fields").is_none()));
}

#[test]
fn what_is_stored_survives_every_change() {
    let sandbox = Sandbox::with("in.jsonl", OLD);
    sandbox.succeed("index create news.idx in.jsonl -t 0.5 --store url --store-texts");
    sandbox.write("new.jsonl", "{\"id\":\"a\",\"text\":\"red green blue white black\",\"url\":[\"x\", {\"y\": 1}]}\n");
    sandbox.succeed("index add news.idx new.jsonl");
    let near = "{\"id\":\"d\",\"text\":\"Red green blue white black!\",\"url\":\"near\"}\n";
    let other = "{\"id\":\"e\",\"text\":\"nothing like the others is in here\",\"url\":\"other\"}\n";
    sandbox.write("more.jsonl", [near, other].concat());
    sandbox.succeed("index add news.idx more.jsonl --unless-near");
    sandbox.write(
        "tonight.jsonl",
        near.replace("\"d\"", "\"f\"") + &other.replace("\"e\"", "\"g\"").replace("in here", ""),
    );
    let tonight = sandbox.read("tonight.jsonl") + "{\"id\":\"h\",\"text\":\"a fresh page of tonight\",\"url\":7}\n";
    sandbox.write("tonight.jsonl", tonight);
    sandbox.succeed("dedup tonight.jsonl --against news.idx --add -t 0.5 -o fresh.jsonl");
    let check = |index: &str| {
        assert_eq!(fields(&sandbox, index, "a"), json!({"url": ["x", {"y": 1}]}), "{index}");
        assert_eq!(fields(&sandbox, index, "b"), json!({"url": "http://b"}), "{index}");
        assert_eq!(fields(&sandbox, index, "e"), json!({"url": "other"}), "{index}");
        let fresh = &get(&sandbox, index, "h")[0];
        assert_eq!(
            (&fresh["fields"]["url"], &fresh["text"]),
            (&json!(7), &json!("a fresh page of tonight")),
            "{index}"
        );
        assert_eq!(get(&sandbox, index, "a")[0]["text"], "red green blue white black", "{index}");
        assert!(sandbox.succeed(&format!("index verify {index}")).stderr.contains("every byte"), "{index}");
    };
    check("news.idx");
    sandbox.succeed("index backup news.idx copy.idx");
    check("copy.idx");
    sandbox.succeed("index compact news.idx");
    check("news.idx");
    // An index that stores the same is an input of another.
    sandbox.succeed("index create again.idx news.idx --store url --store-texts");
    check("again.idx");
    sandbox.succeed("index create alone.idx news.idx");
    assert!(get(&sandbox, "alone.idx", "a")[0].get("fields").is_none());
}

#[test]
fn files_of_the_job_take_what_memory_does_not_hold() {
    let sandbox = Sandbox::new();
    let record = |number: usize| {
        let words: Vec<String> = (0..40).map(|word| format!("w{}", number * 17 + word * word)).collect();
        format!("{{\"id\":\"d{number}\",\"url\":\"http://{number}\",\"text\":\"{}\"}}\n", words.join(" "))
    };
    sandbox.write("in.jsonl", (0..30_000).map(record).collect::<String>());
    let create = "index create {} in.jsonl --store url --store-texts";
    sandbox.succeed(&create.replace("{}", "large.idx"));
    sandbox.succeed(&(create.replace("{}", "small.idx") + " --memory 32MiB"));
    sandbox.succeed(&(create.replace("{}", "work.idx") + " --work-dir work"));
    for index in ["large.idx", "small.idx", "work.idx"] {
        for number in [0, 17_000, 29_999] {
            let document = &get(&sandbox, index, &format!("d{number}"))[0];
            assert_eq!(document["fields"]["url"], format!("http://{number}"), "{index}");
            assert!(record(number).contains(document["text"].as_str().unwrap()), "{index}");
        }
    }
}

#[test]
fn what_cannot_be_stored_is_refused() {
    let sandbox = Sandbox::with("in.jsonl", OLD);
    sandbox.write("page.txt", "one two three four five six");
    sandbox.succeed("snapshot in.jsonl -o in.snapshot");
    sandbox.succeed("index create sets.idx in.jsonl");
    sandbox.succeed("index create dates.idx in.jsonl --store date --store-texts");
    sandbox.write("other.jsonl", "{\"id\":\"x\",\"text\":\"a b c\",\"dates\":1}\n");
    sandbox.refuse_all("questions/what_cannot_be_stored_is_refused");
    assert_eq!(get(&sandbox, "dates.idx", "a b c").len(), 3);
}

#[test]
fn crawled_pages_have_their_address_and_date() {
    let sandbox = Sandbox::new();
    let body = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\none two three four five six";
    let page = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\
         WARC-Record-ID: <urn:1>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n\
         {body}\r\n\r\n",
        body.len()
    );
    sandbox.write("in.warc", page);
    sandbox.succeed("index create web.idx in.warc --store url,date,WARC-Record-ID");
    let expected = json!({"url": "http://a/", "date": "2026-01-01T00:00:00Z", "WARC-Record-ID": "<urn:1>"});
    assert_eq!(fields(&sandbox, "web.idx", "http://a/"), expected);
}

#[test]
fn signatures_answer_with_estimates_and_nothing_is_verified_by_them() {
    let words = |number: usize| (0..60).map(|place| format!("w{}", number * 100 + place)).collect::<Vec<_>>();
    let record = |id: String, words: Vec<String>| format!("{{\"id\":\"{id}\",\"text\":\"{}\"}}\n", words.join(" "));
    let records: String = (0..1500).map(|number| record(format!("d{number}"), words(number))).collect();
    let sandbox = Sandbox::with("in.jsonl", records);
    sandbox.succeed("index create small.idx in.jsonl --signatures");
    let info: Value = serde_json::from_str(&sandbox.succeed("index info small.idx --json").stdout).unwrap();
    assert!(info["bytes"].as_u64().unwrap() < 400 * 1500, "{info}");
    sandbox.answers("index info small.idx", "...signatures: answers are estimates...");
    let mut near = words(7);
    near[59] = "other".to_owned();
    sandbox.write("queries.jsonl", record("q".to_owned(), near) + &record("r".to_owned(), words(9)));
    let rows = sandbox.succeed("search queries.jsonl --in small.idx").stdout;
    let rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!(rows.iter().map(|row| &row["id"]).collect::<Vec<_>>(), ["d7", "d9"]);
    // 55 shingles are common, and one is of each alone.
    let [low, high] = ["interval_low", "interval_high"].map(|name| rows[0][name].as_f64().unwrap());
    assert!((low..=high).contains(&(55.0 / 57.0)) && rows[0].get("similarity").is_none(), "{}", rows[0]);
    assert_eq!((&rows[1]["estimated_similarity"], &rows[1]["reason"]), (&json!(1.0), &json!("identical")));
    // A pair at 0.8 is estimated below it as often as above: it is an answer, and marked.
    let near: String = (0..200)
        .map(|number| record(format!("p{number}"), [&words(number)[..52], &words(9000 + number)[..4]].concat()))
        .collect();
    sandbox.write("pairs.jsonl", near);
    let rows = sandbox.succeed("search pairs.jsonl --in small.idx -t 0.8").stdout;
    let rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let is_uncertain = |row: &&Value| row["reason"] == "uncertain";
    assert!(rows.len() > 185 && rows.iter().filter(is_uncertain).count() > 5, "{}", rows.len());
    for row in &rows {
        let [estimate, high] = ["estimated_similarity", "interval_high"].map(|name| row[name].as_f64().unwrap());
        assert!(high >= 0.8 && (estimate < 0.8) == is_uncertain(&row), "{row}");
    }
    let csv = sandbox.succeed("search queries.jsonl --in small.idx --format csv").stdout;
    assert!(csv.starts_with("query,rank,id,estimated_similarity,interval_low,interval_high,reason\n"), "{csv}");
    sandbox.succeed("index add small.idx queries.jsonl");
    sandbox.succeed("index remove small.idx r");
    sandbox.succeed("index compact small.idx");
    sandbox.says("index verify small.idx", "...every byte...");
    sandbox.refuse_all("questions/signatures_answer_with_estimates_and_nothing_is_verified_by_them");
}
