//! Segments: immutable parts of an index, in memory or in a file, all of one form.
//!
//! ```text
//! SegmentContent what a segment is made of: new documents, or those of other segments that live
//! Scheme        how documents become keys and stored sets
//! SegmentMaker  writes it, section after section, to memory or to a file
//! KeyTable      from a hash to the documents that have it: blocking keys, and ids
//! SetForm       what stands for the set of a document: its elements, or a signature
//! Segment       its sections, read
//! Deleted       which documents of a segment are no more there: beside it, because it never changes
//! ```

mod documents;
mod key_entries;
mod key_table;
mod live;
mod maker;
mod packed_sets;
mod scheme;
#[expect(clippy::module_inception, reason = "the type of this module has a file of its own")]
mod segment;
mod write;

pub use documents::{Documents, Facts};
pub(crate) use key_entries::{decode_extent, on_threads};
pub(crate) use live::{Deleted, LiveDocuments, Part, SegmentContent};
pub(crate) use maker::SegmentMaker;
pub(crate) use packed_sets::SetForm;
pub(crate) use scheme::Scheme;
pub(crate) use segment::{KIND, Segment, check_sections, open_directory};
