//! Records that stay, and a row for each removed one.

use super::counts::DedupCounts;
use super::report::{Found, Report, SearchReport};
use super::running::{CorpusCounts, Running};
use crate::corpus::Records;
use crate::ground::{Progress, Result, Stage};
use crate::job::Job;
use crate::pipeline::{self, Dedup};
use crate::run::Session;
use crate::write::{RecordOutput, check_annotations, write_records, write_removed};
use lookalike_core::Resources;
use lookalike_core::rule::{Decision, Rule};
use lookalike_io::{Discovered, RemovalRow, RowWriter, Sealed, Source};
use std::path::Path;

/// Decides which documents stay, by the rule of the job, and writes what its outputs ask for.
///
/// # Errors
/// If an input cannot be read, an output cannot be written, or the nouns do not fit each other; then no output appears.
pub fn dedup(job: &Job, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let mut running = Running::begin("dedup", job, resources, progress)?;
    let records = job.outputs.records.as_deref();
    let was_published = records.map_or(Ok(false), |path| running.session.has_published(path))?;
    let found = running.discover()?;
    let outputs = DedupOutputs::create(&found, records.filter(|_| !was_published), job, &running.session)?;
    running.begin_summary()?;
    let sources = running.with_references(found)?;
    running.check_disk(&sources)?;
    let session = &running.session;
    let records = pipeline::read(&sources.references, &sources.inputs, &job.inputs, &job.features, session)?;
    let Dedup { decisions, method, recall, candidates } = decide(&records, job, session)?;
    let written = outputs.write(&records, &decisions, job, session)?;
    let search = SearchReport { method, recall, candidates };
    let counts = DedupCounts::new(&records, &decisions);
    running.finish(written, Found::Dedup { counts, search, was_published }, CorpusCounts::from(&records))
}

fn decide(records: &Records, job: &Job, session: &Session<'_>) -> Result<Dedup> {
    let Job { measure, method, .. } = *job;
    match &job.rule {
        Rule::Against => pipeline::dedup_against(&records.corpus, measure, method, session),
        Rule::Connected { keep } => pipeline::dedup_connected(&records.corpus, measure, method, keep, session),
        Rule::Keepers { keep } => pipeline::dedup(&records.corpus, measure, method, keep, session),
        Rule::Pairs | Rule::Clusters => {
            pipeline::dedup(&records.corpus, measure, method, &lookalike_core::rule::Order::First, session)
        }
    }
}

/// The outputs of a job that removes documents, begun but still aside.
pub(super) struct DedupOutputs {
    records: Option<RecordOutput>,
    removed: Option<RowWriter>,
}

impl DedupOutputs {
    /// Begins the outputs; `records` is where the records go.
    pub(super) fn create(found: &Discovered, records: Option<&Path>, job: &Job, session: &Session<'_>) -> Result<Self> {
        let (outputs, aside) = (&job.outputs, session.aside());
        if outputs.records.is_none() {
            check_annotations(found, outputs.mode, outputs.format)?;
        }
        let records = records.map(|path| RecordOutput::create(found, path, outputs, &aside)).transpose()?;
        let removed = outputs.removed.as_deref();
        let removed = removed.map(|path| RowWriter::create_with(path, RemovalRow::HEADER, &aside));
        Ok(Self { records, removed: removed.transpose()? })
    }

    /// Writes the outputs as one stage.
    pub(super) fn write(
        self,
        records: &Records,
        decisions: &[Decision],
        job: &Job,
        session: &Session<'_>,
    ) -> Result<Vec<Sealed>> {
        let total = records.inputs().iter().map(Source::bytes).sum();
        session.stage(Stage::over_bytes("writing", total), || {
            let mut written = Vec::new();
            if let Some(removed) = self.removed {
                written.push(write_removed(removed, &records.corpus, decisions, session)?);
            }
            if let Some(output) = self.records {
                written.push(write_records(records, decisions, output, &job.inputs, session)?);
            }
            Ok(written)
        })
    }
}
