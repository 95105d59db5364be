//! What is wrong with a text that should be a fingerprint.

use super::counted;

/// Maximum width of a fingerprint in bits.
pub const MAX_WIDTH: u32 = 1 << 16;

/// Why a text is no fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotBits {
    /// It has other characters than digits.
    #[error("`{found}` is not hexadecimal")]
    NotHexadecimal {
        /// The text, or its beginning.
        found: String,
    },
    /// It has another width.
    #[error(
        "{} {} {} bits; a fingerprint of {} has {}",
        counted(*digits as u64, "hexadecimal digit"),
        if *digits == 1 { "has" } else { "have" },
        digits * 4,
        counted((*expected).into(), "bit"),
        expected.div_ceil(4)
    )]
    Width {
        /// Number of its digits.
        digits: usize,
        /// The wanted width in bits.
        expected: u32,
    },
    /// It has bits beyond the width, which is no multiple of four.
    #[error("`{found}` has more than {}", counted((*expected).into(), "bit"))]
    TooWide {
        /// The text.
        found: String,
        /// The wanted width in bits.
        expected: u32,
    },
}
