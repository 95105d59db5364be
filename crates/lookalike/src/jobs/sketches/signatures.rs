//! The MinHash signature of each document.

use crate::candidates::for_each_signature;
use crate::ground::details::InsteadOfPoints;
use crate::ground::{Contradiction, OutputKind, Progress, Result, SignatureError, Stage};
use crate::job::{Data, Job};
use crate::jobs::basis::basis_of;
use crate::jobs::running::{Command, Running};
use crate::report::{CorpusCounts, Found, Report};
use lookalike_core::Resources;
use lookalike_core::keys::Banding;
use lookalike_core::signatures::SignatureScheme;
use lookalike_io::write::{SignatureShape, SignatureWriter};
use serde_json::{Value, json};

/// What signatures are, beside features.
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

    /// What [`Job`] does not say of them, for who compares them with others.
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
    if let Some(found) = job.inputs.points() {
        let instead = InsteadOfPoints::SignaturesOfTexts;
        return Err(Contradiction::PointsAndMeasure { measure: job.measure, found, instead }.into());
    }
    let Signatures { scheme, num_perm, seed, banding } = signatures;
    let job = &Job { features: job.features.clone().hashed_for(scheme), ..job.clone() };
    let command = Command {
        name: "signatures",
        writes: &[OutputKind::Rows, OutputKind::Summary],
        stages: vec![Stage::READING, Stage::WRITING],
    };
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
    let mut basis: Value = serde_json::from_str(&basis_of(running.command, job, None)?)?;
    basis["signatures"] = signatures.described();
    writer.describe(&basis.to_string());
    let signer = scheme.signer(num_perm, seed);
    let written = session.stage(Stage::over_documents(Stage::WRITING, corpus.len()), || {
        let mut keys = Vec::new();
        for_each_signature(&corpus, (&signer, num_perm), session, |document, signature| {
            keys.clear();
            keys.extend(banding.into_iter().flat_map(|banding| banding.keys(signature)));
            Ok(writer.write(corpus.listing.ids.get(document), signature, &keys)?)
        })?;
        Ok(writer.seal()?)
    })?;
    running.finish(written, Found::Signatures, CorpusCounts::of(&corpus, &records))
}
