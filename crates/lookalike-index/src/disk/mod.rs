//! The folder of an index: the few things that are done with its files.
//!
//! ```text
//! disk          trait Disk: the operations on files
//! folder        a folder of the system
//! simulated     a disk in memory that may lose power, for tests
//! map           the bytes of a file, and sections of it as arrays
//! write_behind  a file written by a thread of its own
//! ```
//!
//! Tests put a simulated disk in its place, which forgets what was not synced.

#[expect(clippy::module_inception, reason = "the trait of this module has a file of its own")]
mod disk;
mod folder;
mod map;
#[cfg(test)]
pub(crate) mod simulated;
mod write_behind;

pub(crate) use disk::{Disk, DiskFile};
pub(crate) use folder::{Folder, sync_parent};
pub use folder::{check_free, sync_folder};
pub(crate) use map::{Map, MappedArray};
pub(crate) use write_behind::write_behind;
