//! Documents of the inputs, once they were read. The texts are gone.
//!
//! ```text
//! Blocks of records --Shard, on all threads--> CorpusBuilder --> Listing  ids, lengths, scores
//! Snapshot, index   --Shard---------------------^               Corpus   a listing with element sets: can be searched
//! rows of groups    --Shard, Groups-------------^
//!                                                               Records  places and sources: can be written again
//! ```
//!
//! Documents that are no texts pass through the same arrays:
//!
//! - *Sets of items* (`text/items.rs` of the core), of which each item is a token and a token a shingle; from there on
//!   nothing knows the difference.
//! - *Groups of rows* while they are read (`groups.rs`): the group is the id, an external sort brings its items
//!   together, and it stands at the place of its first row.
//! - *Fingerprints* as elements (`documents/bits.rs` of the core), so corpora, snapshots and groups hold them
//!   unchanged.
//! - *Images* as fingerprints or vectors, which readers make of them.
//! - *Signatures* as sets of an element for each component (`signatures/signature_elements.rs` of the core); or beside
//!   texts (`prepared.rs`), to find candidates by.
//! - *Vectors* as words (`documents/vector.rs` of the core) in the place of elements.
//! - *Whole texts* as documents without elements, of which only the hash of the text is known.
//! - *Fields and texts* that an index stores beside them (`carried.rs`), if it is one that they are read for.
//! - *Counts* beside each element (`documents/sets.rs` of the core), of which `candidates/weigh.rs` makes the weights
//!   that the measure wants.
//!
//! A document is read as a whole, so one beyond the budget exceeds it, by at most some three times its size whatever
//! its shingles: its tokens are hashed piece by piece (`text/pieces.rs` and `sets/windows.rs` of the core), its set
//! is made in a file (`long_sets.rs`), and no other block is read as long as it is in flight (`threads/gate.rs`). Pairs
//! of such sets are compared in pieces (`documents/side_by_side.rs` of the core).

mod builder;
mod carried;
#[expect(clippy::module_inception, reason = "the type of this room has a file of its own")]
mod corpus;
mod groups;
mod ids;
mod long_sets;
mod prepared;
mod reading;
mod records;
mod reread;
mod shard;
mod stored;
mod texts;

pub(crate) use carried::CarriedRows;
pub(crate) use corpus::ShortCounts;
pub use corpus::{Corpus, Listing};
pub use ids::Ids;
pub(crate) use ids::SeenIds;
pub(crate) use prepared::{PreparedData, SuppliedSignatures, WeighedTerms};
pub(crate) use reading::{
    check_gitignore, check_score_field, check_settings_used, fields_of_first, provenance_of_texts, read, read_arriving,
    read_checksums, read_ids, read_ids_unsaved, read_signatures,
};
pub(crate) use records::{RecordPlace, Records};
pub use records::{RepeatedId, RepeatedIdCounts};
pub(crate) use reread::{
    ShortTextsOf, TextCheck, TextsAgain, check_sources_for_windows, find_short_texts, may_be_short, winnow_texts,
};
pub(crate) use shard::{DocumentChecksums, row_count};
pub use stored::notation_of;
pub(crate) use stored::{
    SnapshotToSave, StoredPlaces, TokenChunk, TokensToSave, check_tokens, open_tokens, read_frequencies, saved_places,
    snapshot_parameters, stored_notation, write_frequencies, write_snapshot,
};
