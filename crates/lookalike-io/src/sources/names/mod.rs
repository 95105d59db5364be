//! The names that follow from sources: their labels, of which ids are made, ids that occur again, and files that are
//! written for them.

mod labels;
mod output_names;
mod qualified;

pub(in crate::sources) use labels::{label, parts_of, telling_parts};
pub(in crate::sources) use output_names::written_names;
pub use output_names::{check_output_names, converted_name};
pub use qualified::{IdOccurrence, is_qualified, qualified_id};
