//! How documents become a corpus: all at once, or as they arrive.
//!
//! ```text
//! asked     what is to be read, in which parts, and what that depends on
//! read      all sources, with a checkpoint that goes on where it was interrupted
//! arriving  queries from standard input, a batch at a time
//! signatures  those that files hold beside the texts
//! ```

mod arriving;
mod asked;
mod read;
mod signatures;

pub(crate) use arriving::read_arriving;
pub(crate) use asked::provenance_of_texts;
pub(crate) use read::{ids_of, read, read_ids};
pub(crate) use signatures::read_signatures;
