//! Manifests of work folders: any bytes, and any folder and name with right checksums.

#![no_main]

#[path = "../../crates/lookalike/tests/laws/mod.rs"]
#[expect(dead_code, reason = "each target needs the laws of its files only")]
mod laws;

use laws::check_manifest;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<u8>, Vec<u8>, String)| {
    let (bytes, folder, name) = input;
    check_manifest(&bytes, &folder, &name);
});
