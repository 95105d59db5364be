//! Effect of the text and shingle options on the answer: two texts that are duplicates with an option and not without.

use crate::common::{Sandbox, record, words};

/// Returns whether the second text is removed.
fn are_duplicates(left: &str, right: &str, flags: &str) -> bool {
    let sandbox = Sandbox::with("in.jsonl", record("left", left) + &record("right", right));
    sandbox.write("stop.txt", "the\n over \n\nand\n");
    sandbox.write("keywords.txt", "if\nreturn\n");
    sandbox.kept(flags).len() == 1
}

/// Asserts that `flags` take two texts apart.
fn assert_parts(flags: &str, left: &str, right: &str) {
    assert!(are_duplicates(left, right, ""), "without {flags}");
    assert!(!are_duplicates(left, right, flags), "with {flags}");
}

#[test]
fn options_join_texts_that_differ_without_them() {
    let page = "<html><head><style>p { color: red }</style></head><body class='wide'><p>one two three</p>\
                <p>four &amp; five<br>six <b>seven</b> eight</p><script>let x = 1;</script></body></html>";
    // What a page does not display does not count.
    let hidden = "<div>one two<wbr>three four<noscript>no</noscript> five <span style='display:none'>no</span>six\
                  <select><option>no</select> se&shy;ven <p hidden>no <p>eight</div>";
    let stops = ["the quick brown fox and the hound jump over the dog", "quick brown fox hound jump dog"];
    let lines = ["a b c\nd e f\n\ng h i\n", "G, h, i!\r\n\r\na b c\r\nd e f"];
    let times = ["2024-01-05 10:07:33 job 17 took 3.5 s", "1999-12-31 23:59:59 job 4 took 12.75 s"];
    for (flags, [left, right]) in [
        ("--strip-html", ["one two three four & five six seven eight", page]),
        ("--strip-html", ["one twothree four five six seven eight", hidden]),
        ("--stop-words en", stops),
        ("--stop-words stop.txt", stops),
        ("--stem en", ["cats jumping walls quickly connected", "cat jumped wall quick connections"]),
        ("--stem de", ["die H\u{e4}user der Frauen standen leer", "die Haus der Frau standen leere"]),
        ("--shingle line:1", lines),
        ("--shingle paragraph:1", lines),
        ("--shingle sentence:1", ["One is two. Three is four. Five!", "Three is four.  Five?\nOne is two."]),
        ("--shingle line:1 --tokens code", ["x = 1;\ny = 2;", "y  =  2 ;\nx=1;"]),
        ("--mask numbers", times),
        ("--mask numbers --shingle char:5", times),
        ("--mask numbers --shingle line:1", times),
        ("--mask numbers --tokens code", ["x = 0x1F + 1.5e-3", "x = 12 + 7"]),
        ("--strip-marks", ["كَتَبَ الوَلَدُ الدَّرْسَ فِي البَيْتِ", "كتب الولد الـدرس في البيت"]),
        ("--strip-marks", ["בְּרֵאשִׁית בָּרָא אֱלֹהִים", "בראשית ברא אלהים"]),
    ] {
        assert!(!are_duplicates(left, right, ""), "without {flags}: {left}");
        assert!(are_duplicates(left, right, flags), "with {flags}: {left}");
    }
    assert!(!are_duplicates(lines[0], lines[1], "--shingle line:2"));
}

#[test]
fn options_part_texts_that_are_alike_without_them() {
    assert_parts("--stride 5", &words(0..40), &format!("x {}", words(0..40)));
    assert_parts("--lowercase false", "One TWO three Four FIVE six", "one two three four five six");
    assert_parts("--nfkc false", "\u{ff4f}\u{ff4e}\u{ff45} \u{fb01}ve si\u{78} three", "one five six three");
}

/// A text in typographic apostrophes.
const FRENCH: &str = "L’heure d’été n’est qu’une habitude : l’horloge s’avance d’elle-même, et l’on s’endort plus tôt \
    qu’il n’aurait fallu ; aujourd’hui, l’aube n’attend pas.";

#[test]
fn signs_that_look_alike_are_no_difference() {
    for sign in ["'", "‘", "ʼ", "′", "`", "´", "＇", "\u{200b}’", "'\u{ad}"] {
        let typed = FRENCH.replace('’', sign);
        for flags in [
            "",
            "--shingle char:5",
            "--shingle word:1 --bag",
            "--shingle sentence:1",
            "--shingle line:1",
            "--measure containment",
            "--measure cosine --weights tf",
            "--method minhash",
            "--lowercase false",
            "--stop-words fr --stem fr",
        ] {
            assert!(are_duplicates(FRENCH, &typed, &format!("-t 1 {flags}")), "{sign} {flags}");
        }
        assert!(!are_duplicates(FRENCH, &typed, "--nfkc false"), "{sign}");
        let sandbox = Sandbox::with("in.jsonl", record("a", FRENCH) + &record("b", &typed));
        let compared = sandbox.succeed("compare in.jsonl:a in.jsonl:b").stdout;
        assert!(
            compared.starts_with("near-duplicates at 0.8: yes, equal in all that is compared, Jaccard 1.000"),
            "{compared}"
        );
        assert!(sandbox.succeed("checksum in.jsonl").stdout.contains(r#""equal":"text""#), "{sign}");
    }
}

#[test]
fn what_cannot_be_seen_is_no_difference() {
    for (one, other) in [
        (
            "the soft hyphen of a long word",
            "\u{feff}the so\u{ad}ft hy\u{ad}phen of\u{200b} a \u{200b}long wo\u{2060}rd",
        ),
        ("שלום לכולם צה\"ל כאן היום", "\u{200f}שלום\u{200f} לכולם צה״ל כאן \u{202b}היום\u{202c}"),
        ("love 1⃣ and 2⃣ and 葛 things", "love 1\u{fe0f}⃣ and 2\u{fe0f}⃣ and 葛\u{e0100} things"),
        ("Straße und Maß ΟΔΟΣ des Königs", "STRASSE UND MASS οδος DES KÖNIGS"),
        ("ภาษาไทยไม่มีช่องว่าง", "ภาษา\u{200b}ไทย\u{200b}ไม่มี\u{200b}ช่องว่าง"),
    ] {
        for flags in ["", "--shingle char:3", "--shingle line:1"] {
            assert!(are_duplicates(one, other, &format!("-t 1 {flags}")), "{one} {flags}");
        }
    }
    assert_parts("--nfkc false", "the soft hyphen of a word", "the so\u{ad}ft hyphen of a word");
    assert_parts("--lowercase false", "Maß und Mitte der Dinge", "Mass und Mitte der Dinge");
}

/// Places of tokens are those of the text as it stands.
#[test]
fn passages_of_folded_words_are_cut_where_they_stand() {
    let other = FRENCH.replace('’', "'").replace("tôt", "to\u{302}\u{ad}t\u{200b}");
    let sandbox = Sandbox::with(
        "in.jsonl",
        record("a", &format!("Un {FRENCH}")) + &record("b", &format!("« Deux » {other} Fin.")),
    );
    sandbox.succeed("cut in.jsonl --shingle word:12 -o out.jsonl");
    let cut = sandbox.read("out.jsonl");
    assert!(cut.contains(&record("a", &format!("Un {FRENCH}"))), "{cut}");
    assert!(cut.contains(&record("b", "« Deux » Fin.")), "{cut}");
}

#[test]
fn bags_count_repetitions() {
    assert!(are_duplicates("a rose is a rose is a rose", "a rose is a rose", "--shingle word:1"));
    assert!(!are_duplicates("a rose is a rose is a rose", "a rose is a rose", "--shingle word:1 --bag"));
    assert!(are_duplicates("a rose is a rose", "rose a a is rose", "--shingle word:1 --bag"));
}

#[test]
fn characters_are_shingles_on_request() {
    let left = "unbelievably misspelt sentences everywhere";
    let right = "unbelievebly misspelt sentenses everywhere";
    assert!(!are_duplicates(left, right, "--shingle word:2 --threshold 0.6"));
    assert!(are_duplicates(left, right, "--shingle char:3 --threshold 0.6"));
}

#[test]
fn longer_shingles_are_stricter() {
    let left = words(0..30);
    let right = words(0..15) + " x " + &words(16..30);
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
    sandbox.refused("dedup in.csv -o out.csv", "in.csv:2: not UTF-8...");
    sandbox.succeed("dedup in.csv -o out.csv --encoding latin1 --removed r.csv");
    let kept = b"id;text\n1;caf\xE9 na\xEFve \xFCber\n3;other words\n";
    assert_eq!(sandbox.bytes("out.csv"), kept, "in its own encoding, byte for byte");
    assert!(sandbox.read("r.csv").contains("2,1,1.0,equal"), "{}", sandbox.read("r.csv"));
    sandbox.succeed("dedup in.csv -o out.jsonl --encoding windows-1252");
    assert!(sandbox.read("out.jsonl").starts_with("{\"id\":\"1\",\"text\":\"caf\u{e9} na\u{ef}ve \u{fc}ber\"}\n"));
    let words = sandbox.refuse_in_a_line("dedup in.csv -o x.csv --encoding latin1 --annotate");
    assert!(words.contains("cannot be annotated or cut; --format csv"), "{words}");
    sandbox.write("page.html", "<p>some words");
    sandbox.refused("dedup page.html -o - --annotate", ". holds text files, which cannot be annotated...");
    sandbox.succeed("dedup in.csv -o annotated.csv --encoding latin1 --annotate --format csv");
    assert!(sandbox.read("annotated.csv").contains("2,CAF\u{c9} na\u{ef}ve \u{fc}ber,true,1,1.0,2\n"));

    sandbox.write("in/a.txt", b"caf\xE9 na\xEFve \xFCber und mehr");
    sandbox.write("in/b.txt", b"CAF\xC9 na\xEFve \xFCber und mehr");
    sandbox.succeed("dedup in -o texts --encoding latin1 --removed r.csv");
    assert_eq!(sandbox.bytes("texts/a.txt"), sandbox.bytes("in/a.txt"));
    assert!(sandbox.read("r.csv").contains("b.txt,a.txt,1.0,equal"));
    sandbox.refuse_all("inputs/encodings_are_named_and_bytes_kept");
}

#[test]
fn files_of_another_encoding_say_how_it_is_named() {
    let sandbox = Sandbox::with("in.csv", b"id;text\n1;caf\xE9\n");
    sandbox.write("in.txt", b"caf\xE9");
    sandbox.write("in.jsonl", b"{\"text\":\"caf\xE9\"}\n");
    sandbox.refuse_all("inputs/files_of_another_encoding_say_how_it_is_named");
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
    sandbox.refused("dedup in.txt --items", "...--encoding names another encoding...");
    let run = sandbox.succeed("pairs in.txt --items --encoding latin1");
    assert!(run.stdout.contains("\"similarity\":1.0"), "{run:?}");
}

#[test]
fn bars_that_are_halves_of_characters_cut_no_table() {
    // In Shift_JIS the second byte of U+30DD is that of a bar.
    let sandbox = Sandbox::with("in.csv", b"id|text|more\n1|\x83\x7C\x83X\n");
    sandbox.refused(
        "dedup in.csv --encoding shift_jis",
        "in.csv:1: records in Shift_JIS cannot be read; convert the file to UTF-8",
    );
    sandbox.write("in.csv", b"id,text\n1,\x83\x7C\x83X\n");
    sandbox.succeed("dedup in.csv -o out.jsonl --encoding shift_jis");
    assert_eq!(sandbox.read("out.jsonl"), "{\"id\":\"1\",\"text\":\"\u{30dd}\u{30b9}\"}\n");
}

#[test]
fn operators_and_case_count_in_code() {
    let code = "int f(int a, int b) { if (a == b) { return a + b; } return a - b; }";
    assert_parts("--tokens code", code, &code.replace("==", "!="));
    assert_parts("--tokens code", code, &code.replace("int a", "int A"));
    assert!(are_duplicates(code, &code.replace(' ', "\n "), "--tokens code"));
    assert!(are_duplicates(code, &code.to_uppercase(), "--tokens code --lowercase true"));
    assert!(!are_duplicates("ﬁ = 1", "fi = 1", "--tokens code"));
    assert!(are_duplicates("ﬁ = 1", "fi = 1", "--tokens code --nfkc true"));
}

#[test]
fn names_do_not_count_in_code_on_request() {
    let code = "int total(int first, int last) { if (first > last) return 0; return first * last; }";
    let renamed = "int g(int x, int y) { if (x > y) return 0; return x * y; }";
    assert!(!are_duplicates(code, renamed, "--tokens code"));
    for language in ["java", "c", "c++", "keywords.txt"] {
        assert!(are_duplicates(code, renamed, &format!("--tokens code --rename-blind --keywords {language}")));
    }
    let other = renamed.replace('*', "+").replace("if", "while");
    assert!(!are_duplicates(code, &other, "--tokens code --rename-blind --keywords java"));
}

#[test]
fn snapshots_of_code_and_segments_stand_for_them() {
    let line = |number: usize| format!("let v{number} = f(v{}) >> {}; // step {number}\n", number % 7, number % 5);
    let text = |first: usize| (first..first + 40).map(line).collect::<String>();
    let records: String = (0..60).map(|number| record(&format!("d{number}"), &text(number / 2 * 3))).collect();
    let sandbox = Sandbox::with("in.jsonl", records);
    sandbox.write("keywords.txt", "let\n");
    for flags in [
        "--tokens code --shingle word:4",
        "--tokens code --rename-blind --keywords keywords.txt --shingle line:2",
        "--shingle line:1 --mask numbers",
        "--shingle sentence:1",
    ] {
        let pairs = |input: &str| sandbox.succeed(&format!("pairs {input} -t 0.7")).stdout;
        let expected = pairs(&format!("in.jsonl {flags}"));
        assert!(expected.lines().count() >= 30, "{flags}: {expected}");
        sandbox.succeed(&format!("snapshot in.jsonl -o s.snapshot {flags}"));
        assert_eq!([pairs("s.snapshot"), pairs(&format!("s.snapshot {flags}"))], [&*expected, &expected], "{flags}");
        sandbox.refused("pairs s.snapshot -t 0.7 --shingle char:17", "...s.snapshot...");
    }
}

#[test]
fn stop_words_that_match_nothing_are_counted() {
    let long = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";
    let sandbox = Sandbox::with("in.jsonl", record("a", long) + &record("b", &format!("but {long}")));
    sandbox.write("stop.txt", "the\nnew york\n但是\n");
    let note = "note: 2 of 3 stop words match nothing, as `new york`: a stop word is one token, a word, or a character \
                of a script without spaces\n";
    for command in [
        "dedup in.jsonl",
        "pairs in.jsonl",
        "clusters in.jsonl",
        "search in.jsonl --in in.jsonl",
        "sources in.jsonl",
        "cut in.jsonl",
        "snapshot in.jsonl -o in.snapshot",
        "index create in.idx in.jsonl",
    ] {
        let said = sandbox.succeed(&format!("{command} --stop-words stop.txt")).stderr;
        assert_eq!(said.matches(note).count(), 1, "{command}: {said}");
        let said = sandbox.succeed(&format!("{command} --stop-words en").replace("in.idx", "en.idx")).stderr;
        assert!(!said.contains("stop words"), "{command}: {said}");
    }
}

#[test]
fn a_field_of_json_that_was_read_as_a_text_is_led_to_its_records() {
    let sandbox =
        Sandbox::with("d/in.json", "[{\"id\":\"a\",\"text\":\"one\",\"n\":1},{\"id\":\"b\",\"text\":\"one\",\"n\":2}]");
    sandbox.refuse_all("inputs/a_field_of_json_that_was_read_as_a_text_is_led_to_its_records");
    sandbox.answers("dedup d --keep max:n -n --text-field text --removed -", "...\"id\":\"a\",\"kept\":\"b\"...");
}
