//! The budget of memory is kept, and changes no byte.

#![cfg(target_os = "linux")]

use crate::common::{Random, Sandbox, record};
use std::fs::File;
use std::io::{BufWriter, Read, Write};

const MIB: u64 = 1 << 20;
/// Minimum size of the corpus.
const CORPUS_BYTES: u64 = 512 * MIB;
const BUDGET_BYTES: u64 = 64 * MIB;

/// Pages of some 3 KB of which one in six is a near-copy of one of the last hundred.
fn write_corpus(sandbox: &Sandbox) {
    let mut file = BufWriter::new(File::create(sandbox.path("in.jsonl")).unwrap());
    let mut random = Random(1);
    let vocabulary: Vec<String> = (0..50_000).map(|_| format!("{:x}", random.below(1 << 28))).collect();
    let mut recent: Vec<Vec<u32>> = Vec::new();
    let mut written = 0;
    let mut number = 0;
    while written < CORPUS_BYTES {
        let copied = random.below(100) as usize;
        let page = if random.below(6) == 0 && copied < recent.len() {
            let mut page = recent[copied].clone();
            for _ in 0..random.below(8) {
                let place = random.below(page.len() as u64) as usize;
                page[place] = random.below(50_000) as u32;
            }
            page
        } else {
            (0..250 + random.below(300)).map(|_| random.below(50_000) as u32).collect()
        };
        let words: Vec<&str> = page.iter().map(|&word| vocabulary[word as usize].as_str()).collect();
        let line = format!("{{\"id\":\"page-{number}\",\"text\":\"{}\"}}\n", words.join(" "));
        file.write_all(line.as_bytes()).unwrap();
        written += line.len() as u64;
        if recent.len() < 100 {
            recent.push(page)
        } else {
            recent[copied] = page
        }
        number += 1;
    }
    file.flush().unwrap();
}

/// Returns whether two files have the same bytes; they may be larger than memory.
fn are_equal(sandbox: &Sandbox, left: &str, right: &str) -> bool {
    let [mut left, mut right] = [left, right].map(|name| File::open(sandbox.path(name)).unwrap());
    let mut a = vec![0; 1 << 16];
    let mut b = vec![0; 1 << 16];
    loop {
        let read = left.read(&mut a).unwrap();
        if right.read_exact(&mut b[..read]).is_err() || a[..read] != b[..read] {
            return false;
        }
        if read == 0 {
            return right.read(&mut b).unwrap() == 0;
        }
    }
}

#[test]
fn half_a_gibibyte_fits_into_a_budget_of_64_mebibytes() {
    let sandbox = Sandbox::new();
    write_corpus(&sandbox);
    for method in ["exact", "minhash"] {
        let search = format!("dedup in.jsonl --method {method}");
        sandbox.succeed(&format!("{search} -o roomy.jsonl --removed roomy.csv --memory 8GiB"));
        sandbox.succeed(&format!("{search} -o tight.jsonl --removed tight.csv --memory 64MiB --summary tight.json"));
        assert!(are_equal(&sandbox, "roomy.jsonl", "tight.jsonl"), "{method}");
        assert_eq!(sandbox.bytes("roomy.csv"), sandbox.bytes("tight.csv"), "{method}");
        let peak = sandbox.json("tight.json")["peak_bytes"].as_u64().unwrap();
        assert!(peak <= BUDGET_BYTES + BUDGET_BYTES / 10, "{method}: {} MiB", peak / MIB);
    }
}

/// Runs a job in the budget, with more threads than most machines have, and checks its peak.
fn check_peak(sandbox: &Sandbox, job: &str) {
    sandbox.succeed(&format!("{job} --memory 64MiB --threads 16 --summary s.json"));
    let summary = sandbox.json("s.json");
    let peak = summary["peak_bytes"].as_u64().unwrap();
    assert!(peak <= BUDGET_BYTES + BUDGET_BYTES / 10, "{job}: {} MiB", peak / MIB);
}

#[test]
fn corpora_of_other_shapes_fit_too() {
    let sandbox = Sandbox::new();
    let mut random = Random(1);
    let mut words = |count: usize| (0..count).map(|_| format!("w{}", random.below(30_000))).collect::<Vec<_>>();
    // Books, and a snapshot of them.
    let books: String = (0..120).map(|number| record(&number.to_string(), &words(60_000).join(" "))).collect();
    sandbox.write("books.jsonl", books);
    check_peak(&sandbox, "dedup books.jsonl --dry-run");
    sandbox.succeed("snapshot books.jsonl -o books.snapshot --memory 64MiB");
    check_peak(&sandbox, "dedup books.snapshot --dry-run");
    // Near-copies of one page, each of each: two million pairs.
    let page = words(60);
    let copy = |number: usize| {
        let mut page = page.clone();
        page[number % 60] = format!("x{number}");
        record(&number.to_string(), &page.join(" "))
    };
    sandbox.write("copies.jsonl", (0..2000).map(copy).collect::<String>());
    check_peak(&sandbox, "pairs copies.jsonl --threshold 0.6 -o pairs.csv");
    assert!(sandbox.read("pairs.csv").lines().count() > 1_900_000);
    // Many small elements, most of which are shared: keys for nearly all of them.
    let pages: String = (0..1200).map(|number| record(&number.to_string(), &words(400).join(" "))).collect();
    sandbox.write("pages.jsonl", pages);
    check_peak(&sandbox, "pairs pages.jsonl --threshold 0.4 --shingle char:5 --method exact -o none.csv");
}

#[test]
fn a_long_document_takes_three_times_its_size_beside_the_budget_at_most() {
    let sandbox = Sandbox::new();
    let mut random = Random(1);
    let mut text = String::new();
    // Longer than what allocators keep for the next one.
    while text.len() < 34 << 20 {
        text += &format!("{:x} ", random.below(1 << 20));
    }
    sandbox.write("one.jsonl", record("a", &text));
    // The second one must wait until the first is done.
    sandbox.write("two.jsonl", record("a", &text) + &record("b", &text[1..]));
    for (file, shingle) in [("one", "char:9"), ("two", "word:1"), ("two", "word:5 --bag")] {
        let job = format!("dedup {file}.jsonl --dry-run --shingle {shingle}");
        let limit = BUDGET_BYTES + 3 * text.len() as u64;
        let mut peak = || {
            sandbox.succeed(&format!("{job} --memory 64MiB --threads 4 --summary s.json"));
            sandbox.json("s.json")["peak_bytes"].as_u64().unwrap()
        };
        let peaks: Vec<u64> = std::iter::repeat_with(&mut peak).take(3).collect();
        assert!(peaks.iter().all(|&peak| peak <= limit), "{shingle}: {peaks:?} bytes of {limit}");
    }
}

#[test]
fn a_low_limit_on_addresses_gives_the_answer_or_a_reason() {
    let sandbox = Sandbox::new();
    let mut random = Random(1);
    let mut page = || (0..200).map(|_| format!("{:x}", random.below(1 << 16))).collect::<Vec<_>>().join(" ");
    sandbox.write("in.jsonl", (0..3000).map(|number| record(&number.to_string(), &page())).collect::<String>());
    sandbox.succeed("dedup in.jsonl -o expected.jsonl");
    for mebibytes in [100, 300, 500, 800, 1200, 2500] {
        for asked in ["", "--memory 8GiB --threads 64"] {
            let limit = format!("-v {}", mebibytes * 1024);
            let run = sandbox.run_limited(&limit, &format!("dedup in.jsonl -o out.jsonl {asked}"));
            let words = run.stderr;
            match run.code {
                Some(0) => assert_eq!(sandbox.read("out.jsonl"), sandbox.read("expected.jsonl"), "{mebibytes} MiB"),
                Some(2) if mebibytes < 1200 => {
                    assert!(words.contains(&format!("ulimit -v allows {mebibytes} MiB")), "{words}");
                }
                _ => panic!("{mebibytes} MiB {asked}: {:?} {words}", run.code),
            }
            assert_eq!(run.code == Some(0) && !asked.is_empty(), words.contains("in place of the size of --memory"));
            let _ = std::fs::remove_file(sandbox.path("out.jsonl"));
        }
    }
}
