//! Sets of items in all formats: what is written is read again as the same sets.

use crate::common::{Pair, Sandbox, rows};

const FORMATS: [&str; 5] = ["jsonl", "csv", "tsv", "parquet", "arrow"];

/// Every pair of formats, from lines of items on: ids, sets and repetitions stay as they were.
fn check_all_formats(sandbox: &Sandbox, flags: &str) {
    let pairs = |file: &str| {
        let found = sandbox.succeed(&format!("pairs {file} {flags} -t 0.1 --method exact")).stdout;
        let mut found: Vec<Pair> = rows(&found);
        // Converted records are equal byte for byte where the lines were spelled in different ways.
        found.iter_mut().for_each(|pair| pair.reason.clear());
        found
    };
    let expected = pairs("in.txt");
    assert!(expected.len() >= 6, "{expected:?}");
    for first in FORMATS {
        sandbox.succeed(&format!("dedup in.txt {flags} -t 1 -o first.{first}"));
        assert_eq!(pairs(&format!("first.{first}")), expected, "{first}");
        for second in FORMATS {
            sandbox.succeed(&format!("dedup first.{first} {flags} -t 1 -o {first}.{second}"));
            assert_eq!(pairs(&format!("{first}.{second}")), expected, "{first} to {second}");
        }
    }
}

#[test]
fn sets_of_items_are_read_again_in_every_format() {
    let sandbox = Sandbox::with("in.txt", "milk bread bread 7\nmilk tea bread 7\n7 tea bread\n7 7 milk\n");
    check_all_formats(&sandbox, "--items");
    check_all_formats(&sandbox, "--items --bag");
    check_all_formats(&sandbox, "--items --bag --text-field basket --id-field customer");
    sandbox.write("in.txt", "rye bread, butter \u{e9},1\nrye bread,1\n1,\"a\"\n\"a\",\u{e9},rye bread\n");
    check_all_formats(&sandbox, "--items=,");
    sandbox.write("in.txt", "rye bread\tbutter\t1\nrye bread\t1\n1\ta\na\tb\trye bread\n");
    check_all_formats(&sandbox, "--items=tab");
}

#[test]
fn numbers_in_lists_are_items() {
    let sandbox = Sandbox::with("in.jsonl", "{\"id\":1,\"text\":[1,2,30]}\n{\"id\":2,\"text\":[30,2,1]}\n");
    for format in FORMATS {
        sandbox.succeed(&format!("dedup in.jsonl --items -t 1 --keep last -o out.{format}"));
        sandbox.write("more.jsonl", "{\"id\":\"more\",\"text\":[\"2\",\"30\",\"1\"]}\n");
        let found = sandbox.succeed(&format!("pairs out.{format} more.jsonl --items -t 1")).stdout;
        assert_eq!(rows::<Pair>(&found).len(), 1, "{format}: {found}");
    }
}

#[test]
fn items_that_a_table_cannot_hold_are_named() {
    for (items, words) in
        [(r#"["a b","c"]"#, "an item `a b`, in which the separator"), (r#"["a",""]"#, "an empty item")]
    {
        let sandbox = Sandbox::with("in.jsonl", format!("{{\"text\":[\"x\"]}}\n{{\"text\":{items}}}\n"));
        let line = sandbox.refuse_in_a_line("dedup in.jsonl --items -o out.csv");
        assert!(line.starts_with("in.jsonl:2: column `text` is ") && line.contains(words), "{line}");
        assert!(line.contains("JSON Lines, Parquet and Arrow can"), "{line}");
    }
    let sandbox = Sandbox::with("in.jsonl", "{\"text\":[\" a\"]}\n");
    sandbox.refused("dedup in.jsonl --items=, -o out.csv", "...an item ` a`, whose blanks at its ends...");
}

#[test]
fn a_list_with_null_is_a_bad_record() {
    let sandbox = Sandbox::with("in.jsonl", "{\"text\":[\"x\"],\"more\":[\"y\",null]}\n");
    for format in ["parquet", "arrow"] {
        sandbox.succeed(&format!("dedup in.jsonl --items -o out.{format}"));
        let line = sandbox.refuse_in_a_line(&format!("pairs out.{format} --items --text-field more"));
        assert!(line.starts_with(&format!("out.{format}:1: field `more` is a list with null")), "{line}");
    }
}
