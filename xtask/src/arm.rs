//! The tests of the core on 64-bit ARM, under emulation: the NEON kernel must be right where no ARM processor is at
//! hand.

use crate::run::{cargo, output, succeeds};
use anyhow::{Result, bail};
use std::path::Path;

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const EMULATOR: &str = "qemu-aarch64";
/// Where Debian's cross compiler has the C library.
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";

/// Runs the tests, or fails if something for them is missing.
pub(crate) fn test() -> Result<()> {
    if cfg!(target_arch = "aarch64") {
        return cargo(&["test", "--package", "lookalike-core", "--lib", "--quiet"], &[]);
    }
    if let Some(missing) = missing() {
        bail!("{missing}");
    }
    let environment = [
        ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER),
        ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", EMULATOR),
        ("QEMU_LD_PREFIX", LIBRARIES),
    ];
    cargo(&["test", "--package", "lookalike-core", "--lib", "--target", TARGET, "--quiet"], &environment)
}

/// What this machine lacks for the tests.
pub(crate) fn missing() -> Option<String> {
    let libraries = output(Path::new("rustc"), &["--print", "target-libdir", "--target", TARGET]);
    if !libraries.is_ok_and(|folder| Path::new(folder.trim_end()).exists()) {
        return Some(format!("Rust cannot build for ARM here (rustup target add {TARGET})"));
    }
    for (program, package) in [(LINKER, "gcc-aarch64-linux-gnu"), (EMULATOR, "qemu-user")] {
        if !succeeds(program, &["--version"]) {
            return Some(format!("no {program} here (Debian's package {package})"));
        }
    }
    None
}
