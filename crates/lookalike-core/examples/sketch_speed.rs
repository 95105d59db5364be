//! Prints the time per element, in nanoseconds, of one-permutation signatures with 128 components, for sets of a given
//! size. Called by `bench/peers/sketch_speed.py` for the comparison with peers. One thread; median of 7 rounds.
//!
//! ```text
//! cargo run --release --package lookalike-core --example sketch_speed -- ELEMENTS_PER_SET TOTAL_ELEMENTS
//! ```

use lookalike_core::hash::SplitMix64;
use lookalike_core::signatures::OnePermutationMinHash;
use std::hint::black_box;
use std::time::Instant;

const NUM_PERM: usize = 128;
const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = || -> Result<usize, Box<dyn std::error::Error>> {
        Ok(arguments.next().ok_or("usage: sketch_speed ELEMENTS_PER_SET TOTAL_ELEMENTS")?.parse()?)
    };
    let size = number()?;
    let total = number()?;
    let mut random = SplitMix64::new(1);
    let elements: Vec<u64> = (0..total / size * size).map(|_| random.next_u64()).collect();
    let family = OnePermutationMinHash::new(NUM_PERM, 1);
    let mut matrix = vec![0; total / size * NUM_PERM];
    let mut nanoseconds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            let signatures = matrix.chunks_exact_mut(NUM_PERM);
            signatures.zip(elements.chunks_exact(size)).for_each(|(signature, set)| family.fill(set, signature));
            black_box(&matrix);
            start.elapsed().as_secs_f64() * 1e9 / elements.len() as f64
        })
        .collect();
    nanoseconds.sort_by(f64::total_cmp);
    println!("{}", nanoseconds[ROUNDS / 2]);
    Ok(())
}
