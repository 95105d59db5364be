//! The foundation of all rooms: errors, document numbers, hashes, sorting, buffer pools, paths as text, and the arrays
//! that hold large data.

mod array;
mod content_kind;
mod counted;
pub mod details;
mod document;
mod error;
pub mod hash;
mod not_bits;
mod pool;
mod prefix_sums;
mod printed_path;
mod ragged;
mod ratio;
mod sorting;
mod wide;

pub use array::{Array, Storage};
pub use content_kind::ContentKind;
pub use counted::{counted, percent, thousands, with_number};
pub use document::DocId;
pub(crate) use error::check_range;
pub use error::{Error, Result};
pub use not_bits::{MAX_WIDTH, NotBits};
pub use pool::Pool;
pub use prefix_sums::prefix_sums;
pub use printed_path::{path_of_printed, printed_path, serialize_path, serialize_paths};
pub use ragged::Ragged;
pub(crate) use ratio::ratio;
pub(crate) use sorting::{SetMaker, drop_repetitions};
pub(crate) use wide::compare_products;
