//! Containers of any bytes.

#![no_main]

#[path = "../../crates/lookalike/tests/laws/mod.rs"]
#[expect(dead_code, reason = "each target needs the laws of its files only")]
mod laws;

use laws::check_container;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check_container(bytes);
});
