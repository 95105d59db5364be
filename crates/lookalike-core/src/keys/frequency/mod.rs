//! Document frequencies of elements, as upper bounds.
//!
//! The prefix filter is correct under any fixed order of the elements and good under one that puts rare ones first. So
//! counts need not be exact: a table of counters indexed by the upper bits of the hash suffices. Elements that share a
//! counter appear more frequent than they are, never less; a count of 1 proves that no other document has the element.
//! Unlike a sort of all elements of the corpus, this is one pass, with a choice of memory.
//!
//! ```text
//! first    one byte a counter, one or two an element    counts up to 255, enough for nearly all elements
//! second   32 bits a counter, few                       counts the occurrences beyond 255
//! ```
//!
//! A table is filled as a whole, or part by part, each with the elements that were dealt to it (parts.rs): then nothing
//! but a small part of the counters is accessed at random.

mod partition;
mod parts;
mod table;

pub use partition::Partition;
pub use parts::{TablePart, TableParts};
pub use table::FrequencyTable;

#[cfg(test)]
mod tests;
