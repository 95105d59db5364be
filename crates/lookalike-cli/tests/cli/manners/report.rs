//! Report of a finished job, and its length.

use crate::common::{Sandbox, record, rows, words};

/// Families of two, in three sources, with every remark that a report may have.
fn everything() -> Sandbox {
    let sandbox = Sandbox::new();
    let pair = |number: usize| {
        let text = words(number * 10..number * 10 + 6);
        record(&format!("a{number}"), &text) + &record(&format!("b{number}"), &text)
    };
    sandbox.write("in/a.jsonl", (0..30).map(pair).collect::<String>() + "oops\n" + &record("e", ""));
    let copies: String = (0..40).map(|number| record(&format!("c{number}"), &words(0..6))).collect();
    sandbox.write("in/b.jsonl", copies);
    sandbox.write("in/c.jsonl", record("d", &words(5000..5006)));
    sandbox.write("in/.hidden", "x");
    sandbox
}

const JOB: &str = "dedup in --on-error skip --check-texts --method minhash";

#[test]
fn a_report_has_at_most_ten_lines() {
    let sandbox = everything();
    let words = sandbox.succeed(JOB).stderr;
    let report: Vec<&str> = words.lines().skip_while(|line| line.contains("left out in/")).collect();
    assert!(report.len() <= 10, "{words}");
    assert!(report[0].starts_with("102 documents: ") && report[0].contains("70 removed"), "{words}");
    for part in [
        "1 document without tokens, 1 bad record left out, 1 hidden file not read",
        "; check of texts: 0 answers refused",
        "recall: ",
        "3 sources: in/b.jsonl loses the most, 40 of 40 (-v: all)",
        "note: in/b.jsonl loses more than half of its documents",
        "note: 1 family makes up more than 1 % of the input each",
        "have fewer than 15 words: word:5 ",
        "30 families of near-duplicates, the largest, by kept document:\n          42 ",
    ] {
        assert!(words.contains(part), "{part}: {words}");
    }
}

#[test]
fn more_is_said_on_request_and_nothing_too() {
    let sandbox = everything();
    let verbose = sandbox.succeed(&format!("{JOB} -v")).stderr;
    for part in ["  in/a.jsonl\n", "  in/c.jsonl\n", "  a7\n", "verified: ", "reading   "] {
        assert!(verbose.contains(part), "{part}: {verbose}");
    }
    let quiet = sandbox.succeed(&format!("{JOB} -q")).stderr;
    assert_eq!(quiet.lines().count(), 1, "records that are left out are always named: {quiet}");
    assert!(quiet.starts_with("lookalike: left out in/a.jsonl:61: not JSON"), "{quiet}");
    for command in ["pairs", "clusters", "checksum"] {
        assert_eq!(sandbox.succeed(&format!("{command} in/b.jsonl --quiet")).stderr, "", "{command}");
    }
    sandbox.refused("pairs none.jsonl -q", "cannot read none.jsonl...");
}

#[test]
fn all_sources_are_listed_on_request() {
    let sandbox = Sandbox::new();
    for number in 0..25 {
        sandbox
            .write(&format!("in/{number:02}.jsonl"), record(&format!("{number}"), &words(number * 9..number * 9 + 30)));
    }
    let some = sandbox.succeed("dedup in -v").stderr;
    assert!(some.contains("in/19.jsonl") && !some.contains("in/20.jsonl"), "{some}");
    assert!(some.contains("... and 5 more sources (-vv: all)"), "{some}");
    sandbox.says("dedup in -vv", "...in/24.jsonl...");
}

#[test]
fn without_an_output_a_job_reports_and_writes_nothing() {
    let sandbox = Sandbox::with("in.jsonl", record("a", &words(0..30)) + &record("b", &words(0..30)));
    let run = sandbox.says(
        "dedup in.jsonl",
        "2 documents: 1 kept, 1 removed (1 identical, 0 equal, 0 near) (no -o: no records written)\n...",
    );
    assert_eq!((run.stdout.as_str(), sandbox.names()), ("", vec!["in.jsonl".to_owned()]));
    sandbox.succeed("dedup in.jsonl -n -o out.jsonl --removed r.jsonl");
    assert_eq!(sandbox.names(), ["in.jsonl", "r.jsonl"]);
    assert_eq!(rows::<serde_json::Value>(&sandbox.read("r.jsonl"))[0]["id"], "b");
    sandbox.refuse_all("manners/without_an_output_a_job_reports_and_writes_nothing");
}

#[test]
fn references_are_no_part_of_families_and_few_documents_no_alarm() {
    let sandbox = Sandbox::with("essay.txt", words(0..40));
    sandbox.write("sources/a.txt", words(0..40));
    let words = sandbox.succeed("dedup essay.txt --against sources/").stderr;
    assert!(
        words.contains("1 reference with near-duplicates, by reference:\n           1   100.00 %  a.txt"),
        "{words}"
    );
    assert!(!words.contains("note:") && !words.contains("200"), "{words}");
}

#[test]
fn families_of_references_and_of_new_documents_count_what_goes() {
    let text = |number: usize| words(number * 100..number * 100 + 40);
    let copies = |of: usize, count: usize| (0..count).map(move |copy| record(&format!("{of}-{copy}"), &text(of)));
    let sandbox = Sandbox::with("new.jsonl", copies(0, 2).chain(copies(1, 4)).collect::<String>());
    sandbox.write("reference.jsonl", record("reference", &text(0)));
    let said = sandbox.succeed("dedup new.jsonl --against reference.jsonl --keep last").stderr;
    let table = "2 families of near-duplicates, removed documents by reference or kept document:\n           \
                 3    50.00 %  1-3\n           2    33.33 %  reference\n";
    assert!(said.contains(table), "{said}");
}

#[test]
fn short_texts_are_told_where_shingles_are_the_default() {
    let titles = |length| (0..4).map(|n| record(&n.to_string(), &words(n * 50..n * 50 + length))).collect::<String>();
    let sandbox = Sandbox::with("in.jsonl", titles(14));
    let note = "note: 4 of 4 documents have fewer than 15 words: word:5 misses most edits of them; \
                try --shingle char:3 -t 0.8, and look at pairs whose numbers differ (sizes, models)\n";
    for command in ["dedup", "pairs", "clusters"] {
        assert!(sandbox.succeed(&format!("{command} in.jsonl")).stderr.ends_with(note), "{command}");
        assert!(!sandbox.succeed(&format!("{command} in.jsonl --shingle word:2")).stderr.contains("note:"));
    }
    sandbox.write("in.jsonl", titles(15));
    assert!(!sandbox.succeed("dedup in.jsonl").stderr.contains("note:"));
    sandbox.write("in.txt", "a b\na b c\n");
    assert!(!sandbox.succeed("pairs in.txt --items").stderr.contains("note:"));
    sandbox.write("in.csv", "who,what\nx,a\ny,b\n");
    assert!(!sandbox.succeed("pairs in.csv --group-by who --items-field what").stderr.contains("note:"));
    sandbox.write("in.jsonl", titles(14));
    sandbox.says(
        "pairs in.jsonl --measure overlap --min-common 3",
        "...word:5 misses most edits of them; try --shingle char:3\n",
    );
}

#[test]
fn removals_that_are_equal_are_told_with_what_keeps_signs() {
    let sums = ["12 + 7", "12 - 7", "12 * 7", "12 + 8"].map(|sum| format!("{} {sum}", words(0..20)));
    let records: String = (0..).zip(&sums).map(|(id, sum): (u32, _)| record(&id.to_string(), sum)).collect();
    let sandbox = Sandbox::with("in.jsonl", records);
    let note = "note: 2 of 2 removals are equal: the same words, but other signs, spacing or case; \
                if signs count (12 + 7, 12 - 7; C++, C#), --tokens code keeps them\n";
    let words_of = |flags: &str| sandbox.succeed(&format!("dedup in.jsonl -t 0.99 {flags}")).stderr;
    assert!(words_of("").contains(note), "{}", words_of(""));
    for flags in ["--tokens code", "--shingle char:3"] {
        assert!(!words_of(flags).contains("removals are equal"), "{}", words_of(flags));
    }
    // As many that are near are no reason to think of signs.
    let [one, two] = [words(0..100), words(0..99) + " x"];
    sandbox.write(
        "in.jsonl",
        [("a", &one), ("b", &(one.clone() + "!")), ("c", &two)].map(|(id, text)| record(id, text)).concat(),
    );
    assert!(!sandbox.succeed("dedup in.jsonl").stderr.contains("are equal"));
}

#[test]
fn bands_are_not_advised_for_measures_without_them() {
    let sandbox = Sandbox::with("in.jsonl", record("a", &words(0..20)));
    let note = |arguments: &str| {
        let words = sandbox.succeed(&format!("pairs in.jsonl --bands 3 --rows 2 {arguments}")).stderr;
        words.lines().last().unwrap_or_default().to_owned()
    };
    let others = "note: the search was exact, without --bands and --rows; they go with --measure jaccard";
    assert_eq!(note("--measure containment"), others);
    assert_eq!(note("--measure overlap --min-common 3"), others);
}

#[test]
fn what_is_advised_for_short_texts_finds_them() {
    let titles =
        ["Senior Data Engineer in Berlin (m/w)", "Senior Data Engineer in Berlin", "Nurse for the night shift"];
    let sandbox = Sandbox::with(
        "in.jsonl",
        ["a", "b", "c"].into_iter().zip(titles).map(|(id, text)| record(id, text)).collect::<String>(),
    );
    assert_eq!(sandbox.succeed("pairs in.jsonl").stdout, "");
    let found = rows::<serde_json::Value>(&sandbox.succeed("pairs in.jsonl --shingle char:3 -t 0.8").stdout);
    assert_eq!((found.len(), &found[0]["a"], &found[0]["b"]), (1, &"a".into(), &"b".into()));
}

#[test]
fn colors_follow_the_flag_and_the_environment() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "x") + &record("b", "x"));
    let colored = |arguments: &str, environment: &str| {
        let output = sandbox.command(arguments).env(environment, "1").output().unwrap();
        [output.stdout, output.stderr].map(|bytes| bytes.contains(&0x1B))
    };
    assert_eq!(colored("dedup in.jsonl", "CLICOLOR_FORCE"), [false, true]);
    assert_eq!(colored("dedup in.jsonl --color always", "X"), [false, true]);
    assert_eq!(colored("dedup in.jsonl --color=never", "CLICOLOR_FORCE"), [false; 2]);
    assert_eq!(colored("dedup in.jsonl", "NO_COLOR"), [false; 2]);
    assert_eq!(colored("compare in.jsonl:a in.jsonl:b --color always", "X"), [true, false]);
    assert_eq!(colored("compare in.jsonl:a in.jsonl:b", "X"), [false; 2]);
    assert_eq!(colored("--color always dedup -h", "X"), [true, false]);
    assert_eq!(colored("dedup -h --color never", "CLICOLOR_FORCE"), [false; 2]);
    assert_eq!(colored("dedup none --color always", "X"), [false, true]);
    assert_eq!(colored("dedup --none --color always", "X"), [false, true]);
}

#[test]
fn notes_agree_in_number_and_details_count_references() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "one two"));
    sandbox.write("refs.jsonl", record("b", "three four five") + &record("c", "six"));
    sandbox.says(
        "dedup in.jsonl --against refs.jsonl -v",
        "...read: 1 document and 2 references with 6 tokens...note: 1 of 1 document has fewer than 15 words: ...",
    );
}

#[test]
fn bands_that_an_exact_search_had_no_use_for_are_told() {
    let sandbox = Sandbox::with("in.jsonl", record("a", &words(0..30)) + &record("b", &words(0..30)));
    let note = "note: the search was exact, without --bands and --rows; --method minhash takes them\n";
    for command in ["dedup", "pairs"] {
        assert!(sandbox.succeed(&format!("{command} in.jsonl --bands 20 --rows 5")).stderr.ends_with(note));
        assert!(!sandbox.succeed(&format!("{command} in.jsonl --recall 0.9")).stderr.contains("note:"));
        let run = sandbox.succeed(&format!("{command} in.jsonl --bands 20 --rows 5 --method minhash"));
        assert!(!run.stderr.contains("note:"), "{run:?}");
    }
}

#[test]
fn texts_shorter_than_a_shingle_are_counted_by_every_command() {
    let sandbox = Sandbox::with(
        "in.jsonl",
        (0..9).map(|n| record(&n.to_string(), &words(n * 50..n * 50 + 40))).collect::<String>(),
    );
    let long = sandbox.read("in.jsonl");
    sandbox.write("in.jsonl", long.clone() + &record("x", "one two") + &record("y", "one two three four"));
    let told = "note: 2 of 11 documents have fewer tokens than word:5, and can only be equal to others; ";
    let advice = "a smaller --shingle compares parts of them\n";
    for command in ["dedup", "pairs", "clusters", "dedup -t 0.5"] {
        let run = sandbox.succeed(&format!("{command} in.jsonl"));
        assert!(run.stderr.ends_with(&format!("{told}{advice}")), "{command}: {}", run.stderr);
    }
    sandbox.says("pairs in.jsonl --measure overlap --min-common 2", "...note: 2 of 11 documents have...");
    sandbox.says(
        "index create x.idx in.jsonl",
        "...note: 2 of 11 documents have fewer tokens than word:5, and can only be equal to others; ...a smaller \
         --shingle...",
    );
    // A containment looks for them inside longer texts.
    assert!(!sandbox.succeed("pairs in.jsonl --measure containment").stderr.contains("note:"));
    assert!(!sandbox.succeed("pairs in.jsonl --shingle word:2").stderr.contains("note:"));
    sandbox.says("pairs in.jsonl --shingle char:8", "...1 of 11 documents has fewer tokens than char:8...");
    sandbox.write("long.jsonl", &long);
    sandbox.says("dedup long.jsonl --against in.jsonl", "...note: 2 of 11 references have fewer tokens than word:5...");
    sandbox.write("short.jsonl", record("x", "one two"));
    sandbox.says("pairs short.jsonl", "..., and 1 with fewer than 5 can only be equal; try ...");
    sandbox.succeed("dedup in.jsonl --summary s.json");
    let summary = sandbox.json("s.json");
    assert_eq!(summary["short_documents"], 2);
}

#[test]
fn a_corpus_or_references_too_short_for_a_shingle_are_said_once() {
    let sandbox = Sandbox::with("long.jsonl", record("long", &words(0..40)));
    let short: String = (0..3).map(|number| record(&format!("s{number}"), &words(number..number + 3))).collect();
    sandbox.write("both.jsonl", record("long", &words(0..40)) + &short);
    sandbox.write("short.jsonl", short);
    let said = sandbox.succeed("search long.jsonl --in short.jsonl").stderr;
    let note = "note: 3 of 3 documents of the corpus have fewer tokens than word:5, and can only be equal to others; ";
    assert_eq!(said.matches(note).count(), 1, "{said}");
    let said = sandbox.succeed("search short.jsonl --in short.jsonl").stderr;
    assert_eq!(said.matches("fewer tokens than").count(), 1, "{said}");
    sandbox.says(
        "sources long.jsonl --against short.jsonl",
        "...3 references shorter than --min-match, and so without passages...",
    );
    // A containment looks for them inside longer ones.
    let said = sandbox.succeed("pairs both.jsonl --measure containment").stderr;
    assert!(
        said.contains("3 of 4 documents have fewer than 15 words") && !said.contains("can only be equal"),
        "{said}"
    );
}
