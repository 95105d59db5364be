//! Segments: immutable parts of an index, in memory or in a file, all of one form.
//!
//! ```text
//! Content       what a segment is made of: new documents, or those of other segments that live
//! SegmentMaker  writes it, section after section, to memory or to a file
//! KeyTable      from a hash to the documents that have it: blocking keys, and ids
//! SetForm       what stands for the set of a document: its elements, or a signature
//! Segment       its sections, read
//! Deleted       which documents of a segment are no more there: beside it, because it never changes
//! ```

mod content;
mod deleted;
mod documents;
mod facts;
mod key_entries;
mod key_table;
mod live;
mod maker;
mod packed_sets;
#[expect(clippy::module_inception, reason = "the type of this room has a file of its own")]
mod segment;
mod set_form;
mod write;

pub(crate) use content::Content;
pub(crate) use deleted::Deleted;
pub use documents::Documents;
pub use facts::Facts;
pub(crate) use key_entries::{decode_extent, on_threads};
pub(crate) use live::{LiveDocuments, Part};
pub(crate) use maker::{SegmentMaker, weigh_by};
pub(crate) use segment::{KIND, Segment, check_sections, open_directory};
pub(crate) use set_form::SetForm;
