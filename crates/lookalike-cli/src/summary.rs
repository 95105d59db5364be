//! The `--summary` file.

use crate::words::Findings;
use anyhow::Result;
use lookalike::core::shingle::{HashBits, Multiplicity};
use lookalike::core::text::TextOptions;
use lookalike::io::{AtomicFile, Sealed, to_json};
use lookalike::{EmptyPolicy, MeasuredRecall, MethodChoice, OnError, Options, Session, StageTime, peak_bytes};
use serde::Serialize;
use std::path::PathBuf;

/// A command, and what it was asked beside the options of the library.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Job<'a> {
    #[serde(skip)]
    pub(crate) command: &'static str,
    pub(crate) inputs: &'a [PathBuf],
    pub(crate) against: &'a [PathBuf],
    /// Null where nothing is removed.
    pub(crate) keep: Option<String>,
    pub(crate) cluster: Option<&'static str>,
}

/// Everything about a job that is not its answer.
#[derive(Debug, Serialize)]
pub(crate) struct Summary<'a, R: Serialize> {
    command: &'static str,
    version: &'static str,
    parameters: Parameters<'a>,
    /// The one that was used.
    method: Method,
    /// What a sample says of the recall; null for a complete method.
    measured_recall: Option<MeasuredRecall>,
    /// Tokens of all documents.
    tokens: u64,
    /// Candidates that were verified.
    candidates: u64,
    /// Counts of the job.
    result: &'a R,
    peak_bytes: Option<u64>,
    stages: Vec<StageTime>,
}

#[derive(Debug, Serialize)]
struct Parameters<'a> {
    #[serde(flatten)]
    job: Job<'a>,
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
    text_field: &'a str,
    id_field: &'a str,
    items: bool,
    on_error: &'static str,
    max_document_bytes: u64,
    empty: &'static str,
    /// The one that was asked for.
    method: &'static str,
    recall: f64,
    permutations: usize,
    bands: Option<usize>,
    rows: Option<usize>,
    seed: u64,
    threads: usize,
    memory_bytes: u64,
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
        job: Job<'a>,
        result: &'a R,
        found: &Findings<'_>,
        session: &Session<'_>,
        options: &'a Options,
    ) -> Self {
        let method = match found.method {
            MethodChoice::Exact { .. } => Method { name: "exact", bands: None, rows: None, expected_recall: 1.0 },
            MethodChoice::MinHash { banding, expected_recall, .. } => Method {
                name: "minhash",
                bands: Some(banding.bands()),
                rows: Some(banding.rows()),
                expected_recall: *expected_recall,
            },
        };
        Self {
            command: job.command,
            version: env!("CARGO_PKG_VERSION"),
            parameters: Parameters::new(job, options, session),
            method,
            measured_recall: found.recall,
            tokens: found.tokens,
            candidates: found.candidates,
            result,
            peak_bytes: peak_bytes(),
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

impl<'a> Parameters<'a> {
    fn new(job: Job<'a>, options: &'a Options, session: &Session<'_>) -> Self {
        let banding = options.minhash.banding;
        let TextOptions { nfkc, lowercase, strip_html, stop_words, stem } = &options.text;
        Self {
            job,
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
            text_field: &options.fields.text,
            id_field: &options.fields.id,
            items: options.fields.items.is_some(),
            on_error: match options.on_error {
                OnError::Stop => "stop",
                OnError::Skip => "skip",
            },
            max_document_bytes: options.most_record_bytes,
            empty: match options.empty {
                EmptyPolicy::Keep => "keep",
                EmptyPolicy::Duplicate => "duplicate",
            },
            method: match options.method {
                lookalike::Method::Auto => "auto",
                lookalike::Method::Exact => "exact",
                lookalike::Method::MinHash => "minhash",
            },
            recall: options.minhash.recall,
            permutations: options.minhash.permutations,
            bands: banding.map(|banding| banding.bands()),
            rows: banding.map(|banding| banding.rows()),
            seed: options.minhash.seed,
            threads: session.threads(),
            memory_bytes: session.memory_bytes(),
            kernel: format!("{:?}", options.kernel).to_lowercase(),
        }
    }
}
