//! What an index or a snapshot was made for, so that no flag or keyword need say it again.
//!
//! Features follow from the file: documents of others cannot be compared with those in it. The measure of an index is
//! only proposed, for its sets serve any.

use crate::corpus::features_of_snapshot;
use crate::ground::{Error, Result};
use lookalike_core::features::{Features, Multiplicity};
use lookalike_core::measure::Measure;
use lookalike_core::stored::Provenance;
use lookalike_index::{Index, MANIFEST};
use lookalike_io::{Digits, Fingerprints, GivenVectors, Inputs, ItemSeparator, RecordFormat};
use std::path::{Path, PathBuf};

/// What an index or a snapshot was made for.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredNouns {
    /// The index or snapshot.
    pub path: PathBuf,
    /// What its documents became. How often one has a term follows from the measure, and a secret of the index is left
    /// out.
    pub features: Features,
    /// By what the documents of an index are near; `None` for a snapshot.
    pub measure: Option<Measure>,
}

impl StoredNouns {
    /// Those of the first index or snapshot among some paths; `None` without any.
    ///
    /// # Errors
    /// If it is damaged or cannot be read.
    pub fn of_first<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<Option<Self>> {
        for path in paths {
            if is_index(path) {
                let settings = lookalike_index::settings(path)?;
                return Ok(Some(Self::new(path, &settings.features, Some(settings.measure))));
            }
            if is_stored(path) {
                return Ok(features_of_snapshot(path)?.map(|features| Self::new(path, &features, None)));
            }
        }
        Ok(None)
    }

    /// Those of an index that is open.
    pub fn of_index(index: &Index) -> Self {
        Self::new(index.path(), &index.settings().features, Some(index.settings().measure))
    }

    fn new(path: &Path, features: &Features, measure: Option<Measure>) -> Self {
        let features = match features.shingle().multiplicity {
            Multiplicity::Counted => features.clone().with_multiplicity(Multiplicity::Set),
            Multiplicity::Set | Multiplicity::Bag => features.clone(),
        };
        Self { path: path.to_owned(), features: features.without_hash_secret(), measure }
    }

    /// Checks that features which are asked for are these.
    ///
    /// # Errors
    /// [`Error::MadeOtherwise`] with the first difference.
    pub fn check(&self, features: &Features) -> Result<()> {
        let of = |features| Provenance::new().with_features(features);
        match of(features)?.difference(&of(&self.features)?) {
            Some(difference) => Err(Error::MadeOtherwise { path: self.path.clone(), difference }),
            None => Ok(()),
        }
    }

    /// The inputs, whose documents are sets of items, fingerprints or vectors if the stored ones are.
    #[must_use]
    pub fn inputs(&self, inputs: Inputs) -> Inputs {
        inputs_like(inputs, &self.features)
    }
}

fn is_index(path: &Path) -> bool {
    path.join(MANIFEST).is_file()
}

/// Whether a path names an index or a snapshot.
fn is_stored(path: &Path) -> bool {
    is_index(path) || RecordFormat::of_name(path) == Some(RecordFormat::Snapshot) && path.is_file()
}

/// The inputs, whose documents are sets of items, fingerprints or vectors if the features are made of them. Which field
/// of a file holds fingerprints or vectors is never guessed: a text may look like one.
pub(super) fn inputs_like(inputs: Inputs, features: &Features) -> Inputs {
    let have_fields = || !inputs.inputs.iter().all(|path| is_stored(path));
    if inputs.points().is_some() || inputs.items.is_some() || inputs.group_by.is_some() {
        return inputs;
    }
    match features {
        Features::Bits { .. } | Features::Vector if have_fields() => inputs,
        Features::Bits { width } => {
            Inputs { fingerprints: Some(Fingerprints { width: *width, digits: Digits::default() }), ..inputs }
        }
        Features::Vector => Inputs { vectors: GivenVectors::Any, ..inputs },
        _ if features.are_of_items() => Inputs { items: Some(ItemSeparator::Blanks), ..inputs },
        Features::Set { .. } | Features::Spelled { .. } | Features::Signature | Features::WholeText => inputs,
    }
}
