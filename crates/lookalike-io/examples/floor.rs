//! Measures what every job does first, and nothing else: a lower bound for its time. The records of a JSON Lines file
//! are parsed and dropped, or their texts are cut into hashed tokens, too, which are dropped.
//!
//! `floor parse FILE THREADS` and `floor tokens FILE THREADS` print records, bytes of text, tokens and seconds as JSON;
//! `bench/` runs them beside the real job.

use lookalike_core::text::{TextOptions, TokenUnit, Tokenizer};
use lookalike_io::{
    Blocks,
    sources::{FieldNames, discover},
};
use std::sync::Mutex;
use std::time::Instant;

#[derive(Default)]
struct Totals {
    records: u64,
    text_bytes: u64,
    tokens: u64,
    failure: Option<String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, file, threads] = arguments.as_slice() else {
        return Err("usage: floor parse|tokens FILE THREADS".into());
    };
    let is_cut = match what.as_str() {
        "parse" => false,
        "tokens" => true,
        _ => return Err(format!("`{what}` is neither parse nor tokens").into()),
    };
    let start = Instant::now();
    let found = discover(&[file.into()])?;
    let names = FieldNames::default();
    let blocks = Mutex::new(Blocks::new(&found.sources, &names, None));
    let totals = Mutex::new(Totals::default());
    std::thread::scope(|scope| {
        for _ in 0..threads.parse().unwrap_or(1) {
            scope.spawn(|| {
                let mine = read(&blocks, &names, is_cut);
                if let Ok(mut totals) = totals.lock() {
                    totals.records += mine.records;
                    totals.text_bytes += mine.text_bytes;
                    totals.tokens += mine.tokens;
                    totals.failure = totals.failure.take().or(mine.failure);
                }
            });
        }
    });
    let Totals { records, text_bytes, tokens, failure } = totals.into_inner()?;
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{{\"records\":{records},\"text_bytes\":{text_bytes},\"tokens\":{tokens},\"seconds\":{seconds:.4}}}");
    Ok(())
}

/// Reads blocks until there are no more.
fn read(blocks: &Mutex<Blocks<'_>>, names: &FieldNames, is_cut: bool) -> Totals {
    let (mut tokenizer, mut hashes, mut totals) =
        (Tokenizer::new(TextOptions::default()), Vec::new(), Totals::default());
    while let Some(block) = next(blocks) {
        let block = match block {
            Ok(block) => block,
            Err(error) => return Totals { failure: Some(error.to_string()), ..totals },
        };
        block.for_each_document(names, |document| {
            totals.records += 1;
            let Ok(document) = document else { return };
            let text = document.content.stored();
            totals.text_bytes += text.len() as u64;
            if is_cut {
                hashes.clear();
                tokenizer.hash_tokens(&text, TokenUnit::Word, &mut hashes);
                totals.tokens += std::hint::black_box(&hashes).len() as u64;
            }
        });
    }
    totals
}

fn next(blocks: &Mutex<Blocks<'_>>) -> Option<lookalike_io::Result<lookalike_io::Block>> {
    blocks.lock().ok()?.next()
}
