//! `dedup`: which bytes come out, and where.

use crate::common::{Sandbox, record, words};

#[test]
fn kept_records_come_out_byte_for_byte_in_input_order() {
    let odd = "  { \"text\" : \"caf\\u00e9 \\/ \u{e9}\" ,\t\"id\":\"odd\" , \"n\": 1.0e2 }  \r\n";
    let same = record("same", &words(0..20));
    let copy = record("copy", &words(0..20));
    let last = "{\"id\":\"last\",\"text\":\"no line end\"}";
    let sandbox = Sandbox::with("in.jsonl", [odd, &same, &copy, last].concat());
    sandbox.writes("dedup in.jsonl -o out.jsonl", "out.jsonl", &([odd, &same, last].concat()));
}

#[test]
fn a_record_without_line_end_is_the_last_even_if_it_is_preferred() {
    let first = record("first", &words(0..20));
    let last = record("last", &words(0..20));
    let sandbox = Sandbox::with("in.jsonl", record("other", "x") + &first + last.trim_end());
    sandbox.writes("dedup in.jsonl -o out.jsonl --keep last", "out.jsonl", &(record("other", "x") + last.trim_end()));
}

#[test]
fn empty_lines_are_no_records() {
    let sandbox = Sandbox::with("in.jsonl", format!("\n{} \t\n\r\n{}\n", record("a", "x"), record("b", "y")));
    let run = sandbox.succeed("dedup in.jsonl -o out.jsonl");
    assert_eq!(sandbox.read("out.jsonl"), record("a", "x") + &record("b", "y"));
    assert!(run.stderr.starts_with("2 documents: 2 kept, 0 removed"), "{}", run.stderr);
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_record() {
    let content = record("a", "x") + &record("b", "y");
    let sandbox = Sandbox::with("in.jsonl", format!("\u{feff}{content}"));
    sandbox.succeed("dedup in.jsonl -o out.jsonl");
    assert_eq!(sandbox.read("out.jsonl").trim_start_matches('\u{feff}'), content);
    sandbox.succeed("dedup in.jsonl -o annotated.jsonl --annotate");
    assert_eq!(sandbox.read("annotated.jsonl").lines().count(), 2);
}

#[test]
fn records_without_id_are_named_by_file_and_line() {
    let text = words(0..20);
    let content = format!("{{\"text\":\"x\"}}\n{{\"text\":\"{text}\"}}\n\n{{\"id\":null,\"text\":\"{text}\"}}\n");
    let sandbox = Sandbox::with("in.jsonl", content);
    sandbox.succeed("dedup in.jsonl -o out.jsonl --removed removed.jsonl");
    assert_eq!(
        sandbox.read("removed.jsonl"),
        "{\"id\":\"in.jsonl:4\",\"kept\":\"in.jsonl:2\",\"similarity\":1.0,\"reason\":\"identical\"}\n"
    );
}

#[test]
fn other_fields_can_hold_text_and_id() {
    let line = |url: &str| format!("{{\"url\":\"{url}\",\"body\":\"{}\",\"text\":7,\"id\":[]}}\n", words(0..20));
    let sandbox = Sandbox::with("in.jsonl", line("u1") + &line("u2"));
    sandbox.succeed("dedup in.jsonl -o out.jsonl --removed r.csv --text-field body --id-field url");
    assert_eq!(sandbox.read("out.jsonl"), line("u1"));
    assert_eq!(sandbox.read("r.csv"), "id,kept,similarity,reason\nu2,u1,1.0,identical\n");
}

#[test]
fn long_and_numeric_ids_keep_their_digits() {
    let line = |id: &str| format!("{{\"id\":{id},\"text\":\"{}\"}}\n", words(0..20));
    let sandbox = Sandbox::with("in.jsonl", line("12345678901234567890") + &line("12345678901234567891"));
    sandbox.succeed("dedup in.jsonl -o out.jsonl --removed r.tsv");
    let expected = "id\tkept\tsimilarity\treason\n12345678901234567891\t12345678901234567890\t1.0\tidentical\n";
    assert_eq!(sandbox.read("r.tsv"), expected);
}

#[test]
fn several_files_go_to_a_folder_under_their_names() {
    let sandbox = Sandbox::with("b.jsonl", record("b1", &words(0..20)) + &record("b2", "x"));
    sandbox.write("deep/a.jsonl", record("a1", "y") + &record("a2", &words(0..20)));
    sandbox.write("all.jsonl", record("c1", "x") + &record("c2", "y"));
    sandbox.succeed("dedup b.jsonl deep/a.jsonl all.jsonl -o out");
    assert_eq!(
        sandbox.names(),
        ["all.jsonl", "b.jsonl", "deep/a.jsonl", "out/a.jsonl", "out/all.jsonl", "out/b.jsonl"]
    );
    assert_eq!(sandbox.read("out/b.jsonl"), sandbox.read("b.jsonl"));
    assert_eq!(sandbox.read("out/a.jsonl"), record("a1", "y"));
    assert_eq!(sandbox.read("out/all.jsonl"), "", "a file that loses all its records is there, and empty");
}

#[test]
fn a_folder_of_text_files_goes_to_a_folder_with_the_same_tree() {
    let sandbox = Sandbox::new();
    let kept = [("a.txt", words(0..20)), ("deep/er/b.md", "\u{feff}x\r\n".to_owned()), ("empty.txt", String::new())];
    kept.iter().for_each(|(name, text)| sandbox.write(&format!("in/{name}"), text));
    sandbox.write("in/deep/copy.txt", words(0..20).to_uppercase());
    let run = sandbox.succeed("dedup in -o out --removed r.csv");
    kept.iter().for_each(|(name, text)| assert_eq!(&sandbox.read(&format!("out/{name}")), text));
    assert!(!sandbox.names().contains(&"out/deep/copy.txt".to_owned()));
    assert_eq!(sandbox.read("r.csv"), "id,kept,similarity,reason\ndeep/copy.txt,a.txt,1.0,equal\n");
    assert!(
        run.stderr.starts_with("4 documents: 3 kept, 1 removed (0 identical, 1 equal, 0 near)\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn an_empty_folder_can_become_the_output() {
    let sandbox = Sandbox::with("in/a.txt", "x");
    std::fs::create_dir(sandbox.path("out")).unwrap();
    sandbox.succeed("dedup in -o out/");
    assert_eq!(sandbox.names(), ["in/a.txt", "out/a.txt"]);
}

#[test]
fn a_dash_means_standard_output() {
    let sandbox = Sandbox::with("in.jsonl", record("a", &words(0..20)) + &record("b", &words(0..20)));
    let run = sandbox.succeed("dedup in.jsonl -o -");
    assert_eq!(run.stdout, record("a", &words(0..20)));
    assert!(run.stderr.starts_with("2 documents: 1 kept, 1 removed"), "words belong on stderr: {}", run.stderr);
    assert_eq!(sandbox.names(), ["in.jsonl"]);
}

#[test]
fn no_documents_at_all_give_an_empty_output() {
    let sandbox = Sandbox::with("in.jsonl", "");
    sandbox.says("dedup in.jsonl -o out.jsonl --removed r.csv --keep max:n", "0 documents: 0 kept, 0 removed...");
    assert_eq!(
        (sandbox.read("out.jsonl").as_str(), sandbox.read("r.csv").as_str()),
        ("", "id,kept,similarity,reason\n")
    );
    assert_eq!(sandbox.succeed("pairs in.jsonl").stdout, "");
    assert_eq!(sandbox.succeed("clusters in.jsonl --format json").stdout, "[\n]\n");
    assert_eq!(sandbox.succeed("checksum in.jsonl").stdout, "");
}

#[test]
fn files_without_a_document_are_beside_the_records_of_every_folder() {
    let text = "one two three four five six seven";
    let sandbox = Sandbox::with("in/a.txt", text);
    sandbox.write("in/b.txt", text);
    sandbox.write("in/bad.csv", "id,words\n1,x\n");
    sandbox.write("in/good.jsonl", "{\"id\":\"g\",\"text\":\"nothing like that\"}\n");
    sandbox.write("in/.git/config", "x");
    sandbox.says(
        "dedup in -o out --on-error skip",
        "...note: 2 files without a document, copied beside the records: .git/config, bad.csv\n...",
    );
    let out = sandbox.names_in("out/");
    assert_eq!(out, ["out/.git/config", "out/a.txt", "out/bad.csv", "out/good.jsonl"]);
    sandbox.says(
        "cut in -o cuts --shingle word:3 --on-error skip",
        "...note: 2 files without a document, copied beside the records: ...",
    );
    assert_eq!(sandbox.read("cuts/bad.csv"), sandbox.read("in/bad.csv"));
    // One file has no place for others, unless they are given one.
    sandbox.succeed("dedup in -o one.jsonl --on-error skip");
    sandbox.writes("dedup in -o two.jsonl --on-error skip --left-out rest", "two.jsonl", &sandbox.read("one.jsonl"));
    assert_eq!(sandbox.read("rest/bad.csv"), sandbox.read("in/bad.csv"));
    sandbox.refused("dedup in/good.jsonl -o three.jsonl --left-out drop", "the input is a file of records...");
}
