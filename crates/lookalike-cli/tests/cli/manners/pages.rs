//! Completions, manual pages, the format flag, and flags that other programs have.

use crate::common::{Sandbox, record, rows, words};

#[test]
fn completions_know_commands_and_flags() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = sandbox.succeed(&format!("completions {shell}")).stdout;
        assert!(["recluster", "text-field", "threshold"].iter().all(|word| script.contains(word)), "{shell}");
    }
    assert!(sandbox.refuse("completions tcsh").contains("expected bash, elvish, fish, powershell, zsh"));
}

#[test]
fn manual_pages_explain_the_program_and_each_command() {
    let sandbox = Sandbox::new();
    let page = sandbox.succeed("man").stdout;
    assert!(page.contains(".TH lookalike 1") && page.contains("lookalike\\-dedup(1)"), "{page}");
    let page = sandbox.succeed("man dedup").stdout;
    assert!(page.contains(".TH lookalike-dedup 1") && page.contains("\\-\\-text\\-field"), "{page}");
    assert!(sandbox.refuse_in_a_line("man none").contains("there are dedup, pairs, "));
}

#[test]
fn the_format_of_the_main_output_is_one_flag() {
    let sandbox = Sandbox::with("in.jsonl", record("a", &words(0..30)) + &record("b", &words(0..30)));
    assert_eq!(sandbox.succeed("pairs in.jsonl --format csv").stdout, "a,b,similarity,reason\na,b,1.0,identical\n");
    assert_eq!(
        sandbox.succeed("pairs in.jsonl --format tsv").stdout,
        "a\tb\tsimilarity\treason\na\tb\t1.0\tidentical\n"
    );
    assert_eq!(sandbox.succeed("clusters in.jsonl --format csv").stdout, "cluster,id\n0,a\n0,b\n");
    let array: serde_json::Value =
        serde_json::from_str(&sandbox.succeed("clusters in.jsonl --format json").stdout).unwrap();
    assert_eq!(array[0]["ids"], serde_json::json!(["a", "b"]));
    assert!(sandbox.succeed("checksum in.jsonl --format csv").stdout.starts_with("group,id,equal,checksum\n"));
    assert!(sandbox.succeed("dedup in.jsonl -o - --format csv").stdout.starts_with("id,text\na,"));
    sandbox.succeed("pairs in.jsonl -o p.jsonl");
    let clusters = sandbox.succeed("recluster p.jsonl -t 0.9 --format tsv").stdout;
    assert_eq!(clusters, "cluster\tid\n0\ta\n0\tb\n");
    sandbox.succeed("pairs in.jsonl -o found.txt --format parquet");
    assert!(sandbox.bytes("found.txt").starts_with(b"PAR1"));
    sandbox.succeed("clusters in.jsonl -o found.json --format jsonl");
    assert_eq!(rows::<serde_json::Value>(&sandbox.read("found.json")).len(), 2);
}

#[test]
fn flags_of_other_programs_lead_to_the_one_that_is_meant() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "x"));
    for (given, meant) in [
        ("--ngram 3", "--shingle"),
        ("--ngrams=3", "--shingle"),
        ("--jobs 2", "--threads"),
        ("--num_workers 2", "--threads"),
        ("--similarity 0.7", "--threshold"),
        ("--output-format csv", "--format"),
        ("--explain", "--verbose"),
        ("--num-perm 64", "--permutations"),
        ("--no-color", "--color never"),
    ] {
        let words = sandbox.refuse_in_a_line(&format!("dedup in.jsonl {given}"));
        assert!(words.starts_with("no flag '--") && words.contains(&format!("see {meant}")), "{given}: {words}");
    }
    let words = sandbox.refuse_in_a_line("plan --jobs 2");
    assert_eq!(words, "no flag '--jobs' ('lookalike plan --help' lists all)");
}

#[test]
fn only_a_flag_that_means_the_same_is_proposed() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "x"));
    for (arguments, step) in [
        ("pairs in.jsonl --exact", "see --method exact"),
        ("compare a b --exact", "'--exact' ('lookalike compare --help' lists all)"),
        ("pairs in.jsonl --ignore-case", "see --lowercase true, the default"),
        ("pairs in.jsonl --case-sensitive", "see --lowercase false"),
        ("pairs in.jsonl --json", "see --format jsonl"),
        ("clusters in.jsonl --json", "see --format json "),
        ("compare a b --json", "see --format json "),
        ("clusters in.jsonl --best 5", "'--best' ('lookalike clusters --help' lists all)"),
    ] {
        let words = sandbox.refuse_in_a_line(arguments);
        assert!(words.contains(step) && !words.contains("similar"), "{arguments}: {words}");
    }
    for slip in ["--treshold 0.7", "--sumary x", "--thres 0.7"] {
        let words = sandbox.refuse(&format!("dedup in.jsonl {slip}"));
        assert!(words.contains("--threshold") || words.contains("--summary"), "{slip}: {words}");
    }
}

#[test]
fn all_refusals_begin_alike() {
    let sandbox = Sandbox::new();
    for arguments in
        ["dedup", "dedupe x", "dedup x --treshold 1", "dedup x -t", "dedup x -t 2", "dedup x", "compare a b"]
    {
        let words = sandbox.refuse(arguments);
        assert!(words.starts_with("lookalike: ") && !words.contains("error: "), "{arguments}: {words}");
        assert!(!words.contains("os error"), "{arguments}: {words}");
    }
}

#[test]
fn refusals_say_the_next_step() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "x") + "{\"id\":\"b\",\"text\":7}\n");
    sandbox.write("in.csv", "id,body\n1,x\n");
    sandbox.write("pairs.csv", "x,y\n1,2\n");
    sandbox.write("folder/a.txt", "x");
    for (arguments, next_step) in [
        ("dedup in.csv", "name yours (--text-field, --id-field, --keep)"),
        (
            "dedup in.jsonl",
            "expected a string (--text-field, --id-field, --keep; --on-error skip leaves such records out)",
        ),
        ("dedup in.jsonl --on-error skip --keep max:date", "; name another field in --keep"),
        ("recluster pairs.csv -t 0.8", " (`lookalike pairs` makes such files)"),
        ("dedup folder -o folder/out", "; name a place outside of it"),
        ("dedup none*.jsonl", "; `*` stays within a folder, `**` goes into all below"),
        ("dedup in.csv -o x.zip", "; .jsonl, .csv, .tsv, .parquet and .arrow can be made"),
        ("compare none other", "; name a text file, FILE:ID or FOLDER:PATH"),
        ("compare folder/a.txt folder", "; it is a folder: `lookalike sources A --against FOLDER` finds"),
        ("compare in.jsonl:z in.jsonl:a", "1 cannot, the first: in.jsonl:2: field `text` is a number"),
        ("dedup - -o out.jsonl --work-dir work", ": name files, or leave out --work-dir"),
        ("dedup in.jsonl -o none/out.jsonl", "; make its folder first"),
        ("dedup in.jsonl --bands 20 --rows 20", "the maximum is 128; allow more (--permutations)"),
        ("dedup --against folder in.jsonl", "no INPUT: --against takes all names that follow it; name the inputs"),
    ] {
        let run = sandbox.run(arguments);
        let last = run.stderr.lines().last().unwrap_or_default();
        assert!(run.code == Some(2), "{arguments}: {run:?}");
        assert!(last.contains(next_step), "{arguments}: {}", run.stderr);
    }
}

#[test]
fn arguments_without_a_place_are_told_where_they_belong() {
    let sandbox = Sandbox::with("in.jsonl", record("a", "x"));
    for (arguments, expected) in [
        ("in.jsonl", "no command 'in.jsonl': did you mean 'lookalike dedup in.jsonl'?"),
        ("dedup --input in.jsonl", "no flag '--input': inputs stand without a flag, as in 'lookalike dedup FILE'"),
        ("dedup -i in.jsonl", "no flag '-i': inputs stand without a flag, as in 'lookalike dedup FILE'"),
        ("pairs in.jsonl --against x", "no flag '--against': 'lookalike dedup' has it ('lookalike pairs --help' lists"),
        ("dedup in.jsonl -x", "no flag '-x' ('lookalike dedup --help' lists all)"),
        ("recluster pairs.csv in.jsonl -t 0.9", "no place for 'in.jsonl': see --documents ('lookalike recluster"),
        ("compare a b c", "no place for 'c': two documents are compared, with --in FILE two ids of that file ("),
    ] {
        let words = sandbox.refuse_in_a_line(arguments);
        assert!(words.starts_with(expected), "{arguments}: {words}");
    }
    assert!(!sandbox.refuse("-v").contains("subcommand"));
    assert!(sandbox.refuse("dedup in.jsonl --treshold 1").contains("'--threshold'"), "near names are the parser's");
}
