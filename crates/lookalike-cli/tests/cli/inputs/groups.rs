//! `--group-by`: baskets out of rows, in any format and either way round.

use crate::common::{Pair, Random, Removed, Sandbox, rows};
use std::collections::{BTreeMap, BTreeSet};

/// Rows of customer, product and count; no customer has all rows together.
fn sales() -> Vec<(String, String, u64)> {
    let mut random = Random(5);
    let mut sale = |_| {
        let customer = random.below(60);
        let product = random.below(8);
        let family = customer % 5 * 3;
        (format!("c{customer}"), format!("p {}", family + product), 1 + random.below(3))
    };
    (0..600).map(&mut sale).collect()
}

fn csv(sales: &[(String, String, u64)]) -> String {
    let row = |(customer, product, count): &(String, String, u64)| format!("{customer},{product},{count}\n");
    "customer,product,n\n".to_owned() + &sales.iter().map(row).collect::<String>()
}

/// Records of the items of each group with their counts, in the order of the first rows.
fn baskets<'a>(rows: impl Iterator<Item = (&'a str, &'a str, u64)>, add: fn(u64, u64) -> u64) -> String {
    let mut groups: Vec<(&str, BTreeMap<&str, u64>)> = Vec::new();
    for (name, item, count) in rows {
        let place = groups.iter().position(|group| group.0 == name).unwrap_or(groups.len());
        if place == groups.len() {
            groups.push((name, BTreeMap::new()));
        }
        let all = groups[place].1.entry(item).or_default();
        *all = add(*all, count);
    }
    let record = |(id, text)| serde_json::json!({"id": id, "text": text}).to_string() + "\n";
    groups.into_iter().map(record).collect()
}

/// Pairs without their reasons.
fn found(sandbox: &Sandbox, arguments: &str) -> Vec<Pair> {
    let mut found: Vec<Pair> = rows(&sandbox.succeed(&format!("pairs {arguments} -t 0.5")).stdout);
    found.iter_mut().for_each(|pair| pair.reason.clear());
    found
}

#[test]
fn groups_have_the_pairs_of_their_baskets_in_every_format_and_either_way_round() {
    let sales = sales();
    let sandbox = Sandbox::with("in.csv", csv(&sales));
    for format in ["jsonl", "tsv", "parquet", "arrow"] {
        // With another field than that of the text, whose values are all different: nothing goes.
        sandbox.succeed(&format!("dedup in.csv --text-field customer --shingle char:9 --annotate -o in.{format}"));
    }
    let by_customer = || sales.iter().map(|(customer, product, n)| (&**customer, &**product, *n));
    let by_product = || sales.iter().map(|(customer, product, n)| (&**product, &**customer, *n));
    let expected = |name: &str, baskets: String| {
        sandbox.write(name, baskets);
        found(&sandbox, &format!("{name} --items --item-counts"))
    };
    let customers = expected("customers.jsonl", baskets(by_customer(), |_, _| 1));
    let products = expected("products.jsonl", baskets(by_product(), |_, _| 1));
    let weighted = expected("weighted.jsonl", baskets(by_customer(), |kept, more| kept + more));
    let counted = expected("counted.jsonl", baskets(by_customer(), |kept, _| kept + 1));
    assert!(customers.len() > 30 && !products.is_empty() && weighted != customers && counted != customers);
    for format in ["csv", "jsonl", "tsv", "parquet", "arrow"] {
        let customer = format!("in.{format} --group-by customer --items-field product");
        assert_eq!(found(&sandbox, &customer), customers, "{format}");
        assert_eq!(found(&sandbox, &format!("{customer} --bag")), counted, "{format}");
        assert_eq!(found(&sandbox, &format!("{customer} --memory 64MiB --threads 3")), customers, "{format}");
        let product = format!("in.{format} --group-by product --text-field customer");
        assert_eq!(found(&sandbox, &product), products, "{format}");
        assert_eq!(found(&sandbox, &format!("{customer} --count-field n")), weighted, "{format}");
    }
}

#[test]
fn all_rows_of_groups_that_stay_are_written_as_they_stood() {
    let sales = sales();
    let text = csv(&sales).replace("c7,", "\"c7\",");
    let sandbox = Sandbox::with("in.csv", &text);
    let flags = "--group-by customer --items-field product -t 0.5";
    sandbox.succeed(&format!("dedup in.csv {flags} -o out.csv --removed r.csv"));
    let removed: BTreeSet<String> = {
        sandbox.succeed(&format!("dedup in.csv {flags} --removed r.jsonl"));
        rows::<Removed>(&sandbox.read("r.jsonl")).into_iter().map(|row| row.id).collect()
    };
    assert!(removed.len() > 10 && removed.len() < 60, "{removed:?}");
    let customer_of = |line: &str| line.split(',').next().unwrap().replace('"', "");
    let expected: String = text.split_inclusive('\n').filter(|line| !removed.contains(&customer_of(line))).collect();
    assert_eq!(sandbox.read("out.csv"), expected);
    sandbox.succeed(&format!("dedup in.csv {flags} -o out.parquet"));
    sandbox.writes(&format!("dedup out.parquet {flags} -o back.csv"), "back.csv", &expected.replace('"', ""));
    sandbox.answers(&format!("clusters in.csv {flags}"), "...\"id\":\"c...");
    // Groups are put together over files, and their rows are written to each.
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    sandbox.write("parts/1.csv", lines[..300].concat());
    sandbox.write("parts/2.csv", lines[0].to_owned() + &lines[300..].concat());
    sandbox.succeed(&format!("dedup parts {flags} -o cleaned"));
    let second = sandbox.read("cleaned/2.csv");
    let (_, second) = second.split_once('\n').unwrap();
    assert_eq!(sandbox.read("cleaned/1.csv") + second, expected);
}

#[test]
fn references_have_groups_of_their_own() {
    let sandbox = Sandbox::with("old.csv", "who,what\nx,a\ny,d\nx,b\n");
    sandbox.write("new.csv", "who,what\nx,d\nz,a\nz,b\nx,e\n");
    sandbox.succeed("dedup new.csv --against old.csv --group-by who --items-field what -o out.csv --removed r.csv");
    assert_eq!(sandbox.read("out.csv"), "who,what\nx,d\nx,e\n");
    assert_eq!(sandbox.read("r.csv"), "id,kept,similarity,reason\nz,x,1.0,equal\n");
}

#[test]
fn items_are_whole_values_and_numbers_are_items() {
    let sandbox = Sandbox::with(
        "in.jsonl",
        concat!(
            "{\"g\":1,\"item\":10}\n{\"g\":2,\"item\":\"10\"}\n{\"g\":1,\"item\":[\"x y\",3]}\n",
            "{\"g\":2,\"item\":\"x y\"}\n{\"g\":2,\"item\":3}\n{\"g\":3,\"item\":\"\"}\n",
        ),
    );
    let pairs = found(&sandbox, "in.jsonl --group-by g --items-field item");
    let expected = Pair { a: "1".to_owned(), b: "2".to_owned(), similarity: 1.0, reason: String::new() };
    assert_eq!(pairs, [expected]);
    sandbox.says("dedup in.jsonl --group-by g --items-field item -o out.jsonl", "...3 documents: 2 kept...");
    assert_eq!(sandbox.read("out.jsonl").lines().count(), 3);
    sandbox.write("n.csv", "id,text\n1,a;b\n2,b;a\n");
    assert_eq!(found(&sandbox, "n.csv --group-by id").len(), 0);
    assert_eq!(found(&sandbox, "n.csv --group-by id --items=;").len(), 1);
}

#[test]
fn rows_that_cannot_be_used_are_named() {
    let flags = "--group-by who --items-field what --count-field n";
    for (row, words) in [
        (r#"{"what":"a","n":1}"#, "no group: field `who` has no value"),
        (r#"{"who":"x","n":1}"#, "no field `what`"),
        (r#"{"who":"x","what":"a","n":-1}"#, "field `n` is -1, expected a whole number from 0 to 65535"),
        (r#"{"who":"x","what":"a","n":1.5}"#, "field `n` is 1.5, expected a whole number"),
        (r#"{"who":"x","what":"a","n":4294967297}"#, "field `n` is 4294967297, expected a whole number"),
        (r#"{"who":"x","what":"a","n":"many"}"#, "field `n` is `many`, expected a whole number"),
        (r#"{"who":"x","what":"a"}"#, "field `n` is missing, expected a whole number"),
    ] {
        let sandbox = Sandbox::with("in.jsonl", format!("{{\"who\":\"x\",\"what\":\"a\",\"n\":2}}\n{row}\n"));
        sandbox.refused(&format!("pairs in.jsonl {flags}"), &format!("in.jsonl:2: {words}..."));
        sandbox.says(&format!("dedup in.jsonl {flags} -o out.jsonl --on-error skip"), "...in.jsonl:2: ...");
    }
    let row = "{\"who\":\"x\",\"what\":\"a\",\"n\":40000}\n";
    let sandbox = Sandbox::with("in.jsonl", "\n".to_owned() + &row.repeat(2));
    sandbox.refused(
        "pairs in.jsonl --group-by who --items-field what --count-field n",
        "in.jsonl:2: an item of the group that begins here has the count 80000 in all...",
    );
}

#[test]
fn rows_are_annotated_with_what_becomes_of_their_group() {
    let sales = sales();
    let sandbox = Sandbox::with("in.csv", csv(&sales));
    let flags = "--group-by customer --items-field product -t 0.5";
    sandbox.succeed(&format!("dedup in.csv {flags} --removed r.jsonl"));
    let removed: BTreeMap<String, String> =
        rows::<Removed>(&sandbox.read("r.jsonl")).into_iter().map(|row| (row.id, row.kept)).collect();
    assert!(removed.len() > 10);
    sandbox.succeed(&format!("dedup in.csv {flags} --annotate -o all.csv"));
    let annotated = sandbox.read("all.csv");
    let mut lines = annotated.lines();
    let header = "customer,product,n,lookalike_duplicate,lookalike_kept,lookalike_similarity,lookalike_cluster_size";
    assert_eq!(lines.next(), Some(header));
    assert_eq!(lines.clone().count(), sales.len());
    for (line, (customer, product, n)) in lines.zip(&sales) {
        let kept = removed.get(customer).unwrap_or(customer);
        let start = format!("{customer},{product},{n},{},{kept},", removed.contains_key(customer));
        let size = 1 + removed.values().filter(|other| *other == kept).count();
        assert!(line.starts_with(&start) && line.ends_with(&format!(",{size}")), "{line}: {start} {size}");
    }
    sandbox.succeed(&format!("dedup in.csv {flags} --annotate -o all.jsonl"));
    let fields = rows::<serde_json::Value>(&sandbox.read("all.jsonl"));
    let of_json = |row: &serde_json::Value| row["lookalike"]["kept"].as_str().unwrap().to_owned();
    let of_line = |line: &str| line.split(',').nth(4).unwrap().to_owned();
    let kept: Vec<String> = annotated.lines().skip(1).map(of_line).collect();
    assert_eq!(fields.iter().map(of_json).collect::<Vec<_>>(), kept);
}

#[test]
fn a_work_folder_keeps_what_follows_the_reading_of_rows() {
    let sales = sales();
    let sandbox = Sandbox::with("in.csv", csv(&sales));
    let job = "dedup in.csv --group-by customer --items-field product -t 0.5 -o out.csv --work-dir work";
    let first = sandbox.succeed(job);
    let written = sandbox.read("out.csv");
    assert!(!first.stderr.contains("resumed"), "{}", first.stderr);
    std::fs::remove_file(sandbox.path("out.csv")).unwrap();
    let again = sandbox.succeed(job);
    assert_eq!(sandbox.read("out.csv"), written);
    // Rows are read once more, the rest is not done again.
    assert_eq!(again.stderr.lines().next(), Some("resumed: 3 of 5 stages done before"), "{}", again.stderr);
    let other = job.replace("product", "n");
    assert!(sandbox.refuse_in_a_line(&other.replace("out.csv", "other.csv")).contains("text field"), "{other}");
    // Of the same size, and for a moment the same time.
    let changed = csv(&sales).replacen("c7,", "c8,", 1);
    sandbox.write("in.csv", &changed);
    sandbox.refused(&job.replace("out.csv", "other.csv"), "in.csv has changed...");
}

#[test]
fn columns_that_are_not_there_are_named_with_those_that_are() {
    let table = "who,what,n\nx,a,1\ny,a,1\n";
    let sandbox = Sandbox::with("in.csv", table);
    sandbox.write("in.tsv", table.replace(',', "\t"));
    sandbox.succeed("dedup in.csv --text-field what --id-field who -o in.parquet");
    sandbox.refuse_all("inputs/columns_that_are_not_there_are_named_with_those_that_are");
}

#[test]
fn counts_that_are_too_many_to_compare_name_what_compares_them() {
    let rows = |count: u64| -> String { (0..6).map(|n| format!("x,p{n},{count}\ny,p{n},{count}\n")).collect() };
    let sandbox = Sandbox::with("in.csv", format!("who,what,n\nz,p,1\n{}", rows(50_000)));
    let flags = "--group-by who --items-field what --count-field n";
    sandbox.refused(
        "pairs in.csv --group-by who --items-field what --count-field n",
        "in.csv:3: the group that begins here has more than 262144 copies of its items beyond the first of each, too \
         many to compare one by one; scale the counts down (--measure cosine --weights tf compares counts as they \
         are)",
    );
    let pair = "{\"a\":\"x\",\"b\":\"y\",\"similarity\":1.0,\"reason\":\"equal\"}\n";
    assert_eq!(sandbox.succeed(&format!("pairs in.csv {flags} --measure cosine --weights tf")).stdout, pair);
    sandbox.write("in.csv", format!("who,what,n\nz,p,1\n{}", rows(43_690)));
    assert_eq!(sandbox.succeed(&format!("pairs in.csv {flags}")).stdout, pair);
    // What has no copies is not counted.
    let distinct: String = (0..270_000).map(|n| format!("x,p{n}\n")).collect();
    sandbox.write("in.csv", format!("who,what\n{distinct}y,p1\n"));
    sandbox.succeed("pairs in.csv --group-by who --items-field what --bag");
}
