//! The basis of an answer: all that it depends on beside the content of its inputs, kept with it.
//!
//! Files of rows and of kept records in Parquet and Arrow carry it in their metadata, under
//! [`lookalike_io::rows::BASIS_KEY`], kept records without paths; rows in text have it in a file beside them, if that
//! is asked for. `recluster` asks the pairs that it is given for theirs.

use crate::candidates::{MeasuredRecall, MethodUsed, UsedFingerprints};
use crate::ground::Result;
use crate::job::{Check, Job};
use lookalike_core::comparison::{Features, Measure, Method};
use lookalike_core::keys::Banding;
use lookalike_core::rule::Rule;
use lookalike_core::serialize_path;
use lookalike_core::sets::Selection;
use lookalike_io::{Inputs, write::to_json};
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What an answer depends on.
#[derive(Debug, Serialize)]
pub(super) struct Basis<'a> {
    command: &'static str,
    version: &'static str,
    parameters: Nouns<'a>,
    /// The method that was used.
    method: Option<UsedMethod>,
    /// The recall measured on a sample; null for a complete method.
    measured_recall: Option<MeasuredRecall>,
    /// Number of pairs or clusters that are listed at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    top: Option<NonZeroUsize>,
}

/// The nouns of a job, side by side: their fields have different names. Resources are in no answer.
#[derive(Debug, Serialize)]
pub(super) struct Nouns<'a> {
    #[serde(flatten)]
    inputs: &'a Inputs,
    /// Without the secret of an index: answers are handed on.
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

impl<'a> Nouns<'a> {
    pub(super) fn of(job: &'a Job) -> Self {
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
    /// Which elements were selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    select: Option<Selection>,
}

impl From<MethodUsed> for UsedMethod {
    fn from(method: MethodUsed) -> Self {
        let of_bands = |name, banding: Option<Banding>, expected_recall| {
            let bands = banding.map(Banding::bands);
            let rows = banding.map(Banding::rows);
            Self { name, bands, rows, expected_recall: Some(expected_recall), select: None }
        };
        match method {
            MethodUsed::Exact { .. } | MethodUsed::AllPairs | MethodUsed::AllVectors | MethodUsed::Tables { .. } => {
                of_bands("exact", None, 1.0)
            }
            MethodUsed::Projections(used) => of_bands(used.name(), Some(used.banding), used.expected_recall),
            MethodUsed::SimHash { tables, expected_recall } => of_bands("simhash", Some(tables), expected_recall),
            MethodUsed::MinHash { banding, expected_recall, .. } => of_bands("minhash", Some(banding), expected_recall),
            MethodUsed::BitSampling { banding, expected_recall } => {
                of_bands("bit-sampling", Some(banding), expected_recall)
            }
            MethodUsed::Fingerprint(UsedFingerprints { select, expected_recall, .. }) => {
                Self { name: "fingerprint", bands: None, rows: None, expected_recall, select: Some(select) }
            }
        }
    }
}

/// How candidates were found, and with which recall.
pub(super) type Search = (MethodUsed, Option<MeasuredRecall>);

/// The basis of the answers of a job, as JSON.
pub(super) fn basis_of(command: &'static str, job: &Job, search: Option<Search>) -> Result<String> {
    let basis = Basis {
        command,
        version: env!("CARGO_PKG_VERSION"),
        parameters: Nouns::of(job),
        method: search.map(|(method, _)| method.into()),
        measured_recall: search.and_then(|(_, recall)| recall),
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
