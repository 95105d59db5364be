//! What rows call their documents.

use crate::corpus::{Listing, Records};
use lookalike_core::{DocId, printed_path};
use lookalike_io::rows::RowSources;
use std::borrow::Cow;

/// The ids of documents, and the files of those of a job whose rows name them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowNames<'a> {
    listing: &'a Listing,
    records: Option<&'a Records>,
}

impl<'a> RowNames<'a> {
    /// Documents with records.
    pub(crate) fn new(listing: &'a Listing, records: &'a Records, sources: RowSources) -> Self {
        let records = match sources {
            RowSources::Absent => None,
            RowSources::Named => Some(records),
        };
        Self { listing, records }
    }

    /// Documents of which only the ids are known.
    pub(crate) fn of_ids(listing: &'a Listing) -> Self {
        Self { listing, records: None }
    }

    /// The id of a document.
    pub(crate) fn id(&self, document: DocId) -> &'a str {
        self.listing.ids.get(document)
    }

    /// The file of a document, as the user named it; `None` if rows name no files.
    pub(crate) fn source(&self, document: DocId) -> Option<Cow<'a, str>> {
        let records = self.records?;
        let place = records.place(document);
        let source = records.sources.get(place.source as usize)?;
        Some(Cow::Owned(printed_path(&source.place(place.number).path).into_owned()))
    }

    /// The mean length in bytes of an id, and of the file of the first document where rows name files.
    pub(super) fn mean_bytes(&self) -> usize {
        let (_, text) = self.listing.ids.parts();
        let source = self.documents().next().and_then(|first| self.source(first));
        text.len().div_ceil(self.len().max(1)) + source.map_or(0, |source| source.len())
    }

    /// The documents, in input order.
    pub(crate) fn documents(&self) -> impl Iterator<Item = DocId> + use<> {
        DocId::all(self.len())
    }

    /// Number of documents.
    pub(crate) fn len(&self) -> usize {
        self.listing.len()
    }
}
