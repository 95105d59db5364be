//! The request to compare two documents.

use super::find::Finder;
use crate::base::Result;
use lookalike_core::comparison::{Features, Measure};
use lookalike_core::documents::Content;
use lookalike_core::sets::{Selection, ShingleSize};
use lookalike_io::Inputs;
use std::path::PathBuf;

/// The request to compare two documents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Comparing {
    /// The documents.
    pub sides: [ComparedDocument; 2],
    /// The inputs whose ids name documents, and the format of their records.
    pub inputs: Inputs,
    /// Features of the documents.
    pub features: Features,
    /// The measure; `None` for fingerprints or vectors whose figures are wanted alone.
    pub measure: Option<Measure>,
    /// The file with the document frequencies by which terms are weighted; `None` for those of the two documents.
    pub idf: Option<PathBuf>,
    /// Fingerprints whose estimate stands beside the exact numbers.
    pub select: Option<Selection>,
    /// The shortest passage; `None` for that of one shingle.
    pub min_match: Option<ShingleSize>,
    /// Files that no page may replace beside the documents: those that features were made of.
    pub spared: Vec<PathBuf>,
}

/// A document that is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ComparedDocument {
    /// One that a name stands for: a file, `-`, `FILE:ID`, or an id of the inputs.
    Named(String),
    /// A text.
    Text(String),
}

impl Default for ComparedDocument {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl ComparedDocument {
    /// The name of the document.
    pub fn name(&self) -> &str {
        match self {
            Self::Named(name) => name,
            Self::Text(_) => "the given text",
        }
    }

    /// The compared content of the document.
    pub(super) fn content(&self, finder: &Finder<'_>) -> Result<Content<'_>> {
        match self {
            Self::Named(name) => finder.content_of(name),
            Self::Text(text) => Ok(text.into()),
        }
    }
}
