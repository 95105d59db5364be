//! Snapshots with right checksums and any content.

#![no_main]

#[path = "../../crates/lookalike/tests/laws/mod.rs"]
#[expect(dead_code, reason = "each target needs the laws of its files only")]
mod laws;

use laws::check_snapshot;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, [Vec<u8>; 6])| {
    let (documents, contents) = input;
    check_snapshot(usize::from(documents), &contents.each_ref().map(|content| &content[..]));
});
