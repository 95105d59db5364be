//! Data that exceeds the memory: arrays in temporary files, read through memory maps.
//!
//! ```text
//! Budget        the memory of a job, reserved by name
//! Spill         the budget and the folder of temporary files
//! SpillColumn   an array that grows, in memory until it moves to a file, then an Array that is read
//! PlacedColumn  an array of known length in a file, written and read in any order
//! ExternalSort  items in any order, sorted runs, one sorted Array
//! ```
//!
//! Touched pages of a map count as memory of the process, so they are given back as soon as they exceed a share of the
//! budget (resident.rs); the system may still hold them as cache of the file. Nothing that is computed depends on what
//! was spilled.
//!
//! What grows with the corpus is in one of these places:
//!
//! | data | where it lives when it is large |
//! |---|---|
//! | ids, sets, places, lengths (corpus/builder.rs) | a file each, once they exceed the share of the corpus |
//! | which ids were seen (corpus/ids/seen_ids.rs) | memory: eight bytes a document |
//! | counters of elements (candidates/frequencies/) | elements dealt into files, counted file by file |
//! | blocking keys (candidates/dictionary.rs) | dealt into files by their first bits, numbered file by file |
//! | postings (decide/index_blocks.rs) | as many documents at a time as fit; all later ones pass by |
//! | pairs (decide/join.rs) | sorted runs, merged (sort.rs) |
//! | what sources have of queries (passages/hits.rs) | a file, once it exceeds its share; passages in sorted runs |
//! | hashes of the tokens of long texts (passages/hashes.rs) | a file each, as they are made |
//! | sets of long documents, while made (corpus/long_sets.rs) | sorted runs, merged, once they exceed the text |
//! | groups, ranks, offsets, decisions | memory: some sixty bytes a document |

mod budget;
mod column;
mod disk;
mod large_pages;
mod placed;
mod resident;
mod sort;
#[expect(clippy::module_inception, reason = "the type of this room has a file of its own")]
mod spill;

pub(crate) use budget::{Budget, Granted, Share};
pub(crate) use column::{BUFFER_BYTES, ColumnState, Location, SpillColumn};
pub(crate) use disk::free_bytes;
pub(crate) use large_pages::ask_for_large_pages;
pub(crate) use placed::PlacedColumn;
pub(crate) use sort::{ExternalSort, Repeats};
pub(crate) use spill::Spill;

#[cfg(test)]
mod tests;
