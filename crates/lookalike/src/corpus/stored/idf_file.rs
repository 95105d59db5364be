//! Document frequencies in a file, so that new documents are weighted like old ones.
//!
//! The file is a container ([`lookalike_core::stored`]) with the sections `terms` and `counts`. Its provenance is the
//! features: terms are hashes, which other features make otherwise.

use super::sections::{SectionReader, open_container};
use crate::base::{Error, Result};
use lookalike_core::Array;
use lookalike_core::comparison::Features;
use lookalike_core::stored::{Damage, Provenance, Writer};
use lookalike_core::terms::DocumentFrequencies;
use lookalike_io::{AtomicFile, outputs::Sealed};
use serde::{Deserialize, Serialize};
use std::path::Path;

const KIND: &str = "document frequencies";

/// Facts in the file beside its sections.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AboutIdf {
    documents: u64,
    terms: usize,
}

/// Writes document frequencies of terms that are made by `features`. The file gets its name when it is published.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write_frequencies(
    frequencies: &DocumentFrequencies,
    features: &Features,
    mut file: AtomicFile,
) -> Result<Sealed> {
    let mut writer = Writer::new(|bytes: &[u8]| Result::Ok(file.write(bytes)?))?;
    writer.section("terms", frequencies.terms().chunks().map(bytemuck::cast_slice::<_, u8>))?;
    writer.section("counts", frequencies.counts().chunks().map(bytemuck::cast_slice::<_, u8>))?;
    let about = AboutIdf { documents: frequencies.documents(), terms: frequencies.terms().len() };
    writer.finish(KIND, &Provenance::new().with_features(features)?, &about)?;
    Ok(file.seal()?)
}

/// Reads document frequencies of terms that are made by `features`.
///
/// # Errors
/// [`Error::NotReadable`] if the file is damaged or none of these; [`Error::MadeOtherwise`] if its terms were made
/// otherwise.
pub(crate) fn read_frequencies(path: &Path, features: &Features) -> Result<DocumentFrequencies> {
    let (file, directory) = open_container(path, KIND)?;
    let damaged = |damage| Error::NotReadable { path: path.to_owned(), damage };
    let AboutIdf { documents, terms } = directory.about().map_err(damaged)?;
    let present = Provenance::new().with_features(features)?;
    if let Some(difference) = present.difference(directory.provenance()) {
        return Err(Error::MadeOtherwise { path: path.to_owned(), difference });
    }
    let section = |name| SectionReader::open(path, &file, directory.section(name).map_err(damaged)?);
    let mut terms_section = section("terms")?;
    let mut counts_section = section("counts")?;
    let all_terms = terms_section.items(terms)?;
    let counts = counts_section.items(terms)?;
    terms_section.finish()?;
    counts_section.finish()?;
    let found = DocumentFrequencies::new(documents, Array::Owned(all_terms), Array::Owned(counts));
    found.map_err(|_| damaged(Damage::Section { name: "terms".to_owned() }))
}
