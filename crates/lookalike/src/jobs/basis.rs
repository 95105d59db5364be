//! The basis of an answer: all that it depends on beside the content of its inputs, kept with it.
//!
//! Files of rows in Parquet and Arrow carry it in their metadata, under [`lookalike_io::BASIS_KEY`]; rows in text have
//! it in a file beside them, if that is asked for. `recluster` asks the pairs that it is given for theirs
//! ([`super::saved_basis`]).

use super::summary::SummaryMethod;
use crate::candidates::{MeasuredRecall, MethodUsed};
use crate::ground::Result;
use crate::job::{Check, Job};
use lookalike_core::features::Features;
use lookalike_core::measure::Measure;
use lookalike_core::method::Method;
use lookalike_core::rule::Rule;
use lookalike_io::{Inputs, to_json};
use serde::Serialize;

/// What an answer depends on.
#[derive(Debug, Serialize)]
pub(super) struct Basis<'a> {
    command: &'static str,
    version: &'static str,
    parameters: BasisParameters<'a>,
    /// The method that was used.
    method: Option<SummaryMethod>,
    /// The recall measured on a sample; null for a complete method.
    measured_recall: Option<MeasuredRecall>,
}

/// The nouns, side by side: their fields have different names. Resources are in no answer.
#[derive(Debug, Serialize)]
struct BasisParameters<'a> {
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
}

/// How candidates were found, and with which recall.
pub(super) type Search = (MethodUsed, Option<MeasuredRecall>);

/// The basis of the answers of a job, as JSON.
pub(super) fn basis_of(command: &'static str, job: &Job, search: Option<Search>) -> Result<String> {
    let Job { inputs, features, measure, method, rule, check, outputs: _ } = job;
    let basis = Basis {
        command,
        version: env!("CARGO_PKG_VERSION"),
        parameters: BasisParameters { inputs, features, measure, method, rule, check },
        method: search.map(|(method, _)| method.into()),
        measured_recall: search.and_then(|(_, recall)| recall),
    };
    Ok(to_json(&basis)?)
}
