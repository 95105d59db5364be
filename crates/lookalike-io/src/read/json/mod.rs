//! The wanted fields of JSON records.
//!
//! sonic-rs parses (SIMD, no tree): only the wanted values are kept, all others are checked and skipped. The parser
//! skips the text as well, which is then copied from the line ([`text`]). Lines that are not JSON are parsed again by
//! serde_json, whose messages are better.

mod fields;
mod record;
mod text;
mod value;

pub(super) use record::{Fields, parse};

#[cfg(test)]
mod tests;
