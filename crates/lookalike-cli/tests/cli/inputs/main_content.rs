//! `--main-content`: the articles of pages are compared, whatever surrounds them.

use super::formats::warc;
use crate::common::{Sandbox, record};
use serde_json::json;

/// Paragraphs of an article, which another `topic` makes another article.
fn article(topic: &str) -> String {
    let paragraph = |n: usize| {
        let words: String = (0..30).map(|word| format!(" {topic}{}", n * 30 + word)).collect();
        format!("<p>In the year {n} there came, after the storm,{words}.</p>\n")
    };
    (0..6).map(paragraph).collect()
}

/// A page of a site, whose menu is longer than the article.
fn page(site: &str, article: &str) -> String {
    let menu: String = (0..120).map(|n| format!("<li><a href='/{n}'>{site} section {n} of many</a>")).collect();
    format!("<html><body><nav class=menu><ul>{menu}</ul></nav><div id=content>{article}</div><footer>{site}</footer>")
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with("in/a.html", page("North", &article("ships")));
    sandbox.write("in/b.html", page("South", &article("ships")));
    sandbox.write("in/c.html", page("North", &article("trains")));
    sandbox.write("in/d.html", page("North", "<p>Nothing here yet</p>"));
    sandbox
}

#[test]
fn articles_are_compared_without_what_surrounds_them() {
    let sandbox = sandbox();
    let whole = sandbox.succeed("pairs in -t 0.5").stdout;
    assert!(whole.contains(r#""a":"a.html","b":"c.html""#) && !whole.contains("b.html"), "{whole}");
    let run = sandbox.succeed("pairs in -t 0.5 --main-content --summary s.json -v");
    assert_eq!(run.stdout, "{\"a\":\"a.html\",\"b\":\"b.html\",\"similarity\":1.0,\"reason\":\"equal\"}\n");
    assert!(run.stderr.contains("1 page without an article compared as a whole"), "{}", run.stderr);
    assert!(run.stderr.contains("no article, compared as a whole: in/d.html"), "{}", run.stderr);
    let quiet = sandbox.succeed("pairs in -t 0.5 --main-content").stderr;
    assert!(!quiet.contains("in/d.html") && quiet.contains("1 page without"), "{quiet}");
    let summary = sandbox.json("s.json");
    assert_eq!((&summary["pages_without_article"], &summary["parameters"]["main_content"]), (&json!(1), &json!(true)));
    sandbox.succeed("dedup in -o out --removed r.csv --main-content --check-texts");
    assert_eq!(sandbox.read("r.csv").lines().nth(1), Some("b.html,a.html,1.0,equal"));
    assert_eq!(sandbox.read("out/a.html"), page("North", &article("ships")), "records are written whole");
    assert!(!sandbox.path("out/b.html").exists());
    assert!(["a", "c", "d"].iter().all(|name| sandbox.path(&format!("out/{name}.html")).exists()));
}

#[test]
fn pages_in_records_are_those_with_strip_html() {
    let sandbox = Sandbox::new();
    let texts = [("a", "North", "ships"), ("b", "South", "ships"), ("c", "North", "trains")];
    let records = texts.map(|(id, site, topic)| record(id, &page(site, &article(topic))));
    sandbox.write("in.jsonl", records.concat());
    let flags = "-t 0.5 --main-content";
    let run = sandbox.succeed(&format!("pairs in.jsonl {flags} --strip-html"));
    assert_eq!(run.stdout, "{\"a\":\"a\",\"b\":\"b\",\"similarity\":1.0,\"reason\":\"equal\"}\n");
    sandbox
        .refused("pairs in.jsonl -t 0.5 --main-content", "no input is an HTML page, and only pages have articles; ...");
    let compared = sandbox.succeed("compare in.jsonl:a in.jsonl:b --main-content --strip-html").stdout;
    assert!(compared.contains("Jaccard              1.0000") && !compared.contains("section"), "{compared}");
    let compared = sandbox.succeed("compare in.jsonl:a in.jsonl:c --main-content --strip-html").stdout;
    assert!(compared.contains("there came, after the storm") && !compared.contains("section"), "{compared}");
}

#[test]
fn articles_are_those_of_crawls_snapshots_and_work_folders() {
    let sandbox = sandbox();
    let response = |site: &str, topic: &str| {
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}", page(site, &article(topic)))
    };
    let record = |site: &str, topic: &str| {
        warc(
            "response",
            &format!("http://{site}/{topic}"),
            "application/http; msgtype=response",
            &response(site, topic),
        )
    };
    sandbox.write("in.warc", [record("North", "ships"), record("South", "ships"), record("North", "trains")].concat());
    let flags = "-t 0.5 --main-content";
    let run = sandbox.succeed(&format!("pairs in.warc {flags}"));
    assert_eq!(
        run.stdout,
        "{\"a\":\"http://North/ships\",\"b\":\"http://South/ships\",\"similarity\":1.0,\"reason\":\"equal\"}\n"
    );
    sandbox.succeed("snapshot in -o in.snapshot --main-content");
    let from_pages = sandbox.succeed(&format!("pairs in {flags}")).stdout;
    assert_eq!(sandbox.succeed(&format!("pairs in.snapshot {flags}")).stdout, from_pages);
    let followed = sandbox.succeed("pairs in.snapshot");
    assert_eq!(followed.stdout, sandbox.succeed("pairs in.snapshot --main-content").stdout);
    assert!(!followed.stderr.contains("no document is an HTML page"), "{}", followed.stderr);
    for _ in 0..2 {
        sandbox.says(&format!("pairs in {flags} --work-dir work -o p.jsonl"), "...1 page without an article...");
        assert_eq!(sandbox.read("p.jsonl"), from_pages);
        std::fs::remove_file(sandbox.path("p.jsonl")).unwrap();
    }
    sandbox.refuse_in_a_line("pairs in -t 0.5 --work-dir work");
}
