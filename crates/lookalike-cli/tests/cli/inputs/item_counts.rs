//! Items with counts: in every spelling and format, and what is no count; the suite has their weighted Jaccard.

use crate::common::{Pair, Sandbox, record, rows};
use serde_json::{Value, json};

#[test]
fn spellings_and_formats_say_the_same_counts() {
    let objects = concat!(
        "{\"id\":\"0\",\"text\":{\"i:1\":2,\"i:2\":900}}\n{\"id\":\"1\",\"text\":{\"i:1\":3,\"i:2\":600}}\n",
        "{\"id\":\"2\",\"text\":{\"i:3\":1}}\n{\"id\":\"3\",\"text\":{\"i:3\":1,\"i:4\":1}}\n",
    );
    let sandbox = Sandbox::with("objects.jsonl", objects);
    let lists = [["i:1:2", "i:2:900"], ["i:1:3", "i:2:600"], ["i:3:1", "i:9:0"], ["i:3:1", "i:4:1"]];
    let write = |name: &str, value: fn([&str; 2]) -> Value| {
        let record = |(id, list): (u32, _)| json!({"id": id.to_string(), "text": value(list)}).to_string() + "\n";
        sandbox.write(name, (0..).zip(lists).map(record).collect::<String>());
    };
    write("lists.jsonl", |list| json!(list));
    write("strings.jsonl", |list| json!(list.join(" ")));
    // The same item several times: its counts are added.
    write("ones.jsonl", |list| {
        let split = |item: &str| {
            let (name, count) = item.rsplit_once(':').unwrap();
            let count: u64 = count.parse().unwrap();
            [format!("{name}:{}", count.saturating_sub(1)), format!("{name}:{}", count.min(1))]
        };
        json!(list.map(split).concat())
    });
    // Copies that stand one by one are the same bag.
    write("copies.jsonl", |list| {
        let copies = |item: &str| {
            let (name, count) = item.rsplit_once(':').unwrap();
            vec![name.to_owned(); count.parse().unwrap()]
        };
        json!(list.map(copies).concat())
    });
    let expected = [("0", "1", 602.0 / 903.0), ("2", "3", 0.5)];
    let check = |arguments: &str| {
        let found: Vec<Pair> = rows(&sandbox.succeed(&format!("pairs {arguments} -t 0.5")).stdout);
        let found: Vec<_> = found.iter().map(|pair| (&*pair.a, &*pair.b, pair.similarity)).collect();
        assert_eq!(found, expected, "{arguments}");
    };
    let flags = "--items --item-counts";
    for input in ["objects", "lists", "strings", "ones"] {
        check(&format!("{input}.jsonl {flags}"));
        for format in ["jsonl", "csv", "tsv", "parquet", "arrow"] {
            sandbox.succeed(&format!("dedup {input}.jsonl {flags} -o out.{format} --annotate"));
            check(&format!("out.{format} {flags}"));
        }
    }
    check("copies.jsonl --items --bag");
    check(&format!("objects.jsonl {flags} --memory 64MiB --check-texts"));
}

#[test]
fn lines_with_counts_are_read_and_converted() {
    let sandbox = Sandbox::with("in.txt", "apple:2 pear:1\npear:1 apple:1 apple:1 fig:0\nfig:2 pear:1\n");
    let flags = "--items --item-counts";
    sandbox.succeed(&format!("dedup in.txt {flags} -o out.txt --removed r.csv"));
    assert_eq!(sandbox.read("out.txt"), "apple:2 pear:1\nfig:2 pear:1\n");
    assert_eq!(sandbox.read("r.csv"), "id,kept,similarity,reason\nin.txt:2,in.txt:1,1.0,equal\n");
    sandbox.succeed(&format!("dedup in.txt {flags} -o out.parquet"));
    sandbox.succeed(&format!("dedup out.parquet {flags} -o out.csv"));
    assert_eq!(sandbox.read("out.csv"), "id,text\nin.txt:1,apple:2 pear:1\nin.txt:3,fig:2 pear:1\n");
    let copies = sandbox.succeed(&format!("checksum in.txt {flags}")).stdout;
    assert_eq!(copies.lines().count(), 2, "{copies}");
}

#[test]
fn common_items_are_compared_with_their_counts() {
    let sandbox = Sandbox::with(
        "in.jsonl",
        concat!(
            r#"{"id":"a","text":{"rye bread":2,"milk":1,"":3,"tab\t":1}}"#,
            "\n",
            r#"{"id":"b","text":{"milk":1,"rye bread":5,"tea":4}}"#,
            "\n",
        ),
    );
    let compare = "compare in.jsonl:a in.jsonl:b --items --item-counts";
    let text = sandbox.succeed(compare).stdout;
    let expected = "\
near-duplicates at 0.8: no, Jaccard 0.214

A  in.jsonl:a: 7 items
B  in.jsonl:b: 10 items

Jaccard              0.2143   3 common items of 14
containment of A     0.4286   share of A that is in B
containment of B     0.3000   share of B that is in A

common items: 2
    rye bread  (2 in A, 5 in B)
    milk
only in A: 2
    \"\"  (3)
    \"tab\\t\"
only in B: 1
    tea  (4)
";
    assert_eq!(text, expected);
    let found: Value = serde_json::from_str(&sandbox.succeed(&format!("{compare} --format json")).stdout).unwrap();
    let common = json!([{"item": "rye bread", "left": 2, "right": 5}, {"item": "milk", "left": 1, "right": 1}]);
    assert_eq!(found["items"]["common"], common);
    assert_eq!(found["items"]["only_right"], json!([{"item": "tea", "count": 4}]));
    sandbox.write("texts.jsonl", record("a", "x") + &record("b", "y"));
    assert!(!sandbox.succeed("compare texts.jsonl:a texts.jsonl:b --format json").stdout.contains("items"));
}

#[test]
fn wrong_counts_are_named_by_file_and_line() {
    let whole = "counts are whole numbers from 0 on";
    for (text, words) in [
        (r#"{"a":-1}"#, format!("item `a` has the count `-1`; {whole}")),
        (r#"{"a":1.5}"#, format!("item `a` has the count `1.5`; {whole}")),
        (r#"{"a":null}"#, format!("item `a` has the count `null`; {whole}")),
        (r#"{"a":"2"}"#, format!("item `a` has the count `\"2\"`; {whole}")),
        (
            r#"{"a":65536}"#,
            "item `a` has the count 65536, above the maximum of 65535; scale the counts down".to_owned(),
        ),
        (r#"{"a":4294967296}"#, "item `a` has the count 4294967296, above the maximum".to_owned()),
        (r#"["a:-1"]"#, format!("item `a` has the count `-1`; {whole}")),
        (r#"["a"]"#, "item `a` has no count; write it as ITEM:COUNT".to_owned()),
        (r#""a:2 b""#, "item `b` has no count; write it as ITEM:COUNT".to_owned()),
        (r#""a:99999999999999999999""#, "item `a` has the count 99999999999999999999, above".to_owned()),
    ] {
        let sandbox = Sandbox::with("in.jsonl", format!("{{\"text\":\"a:1\"}}\n{{\"text\":{text}}}\n"));
        sandbox.refused("pairs in.jsonl --items --item-counts", &format!("in.jsonl:2: {words}..."));
        sandbox.says("pairs in.jsonl --items --item-counts --on-error skip", "...in.jsonl:2: item...");
    }
    let sandbox = Sandbox::with("in.jsonl", "{\"id\":1,\"text\":{\"a\":1},\"wrong\":{\"a\":2.5}}\n");
    sandbox.refuse_all("inputs/wrong_counts_are_named_by_file_and_line");
    sandbox.write("in.csv", "id,text\n1,a:1\n2,\"a:1 b:-7\"\n");
    sandbox.refused("pairs in.csv --items --item-counts", "in.csv:3: item `b` has the count `-7`...");
    sandbox.write("sum.jsonl", "{\"text\":\"a:60000 b:60000\"}\n");
    sandbox.refused(
        "pairs sum.jsonl --items --item-counts --max-document 100KB",
        "sum.jsonl:1: its counts sum to 120000, more...--max-document...",
    );
}

#[test]
fn maps_with_fractions_or_nulls_are_refused() {
    let sandbox = Sandbox::with("in.jsonl", "{\"id\":1,\"text\":{\"a\":1,\"b\":2}}\n");
    for format in ["parquet", "arrow"] {
        sandbox.succeed(&format!("dedup in.jsonl --items --item-counts -o in.{format}"));
        sandbox.refused(&format!("pairs in.{format} --items"), "...of type Map...--item-counts...");
    }
}

/// Short records with large counts: far more elements than bytes.
#[test]
fn large_counts_stay_within_the_budget() {
    let line = |id: u64| json!({"id": id.to_string(), "text": {"a": 65_535, "b": 65_535 - id}}).to_string() + "\n";
    let sandbox = Sandbox::with("in.jsonl", (0..300).map(line).collect::<String>());
    let flags = "--items --item-counts -t 0.99 --memory 64MiB --threads 2 --summary s.json";
    sandbox.succeed(&format!("dedup in.jsonl {flags} -o out.jsonl"));
    assert_eq!(sandbox.read("out.jsonl").lines().count(), 1);
    let summary = sandbox.json("s.json");
    assert!(summary["peak_bytes"].as_u64().is_none_or(|peak| peak < 128 << 20), "{}", summary["peak_bytes"]);
}

/// Copies are elements of a set only where the measure compares them one by one.
#[test]
fn too_many_copies_are_refused_where_each_is_compared() {
    let text = |last: u64| json!({"a": 65_535, "b": 65_535, "c": 65_535, "d": 65_535, "e": last});
    let line = |id: u64| json!({"id": id.to_string(), "text": text(10 + id)});
    let sandbox = Sandbox::with("in.jsonl", (0..3).map(|id| line(id).to_string() + "\n").collect::<String>());
    let command = "pairs in.jsonl --items --item-counts";
    let reason = "its counts make more than 262144 copies of items beyond the first of each, too many to compare one \
                  by one; scale the counts down (--measure cosine --weights tf compares counts as they are";
    sandbox.refused(command, &format!("in.jsonl:1: {reason};..."));
    assert!(sandbox.refuse(&format!("{command} --on-error skip")).contains("in.jsonl:3: its counts"));
    let flags = "--items --item-counts --measure cosine --weights tf -t 0.99";
    assert_eq!(sandbox.succeed(&format!("pairs in.jsonl {flags}")).stdout.lines().count(), 3);
    // Of one item, this many are taken.
    let fewer = json!({"id": "0", "text": text(9)});
    sandbox.write("fewer.jsonl", format!("{fewer}\n{fewer}\n"));
    assert_eq!(sandbox.succeed("pairs fewer.jsonl --items --item-counts").stdout.lines().count(), 1);
}
