//! Arguments and inputs that cannot be used: refused in one clear line, nothing written.

use crate::common::{Sandbox, record};

fn sandbox() -> Sandbox {
    Sandbox::with("in.jsonl", record("a", "x") + &record("b", "y"))
}

/// Asserts that `dedup` with `flags` is refused in words that contain all of `expected`.
fn assert_refused(flags: &str, expected: &[&str]) {
    let words = sandbox().refuse(&format!("dedup in.jsonl -o out.jsonl {flags}"));
    assert!(expected.iter().all(|part| words.contains(part)), "{flags}: {words}");
    assert!(!words.contains("panicked"), "{flags}: {words}");
}

#[test]
fn thresholds_lie_above_0_and_at_most_at_1() {
    for value in ["0", "0.0", "1.1", "abc", "nan", "inf", "1e-1", ",5"] {
        assert_refused(&format!("--threshold {value}"), &["--threshold", "above 0 and at most 1"]);
    }
    for value in ["-1", "-0.5"] {
        assert_refused(&format!("--threshold {value}"), &["--threshold", "above 0 and at most 1"]);
    }
}

#[test]
fn recalls_lie_between_0_and_1() {
    for value in ["0", "1", "2", "nan"] {
        for method in ["auto", "minhash"] {
            let flags = format!("--method {method} --recall {value}");
            assert_refused(&flags, &["--recall", "expected a number between 0 and 1, both excluded"]);
        }
    }
    assert_refused("--recall much", &["invalid value 'much' for '--recall", "between 0 and 1"]);
}

#[test]
fn bands_and_rows_fit_into_the_permutations() {
    assert_refused("--bands 20 --rows 10", &["20 bands x 10 rows need 200 permutations, but the maximum is 128"]);
    assert_refused("--method minhash --bands 64 --rows 4 --permutations 255", &["256", "255"]);
    assert_refused("--bands 0 --rows 5", &["'--bands <B>'", "between 1 and 10000"]);
    assert_refused("--bands 5 --rows -1", &["'--rows <R>'", "between 1 and 10000"]);
    assert_refused("--bands 20", &["--rows"]);
    assert_refused("--rows 5", &["--bands"]);
    assert_refused("--permutations 0", &["--permutations", "expected a whole number between 1 and 10000"]);
    assert_refused("--permutations 10001", &["--permutations", "expected a whole number between 1 and 10000"]);
    sandbox().succeed("dedup in.jsonl -o out.jsonl --method minhash --bands 16 --rows 8");
}

#[test]
fn recalls_that_no_banding_reaches_are_explained() {
    let words = sandbox().refuse_in_a_line("pairs in.jsonl --method minhash --threshold 0.01 --permutations 16");
    assert!(words.contains("no bands and rows within 16 permutations"), "{words}");
    sandbox().succeed("pairs in.jsonl --method exact --threshold 0.01");
}

#[test]
fn flags_of_minhash_are_refused_with_the_exact_method() {
    for flags in ["--permutations 16", "--bands 4 --rows 2", "--recall 0.9", "--seed 7"] {
        let named = flags.split(' ').filter(|word| word.starts_with("--")).collect::<Vec<_>>().join(", ");
        for command in ["pairs in.jsonl", "clusters in.jsonl", "dedup in.jsonl -o out.jsonl"] {
            let words = sandbox().refuse_in_a_line(&format!("{command} --method exact {flags}"));
            assert_eq!(words, format!("--method exact has no use for {named}: minhash and auto do"));
        }
        for method in ["auto", "minhash"] {
            sandbox().succeed(&format!("pairs in.jsonl --method {method} {flags} --threshold 0.9"));
        }
    }
}

#[test]
fn sizes_are_positive() {
    for value in ["-5", "-5MiB", "0", "much", "31MiB"] {
        let words = sandbox().refuse_in_a_line(&format!("dedup in.jsonl -o out.jsonl --memory {value}"));
        let expected = "for '--memory <SIZE>': expected a positive size like 512MiB, 32 MiB or more";
        assert_eq!(words, format!("invalid value '{value}' {expected}"));
    }
    for value in ["-5", "0", "x"] {
        let words = sandbox().refuse_in_a_line(&format!("dedup in.jsonl -o out.jsonl --max-document {value}"));
        let expected = "for '--max-document <SIZE>': expected a positive size like 64MiB";
        assert_eq!(words, format!("invalid value '{value}' {expected}"));
    }
}

#[test]
fn negative_numbers_are_refused_by_their_flags() {
    for flag in ["--threads", "--stride", "--permutations", "--seed", "--threshold", "--recall"] {
        let words = sandbox().refuse_in_a_line(&format!("dedup in.jsonl -o out.jsonl {flag} -3"));
        assert!(words.starts_with("invalid value") && words.contains(flag), "{flag}: {words}");
    }
}

#[test]
fn messages_about_values_say_the_value_once() {
    for (flag, value) in
        [("--threshold", "1.25"), ("--shingle", "word:0"), ("--stem", "klingon"), ("--keep", "best"), ("--seed", "x7")]
    {
        let words = sandbox().refuse_in_a_line(&format!("dedup in.jsonl -o out.jsonl {flag} {value}"));
        assert_eq!(words.matches(value).count(), 1, "{words}");
    }
}

#[test]
fn a_dry_run_annotates_nothing() {
    assert_refused("--dry-run --annotate", &["cannot be used with", "'--annotate'", "'--dry-run'"]);
}

#[test]
fn shingles_and_strides_count_from_1() {
    for value in ["word:0", "word", "page:5", "char:", "word:-1", "word:x", ":5", "word:5:5"] {
        assert_refused(&format!("--shingle {value}"), &["--shingle"]);
    }
    assert_refused("--stride 0", &["--stride"]);
    assert_refused("--hash-bits 16", &["--hash-bits", "64, 32"]);
    assert_refused("--threads 0", &["--threads", "between 1 and 1024"]);
}

#[test]
fn languages_are_those_that_are_known() {
    assert_refused("--stop-words klingon", &["klingon", "neither a file nor a language", "de, "]);
    assert_refused("--stem klingon", &["klingon", "--stem"]);
}

#[test]
fn policies_and_their_fields_are_known() {
    for value in ["best", "max:", "min:", "max", "First"] {
        assert_refused(&format!("--keep {value}"), &["--keep", "max:FIELD"]);
    }
    assert_refused("--keep max:date", &["no record has a field `date`"]);
    assert_refused("--keep max:text", &["text field"]);
    assert_refused("--cluster all", &["--cluster", "keepers, connected"]);
    assert_refused("--text-field id", &["--text-field", "--id-field"]);
}

#[test]
fn scores_are_all_numbers_or_all_strings() {
    let line = |id: &str, score: &str| format!("{{\"id\":\"{id}\",\"text\":\"x\",\"n\":{score}}}\n");
    let mixed = Sandbox::with("in.jsonl", line("a", "1") + &line("b", "null") + &line("c", "\"two\""));
    let words = mixed.refuse_in_a_line("dedup in.jsonl -o out.jsonl --keep max:n");
    assert!(words.contains("`n`") && words.contains("first at document `c`"), "{words}");
    let array = Sandbox::with("in.jsonl", line("a", "1") + &line("b", "[2]"));
    let words = array.refuse_in_a_line("dedup in.jsonl -o out.jsonl --keep max:n");
    assert!(words.starts_with("in.jsonl:2: field `n` is an array"), "{words}");
}

#[test]
fn inputs_that_are_not_there_are_named() {
    let words = sandbox().refuse_in_a_line("dedup in.jsonl none.jsonl -o out");
    assert!(words.starts_with("cannot read none.jsonl: No such file"), "{words}");
    for command in ["pairs", "clusters", "checksum"] {
        assert!(sandbox().refuse_in_a_line(&format!("{command} none.jsonl")).contains("none.jsonl"));
    }
}

#[test]
fn compressed_inputs_are_recognized_and_must_be_whole() {
    for (head, format) in
        [(&b"\x1F\x8B\x08"[..], "gzip"), (b"\x28\xB5\x2F\xFD", "zstd"), (b"BZh91AY&SY", "bzip2"), (b"\xFD7zXZ\0", "xz")]
    {
        let sandbox = Sandbox::with("in.jsonl", head);
        let words = sandbox.refuse_in_a_line("dedup in.jsonl -o out.jsonl");
        assert!(words.contains("in.jsonl:1: cannot be unpacked behind byte 0"), "{format}: {words}");
    }
    // Text may begin like a compressed file.
    let sandbox = Sandbox::with("in.txt", "BZh9 is a text");
    sandbox.succeed("dedup in.txt --items -o out.txt");
    assert_eq!(sandbox.read("out.txt"), "BZh9 is a text");
}

#[test]
fn folders_without_documents_are_named() {
    let sandbox = Sandbox::with("in/.hidden", "x");
    let words = sandbox.refuse_in_a_line("dedup in -o out");
    assert_eq!(words, "folder in holds no documents; hidden files and links in folders are not read");
}

#[test]
fn files_of_one_name_go_to_one_folder_and_a_file_that_is_named_twice_goes_once() {
    let sandbox = Sandbox::with("a/x.jsonl", record("a", "x"));
    sandbox.write("b/x.jsonl", record("b", "y"));
    sandbox.succeed("dedup a/x.jsonl b/x.jsonl -o out");
    assert_eq!((sandbox.read("out/a/x.jsonl"), sandbox.read("out/b/x.jsonl")), (record("a", "x"), record("b", "y")));
    sandbox.succeed("dedup a/x.jsonl a/x.jsonl -o once.jsonl");
    assert_eq!(sandbox.read("once.jsonl"), record("a", "x"));
}

#[test]
fn text_files_cannot_be_annotated() {
    let sandbox = Sandbox::with("in/a.txt", "x");
    let words = sandbox.refuse_in_a_line("dedup in -o out --annotate");
    assert!(words.contains("--annotate needs JSON Lines"), "{words}");
}

#[test]
fn a_stride_leaves_no_token_out() {
    assert_refused("--stride 6", &["a stride of 6 leaves out tokens between shingles of 5"]);
    assert_refused("--shingle char:3 --stride 4", &["between shingles of 3"]);
    sandbox().succeed("dedup in.jsonl -o out.jsonl --stride 5");
}

#[test]
fn a_recall_is_refused_where_bands_and_rows_are_given() {
    assert_refused("--bands 16 --rows 8 --recall 0.9", &["--recall", "cannot be used with"]);
}

#[test]
fn pairs_are_not_read_from_standard_input() {
    let words = sandbox().refuse_in_a_line("recluster - --threshold 0.8");
    assert_eq!(words, "pairs cannot be read from standard input; name their file");
}

#[test]
fn options_of_code_need_code_and_words() {
    assert_refused("--tokens prose", &["--tokens", "words, code"]);
    assert_refused("--tokens code --shingle char:5", &["tokens of code are counted by word:N", "not by char:N"]);
    assert_refused("--tokens code --stem en", &["stop words and stemming need words"]);
    assert_refused("--tokens code --rename-blind", &["--keywords"]);
    assert_refused("--keywords rust", &["--rename-blind"]);
    assert_refused("--rename-blind --keywords rust", &["give --tokens code"]);
    let unknown = "--tokens code --rename-blind --keywords klingon";
    assert_refused(unknown, &["klingon", "neither a file nor a programming language", "typescript"]);
    assert_refused("--mask letters", &["--mask", "numbers"]);
    for shingle in ["line", "line:0", "page:3", "sentence:x"] {
        assert_refused(&format!("--shingle {shingle}"), &["--shingle", "`paragraph:N` with N from 1 to 65536"]);
    }
}
