//! The common parts of all drawings: size, colours, curves and the signs of a legend.
//!
//! plotters draws without any font library: the SVG names a font family and the program that shows it brings the
//! letters.

use crate::base::{Error, Result};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{PathElement, Rectangle};
use plotters::prelude::SVGBackend;
use plotters::style::{RGBColor, ShapeStyle, WHITE};

// The palette of Okabe and Ito, told apart with any colour vision.
/// A blue.
pub const BLUE: RGBColor = RGBColor(0, 114, 178);
/// An orange.
pub const ORANGE: RGBColor = RGBColor(230, 159, 0);
/// A vermilion.
pub const VERMILION: RGBColor = RGBColor(213, 94, 0);

/// Large, since plotters rounds to whole pixels and curves would show steps; an SVG can be shown at any size.
const SIZE: (u32, u32) = (1600, 1120);
/// Points of a curve from one end to the other.
const POINTS: u32 = 400;

/// The result of a call of plotters.
pub type DrawingResult<T> = std::result::Result<T, Box<dyn std::error::Error>>;
/// The area of a drawing.
pub type Area<'svg> = DrawingArea<SVGBackend<'svg>, Shift>;

/// The SVG of a drawing on white ground; `name` is what errors call it.
///
/// # Errors
/// If plotters cannot draw it.
pub fn to_svg(name: &str, draw: impl FnOnce(&Area<'_>) -> DrawingResult<()>) -> Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let filled = area.fill(&WHITE).map_err(Into::into);
        let drawn = filled.and_then(|()| draw(&area)).and_then(|()| Ok(area.present()?));
        drawn.map_err(|reason: Box<dyn std::error::Error>| Error::NotDrawn {
            name: name.to_owned(),
            reason: reason.to_string(),
        })?;
    }
    Ok(svg)
}

/// The points of the curve of a function.
pub fn curve(from: f64, to: f64, function: impl Fn(f64) -> f64) -> impl Iterator<Item = (f64, f64)> {
    let places = (0..=POINTS).map(move |point| from + (to - from) * f64::from(point) / f64::from(POINTS));
    places.map(move |place| (place, function(place)))
}

/// The sign of an area in a legend.
pub fn square(style: ShapeStyle) -> impl Fn((i32, i32)) -> Rectangle<(i32, i32)> {
    move |(x, y)| Rectangle::new([(x, y - 12), (x + 32, y + 12)], style)
}

/// The sign of a line in a legend.
pub fn stroke(style: ShapeStyle) -> impl Fn((i32, i32)) -> PathElement<(i32, i32)> {
    move |(x, y)| PathElement::new(vec![(x, y), (x + 32, y)], style)
}
