//! Items with counts: in every format, with the weighted Jaccard of brute force, and what is no count.

use crate::common::{Pair, Random, Sandbox, record, rows};
use serde_json::{Value, json};
use std::collections::BTreeMap;

type Basket = BTreeMap<String, u64>;

/// Baskets of a few items, some of them with large counts.
fn baskets() -> Vec<Basket> {
    let mut random = Random(7);
    let mut basket = |_| {
        let items = 1 + random.below(6);
        let mut counted = |_| (format!("i:{}", random.below(9)), [1, 2, 3, 900][random.below(4) as usize]);
        (0..items).map(&mut counted).collect()
    };
    (0..60).map(&mut basket).collect()
}

/// The pairs by the sums of the smaller and of the larger counts.
fn brute_force(baskets: &[Basket]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (b, right) in baskets.iter().enumerate() {
        for (a, left) in baskets[..b].iter().enumerate() {
            let count = |basket: &Basket, item: &String| basket.get(item).copied().unwrap_or(0);
            let common: u64 = left.iter().map(|(item, &n)| n.min(count(right, item))).sum();
            let union = left.values().sum::<u64>() + right.values().sum::<u64>() - common;
            if 2 * common >= union {
                let similarity = common as f64 / union as f64;
                pairs.push(Pair { a: a.to_string(), b: b.to_string(), similarity, reason: String::new() });
            }
        }
    }
    pairs
}

fn found(sandbox: &Sandbox, arguments: &str) -> Vec<Pair> {
    let mut found: Vec<Pair> = rows(&sandbox.succeed(&format!("pairs {arguments} -t 0.5")).stdout);
    found.iter_mut().for_each(|pair| pair.reason.clear());
    found.sort_by_key(|pair| (pair.b.parse::<u64>().unwrap(), pair.a.parse::<u64>().unwrap()));
    found
}

#[test]
fn counts_give_the_weighted_jaccard_of_brute_force_in_every_format() {
    let baskets = baskets();
    let expected = brute_force(&baskets);
    assert!(expected.len() > 40, "{}", expected.len());
    let listed = |basket: &Basket| basket.iter().map(|(item, count)| format!("{item}:{count}")).collect::<Vec<_>>();
    let lines = |text: &dyn Fn(&Basket) -> Value| -> String {
        let line = |(id, basket)| json!({"id": format!("{id}"), "text": text(basket)}).to_string() + "\n";
        baskets.iter().enumerate().map(line).collect()
    };
    let sandbox = Sandbox::with("objects.jsonl", lines(&|basket| json!(basket)));
    sandbox.write("lists.jsonl", lines(&|basket| json!(listed(basket))));
    sandbox.write("strings.jsonl", lines(&|basket| json!(listed(basket).join(" "))));
    // The same item several times: its counts are added.
    sandbox.write(
        "ones.jsonl",
        lines(&|basket| {
            json!(
                basket
                    .iter()
                    .flat_map(|(item, &n)| [format!("{item}:{}", n - 1), format!("{item}:1")])
                    .collect::<Vec<_>>()
            )
        }),
    );
    let flags = "--items --item-counts";
    for input in ["objects", "lists", "strings", "ones"] {
        assert_eq!(found(&sandbox, &format!("{input}.jsonl {flags}")), expected, "{input}");
        for format in ["jsonl", "csv", "tsv", "parquet", "arrow"] {
            sandbox.succeed(&format!("dedup {input}.jsonl {flags} -o out.{format} --annotate"));
            assert_eq!(found(&sandbox, &format!("out.{format} {flags}")), expected, "{input} as {format}");
        }
    }
    // Copies that stand one by one are the same bag.
    let copies = |basket: &Basket| {
        json!(basket.iter().flat_map(|(item, &n)| vec![item.clone(); n as usize]).collect::<Vec<_>>())
    };
    sandbox.write("copies.jsonl", lines(&copies));
    assert_eq!(found(&sandbox, "copies.jsonl --items --bag"), expected);
    assert_eq!(found(&sandbox, "objects.jsonl --items --item-counts --memory 64MiB --check-texts"), expected);
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
        let line = sandbox.refuse_in_a_line("pairs in.jsonl --items --item-counts");
        assert!(line.starts_with(&format!("in.jsonl:2: {words}")), "{line}");
        let skipped = sandbox.succeed("pairs in.jsonl --items --item-counts --on-error skip").stderr;
        assert!(skipped.contains("in.jsonl:2: item"), "{skipped}");
    }
    let sandbox = Sandbox::with("in.jsonl", "{\"id\":1,\"text\":{\"a\":1},\"wrong\":{\"a\":2.5}}\n");
    assert!(sandbox.refuse_in_a_line("pairs in.jsonl --items").contains("is an object, expected an array or a string"));
    assert!(sandbox.refuse("pairs in.jsonl --item-counts").contains("--items"));
    sandbox.write("in.csv", "id,text\n1,a:1\n2,\"a:1 b:-7\"\n");
    let line = sandbox.refuse_in_a_line("pairs in.csv --items --item-counts");
    assert!(line.starts_with("in.csv:3: item `b` has the count `-7`"), "{line}");
    sandbox.write("sum.jsonl", "{\"text\":\"a:60000 b:60000\"}\n");
    let line = sandbox.refuse_in_a_line("pairs sum.jsonl --items --item-counts --max-document 100KB");
    assert!(
        line.starts_with("sum.jsonl:1: its counts sum to 120000, more") && line.contains("--max-document"),
        "{line}"
    );
}

#[test]
fn maps_with_fractions_or_nulls_are_refused() {
    let sandbox = Sandbox::with("in.jsonl", "{\"id\":1,\"text\":{\"a\":1,\"b\":2}}\n");
    for format in ["parquet", "arrow"] {
        sandbox.succeed(&format!("dedup in.jsonl --items --item-counts -o in.{format}"));
        let line = sandbox.refuse_in_a_line(&format!("pairs in.{format} --items"));
        assert!(line.contains("of type Map") && line.contains("--item-counts"), "{line}");
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
    let summary: Value = serde_json::from_str(&sandbox.read("s.json")).unwrap();
    assert!(summary["peak_bytes"].as_u64().is_none_or(|peak| peak < 128 << 20), "{}", summary["peak_bytes"]);
}

/// Copies are elements of a set only where the measure compares them one by one.
#[test]
fn too_many_copies_are_refused_where_each_is_compared() {
    let text = |last: u64| json!({"a": 65_535, "b": 65_535, "c": 65_535, "d": 65_535, "e": last});
    let line = |id: u64| json!({"id": id.to_string(), "text": text(10 + id)});
    let sandbox = Sandbox::with("in.jsonl", (0..3).map(|id| line(id).to_string() + "\n").collect::<String>());
    let words = sandbox.refuse_in_a_line("pairs in.jsonl --items --item-counts");
    let expected = "in.jsonl:1: its counts make more than 262144 copies of items beyond the first of each, too many to \
                    compare one by one; scale the counts down (--measure cosine --weights tf compares counts as they \
                    are;";
    assert!(words.starts_with(expected), "{words}");
    let skipped = sandbox.refuse("pairs in.jsonl --items --item-counts --on-error skip");
    assert!(skipped.contains("in.jsonl:3: its counts"), "{skipped}");
    let flags = "--items --item-counts --measure cosine --weights tf -t 0.99";
    assert_eq!(sandbox.succeed(&format!("pairs in.jsonl {flags}")).stdout.lines().count(), 3);
    // Of one item, this many are taken.
    let fewer = json!({"id": "0", "text": text(9)});
    sandbox.write("fewer.jsonl", format!("{fewer}\n{fewer}\n"));
    assert_eq!(sandbox.succeed("pairs fewer.jsonl --items --item-counts").stdout.lines().count(), 1);
}
