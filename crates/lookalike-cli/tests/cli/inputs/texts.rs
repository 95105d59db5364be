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
    assert!(sandbox.refuse_in_a_line("dedup in.csv --encoding utf-16").contains("tables in UTF-16LE cannot be read"));
    assert!(sandbox.refuse("dedup in.csv --encoding latin-9000").contains("expected an encoding"));
}
