//! The folder of an index as a whole.
//!
//! ```text
//! manifest        which files belong to the index, which documents of its segments are deleted; replaced as a whole
//! segment-000001  a segment; written once
//! order-000001    an order of elements, by which the keys of some segments were chosen; written once
//! log-000003      the changes since the manifest was written, or since merging began
//! frequencies     document frequencies by which terms are weighed, if they are
//! lock            locked by the process that writes
//! ```
//!
//! A change is acknowledged when its group is in the log and synced. From time to time what the log says becomes a
//! segment, by a thread of its own ([`merging`]), and the manifest is replaced by one that names this segment and the
//! log that was begun meanwhile; then what no manifest names is removed. So whenever the machine stops, the manifest
//! names files that are whole. Readers take the manifest and read the log behind it; if a file is gone by then, there
//! is a new manifest, and they begin again.
//!
//! Documents of an insertion that exceeds the memory ([`writer`]) are spilled to segments that no manifest names until
//! the insertion is complete.
//!
//! The last segment is merged with the segments before it when at least three of them in a row have at most twice as
//! many live documents as those behind them, as long as the keys stay below a limit. Each merge makes segments about
//! four times as large, so a document is rewritten about log4(documents) times ([`writer`]).

mod backup;
mod index;
mod inserted;
mod manifest;
mod merging;
mod next;
mod settings;
#[cfg(test)]
mod tests;
mod verify;
mod writer;

pub use backup::backup;
pub use index::{Index, IndexInfo, SegmentInfo, interrupted_write_note, settings};
pub use inserted::Inserted;
pub use manifest::MANIFEST;
pub use settings::{Settings, Storage};
pub use verify::{IndexProblem, verify};
pub use writer::insertion::Insertion;
pub use writer::{GroupCheck, IndexWriter, Prepared};
