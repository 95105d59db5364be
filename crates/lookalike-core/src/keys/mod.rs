//! Blocking keys, which make two documents that share one candidates, whatever the measure and the method.
//!
//! ```text
//! set --maker of a space--> BlockingKeys --share--> SharedKeys --KeyIndex, size and position filter--> candidates
//! ```
//!
//! Numbering and index are the same code for all methods. Singletons, blocking keys of only one document, are dropped
//! before the index is built; in real text most blocking keys are singletons, and most documents have no others.
//!
//! ```text
//! Bounds          what keys know of a measure; Extent: size of a document and position of a key
//! Banding         b bands of r rows, with the S-curve
//! plan            bands and rows for a recall; intervals of proportions
//! FrequencyTable  how many documents have an element
//! ElementOrder    the frozen order of elements of a stored index
//! ```

mod banding;
mod blocking_keys;
mod bounds;
mod element_order;
mod frequency;
mod index;
mod key_slots;
mod numbering;
pub mod plan;
mod runs;

pub use banding::{BandKey, Banding};
pub(crate) use banding::{bits_at, optional as optional_banding};
pub use blocking_keys::{BlockingKey, BlockingKeys, SharedKey, SharedKeys};
pub use bounds::{Bounds, Extent, Postings};
pub use element_order::ElementOrder;
pub use frequency::{FrequencyTable, Partition, TablePart, TableParts};
pub use index::{KeyIndex, KeyIndexReader, KeyIndexWriter, KeyProbe, VisitMarks};
pub use numbering::NumberedKeys;
pub use plan::bits_within;
pub use runs::Runs;
