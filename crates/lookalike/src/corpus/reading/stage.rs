//! The first stage of a job, resumed from a work folder or done.

use super::known_inputs::with_known_inputs;
use super::read::{NAME, Reading};
use super::request::{ReadRequest, provenance};
use crate::base::{Result, Stage};
use crate::corpus::records::Records;
use crate::corpus::{Corpus, DocumentSums, Listing};
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
    read_request(references, found, ReadRequest::new(inputs, Some(features), session))
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
    let (corpus, records) = read_request(references, found, ReadRequest::new(inputs, None, session))?;
    Ok((corpus.listing, records))
}

/// The ids of all documents that were found, as far as their records have such, whatever a work folder keeps.
///
/// # Errors
/// As [`read`].
pub(crate) fn ids_of(found: &Discovered, inputs: &Inputs, session: &Session<'_>) -> Result<HashSet<String>> {
    let carried = Carried { names: true, ..Carried::default() };
    let inputs = &Inputs { carried, ..inputs.clone() };
    let (corpus, _) = read_unsaved(Stage::READING_IDS, found, ReadRequest::new(inputs, None, session))?;
    let ids = corpus.documents().filter(|&document| corpus.content_name(document).is_none());
    Ok(ids.map(|document| corpus.listing.ids.get(document).to_owned()).collect())
}

/// The documents that were found, whatever a work folder keeps, in a stage of that name.
///
/// # Errors
/// As [`read`].
pub(super) fn read_unsaved(
    name: &'static str,
    found: &Discovered,
    request: ReadRequest<'_>,
) -> Result<(Corpus, Records)> {
    let stage = Stage::over_bytes(name, found.sources.iter().map(Source::bytes).sum());
    request.session.resumed(
        stage,
        NAME,
        || Ok(Provenance::new()),
        |saved| {
            let unsaved = saved.without_folder();
            Reading::begin(0, &found.sources, &request.inputs.fields(), &unsaved, request)?.finish()
        },
    )
}

/// The checksums of all documents that were found, by document, with ids and records.
///
/// # Errors
/// As [`read`]; [`lookalike_io::Error::NoTexts`] for a snapshot or an index.
pub(crate) fn read_sums(
    found: &Discovered,
    inputs: &Inputs,
    features: &Features,
    algorithm: ChecksumAlgorithm,
    session: &Session<'_>,
) -> Result<(Listing, Records, Vec<DocumentSums>)> {
    let sources = &found.sources[..];
    let request = ReadRequest { sums: Some((features, algorithm)), ..ReadRequest::new(inputs, None, session) };
    let stage = Stage::over_bytes(NAME, sources.iter().map(Source::bytes).sum());
    let provenance = || Ok(Provenance::new());
    session.resumed(stage, NAME, provenance, |saved| {
        let unsaved = saved.without_folder();
        let fields = inputs.fields();
        let mut reading = Reading::begin(0, sources, &fields, &unsaved, request)?;
        reading.read_all()?;
        let sums = std::mem::take(&mut reading.sums);
        let (corpus, records) = reading.finish()?;
        Ok((corpus.listing, records, sums))
    })
}

fn read_request(references: &Discovered, found: &Discovered, request: ReadRequest<'_>) -> Result<(Corpus, Records)> {
    let unusable = (references.unusable.len() + found.unusable.len()) as u64;
    let references = &references.sources;
    let sources = [&references[..], &found.sources].concat();
    let stage = Stage::over_bytes(NAME, sources.iter().map(Source::bytes).sum());
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
    let passed_over = found.passed_over;
    let bad_records = records.bad_records + unusable;
    Ok((corpus, Records { sources, reference_sources, passed_over, bad_records, ..records }))
}
