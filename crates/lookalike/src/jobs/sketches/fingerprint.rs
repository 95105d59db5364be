//! The SimHash fingerprint of each document.

use crate::candidates::for_each_fingerprint;
use crate::ground::details::InsteadOfPoints;
use crate::ground::{Contradiction, Error, OutputKind, Progress, Result, Stage};
use crate::job::{Data, Job};
use crate::jobs::basis::basis_of;
use crate::jobs::running::{Command, Running};
use crate::report::{CorpusCounts, Found, Report};
use lookalike_core::Resources;
use lookalike_core::details::{Instead, MethodKind};
use lookalike_io::{RowWriter, rows::FingerprintRow};

/// What a fingerprint is, beside features and weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimHashFingerprints {
    /// Number of bits: 64, 128, 256, 512 or 1024.
    pub bits: usize,
    /// Seed of the hashes of the bits.
    pub seed: u64,
}

/// Writes a row for each document in `data`, or of those that the job names: its id and its fingerprint, none for a
/// document without elements. The measure of the job is a cosine, which says the weights.
///
/// # Errors
/// As [`crate::jobs::run()`]; for another number of bits or another measure.
pub fn fingerprint(
    job: &Job,
    data: &Data,
    fingerprints: SimHashFingerprints,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Report> {
    let SimHashFingerprints { bits, seed } = fingerprints;
    let header =
        FingerprintRow::header(bits).ok_or(Error::Contradiction(Contradiction::FingerprintBits { found: bits }))?;
    if job.measure.cosine().is_none() {
        let method = MethodKind::SimHash;
        let measure = job.measure.name();
        let instead = Instead::Cosine;
        return Err(lookalike_core::Error::MethodAndMeasure { method, measure, instead }.into());
    }
    if let Some(found) = job.inputs.points() {
        let instead = InsteadOfPoints::SimHashOfTexts;
        return Err(Contradiction::PointsAndMeasure { measure: job.measure, found, instead }.into());
    }
    let mut stages = vec![Stage::READING];
    stages.extend(job.measure.weighted().map(|_| Stage::WEIGHING));
    stages.push(Stage::WRITING);
    let command = Command { name: "fingerprint", writes: &[OutputKind::Rows, OutputKind::Summary], stages };
    let running = Running::begin_with(command, (job, data), resources, progress)?;
    let found = running.discover()?;
    let job = &running.job;
    let rows = running.wanted(OutputKind::Rows)?;
    let session = &running.session;
    let mut writer = RowWriter::create_with(rows, job.outputs.row_format, &header, &session.staging())?;
    let (corpus, records) = running.read(&running.with_references(found)?)?;
    writer.describe(&basis_of(running.command, job, None)?);
    let written = session.stage(Stage::over_documents(Stage::WRITING, corpus.len()), || {
        for_each_fingerprint(&corpus, (bits / 64, seed), session, |document, words| {
            Ok(writer.write(&FingerprintRow::new(corpus.listing.ids.get(document), words))?)
        })?;
        Ok(writer.seal()?)
    })?;
    running.finish(vec![written], Found::Fingerprints, CorpusCounts::of(&corpus, &records))
}
