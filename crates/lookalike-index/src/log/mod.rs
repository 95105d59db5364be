//! The log: changes that are acknowledged before they are in a segment of a file.

mod change;
mod frames;

pub use change::Change;
pub use frames::Durability;
pub(crate) use frames::{LogFile, LogWriter, ReadLog, parse_log, read_log};
