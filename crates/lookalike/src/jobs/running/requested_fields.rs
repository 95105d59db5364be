//! Fields and texts that a job asks for: they must be there, or an answer would lack what it was asked for.

use crate::base::details::{GroupConflict, Textless};
use crate::base::{Contradiction, Error, Result};
use crate::corpus::{self, CarriedRows, Listing, Records};
use crate::job::Job;
use lookalike_core::comparison::Features;
use lookalike_index::Index;
use lookalike_io::base::details::PointKind;
use lookalike_io::{
    Inputs, Source,
    base::NamesFound,
    formats::{JsonFiles, RecordFormat, names_one_value},
    sources::{Carried, SourceKind},
};

/// Checks that some record has the id field, if one is asked for: ids that nobody finds again are no answer.
pub(super) fn check_id_field(records: &Records, inputs: &Inputs, documents: u64) -> Result<()> {
    let field = &inputs.id_field;
    let is_asked_for = !field.is_empty() && *field != Inputs::default().id_field;
    if documents == 0 || records.without_id < documents || !is_asked_for {
        return Ok(());
    }
    // Lines of items have no fields, and crawled records headers.
    let found = fields_of_first(records, inputs, field);
    found.map_or(Ok(()), |found| Err(Error::NoIdField { field: field.clone(), found }))
}

/// Checks that some record has the field by which copies are chosen, if they are.
pub(super) fn check_score_field(listing: &Listing, records: &Records, inputs: &Inputs) -> Result<()> {
    let Some(field) = inputs.score_field.as_deref().filter(|_| inputs.group_by.is_none()) else { return Ok(()) };
    let mut scores = listing.scores.iter();
    if listing.inputs() == 0 || scores.any(Option::is_some) {
        return Ok(());
    }
    check_no_json_texts(records, inputs, field)?;
    // Texts have no fields at all.
    let found = fields_of_first(records, inputs, field);
    found.map_or(Ok(()), |found| Err(Error::NoScoreField { field: field.to_owned(), found }))
}

/// Stored fields of which some record must have a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needed {
    /// Every field: they were named for these inputs.
    Each,
    /// One at least: they were named for others, and a few records may lack what is rare.
    Any,
}

/// Checks that some record has the fields that an index stores.
pub(super) fn check_stored_fields(
    needed: Needed,
    carried: &CarriedRows,
    records: &Records,
    inputs: &Inputs,
) -> Result<()> {
    let is_enough = carried.is_empty() || needed == Needed::Any && carried.has_fields();
    let Some(field) = carried.missing(&inputs.carried.fields).filter(|_| !is_enough) else { return Ok(()) };
    check_no_json_texts(records, inputs, field)?;
    let found = fields_of_first(records, inputs, field);
    let found = found.unwrap_or_else(|| NamesFound::new(field, [""; 0]));
    Err(Error::NoStoredField { field: field.to_owned(), found })
}

/// Checks that no file of JSON was read as a text, where a field is missing that its records may have.
///
/// # Errors
/// [`Error::FieldOfTexts`].
fn check_no_json_texts(records: &Records, inputs: &Inputs, field: &str) -> Result<()> {
    let files = records.inputs().iter().flat_map(|source| match &source.kind {
        SourceKind::TextFiles { .. } if inputs.json_files == JsonFiles::Texts => source.files().collect(),
        _ => Vec::new(),
    });
    let first = files.map(|(path, _)| path).find(|path| names_one_value(path));
    first.map_or(Ok(()), |path| Err(Error::FieldOfTexts { field: field.to_owned(), path }))
}

/// The fields of the first record, in place of one that no record has; `None` if records of its kind have none.
fn fields_of_first(records: &Records, inputs: &Inputs, field: &str) -> Option<NamesFound> {
    corpus::fields_of_first(records.inputs(), &inputs.fields(), inputs.max_document_bytes, field)
}

/// Checks that the inputs have the texts and fields that an index stores, as far as they are not records.
pub(super) fn check_storable(sources: &[Source], job: &Job) -> Result<()> {
    let carried = &job.inputs.carried;
    if job.inputs.group_by.is_some() && carried.has_content() {
        return Err(Contradiction::NotForGroups { found: GroupConflict::StoredContent }.into());
    }
    let textless = match &job.features {
        features if features.are_of_items() => Some(Textless::Items),
        Features::Bits { .. } => Some(Textless::Points(PointKind::Fingerprints)),
        Features::Vector => Some(Textless::Points(PointKind::Vectors)),
        Features::Signature => Some(Textless::Points(PointKind::Signatures)),
        _ => None,
    };
    if let Some(found) = textless.filter(|_| carried.texts) {
        return Err(Contradiction::NoTextsToStore { found }.into());
    }
    sources.iter().try_for_each(|source| check_source(source, carried))
}

fn check_source(source: &Source, carried: &Carried) -> Result<()> {
    let missing =
        |field: Option<&String>| Error::NothingToStore { path: source.path.to_path_buf(), field: field.cloned() };
    match &source.kind {
        SourceKind::Records { format: RecordFormat::Snapshot, .. } if carried.has_content() => {
            Err(missing(if carried.texts { None } else { carried.fields.first() }))
        }
        SourceKind::Index { .. } if carried.has_content() => {
            let index = Index::open(&source.file)?;
            let stored = index.settings();
            if carried.texts && !stored.texts {
                return Err(missing(None));
            }
            let absent = carried.fields.iter().find(|field| !stored.fields.contains(field));
            absent.map_or(Ok(()), |field| Err(missing(Some(field))))
        }
        _ => Ok(()),
    }
}
