//! Shares and places as they are told to people.

use lookalike_core::counted;

/// A share in percent, rounded down: all of it is all of it.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    lookalike_core::percent(part as f64 / whole.max(1) as f64)
}

/// The length of a passage, and its first and last lines here and there.
pub(crate) fn passage_about(tokens: u64, here: [u64; 2], there: [u64; 2]) -> String {
    format!("{}: {}, there {}", counted(tokens, "token"), lines(here), lines(there))
}

fn lines([line, end_line]: [u64; 2]) -> String {
    if line == end_line { format!("line {line}") } else { format!("lines {line} to {end_line}") }
}
