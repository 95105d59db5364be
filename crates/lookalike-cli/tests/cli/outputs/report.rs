//! Pages of answers, `--report`. How they look is tested in a browser, apart.

use crate::common::{Random, Sandbox, record, rows, words};

/// Documents that share most of their words: each two are near-duplicates.
fn family(documents: usize) -> String {
    let mut random = Random(7);
    let text = |_| words(0..200) + &format!(" x{} y{} z{}", random.below(9), random.below(9), random.below(9));
    (0..documents).map(text).enumerate().map(|(number, text)| record(&format!("d{number}"), &text)).collect()
}

#[test]
fn a_hundred_thousand_pairs_are_sampled_by_a_stated_rule() {
    let sandbox = Sandbox::with("in.jsonl", family(450));
    let run = sandbox.succeed("pairs in.jsonl -t 0.9 --report page.html -o pairs.csv");
    assert!(run.stderr.contains("101,025 pairs"), "{}", run.stderr);
    let page = sandbox.read("page.html");
    assert!(page.len() < 10_000_000, "{} bytes", page.len());
    assert!(page.contains("<h1>101,025 pairs among 450 documents</h1>"));
    assert!(page.contains("of each hundredth of similarity at most 20"), "no rule");
    assert_eq!(page.matches("<section>").count(), page.matches("</section>").count());
}

#[test]
fn the_same_answer_is_the_same_page() {
    let sandbox = Sandbox::with("in.jsonl", family(60) + &record("else", &words(300..340)));
    for command in ["dedup in.jsonl -t 0.9", "pairs in.jsonl -o p.csv", "clusters in.jsonl -o c.csv"] {
        let page = |flags: &str| {
            sandbox.succeed(&format!("{command} --report page.html {flags}"));
            sandbox.read("page.html")
        };
        let first = page("--threads 1");
        assert_eq!(page("--threads 3 --memory 64MiB"), first, "{command}");
        assert!(first.contains("<del>") && first.contains("<mark"), "{command}");
    }
}

#[test]
fn pages_appear_with_the_other_outputs_or_not_at_all() {
    let sandbox = Sandbox::with("in.jsonl", family(5));
    sandbox.write("page.html", "old");
    for (command, words) in [
        ("dedup in.jsonl --report page.html --no-clobber", "page.html exists already"),
        (
            "dedup in.jsonl --report page.txt",
            "page.txt cannot be written: --report makes a page of HTML; name it page.html",
        ),
        ("dedup in.jsonl --report page.html --summary page.html", "output page.html of the report is the same file"),
        ("dedup page.html --report page.html", "output page.html is the same file as input page.html"),
        ("compare page.html in.jsonl:d1 --report page.html", "output page.html is the same file as input page.html"),
        (
            "sources page.html --against in.jsonl --report page.html",
            "output page.html is the same file as input page.html",
        ),
        ("dedup in.jsonl -o none/out.jsonl --report page.html --removed /dev/full", ""),
        ("pairs in.jsonl -o /dev/full --report page.html", ""),
    ] {
        let refused = sandbox.refuse(command);
        assert!(refused.contains(words), "{command}: {refused}");
        assert_eq!(sandbox.read("page.html"), "old", "{command}");
    }
    assert_eq!(sandbox.names(), ["in.jsonl", "page.html"]);
    sandbox.succeed("dedup in.jsonl --report page.html");
    assert!(sandbox.read("page.html").starts_with("<!DOCTYPE html>"));
}

#[test]
fn what_has_no_texts_at_hand_has_a_page_without_them() {
    let sandbox = Sandbox::with("in.jsonl", family(5));
    sandbox.succeed("snapshot in.jsonl -o in.snapshot");
    sandbox.succeed("pairs in.snapshot -o p.csv --report page.html");
    let page = sandbox.read("page.html");
    assert!(page.contains("<h1>10 pairs among 5 documents</h1>") && page.contains("they are not at hand"), "{page}");
    sandbox.write("none.jsonl", record("a", "one two three four five") + &record("b", "six seven eight nine ten"));
    sandbox.succeed("dedup none.jsonl --report page.html");
    assert!(sandbox.read("page.html").contains("There is no removal."));
    sandbox.succeed("sources none.jsonl -o - --report page.html");
    assert!(sandbox.read("page.html").contains("<h1>0 of 2 documents with sources</h1>"));
}

#[test]
fn shares_and_passages_of_a_page_are_those_of_the_rows() {
    let sandbox = Sandbox::with("new.txt", words(0..40) + " own words here " + &words(100..130));
    sandbox.write("old/a.txt", words(0..40).replace("w20", "edited"));
    sandbox.write("old/b.txt", words(90..140));
    let run = sandbox.succeed("sources new.txt --against old --report page.html -o rows.jsonl");
    assert!(run.stderr.contains("1 of 1 document has sources"), "{}", run.stderr);
    let found = rows::<serde_json::Value>(&sandbox.read("rows.jsonl"));
    let page = sandbox.read("page.html");
    assert_eq!(page.matches("<li id=\"there-").count(), found.len());
    assert_eq!(page.matches("<mark").count(), found.len());
    // 39 of 40 words of a, 30 of b, of 73.
    assert!(page.contains("<h1>new.txt: 2 sources, 94 % covered</h1>"), "{page}");
    assert!(page.contains("w19 edited w21"), "the text of the source");
    assert_eq!(page.matches("style=\"width: 53.4").count(), 1, "39 of 73");
}
