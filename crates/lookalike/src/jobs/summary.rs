//! The summary file of a job: its parameters as they are, its counts and its times.

use super::basis::{JobParameters, UsedMethod};
use crate::base::{Result, StageTime};
use crate::candidates::MeasuredRecall;
use crate::corpus::RepeatedIdCounts;
use crate::job::Job;
use crate::report::{Found, Report, SearchReport};
use lookalike_core::Resources;
use lookalike_io::{AtomicFile, outputs::Sealed, read::TableRemarks, write::to_json};
use serde::Serialize;
use serde_json::Value;

/// Summary of a job.
#[derive(Debug, Serialize)]
pub(super) struct Summary<'a> {
    command: &'static str,
    version: &'static str,
    parameters: Parameters<'a>,
    /// The method that was used; null without a search.
    method: Option<UsedMethod>,
    /// The recall measured on a sample; null for a complete method.
    measured_recall: Option<MeasuredRecall>,
    tokens: u64,
    /// Texts with fewer tokens than a shingle has, but some, references included.
    short_documents: u64,
    /// Documents whose ids are made of file and line.
    documents_without_id: u64,
    /// Pages without an article, compared as a whole; absent unless articles are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages_without_article: Option<u64>,
    /// Candidates that were verified; null without a search, and for a search for components.
    candidates: Option<u64>,
    refused_by_texts: Option<u64>,
    repeated_ids: &'a RepeatedIdCounts,
    /// Remarks on tables of text; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<&'a TableRemarks>,
    /// Counts of the job.
    result: Value,
    peak_bytes: Option<u64>,
    stages: &'a [StageTime],
}

/// The parameters, side by side: their fields have different names.
#[derive(Debug, Serialize)]
struct Parameters<'a> {
    #[serde(flatten)]
    job: JobParameters<'a>,
    #[serde(flatten)]
    resources: &'a Resources,
}

impl<'a> Summary<'a> {
    pub(super) fn new(job: &'a Job, resources: &'a Resources, report: &'a Report) -> Result<Self> {
        let search: Option<SearchReport> = report.found.search().copied();
        let result = match &report.found {
            Found::Dedup { counts, added, .. } => {
                let mut result = serde_json::to_value(counts)?;
                if let Some(added) = added {
                    result["index"] = serde_json::to_value(added)?;
                }
                result
            }
            Found::Pairs { counts, .. } => serde_json::to_value(counts)?,
            Found::Clusters { counts, .. } => serde_json::to_value(counts)?,
            Found::Copies(counts) => serde_json::to_value(counts)?,
            Found::Recluster { counts, .. } => serde_json::to_value(counts)?,
            Found::Search { counts, .. } => serde_json::to_value(counts)?,
            Found::Index { counts, .. } => serde_json::to_value(counts)?,
            Found::Cut { counts, .. } => serde_json::to_value(counts)?,
            Found::Sources { counts, common, .. } => {
                let mut result = serde_json::to_value(counts)?;
                result["common_passages"] = serde_json::to_value(common)?;
                result
            }
            Found::Snapshot | Found::Fingerprints | Found::Signatures => {
                serde_json::json!({ "documents": report.corpus.documents, "bad_records": report.corpus.bad_records })
            }
        };
        Ok(Self {
            command: report.command,
            version: env!("CARGO_PKG_VERSION"),
            parameters: Parameters { job: JobParameters::new(job), resources },
            method: search.map(|search| search.method.into()),
            measured_recall: search.and_then(|search| search.recall),
            tokens: report.corpus.tokens,
            short_documents: report.corpus.short + report.corpus.short_references,
            documents_without_id: report.corpus.without_id,
            pages_without_article: job.features.text().main_content.then_some(report.corpus.whole_pages),
            candidates: search.and_then(|search| search.candidates),
            refused_by_texts: search.and_then(|search| search.refused),
            repeated_ids: &report.corpus.repeated_ids,
            tables: Some(&report.corpus.tables).filter(|tables| **tables != TableRemarks::default()),
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
