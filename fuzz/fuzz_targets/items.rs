//! Lines of items, and items in JSON.

#![no_main]

#[path = "../../crates/lookalike-io/tests/laws/mod.rs"]
#[expect(dead_code, reason = "each target needs the laws of its format only")]
mod laws;

use laws::check_lines;
use libfuzzer_sys::fuzz_target;
use lookalike_io::sources::ItemSeparator;

fuzz_target!(|bytes: &[u8]| {
    check_lines("x.txt", bytes, Some(ItemSeparator::Character(',')));
    check_lines("x.jsonl", bytes, Some(ItemSeparator::Blanks));
});
