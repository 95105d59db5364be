//! Jobs that ask, and the index that is asked.

mod index;
mod search;

pub use index::{
    Additions, IndexChange, Keying, add_to_index, add_to_open_index, create_index, dedup_into_index, expiry_after,
};
pub use search::{From, Given, RecallMeasurement, Search, search};
