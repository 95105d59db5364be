//! Reading of documents into a corpus: all at once, or as they arrive.
//!
//! ```text
//! request          parameters of a reading, its parts and its provenance
//! stage            the stage of a job: reads with checkpoints in the work folder, or without
//! read             reads all sources; resumes from a checkpoint
//! known_inputs     decides whether input files are still those of a checkpoint
//! unused_settings  refuses settings that concern none of the inputs
//! arriving         queries from standard input, a batch at a time
//! signatures       signatures in files beside the texts
//! ```

mod arriving;
mod known_inputs;
mod read;
mod request;
mod signatures;
mod stage;
mod unused_settings;

pub(crate) use arriving::read_arriving;
pub(super) use known_inputs::KnownFile;
pub(crate) use request::provenance_of_texts;
pub(crate) use signatures::read_signatures;
pub(crate) use stage::{read, read_checksums, read_ids, read_ids_unsaved};
pub(crate) use unused_settings::{check_gitignore, check_score_field, check_settings_used, fields_of_first};
