//! The `--summary` file.

use anyhow::Result;
use lookalike::core::shingle::{HashBits, Multiplicity};
use lookalike::core::text::TextOptions;
use lookalike::io::{AtomicFile, Sealed, to_json};
use lookalike::{EmptyPolicy, MeasuredRecall, MethodChoice, Options, Session, StageTime};
use serde::Serialize;
use std::path::PathBuf;

/// Everything about a job that is not its answer.
#[derive(Debug, Serialize)]
pub(crate) struct Summary<'a, R: Serialize> {
    command: &'static str,
    version: &'static str,
    parameters: Parameters,
    method: Method,
    /// What a sample says of the recall; null for a complete method.
    measured_recall: Option<MeasuredRecall>,
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
    hash_bits: u32,
    text_field: String,
    id_field: String,
    empty: &'static str,
    recall: f64,
    permutations: usize,
    seed: u64,
    threads: usize,
    kernel: String,
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
        (method, recall): (&MethodChoice, Option<MeasuredRecall>),
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
            measured_recall: recall,
            result,
            peak_bytes: session.stage_times().iter().filter_map(|stage| stage.peak_bytes).max(),
            stages: session.stage_times(),
        }
    }

    /// Writes the file; it gets its name when it is published.
    pub(crate) fn write(&self, mut file: AtomicFile) -> Result<Sealed> {
        file.write(to_json(self)?.as_bytes())?;
        file.write(b"\n")?;
        Ok(file.seal()?)
    }
}

/// Begins the `--summary` file, if there is to be one, before any work.
pub(crate) fn begin(path: Option<&PathBuf>, options: &Options) -> Result<Option<AtomicFile>> {
    Ok(path.map(|path| AtomicFile::create_with(path, &options.aside())).transpose()?)
}

impl Parameters {
    fn new(options: &Options, session: &Session<'_>) -> Self {
        let TextOptions { nfkc, lowercase, strip_html, stop_words, stem } = &options.text;
        Self {
            threshold: options.threshold.as_f64(),
            shingle: options.shingle.size.to_string(),
            bag: options.shingle.multiplicity == Multiplicity::Bag,
            stride: options.shingle.stride,
            lowercase: *lowercase,
            nfkc: *nfkc,
            strip_html: *strip_html,
            stop_words: stop_words.len(),
            stem: stem.is_some(),
            hash_bits: match options.shingle.hash_bits {
                HashBits::Bits32 => 32,
                HashBits::Bits64 => 64,
            },
            text_field: options.fields.text.clone(),
            id_field: options.fields.id.clone(),
            empty: match options.empty {
                EmptyPolicy::Keep => "keep",
                EmptyPolicy::Duplicate => "duplicate",
            },
            recall: options.minhash.recall,
            permutations: options.minhash.permutations,
            seed: options.minhash.seed,
            threads: session.threads(),
            kernel: format!("{:?}", options.kernel).to_lowercase(),
        }
    }
}
