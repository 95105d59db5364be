//! One run of a job: its resources, its stages, and the folder where an interrupted one is taken up again.
//!
//! ```text
//! Session     threads, kernel, budget, progress
//! stage       one wrapper: name, progress, timing, cancelling, checkpoint
//! SavedStage  the checkpoint of the stage that is running
//! WorkFolder  checkpoints by name, each with the nouns it depends on
//! ```

mod checkpoint;
mod published;
mod saved_stage;
mod session;
mod stages;
mod work_folder;

pub(crate) use checkpoint::{Checkpoint, CheckpointOf, Sections, Stored, read_at};
pub(crate) use saved_stage::SavedStage;
pub use session::Session;
pub(crate) use work_folder::WorkFolder;
