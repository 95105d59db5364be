//! The tests of the core on 64-bit ARM, under emulation: the NEON kernel must be right where no ARM processor is at
//! hand. Needed are the target of Rust (`rustup target add`), and of Debian's packages `gcc-aarch64-linux-gnu` and
//! `qemu-user`.

use crate::run::cargo;
use anyhow::Result;

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const EMULATOR: &str = "qemu-aarch64";
/// Folder in which Debian's cross compiler has the C library.
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";

/// Runs the tests.
pub(crate) fn test() -> Result<()> {
    if cfg!(target_arch = "aarch64") {
        return cargo(&["test", "--package", "lookalike-core", "--lib", "--quiet"], &[]);
    }
    let environment = [
        ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER),
        ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", EMULATOR),
        ("QEMU_LD_PREFIX", LIBRARIES),
    ];
    cargo(&["test", "--package", "lookalike-core", "--lib", "--target", TARGET, "--quiet"], &environment)
}
