//! The ids and element sets of documents in a file that can stand for them.

use super::passages::{check_features, check_references};
use super::running::{JobCommand, Running, check_signatures};
use super::stored_parameters::notation_for;
use crate::base::{OutputKind, Progress, Result, Stage};
use crate::corpus::{Records, SnapshotToSave, TextsAgain, TokensToSave, check_score_field, write_snapshot};
use crate::job::{Data, Job, SnapshotTokens};
use crate::passages::save_tokens;
use crate::report::{CorpusCounts, Found, Report};
use crate::run::Session;
use lookalike_core::{DocId, Resources};
use lookalike_io::{AtomicFile, Inputs, formats::RecordFormat, sources::Carried};

/// Writes a snapshot of the documents in `data`, or of those that the job names.
///
/// # Errors
/// As [`super::run()`].
pub fn snapshot(job: &Job, data: &Data, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let has_tokens = job.outputs.snapshot_tokens == SnapshotTokens::Saved;
    let mut stages = vec![Stage::READING];
    stages.extend(has_tokens.then_some(Stage::READING_PASSAGES));
    stages.push(Stage::WRITING);
    let command = JobCommand { name: "snapshot", writes: &[OutputKind::Snapshot, OutputKind::Summary], stages };
    // An index that is made of it knows records without an id by these names.
    let carried = Carried { names: true, ..Carried::default() };
    let job = &Job { inputs: Inputs { carried, ..job.inputs.clone() }, ..job.clone() };
    let running = Running::begin_with(command, (job, data), resources, progress)?;
    let job = &running.job;
    let path = running.wanted(OutputKind::Snapshot)?;
    RecordFormat::Snapshot.check_name(path)?;
    if has_tokens {
        check_features(job)?;
    }
    let found = running.discover()?;
    let file = AtomicFile::create_with(path, &running.session.staging())?;
    let sources = running.with_references(found)?;
    check_score_field(&sources.inputs.sources, &job.inputs)?;
    running.check_disk(&sources)?;
    check_signatures(sources.inputs.sources.iter(), job)?;
    if has_tokens {
        check_references(&sources.inputs.sources, &job.features)?;
    }
    let session = &running.session;
    let (corpus, records) =
        crate::corpus::read(&sources.references, &sources.inputs, &job.inputs, &job.features, session)?;
    let score_field = job.inputs.score_field.as_deref();
    let tokens = has_tokens.then(|| tokens_to_save(job, &records, session)).transpose()?;
    let notation = &notation_for(&job.inputs)?;
    let saved = SnapshotToSave { corpus: &corpus, features: &job.features, score_field, notation, tokens };
    let written = write_snapshot(saved, file, session)?;
    running.finish(vec![written], Found::Snapshot, CorpusCounts::new(&corpus, &records))
}

/// The tokens of all documents, whose texts are read once more.
fn tokens_to_save(job: &Job, records: &Records, session: &Session<'_>) -> Result<TokensToSave> {
    let wanted: Vec<DocId> = DocId::all(records.places.len()).collect();
    let stage = Stage::READING_PASSAGES;
    let again = TextsAgain { stage, records, inputs: &job.inputs, features: &job.features, wanted: &wanted };
    save_tokens(again, session)
}
