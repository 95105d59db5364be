//! The names of documents that are read one after the other and not kept: those that a job gives the same inputs.
//!
//! The builder of the corpus has the same rule over ids that may lie in files; here they are in memory.

use crate::ground::{Error, Result};
use lookalike_io::{
    Document, Place, Source,
    sources::{Occurrence, qualified_id},
};
use std::collections::HashMap;

/// The ids that were met.
#[derive(Debug, Default)]
pub(crate) struct UniqueIds {
    /// By id: index of the source and place of its document.
    taken: HashMap<String, (usize, Place)>,
}

/// What a document is called.
#[derive(Debug)]
pub(crate) struct UniqueId {
    pub(crate) id: String,
    /// Place of the document that has its own id, if that is an earlier one.
    pub(crate) first: Option<Place>,
    /// Whether no earlier document of its source has its own id.
    pub(crate) is_first_of_source: bool,
}

impl UniqueIds {
    /// Names the next document.
    pub(crate) fn name(&mut self, document: &Document<'_>, (index, source): (usize, &Source)) -> Result<UniqueId> {
        let own: &str = &document.id;
        let (id, first, is_first_of_source) = match self.taken.get(own) {
            None => (own.to_owned(), None, true),
            Some((other, first)) => {
                let is_first_of_source = *other != index;
                let occurrence = Occurrence { label: &source.label, number: document.number, is_first_of_source };
                let is_taken = |name: &str| Ok::<_, Error>(self.taken.contains_key(name));
                (qualified_id(own, &occurrence, is_taken)?, Some(first.clone()), is_first_of_source)
            }
        };
        let by_source = format!("{own}@{}", source.label);
        let is_first_of_source =
            is_first_of_source && (id == by_source || self.taken.get(&by_source).is_none_or(|(of, _)| *of != index));
        self.taken.insert(id.clone(), (index, document.place.clone()));
        Ok(UniqueId { id, first, is_first_of_source })
    }
}
