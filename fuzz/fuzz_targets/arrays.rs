//! Arrays of the corpus in a work folder, with right checksums and any content.

#![no_main]

#[path = "../../crates/lookalike/tests/laws/mod.rs"]
#[expect(dead_code, reason = "each target needs the laws of its files only")]
mod laws;

use laws::work_folders::{Progress, check_arrays};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, u8, Vec<(u8, u16, Vec<u8>)>)| {
    let (which, documents, progress, edits) = input;
    let progress = match progress {
        // Most often all is read.
        blocks @ 0..4 => Progress::Reading(blocks.into()),
        4..128 => Progress::Read,
        _ => Progress::Compared,
    };
    let edits: Vec<_> =
        edits.iter().map(|(array, place, content)| (usize::from(*array), usize::from(*place), &content[..])).collect();
    check_arrays(usize::from(which), usize::from(documents), progress, &edits);
});
