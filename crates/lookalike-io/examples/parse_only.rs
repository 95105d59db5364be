//! Measures reading and parsing alone, the lower bound for the run time of a job: the records of a JSON Lines file are
//! parsed and dropped.
//!
//! `parse_only FILE THREADS` prints records, bytes of text and seconds as JSON; `bench/` runs it beside the real job.

use lookalike_io::{Blocks, FieldNames, discover};
use std::sync::Mutex;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, threads] = arguments.as_slice() else { return Err("usage: parse_only FILE THREADS".into()) };
    let start = Instant::now();
    let found = discover(&[file.into()])?;
    let names = FieldNames::default();
    let blocks = Mutex::new(Blocks::new(&found.sources, &names, None));
    let totals = Mutex::new(Ok((0u64, 0u64)));
    std::thread::scope(|scope| {
        for _ in 0..threads.parse().unwrap_or(1) {
            scope.spawn(|| {
                let (mut records, mut bytes) = (0, 0);
                let mut failed = None;
                while let Some(block) = next(&blocks) {
                    match block {
                        Ok(block) => block.for_each_document(&names, |document| {
                            records += 1;
                            bytes += document.map_or(0, |document| document.text.len() as u64);
                        }),
                        Err(error) => failed = Some(error),
                    }
                }
                if let Ok(mut totals) = totals.lock() {
                    match (failed, &mut *totals) {
                        (Some(error), totals) => *totals = Err(error.to_string()),
                        (None, Ok(totals)) => *totals = (totals.0 + records, totals.1 + bytes),
                        (None, Err(_)) => {}
                    }
                }
            });
        }
    });
    let (records, bytes) = totals.into_inner().map_err(|error| error.to_string())??;
    let seconds = start.elapsed().as_secs_f64();
    println!("{{\"records\":{records},\"text_bytes\":{bytes},\"seconds\":{seconds:.4}}}");
    Ok(())
}

fn next(blocks: &Mutex<Blocks<'_>>) -> Option<lookalike_io::Result<lookalike_io::Block>> {
    blocks.lock().ok()?.next()
}
