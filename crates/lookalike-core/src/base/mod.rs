//! The foundation of all modules: errors, document numbers, hashes, sorting, buffer pools, paths as text, and the
//! arrays that hold large data.
//!
//! ```text
//! error         errors: parameters, limits, damaged arrays
//! details       values that errors carry in place of words; numbers with their nouns
//! document      DocId: the number of a document
//! hash          hash functions of stored data, frozen
//! array         large arrays, in memory or in storage of the caller
//! ragged        one list of values per index, in one array
//! set_maker     sets of hashes: sorted, each once
//! sorter        sorting of hashes by their upper bits
//! pool          buffers that circulate between threads
//! ratio         exact quotients and products of integers
//! printed_path  paths as text
//! ```

mod array;
pub mod details;
mod document;
mod error;
pub mod hash;
mod pool;
mod printed_path;
mod ragged;
mod ratio;
mod set_maker;
mod sorter;

pub use array::{Array, ArrayStorage};
pub use details::{ContentKind, counted, percent, thousands, with_number};
pub use document::DocId;
pub(crate) use document::random_sample;
pub use error::{Error, MAX_WIDTH, NotBits, Result};
pub(crate) use error::{check_probability, check_range};
pub use pool::Pool;
pub use printed_path::{path_of_printed, printed_path, serialize_path, serialize_paths};
pub use ragged::{Ragged, prefix_sums};
pub(crate) use ratio::{compare_products, ratio};
pub(crate) use set_maker::SetMaker;
pub(crate) use sorter::drop_repetitions;
