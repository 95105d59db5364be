//! Inputs that can be read only once.
//!
//! ```text
//! spool      a copy in a temporary file, which is read as often as anybody likes
//! arriving   standard input as a stream, for jobs that read it once
//! ```

mod arriving;
mod spool;

pub(crate) use arriving::ArrivingReader;
pub use arriving::{Arrived, Arriving};
pub(super) use spool::{DiskBudget, SpoolInto, spool};
