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
mod asked;
mod known_inputs;
mod read;
mod said;
mod signatures;
mod stage;

pub(crate) use arriving::read_arriving;
pub(crate) use asked::provenance_of_texts;
pub(super) use known_inputs::KnownFile;
pub(crate) use said::{check_gitignore, check_said, check_score_field, fields_of_first};
pub(crate) use signatures::read_signatures;
pub(crate) use stage::{ids_of, read, read_ids, read_sums};
