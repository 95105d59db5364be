//! What is written to a segment.

use super::documents::Documents;
use super::live::LiveDocuments;

/// What is written to a segment.
#[derive(Clone, Copy)]
pub(crate) enum Content<'a> {
    /// Documents that come.
    New(&'a dyn Documents),
    /// Documents of other segments: what was made of them is copied.
    Merged(&'a LiveDocuments<'a>),
}

impl<'a> Content<'a> {
    pub(crate) fn documents(self) -> &'a dyn Documents {
        match self {
            Self::New(documents) => documents,
            Self::Merged(documents) => documents,
        }
    }

    pub(super) fn merged(self) -> Option<&'a LiveDocuments<'a>> {
        match self {
            Self::New(_) => None,
            Self::Merged(documents) => Some(documents),
        }
    }
}
