//! Independence of resources: each job gives one answer for any number of threads, memory, kernel and work folder.

use super::CASES;
use super::world::World;
use crate::common::{Sandbox, record, words};
use crate::measures::images::copy_photos;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// Jobs beside those of the measures; their outputs begin with `out`.
const JOBS: &[&str] = &[
    "pairs code.jsonl -t 0.7 --tokens code --shingle word:4 -o out.jsonl",
    "pairs code.jsonl -t 0.7 --tokens code --rename-blind --keywords keywords.txt --shingle line:2 -o out.jsonl",
    "pairs code.jsonl -t 0.7 --shingle line:1 --mask numbers -o out.parquet",
    "pairs code.jsonl -t 0.7 --shingle sentence:1 --check-texts -o out.arrow --with-source",
    "pairs code.jsonl -t 0.5 --top 90 -o out.csv --report out.html",
    "clusters code.jsonl -t 0.5 -o out.csv --report out.html",
    "dedup code.jsonl -t 0.5 -o out.jsonl --removed out.csv --report out.html",
    "pairs code.jsonl -t 0.4 --method minhash --bands 20 --rows 2 -o out.csv --histogram out.json",
    "pairs code.jsonl -t 0.7 --measure containment --method fingerprint --select winnow:12 -o out.jsonl",
    "dedup code.jsonl -t 0.7 --measure containment --method fingerprint --select mod:8 --recall 0.9 -o out.jsonl",
    "dedup table.tsv -o out.jsonl",
    "dedup essays table.tsv -o out --format jsonl",
    "pairs photos --features image-hash -o out.jsonl --report out.html",
    "pairs photos --features image-vector -o out.jsonl",
    "pairs signatures.jsonl --signature signature -t 0.51 -o out.jsonl",
    "cut code.jsonl --shingle 7 --min-left 3 -o out.jsonl --removed out.csv",
];

/// Jobs that have no folder of checkpoints.
const WITHOUT_CHECKPOINTS: &[&str] = &[
    "signatures code.jsonl --scheme affine32 --bands 4 --rows 8 --permutations 40 -o out.jsonl",
    "fingerprint code.jsonl --weights tfidf -o out.parquet",
    "sources code.jsonl --common 9 -o out.jsonl",
    "sources code.jsonl --against code.snapshot --min-match 12 --common 9 -o out.jsonl",
    "search code.jsonl --in code.jsonl -t 0.5 -o out.jsonl",
];

/// The documents of the measures, and lines of code, a table without paired quotes, texts and photos.
fn sandbox() -> Sandbox {
    let sandbox = World::generated(3, 400, 24).sandbox();
    let line = |number: usize| format!("let v{number} = f(v{}) >> {}; // step {number}\n", number % 7, number % 5);
    let text = |first: usize| (first..first + 40).map(line).collect::<String>();
    let records = (0..60).map(|number| record(&format!("d{number}"), &text(number / 2 * 3)));
    sandbox.write("code.jsonl", records.collect::<String>());
    sandbox.write("keywords.txt", "let\n");
    let rows: String = (0..9000).map(|id| format!("{id}\t\"{}\"\n", words(id..id + 9))).collect();
    sandbox.write("table.tsv", format!("id\ttext\n{rows}x\t\"open\n"));
    (0..9).for_each(|number| sandbox.write(&format!("essays/{number}.txt"), text(number)));
    copy_photos(&sandbox);
    sandbox.succeed("signatures code.jsonl --permutations 40 -o signatures.jsonl");
    sandbox.succeed("snapshot code.jsonl -o code.snapshot --passages");
    sandbox
}

/// Runs a job, and takes its outputs away.
fn outputs(sandbox: &Sandbox, job: &mut Command) -> BTreeMap<String, Vec<u8>> {
    let run = job.output().unwrap();
    assert!(run.status.success(), "{job:?}: {}", String::from_utf8_lossy(&run.stderr));
    let outputs: BTreeMap<String, Vec<u8>> =
        sandbox.names_in("out").into_iter().map(|name| (name.clone(), sandbox.bytes(&name))).collect();
    for name in outputs.keys() {
        fs::remove_file(sandbox.path(name)).unwrap();
    }
    let _ = fs::remove_dir_all(sandbox.path("out"));
    outputs
}

#[test]
fn every_job_writes_the_same_bytes_with_any_resources() {
    let sandbox = sandbox();
    let mut jobs: Vec<(String, bool)> = Vec::new();
    for case in CASES {
        for (method, _) in case.methods {
            let flags = format!("{} --method {method}", case.flags());
            jobs.push((format!("pairs {flags} -o out.csv"), true));
            jobs.push((format!("clusters {flags} -o out.csv"), true));
            jobs.push((format!("dedup {flags} -o out-kept --removed out.csv"), true));
        }
    }
    jobs.extend(JOBS.iter().map(|job| ((*job).to_owned(), true)));
    jobs.extend(WITHOUT_CHECKPOINTS.iter().map(|job| ((*job).to_owned(), false)));
    for (job, has_checkpoints) in jobs {
        let with = |resources: &str| outputs(&sandbox, &mut sandbox.command(&format!("{job} {resources}")));
        let expected = with("--threads 2");
        assert!(expected.values().any(|bytes| bytes.len() > 500), "{job}: {:?}", expected.keys());
        for resources in ["--threads 1", "--threads 5", "--threads 2 --memory 32MiB"] {
            assert!(with(resources) == expected, "{job} {resources}");
        }
        let scalar = outputs(&sandbox, sandbox.command(&job).env("LOOKALIKE_KERNEL", "scalar"));
        assert!(scalar == expected, "{job} with the scalar kernel");
        // Once with checkpoints, and once from them.
        for _ in 0..if has_checkpoints { 2 } else { 0 } {
            assert!(with("--work-dir work") == expected, "{job} --work-dir work");
        }
        let _ = fs::remove_dir_all(sandbox.path("work"));
    }
}
