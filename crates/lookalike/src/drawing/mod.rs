//! Drawings: the histogram of similarities, and what it has in common with the drawings of the doors.

mod facts;
mod histogram;
mod svg;

pub use facts::HistogramFacts;
pub use histogram::draw_histogram;
pub use svg::{Area, BLUE, DrawingResult, ORANGE, VERMILION, curve, square, stroke, to_svg};
