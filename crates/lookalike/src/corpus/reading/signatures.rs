//! The reading of signatures that stand beside the texts: as a corpus of their own, of which each document of the texts
//! is given the signature with its id, so that neither file has to be in the order of the other.

use super::request::ReadRequest;
use super::stage::read_unsaved;
use crate::base::{Error, Result, SignatureError, Stage};
use crate::corpus::records::RepeatedId;
use crate::corpus::{Corpus, SeenIds, SuppliedSignatures};
use crate::run::Session;
use lookalike_core::DocId;
use lookalike_core::comparison::Features;
use lookalike_core::hash::{hash_sequence, hash_token};
use lookalike_io::{
    Inputs,
    sources::{Discovered, OnError},
};
use std::path::PathBuf;

/// Reads the signatures of the documents of a corpus.
///
/// # Errors
/// [`SignatureError::Twice`]; [`SignatureError::Missing`] for a document without one;
/// [`SignatureError::WithoutText`] for a signature without a document, unless bad records are skipped; those of the
/// reading of other inputs.
pub(crate) fn read_signatures(
    corpus: &Corpus,
    found: &Discovered,
    inputs: &Inputs,
    session: &Session<'_>,
) -> Result<SuppliedSignatures> {
    let request = ReadRequest::new(inputs, Some(&Features::Signature), session);
    let (given, records) = read_unsaved(Stage::READING_SIGNATURES, found, request)?;
    if let Some(RepeatedId { id, first, again, .. }) = records.repeated_ids.first {
        return Err(SignatureError::Twice { id, first, again }.into());
    }
    let path = || found.sources.first().map_or_else(PathBuf::new, |source| source.path.to_path_buf());
    let ids = &given.listing.ids;
    let mut table = SeenIds::default();
    given.documents().for_each(|signature| table.insert_from(ids, signature));
    let signature_of = |document: DocId| {
        let id = corpus.listing.ids.get(document);
        table.find_in(ids, id).ok_or_else(|| Error::from(SignatureError::Missing { id: id.to_owned(), path: path() }))
    };
    let of_document: Vec<DocId> = corpus.documents().map(signature_of).collect::<Result<_>>()?;
    let mut has_text = vec![false; given.len()];
    of_document.iter().for_each(|signature| has_text[signature.index()] = true);
    // A text that is a bad record was named already.
    let are_all_needed = inputs.on_error == OnError::Stop;
    if let Some(signature) = given.documents().find(|signature| are_all_needed && !has_text[signature.index()]) {
        return Err(SignatureError::WithoutText { id: ids.get(signature).to_owned(), path: path() }.into());
    }
    let components = given.documents().map(|signature| given.sets.size(signature)).max().unwrap_or_default();
    let ids = ids.iter().map(|id| hash_token(id.as_bytes()));
    let checksum = hash_sequence(0, ids.chain(given.sets.hashes().iter().copied()));
    Ok(SuppliedSignatures { sets: given.sets, of_document, components, checksum })
}
