//! Parameters of an index or a snapshot, so that no flag or keyword need say them again.
//!
//! Features follow from the file: documents of others cannot be compared with those in it. So does the notation of
//! documents that are no texts, but where a flag says how other files write them. The measure of an index is only
//! proposed, for its sets serve any.

use crate::base::{Contradiction, Error, Result};
use crate::corpus::{notation_of, snapshot_parameters};
use lookalike_core::comparison::{Features, Measure};
use lookalike_core::documents::Multiplicity;
use lookalike_core::stored::{MAGIC, Provenance};
use lookalike_index::{Index, MANIFEST, Settings};
use lookalike_io::base::details::PointKind;
use lookalike_io::{
    Inputs,
    formats::{JsonFiles, Layout, RecordFormat},
    sources::{Fingerprints, GivenVectors, ItemCounts, ItemSeparator, Notation, hold_images},
};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Parameters of an index or a snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredParameters {
    /// The index or snapshot.
    pub path: PathBuf,
    /// Features of its documents. How often one has a term follows from the measure, and a secret of the index is left
    /// out.
    pub features: Features,
    /// Notation of its documents.
    pub notation: Notation,
    /// Measure of an index; `None` for a snapshot.
    pub measure: Option<Measure>,
}

impl StoredParameters {
    /// Parameters of the first index or snapshot among some paths; `None` without any.
    ///
    /// # Errors
    /// If it is damaged or cannot be read.
    pub fn of_first<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<Option<Self>> {
        for path in paths {
            if is_index(path) {
                return Self::of_settings(path, &lookalike_index::settings(path)?).map(Some);
            }
            if is_stored(path) {
                let found = snapshot_parameters(path)?;
                return Ok(found.map(|found| Self::new(path, &found.features, found.notation)));
            }
        }
        Ok(None)
    }

    /// Parameters of an index that is open.
    ///
    /// # Errors
    /// [`Error::UnknownNotation`].
    pub fn of_index(index: &Index) -> Result<Self> {
        Self::of_settings(index.path(), index.settings())
    }

    fn of_settings(path: &Path, settings: &Settings) -> Result<Self> {
        let parameters = Self::new(path, &settings.features, notation_of(settings)?);
        Ok(Self { measure: Some(settings.measure), ..parameters })
    }

    fn new(path: &Path, features: &Features, notation: Notation) -> Self {
        let features = match features.shingle().multiplicity {
            Multiplicity::Counted => features.clone().with_multiplicity(Multiplicity::Set),
            Multiplicity::Set | Multiplicity::Bag => features.clone(),
        };
        Self { path: path.to_owned(), features: features.without_hash_secret(), notation, measure: None }
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

    /// The inputs, whose documents are sets of items, fingerprints or vectors if the stored ones are, and written as
    /// those were.
    ///
    /// # Errors
    /// [`Contradiction::OtherSeparator`]; [`Contradiction::UnnamedPoints`].
    pub fn inputs(&self, inputs: Inputs) -> Result<Inputs> {
        match &self.features {
            _ if inputs.points().is_some() => Ok(inputs),
            Features::Bits { .. } | Features::Vector if inputs.items.is_none() && inputs.group_by.is_none() => {
                self.points(inputs)
            }
            features if features.are_of_items() => self.items(inputs),
            _ => Ok(inputs),
        }
    }

    /// Inputs of items. `--items` alone names no separator, so one that is stored is meant.
    fn items(&self, inputs: Inputs) -> Result<Inputs> {
        let has_groups = inputs.group_by.is_some();
        let stored_field = self.notation.count_field.clone().filter(|_| has_groups);
        let count_field = inputs.count_field.clone().or(stored_field);
        let inputs = Inputs { count_field, ..inputs };
        // The items of rows of groups are whole fields, unless something else is said.
        if has_groups && inputs.items.is_none() {
            return Ok(inputs);
        }
        let separator = match (inputs.items, self.notation.items) {
            (None | Some(ItemSeparator::Blanks), stored) => stored.unwrap_or(ItemSeparator::Blanks),
            (Some(found), Some(expected)) if found != expected => {
                let path = self.path.clone();
                return Err(Contradiction::OtherSeparator { path, expected, found }.into());
            }
            (Some(given), _) => given,
        };
        let item_counts = match self.notation.item_counts {
            ItemCounts::Written if !has_groups => ItemCounts::Written,
            ItemCounts::Absent | ItemCounts::Written => inputs.item_counts,
        };
        Ok(Inputs { items: Some(separator), item_counts, ..inputs })
    }

    /// Inputs of fingerprints or vectors. Which field of a file holds them is known or said, and never guessed: a text
    /// may look like one.
    fn points(&self, inputs: Inputs) -> Result<Inputs> {
        let Self { path, features, notation, .. } = self;
        let of_features = |inputs: Inputs| match features {
            Features::Bits { width } => {
                let fingerprints = Some(Fingerprints { width: *width, digits: notation.digits });
                Inputs { fingerprints, ..inputs }
            }
            _ => Inputs { vectors: GivenVectors::Any, ..inputs },
        };
        let files: Vec<PathBuf> = inputs.inputs.iter().filter(|path| !is_stored(path)).cloned().collect();
        if files.is_empty() {
            return Ok(of_features(inputs));
        }
        let are_images = hold_images(&files);
        let are_records = files.iter().any(|file| RecordFormat::of_name(file).is_some());
        let names_text = inputs.text_field != Inputs::default().text_field;
        match (notation.images, &notation.field) {
            (Some(images), _) if !are_records => Ok(inputs.of_images(images)),
            (None, Some(field)) if !are_images && !names_text => {
                let text_field = field.clone();
                let json_files = JsonFiles::Records;
                Ok(of_features(Inputs { text_field, json_files, ..inputs }))
            }
            _ => {
                let is_vector = *features == Features::Vector;
                let points = if is_vector { PointKind::Vectors } else { PointKind::Fingerprints };
                Err(Contradiction::UnnamedPoints { path: path.clone(), points, are_images }.into())
            }
        }
    }
}

/// Notation of the documents of inputs: that of the first of them, if all are stored.
pub(super) fn notation_for(inputs: &Inputs) -> Result<Notation> {
    let are_stored = inputs.inputs.iter().all(|path| is_stored(path));
    let stored = if are_stored { StoredParameters::of_first(&inputs.inputs)? } else { None };
    Ok(stored.map_or_else(|| Notation::from_inputs(inputs), |stored| stored.notation))
}

fn is_index(path: &Path) -> bool {
    path.join(MANIFEST).is_file()
}

/// Returns whether a path names an index or a snapshot, whose content tells where its name does not.
fn is_stored(path: &Path) -> bool {
    is_index(path) || path.is_file() && (is_named_snapshot(path) || Layout::of_name(path).is_none() && is_packed(path))
}

fn is_named_snapshot(path: &Path) -> bool {
    RecordFormat::of_name(path) == Some(RecordFormat::Snapshot)
}

/// Returns whether a file begins as a snapshot does.
fn is_packed(path: &Path) -> bool {
    let mut head = [0; MAGIC.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head == *MAGIC
}
