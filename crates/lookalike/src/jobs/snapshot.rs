//! The ids and element sets of documents in a file that can stand for them.

use super::report::{Found, Report};
use super::running::{CorpusCounts, Running};
use crate::corpus::write_snapshot;
use crate::ground::{Progress, Result};
use crate::job::Job;
use crate::pipeline;
use lookalike_core::Resources;
use lookalike_io::{AtomicFile, RecordFormat};

/// Writes a snapshot of the inputs.
///
/// # Errors
/// As [`super::dedup()`].
pub fn snapshot(job: &Job, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let mut running = Running::begin("snapshot", job, resources, progress)?;
    let path = running.wanted(job.outputs.snapshot.as_deref(), "a snapshot needs a file")?;
    RecordFormat::Snapshot.check_name(path)?;
    let found = running.discover()?;
    let file = AtomicFile::create_with(path, &running.session.aside())?;
    running.begin_summary()?;
    let sources = running.with_references(found)?;
    running.check_disk(&sources)?;
    let session = &running.session;
    let records = pipeline::read(&sources.references, &sources.inputs, &job.inputs, &job.features, session)?;
    let score_field = job.inputs.score_field.as_deref();
    let written = write_snapshot(&records.corpus, &job.features, score_field, file, session)?;
    running.finish(vec![written], Found::Snapshot, CorpusCounts::from(&records))
}
