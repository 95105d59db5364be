//! Compressed inputs and outputs, standard input, patterns, records that are too long.

use crate::common::{Sandbox, chain, record, words};

const EXTENSIONS: [&str; 4] = ["gz", "zst", "bz2", "xz"];

/// `in.jsonl`, and the same records packed as `in.jsonl.gz` and so on.
fn sandbox(content: &str) -> Sandbox {
    let sandbox = Sandbox::with("nothing.jsonl", "");
    sandbox.write("in.jsonl", content);
    for extension in EXTENSIONS {
        sandbox.succeed(&format!("dedup in.jsonl -o in.jsonl.{extension} --against nothing.jsonl"));
    }
    sandbox
}

#[test]
fn a_folder_keeps_names_and_compression() {
    let sandbox = sandbox(&chain());
    for extension in EXTENSIONS {
        sandbox.write(&format!("all/{extension}.jsonl.{extension}"), sandbox.bytes(&format!("in.jsonl.{extension}")));
    }
    sandbox.succeed("dedup all -o out --on-error skip --id-field=");
    let names = sandbox.names_in("out/");
    assert_eq!(names, ["out/bz2.jsonl.bz2", "out/gz.jsonl.gz", "out/xz.jsonl.xz", "out/zst.jsonl.zst"]);
    assert_eq!(
        sandbox.succeed("dedup out -o again --id-field=").stderr.lines().next(),
        Some("2 documents: 2 kept, 0 removed (0 identical, 0 equal, 0 near)")
    );
}

#[test]
fn a_file_with_the_extension_of_a_compression_that_it_lacks_is_left_out() {
    let sandbox = Sandbox::new();
    sandbox.write("lie.jsonl.gz", "{}");
    sandbox.refused(
        "dedup lie.jsonl.gz -o out.jsonl",
        "lie.jsonl.gz is not compressed with gzip, as its extension says; rename it",
    );
    sandbox.write("in/lie.jsonl.gz", "{}");
    sandbox.write("in/good.jsonl", record("a", "one two three"));
    for input in ["in", "in/*", "in/good.jsonl in/lie.jsonl.gz"] {
        sandbox.refused(&format!("dedup {input}"), "...; rename it; --on-error skip leaves such a file out");
        sandbox.says(
            &format!("dedup {input} --on-error skip"),
            "...left out in/lie.jsonl.gz: left out as a whole: in/lie.jsonl.gz is...",
        );
    }
    sandbox.writes("dedup in -o out --on-error skip", "out/lie.jsonl.gz", "{}");
}

#[test]
fn records_that_are_too_long_are_bad_and_the_others_are_kept() {
    let long = record("long", &"word ".repeat(700_000));
    let sandbox =
        sandbox(&(record("a", "one two") + &long + &record("b", "three four") + &long.replace("long", "last")));
    for name in ["in.jsonl", "in.jsonl.zst"] {
        for limit in ["1MiB", "2MB", "3 MB"] {
            let mut command = sandbox.command(&format!("dedup {name} -o out.jsonl --on-error skip --max-document"));
            let run = command.arg(limit).output().unwrap();
            assert_eq!(run.status.code(), Some(0));
            let words = String::from_utf8(run.stderr).unwrap();
            assert!(
                words.contains(&format!("{name}:2: longer than")) && words.contains(&format!("{name}:4: longer than")),
                "{words}"
            );
            assert_eq!(sandbox.read("out.jsonl"), record("a", "one two") + &record("b", "three four"));
        }
    }
    sandbox.says("dedup in.jsonl -o out.jsonl --max-document 4MB", "4 documents...");
    sandbox.refused("dedup in.jsonl -o x.jsonl --max-document much", "...--max-document...");
}

#[test]
fn standard_input_is_read_packed_or_not() {
    let sandbox = sandbox(&chain());
    let expected = sandbox.succeed("dedup in.jsonl -o -").stdout;
    for name in ["in.jsonl", "in.jsonl.gz", "in.jsonl.xz"] {
        assert_eq!(sandbox.run_with_input("dedup - -o -", sandbox.bytes(name)).stdout, expected, "{name}");
    }
}

#[test]
fn patterns_name_files_in_order() {
    let sandbox = Sandbox::with("b.jsonl", record("b", &words(0..30)));
    sandbox.write("a.jsonl", record("a", &words(0..30)));
    sandbox.write("c.txt", "no record");
    sandbox.succeed("dedup *.jsonl -o out");
    assert_eq!((sandbox.read("out/a.jsonl"), sandbox.read("out/b.jsonl")), (record("a", &words(0..30)), String::new()));
    sandbox.refused(
        "dedup *.csv -o none",
        "no file fits the pattern *.csv; `*` stays within a folder, `**` goes into all below",
    );
}
