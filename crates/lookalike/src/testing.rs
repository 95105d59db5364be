//! Helpers of the tests of several modules.

use crate::base::Silent;
use crate::corpus::Corpus;
use crate::run::Session;
use lookalike_core::Resources;
use lookalike_core::comparison::{Features, Measure};
use lookalike_core::hash::SplitMix64;
use lookalike_core::sets::ShingleOptions;

/// A corpus of (id, text) pairs.
pub(crate) fn corpus_of(features: &Features, texts: &[(String, String)]) -> Corpus {
    Corpus::from_texts(features, texts.iter().map(|(id, text)| (id.as_str(), text.as_str()))).unwrap()
}

/// Single words as elements.
pub(crate) fn single_words() -> Features {
    Features::shingles(ShingleOptions::words(1))
}

pub(crate) fn jaccard(threshold: &str) -> Measure {
    Measure::jaccard(threshold.parse().unwrap())
}

/// A threshold of a whole percentage.
pub(crate) fn percent(percent: u32) -> Measure {
    Measure::jaccard((f64::from(percent) / 100.0).try_into().unwrap())
}

pub(crate) fn session() -> Session<'static> {
    Session::new(&Resources::default(), &Silent).unwrap()
}

pub(crate) fn session_with(threads: usize, memory_bytes: u64) -> Session<'static> {
    let resources =
        Resources { threads: threads.try_into().ok(), memory_bytes: Some(memory_bytes), ..Resources::default() };
    Session::new(&resources, &Silent).unwrap()
}

/// Texts of which many share passages, and some are equal or empty.
pub(crate) fn texts(seed: u64, count: usize) -> Vec<(String, String)> {
    let mut random = SplitMix64::new(seed);
    let pages: Vec<Vec<String>> = (0..count / 8 + 1)
        .map(|page| (0..random.next_below(60)).map(|word| format!("p{page}w{word}")).collect())
        .collect();
    let text = |number: usize| {
        let mut words = pages[random.next_below(pages.len() as u64) as usize].clone();
        for _ in 0..random.next_below(4) {
            let length = words.len() as u64;
            if let Some(word) = words.get_mut(random.next_below(length.max(1)) as usize) {
                *word = format!("x{number}");
            }
        }
        (format!("d{number}"), words.join(" "))
    };
    (0..count).map(text).collect()
}
