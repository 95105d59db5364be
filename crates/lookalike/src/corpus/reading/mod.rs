//! Reading of documents into a corpus: all at once, or as they arrive.
//!
//! ```text
//! asked     what is to be read, in which parts, and what that depends on
//! read      all sources, with a checkpoint that goes on where it was interrupted
//! stage     the stage of a job that reads all, or takes it up from a work folder
//! known_inputs  whether the files of a work folder still hold what was read
//! said      checks that what is said of inputs is about some of them
//! arriving  queries from standard input, a batch at a time
//! signatures  those that files hold beside the texts
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
pub(crate) use stage::{ids_of, read, read_ids, read_sums};
pub(crate) use unused_settings::{check_gitignore, check_score_field, check_settings_used, fields_of_first};
