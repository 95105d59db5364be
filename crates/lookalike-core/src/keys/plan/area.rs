//! Areas under curves.

/// Width of the strips in numerical integration.
const STRIP: f64 = 0.001;

/// The area under a curve from one similarity to another, by the midpoints of strips of at most 0.001.
pub fn area_under(from: f64, to: f64, height: impl Fn(f64) -> f64) -> f64 {
    // Subtracting 1e-9 gives 800 strips for 0.8 / 0.001, whichever way it is rounded.
    let strips = ((to - from) / STRIP - 1e-9).ceil().max(0.0) as u32;
    let width = (to - from) / f64::from(strips.max(1));
    let heights = (0..strips).map(|strip| height(from + (f64::from(strip) + 0.5) * width));
    // A fold, because `sum` of no strips is -0.0.
    width * heights.fold(0.0, |sum, height| sum + height)
}
