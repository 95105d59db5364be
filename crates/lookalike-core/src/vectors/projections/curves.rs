//! The probability that two vectors agree in one projection.

use std::f64::consts::{PI, SQRT_2};

/// The probability that two vectors with this cosine lie on the same side of a random hyperplane through 0.
pub fn plane_agreement(cosine: f64) -> f64 {
    1.0 - libm::acos(cosine.clamp(-1.0, 1.0)) / PI
}

/// The probability that two vectors at this distance, in widths of a cell, fall into the same cell: with u = 1 /
/// distance and the normal distribution function F, 1 - 2 F(-u) - 2 / (sqrt(2 pi) u) (1 - exp(-u^2 / 2)).
pub fn cell_agreement(distance: f64) -> f64 {
    if distance <= 0.0 {
        return 1.0;
    }
    let cells = 1.0 / distance;
    let outside = libm::erfc(cells / SQRT_2);
    let beside = 2.0 / ((2.0 * PI).sqrt() * cells) * (1.0 - libm::exp(-cells * cells / 2.0));
    (1.0 - outside - beside).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_separate_by_the_angle() {
        for (cosine, agreement) in [(1.0, 1.0), (0.5, 2.0 / 3.0), (0.0, 0.5), (-1.0, 0.0)] {
            assert!((plane_agreement(cosine) - agreement).abs() < 1e-12, "{cosine}");
        }
    }

    /// The probability as an integral over the length of the projected difference (Datar et al. 2004, section 3.1).
    #[test]
    fn cells_are_shared_as_the_integral_says() {
        for distance in [0.05f64, 0.2, 0.5, 1.0, 2.0, 7.0] {
            let steps = 200_000;
            let density = |length: f64| 2.0 / (2.0 * PI).sqrt() * (-(length / distance).powi(2) / 2.0).exp() / distance;
            let strip = |step: i32| (f64::from(step) + 0.5) / f64::from(steps);
            let sum: f64 = (0..steps).map(|step| density(strip(step)) * (1.0 - strip(step))).sum();
            assert!((cell_agreement(distance) - sum / f64::from(steps)).abs() < 1e-6, "{distance}");
        }
        assert_eq!(cell_agreement(0.0), 1.0);
    }
}
