//! Flags that an index or a snapshot knows need not be given again, and may not contradict it.

use crate::common::{Sandbox, record, words};

/// Records with texts, vectors, fingerprints and items, and an index of each.
fn sandbox() -> Sandbox {
    let line = |id: &str, v: &str, h: &str, text: &str, items: &str| {
        format!("{{\"id\":\"{id}\",\"v\":{v},\"h\":\"{h}\",\"text\":\"{text}\",\"items\":{items}}}\n")
    };
    let records = line("v1", "[1,0,0.5]", "00000000000000ff", "alpha beta gamma delta epsilon zeta", "[\"a\",\"b\"]")
        + &line(
            "v2",
            "[1,0.1,0.5]",
            "00000000000000fe",
            "alpha beta gamma delta epsilon zeta eta",
            "[\"a\",\"b\",\"c\"]",
        )
        + &line("v3", "[5,9,1]", "ff00ff00ff00ff00", "something else here that is not alike", "[\"z\"]");
    let sandbox = Sandbox::with("in.jsonl", records);
    for (index, flags) in [
        ("e.idx", "--vector v --measure euclidean --distance 0.5"),
        ("h.idx", "--bits h --measure hamming --distance 3"),
        ("c.idx", "--shingle char:3 --measure containment -t 0.5"),
        ("o.idx", "--shingle word:2 --measure overlap --min-common 2"),
        ("w.idx", "--shingle word:1 --measure cosine --weights tfidf -t 0.3"),
        ("i.idx", "--items --text-field items -t 0.5"),
        ("s.idx", "--shingle word:2 --stride 2 --stop-words en --strip-marks -t 0.5"),
    ] {
        sandbox.succeed(&format!("index create {index} in.jsonl {flags}"));
    }
    sandbox
}

#[test]
fn a_search_needs_no_flag_that_the_index_knows() {
    let sandbox = sandbox();
    for (flags, all) in [
        ("--in e.idx", "--in e.idx --vector v --measure euclidean"),
        ("--in e.idx --vector v", "--in e.idx --vector v --measure euclidean"),
        ("--in e.idx --vector v --distance 0.2", "--in e.idx --vector v --measure euclidean --distance 0.2"),
        ("--in h.idx", "--in h.idx --bits h --measure hamming"),
        ("--in h.idx --bits h", "--in h.idx --bits h --measure hamming"),
        ("--in h.idx --bits h --distance 1", "--in h.idx --bits h --measure hamming --distance 1 --width 64"),
        ("--in c.idx", "--in c.idx --shingle char:3 --measure containment"),
        ("--in c.idx -t 0.9", "--in c.idx --shingle char:3 --measure containment -t 0.9"),
        ("--in o.idx --min-common 3", "--in o.idx --measure overlap --min-common 3"),
        ("--in w.idx --weights tfidf", "--in w.idx --measure cosine"),
        ("--in i.idx --text-field items", "--in i.idx --items --text-field items"),
        ("--in s.idx --stride 2", "--in s.idx --shingle word:2 --strip-marks"),
    ] {
        let run = sandbox.succeed(&format!("search in.jsonl {flags}"));
        assert!(run.stdout.contains("\"query\":\"v1\",\"rank\":1,\"id\":\"v1\""), "{flags}: {}", run.stdout);
        assert_eq!(run.stdout, sandbox.succeed(&format!("search in.jsonl {all}")).stdout, "{flags}");
    }
    for index in ["e.idx", "h.idx", "c.idx", "o.idx", "w.idx", "i.idx"] {
        sandbox.answers(&format!("search --id v1 --in {index}"), "...\"id\":\"v2\"...");
    }
}

#[test]
fn batches_take_over_features_and_measure() {
    let sandbox = sandbox();
    for (index, all) in [
        ("e.idx", "--vector v --measure euclidean --distance 0.5"),
        ("h.idx", "--bits h --measure hamming --distance 3"),
        ("c.idx", "--shingle char:3 --measure containment"),
        ("o.idx", "--shingle word:2 --measure overlap --min-common 2"),
        ("w.idx", "--shingle word:1 --measure cosine --weights tfidf"),
        ("s.idx", "--shingle word:2 --stride 2 --stop-words en --strip-marks"),
    ] {
        let pairs = sandbox.succeed(&format!("pairs {index}")).stdout;
        assert!(!pairs.is_empty() || index == "s.idx", "{index}");
        assert_eq!(pairs, sandbox.succeed(&format!("pairs {index} {all}")).stdout, "{index}");
        sandbox.succeed(&format!("clusters {index}"));
    }
    for (index, flags) in [
        ("e.idx", "--vector v"),
        ("h.idx", "--bits h"),
        ("e.idx", ""),
        ("h.idx", ""),
        ("c.idx", ""),
        ("o.idx", ""),
        ("w.idx", ""),
        ("i.idx", "--text-field items"),
        ("s.idx", ""),
    ] {
        sandbox.says(
            &format!("dedup in.jsonl --against {index} {flags}"),
            "3 documents: 0 kept, 3 removed (3 identical...",
        );
    }
}

/// The items of the documents of `idx` with this id, by their number.
fn items_of(sandbox: &Sandbox, index: &str, id: &str) -> String {
    let told = sandbox.succeed(&format!("index get {index} {id}")).stdout;
    told.split("\"elements\":").nth(1).unwrap().split(',').next().unwrap().to_owned()
}

#[test]
fn counts_of_items_follow_from_the_index_or_snapshot() {
    let line = |id: &str, items: &str| format!("{{\"id\":\"{id}\",\"text\":{items}}}\n");
    let sandbox = Sandbox::with("one.jsonl", line("a", "[\"x:3\",\"y:1\"]") + &line("b", "[\"z:2\"]"));
    sandbox.write("two.jsonl", line("c", "[\"y:1\",\"x:3\"]") + &line("d", "[\"x:1\",\"y:3\"]"));
    sandbox.succeed("index create c.idx one.jsonl --items --item-counts");
    sandbox.succeed("snapshot one.jsonl -o c.snapshot --items --item-counts");
    sandbox.answers("index info c.idx", "...documents are read as          items with counts\n...");
    let all = sandbox.succeed("search two.jsonl --in one.jsonl --items --item-counts -t 0.8").stdout;
    assert_eq!(all, "{\"query\":\"c\",\"rank\":1,\"id\":\"a\",\"similarity\":1.0,\"reason\":\"equal\"}\n");
    for flags in ["", "--items", "--items --item-counts"] {
        for stored in ["c.idx", "c.snapshot"] {
            assert_eq!(
                sandbox.succeed(&format!("search two.jsonl --in {stored} {flags} -t 0.8")).stdout,
                all,
                "{flags}"
            );
            let pairs = sandbox.succeed(&format!("pairs two.jsonl {stored} {flags}")).stdout;
            assert_eq!(pairs.lines().count(), 1, "{flags}: {pairs}");
            sandbox.says(
                &format!("dedup two.jsonl --against {stored} {flags} -n"),
                "2 documents: 1 kept, 1 removed (0 identical, 1 equal...",
            );
        }
    }
    // What is added, and what comes in place of another, has its copies.
    sandbox.succeed("dedup two.jsonl --against c.idx --add --items -o out.jsonl");
    assert_eq!(sandbox.read("out.jsonl"), line("d", "[\"x:1\",\"y:3\"]"));
    sandbox.succeed("index add c.idx one.jsonl");
    assert_eq!(["a", "b", "d"].map(|id| items_of(&sandbox, "c.idx", id)), ["4", "2", "4"]);
    // An index or a snapshot of what is stored knows it, too.
    sandbox.succeed("index create again.idx c.snapshot");
    sandbox.succeed("snapshot c.idx -o again.snapshot");
    for stored in ["again.idx", "again.snapshot"] {
        assert!(
            sandbox.succeed(&format!("search two.jsonl --in {stored} -t 0.8")).stdout.starts_with(&all),
            "{stored}"
        );
    }
}

#[test]
fn the_separator_of_items_follows_and_another_is_refused() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "x y,z w,q"));
    sandbox.succeed("index create k.idx in.jsonl --items=,");
    sandbox.succeed("snapshot in.jsonl -o k.snapshot --items=,");
    sandbox.answers("index info k.idx", "...items with `,` between them...");
    for stored in ["k.idx", "k.snapshot"] {
        for flags in ["", "--items", "--items=,"] {
            let found = sandbox.succeed(&format!("search in.jsonl --in {stored} {flags}")).stdout;
            assert!(found.contains("\"id\":\"a\",\"similarity\":1.0,\"reason\":\"identical\""), "{flags}: {found}");
        }
        let words = sandbox.refuse_in_a_line(&format!("search in.jsonl --in {stored} --items=tab"));
        assert!(words.contains("was made of items with `,` between them, and tab was given; leave it out"), "{words}");
    }
    sandbox.succeed("index add k.idx in.jsonl");
    assert_eq!(items_of(&sandbox, "k.idx", "a"), "3");
    sandbox.refuse_in_a_line("index add k.idx in.jsonl --items=tab");
    // An index whose items were in lists, or between blanks, says nothing of separators.
    sandbox.succeed("index create blanks.idx in.jsonl --items");
    sandbox.succeed("index add blanks.idx in.jsonl --items=,");
    assert_eq!(items_of(&sandbox, "blanks.idx", "a"), "3");
}

#[test]
fn digits_of_fingerprints_and_counts_of_rows_follow() {
    let sandbox = Sandbox::with("in.csv", "id,h\na,255\nb,1000\n");
    sandbox.succeed("index create d.idx in.csv --bits h --digits decimal --measure hamming --distance 1");
    for flags in ["", "--bits h", "--bits h --digits decimal"] {
        let found = sandbox.succeed(&format!("search in.csv --in d.idx {flags}")).stdout;
        assert_eq!(found.matches("\"distance\":0").count(), 2, "{flags}: {found}");
    }
    sandbox.refused("search in.csv --in d.idx --bits h --digits hex", "...3 hexadecimal digits have 12 bits...");
    sandbox.write("rows.csv", "who,what,n\nann,tea,3\nann,milk,1\nbob,tea,3\nbob,milk,1\n");
    let groups = "--group-by who --items-field what";
    sandbox.succeed(&format!("index create g.idx rows.csv {groups} --count-field n"));
    let found = sandbox.succeed(&format!("search rows.csv --in g.idx {groups}")).stdout;
    assert_eq!(found.matches("\"similarity\":1.0").count(), 4, "{found}");
}

#[test]
fn snapshots_know_their_features_too() {
    let sandbox = Sandbox::with("in.jsonl", record("a", &words(0..30)) + &record("b", &words(1..31)));
    sandbox.succeed("snapshot in.jsonl -o in.snapshot --shingle char:4 --bag");
    let short = sandbox.succeed("pairs in.snapshot").stdout;
    assert_eq!(short, sandbox.succeed("pairs in.jsonl --shingle char:4 --bag").stdout);
    sandbox.says("dedup in.jsonl --against in.snapshot", "...0 kept, 2 removed...");
    sandbox.succeed("snapshot in.snapshot -o again.snapshot");
    assert_eq!(sandbox.succeed("pairs again.snapshot").stdout, short);
    sandbox.succeed("index create in.idx in.snapshot -t 0.5");
    sandbox.answers("search --id a --in in.idx", "...\"id\":\"b\"...");
}

#[test]
fn a_flag_that_contradicts_is_refused_with_both_values() {
    let sandbox = sandbox();
    sandbox.refuse_all("questions/a_flag_that_contradicts_is_refused_with_both_values");
}
