//! Records written again: those that stay, those whose texts are cut, or all with annotations.
//!
//! ```text
//! output        where they go: a file, a file of several inputs (join), a folder
//! outcome       what becomes of each: decided, or cut
//! left_out      files that are in no document
//! writer        source by source: copied by their places (copy_records), or converted (rewrite of lookalike-io)
//! ```

mod copy_records;
mod join;
mod left_out;
mod outcome;
mod output;
mod writer;

pub(crate) use outcome::{CutRecords, Outcome, family_sizes};
pub(crate) use output::{RecordOutput, check_annotations, check_editable};
pub(crate) use writer::write_records;
