//! Exact copies, by bytes and by normalized text.

use super::running::{Command, Running};
use crate::ground::details::{GroupConflict, OfTexts};
use crate::ground::{Contradiction, OutputKind, Progress, Result, Stage};
use crate::job::Job;
use crate::report::{CopyCounts, CorpusCounts};
use crate::report::{Found, Report};
use crate::tools::checksums;
use lookalike_core::Resources;
use lookalike_core::evidence::ChecksumAlgorithm;
use lookalike_io::{RowWriter, rows::CopyRow};

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
    let command = Command {
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
    let job = &running.job;
    let rows = running.wanted(OutputKind::Rows)?;
    let mut writer =
        RowWriter::create_with(rows, job.outputs.row_format, &CopyRow::header(), &running.session.staging())?;
    let copies = checksums(&found, &job.inputs, &job.features, algorithm, &running.session)?;
    let documents = copies.documents() as u64;
    let (written, groups) = running.session.stage(Stage::over_documents(Stage::WRITING, copies.documents()), || {
        let rows = copies.rows();
        rows.iter().try_for_each(|row| writer.write(row))?;
        Ok((writer.seal()?, rows.last().map_or(0, |row| row.group + 1)))
    })?;
    let bad_records = copies.bad_records + found.unusable.len() as u64;
    let repeated_ids = copies.repeated_ids.clone();
    let tables = copies.tables.clone();
    let passed_over = found.passed_over;
    let corpus = CorpusCounts { documents, bad_records, repeated_ids, tables, passed_over, ..CorpusCounts::default() };
    running.finish(vec![written], Found::Copies(CopyCounts { groups }), corpus)
}
