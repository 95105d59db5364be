//! The selected fields of JSON records.
//!
//! ```text
//! lines       files with one record per line
//! json_array  files with one array of objects
//! flat        usual records, read without the parser
//! record      one record
//! fields      the selected fields of an object
//! value       values of fields
//! text        texts with their escapes resolved
//! numbers     numbers that no double can hold
//! spelled     values as they are spelled, by path
//! ```
//!
//! Plain records are read as they stand ([`flat`]). The others are parsed by sonic-rs (SIMD, no tree): only the
//! selected values are kept, all others are checked and skipped. The parser skips the text as well, which is then
//! copied from the line ([`text`]). Lines that are not JSON are parsed again by serde_json, whose messages are better;
//! numbers beyond the range of doubles are JSON, which neither takes ([`mod@numbers`]).

mod fields;
mod flat;
mod json_array;
mod lines;
mod numbers;
mod record;
mod spelled;
mod text;
mod value;

pub(super) use json_array::{ArrayBlock, ArrayFile};
pub(super) use lines::{LineBlock, LineFile};
pub(crate) use numbers::numbers;
pub(super) use record::parse;
pub(crate) use spelled::text_place;

#[cfg(test)]
mod tests;
