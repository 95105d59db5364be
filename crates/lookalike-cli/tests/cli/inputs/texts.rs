//! What the text and shingle options do to the answer: two texts that are duplicates with an option and not without.

use crate::common::{Sandbox, record, words};

/// Whether the second text is removed.
fn are_duplicates(left: &str, right: &str, flags: &str) -> bool {
    let sandbox = Sandbox::with("in.jsonl", record("left", left) + &record("right", right));
    sandbox.write("stop.txt", "the\n over \n\nand\n");
    sandbox.kept(flags).len() == 1
}

/// Asserts that only `flags` make duplicates of two texts.
fn assert_joins(flags: &str, left: &str, right: &str) {
    assert!(!are_duplicates(left, right, ""), "without {flags}");
    assert!(are_duplicates(left, right, flags), "with {flags}");
}

/// Asserts that `flags` take two texts apart.
fn assert_parts(flags: &str, left: &str, right: &str) {
    assert!(are_duplicates(left, right, ""), "without {flags}");
    assert!(!are_duplicates(left, right, flags), "with {flags}");
}

#[test]
fn html_tags_are_dropped_on_request() {
    let page = "<html><head><style>p { color: red }</style></head><body class='wide'><p>one two three</p>\
                <p>four &amp; five<br>six <b>seven</b> eight</p><script>let x = 1;</script></body></html>";
    assert_joins("--strip-html", "one two three four & five six seven eight", page);
}

#[test]
fn stop_words_of_a_language_or_a_file_are_left_out() {
    let (full, bare) = ("the quick brown fox and the hound jump over the dog", "quick brown fox hound jump dog");
    assert_joins("--stop-words en", full, bare);
    assert_joins("--stop-words stop.txt", full, bare);
}

#[test]
fn words_are_reduced_to_stems_on_request() {
    assert_joins("--stem en", "cats jumping walls quickly connected", "cat jumped wall quick connections");
    assert_joins("--stem de", "die H\u{e4}user der Frauen standen leer", "die Haus der Frau standen leere");
}

#[test]
fn bags_count_repetitions() {
    assert!(are_duplicates("a rose is a rose is a rose", "a rose is a rose", "--shingle word:1"));
    assert!(!are_duplicates("a rose is a rose is a rose", "a rose is a rose", "--shingle word:1 --bag"));
    assert!(are_duplicates("a rose is a rose", "rose a a is rose", "--shingle word:1 --bag"));
}

#[test]
fn strides_make_the_start_matter() {
    assert_parts("--stride 5", &words(0..40), &format!("x {}", words(0..40)));
}

#[test]
fn letter_case_counts_on_request() {
    assert_parts("--lowercase false", "One TWO three Four FIVE six", "one two three four five six");
}

#[test]
fn compatible_characters_count_on_request() {
    assert_parts("--nfkc false", "\u{ff4f}\u{ff4e}\u{ff45} \u{fb01}ve si\u{78} three", "one five six three");
}

#[test]
fn characters_are_shingles_on_request() {
    let (left, right) = ("unbelievably misspelt sentences everywhere", "unbelievebly misspelt sentenses everywhere");
    assert!(!are_duplicates(left, right, "--shingle word:2 --threshold 0.6"));
    assert!(are_duplicates(left, right, "--shingle char:3 --threshold 0.6"));
}

#[test]
fn longer_shingles_are_stricter() {
    let (left, right) = (words(0..30), words(0..15) + " x " + &words(16..30));
    assert!(are_duplicates(&left, &right, "--shingle word:1"));
    assert!(!are_duplicates(&left, &right, "--shingle word:5"));
}

#[test]
fn narrow_hashes_give_the_same_answer_on_few_documents() {
    let content: String =
        (0..300).map(|n| record(&n.to_string(), &words(n / 3 * 50..n / 3 * 50 + 40 + n % 3))).collect();
    let sandbox = Sandbox::with("in.jsonl", content);
    let kept = sandbox.kept("--hash-bits 32");
    assert_eq!(kept.len(), 100);
    assert_eq!(kept, sandbox.kept("--hash-bits 64"));
}

#[test]
fn encodings_are_named_and_bytes_kept() {
    let table = b"id;text\n1;caf\xE9 na\xEFve \xFCber\n2;CAF\xC9 na\xEFve \xFCber\n3;other words\n";
    let sandbox = Sandbox::with("in.csv", table);
    assert!(sandbox.refuse_in_a_line("dedup in.csv -o out.csv").starts_with("in.csv:2: not UTF-8"));
    sandbox.succeed("dedup in.csv -o out.csv --encoding latin1 --removed r.csv");
    let kept = b"id;text\n1;caf\xE9 na\xEFve \xFCber\n3;other words\n";
    assert_eq!(sandbox.bytes("out.csv"), kept, "in its own encoding, byte for byte");
    assert!(sandbox.read("r.csv").contains("2,1,1.0,equal"), "{}", sandbox.read("r.csv"));
    sandbox.succeed("dedup in.csv -o out.jsonl --encoding windows-1252");
    assert!(sandbox.read("out.jsonl").starts_with("{\"id\":\"1\",\"text\":\"caf\u{e9} na\u{ef}ve \u{fc}ber\"}\n"));
    let words = sandbox.refuse_in_a_line("dedup in.csv -o x.csv --encoding latin1 --annotate");
    assert!(words.contains("cannot be annotated; --format csv"), "{words}");
    sandbox.succeed("dedup in.csv -o annotated.csv --encoding latin1 --annotate --format csv");
    assert!(sandbox.read("annotated.csv").contains("2,CAF\u{c9} na\u{ef}ve \u{fc}ber,true,1,1.0,2\n"));

    sandbox.write("in/a.txt", b"caf\xE9 na\xEFve \xFCber und mehr");
    sandbox.write("in/b.txt", b"CAF\xC9 na\xEFve \xFCber und mehr");
    sandbox.succeed("dedup in -o texts --encoding latin1 --removed r.csv");
    assert_eq!(sandbox.bytes("texts/a.txt"), sandbox.bytes("in/a.txt"));
    assert!(sandbox.read("r.csv").contains("b.txt,a.txt,1.0,equal"));
    assert!(sandbox.refuse_in_a_line("dedup in.csv --encoding utf-16").contains("records in UTF-16LE cannot be read"));
    assert!(sandbox.refuse("dedup in.csv --encoding latin-9000").contains("expected an encoding"));
}

#[test]
fn files_of_another_encoding_say_how_it_is_named() {
    let sandbox = Sandbox::with("in.csv", b"id;text\n1;caf\xE9\n");
    sandbox.write("in.txt", b"caf\xE9");
    sandbox.write("in.jsonl", b"{\"text\":\"caf\xE9\"}\n");
    for name in ["in.csv", "in.txt"] {
        let words = sandbox.refuse_in_a_line(&format!("dedup {name}"));
        assert!(words.contains("(--encoding names another encoding; --on-error skip leaves"), "{words}");
    }
    let words = sandbox.refuse_in_a_line("dedup in.jsonl");
    assert!(words.contains("not UTF-8") && !words.contains("--encoding"), "{words}");
    // As spreadsheets write it; also a header without other bytes than those of ASCII.
    let utf16 = |text: &str| [b"\xFF\xFE".to_vec(), text.encode_utf16().flat_map(u16::to_le_bytes).collect()].concat();
    for (name, text) in [("wide.csv", "id;text\n1;x\n"), ("wide.tsv", "id\ttext\n"), ("wide.jsonl", "{}\n")] {
        sandbox.write(name, utf16(text));
        let words = sandbox.refuse_in_a_line(&format!("dedup {name}"));
        assert_eq!(words, format!("{name}:1: records in UTF-16LE cannot be read; convert the file to UTF-8"));
    }
}

#[test]
fn lines_of_items_are_read_in_the_encoding_that_is_named() {
    let sandbox = Sandbox::with("in.txt", b"caf\xE9 th\xE9\nth\xE9 caf\xE9\n");
    assert!(sandbox.refuse_in_a_line("dedup in.txt --items").contains("--encoding names another encoding"));
    let run = sandbox.succeed("pairs in.txt --items --encoding latin1");
    assert!(run.stdout.contains("\"similarity\":1.0"), "{run:?}");
}

#[test]
fn bars_that_are_halves_of_characters_cut_no_table() {
    // In Shift_JIS the second byte of U+30DD is that of a bar.
    let sandbox = Sandbox::with("in.csv", b"id|text|more\n1|\x83\x7C\x83X\n");
    let words = sandbox.refuse_in_a_line("dedup in.csv --encoding shift_jis");
    assert_eq!(words, "in.csv:1: records in Shift_JIS cannot be read; convert the file to UTF-8");
    sandbox.write("in.csv", b"id,text\n1,\x83\x7C\x83X\n");
    sandbox.succeed("dedup in.csv -o out.jsonl --encoding shift_jis");
    assert_eq!(sandbox.read("out.jsonl"), "{\"id\":\"1\",\"text\":\"\u{30dd}\u{30b9}\"}\n");
}
