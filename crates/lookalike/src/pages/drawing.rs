//! The histogram as an SVG drawing: bars of pairs and of refused candidates on a logarithmic scale, the S-curve of the
//! method over them, and the threshold.

use super::histogram::{Bin, HistogramFacts};
use super::svg::{Area, BLUE, DrawingResult, ORANGE, VERMILION, curve, square, stroke, to_svg};
use crate::base::Result;
use crate::decide::SimilarityBins;
use lookalike_core::with_number;
use plotters::chart::{ChartBuilder, DualCoordChartContext, SeriesLabelPosition};
use plotters::coord::combinators::{IntoLogRange, LogCoord};
use plotters::coord::types::RangedCoordf64;
use plotters::element::Rectangle;
use plotters::prelude::{Cartesian2d, SVGBackend};
use plotters::series::LineSeries;
use plotters::style::{BLACK, Color, RGBColor, WHITE};

const PAIRS: RGBColor = BLUE;
const REFUSED: RGBColor = ORANGE;
const CURVE: RGBColor = BLACK;
const THRESHOLD: RGBColor = VERMILION;
/// Share of the height that the bars leave free for the legend.
const HEADROOM: f64 = 0.32;
/// The lower end of the scale: a bar of one pair is seen.
const LOWEST: f64 = 0.5;

type CountAxes = Cartesian2d<RangedCoordf64, LogCoord<f64>>;
type ShareAxes = Cartesian2d<RangedCoordf64, RangedCoordf64>;
type HistogramChart<'svg, 'text> = DualCoordChartContext<'svg, SVGBackend<'text>, CountAxes, ShareAxes>;

/// Draws the histogram as SVG.
///
/// # Errors
/// If it cannot be drawn.
pub fn draw_histogram(facts: &HistogramFacts<'_>) -> Result<String> {
    to_svg("the histogram", |area| draw_chart(area, facts))
}

fn draw_chart(area: &Area<'_>, facts: &HistogramFacts<'_>) -> DrawingResult<()> {
    let first = facts.first_bin() as f64 / SimilarityBins::BINS as f64;
    let largest_of = |bin: &Bin| (bin.pairs as f64).max(bin.estimated_refused_candidates);
    let largest = facts.bins().iter().map(largest_of).fold(1.0, f64::max);
    let top = LOWEST * (largest / LOWEST).powf(1.0 / (1.0 - HEADROOM));
    let mut chart = ChartBuilder::on(area)
        .margin(40)
        .x_label_area_size(100)
        .y_label_area_size(150)
        .right_y_label_area_size(130)
        .build_cartesian_2d(first..1.0, (LOWEST..top).log_scale())?
        .set_secondary_coord(first..1.0, 0.0..1.0 / (1.0 - HEADROOM));
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(11)
        .y_labels(8)
        .light_line_style(WHITE)
        .x_desc(facts.axis_label())
        .y_desc(format!("{} in a hundredth of similarity", with_number(2, facts.noun)))
        // Without zeros at its end: the last label stands below those of the axis on the right.
        .x_label_formatter(&|similarity| format!("{}", (similarity * 100.0).round() / 100.0))
        .y_label_formatter(&|count| spelled(*count))
        .axis_desc_style(("sans-serif", 32))
        .label_style(("sans-serif", 26))
        .draw()?;
    chart
        .configure_secondary_axes()
        .y_desc("probability that a pair is found")
        .y_labels(8)
        .y_label_formatter(&|share| if *share > 1.0 { String::new() } else { format!("{share:.1}") })
        .axis_desc_style(("sans-serif", 32))
        .label_style(("sans-serif", 26))
        .draw()?;
    draw_bars(&mut chart, facts)?;
    draw_lines(&mut chart, facts, first)?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperMiddle)
        .legend_area_size(50)
        .margin(16)
        .background_style(WHITE.mix(0.9))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 28))
        .draw()?;
    Ok(())
}

/// A count of the scale, whose labels are powers of ten.
fn spelled(count: f64) -> String {
    match count {
        _ if count >= 1e6 => format!("{} M", count / 1e6),
        _ if count >= 1e3 => format!("{} k", count / 1e3),
        _ => format!("{count}"),
    }
}

fn draw_bars(chart: &mut HistogramChart<'_, '_>, facts: &HistogramFacts<'_>) -> DrawingResult<()> {
    let bar = |from: f64, to: f64, count: f64, color: RGBColor| {
        // A gap between bars, as wide as a fifth of one.
        let gap = (to - from) / 10.0;
        Rectangle::new([(from + gap, LOWEST), (to - gap, count)], color.filled())
    };
    let bins: Vec<_> = facts.bins().into_iter().skip(facts.first_bin()).collect();
    // In the bin of the threshold both occur: each gets a half.
    let middle = |from: f64, to: f64| f64::midpoint(from, to);
    let refused = bins.iter().filter(|bin| bin.estimated_refused_candidates > LOWEST).map(|bin| {
        let end = if bin.pairs > 0 { middle(bin.from, bin.to) } else { bin.to };
        bar(bin.from, end, bin.estimated_refused_candidates, REFUSED)
    });
    if let Some(label) = facts.refused_label() {
        chart.draw_series(refused)?.label(label).legend(square(REFUSED.filled()));
    }
    let pairs = bins.iter().filter(|bin| bin.pairs > 0).map(|bin| {
        let is_shared = bin.estimated_refused_candidates > LOWEST;
        let start = if is_shared { middle(bin.from, bin.to) } else { bin.from };
        bar(start, bin.to, bin.pairs as f64, PAIRS)
    });
    chart.draw_series(pairs)?.label(facts.pairs_label()).legend(square(PAIRS.filled()));
    Ok(())
}

fn draw_lines(chart: &mut HistogramChart<'_, '_>, facts: &HistogramFacts<'_>, first: f64) -> DrawingResult<()> {
    let style = CURVE.stroke_width(4);
    let start = if facts.method.is_complete() { facts.threshold.max(first) } else { first };
    let curve = LineSeries::new(curve(start, 1.0, |similarity| facts.method.probability(similarity)), style);
    chart.draw_secondary_series(curve)?.label(facts.curve_label()).legend(stroke(style));
    let style = THRESHOLD.stroke_width(4);
    let upright = LineSeries::new([(facts.threshold, 0.0), (facts.threshold, 1.0)], style);
    chart.draw_secondary_series(upright)?.label(format!("threshold {}", facts.threshold)).legend(stroke(style));
    Ok(())
}
