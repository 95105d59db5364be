//! The `--summary` file, and how numbers are shown.

use anyhow::Result;
use lookalike::core::text::TextOptions;
use lookalike::io::{AtomicFile, to_json};
use lookalike::{MethodChoice, Options, Session, StageTime};
use serde::Serialize;
use std::path::Path;

/// Everything about a job that is not its answer.
#[derive(Debug, Serialize)]
pub(crate) struct Summary<'a, R: Serialize> {
    command: &'static str,
    version: &'static str,
    parameters: Parameters,
    method: Method,
    /// Counts of the job.
    result: &'a R,
    peak_bytes: Option<u64>,
    stages: Vec<StageTime>,
}

#[derive(Debug, Serialize)]
struct Parameters {
    threshold: f64,
    shingle: String,
    bag: bool,
    stride: usize,
    lowercase: bool,
    nfkc: bool,
    strip_html: bool,
    stop_words: usize,
    stem: bool,
    permutations: usize,
    seed: u64,
    threads: usize,
}

#[derive(Debug, Serialize)]
struct Method {
    name: &'static str,
    bands: Option<usize>,
    rows: Option<usize>,
    expected_recall: f64,
}

impl<'a, R: Serialize> Summary<'a, R> {
    pub(crate) fn new(
        command: &'static str,
        result: &'a R,
        method: &MethodChoice,
        session: &Session<'_>,
        options: &Options,
    ) -> Self {
        let method = match method {
            MethodChoice::Exact { .. } => Method { name: "exact", bands: None, rows: None, expected_recall: 1.0 },
            MethodChoice::MinHash { banding, expected_recall, .. } => Method {
                name: "minhash",
                bands: Some(banding.bands()),
                rows: Some(banding.rows()),
                expected_recall: *expected_recall,
            },
        };
        Self {
            command,
            version: env!("CARGO_PKG_VERSION"),
            parameters: Parameters::new(options, session),
            method,
            result,
            peak_bytes: session.stage_times().iter().filter_map(|stage| stage.peak_bytes).max(),
            stages: session.stage_times(),
        }
    }

    /// Writes the file, whole or not at all.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let mut file = AtomicFile::create(path)?;
        file.write(to_json(self)?.as_bytes())?;
        file.write(b"\n")?;
        Ok(file.finish()?)
    }
}

impl Parameters {
    fn new(options: &Options, session: &Session<'_>) -> Self {
        let TextOptions { nfkc, lowercase, strip_html, stop_words, stem } = &options.text;
        Self {
            threshold: options.threshold.as_f64(),
            shingle: options.shingle.size.to_string(),
            bag: options.shingle.multiplicity == lookalike::core::shingle::Multiplicity::Bag,
            stride: options.shingle.stride,
            lowercase: *lowercase,
            nfkc: *nfkc,
            strip_html: *strip_html,
            stop_words: stop_words.len(),
            stem: stem.is_some(),
            permutations: options.minhash.permutations,
            seed: options.minhash.seed,
            threads: session.threads(),
        }
    }
}

/// A number with its thousands apart: 1,234,567.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: "1 document", "2,000 documents".
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")];
        assert!(cases.iter().all(|&(number, text)| thousands(number) == text));
        assert_eq!((counted(1, "pair"), counted(2000, "pair")), ("1 pair".to_owned(), "2,000 pairs".to_owned()));
    }
}
