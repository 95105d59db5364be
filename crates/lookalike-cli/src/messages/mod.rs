//! Messages on standard error: lines, the report of a job, refusals, the next step after an error.
//!
//! ```text
//! words     lines on standard error, amount of messages, numbers
//! report    the report of a finished job
//! refusals  arguments that are refused, in one line
//! hints     the next step after an error
//! remarks   flags and values of other programs that have none here
//! ```

mod hints;
mod refusals;
mod remarks;
mod report;
mod words;

pub(crate) use hints::{Flags, hint, hint_for_record};
pub(crate) use lookalike::doors::{counted, thousands};
pub(crate) use refusals::{flag_before, refuse, refuse_single_dash};
pub(crate) use report::{added_to_index, say_answers, say_cut, say_dedup, say_listed, say_numbers, say_sources};
pub(crate) use words::{ADDED, FAINT, REMOVED, STRONG, Voice, note, say, say_error, styled};
