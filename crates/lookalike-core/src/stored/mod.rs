//! Files of ours: one container of named sections for snapshots, checkpoints and whatever is stored later.
//!
//! ```text
//! Provenance   the nouns that the content depends on, serialized
//! Writer       sections in, bytes out
//! Directory    bytes of the end of a file in, places and checksums of its sections out
//! ```
//!
//! Nothing here touches a file: writers hand bytes to a function of the caller, readers ask one for bytes.

mod container;
mod damage;
mod provenance;

pub use container::{Directory, FORMAT, MAGIC, Section, SectionCheck, Writer};
pub use damage::Damage;
pub use provenance::{Difference, Provenance};
