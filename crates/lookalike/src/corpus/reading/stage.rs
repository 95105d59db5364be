//! The stage that reads the inputs of a job: with checkpoints in the work folder, or without.

use super::known_inputs::with_known_inputs;
use super::read::{NAME, Reading};
use super::request::{ReadRequest, provenance};
use crate::base::{Result, Stage};
use crate::corpus::records::Records;
use crate::corpus::{Corpus, DocumentChecksums, Listing};
use crate::run::Session;
use lookalike_core::comparison::Features;
use lookalike_core::evidence::ChecksumAlgorithm;
use lookalike_core::stored::Provenance;
use lookalike_io::{
    Inputs, Source,
    sources::{Carried, Discovered},
};
use std::collections::HashSet;

/// Reads all documents that were found, references first.
///
/// # Errors
/// [`crate::Error::Io`] if an input cannot be read; [`crate::Error::BadRecord`] at the first one, unless they are to be
/// skipped.
pub(crate) fn read(
    references: &Discovered,
    found: &Discovered,
    inputs: &Inputs,
    features: &Features,
    session: &Session<'_>,
) -> Result<(Corpus, Records)> {
    read_found(references, found, ReadRequest::new(inputs, Some(features), session))
}

/// Reads ids, places, lengths and scores of the documents that were found, references first.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_ids(
    references: &Discovered,
    found: &Discovered,
    inputs: &Inputs,
    session: &Session<'_>,
) -> Result<(Listing, Records)> {
    let (corpus, records) = read_found(references, found, ReadRequest::new(inputs, None, session))?;
    Ok((corpus.listing, records))
}

/// The ids that records of the inputs name themselves; reads anew, without checkpoints.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_ids_unsaved(found: &Discovered, inputs: &Inputs, session: &Session<'_>) -> Result<HashSet<String>> {
    let carried = Carried { names: true, ..Carried::default() };
    let inputs = &Inputs { carried, ..inputs.clone() };
    let (corpus, _) = read_unsaved(Stage::READING_IDS, found, ReadRequest::new(inputs, None, session))?;
    let ids = corpus.documents().filter(|&document| corpus.content_name(document).is_none());
    Ok(ids.map(|document| corpus.listing.ids.get(document).to_owned()).collect())
}

/// Reads the documents that were found in a stage called `name`; anew, without checkpoints.
///
/// # Errors
/// As [`read`].
pub(super) fn read_unsaved(
    name: &'static str,
    found: &Discovered,
    request: ReadRequest<'_>,
) -> Result<(Corpus, Records)> {
    unsaved_stage(name, found, request, |reading| reading.finish())
}

/// The checksums of all documents that were found, by document, with ids and records.
///
/// # Errors
/// As [`read`]; [`lookalike_io::Error::NoTexts`] for a snapshot or an index.
pub(crate) fn read_checksums(
    found: &Discovered,
    inputs: &Inputs,
    features: &Features,
    algorithm: ChecksumAlgorithm,
    session: &Session<'_>,
) -> Result<(Listing, Records, Vec<DocumentChecksums>)> {
    let request = ReadRequest { checksums: Some((features, algorithm)), ..ReadRequest::new(inputs, None, session) };
    unsaved_stage(NAME, found, request, |mut reading| {
        reading.read_all()?;
        let checksums = std::mem::take(&mut reading.checksums);
        let (corpus, records) = reading.finish()?;
        Ok((corpus.listing, records, checksums))
    })
}

/// A stage called `name` that reads the documents that were found by `read`; anew, without checkpoints.
fn unsaved_stage<T>(
    name: &'static str,
    found: &Discovered,
    request: ReadRequest<'_>,
    read: impl FnOnce(Reading<'_>) -> Result<T>,
) -> Result<T> {
    let provenance = || Ok(Provenance::new());
    request.session.resumed(stage_over(name, &found.sources), NAME, provenance, |saved| {
        let unsaved = saved.without_folder();
        let fields = request.inputs.fields();
        read(Reading::begin(0, &found.sources, &fields, &unsaved, request)?)
    })
}

/// A stage called `name` that reads these sources.
fn stage_over(name: &'static str, sources: &[Source]) -> Stage {
    Stage::over_bytes(name, sources.iter().map(Source::bytes).sum())
}

/// Reads the documents that were found, references first; resumes from the checkpoints of the work folder.
fn read_found(references: &Discovered, found: &Discovered, request: ReadRequest<'_>) -> Result<(Corpus, Records)> {
    let unusable = (references.unusable.len() + found.unusable.len()) as u64;
    let references = &references.sources;
    let sources = [&references[..], &found.sources].concat();
    let stage = stage_over(NAME, &sources);
    let fields = match request.features {
        Some(features) => request.inputs.fields_carried(features),
        None => request.inputs.fields(),
    };
    let provenance = || provenance(references.len(), &sources, request.inputs, request.features);
    let (corpus, records) =
        request.session.resumed(stage, NAME, provenance, |saved| match request.inputs.group_by {
            Some(_) => with_known_inputs(&sources, saved, request.session, |unsaved| {
                Reading::begin(references.len(), &sources, &fields, unsaved, request)?.finish()
            }),
            None => Reading::begin(references.len(), &sources, &fields, saved, request)?.finish(),
        })?;
    let reference_sources = references.len();
    let skipped_counts = found.skipped_counts;
    let bad_records = records.bad_records + unusable;
    Ok((corpus, Records { sources, reference_sources, skipped_counts, bad_records, ..records }))
}
