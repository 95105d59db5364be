//! Sets of items instead of texts.

use crate::common::Sandbox;

#[test]
fn separators_and_lists_say_the_same_items() {
    let lists = ["1 2 3", "3 2 1 2", "4 5", "", "1 2 3 9"];
    let joined = |separator: &str| lists.map(|list| list.replace(' ', separator));
    let sandbox = Sandbox::new();
    sandbox.write(
        "in.csv",
        ["id,text\n".to_owned(), (0..).zip(joined(";")).map(|(id, list): (u32, _)| format!("{id},{list}\n")).collect()]
            .concat(),
    );
    let json = |(id, list): (u32, String)| format!("{{\"id\":\"{id}\",\"text\":[{list}]}}\n");
    sandbox.write("in.jsonl", (0..).zip(joined(",")).map(json).collect::<String>());
    // A line of blanks would be no record.
    let lines = |separator: &str| {
        joined(separator).map(|list| if list.is_empty() { format!("{separator}\n") } else { list + "\n" })
    };
    sandbox.write("in.txt", lines(" ").concat().replace("\n \n", "\nnone\n"));
    sandbox.write("comma.txt", lines(" , ").concat());
    sandbox.write("tab.dat", lines("\t").concat().replace("\n\t\n", "\nnone\n"));
    for (input, similarities) in [
        ("in.csv --items=;", ["0,1,1.0", "0,4,0.75", "1,4,0.75"]),
        ("in.jsonl --items", ["0,1,1.0", "0,4,0.75", "1,4,0.75"]),
        ("in.jsonl --items --bag", ["0,1,0.75", "0,4,0.75", "1,4,0.6"]),
        ("in.txt --items", ["in.txt:1,in.txt:2,1.0", "in.txt:1,in.txt:5,0.75", "in.txt:2,in.txt:5,0.75"]),
        (
            "comma.txt --items=,",
            ["comma.txt:1,comma.txt:2,1.0", "comma.txt:1,comma.txt:5,0.75", "comma.txt:2,comma.txt:5,0.75"],
        ),
        ("tab.dat --items=tab", ["tab.dat:1,tab.dat:2,1.0", "tab.dat:1,tab.dat:5,0.75", "tab.dat:2,tab.dat:5,0.75"]),
    ] {
        let pairs = sandbox.succeed(&format!("pairs {input} -t 0.5 --format csv")).stdout;
        let found: Vec<&str> = pairs.lines().skip(1).map(|row| row.rsplit_once(',').unwrap().0).collect();
        assert_eq!(found, similarities, "{input}");
    }
}

#[test]
fn lines_of_items_are_written_again_and_named_by_file_and_line() {
    let sandbox = Sandbox::with("in.txt", "milk bread eggs\n\n  \neggs bread\tmilk\r\nMilk bread eggs\ntea");
    sandbox.succeed("dedup in.txt -o out.txt --items --removed r.csv");
    assert_eq!(sandbox.read("out.txt"), "milk bread eggs\nMilk bread eggs\ntea");
    assert_eq!(sandbox.read("r.csv"), "id,kept,similarity,reason\nin.txt:4,in.txt:1,1.0,equal\n");
    assert_eq!(sandbox.succeed("clusters in.txt --items").stdout.lines().count(), 2);
    let copies = sandbox.succeed("checksum in.txt --items").stdout;
    assert!(copies.lines().count() == 2 && copies.contains("\"equal\":\"text\""), "{copies}");
    sandbox.succeed("pairs in.txt --items --threshold 0.5 -o p.csv");
    sandbox.succeed("recluster p.csv --threshold 0.9 --documents in.txt --items --records again.txt");
    assert_eq!(sandbox.read("again.txt"), sandbox.read("out.txt"));
    let compared = sandbox.succeed("compare in.txt:in.txt:1 in.txt:in.txt:5 --items").stdout;
    assert!(compared.contains("2 common items of 4"), "{compared}");
    let lists = "common items: 2\n    bread\n    eggs\nonly in A: 1\n    milk\nonly in B: 1\n    Milk\n";
    assert!(compared.ends_with(lists), "{compared}");
    sandbox.refuse_all("inputs/lines_of_items_are_written_again_and_named_by_file_and_line");
}

#[test]
fn items_that_cannot_be_used_are_named() {
    let sandbox = Sandbox::with("in.jsonl", "{\"text\":[\"a\",1,[2]]}\n");
    sandbox.refused("pairs in.jsonl --items", "...expected an array of strings and numbers...");
    sandbox.write("in.jsonl", "{\"text\":[\"a\\u0000b\"]}\n");
    sandbox.refused("pairs in.jsonl --items", "...an item holds the character U+0000...");
    sandbox.write("in.txt", "a\0b\n");
    sandbox.refused("pairs in.txt --items", "in.txt:1: an item holds...");
    sandbox.write("in.txt", b"a \xFF\n");
    sandbox.refused("pairs in.txt --items", "in.txt:1: not UTF-8...");
    sandbox.write("empty.jsonl", "{\"text\":[]}\n{\"text\":[]}\n{\"text\":[\"\"]}\n");
    sandbox.says("dedup empty.jsonl --dry-run --items", "...2 documents without tokens...");
}
