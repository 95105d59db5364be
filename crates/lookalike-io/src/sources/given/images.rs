//! Documents that are images: files that become fingerprints or vectors when they are read.

use super::{Digits, Fingerprints, GivenVectors};
use lookalike_core::features::Pixels;
use lookalike_core::measure::Threshold;
use serde::{Deserialize, Serialize};

/// What images are compared by. Stored in lower case, joined by `-`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImageFeatures {
    /// A perceptual hash, a fingerprint of 64 bits.
    ImageHash,
    /// A vector of the colours of 8 x 8 cells.
    ImageVector,
}

impl ImageFeatures {
    /// The distance within which hashes of images are near-duplicates, if nothing else is said: a strict one, because
    /// files are deleted by it. Images of one kind, as forms and windows of programs, are often alike beyond it.
    pub const DISTANCE: u32 = 4;

    /// The cosine from which on vectors of images are near-duplicates, if nothing else is said: 0.98.
    pub fn threshold() -> Threshold {
        Threshold::try_from(0.98).unwrap_or_default()
    }

    /// How the fingerprints are read that images become, if they become such.
    pub(crate) fn fingerprints(self) -> Option<Fingerprints> {
        match self {
            Self::ImageHash => Some(Fingerprints { width: Pixels::HASH_BITS, digits: Digits::Hex }),
            Self::ImageVector => None,
        }
    }

    /// Whether images become vectors.
    pub(crate) fn vectors(self) -> GivenVectors {
        match self {
            Self::ImageHash => GivenVectors::Absent,
            Self::ImageVector => GivenVectors::Any,
        }
    }
}
