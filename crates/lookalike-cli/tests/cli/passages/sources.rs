//! `sources`: shares and passages against a brute force over words.

use crate::common::{Random, Sandbox};
use std::collections::{BTreeMap, HashSet};

const MIN_MATCH: usize = 12;
const COMMON: usize = 3;

/// Texts of runs that others have too, of whole lines that many have, and of words of their own.
fn texts(count: usize, seed: u64) -> Vec<String> {
    let mut of_pool = Random(77);
    let pool: Vec<String> = (0..600).map(|_| format!("w{}", of_pool.below(300))).collect();
    let mut random = Random(seed);
    let mut text = |own: usize| {
        let mut words: Vec<String> = Vec::new();
        for piece in 0..2 + random.below(4) {
            if random.below(4) == 0 {
                words.extend(pool[..40].iter().cloned());
            }
            let begin = random.below(560) as usize;
            words.extend(pool[begin..begin + 5 + random.below(35) as usize].iter().cloned());
            words.extend((0..random.below(6)).map(|word| format!("own{own}x{piece}x{word}")));
        }
        let separator = |at: usize| if at.is_multiple_of(9) { ",\n" } else { " " };
        words.iter().enumerate().map(|(at, word)| format!("{word}{}", separator(at))).collect()
    };
    (0..count).map(|number| text(number + 1000 * seed as usize)).collect()
}

fn records(texts: &[String], prefix: &str) -> String {
    let record = |(number, text): (usize, &String)| {
        serde_json::json!({ "id": format!("{prefix}{number}"), "text": text }).to_string() + "\n"
    };
    texts.iter().enumerate().map(record).collect()
}

fn words(text: &str) -> Vec<&str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

/// Number of the words of each document that stand in each source, and in all of them together, by definition.
fn expected(documents: &[String], sources: &[String], are_same: bool) -> BTreeMap<String, (usize, Vec<usize>)> {
    let windows_of = |text: &String| words(text).windows(MIN_MATCH).map(|run| run.join(" ")).collect::<HashSet<_>>();
    let windows: Vec<HashSet<String>> = sources.iter().map(windows_of).collect();
    let mut all = BTreeMap::new();
    for (number, text) in documents.iter().enumerate() {
        let text = words(text);
        let mut in_any = vec![false; text.len()];
        let shares = windows.iter().enumerate().map(|(source, of_source)| {
            let mut covered = vec![false; text.len()];
            for (begin, run) in text.windows(MIN_MATCH).enumerate() {
                let run = run.join(" ");
                let having = windows.iter().filter(|windows| windows.contains(&run)).count();
                let is_other = !(are_same && source == number);
                if is_other && of_source.contains(&run) && having <= COMMON + usize::from(are_same) {
                    covered[begin..begin + MIN_MATCH].fill(true);
                    in_any[begin..begin + MIN_MATCH].fill(true);
                }
            }
            covered.iter().filter(|&&is_covered| is_covered).count()
        });
        let shares: Vec<usize> = shares.collect();
        all.insert(number.to_string(), (in_any.iter().filter(|&&is_covered| is_covered).count(), shares));
    }
    all
}

/// Checks the rows against brute force; returns their number.
fn check(rows: &str, (documents, prefix): (&[String], &str), sources: &[String], are_same: bool) -> usize {
    let expected = expected(documents, sources, are_same);
    let mut found: BTreeMap<(String, String), f64> = BTreeMap::new();
    let mut last_rank = 0;
    let mut ids = HashSet::new();
    for line in rows.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let number = |field: &str| row[field].as_u64().unwrap() as usize;
        let id = row["id"].as_str().unwrap().strip_prefix(prefix).unwrap();
        ids.insert(id.to_owned());
        if row["source"].is_null() {
            assert_eq!((expected[id].0, row["share"].as_f64(), row["rank"].as_u64()), (0, Some(0.0), None), "{line}");
            continue;
        }
        let source = row["source"].as_str().unwrap().trim_start_matches(['s', 'd']);
        let text = &documents[id.parse::<usize>().unwrap()];
        let there = &sources[source.parse::<usize>().unwrap()];
        let here = &text[number("start")..number("end")];
        let there_text = &there[number("source_start")..number("source_end")];
        assert_eq!(words(here), words(there_text), "{line}");
        assert_eq!(words(here).len(), number("tokens"), "{line}");
        assert_eq!(number("line"), 1 + text[..number("start")].matches('\n').count(), "{line}");
        assert_eq!(number("source_end_line"), 1 + there[..number("source_end")].matches('\n').count(), "{line}");
        let (in_any, shares) = &expected[id];
        let count = words(text).len() as f64;
        assert_eq!(row["share_in_all"].as_f64().unwrap(), *in_any as f64 / count, "{line}");
        assert_eq!(row["share"].as_f64().unwrap(), shares[source.parse::<usize>().unwrap()] as f64 / count, "{line}");
        found.insert((id.to_owned(), source.to_owned()), row["share"].as_f64().unwrap());
        last_rank = if number("rank") == 1 { 1 } else { number("rank").max(last_rank) };
    }
    let sources: usize = expected.values().map(|(_, shares)| shares.iter().filter(|&&share| share > 0).count()).sum();
    assert_eq!((found.len(), ids.len()), (sources, documents.len()));
    rows.lines().count()
}

#[test]
fn shares_and_passages_are_those_of_brute_force() {
    let documents = texts(30, 1);
    let sources = texts(25, 2);
    let sandbox = Sandbox::with("new.jsonl", records(&documents, "d"));
    sandbox.write("refs.jsonl", records(&sources, "s"));
    let flags = format!("--min-match {MIN_MATCH} --common {COMMON} --gap 0 --format jsonl");
    let found = sandbox.succeed(&format!("sources new.jsonl --against refs.jsonl {flags}"));
    let rows = check(&found.stdout, (&documents, "d"), &sources, false);
    assert!(rows > 100, "{rows}");
    let among = sandbox.succeed(&format!("sources new.jsonl {flags}"));
    let rows = check(&among.stdout, (&documents, "d"), &documents, true);
    assert!(rows > 100, "{rows}");
}

#[test]
fn small_edits_are_shown_within_a_passage_and_not_counted() {
    let words: Vec<String> = (0..60).map(|number| format!("w{number}")).collect();
    let mut edited = words.clone();
    edited[30] = "other".to_owned();
    let sandbox = Sandbox::with("ref.txt", words.join(" "));
    sandbox.write("new.txt", format!("first of all {}", edited.join(" ")));
    let row = |flags: &str| {
        let found = sandbox.succeed(&format!("sources new.txt --against ref.txt --format csv {flags}"));
        found.stdout.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("").len(), 1);
    let cells: Vec<String> = row("")[0].split(',').map(str::to_owned).collect();
    assert_eq!((&cells[4][..], &cells[5][..]), ("0.9365079365079365", "59"));
    assert_eq!(row("--gap 0").len(), 2);
    assert_eq!(row("--min-match 31"), ["new.txt,0.0,,,0.0,0,,,,,,,,"]);
}

#[test]
fn what_everybody_has_is_left_out_and_counted() {
    let sheet = "please answer the following questions in your own words and hand them in by friday at noon";
    let sandbox = Sandbox::with("a.txt", format!("{sheet} {}", (0..30).map(|n| format!("a{n} ")).collect::<String>()));
    for number in 0..12 {
        let own: String = (0..30).map(|word| format!("x{number}x{word} ")).collect();
        sandbox.write(&format!("class/{number}.txt"), format!("{sheet} {own}"));
    }
    sandbox.says("sources a.txt --against class/ --format csv", "...0 passages...17 tokens...");
    let all = sandbox.succeed("sources a.txt --against class/ --format csv --common 12");
    assert_eq!(all.stdout.lines().count(), 13);
    sandbox.write("sheet.txt", sheet);
    let ignored = sandbox.succeed("sources a.txt --against class/ --common 12 --ignore sheet.txt --format csv");
    assert_eq!(ignored.stdout.lines().nth(1), Some("a.txt,0.0,,,0.0,0,,,,,,,,"));
    assert!(ignored.stderr.contains("what is ignored"), "{}", ignored.stderr);
    let status =
        |flags: &str| sandbox.run(&format!("sources a.txt --against class/ --common 12 {flags}")).code.unwrap();
    assert_eq!((status("--fail-if-found 50"), status("--fail-if-found 20"), status("")), (0, 1, 0));
}

#[test]
fn what_has_no_passages_is_refused_in_one_line() {
    let sandbox = Sandbox::with("a.jsonl", "{\"id\": \"a\", \"text\": \"one two three\"}\n");
    sandbox.succeed("snapshot a.jsonl -o a.snapshot");
    sandbox.refuse_all("passages/what_has_no_passages_is_refused_in_one_line");
    sandbox.says("sources a.jsonl --against a.jsonl", "...1 document shorter than --min-match...");
}

#[test]
fn bad_files_and_records_are_left_out_in_both_readings() {
    let text = (0..20).map(|number| format!("w{number} ")).collect::<String>();
    let sandbox = Sandbox::with("refs/a.csv", format!("id,text\na,{text}\n"));
    sandbox.write("refs/b.csv", "id,words\nb,nothing\n");
    sandbox.write("refs/c.jsonl", format!("{{\"id\": \"c\", \"text\": \"{text}\"}}\nno record\n"));
    sandbox.write("new.txt", &text);
    let found = sandbox.succeed("sources new.txt --against refs/ --on-error skip --format csv");
    assert_eq!(found.stdout.lines().count(), 3, "{}", found.stdout);
    assert!(found.stderr.contains("b.csv") && found.stderr.contains("c.jsonl"), "{}", found.stderr);
    sandbox.refuse("sources new.txt --against refs/ --format csv");
}

#[test]
fn snapshots_with_tokens_stand_for_texts() {
    let documents = texts(20, 5);
    let sources = texts(40, 6);
    let sandbox = Sandbox::with("new.jsonl", records(&documents, "d"));
    sandbox.write("first.jsonl", records(&sources[..15], "s"));
    sandbox.write(
        "rest.jsonl",
        records(&sources, "s").lines().skip(15).map(|line| format!("{line}\n")).collect::<String>(),
    );
    for (units, asked) in [
        ("", "--min-match 12"),
        ("--shingle word:3", ""),
        ("--shingle char:9", "--min-match char:40"),
        ("--shingle line:1", "--min-match line:1"),
        ("--shingle sentence:1", "--min-match sentence:1"),
        ("--tokens code", "--tokens code"),
    ] {
        sandbox.succeed(&format!("snapshot rest.jsonl -o rest.snapshot --passages {units}"));
        let rows = |against: &str| {
            let command = format!("sources new.jsonl --against {against} --format jsonl --common {COMMON} {asked}");
            let found = sandbox.succeed(&command);
            (found.stdout, found.stderr)
        };
        let of_texts = rows("first.jsonl rest.jsonl");
        assert!(of_texts.0.lines().count() > 20, "{asked}: {}", of_texts.1);
        assert_eq!(rows("first.jsonl rest.snapshot"), of_texts, "{asked}");
    }
    // It is a snapshot all the same.
    sandbox.succeed("snapshot rest.jsonl -o rest.snapshot --passages");
    sandbox.succeed("snapshot rest.jsonl -o plain.snapshot");
    let pairs = |name: &str| sandbox.succeed(&format!("pairs {name} -t 0.1 --format jsonl")).stdout;
    assert_eq!(pairs("rest.snapshot"), pairs("plain.snapshot"));
    sandbox.succeed("snapshot first.jsonl rest.snapshot -o all.snapshot --passages");
    sandbox.succeed("snapshot first.jsonl rest.jsonl -o whole.snapshot --passages");
    assert_eq!(sandbox.bytes("all.snapshot"), sandbox.bytes("whole.snapshot"));
    sandbox.succeed("sources new.jsonl --against rest.snapshot -o - --report page.html");
    assert!(sandbox.read("page.html").contains("<mark"));
}

#[test]
fn no_document_of_a_snapshot_is_its_own_source() {
    let numbered =
        |numbers: std::ops::Range<usize>| numbers.map(|number| format!("w{number}")).collect::<Vec<_>>().join(" ");
    let three = [numbered(0..30), numbered(10..40), numbered(50..60)];
    let sandbox = Sandbox::with("a.jsonl", records(&three, "d"));
    sandbox.succeed("snapshot a.jsonl -o a.snapshot --passages");
    let rows = |against: &str| sandbox.succeed(&format!("sources a.jsonl --against {against} --format jsonl")).stdout;
    assert_eq!(rows("a.snapshot"), rows("a.jsonl"));
    assert_eq!(rows("a.snapshot --common 1"), rows("a.jsonl --common 1"));
    // What has another id, or another text, is another document.
    sandbox.write("copy.jsonl", records(&three[..1], "copy"));
    sandbox.write("longer.jsonl", records(&[numbered(0..31)], "d"));
    for (name, share) in [("copy", "\"share\":1.0"), ("longer", "\"source\":\"d0\"")] {
        let rows = sandbox.succeed(&format!("sources {name}.jsonl --against a.snapshot --format jsonl")).stdout;
        assert!(rows.contains(share), "{rows}");
    }
}

#[test]
fn snapshots_without_fitting_tokens_are_refused() {
    let sandbox = Sandbox::with("a.jsonl", records(&texts(3, 1), "d"));
    sandbox.succeed("snapshot a.jsonl -o a.snapshot");
    sandbox.succeed("snapshot a.jsonl -o tokens.snapshot --passages");
    sandbox.succeed("index create a.idx a.jsonl");
    sandbox.refuse_all("passages/snapshots_without_fitting_tokens_are_refused");
    let whole = sandbox.bytes("tokens.snapshot");
    let rows = sandbox.succeed("sources a.jsonl --against tokens.snapshot --format jsonl --common 99").stdout;
    let mut random = Random(9);
    for _ in 0..300 {
        let mut damaged = whole.clone();
        let at = random.below(damaged.len() as u64) as usize;
        if random.below(4) == 0 {
            damaged.truncate(at);
        } else {
            damaged[at] ^= 1 << random.below(8);
        }
        sandbox.write("damaged.snapshot", &damaged);
        let run = sandbox.run("sources a.jsonl --against damaged.snapshot --format jsonl --common 99");
        // Bytes of the element sets, and between sections, are not asked for.
        let is_same = run.code == Some(0) && run.stdout == rows.replace("tokens.snapshot", "damaged.snapshot");
        assert!(is_same || run.code == Some(2) && run.stdout.is_empty(), "byte {at}: {run:?}");
        assert!(!run.stderr.contains("panicked"), "byte {at}: {run:?}");
    }
}

#[test]
fn what_many_have_is_named_with_their_number() {
    let shared = "the harbour stays closed until friday because the storm has moved the buoys into the fairway";
    let sandbox = Sandbox::new();
    for number in 0..13 {
        let own = |part: &str| (0..30).map(|word| format!("{part}{number}x{word} ")).collect::<String>();
        sandbox.write(&format!("class/{number:02}.txt"), format!("{}\n{shared}\n{}", own("a"), own("z")));
    }
    let found = sandbox.says("sources class --format csv", "0 of 13 documents have sources: 0 passages\n...");
    let told = "\n  16 tokens in 13 documents, as in 00.txt, line 2: the harbour stays closed until friday because ";
    assert!(found.stderr.contains(told), "{}", found.stderr);
    assert_eq!(found.stdout.lines().count(), 14);
    sandbox.says("sources class --format csv --common 12", "13 of 13 documents have sources: 156 passages\n...");
    sandbox.write("one.txt", shared);
    sandbox.says(
        "sources one.txt --against class --format csv --summary s.json --report page.html",
        "...  16 tokens in 13 documents, as in one.txt, line 1: ...",
    );
    let summary = sandbox.json("s.json");
    assert_eq!(summary["result"]["common_passages"][0]["documents"], 13);
    assert!(sandbox.read("page.html").contains("16 tokens in 13 documents"));
}

#[test]
fn every_document_has_a_row_and_five_words_are_a_passage_unless_more_are_asked_for() {
    let sandbox = Sandbox::with("library.txt", "the sea wall was built by the village in the year of the flood");
    sandbox.write("essays/copy.txt", "We read that the sea wall was built by farmers");
    sandbox.write("essays/own.txt", "My grandmother says that the sea does not read reports");
    let rows = |flags: &str| {
        let found = sandbox.succeed(&format!("sources essays --against library.txt --format csv {flags}"));
        found
            .stdout
            .lines()
            .skip(1)
            .map(|line| line.split(',').take(6).collect::<Vec<_>>().join(","))
            .collect::<Vec<_>>()
    };
    assert_eq!(rows(""), ["copy.txt,0.6,1,library.txt,0.6,6", "own.txt,0.0,,,0.0,0"]);
    assert_eq!(rows("--min-match word:12"), ["copy.txt,0.0,,,0.0,0", "own.txt,0.0,,,0.0,0"]);
    sandbox.succeed("sources essays --against library.txt -o found.parquet --report page.html");
    let page = sandbox.read("page.html");
    assert!(page.contains("1 of 2 documents with sources") && page.contains("own.txt"), "{page}");
}
