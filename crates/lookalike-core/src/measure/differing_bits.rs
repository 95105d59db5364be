//! The number of bits in which two fingerprints differ, as a count and as a similarity.

/// In how many bits two fingerprints differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DifferingBits {
    /// Number of bits in which they differ.
    pub differing: u32,
    /// Width of the fingerprints in bits.
    pub width: u32,
}

impl DifferingBits {
    /// The share 1 - d / width of equal bits.
    pub fn similarity(self) -> f64 {
        1.0 - f64::from(self.differing) / f64::from(self.width)
    }
}

/// The distance of fingerprints of `width` bits with this similarity.
pub fn distance_of(similarity: f64, width: u32) -> u32 {
    ((1.0 - similarity) * f64::from(width)).round() as u32
}
