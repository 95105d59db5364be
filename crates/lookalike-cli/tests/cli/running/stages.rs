//! The number of stages of a job: the same from the first line to the last, whatever the documents are.

use crate::common::{Sandbox, record, words};

/// The numbers of stages that a command draws, as "2/5".
fn numbers(sandbox: &Sandbox, arguments: &str) -> Vec<(u32, u32)> {
    let drawn = sandbox.succeed(&format!("{arguments} --progress always")).stderr;
    let number = |word: &str| {
        let (number, all) = word.split_once('/')?;
        Some((number.parse().ok()?, all.parse().ok()?))
    };
    drawn.split_whitespace().filter_map(number).collect()
}

fn sandbox() -> Sandbox {
    let text = |number: usize| words(number * 3..number * 3 + 30);
    let many: String = (0..80).map(|number| record(&format!("q{number}"), &text(number))).collect();
    let sandbox = Sandbox::with("in.jsonl", record("a", &text(0)) + &record("b", &text(1)) + &record("c", "so short"));
    sandbox.write("many.jsonl", many);
    sandbox.write("essays/one.txt", text(0));
    sandbox.write("essays/two.txt", text(1));
    sandbox.write("bits.jsonl", "{\"id\":\"x\",\"h\":\"00ff\"}\n{\"id\":\"y\",\"h\":\"00fe\"}\n");
    sandbox.succeed("snapshot in.jsonl -o in.snapshot --passages");
    sandbox.succeed("index create in.idx many.jsonl");
    sandbox.succeed("index create minhash.idx many.jsonl --method minhash");
    sandbox
}

#[test]
fn the_number_of_stages_is_right_from_the_first_line() {
    let sandbox = sandbox();
    for arguments in [
        "dedup in.jsonl",
        "dedup in.jsonl --report r.html --check-texts",
        "dedup in.jsonl --method minhash -o out.jsonl",
        "dedup many.jsonl -t 0.1 --report r.html",
        "dedup in.jsonl --measure containment",
        "dedup in.jsonl --measure containment --method fingerprint --select winnow:4",
        "dedup in.jsonl --measure cosine --weights tfidf",
        "dedup in.jsonl --measure cosine --method simhash --cluster connected",
        "dedup in.jsonl --against in.idx --add",
        "dedup in.jsonl --against many.jsonl",
        "dedup in.jsonl --against many.jsonl --keep last",
        "dedup in.jsonl --against many.jsonl --keep last --check-texts --report r.html",
        "dedup many.jsonl --against in.jsonl --keep last --check-texts --method minhash",
        "dedup in.jsonl --against many.jsonl --keep longest --measure containment",
        "dedup in.jsonl --against many.jsonl --keep last --measure cosine --method simhash",
        "pairs bits.jsonl --bits h --width 16 --measure hamming --distance 2 --report r.html",
        "pairs in.jsonl --measure cosine --report r.html",
        "clusters in.jsonl --report r.html",
        "search many.jsonl --in in.jsonl -t 0.5",
        "search many.jsonl --in in.jsonl -t 0.5 --method minhash",
        "search many.jsonl --in minhash.idx",
        "search in.jsonl --in many.jsonl",
        "search in.jsonl --in many.jsonl --measure cosine",
        "search in.jsonl --in in.idx",
        "sources essays",
        "sources essays --report r.html",
        "sources essays/one.txt --against in.jsonl many.jsonl --ignore essays/two.txt --report r.html",
        "sources essays/one.txt --against in.snapshot many.jsonl",
        "cut in.jsonl",
        "cut in.jsonl -o cut.jsonl --removed cut.csv",
        "cut in.jsonl -o cut.jsonl --annotate --removed cut.csv",
        "snapshot in.jsonl many.jsonl essays -o s.snapshot --passages",
        "fingerprint in.jsonl -o f.csv",
        "fingerprint in.jsonl --weights binary -o f.csv",
        "signatures in.jsonl -o s.parquet",
        "checksum in.jsonl",
    ] {
        let numbers = numbers(&sandbox, arguments);
        let (last, all) = numbers.last().copied().unwrap_or_default();
        assert!(last == all && all > 0, "{arguments}: {numbers:?}");
        assert!(numbers.iter().all(|number| number.1 == all), "{arguments}: {numbers:?}");
        assert!(numbers.first().is_some_and(|first| first.0 == 1), "{arguments}: {numbers:?}");
        assert!(numbers.is_sorted(), "{arguments}: {numbers:?}");
    }
}
