//! `compare`.

use crate::common::{Sandbox, assert_promised, record, rows, words};
use serde_json::Value;

fn compare(sandbox: &Sandbox, arguments: &str) -> Value {
    serde_json::from_str(&sandbox.succeed(&format!("compare {arguments} --format json")).stdout).unwrap()
}

/// Returns whether fields of JSON have these numbers.
fn has(found: &Value, numbers: &[(&str, f64)]) -> bool {
    numbers.iter().all(|(name, number)| found[name].as_f64() == Some(*number))
}

/// The textbook's sentences, as files and as records.
fn sentences() -> Sandbox {
    let left = "The dog chased the cat";
    let right = "The cat chased the dog";
    let sandbox = Sandbox::with("left.txt", left);
    sandbox.write("right.txt", right);
    sandbox.write("in.jsonl", record("l", left) + &record("r:1", right));
    sandbox
}

#[test]
fn textbook_sentences_have_their_similarity() {
    let sandbox = sentences();
    let of_words = compare(&sandbox, "left.txt right.txt --shingle word:1");
    assert!(has(&of_words, &[("jaccard", 1.0), ("common", 4.0), ("union", 4.0)]), "{of_words}");
    let bigrams = compare(&sandbox, "left.txt right.txt --shingle word:2");
    assert!(has(&bigrams, &[("jaccard", 0.6), ("common", 3.0), ("union", 5.0)]), "{bigrams}");
    assert!(has(&bigrams, &[("containment_of_left", 0.75), ("containment_of_right", 0.75)]), "{bigrams}");
    assert!(has(&bigrams["left"], &[("tokens", 5.0), ("shingles", 4.0)]), "{bigrams}");
}

#[test]
fn records_are_named_by_file_and_id() {
    let sandbox = sentences();
    let found = compare(&sandbox, "in.jsonl:l in.jsonl:r:1 --shingle word:2");
    assert!(found["left"]["name"] == "in.jsonl:l" && found["right"]["name"] == "in.jsonl:r:1", "{found}");
    assert_eq!(found["jaccard"], 0.6);
    assert_eq!(compare(&sandbox, "left.txt in.jsonl:l")["jaccard"], 1.0);
    sandbox.write("texts/deep/a.txt", "The dog chased the cat");
    assert_eq!(compare(&sandbox, "texts:deep/a.txt in.jsonl:l")["jaccard"], 1.0);
}

#[test]
fn containment_is_told_both_ways() {
    let sandbox = Sandbox::with("part.txt", words(5..17));
    sandbox.write("whole.txt", words(0..36));
    let found = compare(&sandbox, "part.txt whole.txt");
    assert!(has(&found, &[("containment_of_left", 1.0), ("containment_of_right", 0.25)]), "{found}");
    assert!(has(&found, &[("common", 8.0), ("union", 32.0), ("jaccard", 0.25)]), "{found}");
    // A text shorter than a shingle is one more of the text that it stands in.
    sandbox.write("short.txt", words(3..5));
    let found = compare(&sandbox, "short.txt whole.txt --measure containment");
    assert!(has(&found, &[("containment_of_left", 1.0), ("containment_of_right", 1.0 / 33.0)]), "{found}");
    assert!(has(&found, &[("common", 1.0), ("union", 33.0)]), "{found}");
    assert_eq!(compare(&sandbox, "short.txt whole.txt")["common"], 0);
    let shown = sandbox.succeed("compare whole.txt short.txt --measure containment").stdout;
    assert!(shown.contains("yes, containment 1.000") && shown.contains("containment of B     1.0000"), "{shown}");
}

#[test]
fn matched_passages_are_cut_from_the_texts() {
    let (left, right) =
        ("Intro. One two, three four five six! Outro.", "\u{e9}t\u{e9} one two three four FIVE six end");
    let sandbox = Sandbox::with("left.txt", left);
    sandbox.write("right.txt", right);
    let found = compare(&sandbox, "left.txt right.txt --shingle word:3");
    assert_promised("comparison", &found);
    let passage = &found["passages"][0];
    assert!(found["passages"].as_array().unwrap().len() == 1 && passage["tokens"] == 6, "{found}");
    let cut = |text: &str, side: &str| {
        let [start, end] = ["start", "end"].map(|end| passage[format!("{side}_{end}")].as_u64().unwrap() as usize);
        text[start..end].to_owned()
    };
    assert_eq!(
        (&passage["left_text"], &*cut(left, "left")),
        (&"One two, three four five six".into(), "One two, three four five six")
    );
    assert_eq!(
        (&passage["right_text"], &*cut(right, "right")),
        (&"one two three four FIVE six".into(), "one two three four FIVE six")
    );
}

#[test]
fn the_report_is_for_reading() {
    let sandbox = Sandbox::with("a.txt", words(0..20));
    sandbox.write("b.txt", words(4..20) + " end");
    insta::assert_snapshot!(sandbox.succeed("compare a.txt b.txt").stdout, @"
    near-duplicates at 0.8: no, Jaccard 0.706

    A  a.txt: 20 tokens, 16 shingles
    B  b.txt: 17 tokens, 13 shingles

    Jaccard              0.7059   12 common shingles of 17
    containment of A     0.7500   share of A that is in B
    containment of B     0.9231   share of B that is in A

    2 differences:

        [-w0 w1 w2 w3-] w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 {+end+}

    1 passage in common:

    16 tokens, A bytes 12-69 (line 1); B bytes 0-57 (line 1)
        w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19
    ");
}

#[test]
fn different_texts_share_nothing() {
    let sandbox = Sandbox::with("a.txt", "one two three four five");
    sandbox.write("b.txt", "");
    let found = compare(&sandbox, "a.txt b.txt");
    let figures = ["jaccard", "common", "containment_of_left", "containment_of_right"].map(|name| (name, 0.0));
    assert!(has(&found, &figures) && found["passages"] == serde_json::json!([]), "{found}");
}

#[test]
fn documents_that_are_not_there_are_named() {
    let sandbox = sentences();
    sandbox.refuse_all("tools/documents_that_are_not_there_are_named");
    sandbox.write("latin.txt", b"caf\xE9");
    sandbox.write("bad.jsonl", "{\"id\":\"l\",\"text\":\"x\"}\n{\"id\":\"m\"}\n{\"id\":\"n\",\"text\":1}\n");
    sandbox.refuse_all("tools/documents_that_cannot_be_used_are_named");
}

#[cfg(unix)]
#[test]
fn an_id_never_leads_out_of_its_folder() {
    let sandbox = Sandbox::with("secret.txt", "one two three");
    sandbox.write("folder/deep/a.txt", "one two three");
    std::os::unix::fs::symlink(sandbox.path("secret.txt"), sandbox.path("folder/link.txt")).unwrap();
    sandbox.succeed("compare folder:deep/a.txt folder:deep/../deep/a.txt");
    let absolute = sandbox.path("secret.txt").display().to_string();
    for id in ["../secret.txt", "deep/../../secret.txt", "link.txt", &absolute] {
        let words = sandbox.refuse_in_a_line(&format!("compare folder:deep/a.txt folder:{id}"));
        assert!(words.starts_with(&format!("no document `{id}` in folder; ")), "{words}");
    }
}

#[test]
fn texts_of_equal_shingles_are_shown_where_they_differ() {
    let sandbox = Sandbox::with("a.txt", "if (a == b) return x + y;");
    sandbox.write("b.txt", "if (a != b) return x - y;");
    let shown = sandbox.succeed("compare a.txt b.txt").stdout;
    let lines = "2 differences, though all shingles are equal:\n\n    if (a [-==-]{+!=+} b) return x [-+-]{+-+} y;\n";
    assert!(shown.contains(lines), "{shown}");
    assert!(
        shown.starts_with("near-duplicates at 0.8: yes, equal in all that is compared, Jaccard 1.000\n"),
        "{shown}"
    );
    sandbox.write("c.txt", "if (a == b) return x + y;");
    let same = sandbox.succeed("compare a.txt c.txt").stdout;
    assert!(same.starts_with("near-duplicates at 0.8: yes, the texts are identical byte for byte"), "{same}");
    assert!(same.contains("\nno difference\n"), "{same}");
    let json = sandbox.succeed("compare a.txt b.txt --format json").stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["differences"][1]["right_text"], "-");
}

#[test]
fn code_and_segments_are_shown_as_they_stand() {
    let sandbox = Sandbox::with("a.txt", "if (a == b) {\n  return x;\n}\n");
    sandbox.write("b.txt", "if (a != b) {\n  return x;\n}\n");
    sandbox.write("c.txt", "if(k==n){ return it; }");
    let code = sandbox.succeed("compare a.txt b.txt --tokens code --shingle word:3").stdout;
    assert!(code.contains("\nA  a.txt: 11 tokens, 9 shingles\n"), "{code}");
    let place = "bytes 9-27 (lines 1-3)";
    assert!(code.contains(&format!("\n7 tokens, A {place}; B {place}\n    b) {{ return x; }}\n")), "{code}");
    let blind = sandbox.succeed("compare a.txt c.txt --tokens code --rename-blind --keywords c").stdout;
    assert!(blind.contains("Jaccard              1.0000"), "{blind}");
    assert!(blind.contains("if ([-a-]{+k+}"), "{blind}");
    sandbox.write("mon.log", "10:01 start\n10:02 stop now\n");
    sandbox.write("tue.log", "other\n11:47 Stop, now!\n");
    let lines = sandbox.succeed("compare mon.log tue.log --shingle line:1 --mask numbers").stdout;
    assert!(lines.contains("\nA  mon.log: 2 lines, 2 shingles\nB  tue.log: 2 lines, 2 shingles\n"), "{lines}");
    let places = "A bytes 12-26 (line 2); B bytes 6-21 (line 2)";
    assert!(lines.contains(&format!("\n1 line, {places}\n    10:02 stop now\n")), "{lines}");
}

#[test]
fn cosines_show_their_terms_and_the_fingerprints_that_other_commands_give() {
    let sandbox = Sandbox::new();
    sandbox.write("in.jsonl", record("1", "Tea and tea, and milk") + &record("2", "tea and honey tea bread"));
    sandbox.write("baskets.txt", "tea:3 milk:1\ntea:2 bread:4 milk:1\n");
    for (file, ids, flags) in [
        ("in.jsonl", ["1", "2"], "--shingle word:1"),
        ("in.jsonl", ["1", "2"], "--shingle word:2"),
        ("in.jsonl", ["1", "2"], "--shingle char:3"),
        ("baskets.txt", ["baskets.txt:1", "baskets.txt:2"], "--items --item-counts"),
    ] {
        for weights in ["tf", "tfidf", "binary"] {
            let flags = format!("{flags} --weights {weights}");
            let [a, b] = ids;
            let shown = format!("compare {file}:{a} {file}:{b} --measure cosine {flags} --format json");
            let shown: Value = serde_json::from_str(&sandbox.succeed(&shown).stdout).unwrap();
            // Document frequencies of both are those of the file.
            let pairs = sandbox.succeed(&format!("pairs {file} --measure cosine {flags} -t 0.01")).stdout;
            let pair = &rows::<Value>(&pairs)[0];
            assert_eq!(shown["cosine"], pair["similarity"], "{file} {flags}");
            let fingerprints = sandbox.succeed(&format!("fingerprint {file} {flags}")).stdout;
            let fingerprints = rows::<Value>(&fingerprints);
            for (side, row) in ["left", "right"].into_iter().zip(&fingerprints) {
                assert_eq!(shown[side]["simhash"], row["simhash"], "{file} {flags} {side}");
            }
        }
    }
    let run = sandbox.succeed("compare in.jsonl:1 in.jsonl:2 --measure cosine --shingle word:1");
    for line in ["cosine               0.7559   weights tf", "  0.6667         2         2  Tea", "common terms: 2"] {
        assert!(run.stdout.lines().any(|shown| shown == line), "{line}: {}", run.stdout);
    }
    sandbox.refuse_all("tools/cosines_show_their_terms_and_the_fingerprints_that_other_commands_give");
}

#[test]
fn the_verdict_is_that_of_pairs() {
    let sandbox = Sandbox::with("a.txt", words(0..40));
    sandbox.write("b.txt", words(5..40));
    sandbox.write("part.txt", words(10..13));
    sandbox
        .write("in.jsonl", record("a", &words(0..40)) + &record("b", &words(5..40)) + &record("part", &words(10..13)));
    for (flags, b, is_pair) in [
        ("-t 0.8", "b", true),
        ("-t 0.9", "b", false),
        ("--measure containment -t 0.95", "b", true),
        ("--measure containment -t 0.95", "part", true),
        ("--measure overlap --min-common 31", "b", true),
        ("--measure overlap --min-common 32", "b", false),
        ("--measure cosine --shingle word:1 -t 0.93", "b", true),
        ("--measure cosine --shingle word:1 -t 0.95", "b", false),
    ] {
        let found = sandbox.succeed(&format!("compare in.jsonl:a in.jsonl:{b} {flags} --format json")).stdout;
        let found: Value = serde_json::from_str(&found).unwrap();
        let pairs = rows::<Value>(&sandbox.succeed(&format!("pairs in.jsonl {flags}")).stdout);
        let pair = pairs.iter().find(|pair| pair["a"] == "a" && pair["b"] == b);
        assert_eq!(found["verdict"]["near_duplicates"], is_pair, "{flags} {b}");
        assert_eq!(pair.is_some(), is_pair, "{flags} {b}");
        if let Some(pair) = pair {
            let figure = if flags.contains("overlap") { "common" } else { "similarity" };
            assert_eq!(found["verdict"]["similarity"].as_f64(), pair[figure].as_f64(), "{flags} {b}");
            assert_eq!(found["verdict"]["reason"], pair["reason"], "{flags} {b}");
        }
    }
    let run = sandbox.succeed("compare 00f0 80f1 --bits phash --width 16 --measure hamming --distance 1").stdout;
    assert!(run.starts_with("near-duplicates within 1 bit: no, 0.875 of the bits are equal\n"), "{run}");
}

#[test]
fn texts_may_be_given_as_they_are() {
    let sandbox = Sandbox::with("a.txt", "the old salt bridge");
    let run = sandbox.command("compare a.txt").args(["--text", "the new salt bridge, closed"]).output().unwrap();
    let shown = String::from_utf8(run.stdout).unwrap();
    assert!(shown.contains("the [-old-]{+new+} salt bridge{+, closed+}"), "{shown}");
    sandbox.refuse_all("tools/texts_may_be_given_as_they_are");
}

#[test]
fn differences_stand_in_their_sentences_and_in_columns() {
    let sandbox = Sandbox::with("a.txt", words(0..30) + " old " + &words(30..60));
    sandbox.write("b.txt", words(0..30) + " new\n\nword " + &words(30..60));
    let inline = sandbox.succeed("compare a.txt b.txt").stdout;
    let shown = "1 difference:\n\n    [... 22 words ...]\n    \
                 w22 w23 w24 w25 w26 w27 w28 w29 [-old-]{+new word+} w30 w31 w32 w33 w34 w35 w36 w37\n    \
                 [... 22 words ...]\n";
    assert!(inline.contains(shown), "{inline}");
    let columns = sandbox.succeed("compare a.txt b.txt --side-by-side").stdout;
    let shown = "[... 22 words ...]\n\
                 w22 w23 w24 w25 w26 w27 w28 w29 old    | w22 w23 w24 w25 w26 w27 w28 w29 new\n\
                 w30 w31 w32 w33 w34 w35 w36 w37        |\n\
                 \u{20}                                      | word w30 w31 w32 w33 w34 w35 w36 w37\n\
                 [... 22 words ...]\n";
    assert!(columns.contains(shown), "{columns}");
}

#[test]
fn texts_do_not_control_the_terminal() {
    let sandbox = Sandbox::with("a.txt", "one two three \u{1b}[31mfour five \u{202e}six seven");
    sandbox.write("b.txt", "one two three \u{1b}[32mfour five \u{202e}six eight");
    for flags in ["", "--side-by-side", "--min-match 1", "--measure cosine --shingle word:2"] {
        let shown = sandbox.succeed(&format!("compare a.txt b.txt {flags}")).stdout;
        assert!(!shown.contains(['\u{1b}', '\u{202e}']) && shown.contains("\\u{202e}six"), "{shown}");
    }
    // A sign that makes another one wider, where the column ends.
    sandbox.write("wide.txt", "a".repeat(37) + "\u{2764}\u{fe0f}" + &"b".repeat(200));
    assert!(sandbox.succeed("compare a.txt wide.txt --side-by-side").stdout.contains('\u{2764}'));
}

#[test]
fn long_texts_are_compared_in_time() {
    // A line of ten megabytes each, which share every other word.
    let line = |word: &str| (0..1_000_000).map(|number| format!("w{number} {word} ")).collect::<String>();
    let sandbox = Sandbox::with("a.txt", line("a"));
    sandbox.write("b.txt", line("b"));
    sandbox.answers("compare a.txt b.txt", "...near-duplicates at 0.8: no...no passage in common...");
}
