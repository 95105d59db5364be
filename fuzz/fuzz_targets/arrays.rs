//! Arrays of the corpus in a work folder, with right checksums and any content.

#![no_main]

#[path = "../../crates/lookalike/tests/laws/mod.rs"]
#[expect(dead_code, reason = "each target needs the laws of its files only")]
mod laws;

use laws::work_folders::{Progress, check_arrays};
use libfuzzer_sys::fuzz_target;

/// What stands at a place of an array: a number at the place of an item, or any bytes.
type Edit = (u8, u16, Result<u64, Vec<u8>>);

fuzz_target!(|input: (u8, u8, u8, Vec<Edit>)| {
    let (which, documents, progress, edits) = input;
    let progress = match progress {
        // Most often all is read.
        blocks @ 0..4 => Progress::Reading(blocks.into()),
        4..128 => Progress::Read,
        _ => Progress::Compared,
    };
    let edits: Vec<(usize, usize, Vec<u8>)> = edits
        .into_iter()
        .map(|(array, place, content)| match content {
            Ok(number) => (array.into(), 8 * usize::from(place), number.to_le_bytes().to_vec()),
            Err(bytes) => (array.into(), place.into(), bytes),
        })
        .collect();
    let edits: Vec<_> = edits.iter().map(|(array, place, content)| (*array, *place, &content[..])).collect();
    check_arrays(which.into(), documents.into(), progress, &edits);
});
