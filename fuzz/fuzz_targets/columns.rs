//! Parquet and Arrow files.

#![no_main]

#[path = "../../crates/lookalike-io/tests/laws/mod.rs"]
#[expect(dead_code, reason = "each target needs the laws of its format only")]
mod laws;

use laws::check_columns;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check_columns("x.parquet", bytes);
    check_columns("x.arrow", bytes);
});
