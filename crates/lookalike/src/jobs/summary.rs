//! The summary file of a job: its nouns as they are, its counts and its times.

use super::report::{Found, Report, SearchReport};
use crate::candidates::{MeasuredRecall, MethodUsed};
use crate::corpus::RepeatedIdCounts;
use crate::ground::{Result, StageTime};
use crate::job::{Check, Job};
use lookalike_core::Resources;
use lookalike_core::features::Features;
use lookalike_core::measure::Measure;
use lookalike_core::method::{Banding, Method};
use lookalike_core::rule::Rule;
use lookalike_io::{AtomicFile, Inputs, Sealed, to_json};
use serde::Serialize;
use serde_json::Value;

/// What the summary says of a job.
#[derive(Debug, Serialize)]
pub(super) struct Summary<'a> {
    command: &'static str,
    version: &'static str,
    parameters: Parameters<'a>,
    /// The method that was used; null without a search.
    method: Option<SummaryMethod>,
    /// The recall measured on a sample; null for a complete method.
    measured_recall: Option<MeasuredRecall>,
    tokens: u64,
    /// Documents whose ids are made of file and line.
    documents_without_id: u64,
    /// Candidates that were verified; null without a search.
    candidates: Option<u64>,
    refused_by_texts: Option<u64>,
    repeated_ids: &'a RepeatedIdCounts,
    /// Counts of the job.
    result: Value,
    peak_bytes: Option<u64>,
    stages: &'a [StageTime],
}

/// The nouns, side by side: their fields have different names.
#[derive(Debug, Serialize)]
struct Parameters<'a> {
    #[serde(flatten)]
    inputs: &'a Inputs,
    #[serde(flatten)]
    features: &'a Features,
    #[serde(flatten)]
    measure: &'a Measure,
    #[serde(flatten)]
    method: &'a Method,
    #[serde(flatten)]
    rule: &'a Rule,
    check: &'a Check,
    #[serde(flatten)]
    resources: &'a Resources,
}

#[derive(Debug, Serialize)]
pub(super) struct SummaryMethod {
    name: &'static str,
    bands: Option<usize>,
    rows: Option<usize>,
    expected_recall: f64,
}

impl From<MethodUsed> for SummaryMethod {
    fn from(method: MethodUsed) -> Self {
        match method {
            MethodUsed::Exact { .. } => Self { name: "exact", bands: None, rows: None, expected_recall: 1.0 },
            MethodUsed::MinHash { banding, expected_recall, .. } => {
                let (bands, rows) = (Some(Banding::bands(banding)), Some(Banding::rows(banding)));
                Self { name: "minhash", bands, rows, expected_recall }
            }
        }
    }
}

impl<'a> Summary<'a> {
    pub(super) fn new(job: &'a Job, resources: &'a Resources, report: &'a Report) -> Result<Self> {
        let Job { inputs, features, measure, method, rule, check, outputs: _ } = job;
        let search: Option<SearchReport> = report.found.search().copied();
        let result = match &report.found {
            Found::Dedup { counts, .. } => serde_json::to_value(counts)?,
            Found::Pairs { counts, .. } => serde_json::to_value(counts)?,
            Found::Clusters { counts, .. } => serde_json::to_value(counts)?,
            Found::Copies(counts) => serde_json::to_value(counts)?,
            Found::Recluster(counts) => serde_json::to_value(counts)?,
            Found::Snapshot => serde_json::json!({ "documents": report.documents, "bad_records": report.bad_records }),
        };
        Ok(Self {
            command: report.command,
            version: env!("CARGO_PKG_VERSION"),
            parameters: Parameters { inputs, features, measure, method, rule, check, resources },
            method: search.map(|search| search.method.into()),
            measured_recall: search.and_then(|search| search.recall),
            tokens: report.tokens,
            documents_without_id: report.without_id,
            candidates: search.map(|search| search.candidates),
            refused_by_texts: search.and_then(|search| search.refused),
            repeated_ids: &report.repeated_ids,
            result,
            peak_bytes: report.peak_bytes,
            stages: &report.stages,
        })
    }

    /// Writes the file; it gets its name when it is published.
    pub(super) fn write(&self, mut file: AtomicFile) -> Result<Sealed> {
        file.write(to_json(self)?.as_bytes())?;
        file.write(b"\n")?;
        Ok(file.seal()?)
    }
}
