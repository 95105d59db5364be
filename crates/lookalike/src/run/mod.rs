//! One run of a job: its resources, its stages, and the folder where an interrupted one is resumed.
//!
//! ```text
//! Session     threads, kernel, budget, progress
//! stage       one wrapper: name, progress, timing, cancelling, checkpoint
//! SavedStage  the checkpoint of the stage that is running
//! WorkFolder  checkpoints by name, each with the parameters it depends on
//! ```
//!
//! The provenance of a checkpoint is the parameters that its stage depends on, and what it worked on: for reading the
//! states of the files, for the rest the checksum of the corpus and the order. One field of the outputs is in it:
//! whether records are annotated, because then a record that has the added field already is a bad one. While reading,
//! the arrays of the corpus grow in files of their own, and a checkpoint every few blocks says how long each was and
//! how far the reading had come. The comparison keeps nothing until it is done: it takes a tenth of the time, and its
//! order is what makes the answer.
//!
//! What may have changed, and how that is noticed:
//!
//! - *Inputs between two runs*: `corpus/reading/known_inputs.rs`. *During a run*: size, time and number before and
//!   after (`sources/file_state.rs` of lookalike-io), and each copied record must begin and end like one
//!   (`write/record_reader.rs` there).
//! - *Files of the work folder*: checksums when they are loaded, and since those do not say who made a file, what
//!   later stages rely on is checked with them (`corpus/builder/array_checks.rs`). No link is followed
//!   (`base/own_file.rs` of lookalike-io).
//! - *Leftovers*: the manifest (`base/manifest/mod.rs` of lookalike-io) names the temporary files of a job; the next
//!   run removes these and nothing else. A folder that had just got its name is known again (`published.rs`).

mod checkpoint;
mod published;
mod session;
mod stages;
mod work_folder;

pub(crate) use checkpoint::{Checkpoint, CheckpointOf, SectionWriter, Stored, read_at};
pub use session::Session;
pub(crate) use work_folder::{SavedStage, WorkFolder};
