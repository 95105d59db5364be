//! Compressed inputs and outputs, standard input, patterns, records that are too long.

use crate::common::{Sandbox, chain, record, words};
use std::fs;
use std::io::Write;
use std::process::Stdio;

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
fn each_compression_gives_the_same_answers_and_comes_back() {
    let sandbox = sandbox(&(chain() + "\n" + &record("empty", "") + &record("again", &words(0..32))));
    let expected = sandbox.succeed("dedup in.jsonl -o -").stdout;
    for extension in EXTENSIONS {
        assert!(sandbox.bytes(&format!("in.jsonl.{extension}")) != sandbox.bytes("in.jsonl"));
        let run = sandbox
            .succeed(&format!("dedup in.jsonl.{extension} -o out.jsonl.{extension} --removed r.csv.{extension}"));
        assert!(run.stderr.starts_with("5 documents: 3 kept, 2 removed"), "{}", run.stderr);
        assert_eq!(sandbox.succeed(&format!("dedup out.jsonl.{extension} -o -")).stdout, expected);
        let pairs = sandbox.succeed(&format!("pairs in.jsonl.{extension}")).stdout;
        assert_eq!(pairs, sandbox.succeed("pairs in.jsonl").stdout);
        sandbox.succeed(&format!("pairs in.jsonl.{extension} -o p.csv.{extension}"));
        sandbox.succeed(&format!("recluster p.csv.{extension} --threshold 0.8"));
    }
}

#[test]
fn a_folder_keeps_names_and_compression() {
    let sandbox = sandbox(&chain());
    for extension in EXTENSIONS {
        fs::create_dir_all(sandbox.path("all")).unwrap();
        fs::copy(
            sandbox.path(&format!("in.jsonl.{extension}")),
            sandbox.path(&format!("all/{extension}.jsonl.{extension}")),
        )
        .unwrap();
    }
    sandbox.succeed("dedup all -o out --on-error skip --id-field=");
    let names: Vec<String> = sandbox.names().into_iter().filter(|name| name.starts_with("out/")).collect();
    assert_eq!(names, ["out/bz2.jsonl.bz2", "out/gz.jsonl.gz", "out/xz.jsonl.xz", "out/zst.jsonl.zst"]);
    assert_eq!(
        sandbox.succeed("dedup out -o again --id-field=").stderr.lines().next(),
        Some("2 documents: 2 kept, 0 removed (0 identical, 0 equal, 0 near)")
    );
}

#[test]
fn a_cut_file_is_named_and_what_comes_before_the_cut_is_kept_on_request() {
    let many: String = (0..20_000).map(|id| record(&format!("d{id}"), &format!("text number {id} of many"))).collect();
    let sandbox = sandbox(&many);
    for extension in EXTENSIONS {
        let name = format!("in.jsonl.{extension}");
        let whole = sandbox.bytes(&name);
        sandbox.write(&name, &whole[..whole.len() * 2 / 3]);
        let line = sandbox.refuse_in_a_line(&format!("dedup {name} -o out.jsonl"));
        assert!(line.starts_with(&name) && line.contains("cannot be unpacked behind byte"), "{line}");
        let run = sandbox.run(&format!("dedup {name} -o out.jsonl --on-error skip --threshold 1"));
        if extension == "bz2" {
            // It packs blocks of 900 kB: nothing is known of the only one.
            assert!(
                run.code == Some(2) && run.stderr.contains("no record of the inputs can be read"),
                "{}",
                run.stderr
            );
            continue;
        }
        assert_eq!(run.code, Some(0));
        let kept = sandbox.read("out.jsonl");
        assert!(many.starts_with(&kept) && kept.ends_with('\n'), "{extension}");
        assert!(run.stderr.contains("1 bad record left out"), "{}", run.stderr);
        fs::remove_file(sandbox.path("out.jsonl")).unwrap();
    }
    sandbox.write("lie.jsonl.gz", "{}");
    let line = sandbox.refuse_in_a_line("dedup lie.jsonl.gz -o out.jsonl");
    assert_eq!(line, "lie.jsonl.gz is not compressed with gzip, as its extension says; rename it");
    sandbox.write("in/lie.jsonl.gz", "{}");
    sandbox.write("in/good.jsonl", record("a", "one two three"));
    for input in ["in", "in/*", "in/good.jsonl in/lie.jsonl.gz"] {
        let line = sandbox.refuse_in_a_line(&format!("dedup {input}"));
        assert!(line.ends_with("; rename it; --on-error skip leaves such a file out"), "{line}");
        let run = sandbox.succeed(&format!("dedup {input} --on-error skip"));
        assert!(run.stderr.contains("left out in/lie.jsonl.gz: left out as a whole: in/lie.jsonl.gz is"), "{run:?}");
    }
    sandbox.succeed("dedup in -o out --on-error skip");
    assert_eq!(sandbox.read("out/lie.jsonl.gz"), "{}");
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
    let run = sandbox.succeed("dedup in.jsonl -o out.jsonl --max-document 4MB");
    assert!(run.stderr.starts_with("4 documents"), "{}", run.stderr);
    let words = sandbox.refuse("dedup in.jsonl -o x.jsonl --max-document much");
    assert!(words.contains("--max-document"), "{words}");
}

#[test]
fn standard_input_is_read_packed_or_not() {
    let sandbox = sandbox(&chain());
    let expected = sandbox.succeed("dedup in.jsonl -o -").stdout;
    for name in ["in.jsonl", "in.jsonl.gz", "in.jsonl.xz"] {
        let mut command = sandbox.command("dedup - -o -");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&sandbox.bytes(name)).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{name}");
    }
}

#[test]
fn patterns_name_files_in_order() {
    let sandbox = Sandbox::with("b.jsonl", record("b", &words(0..30)));
    sandbox.write("a.jsonl", record("a", &words(0..30)));
    sandbox.write("c.txt", "no record");
    sandbox.succeed("dedup *.jsonl -o out");
    assert_eq!((sandbox.read("out/a.jsonl"), sandbox.read("out/b.jsonl")), (record("a", &words(0..30)), String::new()));
    assert_eq!(
        sandbox.refuse_in_a_line("dedup *.csv -o none"),
        "no file fits the pattern *.csv; `*` stays within a folder, `**` goes into all below"
    );
}
