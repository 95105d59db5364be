//! From inputs to documents: what is known of all of them once they were read. The texts are gone.
//!
//! ```text
//! Blocks of records --Shard, on all threads--> CorpusBuilder --> Records: a Corpus, and where its records stand
//! Snapshot file     --Shard---------------------^
//! ```
//!
//! A [`Corpus`] can be searched; only [`Records`] can be written again.

mod builder;
#[expect(clippy::module_inception, reason = "the type of this room has a file of its own")]
mod corpus;
mod ids;
mod read;
mod seen_ids;
mod shard;
mod snapshot;
mod stop_words;

pub use corpus::{Corpus, RecordPlace, Records};
pub use ids::Ids;
pub(crate) use read::{read, read_ids};
pub(crate) use snapshot::write_snapshot;
pub use stop_words::stop_words;
