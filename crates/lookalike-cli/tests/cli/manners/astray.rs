//! Command lines of people who guess: each is answered in one line that says what is wrong and what to do.

use crate::common::{Sandbox, record, words};

/// A folder with files of several kinds.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with("press.jsonl", record("a1", &words(0..30)) + &record("a2", &words(2..32)));
    sandbox.write("other.jsonl", record("b1", &words(0..30)));
    sandbox.write("products.csv", "sku,text,customer\nP1,one two three,anna\nP2,four five six,ben\n");
    sandbox.write("one.txt", words(0..30));
    sandbox.write("two.txt", words(2..32));
    sandbox.write("a.pdf", "%PDF-1.7 and so on");
    sandbox.write("a.docx", [&b"PK\x03\x04\x14\0\0\0\x08\0"[..], &[0; 40]].concat());
    sandbox.write("a.xlsx", [&b"PK\x03\x04\x14\0\0\0\x08\0"[..], &[0; 40]].concat());
    sandbox.write("mixed/a.csv", "id,text\n1,x\n");
    sandbox.write("mixed/b.csv", "id,body\n1,x\n");
    sandbox
}

#[test]
fn each_guess_is_answered_in_a_line() {
    let sandbox = sandbox();
    for (arguments, expected) in [
        ("snapshot press.jsonl -o s.jsonl", "this extension says; name it s.snapshot"),
        ("index press.jsonl", "no command 'press.jsonl': did you mean 'lookalike index create press.idx press.jsonl'?"),
        ("index new.idx press.jsonl", "no command 'new.idx': did you mean 'lookalike index create new.idx FILE'?"),
        ("index creat x", "no command 'creat': did you mean 'lookalike index create'?"),
        ("sources one.txt --in two.txt", "no flag '--in': the documents that may be sources stand behind --against"),
        ("compare products.csv:P1 products.csv:P2", "its records have no field `id`, and are called by their lines; "),
        ("compare products.csv:P1 products.csv:P2", "their fields are `sku`, `text`, `customer` (--id-field)"),
        ("compare press.jsonl a1 a2", "no place for 'a2': two documents are compared, with --in FILE two ids of that"),
        ("compare a1 b1 --in press.jsonl other.jsonl", "no place for 'other.jsonl': each input has a flag of its own"),
        ("plan press.jsonl", "no place for 'press.jsonl': plan reads no documents"),
        (
            "search --text x --group-by customer --items-field text --in products.csv",
            "--group-by makes baskets of the rows of files, and --text has none",
        ),
        ("fingerprint press.jsonl --bits 64", "to make some of N bits, give --fingerprint-bits N"),
        ("dedup press.jsonl -t 0,8", "found `0,8`; decimals stand behind a point: 0.8"),
        ("dedup press.jsonl -t 80", "found `80`; 80 % are 0.8"),
        (
            "dedup press.jsonl -threshold 0.7",
            "no flag '-threshold': a name of several letters stands behind two dashes",
        ),
        ("dedup press.jsonl -output=x.jsonl", "no flag '-output=x.jsonl': a name of several letters stands behind two"),
        ("dedup press.jsonl --shingle 5", "found `5`; did you mean word:5?"),
        ("dedup press.jsonl --strip-html false", "'--strip-html' takes no value: leave 'false' out"),
        ("dedup press.jsonl --strip-html=false", "'--strip-html' takes no value: leave 'false' out, or the flag"),
        ("dedup press.jsonl --method lsh", "invalid value 'lsh' for '--method <METHOD>': expected auto, exact, "),
        ("dedup press.jsonl --method lsh", "; did you mean minhash?"),
        ("pairs press.jsonl --measure tf-idf", "; did you mean cosine --weights tfidf?"),
        ("dedup press.jsonl --on-error ignore", "expected stop, skip; did you mean skip?"),
        ("dedup press.jsonl --recall 1", "both excluded; --method exact finds all"),
        ("pairs press.jsonl --limit 5", "no flag '--limit': see --top 20 ('lookalike pairs --help' lists all)"),
        ("dedup press.jsonl --limit 5", "no flag '--limit': all documents are read: `head -n N FILE | lookalike"),
        ("pairs press.jsonl --fuzzy", "no flag '--fuzzy': see --threshold 0.8 ('lookalike pairs --help' lists all)"),
        ("dedup press.jsonl --force", "no flag '--force': an output that is there is replaced, unless --no-clobber"),
        ("index compact x --force", "no flag '--force': an index that is there stays: remove its folder first"),
        ("dedup press.jsonl --recursive", "no flag '--recursive': folders are read with all that is below them"),
        ("dedup press.jsonl --in-place", "no flag '--in-place': inputs never change"),
        ("dedup a.pdf", "is a PDF document, not text (`pdftotext` makes a text of it; --on-error skip"),
        ("dedup a.docx", "not text (`pandoc -t plain` makes a text of it; --on-error skip"),
        ("dedup a.xlsx", "not text (save it as CSV, as `soffice --convert-to csv` does; --on-error skip"),
        ("dedup press.jsonl --keep max:txet", "`id`, `text`; the nearest is `text`; name another field in --keep"),
        ("dedup mixed", "; --on-error skip leaves such a file out"),
        ("dedup mixed/a.csv mixed/b.csv", "; --on-error skip leaves such a file out"),
        ("dedup press.jsonl other.jsonl -o out.xlsx", "can be made, or a folder, as out"),
        ("dedup press.jsonl other.jsonl -o out.txt", "can be made, or a folder, as out"),
        ("compare a b --bits h --fail-if-found", "--fail-if-found needs to know when the two are near-duplicates"),
    ] {
        let words = sandbox.refuse_in_a_line(arguments);
        assert!(words.contains(expected), "{arguments}: {words}");
    }
}

#[test]
#[cfg(feature = "server")]
fn a_port_is_part_of_an_address() {
    let words = sandbox().refuse_in_a_line("serve x.idx --port 80");
    assert!(words.starts_with("no flag '--port': see --listen 127.0.0.1:8080"), "{words}");
}

#[test]
fn what_the_parser_refuses_is_said_in_a_line_of_our_own() {
    let sandbox = sandbox();
    for (arguments, expected) in [
        ("frobnicate", "no command 'frobnicate' ('lookalike --help' lists all)"),
        ("dedupe press.jsonl", "no command 'dedupe': did you mean 'lookalike dedup'?"),
        ("search one.txt", "'lookalike search' needs --in <CORPUS>...: Where to look: files, folders, "),
        ("snapshot press.jsonl", "'lookalike snapshot' needs --output <FILE.snapshot>: File for the snapshot"),
        ("index add", "'lookalike index add' needs <IDX>: Folder of the index"),
        ("completions", "'lookalike completions' needs <SHELL>"),
        ("dedup press.jsonl --width 5", "a flag that is given needs another, --bits <FIELD>: Field or column with"),
        ("dedup press.jsonl -t", "'--threshold <T>' needs a value: Minimum similarity of near-duplicates"),
        ("dedup press.jsonl -t 0.8 -t 0.9", "'--threshold <T>' is given twice: once is enough"),
        ("dedup press.jsonl -q -v", "'--quiet' cannot be used with '--verbose...': leave one of them out"),
        ("dedup press.jsonl --treshold 0.8", "no flag '--treshold': did you mean '--threshold'? ('lookalike dedup"),
        ("dedup press.jsonl --format docx", "invalid value 'docx' for '--format <FORMAT>': expected jsonl, csv, tsv"),
        ("completions tcsh", "invalid value 'tcsh' for '<SHELL>': expected bash, elvish, fish, powershell, zsh"),
    ] {
        let words = sandbox.refuse_in_a_line(arguments);
        assert!(words.starts_with(expected), "{arguments}: {words}");
    }
}

#[test]
fn what_finds_nothing_for_a_plain_reason_says_it() {
    let sandbox = sandbox();
    sandbox.write("empty.jsonl", "");
    for (arguments, expected) in [
        ("sources one.txt", "note: a document without others has no sources: name those that it may have (--against"),
        ("dedup empty.jsonl", "note: the inputs are empty: they hold no document"),
        ("pairs empty.jsonl", "note: the inputs are empty: they hold no document"),
        ("checksum empty.jsonl", "note: the inputs are empty: they hold no document"),
        ("dedup press.jsonl empty.jsonl", "note: empty.jsonl is empty: it holds no document"),
    ] {
        let run = sandbox.succeed(arguments);
        assert!(run.stderr.contains(expected), "{arguments}: {}", run.stderr);
    }
    for arguments in ["sources one.txt two.txt", "dedup press.jsonl", "pairs press.jsonl"] {
        assert!(!sandbox.succeed(arguments).stderr.contains("empty"), "{arguments}");
    }
}

#[test]
fn a_quiet_plan_says_nothing() {
    let sandbox = Sandbox::new();
    let run = sandbox.succeed("plan -q --plot curve.svg");
    assert_eq!((&*run.stdout, &*run.stderr), ("", ""));
    assert!(sandbox.read("curve.svg").contains("<svg"));
    assert!(sandbox.succeed("plan -q --format json").stdout.contains("\"bands\""), "JSON is an answer");
}

#[test]
fn comparing_and_searching_fail_where_something_is_found_if_asked() {
    let sandbox = sandbox();
    for (arguments, code) in [
        ("compare one.txt two.txt -t 0.5 --fail-if-found", 1),
        ("compare one.txt two.txt -t 1 --fail-if-found", 0),
        ("compare one.txt two.txt -t 0.5", 0),
        ("search one.txt --in press.jsonl -t 0.5 --fail-if-found", 1),
        ("search products.csv --in press.jsonl -t 0.5 --fail-if-found", 0),
    ] {
        assert_eq!(sandbox.run(arguments).code, Some(code), "{arguments}");
    }
}
