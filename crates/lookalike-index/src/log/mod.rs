//! The log: changes that are acknowledged before they are in a segment of a file.
//!
//! ```text
//! change  a change of an index, and its bytes
//! frames  groups of changes in a file, as frames with checksums; a torn tail is distinguished from damage
//! ```

mod change;
mod frames;

pub use change::Change;
pub use frames::Durability;
pub(crate) use frames::{LogFile, LogWriter, ReadLog, parse_log, read_log};
