//! Parquet and Arrow: read, written back, made from other formats and turned into them.
//!
//! Inputs are made by conversion, which `lookalike-io` tests against files of other writers.

use crate::common::{Sandbox, chain, record, words};

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
fn columns_that_do_not_fit_are_refused() {
    let sandbox = sandbox(&records());
    sandbox.refuse_all("inputs/columns_that_do_not_fit_are_refused");
}

#[test]
fn the_flag_counts_more_than_the_extension_and_an_unknown_one_changes_nothing() {
    let lines = record("a", &words(0..20)) + &record("b", "ö, \"q\"\n\ttab") + &record("c", "");
    let sandbox = sandbox(&lines);
    sandbox.succeed("dedup in.parquet -o x.txt --format jsonl");
    sandbox.succeed("dedup in.jsonl -o y.data");
    assert_eq!([sandbox.read("x.txt"), sandbox.read("y.data")], [&*lines, &lines]);
    sandbox.answers("dedup in.arrow -o - --format tsv", "id\ttext\na\t...\nc\t\n");
    sandbox.refuse_all("inputs/columns_in_compressed_files");
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
    sandbox.refused(
        "dedup two -o other --id-field= --format arrow",
        "inputs two/a.jsonl and two/a.parquet would both be written as a.arrow; rename one, or run the job once for \
         each",
    );
    // A text file beside them would become a table of the folder's name.
    sandbox.write("two/x.txt", "text");
    sandbox.write("two/two.jsonl", chain());
    std::fs::remove_file(sandbox.path("two/a.parquet")).unwrap();
    sandbox.refused(
        "dedup two -o other --id-field= --format csv",
        "inputs two/two.jsonl and two would both be written as two.csv; rename one, or run the job once for each",
    );
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
        sandbox.refused(&format!("dedup {name}.gz -o x.jsonl"), "...is not compressed with gzip...");
    }
}

#[test]
fn standard_input_and_output_carry_columns_too() {
    let sandbox = sandbox(&chain());
    for extension in EXTENSIONS {
        sandbox.succeed(&format!("dedup in.{extension} -o expected.{extension}"));
        let file = std::fs::File::open(sandbox.path(&format!("in.{extension}"))).unwrap();
        let output = sandbox.command("dedup - -o -").stdin(file).output().unwrap();
        assert!(output.stdout == sandbox.bytes(&format!("expected.{extension}")), "{extension}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_here_too() {
    let sandbox = sandbox(&records());
    sandbox.refuse_all("inputs/a_full_disk_is_an_error_here_too");
}
