//! How the documents of an index are written: [`Notation`] in its settings.

use crate::ground::{Error, Result};
use lookalike_index::Settings;
use lookalike_io::sources::Notation;

/// How the documents of an index are written that has these settings.
///
/// # Errors
/// [`Error::UnknownNotation`].
pub fn notation_of(settings: &Settings) -> Result<Notation> {
    let Some(stored) = &settings.notation else { return Ok(Notation::default()) };
    serde_json::from_value(stored.clone()).map_err(|_| Error::UnknownNotation)
}

/// A notation for the settings of an index.
///
/// # Errors
/// None in practice: [`Error::Json`].
pub(crate) fn stored_notation(notation: &Notation) -> Result<Option<serde_json::Value>> {
    let is_known = !notation.is_empty();
    Ok(is_known.then(|| serde_json::to_value(notation)).transpose()?)
}
