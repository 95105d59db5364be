//! The basis of an answer: all that it depends on beside the content of its inputs, kept with it.
//!
//! Files of rows and of kept records in Parquet and Arrow carry it in their metadata, under
//! [`lookalike_io::rows::BASIS_KEY`], kept records without paths; rows in text have it in a file beside them, if that
//! is asked for. `recluster` asks the pairs that it is given for theirs.

use crate::base::Result;
use crate::candidates::{MeasuredRecall, MethodUsed};
use crate::job::{Check, Job};
use crate::pages::name_and_banding;
use crate::report::SearchReport;
use lookalike_core::comparison::{Features, Measure, Method};
use lookalike_core::keys::Banding;
use lookalike_core::rule::Rule;
use lookalike_core::serialize_path;
use lookalike_core::sets::Selection;
use lookalike_io::{Inputs, write::to_json};
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Parameters and method of an answer, and its recall.
#[derive(Debug, Serialize)]
pub(super) struct Basis<'a> {
    command: &'static str,
    version: &'static str,
    parameters: JobParameters<'a>,
    /// The method that was used.
    method: Option<UsedMethod>,
    /// The recall measured on a sample; null for a complete method.
    measured_recall: Option<MeasuredRecall>,
    /// Number of pairs or clusters that are listed at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    top: Option<NonZeroUsize>,
}

/// The parameters of a job, side by side: their fields have different names. Resources are in no answer.
#[derive(Debug, Serialize)]
pub(super) struct JobParameters<'a> {
    #[serde(flatten)]
    inputs: &'a Inputs,
    /// Features without the secret of an index: answers are handed on.
    #[serde(flatten)]
    features: Features,
    #[serde(flatten)]
    measure: &'a Measure,
    #[serde(flatten)]
    method: &'a Method,
    #[serde(flatten)]
    rule: &'a Rule,
    check: &'a Check,
    /// Signatures that were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    signatures: Option<&'a Inputs>,
    /// Document frequencies that were given.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "serialize_path")]
    idf: Option<&'a PathBuf>,
}

impl<'a> JobParameters<'a> {
    pub(super) fn new(job: &'a Job) -> Self {
        let Job { inputs, features, measure, method, signatures, rule, check, idf, outputs: _ } = job;
        let features = features.without_hash_secret();
        let signatures = signatures.as_ref();
        let idf = idf.as_ref();
        Self { inputs, features, measure, method, rule, check, signatures, idf }
    }
}

/// The method that was used.
#[derive(Debug, Serialize)]
pub(super) struct UsedMethod {
    name: &'static str,
    bands: Option<usize>,
    rows: Option<usize>,
    /// `None` where no number is promised.
    expected_recall: Option<f64>,
    /// Selection of elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    select: Option<Selection>,
}

impl From<MethodUsed> for UsedMethod {
    fn from(method: MethodUsed) -> Self {
        let (name, banding) = name_and_banding(&method);
        let expected_recall = match method {
            MethodUsed::Exact { .. } | MethodUsed::AllPairs | MethodUsed::AllVectors | MethodUsed::Tables { .. } => {
                Some(1.0)
            }
            MethodUsed::Projections(used) => Some(used.expected_recall),
            MethodUsed::SimHash { expected_recall, .. }
            | MethodUsed::MinHash { expected_recall, .. }
            | MethodUsed::BitSampling { expected_recall, .. } => Some(expected_recall),
            MethodUsed::Fingerprint(used) => used.expected_recall,
        };
        let select = if let MethodUsed::Fingerprint(used) = method { Some(used.select) } else { None };
        let bands = banding.map(Banding::bands);
        let rows = banding.map(Banding::rows);
        Self { name, bands, rows, expected_recall, select }
    }
}

/// The basis of the answers of a job, as JSON.
pub(super) fn basis_of(command: &'static str, job: &Job, search: Option<&SearchReport>) -> Result<String> {
    let basis = Basis {
        command,
        version: env!("CARGO_PKG_VERSION"),
        parameters: JobParameters::new(job),
        method: search.map(|search| search.method.into()),
        measured_recall: search.and_then(|search| search.recall),
        top: job.outputs.top,
    };
    Ok(to_json(&basis)?)
}

/// The basis without the paths of inputs and references, for kept records: they are published, and their bytes are the
/// same wherever the inputs were.
pub(super) fn without_paths(basis: &str) -> Result<String> {
    let mut basis: serde_json::Value = serde_json::from_str(basis)?;
    if let Some(parameters) = basis["parameters"].as_object_mut() {
        ["inputs", "against"].iter().for_each(|paths| drop(parameters.remove(*paths)));
    }
    Ok(to_json(&basis)?)
}
