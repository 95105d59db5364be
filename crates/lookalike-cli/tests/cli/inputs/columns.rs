//! Parquet and Arrow: read, written back, made from other formats and turned into them.
//!
//! Inputs are made by conversion, which `lookalike-io` tests against files of other writers.

use crate::common::{Sandbox, chain, record, rows, words};
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

const EXTENSIONS: [&str; 2] = ["parquet", "arrow"];

/// `in.jsonl`, and the same records as `in.parquet` and `in.arrow`.
fn sandbox(content: &str) -> Sandbox {
    let sandbox = Sandbox::with("nothing.jsonl", "");
    sandbox.write("in.jsonl", content);
    for extension in EXTENSIONS {
        sandbox.succeed(&format!("dedup in.jsonl -o in.{extension} --against nothing.jsonl"));
    }
    sandbox
}

fn records() -> String {
    let extra = |id: &str, text: &str, date: &str| {
        serde_json::json!({"id": id, "text": text, "date": date, "meta": {"n": 1.5, "tags": ["x", null]}}).to_string()
            + "\n"
    };
    extra("a", &words(0..32), "2024-01-01")
        + &extra("b", &words(0..36), "2024-03-01")
        + &extra("c", "ö \"q\"", "2024-02-01")
}

#[test]
fn each_format_gives_the_same_answers() {
    let sandbox = sandbox(&chain());
    let pairs = sandbox.succeed("pairs in.jsonl").stdout;
    let removed = "id,kept,similarity,reason\nb,a,0.875,near\n";
    for extension in EXTENSIONS {
        assert_eq!(sandbox.succeed(&format!("pairs in.{extension}")).stdout, pairs);
        let run = sandbox.succeed(&format!("dedup in.{extension} -o out.{extension} --removed r.csv"));
        assert!(run.stderr.starts_with("3 documents: 2 kept, 1 removed"), "{}", run.stderr);
        assert_eq!(sandbox.read("r.csv"), removed);
        sandbox.succeed(&format!("dedup out.{extension} -o back-{extension}.jsonl"));
        assert_eq!(sandbox.read(&format!("back-{extension}.jsonl")), sandbox.succeed("dedup in.jsonl -o -").stdout);
        let a = sandbox.succeed(&format!("compare in.{extension}:a in.{extension}:b")).stdout;
        assert!(a.contains("0.8750"), "{a}");
        assert!(
            sandbox.refuse_in_a_line(&format!("compare in.{extension} in.jsonl:a")).contains("holds many documents")
        );
    }
}

#[test]
fn the_kept_copy_can_be_chosen_by_a_column() {
    let sandbox = sandbox(&records());
    for extension in EXTENSIONS {
        for threads in [1, 3] {
            let arguments = format!("dedup in.{extension} -o - --format jsonl --keep max:date --threads {threads}");
            let kept: Vec<Value> = rows(&sandbox.succeed(&arguments).stdout);
            assert_eq!(kept.iter().map(|record| record["id"].as_str().unwrap()).collect::<Vec<_>>(), ["b", "c"]);
        }
        let words = sandbox.refuse_in_a_line(&format!("dedup in.{extension} -o x.{extension} --text-field body"));
        assert_eq!(
            words,
            format!(
                "in.{extension} has no column `body`; its columns are `date`, `id`, `meta.n`, `meta.tags`, `text`; \
                 name yours (--text-field, --id-field, --keep)"
            )
        );
        let words = sandbox.refuse_in_a_line(&format!("dedup in.{extension} -o x.{extension} --text-field meta.n"));
        assert_eq!(
            words,
            format!(
                "column `meta.n` of in.{extension} is of type Float64, expected strings; \
                 name another one (--text-field, --id-field, --keep)"
            )
        );
        let words = sandbox.refuse_in_a_line(&format!("dedup in.{extension} -o x.csv"));
        assert_eq!(
            words,
            "cannot write x.csv: column `meta` is nested, which a table of text cannot hold; \
             JSON Lines, Parquet and Arrow can"
        );
    }
}

#[test]
fn every_format_becomes_every_other() {
    let flat = record("a", &words(0..20)) + &record("b", "ö, \"q\"\n\ttab") + &record("c", "");
    let sandbox = sandbox(&flat);
    let csv = format!("id,text\na,{}\nb,\"ö, \"\"q\"\"\n\ttab\"\nc,\n", words(0..20));
    for from in ["jsonl", "parquet", "arrow"] {
        for to in ["jsonl", "parquet", "arrow"] {
            sandbox.succeed(&format!("dedup in.{from} -o {from}-{to}.{to}"));
            sandbox.succeed(&format!("dedup {from}-{to}.{to} -o back.jsonl"));
            assert_eq!(sandbox.read("back.jsonl"), flat, "{from} {to}");
        }
        sandbox.succeed(&format!("dedup in.{from} -o out.csv"));
        assert_eq!(sandbox.read("out.csv"), csv, "{from}");
        let run = sandbox.succeed(&format!("dedup in.{from} -o - --format tsv"));
        assert!(run.stdout.starts_with("id\ttext\na\t") && run.stdout.ends_with("\nc\t\n"), "{}", run.stdout);
    }
    // The flag counts more than the extension, and an unknown extension changes nothing.
    sandbox.succeed("dedup in.parquet -o x.txt --format jsonl");
    assert_eq!(sandbox.read("x.txt"), flat);
    sandbox.succeed("dedup in.jsonl -o y.data");
    assert_eq!(sandbox.read("y.data"), flat);
    for arguments in ["-o x.parquet.gz", "-o x.gz --format parquet", "-o x.arrow.zst"] {
        let words = sandbox.refuse_in_a_line(&format!("dedup in.jsonl {arguments}"));
        assert!(words.contains("is compressed as a whole"), "{words}");
    }
}

#[test]
fn folders_get_the_extensions_of_the_format() {
    let sandbox = sandbox(&chain());
    sandbox.write("all/a.jsonl", chain());
    for (from, to) in [("in.parquet", "all/deep/b.parquet"), ("in.arrow", "all/c.feather")] {
        sandbox.write(to, sandbox.bytes(from));
    }
    sandbox.succeed("dedup in.jsonl -o packed.jsonl.gz --against nothing.jsonl");
    sandbox.write("all/d.jsonl.gz", sandbox.bytes("packed.jsonl.gz"));
    for (format, expected) in [
        ("parquet", ["a.parquet", "c.parquet", "d.parquet", "deep/b.parquet"]),
        ("csv", ["a.csv", "c.csv", "d.csv.gz", "deep/b.csv"]),
        ("jsonl", ["a.jsonl", "c.jsonl", "d.jsonl.gz", "deep/b.jsonl"]),
    ] {
        sandbox.succeed(&format!("dedup all -o out-{format} --format {format} --id-field="));
        let names = expected.map(|name| format!("out-{format}/{name}"));
        let found: Vec<String> =
            sandbox.names().into_iter().filter(|name| name.starts_with(&format!("out-{format}/"))).collect();
        assert_eq!(found, names);
    }
    sandbox.write("two/a.jsonl", chain());
    sandbox.write("two/a.parquet", sandbox.bytes("in.parquet"));
    sandbox.succeed("dedup two -o same --id-field=");
    let words = sandbox.refuse_in_a_line("dedup two -o other --id-field= --format arrow");
    assert_eq!(
        words,
        "inputs two/a.jsonl and two/a.parquet would both be written as a.arrow; \
         rename one, or run the job once for each"
    );
    // A text file beside them would become a table of the folder's name.
    sandbox.write("two/x.txt", "text");
    sandbox.write("two/two.jsonl", chain());
    std::fs::remove_file(sandbox.path("two/a.parquet")).unwrap();
    let words = sandbox.refuse_in_a_line("dedup two -o other --id-field= --format csv");
    assert_eq!(
        words,
        "inputs two/two.jsonl and two would both be written as two.csv; rename one, or run the job once for each"
    );
}

#[test]
fn annotations_are_columns() {
    let sandbox = sandbox(&chain());
    for extension in EXTENSIONS {
        sandbox.succeed(&format!("dedup in.{extension} -o out.{extension} --annotate"));
        sandbox.succeed(&format!("dedup out.{extension} -o out.jsonl --against nothing.jsonl"));
        let found: Vec<Value> = rows(&sandbox.read("out.jsonl"));
        let expected = serde_json::json!({
            "id": "b", "text": words(0..36), "lookalike_duplicate": true, "lookalike_kept": "a",
            "lookalike_similarity": 0.875, "lookalike_cluster_size": 2
        });
        assert_eq!((found.len(), &found[1]), (3, &expected));
        let words = sandbox.refuse_in_a_line(&format!("dedup out.{extension} -o x.{extension} --annotate"));
        assert!(words.contains("has a column `lookalike_duplicate` already"), "{words}");
        sandbox.succeed(&format!("dedup in.{extension} -o object.jsonl --annotate"));
        sandbox.succeed("dedup in.jsonl -o expected.jsonl --annotate");
        assert_eq!(sandbox.read("object.jsonl"), sandbox.read("expected.jsonl"));
    }
}

#[test]
fn rows_are_written_as_columns_and_read_again() {
    let sandbox = sandbox(&(chain() + &record("d", &words(0..32))));
    let pairs = sandbox.succeed("pairs in.jsonl").stdout;
    sandbox.succeed("pairs in.jsonl -o p.csv");
    let clusters = sandbox.succeed("recluster p.csv --threshold 0.8").stdout;
    for extension in EXTENSIONS {
        sandbox.succeed(&format!("pairs in.jsonl -o p.{extension}"));
        assert_eq!(sandbox.succeed(&format!("recluster p.{extension} --threshold 0.8")).stdout, clusters);
        // Rows of pairs are records too: `a` serves as the text here.
        sandbox.succeed(&format!("dedup p.{extension} -o p.jsonl --text-field a --id-field= --against nothing.jsonl"));
        assert_eq!(sandbox.read("p.jsonl"), pairs);
        for command in ["clusters in.jsonl -o", "checksum in.jsonl -o", "dedup in.jsonl --dry-run --removed"] {
            sandbox.succeed(&format!("{command} rows.{extension}"));
            sandbox.succeed(&format!("{command} expected.jsonl"));
            let back = "-o rows.jsonl --text-field id --id-field= --against nothing.jsonl";
            sandbox.succeed(&format!("dedup rows.{extension} {back}"));
            assert_eq!(sandbox.read("rows.jsonl"), sandbox.read("expected.jsonl"), "{command}");
        }
        let words = sandbox.refuse_in_a_line(&format!("recluster in.{extension} --threshold 0.8"));
        assert!(words.contains("has no column `a`"), "{words}");
    }
}

#[test]
fn damage_is_named_and_nothing_is_lost_silently() {
    let many: String = (0..3000).map(|id| record(&format!("d{id}"), &format!("text number {id} of many"))).collect();
    let sandbox = sandbox(&many);
    for extension in EXTENSIONS {
        let name = format!("in.{extension}");
        let whole = sandbox.bytes(&name);
        for cut in [whole.len() - 1, whole.len() / 2, 7] {
            sandbox.write(&name, &whole[..cut]);
            let words = sandbox.refuse_in_a_line(&format!("dedup {name} -o out.{extension} --on-error skip"));
            assert!(words.starts_with(&format!("cannot read {name} as ")), "{words}");
        }
        let mut damaged = whole.clone();
        damaged[200..whole.len() / 2].fill(0xEE);
        sandbox.write(&name, &damaged);
        let words = sandbox.refuse_in_a_line(&format!("dedup {name} -o out.{extension}"));
        assert!(words.starts_with(&name) && words.contains("cannot be decoded from this row on"), "{words}");
        let run = sandbox.run(&format!("dedup {name} -o out.{extension} --on-error skip"));
        let is_none_left = run.stderr.contains("no record of the inputs can be read: 1 cannot");
        assert!(is_none_left || run.stderr.contains("1 bad record left out"), "{}", run.stderr);
        assert_eq!(run.code, Some(if is_none_left { 2 } else { 0 }), "{}", run.stderr);
        sandbox.write(&format!("{name}.gz"), sandbox.bytes(&name));
        let words = sandbox.refuse_in_a_line(&format!("dedup {name}.gz -o x.jsonl"));
        assert!(words.contains("is not compressed with gzip"), "{words}");
    }
}

#[test]
fn standard_input_and_output_carry_columns_too() {
    let sandbox = sandbox(&chain());
    for extension in EXTENSIONS {
        let mut command = sandbox.command("dedup - -o -");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&sandbox.bytes(&format!("in.{extension}"))).unwrap();
        let output = child.wait_with_output().unwrap();
        sandbox.succeed(&format!("dedup in.{extension} -o expected.{extension}"));
        assert!(output.stdout == sandbox.bytes(&format!("expected.{extension}")), "{extension}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_here_too() {
    let sandbox = sandbox(&records());
    for arguments in
        ["dedup in.parquet", "dedup in.arrow", "dedup in.jsonl --format parquet", "dedup in.arrow --format jsonl"]
    {
        let words = sandbox.refuse_in_a_line(&format!("{arguments} -o /dev/full --id-field="));
        assert!(words.contains("cannot write /dev/full"), "{arguments}: {words}");
    }
}
