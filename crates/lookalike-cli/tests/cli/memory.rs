//! The budget of memory is kept, and changes no byte.

#![cfg(target_os = "linux")]

use crate::common::Sandbox;
use std::fs::File;
use std::io::{BufWriter, Read, Write};

const MIB: u64 = 1 << 20;
/// What the corpus has, at least.
const CORPUS_BYTES: u64 = 512 * MIB;
const BUDGET_BYTES: u64 = 64 * MIB;

/// Pages of some 3 KB of which one in six is a near-copy of one of the last hundred.
fn write_corpus(sandbox: &Sandbox) {
    let mut file = BufWriter::new(File::create(sandbox.path("in.jsonl")).unwrap());
    let mut state = 1u64;
    let mut random = |end: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % end
    };
    let vocabulary: Vec<String> = (0..50_000).map(|_| format!("{:x}", random(1 << 28))).collect();
    let mut recent: Vec<Vec<u32>> = Vec::new();
    let (mut written, mut number) = (0, 0);
    while written < CORPUS_BYTES {
        let copied = random(100) as usize;
        let page = if random(6) == 0 && copied < recent.len() {
            let mut page = recent[copied].clone();
            for _ in 0..random(8) {
                let place = random(page.len() as u64) as usize;
                page[place] = random(50_000) as u32;
            }
            page
        } else {
            (0..250 + random(300)).map(|_| random(50_000) as u32).collect()
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

/// Whether two files have the same bytes; they may be larger than memory.
fn are_equal(sandbox: &Sandbox, left: &str, right: &str) -> bool {
    let [mut left, mut right] = [left, right].map(|name| File::open(sandbox.path(name)).unwrap());
    let (mut a, mut b) = (vec![0; 1 << 16], vec![0; 1 << 16]);
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
        let summary: serde_json::Value = serde_json::from_str(&sandbox.read("tight.json")).unwrap();
        let peak = summary["peak_bytes"].as_u64().unwrap();
        assert!(peak <= BUDGET_BYTES + BUDGET_BYTES / 10, "{method}: {} MiB", peak / MIB);
    }
}

#[test]
fn too_little_memory_is_refused() {
    let sandbox = Sandbox::with("in.jsonl", "{\"text\":\"one\"}\n");
    for size in ["1MiB", "0", "-1", "much"] {
        let words = sandbox.refuse_in_a_line(&format!("dedup in.jsonl -o out.jsonl --memory={size}"));
        assert!(words.contains("expected a size of at least 32.0 MiB, like 4GiB"), "{words}");
    }
}
