//! Jobs that write what stands for each document elsewhere: its SimHash fingerprint, its MinHash signature.

use super::running::{JobCommand, Running};
use crate::base::details::InsteadOfPoints;
use crate::base::{Contradiction, Error, OutputKind, Progress, Result, SignatureError, Stage};
use crate::candidates::{for_each_fingerprint, for_each_signature};
use crate::job::{Data, Job};
use crate::report::{CorpusCounts, Found, Report};
use lookalike_core::Resources;
use lookalike_core::details::{Instead, MethodKind};
use lookalike_core::keys::Banding;
use lookalike_core::signatures::SignatureScheme;
use lookalike_io::{
    rows::FingerprintRow,
    write::{SignatureShape, SignatureWriter},
};
use serde_json::{Value, json};

const WRITES: &[OutputKind] = &[OutputKind::Rows, OutputKind::Summary];

/// Checks that the documents of a job are texts or sets of items.
fn check_no_points(job: &Job, instead: InsteadOfPoints) -> Result<()> {
    match job.inputs.points() {
        Some(found) => Err(Contradiction::PointsAndMeasure { measure: job.measure, found, instead }.into()),
        None => Ok(()),
    }
}

/// Parameters of fingerprints beside features and weights.
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
    check_no_points(job, InsteadOfPoints::SimHashOfTexts)?;
    let mut stages = vec![Stage::READING];
    stages.extend(job.measure.weighted().map(|_| Stage::WEIGHING));
    stages.push(Stage::WRITING);
    let command = JobCommand { name: "fingerprint", writes: WRITES, stages };
    let running = Running::begin_with(command, (job, data), resources, progress)?;
    let found = running.discover()?;
    let session = &running.session;
    let mut writer = running.row_writer(&header)?;
    let (corpus, records) = running.read(&running.with_references(found)?)?;
    writer.describe(&running.basis(None)?);
    let written = session.stage(Stage::over_documents(Stage::WRITING, corpus.len()), || {
        for_each_fingerprint(&corpus, bits / 64, seed, session, |document, words| {
            Ok(writer.write(&FingerprintRow::new(corpus.listing.ids.get(document), words))?)
        })?;
        Ok(writer.seal()?)
    })?;
    running.finish(vec![written], Found::Fingerprints, CorpusCounts::new(&corpus, &records))
}

/// Parameters of signatures beside features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signatures {
    /// The family.
    pub scheme: SignatureScheme,
    /// Number of components, from 1 to [`Signatures::MAX_NUM_PERM`].
    pub num_perm: usize,
    /// Seed of the family.
    pub seed: u64,
    /// The bands whose keys are written beside them.
    pub banding: Option<Banding>,
}

impl Signatures {
    /// Maximum number of components.
    pub const MAX_NUM_PERM: usize = 1 << 14;

    fn check(self) -> Result<()> {
        let Self { scheme, num_perm, seed, banding } = self;
        if !(1..=Self::MAX_NUM_PERM).contains(&num_perm) {
            return Err(SignatureError::Length { found: num_perm, max: Self::MAX_NUM_PERM }.into());
        }
        if seed > scheme.max_seed() {
            return Err(SignatureError::Seed { scheme }.into());
        }
        if let Some(banding) = banding {
            Banding::within(banding.bands(), banding.rows(), num_perm)?;
        }
        Ok(())
    }

    /// Parameters that [`Job`] does not have, for who compares signatures with others.
    fn described(self) -> Value {
        let Self { scheme, num_perm, seed, banding } = self;
        let banding = banding.map(|banding| json!({ "bands": banding.bands(), "rows": banding.rows() }));
        json!({ "scheme": scheme.name(), "num_perm": num_perm, "seed": seed, "banding": banding })
    }
}

/// Writes a row for each document in `data`, or of those that the job names: its id and its signature, whose components
/// are all 2^32 - 1 for a document without elements, and the keys of its bands, if they are asked for.
///
/// # Errors
/// As [`crate::jobs::run()`]; for signatures that cannot be made.
pub fn signatures(
    job: &Job,
    data: &Data,
    signatures: Signatures,
    resources: &Resources,
    progress: &dyn Progress,
) -> Result<Report> {
    signatures.check()?;
    check_no_points(job, InsteadOfPoints::SignaturesOfTexts)?;
    let Signatures { scheme, num_perm, seed, banding } = signatures;
    let job = &Job { features: job.features.clone().hashed_for(scheme), ..job.clone() };
    let command = JobCommand { name: "signatures", writes: WRITES, stages: vec![Stage::READING, Stage::WRITING] };
    let running = Running::begin_with(command, (job, data), resources, progress)?;
    let found = running.discover()?;
    let job = &running.job;
    let rows = running.wanted(OutputKind::Rows)?;
    let session = &running.session;
    if banding.is_some() && SignatureWriter::is_array(rows, job.outputs.row_format) {
        return Err(SignatureError::BandKeysInArray { path: rows.to_owned() }.into());
    }
    let (corpus, records) = running.read(&running.with_references(found)?)?;
    let shape = SignatureShape { documents: corpus.len(), components: num_perm, has_band_keys: banding.is_some() };
    let mut writer = SignatureWriter::create(rows, job.outputs.row_format, shape, &session.staging())?;
    let mut basis: Value = serde_json::from_str(&running.basis(None)?)?;
    basis["signatures"] = signatures.described();
    writer.describe(&basis.to_string());
    let signer = scheme.signer(num_perm, seed);
    let written = session.stage(Stage::over_documents(Stage::WRITING, corpus.len()), || {
        let mut keys = Vec::new();
        for_each_signature(&corpus, &signer, num_perm, session, |document, signature| {
            keys.clear();
            keys.extend(banding.into_iter().flat_map(|banding| banding.keys(signature)));
            Ok(writer.write(corpus.listing.ids.get(document), signature, &keys)?)
        })?;
        Ok(writer.seal()?)
    })?;
    running.finish(written, Found::Signatures, CorpusCounts::new(&corpus, &records))
}
