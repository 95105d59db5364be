//! `dedup`: which records stay.

use crate::common::{Removed, Sandbox, chain, record, rows, words};

/// Three versions of one text, with scores of which one is missing, and a text of its own.
fn versions() -> Sandbox {
    let line = |id: &str, text: String, more: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"{more}}}\n");
    Sandbox::with(
        "in.jsonl",
        [
            line("middle", words(0..30), ",\"n\":5,\"date\":\"2024-01-05\""),
            line("other", words(100..130), ",\"n\":7,\"date\":null"),
            line("long", words(0..31), ",\"n\":10.5,\"date\":\"2023-12-31T23:00:00Z\""),
            line("short", words(0..29), ""),
        ]
        .concat(),
    )
}

#[test]
fn each_policy_keeps_its_copy() {
    let sandbox = versions();
    for (policy, kept) in [
        ("first", "middle"),
        ("last", "short"),
        ("longest", "long"),
        ("shortest", "short"),
        ("max:n", "long"),
        ("min:n", "middle"),
        ("max:date", "middle"),
        ("min:date", "long"),
        ("source", "middle"),
    ] {
        let found = sandbox.kept(&format!("--keep {policy}"));
        let mut expected = vec![kept, "other"];
        expected.sort_by_key(|id| ["middle", "other", "long", "short"].iter().position(|other| other == id));
        assert_eq!(found, expected, "--keep {policy}");
    }
}

#[test]
fn of_equal_scores_the_first_stays() {
    let line = |id: &str| format!("{{\"id\":\"{id}\",\"text\":\"{}\",\"n\":1}}\n", words(0..20));
    let sandbox = Sandbox::with("in.jsonl", line("a") + &line("b") + &line("c"));
    for policy in ["first", "longest", "shortest", "max:n", "min:n", "source"] {
        assert_eq!(sandbox.kept(&format!("--keep {policy}")), ["a"], "--keep {policy}");
    }
    assert_eq!(sandbox.kept("--keep last"), ["c"]);
}

#[test]
fn numbers_order_as_numbers_and_a_missing_score_loses() {
    let line = |id: &str, more: &str| format!("{{\"id\":\"{id}\",\"text\":\"{}\"{more}}}\n", words(0..20));
    let content = [line("none", ""), line("nine", ",\"n\":9"), line("ten", ",\"n\":1e1"), line("minus", ",\"n\":-20")];
    let sandbox = Sandbox::with("in.jsonl", content.concat());
    assert_eq!(sandbox.kept("--keep max:n"), ["ten"]);
    assert_eq!(sandbox.kept("--keep min:n"), ["minus"]);
}

#[test]
fn integers_beyond_those_of_floats_order_exactly_in_all_formats() {
    // Snowflake ids and nanoseconds: next to each other, and equal as floats of 64 bits.
    for numbers in [[1_800_000_000_000_000_000_u64, 1_800_000_000_000_000_001], [u64::MAX - 1, u64::MAX]] {
        let line = |id: &str, n: u64| format!("{{\"id\":\"{id}\",\"text\":\"{}\",\"n\":{n}}}\n", words(0..20));
        let sandbox = Sandbox::with("in.jsonl", line("low", numbers[0]) + &line("high", numbers[1]));
        for input in ["in.jsonl", "in.csv", "in.parquet", "in.arrow", "in.snapshot"] {
            match input {
                "in.jsonl" => {}
                "in.snapshot" => drop(sandbox.succeed("snapshot in.jsonl --score-field n -o in.snapshot")),
                _ => drop(sandbox.succeed(&format!("dedup in.jsonl --threshold 1 --keep first --annotate -o {input}"))),
            }
            for (keep, gone) in [("max:n", "low"), ("min:n", "high")] {
                sandbox.succeed(&format!("dedup {input} --keep {keep} -n --removed r.jsonl"));
                let removed: Vec<Removed> = rows(&sandbox.read("r.jsonl"));
                assert_eq!(removed.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(), [gone], "{input} {keep}");
            }
        }
    }
}

#[test]
fn source_prefers_the_input_that_is_named_first() {
    let sandbox = Sandbox::with("a.jsonl", record("a", &words(0..30)));
    sandbox.write("b.jsonl", record("b", &words(0..31)));
    sandbox.succeed("dedup b.jsonl a.jsonl -o ba --keep source");
    sandbox.succeed("dedup a.jsonl b.jsonl -o ab --keep source");
    assert_eq!((sandbox.read("ba/a.jsonl").as_str(), sandbox.read("ab/b.jsonl").as_str()), ("", ""));
}

#[test]
fn keepers_need_a_similar_keeper_and_connected_only_a_chain() {
    let sandbox = Sandbox::with("in.jsonl", chain());
    assert_eq!(sandbox.kept("--removed r.jsonl"), ["a", "c"]);
    let removed = |id: &str, similarity| Removed {
        id: id.to_owned(),
        kept: "a".to_owned(),
        similarity,
        reason: "near".to_owned(),
    };
    assert_eq!(rows::<Removed>(&sandbox.read("r.jsonl")), [removed("b", 0.875)]);
    assert_eq!(sandbox.kept("--cluster connected --removed r.jsonl"), ["a"]);
    let expected = [removed("b", 0.875), removed("c", 0.75)];
    assert_eq!(rows::<Removed>(&sandbox.read("r.jsonl")), expected, "the similarity is that to the kept record");
    assert_eq!(sandbox.kept("--cluster connected --keep last"), ["c"]);
}

#[test]
fn the_threshold_is_inclusive_and_exact() {
    let sandbox = Sandbox::with("in.jsonl", chain());
    assert_eq!(sandbox.kept("--threshold 0.875"), ["a", "c"]);
    assert_eq!(sandbox.kept("--threshold 0.875000000000000001"), ["a", "b", "c"]);
    let fifths = Sandbox::with("in.jsonl", record("a", &words(0..13)) + &record("b", &words(1..14)));
    assert_eq!(fifths.kept("--threshold 0.8"), ["a"], "8 common shingles of 10");
    assert_eq!(fifths.kept("--threshold 0.800000000000000001"), ["a", "b"]);
    assert_eq!(fifths.kept("--threshold 1"), ["a", "b"]);
}

#[test]
fn ten_copies_in_any_script_leave_one() {
    let texts = [
        ("chinese", "\u{6f9c}\u{576a}\u{9547}\u{7684}\u{8336}\u{519c}\u{4eca}\u{5e74}\u{63d0}\u{524d}\u{5f00}\u{59cb}"),
        ("thai", "\u{e2a}\u{e27}\u{e31}\u{e2a}\u{e14}\u{e35}\u{e0a}\u{e32}\u{e27}\u{e42}\u{e25}\u{e01}"),
        (
            "arabic",
            "\u{627}\u{641}\u{62a}\u{62a}\u{62d}\u{62a} \u{628}\u{644}\u{62f}\u{64a}\u{629} \
             \u{635}\u{628}\u{627}\u{62d}",
        ),
        ("three", "Out of stock"),
    ];
    let copies = |(name, text): &(&str, &str)| (0..10).map(|n| record(&format!("{name}{n}"), text)).collect::<String>();
    let sandbox = Sandbox::with("in.jsonl", texts.iter().map(copies).collect::<String>());
    for method in ["exact", "minhash", "auto"] {
        let kept = sandbox.kept(&format!("--method {method}"));
        assert_eq!(kept, ["chinese0", "thai0", "arabic0", "three0"], "--method {method}");
    }
}

#[test]
fn texts_without_words_are_duplicates_only_of_the_same_bytes() {
    let texts = ["", "word", " \u{a0}\n", "\u{2026} !!", "👍👍 !!!", "{};", "👍👍 !!!", "", "{};", " \u{a0}"];
    let ids = ('a'..).zip(texts).map(|(id, text)| record(&id.to_string(), text));
    let sandbox = Sandbox::with("in.jsonl", ids.collect::<String>());
    assert_eq!(sandbox.kept("--removed r.csv"), ["a", "b", "c", "d", "e", "f", "h", "j"]);
    assert_eq!(sandbox.read("r.csv"), "id,kept,similarity,reason\ng,e,1.0,identical\ni,f,1.0,identical\n");
    assert_eq!(sandbox.kept("--empty duplicate --removed r.csv"), ["a", "b", "c", "d", "e", "f", "j"]);
    let with_empty = "id,kept,similarity,reason\ng,e,1.0,identical\nh,a,1.0,identical\ni,f,1.0,identical\n";
    assert_eq!(sandbox.read("r.csv"), with_empty);
    let pairs = "a,b,similarity,reason\ne,g,1.0,identical\nf,i,1.0,identical\n";
    sandbox.writes("pairs in.jsonl -o p.csv --method minhash", "p.csv", pairs);
    sandbox.writes("clusters in.jsonl -o c.csv", "c.csv", "cluster,id\n0,e\n0,g\n1,f\n1,i\n");
    // Snapshots know the texts by their hashes.
    sandbox.succeed("snapshot in.jsonl -o in.snapshot");
    sandbox.writes("pairs in.snapshot -o again.csv", "again.csv", pairs);
    sandbox.succeed("recluster p.csv --threshold 0.9 --removed again.csv");
    assert_eq!(sandbox.read("again.csv"), "id,kept,similarity,reason\ng,e,1.0,identical\ni,f,1.0,identical\n");
}

#[test]
fn equal_words_in_other_texts_are_not_called_identical() {
    let codes = ["if (a == b) return x + y;", "if (a != b) return x - y;", "if (a == b) return x + y;"];
    let records: String = ["a", "b", "c"].into_iter().zip(codes).map(|(id, text)| record(id, text)).collect();
    let sandbox = Sandbox::with("in.jsonl", records);
    sandbox.says(
        "dedup in.jsonl -o out.jsonl --removed r.csv",
        "3 documents: 1 kept, 2 removed (1 identical, 1 equal, 0 near)...",
    );
    assert_eq!(sandbox.read("r.csv"), "id,kept,similarity,reason\nb,a,1.0,equal\nc,a,1.0,identical\n");
    sandbox.succeed("pairs in.jsonl -o p.csv");
    let pairs = "a,b,similarity,reason\na,b,1.0,equal\na,c,1.0,identical\nb,c,1.0,equal\n";
    assert_eq!(sandbox.read("p.csv"), pairs);
    sandbox.succeed("recluster p.csv --threshold 0.8 --keep last --removed last.csv");
    assert_eq!(sandbox.read("last.csv"), "id,kept,similarity,reason\na,c,1.0,identical\nb,c,1.0,equal\n");
    // Pairs of version 0.1.0 do not say what was equal.
    sandbox.write("old.csv", "a,b,similarity\na,b,1.0\na,c,1.0\nb,c,1.0\n");
    sandbox.succeed("recluster old.csv --threshold 0.8 --removed old-removed.csv");
    assert_eq!(sandbox.read("old-removed.csv"), "id,kept,similarity,reason\nb,a,1.0,equal\nc,a,1.0,equal\n");
}

#[test]
fn the_closest_of_what_is_kept_is_named() {
    // c is nearer to b than to a, and a and b are not near each other.
    let [a, b] = [words(0..40), words(8..50)];
    let sandbox = Sandbox::with("in.jsonl", record("a", &a) + &record("b", &b) + &record("c", &words(6..49)));
    let expected = "id,kept,similarity,reason\nc,b,";
    for method in ["exact", "minhash", "auto"] {
        sandbox.succeed(&format!("dedup in.jsonl --dry-run --threshold 0.7 --removed {method}.csv --method {method}"));
        let removed = sandbox.read(&format!("{method}.csv"));
        assert!(removed.starts_with(expected), "{removed}");
    }
    sandbox.write("new.jsonl", record("c", &words(6..49)));
    sandbox.write("old.jsonl", record("a", &a) + &record("b", &b));
    sandbox.succeed("dedup new.jsonl --against old.jsonl --dry-run --threshold 0.7 --removed against.csv");
    assert!(sandbox.read("against.csv").starts_with(expected));
    sandbox.succeed("pairs in.jsonl --threshold 0.7 -o p.csv");
    sandbox.writes("recluster p.csv --threshold 0.7 --removed again.csv", "again.csv", &sandbox.read("exact.csv"));
}

#[test]
fn methods_give_the_same_bytes() {
    let family = |base: usize| {
        (0..12).map(move |n| record(&format!("{base}-{n}"), &(words(base..base + 60) + &format!(" end {n}"))))
    };
    let content: String = (0..40).flat_map(|number| family(number * 1000)).collect();
    let sandbox = Sandbox::with("in.jsonl", content);
    let answers =
        ["--method exact", "--method minhash", "--method minhash --bands 20 --rows 5 --seed 7"].map(|flags| {
            sandbox.succeed(&format!("dedup in.jsonl -o out.jsonl --removed r.jsonl {flags}"));
            let pairs = sandbox.succeed(&format!("pairs in.jsonl {flags}")).stdout;
            (sandbox.read("out.jsonl"), sandbox.read("r.jsonl"), pairs)
        });
    assert_eq!(answers[0].0.lines().count(), 40);
    assert!(answers.iter().all(|answer| *answer == answers[0]));
}

/// Copies of one text, each with a value of the field `v`; their ids are their numbers.
fn copies(values: &[&str]) -> Sandbox {
    let line = |(number, value): (usize, &&str)| {
        serde_json::json!({ "id": number.to_string(), "text": words(0..20), "v": value }).to_string() + "\n"
    };
    let sandbox = Sandbox::with("in.jsonl", values.iter().enumerate().map(line).collect::<String>());
    let line = |(number, value): (usize, &&str)| format!("{number},{},\"{value}\"\n", words(0..20));
    let table: String = values.iter().enumerate().map(line).collect();
    sandbox.write("in.csv", format!("id,text,v\n{table}"));
    sandbox
}

#[test]
fn strings_are_ordered_as_the_numbers_and_times_that_they_spell() {
    for (values, highest) in [
        (&["9", "10"][..], "1"),
        (&["9,50", "10,50"], "1"),
        (&["9,50", "10"], "1"),
        (&["10:00+02:00", "09:30Z"], "1"),
        (&["2026-03-01T10:00+02:00", "2026-03-01T09:30Z"], "1"),
        (&["2026-03-01 23:30:00-01:00", "2026-03-02T00:15:00Z", "2026-03-01"], "0"),
        (&["9007199254740993", "9007199254740992"], "0"),
        (&["100000000000000000000000000000000000001", "100000000000000000000000000000000000002"], "1"),
        (&["1000000000000000000000000000000000000000000001", "1000000000000000000000000000000000000000000002"], "1"),
        (&["1700000000.123456788", "1700000000.123456789"], "1"),
        (&["0.12345678901234567892", "0.12345678901234567891"], "0"),
        (&["2026-01-01", "9999-12-31", "2026-01-02"], "1"),
        (&["20260102", "2026-01-03"], "1"),
        (&["2026", "2025-12-31"], "0"),
        (&["", "2026-01-01", " "], "1"),
    ] {
        let sandbox = copies(values);
        for threads in [1, 3] {
            assert_eq!(sandbox.kept(&format!("--keep max:v --threads {threads}")), [highest], "{values:?}");
        }
        let run = sandbox.succeed("dedup in.csv --keep max:v -o out.csv");
        assert!(!run.stderr.contains("as text"), "{}", run.stderr);
        assert!(sandbox.read("out.csv").contains(&format!("\n{highest},")), "{values:?}");
    }
}

#[test]
fn strings_that_are_neither_are_ordered_as_text_and_that_is_said() {
    for (values, example) in [
        (&["1,234", "999,123"][..], "1,234"),
        (&["1,234", "999"], "1,234"),
        (&["N/A", "10", "9"], "N/A"),
        (&["nan", "9"], "nan"),
        (&["9,5", "10.5"], "9,5"),
        (&["2026-03-01", "1 March 2026"], "1 March 2026"),
        (&["2026-01-01T10:00[America/New_York]", "2026-01-01T11:00Z"], "2026-01-01T10:00[America/New_York]"),
        (&["beta", "alpha"], "beta"),
    ] {
        let sandbox = copies(values);
        let expected = format!(
            "note: ordered as text: {} values of `v`, neither all numbers nor all dates or times of ISO 8601, as \
             `{example}`\n",
            values.len()
        );
        for input in ["in.jsonl", "in.csv"] {
            let run = sandbox.succeed(&format!("dedup {input} --keep max:v"));
            assert!(run.stderr.contains(&expected), "{input}: {}", run.stderr);
            assert!(!sandbox.succeed(&format!("dedup {input} --keep max:v -q")).stderr.contains("as text"));
        }
    }
}

#[test]
fn numbers_of_json_are_ordered_by_all_their_digits_and_empty_strings_lose() {
    for (values, highest, lowest) in [
        (&["1700000000.123456788", "1700000000.123456789"][..], "1", "0"),
        (
            &["1000000000000000000000000000000000000000000002", "1000000000000000000000000000000000000000000001"],
            "0",
            "1",
        ),
        (&["10.5", "\"9,50\"", "\"\"", "null"], "0", "1"),
        (&["\" \"", "\"2026-01-01\"", "\"2026-01-02\""], "2", "1"),
        (&["null", "\"\""], "0", "0"),
    ] {
        let line = |(number, value): (usize, &&str)| {
            format!("{{\"id\":\"{number}\",\"text\":\"{}\",\"v\":{value}}}\n", words(0..20))
        };
        let sandbox = Sandbox::with("in.jsonl", values.iter().enumerate().map(line).collect::<String>());
        assert_eq!(sandbox.kept("--keep max:v"), [highest], "{values:?}");
        assert_eq!(sandbox.kept("--keep min:v"), [lowest], "{values:?}");
    }
}

#[test]
fn further_orders_decide_among_ties() {
    let line = |id: &str, length, n: u32, day: &str| {
        let text = words(0..length);
        format!("{{\"id\":\"{id}\",\"text\":\"{text}\",\"n\":{n},\"day\":\"{day}\"}}\n")
    };
    let content = [
        line("a", 30, 2, "2026-01-09"),
        line("b", 31, 2, "2026-01-10"),
        line("c", 32, 1, "2026-01-11"),
        line("d", 30, 2, "2026-01-10"),
    ];
    let sandbox = Sandbox::with("in.jsonl", content.concat());
    for (keep, kept) in [
        ("max:n", "a"),
        ("max:n,longest", "b"),
        ("max:n,last", "d"),
        ("max:n,max:day", "b"),
        ("max:n,max:day,shortest", "d"),
        ("min:n,longest", "c"),
    ] {
        assert_eq!(sandbox.kept(&format!("--keep {keep}")), [kept], "{keep}");
    }
    sandbox.refuse_all("decisions/further_orders_decide_among_ties");
}
