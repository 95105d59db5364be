//! The ids and element sets of documents in a file that can stand for them.

use super::counts::CorpusCounts;
use super::report::{Found, Report};
use super::running::{Command, Running};
use crate::corpus::write_snapshot;
use crate::ground::{OutputKind, Progress, Result};
use crate::job::{Data, Job};
use crate::pipeline;
use lookalike_core::Resources;
use lookalike_io::{AtomicFile, RecordFormat};

/// Writes a snapshot of the documents in `data`, or of those that the job names.
///
/// # Errors
/// As [`super::run()`].
pub fn snapshot(job: &Job, data: &Data, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let command = Command { name: "snapshot", writes: &[OutputKind::Snapshot, OutputKind::Summary], stages: 2 };
    let running = Running::begin_with(command, (job, data), resources, progress)?;
    let (job, path) = (&running.job, running.wanted(OutputKind::Snapshot)?);
    RecordFormat::Snapshot.check_name(path)?;
    let found = running.discover()?;
    let file = AtomicFile::create_with(path, &running.session.staging())?;
    let sources = running.with_references(found)?;
    running.check_disk(&sources)?;
    let session = &running.session;
    let (corpus, records) = pipeline::read(&sources.references, &sources.inputs, &job.inputs, &job.features, session)?;
    let score_field = job.inputs.score_field.as_deref();
    let written = write_snapshot(&corpus, &job.features, score_field, file, session)?;
    running.finish(vec![written], Found::Snapshot, CorpusCounts::of(&corpus, &records))
}
