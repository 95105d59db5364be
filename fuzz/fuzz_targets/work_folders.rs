//! Checkpoints with right checksums and any content.

#![no_main]

#[path = "../../crates/lookalike/tests/laws/mod.rs"]
#[expect(dead_code, reason = "each target needs the laws of its files only")]
mod laws;

use laws::work_folders::check_checkpoint;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, u16, Vec<u8>)| {
    let (which, part, place, content) = input;
    check_checkpoint(usize::from(which), usize::from(part), usize::from(place), &content);
});
