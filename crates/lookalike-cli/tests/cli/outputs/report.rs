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
    sandbox.says("pairs in.jsonl -t 0.9 --report page.html -o pairs.csv", "...101,025 pairs...");
    let page = sandbox.read("page.html");
    assert!(page.len() < 10_000_000, "{} bytes", page.len());
    assert!(page.contains("<h1>101,025 pairs among 450 documents</h1>"));
    assert!(page.contains("of each hundredth of similarity at most 20"), "no rule");
    assert_eq!(page.matches("<section>").count(), page.matches("</section>").count());
}

#[test]
fn pages_appear_with_the_other_outputs_or_not_at_all() {
    let sandbox = Sandbox::with("in.jsonl", family(5));
    sandbox.write("page.html", "old");
    sandbox.refuse_all("outputs/pages_appear_with_the_other_outputs_or_not_at_all");
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
fn readable_texts_and_counts_are_shown() {
    let head = format!("<html><head><style>{}</style></head><body>", "x".repeat(80_000));
    let page = |end: &str| format!("{head}<p>{} {end}</p></body></html>", words(0..60));
    let sandbox = Sandbox::with("in.jsonl", record("a", &page("old")) + &record("b", &page("new")));
    sandbox.succeed("pairs in.jsonl --strip-html -o p.csv --report page.html");
    let shown = sandbox.read("page.html");
    assert!(shown.contains("<del>old</del>") && shown.contains("<ins>new</ins>") && !shown.contains("xxxx"), "{shown}");
    sandbox.write("near.jsonl", family(30));
    sandbox.succeed("pairs near.jsonl --measure overlap --min-common 100 -o p.csv --report page.html");
    let shown = sandbox.read("page.html");
    assert!(shown.contains(" in common, near</h3>"), "{shown}");
    // What lies behind the beginning is said not to be compared.
    let long = |end: &str| words(0..20_000) + end;
    sandbox.write("long.jsonl", record("a", &long(" old")) + &record("b", &long(" new")));
    sandbox.succeed("dedup long.jsonl --report page.html");
    assert!(sandbox.read("page.html").contains("the end not compared: "));
}

#[test]
fn the_nearest_removals_are_shown_and_copies_do_not_hide_them() {
    let copies: String = (0..100).map(|number| record(&format!("copy{number}"), &words(0..300))).collect();
    let near: String =
        (0..30).map(|n| record(&format!("near{n}"), &(words(0..300 - n) + &format!(" own{n}")))).collect();
    let sandbox = Sandbox::with("in.jsonl", copies + &near);
    sandbox.succeed("dedup in.jsonl --removed removed.jsonl --report page.html");
    let mut near: Vec<f64> = rows::<serde_json::Value>(&sandbox.read("removed.jsonl"))
        .iter()
        .filter(|row| row["reason"] == "near")
        .map(|row| row["similarity"].as_f64().unwrap())
        .collect();
    near.sort_by(f64::total_cmp);
    let shown = sandbox.read("page.html");
    let headings: Vec<&str> = shown.split("<h3>").skip(1).map(|part| part.split(',').next().unwrap()).collect();
    let expected: Vec<String> = near[..20].iter().map(|similarity| format!("{similarity:.4}")).collect();
    assert_eq!(headings[..20], expected);
}

#[test]
fn shares_and_passages_of_a_page_are_those_of_the_rows() {
    let sandbox = Sandbox::with("new.txt", words(0..40) + " own words here " + &words(100..130));
    sandbox.write("old/a.txt", words(0..40).replace("w20", "edited"));
    sandbox.write("old/b.txt", words(90..140));
    sandbox.says("sources new.txt --against old --report page.html -o rows.jsonl", "...1 of 1 document has sources...");
    let found = rows::<serde_json::Value>(&sandbox.read("rows.jsonl"));
    let page = sandbox.read("page.html");
    assert_eq!(page.matches("<li id=\"there-").count(), found.len());
    assert_eq!(page.matches("<mark").count(), found.len());
    // 39 of 40 words of a, 30 of b, of 73: 94.5 %.
    assert!(page.contains("<h1>new.txt: 2 sources, 95 % covered</h1>"), "{page}");
    assert!(page.contains("w19 edited w21"), "the text of the source");
    assert_eq!(page.matches(" width=\"53.4").count(), 1, "39 of 73");
}
