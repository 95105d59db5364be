//! `cut`: what is left against a brute force over tokens, for each unit; the same texts in all formats.

use crate::common::{Random, Sandbox, rows, words};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};

/// A unit as its flag names it, and its number of tokens.
const UNITS: [(&str, usize); 6] =
    [("word", 7), ("word", 2), ("char", 12), ("line", 1), ("sentence", 2), ("paragraph", 1)];

/// Texts of paragraphs of lines of sentences, of which many stand in several places.
fn texts(count: usize, seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    let pool: Vec<String> = (0..40)
        .map(|_| {
            let words: Vec<String> = (0..3 + random.below(6)).map(|_| format!("w{}", random.below(60))).collect();
            let mut sentence = words.join(" ") + ".";
            sentence[..1].make_ascii_uppercase();
            sentence
        })
        .collect();
    let mut text = || {
        let mut text = String::new();
        for _ in 0..1 + random.below(7) {
            for _ in 0..1 + random.below(3) {
                text += &pool[(random.below(40) * random.below(40) / 40) as usize];
                text += ["\n", " ", "\n\n"][random.below(3) as usize];
            }
        }
        text.trim_end().to_owned()
    };
    (0..count).map(|_| text()).collect()
}

/// The tokens of such a text; of text units, their words.
fn tokens(text: &str, unit: &str) -> Vec<String> {
    let words = |text: &str| -> Vec<String> {
        let lower = text.to_lowercase();
        lower
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let units = |parts: Vec<&str>| -> Vec<String> {
        let units = parts.into_iter().map(|part| words(part).join(" "));
        units.filter(|part| !part.is_empty()).collect()
    };
    match unit {
        "word" => words(text),
        "char" => {
            text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ").chars().map(String::from).collect()
        }
        "line" => units(text.lines().collect()),
        "paragraph" => units(text.split("\n\n").collect()),
        _ => units(text.split_inclusive('.').collect()),
    }
}

/// Cut tokens by document, in input order. `order` says which document is before another.
fn cut_by_definition(
    texts: &[String],
    order: &[usize],
    references: &[String],
    (unit, size): (&str, usize),
) -> Vec<Vec<bool>> {
    let of_references: Vec<Vec<String>> = references.iter().map(|text| tokens(text, unit)).collect();
    let of_texts: Vec<Vec<String>> = texts.iter().map(|text| tokens(text, unit)).collect();
    let mut first: HashMap<&[String], Option<(usize, usize)>> = HashMap::new();
    for window in of_references.iter().flat_map(|text| text.windows(size)) {
        first.insert(window, None);
    }
    let mut cut: Vec<Vec<bool>> = of_texts.iter().map(|text| vec![false; text.len()]).collect();
    for &document in order {
        for (at, window) in of_texts[document].windows(size).enumerate() {
            let known = if references.is_empty() {
                Some(*first.entry(window).or_insert(Some((document, at))))
            } else {
                first.get(window).copied()
            };
            let is_before =
                known.is_some_and(|known| known.is_none_or(|(other, place)| other != document || place + size <= at));
            if is_before {
                cut[document][at..at + size].fill(true);
            }
        }
    }
    cut
}

fn lines_of(texts: &[String], prefix: &str) -> String {
    let line = |(number, text): (usize, &String)| json!({"id": format!("{prefix}{number}"), "n": number, "text": text});
    texts.iter().enumerate().map(|text| line(text).to_string() + "\n").collect()
}

/// The texts of records, by id.
fn texts_by_id(lines: &str) -> BTreeMap<String, String> {
    let text = |row: Value| (row["id"].as_str().unwrap().to_owned(), row["text"].as_str().unwrap().to_owned());
    rows(lines).into_iter().map(text).collect()
}

/// Checks what is left, and the rows, against brute force; returns the number of rows.
fn check(sandbox: &Sandbox, flags: &str, (texts, references): (&[String], &[String]), order: &[usize]) -> usize {
    let mut found = 0;
    for (unit, size) in UNITS {
        let shingle = format!("--shingle {unit}:{size} --min-cut 0");
        let command = format!("cut docs.jsonl {flags} {shingle} -o left.jsonl --removed rows.jsonl -q");
        sandbox.succeed(&command);
        let (left, cut) =
            (texts_by_id(&sandbox.read("left.jsonl")), cut_by_definition(texts, order, references, (unit, size)));
        let mut cut_tokens: BTreeMap<String, usize> = BTreeMap::new();
        for (number, (text, cut)) in texts.iter().zip(&cut).enumerate() {
            let stays = tokens(text, unit).into_iter().zip(cut).filter(|(_, is_cut)| !**is_cut).map(|(token, _)| token);
            let stays: Vec<String> = stays.collect();
            let id = format!("d{number}");
            let count = cut.iter().filter(|is_cut| **is_cut).count();
            if count > 0 {
                cut_tokens.insert(id.clone(), count);
            }
            match left.get(&id) {
                None => assert!(stays.is_empty() && count > 0, "{unit}:{size} {text:?}"),
                Some(left) if count == 0 => assert_eq!(left, text),
                // Characters that come together by a cut may be one run of white space then.
                Some(left) if unit == "char" => assert_eq!(
                    tokens(left, unit).concat().replace(' ', ""),
                    stays.concat().replace(' ', ""),
                    "{text:?}"
                ),
                Some(left) => assert_eq!(tokens(left, unit), stays, "{unit}:{size} {text:?}"),
            }
        }
        let mut listed: BTreeMap<String, usize> = BTreeMap::new();
        for row in rows::<Value>(&sandbox.read("rows.jsonl")) {
            let number = |field: &str| row[field].as_u64().unwrap() as usize;
            let text_of = |field: &str| {
                let id = row[field].as_str().unwrap();
                let all = if id.starts_with('r') { references } else { texts };
                all[id[1..].parse::<usize>().unwrap()].as_str()
            };
            let here = &text_of("id")[number("start")..number("end")];
            let there = &text_of("kept")[number("kept_start")..number("kept_end")];
            assert_eq!(tokens(here, unit), tokens(there, unit), "{unit}:{size} {row}");
            assert_eq!(number("line"), 1 + text_of("id")[..number("start")].matches('\n').count());
            *listed.entry(row["id"].as_str().unwrap().to_owned()).or_default() += number("tokens");
            assert_eq!(row["document_removed"].as_bool().unwrap(), !left.contains_key(row["id"].as_str().unwrap()));
            found += 1;
        }
        assert_eq!(listed, cut_tokens);
    }
    found
}

#[test]
fn what_is_left_is_what_did_not_occur_before() {
    let mut found = 0;
    for seed in 1..4 {
        let references = texts(12, seed + 100);
        let texts = texts(30, seed);
        let sandbox = Sandbox::with("docs.jsonl", lines_of(&texts, "d"));
        sandbox.write("refs.jsonl", lines_of(&references, "r"));
        let in_order: Vec<usize> = (0..texts.len()).collect();
        found += check(&sandbox, "", (&texts, &[]), &in_order);
        let mut longest = in_order.clone();
        longest.sort_by_key(|&document| std::cmp::Reverse(texts[document].chars().count()));
        found += check(&sandbox, "--keep longest", (&texts, &[]), &longest);
        let reverse: Vec<usize> = in_order.iter().rev().copied().collect();
        found += check(&sandbox, "--keep last", (&texts, &[]), &reverse);
        found += check(&sandbox, "--against refs.jsonl", (&texts, &references), &in_order);
    }
    assert!(found > 500, "{found}");
}

#[test]
fn all_else_of_a_record_stays_byte_for_byte() {
    let sandbox = Sandbox::new();
    let one = "one two three four five";
    let lines = format!(
        "{{\"id\":\"a\",\"x\":1.50,\"text\":\"Caf\\u00e9 {one} end\"}}\r\n\
         {{ \"text\" : \"b {one}. z\" ,\"x\":[1, 2],\"id\":\"b\"}}\n{{\"id\":\"c\",\"text\":\"\\u0063\"}}"
    );
    sandbox.write("in.jsonl", &lines);
    sandbox.succeed("cut in.jsonl --shingle 5 -o out.jsonl");
    assert_eq!(sandbox.read("out.jsonl"), lines.replace(&format!("\"b {one}. z\""), "\"b z\""));
    let table = format!("id,text,x\r\n1,\"a {one}, x\",\"q\"\r\n2,\"{one} y\",z\r\n3,{one},0\r\n");
    sandbox.write("in.csv", &table);
    sandbox.succeed("cut in.csv --shingle 5 -o out.csv");
    assert_eq!(sandbox.read("out.csv"), format!("id,text,x\r\n1,\"a {one}, x\",\"q\"\r\n2,\"y\",z\r\n"));
    sandbox.succeed("cut in.csv --shingle 5 --min-left 0 -o out.csv");
    assert!(sandbox.read("out.csv").ends_with("\r\n2,\"y\",z\r\n3,,0\r\n"));
    sandbox.write("in.json", format!("[{{\"text\":\"{one}\"}},\n {{\"text\":\"x {one}\",\"n\":1}}]"));
    sandbox.succeed("cut in.json --shingle 5 -o out.json");
    assert_eq!(sandbox.read("out.json"), format!("[\n{{\"text\":\"{one}\"}},\n{{\"text\":\"x\",\"n\":1}}\n]\n"));
}

#[test]
fn texts_left_are_the_same_in_every_format_and_after_conversion() {
    let texts = texts(60, 9);
    let sandbox = Sandbox::with("docs.jsonl", lines_of(&texts, "d"));
    sandbox.succeed("cut docs.jsonl --shingle 7 --min-left 3 -o left.jsonl --removed rows.csv");
    let left = sandbox.read("left.jsonl");
    let rows = sandbox.read("rows.csv");
    assert!(left.lines().count() < texts.len() && rows.contains(",true\n"));
    for extension in ["parquet", "arrow", "csv", "tsv", "jsonl.zst", "json"] {
        // A corpus without repeats of so many words is converted, and cut in its new format.
        sandbox.succeed(&format!("cut docs.jsonl --shingle 1000 -o in.{extension} -q"));
        sandbox.succeed(&format!("cut in.{extension} --shingle 7 --min-left 3 -o out.{extension} -q"));
        sandbox.succeed(&format!("cut out.{extension} --shingle 1000 -o back.jsonl --format jsonl -q"));
        assert_eq!(texts_by_id(&sandbox.read("back.jsonl")), texts_by_id(&left), "{extension}");
    }
    for (number, text) in texts.iter().enumerate() {
        sandbox.write(&format!("folder/d{number:02}.txt"), text);
    }
    sandbox.succeed("cut folder --shingle 7 --min-left 3 -o texts");
    for (id, text) in texts_by_id(&left) {
        let number: usize = id[1..].parse().unwrap();
        assert_eq!(sandbox.read(&format!("texts/d{number:02}.txt")), text);
    }
    let files = sandbox.names().iter().filter(|name| name.starts_with("texts/")).count();
    assert_eq!(files, left.lines().count());
}

#[test]
fn annotations_tell_the_bytes_that_a_cut_takes() {
    let texts = texts(40, 21);
    let sandbox = Sandbox::with("docs.jsonl", lines_of(&texts, "d"));
    sandbox.succeed("cut docs.jsonl --shingle 5 --min-left 0 -o left.jsonl");
    sandbox.succeed("cut docs.jsonl --shingle 5 -o marked.jsonl --annotate");
    sandbox.succeed("cut docs.jsonl --shingle 5 -o marked.parquet --annotate");
    let left = texts_by_id(&sandbox.read("left.jsonl"));
    let mut cut = 0;
    for row in rows::<Value>(&sandbox.read("marked.jsonl")) {
        let mut text = row["text"].as_str().unwrap().to_owned();
        for span in row["lookalike"]["cut"].as_str().unwrap().split_whitespace().rev() {
            let (start, end) = span.split_once('-').unwrap();
            text.replace_range(start.parse::<usize>().unwrap()..end.parse().unwrap(), "");
            cut += 1;
        }
        assert_eq!(text, left[row["id"].as_str().unwrap()]);
    }
    assert!(cut > 20, "{cut}");
}

#[test]
fn separators_stand_in_the_place_of_cuts() {
    let one = "one two three four five";
    let sandbox = Sandbox::with("docs.jsonl", lines_of(&[one.to_owned(), format!("a. {one} b, {one}!")], "d"));
    sandbox.succeed("cut docs.jsonl --shingle 5 -o out.jsonl --separator \\n[...]\\n");
    assert_eq!(texts_by_id(&sandbox.read("out.jsonl"))["d1"], "a.\n[...]\nb,");
}

#[test]
fn what_cannot_be_cut_is_refused_in_a_line() {
    let sandbox = Sandbox::with("docs.jsonl", lines_of(&texts(3, 1), "d"));
    sandbox.write("pages/a.html", "<p>one two three");
    sandbox.succeed("snapshot docs.jsonl -o docs.snapshot");
    sandbox.refuse_all("passages/what_cannot_be_cut_is_refused_in_a_line");
    assert!(!sandbox.names().iter().any(|name| name.starts_with("out")));
    let latin = b"id,text\n1,caf\xE9 one two three\n2,one two three caf\xE9\n".to_vec();
    sandbox.write("latin.csv", &latin);
    sandbox.write("again.csv", &latin);
    sandbox.refused(
        "cut latin.csv --encoding latin1 --shingle 3 -o out.csv",
        "...latin.csv is in another encoding than UTF-8...",
    );
    // In UTF-8 it can be cut, alone and with others.
    sandbox.succeed("cut latin.csv --encoding latin1 --shingle 3 -o out.csv --format csv");
    assert_eq!(sandbox.read("out.csv"), "id,text\n1,café one two three\n2,café\n");
    sandbox.succeed("cut latin.csv again.csv --encoding latin1 --shingle 3 -o out.csv --format csv");
    assert_eq!(sandbox.read("out.csv"), "id,text\n1,café one two three\n2,café\n");
    sandbox.succeed("dedup latin.csv --encoding latin1 -o out.csv --format csv --annotate");
    assert!(sandbox.read("out.csv").contains("\n2,one two three café,false,2,"));
    // Displayed texts are looked at, and the pages cut when they become records.
    sandbox.succeed("cut pages --shingle 2 -o out.jsonl");
    sandbox.succeed("cut docs.jsonl --strip-html --shingle 3");
}

/// A page of sections, each with a heading that all pages have.
fn page(number: usize, shared: &str) -> String {
    let own = |part: &str| (0..20).map(|word| format!("{part}{number}x{word}")).collect::<Vec<_>>().join(" ");
    format!("# Parameters\n\n{}\n\n{shared}\n\n## Return value\n\n{}\n", own("p"), own("r"))
}

#[test]
fn headings_stay_where_paragraphs_are_cut() {
    let shared = "The process needs the right to debug other processes, or it is refused by the system.";
    let pages: Vec<String> = (0..5).map(|number| page(number, shared)).collect();
    let sandbox = Sandbox::with("docs.jsonl", lines_of(&pages, "d"));
    let run = sandbox.succeed("cut docs.jsonl --shingle paragraph:1 -o left.jsonl --removed rows.jsonl");
    let left = texts_by_id(&sandbox.read("left.jsonl"));
    assert_eq!(left["d0"], pages[0]);
    for (number, page) in pages.iter().enumerate().skip(1) {
        assert_eq!(left[&format!("d{number}")], page.replace(&format!("{shared}\n\n"), ""));
    }
    assert_eq!(rows::<Value>(&sandbox.read("rows.jsonl")).len(), 4);
    assert!(run.stderr.contains("8 repeated tokens stay, too short to be cut"), "{}", run.stderr);
    let all = sandbox.succeed("cut docs.jsonl --shingle paragraph:1 --min-cut 0 -o left.jsonl");
    assert!(!sandbox.read("left.jsonl").lines().last().unwrap().contains("Return value"));
    assert!(!all.stderr.contains("--min-cut"), "{}", all.stderr);
    // Runs of words have no headings, unless that is asked for.
    let words = |flags: &str| {
        sandbox.succeed(&format!("cut docs.jsonl --shingle 10 {flags} --removed rows.jsonl -q"));
        rows::<Value>(&sandbox.read("rows.jsonl")).len()
    };
    assert_eq!((words(""), words("--min-cut 18"), words("--min-cut 19")), (4, 4, 0));
}

#[test]
fn headings_stay_behind_lines_that_are_all_short() {
    let shared = "seven words stand in this first line\nseven words stand in this second line\nHeading here";
    let texts = [shared.to_owned(), format!("{shared}\nand then follows what is new in this one")];
    let sandbox = Sandbox::with("docs.jsonl", lines_of(&texts, "d"));
    sandbox.succeed("cut docs.jsonl --shingle line:1 -o left.jsonl");
    let left = texts_by_id(&sandbox.read("left.jsonl"));
    assert_eq!(left["d1"], "Heading here\nand then follows what is new in this one");
}

#[test]
fn what_must_be_left_is_counted_in_words() {
    let shared = words(0..14);
    let own = words(100..131);
    let texts = [shared.clone(), format!("{shared}\n\n{own}")];
    let sandbox = Sandbox::with("docs.jsonl", lines_of(&texts, "d"));
    for (min_left, left) in [(20, 2), (31, 2), (32, 1)] {
        sandbox.succeed(&format!("cut docs.jsonl --shingle paragraph:1 --min-left {min_left} -o left.jsonl"));
        assert_eq!(sandbox.read("left.jsonl").lines().count(), left, "{min_left}");
    }
}

#[test]
fn what_stands_between_two_cuts_goes_on_request_and_is_named() {
    let run = |name: &str| (0..12).map(|word| format!("{name}{word}")).collect::<Vec<_>>().join(" ");
    let one = run("a");
    let two = run("b");
    let texts = [format!("{one}. {two}."), format!("{one}. So it is. {two}. And on it goes for long.")];
    let sandbox = Sandbox::with("docs.jsonl", lines_of(&texts, "d"));
    sandbox.succeed("cut docs.jsonl --shingle 10 -o left.jsonl --min-between 2");
    assert_eq!(texts_by_id(&sandbox.read("left.jsonl"))["d1"], "So it is. And on it goes for long.");
    let command = "cut docs.jsonl --shingle 10 --min-between 3 -o left.jsonl --removed";
    sandbox.succeed(&format!("{command} rows.jsonl"));
    assert_eq!(texts_by_id(&sandbox.read("left.jsonl"))["d1"], "And on it goes for long.");
    let listed = rows::<Value>(&sandbox.read("rows.jsonl"));
    assert_eq!(listed.len(), 3);
    let crumb = &listed[1];
    assert_eq!((&crumb["tokens"], &crumb["kept"], &crumb["kept_line"]), (&json!(3), &Value::Null, &Value::Null));
    assert_eq!(
        &texts[1][crumb["start"].as_u64().unwrap() as usize..crumb["end"].as_u64().unwrap() as usize],
        "So it is"
    );
    sandbox.succeed(&format!("{command} rows.csv"));
    assert!(sandbox.read("rows.csv").contains(",1,1,,,,,,false\n"), "{}", sandbox.read("rows.csv"));
    sandbox.succeed(&format!("{command} rows.parquet"));
}

#[test]
fn a_page_shows_what_is_cut_and_where_it_stays() {
    let shared: String = (0..60).map(|word| format!("s{word} ")).collect();
    let texts = [format!("First of all {shared}"), "Nothing of it".to_owned(), format!("And {shared} at last")];
    let sandbox = Sandbox::with("docs.jsonl", lines_of(&texts, "d"));
    sandbox.succeed("cut docs.jsonl --report cuts.html");
    let page = sandbox.read("cuts.html");
    for told in [
        "1 of 3 documents cut",
        "95 % cut, which stays in 1 document",
        "<mark",
        "Cut: 60 tokens of 129 in runs of word:50",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    sandbox.refused("cut docs.jsonl --report cuts.txt", "...cuts.html...");
}
