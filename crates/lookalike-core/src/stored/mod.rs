//! The format of stored files: one container of named sections, for snapshots and checkpoints.
//!
//! ```text
//! Provenance   the parameters that the content depends on, serialized
//! Writer       sections -> bytes of a container
//! Directory    end of a container -> places and checksums of its sections
//! ```
//!
//! No code here opens a file: writers pass bytes to a function of the caller, and readers request bytes from one.

mod container;
mod provenance;

pub use container::{
    Damage, Directory, FORMAT, INDEX_LOCK, INDEX_MANIFEST, MAGIC, MAGIC_OF_VERSION_1, Section, SectionCheck, Writer,
};
pub use provenance::{Difference, Provenance};
