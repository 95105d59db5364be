//! The S-curve as an SVG drawing, with the two areas of error shaded.

use super::table::format_rate;
use crate::commands::drawing::{DrawingForm, write_file};
use anyhow::{Context, Result, ensure};
use lookalike::methods::plan::area_under;
use lookalike::pages::{Area, BLUE, DrawingResult, ORANGE, VERMILION, curve, square, stroke, to_svg};
use plotters::chart::{ChartBuilder, ChartContext, SeriesLabelPosition};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{Cartesian2d, SVGBackend};
use plotters::series::{AreaSeries, LineSeries};
use plotters::style::{BLACK, Color, RGBColor, WHITE};
use std::path::Path;

const CURVE: RGBColor = BLACK;
const FALSE_POSITIVES: RGBColor = ORANGE;
const FALSE_NEGATIVES: RGBColor = BLUE;
const THRESHOLD: RGBColor = VERMILION;

/// The horizontal axis of a drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Axis {
    /// Similarities of this name, from 0 to 1.
    Similarity(&'static str),
    /// Numbers of differing bits of fingerprints that have `width`, from all to none: the closest are on the right, as
    /// with similarities.
    Distance { width: u32 },
    /// Distances of vectors, from the farthest to 0.
    Euclidean { farthest: f64 },
}

impl Axis {
    fn name(self) -> String {
        match self {
            Self::Similarity(name) => name.to_owned(),
            Self::Distance { width } => format!("Hamming distance: differing bits of {width}"),
            Self::Euclidean { .. } => "Euclidean distance".to_owned(),
        }
    }

    /// The place of a similarity.
    pub(super) fn place(self, similarity: f64) -> f64 {
        match self {
            Self::Similarity(_) => similarity,
            Self::Euclidean { farthest } => (1.0 - similarity) * farthest,
            Self::Distance { width } => (1.0 - similarity) * f64::from(width),
        }
    }

    /// A number along the axis.
    fn spelled(self, place: f64) -> String {
        match self {
            Self::Similarity(_) => format!("{place:.1}"),
            Self::Euclidean { .. } => format!("{place:.2}"),
            Self::Distance { .. } => format!("{place:.0}"),
        }
    }

    /// The name of the threshold.
    fn threshold(self, threshold: f64) -> String {
        match self {
            Self::Similarity(_) => format!("threshold {threshold}"),
            Self::Distance { .. } => format!("distance {}", self.place(threshold).round()),
            Self::Euclidean { .. } => format!("distance {:.2}", self.place(threshold)),
        }
    }
}

/// A curve to draw: the probability that a pair becomes a candidate, by its similarity.
pub(super) struct Curve<'a> {
    pub(super) axis: Axis,
    /// The name of the curve.
    pub(super) label: String,
    pub(super) threshold: f64,
    pub(super) probability: Box<dyn Fn(f64) -> f64 + 'a>,
}

impl Curve<'_> {
    fn points(&self, from: f64, to: f64) -> impl Iterator<Item = (f64, f64)> {
        curve(from, to, &self.probability).map(|(similarity, share)| (self.axis.place(similarity), share))
    }
}

type CurveChart<'svg, 'text> = ChartContext<'svg, SVGBackend<'text>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Draws the curve into `path`, which is replaced only by a finished drawing.
///
/// # Errors
/// If the extension is another one than `.svg`, or the file cannot be written, with its path.
pub(super) fn write(curve: &Curve<'_>, path: &Path) -> Result<()> {
    ensure!(
        DrawingForm::from_path(path) == Some(DrawingForm::Svg),
        "{} cannot be drawn: --plot draws SVG; name it {}",
        path.display(),
        path.with_extension("svg").display()
    );
    let svg = draw(curve)?;
    write_file(path, &svg).with_context(|| format!("cannot write the drawing {}", path.display()))
}

fn draw(curve: &Curve<'_>) -> Result<String> {
    Ok(to_svg("the S-curve", |area| draw_chart(area, curve))?)
}

fn draw_chart(area: &Area<'_>, curve: &Curve<'_>) -> DrawingResult<()> {
    let mut chart = ChartBuilder::on(area)
        .margin(40)
        .x_label_area_size(100)
        .y_label_area_size(120)
        .build_cartesian_2d(curve.axis.place(0.0)..curve.axis.place(1.0), 0.0..1.0)?;
    chart
        .configure_mesh()
        .x_labels(11)
        .y_labels(11)
        .light_line_style(WHITE)
        .x_desc(curve.axis.name())
        .x_label_formatter(&|place| curve.axis.spelled(*place))
        .y_desc("probability that a pair becomes a candidate")
        .axis_desc_style(("sans-serif", 32))
        .label_style(("sans-serif", 26))
        .draw()?;
    draw_areas(&mut chart, curve)?;
    draw_lines(&mut chart, curve)?;
    chart
        .configure_series_labels()
        .position(legend_position(curve))
        .legend_area_size(50)
        .margin(20)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 28))
        .draw()?;
    Ok(())
}

/// The corner that the curve leaves free: it passes under the upper left one, or else over the lower right one.
fn legend_position(curve: &Curve<'_>) -> SeriesLabelPosition {
    let passes_under = (curve.probability)(0.4) < 0.75;
    if passes_under { SeriesLabelPosition::UpperLeft } else { SeriesLabelPosition::LowerRight }
}

fn draw_areas(chart: &mut CurveChart<'_, '_>, curve: &Curve<'_>) -> DrawingResult<()> {
    let threshold = curve.threshold;
    let probability = &curve.probability;
    let below = AreaSeries::new(curve.points(0.0, threshold), 0.0, FALSE_POSITIVES.mix(0.5));
    let label = format!("false positives: area {}", format_rate(area_under(0.0, threshold, probability)));
    chart.draw_series(below)?.label(label).legend(square(FALSE_POSITIVES.mix(0.5).filled()));
    let above = AreaSeries::new(curve.points(threshold, 1.0), 1.0, FALSE_NEGATIVES.mix(0.5));
    let missed = area_under(threshold, 1.0, |similarity| 1.0 - probability(similarity));
    let label = format!("false negatives: area {}", format_rate(missed));
    chart.draw_series(above)?.label(label).legend(square(FALSE_NEGATIVES.mix(0.5).filled()));
    Ok(())
}

fn draw_lines(chart: &mut CurveChart<'_, '_>, curve: &Curve<'_>) -> DrawingResult<()> {
    let style = CURVE.stroke_width(4);
    let threshold = curve.threshold;
    let line = LineSeries::new(curve.points(0.0, 1.0), style);
    chart.draw_series(line)?.label(curve.label.clone()).legend(stroke(style));
    let style = THRESHOLD.stroke_width(4);
    let label = format!("{}: P = {}", curve.axis.threshold(threshold), format_rate((curve.probability)(threshold)));
    let place = curve.axis.place(threshold);
    let upright = LineSeries::new([(place, 0.0), (place, 1.0)], style);
    chart.draw_series(upright)?.label(label).legend(stroke(style));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::bands_plan;
    use super::*;

    fn classic(threshold: &str) -> Curve<'static> {
        bands_plan(&format!("--bands 20 --rows 5 -t {threshold}")).plan().unwrap().curve.unwrap()
    }

    #[test]
    fn drawing_shades_and_names_both_areas() {
        let svg = draw(&classic("0.8")).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert_eq!(svg.matches("<polygon").count(), 2, "{svg}");
        for label in [
            "false positives: area 0.29866",
            "false negatives: area 0.00000520",
            "threshold 0.8: P = 0.99964",
            "20 bands x 5 rows",
        ] {
            assert!(svg.contains(label), "{label}");
        }
        // Each element of plotters closes itself or holds text alone.
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
    }

    #[test]
    fn drawing_replaces_an_older_one_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("curve.svg");
        std::fs::write(&path, "old").unwrap();
        write(&classic("0.5"), &path).unwrap();
        assert!(std::fs::read_to_string(&path).unwrap().starts_with("<svg"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn another_extension_than_svg_is_refused_with_the_name_to_give() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["curve.png", "curve", "curve.svg.gz"] {
            let error = write(&classic("0.5"), &folder.path().join(name)).unwrap_err().to_string();
            assert!(error.contains(name) && error.ends_with(".svg"), "{error}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_path_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("curve.svg");
        let error = write(&classic("0.5"), &path).unwrap_err();
        assert!(format!("{error:#}").contains(path.to_str().unwrap()), "{error:#}");
        assert!(write(&classic("0.5"), folder.path()).is_err());
    }
}
