//! Files that are packed, by their first bytes.

#![no_main]

#[path = "../../crates/lookalike-io/tests/laws/mod.rs"]
#[expect(dead_code, reason = "each target needs the laws of its format only")]
mod laws;

use laws::{check_lines, check_table, check_warc};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check_lines("x.jsonl", bytes, None);
    check_warc("x.warc", bytes);
    check_table("x.csv", bytes);
});
