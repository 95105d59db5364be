//! Records that stay, and a row for each removed one.

use super::counts::DedupCounts;
use super::report::{Found, Report, SearchReport};
use super::running::{CorpusCounts, Running};
use crate::corpus::{Corpus, Records};
use crate::ground::{OutputKind, Progress, Result, Stage};
use crate::job::Job;
use crate::pipeline::{self, Dedup};
use crate::run::Session;
use crate::write::{RecordOutput, check_annotations, write_records, write_removed};
use lookalike_core::Resources;
use lookalike_core::rule::Decision;
use lookalike_io::{Discovered, RemovalRow, RowWriter, Sealed, Source};
use std::path::Path;

/// Decides which documents stay by `decide`, which follows from the rule, and writes what its outputs ask for.
///
/// # Errors
/// If an input cannot be read, an output cannot be written, or the nouns do not fit each other; then no output appears.
pub(super) fn dedup(
    job: &Job,
    decide: impl FnOnce(&Corpus, &Session<'_>) -> Result<Dedup>,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Report> {
    let writes = [OutputKind::Records, OutputKind::Removed, OutputKind::Summary];
    let running = Running::begin(("dedup", &writes), job, resources, progress)?;
    let job = &running.job;
    let records = job.outputs.records.as_deref();
    let was_published = records.map_or(Ok(false), |path| running.session.has_published(path))?;
    let found = running.discover()?;
    let outputs = DedupOutputs::create(&found, records.filter(|_| !was_published), job, &running.session)?;
    let sources = running.with_references(found)?;
    running.check_disk(&sources)?;
    let session = &running.session;
    let records = pipeline::read(&sources.references, &sources.inputs, &job.inputs, &job.features, session)?;
    let Dedup { decisions, method, recall, candidates } = decide(&records.corpus, session)?;
    let written = outputs.write(&records, &decisions, job, session)?;
    let search = SearchReport { method, recall, candidates };
    let counts = DedupCounts::new(&records, &decisions);
    running.finish(written, Found::Dedup { counts, search, was_published }, CorpusCounts::from(&records))
}

/// The outputs of a job that removes documents, in their staging files until they are published.
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
