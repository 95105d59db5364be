//! The innermost loops, in one version per instruction set; all versions give the same bytes.
//!
//! A [`Kernel`] is chosen once ([`Kernel::detect`]) and passed to its users, so that tests can force each version. The
//! scalar version runs everywhere and is the reference: property tests compare the others with it.
//!
//! ```text
//! kernel   Kernel: the versions, detection of the processor, dispatch
//! scalar   the reference version
//! x86      AVX2 and AVX-512
//! vbmi2    AVX-512 with VBMI2
//! neon     64-bit ARM
//! tables   the classes of bytes as tables, for x86 and neon
//! blocks   data that all versions read and write: blocks of text, lanes of documents
//! minima   signatures whose components are minima, as of MinHash
//! sha1     SHA-1 of several short messages at once
//! strings  strings of JSON without their escapes
//! vectors/ products and distances of dense vectors
//! ```

mod blocks;
#[expect(clippy::module_inception, reason = "the type of this module has a file of its own")]
mod kernel;
mod minima;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
mod sha1;
mod strings;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod tables;
#[cfg(target_arch = "x86_64")]
mod vbmi2;
mod vectors;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use blocks::EMPTY_COMPONENT;
pub(crate) use blocks::{Apostrophes, AsciiBlocks, AsciiForm, BLOCK, ByteClasses, LANES, LaneRow, LetterCase};
pub use kernel::Kernel;
pub use minima::Additions;
pub(crate) use minima::{Dimension, Samples};
pub(crate) use sha1::{BLOCK_WORDS, Lanes, SHA1_LANES};
pub(crate) use vectors::{ROWS, Rounding, TILE_LANES, Tile};
