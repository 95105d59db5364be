//! The wanted fields of JSON records.
//!
//! Plain records are read as they stand ([`flat`]). The others are parsed by sonic-rs (SIMD, no tree): only the wanted
//! values are kept, all others are checked and skipped. The parser skips the text as well, which is then copied from
//! the line ([`text`]). Lines that are not JSON are parsed again by serde_json, whose messages are better; numbers
//! beyond the range of doubles are JSON, which neither takes ([`large_numbers`]).

mod carried;
mod fields;
mod flat;
mod json_array;
mod large_numbers;
mod lines;
mod nested;
mod place;
mod record;
mod text;
mod value;

pub(super) use json_array::{ArrayFile, Elements};
pub(super) use lines::{LineFile, Lines};
pub(crate) use place::text_place;
pub(super) use record::{Fields, parse};

#[cfg(test)]
mod tests;
