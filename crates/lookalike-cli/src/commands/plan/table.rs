//! Tables of plans in text, and the similarities and rates in them.
//!
//! Numbers are aligned on the left: all numbers of a column start with `0.` or `1.`, so their decimal points are
//! aligned, however many digits a small number needs.

use std::fmt::Display;

/// Width of a name.
const NAME_WIDTH: usize = 46;
/// Width of a value.
const VALUE_WIDTH: usize = 14;

/// A name with two values.
pub(super) fn line(name: &str, first: impl Display, second: impl Display) -> String {
    let line = format!("  {name:<NAME_WIDTH$}  {first:<VALUE_WIDTH$}  {second}");
    line.trim_end().to_owned() + "\n"
}

/// A similarity with two decimals, or with more if it has more: 0.80, 0.875.
pub(super) fn with_at_least_two_decimals(similarity: f64) -> String {
    let short = format!("{similarity:.2}");
    let full = similarity.to_string();
    if short.len() > full.len() { short } else { full }
}

/// A point of a curve in a table.
pub(super) struct CurveRow {
    /// Similarity or distance of a pair.
    pub(super) label: String,
    pub(super) probability: f64,
    pub(super) is_threshold: bool,
}

/// A table of the points of a curve. `axis` is the heading of the labels, `bucket` the noun of what candidates share.
pub(super) fn curve_table(axis: &str, bucket: &str, rows: impl Iterator<Item = CurveRow>) -> String {
    let format_row = |CurveRow { label, probability, is_threshold }: CurveRow| {
        let mark = if is_threshold { "  <- threshold" } else { "" };
        format!("  {:<24}{}\n", label + mark, format_rate(probability))
    };
    let lines: String = rows.map(format_row).collect();
    format!("\n  {axis:<24}probability that a pair meets in a {bucket}\n{lines}")
}

/// A rate with five decimals, below 0.001 with three significant digits; a rate below 1 is never rounded to 1, nor one
/// above 0 to 0.
pub(super) fn format_rate(rate: f64) -> String {
    if (0.999_995..1.0).contains(&rate) {
        return "> 0.99999".to_owned();
    }
    if rate <= 0.0 || rate >= 0.001 {
        return format!("{rate:.5}");
    }
    let decimals = 2 - rate.log10().floor() as i32;
    if decimals > 10 { format!("{rate:.2e}") } else { format!("{rate:.*}", decimals as usize) }
}

/// Twenty similarities up to 1, and `others`, ascending.
pub(super) fn similarities(others: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut all: Vec<f64> = (1..=20).map(|step| f64::from(step) / 20.0).chain(others).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_keep_their_digits_and_never_round_to_certainty() {
        let shown = [
            (0.0, "0.00000"),
            (1.0, "1.00000"),
            (0.25, "0.25000"),
            (0.000_355_6, "0.000356"),
            (0.000_999_9, "0.001000"),
            (0.999_999_9, "> 0.99999"),
            (1.234e-12, "1.23e-12"),
        ];
        for (rate, expected) in shown {
            assert_eq!(format_rate(rate), expected);
        }
    }
}
