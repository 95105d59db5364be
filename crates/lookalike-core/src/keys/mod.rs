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
//! Extent          size of a document and position of a key, for the filters
//! Banding         b bands of r rows, with the S-curve
//! plan            bands and rows for a recall; intervals of proportions
//! FrequencyTable  how many documents have an element
//! ElementOrder    the frozen order of elements of a stored index
//! ```

mod banding;
mod blocking_keys;
mod element_order;
mod extent;
mod frequency;
mod index;
mod key_slots;
mod numbering;
pub mod plan;
mod runs;

pub(crate) use banding::bits_at;
pub use banding::{BandKey, Banding};
pub use blocking_keys::{BlockingKey, BlockingKeys, SharedKey, SharedKeys};
pub use element_order::ElementOrder;
pub use extent::Extent;
pub use frequency::{FrequencyTable, Partition, TablePart, TableParts};
pub use index::{IndexReader, IndexWriter, KeyIndex, KeyProbe, VisitMarks};
pub use numbering::NumberedKeys;
pub use plan::bits_within;
pub use runs::Runs;
