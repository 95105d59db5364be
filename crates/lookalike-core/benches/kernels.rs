//! Benchmarks of the inner loops by kernel: `cargo bench --package lookalike-core`.
//!
//! Rates are in bytes of text or elements of a set per second. The classic signature is included for comparison.

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use lookalike_core::DocId;
use lookalike_core::comparison::{Features, Measure};
use lookalike_core::documents::ElementSets;
use lookalike_core::hash::{SplitMix64, mix64};
use lookalike_core::kernel::Kernel;
use lookalike_core::signatures::OnePermutationMinHash;
use lookalike_core::similarity::CandidatePair;
use lookalike_core::text::{TextOptions, TokenUnit, Tokenizer};
use std::hint::black_box;

const NUM_PERM: usize = 128;
const SIZES: [usize; 5] = [20, 100, 500, 2000, 10_000];

fn main() {
    divan::main();
}

fn elements(count: usize) -> Vec<u64> {
    (0..count as u64).map(mix64).collect()
}

/// English-like text: words of two to nine letters, with an occasional capital and full stop.
fn english() -> String {
    words(&["a", "e", "i", "o", "u", "n", "r", "s", "t"])
}

/// German-like text: some words have umlauts.
fn german() -> String {
    words(&["a", "e", "i", "o", "ü", "n", "r", "s", "ß"])
}

/// Hindi-like text: syllables with vowel signs.
fn hindi() -> String {
    words(&["क", "का", "कि", "त", "ते", "न", "नु", "र", "स्"])
}

/// Chinese-like text: no blanks between words.
fn chinese() -> String {
    words(&["的", "一", "是", "不", "了", "人", "我", "在", "有"]).replace(". The", "。").replace(' ', "")
}

/// Makes at least 100,000 bytes of random words of the given letters.
fn words(letters: &[&str]) -> String {
    let mut random = SplitMix64::new(1);
    let mut text = String::new();
    while text.len() < 100_000 {
        (0..2 + random.next_below(8))
            .for_each(|_| text.push_str(letters[random.next_below(letters.len() as u64) as usize]));
        text.push_str(if random.next_below(12) == 0 { ". The " } else { " " });
    }
    text
}

#[divan::bench(args = Kernel::available())]
fn tokens_of_english(bencher: Bencher<'_, '_>, kernel: Kernel) {
    hash_tokens(bencher, kernel, &english());
}

#[divan::bench(args = Kernel::available())]
fn tokens_of_german(bencher: Bencher<'_, '_>, kernel: Kernel) {
    hash_tokens(bencher, kernel, &german());
}

#[divan::bench(args = Kernel::available())]
fn tokens_of_hindi(bencher: Bencher<'_, '_>, kernel: Kernel) {
    hash_tokens(bencher, kernel, &hindi());
}

#[divan::bench(args = Kernel::available())]
fn tokens_of_chinese(bencher: Bencher<'_, '_>, kernel: Kernel) {
    hash_tokens(bencher, kernel, &chinese());
}

fn hash_tokens(bencher: Bencher<'_, '_>, kernel: Kernel, text: &str) {
    let mut tokenizer = Tokenizer::with_kernel(TextOptions::default(), kernel);
    let mut hashes = Vec::new();
    bencher.counter(BytesCount::of_str(text)).bench_local(|| {
        hashes.clear();
        tokenizer.hash_tokens(text, TokenUnit::Word, &mut hashes);
        hashes.len()
    });
}

#[divan::bench(args = [2_000, 20_000, 100_000])]
fn shingle_set_of_english(bencher: Bencher<'_, '_>, bytes: usize) {
    let text = &english()[..bytes];
    let mut shingler = Features::default().shingler(Kernel::detect());
    let mut sets = ElementSets::new();
    bencher.counter(BytesCount::of_str(text)).bench_local(|| {
        sets.clear();
        shingler.push(text, &mut sets)
    });
}

#[divan::bench(args = SIZES)]
fn signature_scalar(bencher: Bencher<'_, '_>, size: usize) {
    signature(bencher, size, Kernel::Scalar);
}

#[divan::bench(args = SIZES)]
fn signature_best(bencher: Bencher<'_, '_>, size: usize) {
    signature(bencher, size, Kernel::detect());
}

fn signature(bencher: Bencher<'_, '_>, size: usize, kernel: Kernel) {
    let family = OnePermutationMinHash::with_kernel(NUM_PERM, 1, kernel);
    let elements = elements(size);
    let mut components = vec![0; NUM_PERM];
    bencher.counter(ItemsCount::new(size)).bench_local(|| family.fill(&elements, &mut components));
}

/// Intersection of sets with half of the elements in common: it stops early at a threshold of 0.8, not at 0.1.
#[divan::bench(args = Kernel::available(), consts = [10, 80])]
fn overlap_of_500_and_500<const PERCENT: u32>(bencher: Bencher<'_, '_>, kernel: Kernel) {
    let measure = Measure::jaccard((f64::from(PERCENT) / 100.0).try_into().unwrap_or_default());
    let sets: ElementSets = [elements(500), elements(750).split_off(250)].into();
    let space = measure.space(&sets, kernel);
    let verifier = space.verifier();
    let pair = CandidatePair { a: DocId(0), b: DocId(1) };
    bencher.counter(ItemsCount::new(1000usize)).bench_local(|| verifier.verify(black_box(pair)));
}
