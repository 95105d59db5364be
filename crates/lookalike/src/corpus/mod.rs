//! From inputs to documents: what is known of all of them once they were read. The texts are gone.
//!
//! ```text
//! Blocks of records --Shard, on all threads--> CorpusBuilder --> Listing  ids, lengths, scores
//! Snapshot file     --Shard---------------------^               Corpus   a listing with element sets: can be searched
//! rows of groups    --Shard, Groups-------------^
//!                                                               Records  places and sources: can be written again
//! ```

mod builder;
#[expect(clippy::module_inception, reason = "the type of this room has a file of its own")]
mod corpus;
mod groups;
mod ids;
mod known_inputs;
mod listing;
mod long_sets;
mod read;
mod records;
mod reread;
mod shard;
mod stored;
mod texts;
mod unique_ids;
mod word_lists;

pub use corpus::Corpus;
pub use ids::Ids;
pub use listing::Listing;
pub(crate) use read::{read, read_ids};
pub use records::{RecordPlace, Records, RepeatedId, RepeatedIdCounts};
pub(crate) use reread::{ShortTextsOf, TextCheck, check_sources_for_windows, find_short_texts, winnow_texts};
pub(crate) use shard::row_count;
pub(crate) use stored::{read_frequencies, write_frequencies, write_snapshot};
pub(crate) use unique_ids::{UniqueId, UniqueIds};
pub use word_lists::{keywords, keywords_file, stop_words, stop_words_file};
