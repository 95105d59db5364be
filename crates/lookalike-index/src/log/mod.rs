//! The log: changes that are acknowledged before they are in a segment of a file.

mod change;
mod frames;

pub use change::Change;
pub(crate) use frames::{LogFile, LogWriter, ReadLog, Sync, parse_log, read_log};
