//! Lines of tables to read.
//!
//! Numbers are aligned on the left: all that share a column start with `0.` or `1.`, so their points stand below each
//! other however many digits a small one needs.

use std::fmt::Display;

/// Widths of a name and of a value.
const NAME: usize = 46;
const VALUE: usize = 14;

/// A name with two values.
pub(super) fn line(name: &str, first: impl Display, second: impl Display) -> String {
    let line = format!("  {name:<NAME$}  {first:<VALUE$}  {second}");
    line.trim_end().to_owned() + "\n"
}

/// 0.8 as 0.80, but 0.875 as it is.
pub(super) fn with_two_decimals(similarity: f64) -> String {
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

/// Points of a curve by `axis`, with the probability that a pair shares a `bucket`.
pub(super) fn curve_table(axis: &str, bucket: &str, rows: impl Iterator<Item = CurveRow>) -> String {
    let line = |CurveRow { label, probability, is_threshold }: CurveRow| {
        let mark = if is_threshold { "  <- threshold" } else { "" };
        format!("  {:<24}{}\n", label + mark, format_rate(probability))
    };
    let lines: String = rows.map(line).collect();
    format!("\n  {axis:<24}probability that a pair meets in a {bucket}\n{lines}")
}

/// Five decimals, and three digits of a smaller rate; never 1 or 0 for what only comes near.
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
