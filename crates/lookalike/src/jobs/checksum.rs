//! Exact copies, by bytes and by normalized text.

use super::running::{JobCommand, Running};
use crate::base::details::{GroupConflict, OfTexts};
use crate::base::{Contradiction, OutputKind, Progress, Result, Stage};
use crate::job::Job;
use crate::report::{CopyCounts, CorpusCounts, Found, Report};
use crate::tools::checksums;
use lookalike_core::Resources;
use lookalike_core::evidence::ChecksumAlgorithm;
use lookalike_io::rows::CopyRow;

/// Lists groups of exact copies, a row for each member.
///
/// # Errors
/// As [`super::run()`].
pub fn checksum(
    job: &Job,
    algorithm: ChecksumAlgorithm,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Report> {
    job.check_no_groups(GroupConflict::Checksums)?;
    let command = JobCommand {
        name: "checksum",
        writes: &[OutputKind::Rows, OutputKind::Summary],
        stages: vec![Stage::READING, Stage::WRITING],
    };
    let running = Running::begin(command, job, resources, progress)?;
    running.job.check_no_signatures(OfTexts::Checksum)?;
    if let Some(found) = running.job.inputs.points().filter(|_| running.job.inputs.images.is_none()) {
        return Err(Contradiction::ChecksumOfPoints { found }.into());
    }
    let found = running.with_references(running.discover()?)?.inputs;
    let Running { job, session, .. } = &running;
    let mut writer = running.row_writer(&CopyRow::header())?;
    let copies = checksums(&found, &job.inputs, &job.features, algorithm, session)?;
    let documents = copies.documents() as u64;
    let (written, groups) = session.stage(Stage::over_documents(Stage::WRITING, copies.documents()), || {
        let rows = copies.rows();
        rows.iter().try_for_each(|row| writer.write(row))?;
        Ok((writer.seal()?, rows.last().map_or(0, |row| row.group + 1)))
    })?;
    let corpus = CorpusCounts {
        documents,
        bad_records: copies.records.bad_records + found.unusable.len() as u64,
        repeated_ids: copies.records.repeated_ids.clone(),
        tables: copies.records.tables.clone(),
        skipped_counts: found.skipped_counts,
        ..CorpusCounts::default()
    };
    running.finish(vec![written], Found::Copies(CopyCounts { groups }), corpus)
}
