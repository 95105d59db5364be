//! One text with its differences from another in place, as `git diff --word-diff` shows them: `[-only in A-]`,
//! `{+only in B+}`. Of common text some words are shown on each side of a difference.

use super::lines::{beginning_on_one_line, omitted};
use crate::messages::{ADDED, FAINT, REMOVED, counted, styled};
use lookalike::{
    doors::escaped,
    evidence::{Aligned, Comparison, TextDifference, aligned},
};
use std::io::{self, Write};

/// Words that are shown before and after a difference.
const CONTEXT: usize = 8;
/// Up to this number of words nothing is left out.
const MIN_LEFT_OUT: usize = 4;
/// Maximum number of differences that are shown.
const MAX_SHOWN_DIFFERENCES: usize = 40;
/// Maximum number of characters shown of one side of a difference.
const MAX_SHOWN_CHARACTERS: usize = 400;

/// Writes how many differences there are, and the first of them.
pub(super) fn write_differences(found: &Comparison, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", heading(found))?;
    if found.differences.is_empty() {
        return writeln!(out);
    }
    let mut text = String::from("    ");
    let parts = shown_parts(found);
    for (number, part) in parts.iter().enumerate() {
        text += &match part {
            Aligned::Changed(place) => format_change(found, place),
            Aligned::Common(place) => {
                let common = found.left_text.get(place.left.clone()).unwrap_or_default();
                format_common(common, DifferenceSides::new(number, parts.len()))
            }
        };
    }
    writeln!(out, "\n{}", text.trim_end())?;
    write_rest(found, out)?;
    writeln!(out)
}

/// Says that there are more differences than are shown.
pub(super) fn write_rest(found: &Comparison, out: &mut impl Write) -> io::Result<()> {
    match found.differences.len().checked_sub(MAX_SHOWN_DIFFERENCES) {
        None | Some(0) => Ok(()),
        Some(rest) => {
            let more = counted(rest as u64, "more difference");
            writeln!(out, "\n{}", styled(FAINT, omitted(more)))
        }
    }
}

/// Both texts side by side as far as differences are shown.
pub(super) fn shown_parts(found: &Comparison) -> Vec<Aligned> {
    let shown = &found.differences[..found.differences.len().min(MAX_SHOWN_DIFFERENCES)];
    let ends = match found.differences.get(shown.len()) {
        Some(next) => [next.left.start, next.right.start],
        None => [found.left_text.len(), found.right_text.len()],
    };
    aligned(shown, ends)
}

/// The number of differences, in a line.
pub(super) fn heading(found: &Comparison) -> String {
    let count = found.differences.len() as u64;
    match count {
        0 if found.are_identical => "no difference".to_owned(),
        0 => "no difference but white space".to_owned(),
        _ if found.overlap.is_of_equal_sets() => {
            format!("{}, though all shingles are equal:", counted(count, "difference"))
        }
        _ => format!("{}:", counted(count, "difference")),
    }
}

/// Common text with differences on these sides; words far from them are left out.
fn format_common(text: &str, sides: DifferenceSides) -> String {
    let Excerpt { begin, left_out, end } = Excerpt::new(text, sides);
    let Some(words) = left_out else { return on_lines(begin) + &on_lines(end) };
    let line_break = |shown: &str| if shown.is_empty() { "" } else { "\n    " };
    let mark = styled(FAINT, format_args!("[... {} ...]", counted(words as u64, "word")));
    format!("{}{}{mark}{}{}", on_lines(begin), line_break(begin), line_break(end), on_lines(end))
}

/// A difference: the text of A that is not in B, the text of B that is not in A, or both.
fn format_change(found: &Comparison, TextDifference { left, right }: &TextDifference) -> String {
    let left_text = &found.left_text;
    let right_text = &found.right_text;
    let shortened = |text: Option<&str>| beginning_on_one_line(text.unwrap_or_default(), MAX_SHOWN_CHARACTERS);
    let removed = shortened(left_text.get(left.clone()));
    let added = shortened(right_text.get(right.clone()));
    if !removed.is_empty() {
        let added = if added.is_empty() { added } else { styled(ADDED, format_args!("{{+{added}+}}")) };
        return styled(REMOVED, format_args!("[-{removed}-]")) + &added;
    }
    // What only B has stands in a gap of A, with the white space that it has in B.
    let ends_with = |text: &str, at: usize| text.get(..at).unwrap_or_default().ends_with(char::is_whitespace);
    let starts_with = |text: &str, at: usize| text.get(at..).unwrap_or_default().starts_with(char::is_whitespace);
    let before = ends_with(right_text, right.start) && !ends_with(left_text, left.start);
    let after = starts_with(right_text, right.end) && !starts_with(left_text, left.end);
    let space = |is_needed| if is_needed { " " } else { "" };
    format!("{}{}{}", space(before), styled(ADDED, format_args!("{{+{added}+}}")), space(after))
}

/// Sides of a common text on which differences are.
#[derive(Debug, Clone, Copy)]
pub(super) struct DifferenceSides {
    before: bool,
    after: bool,
}

impl DifferenceSides {
    pub(super) fn new(number: usize, parts: usize) -> Self {
        Self { before: number > 0, after: number + 1 < parts }
    }
}

/// Words of a text next to differences.
pub(super) struct Excerpt<'a> {
    pub(super) begin: &'a str,
    /// Number of words between; `None` if all are shown.
    pub(super) left_out: Option<usize>,
    pub(super) end: &'a str,
}

impl<'a> Excerpt<'a> {
    pub(super) fn new(text: &'a str, sides: DifferenceSides) -> Self {
        let words: Vec<&str> = text.split_whitespace().collect();
        let shown = |is_next: bool| if is_next { CONTEXT } else { 0 };
        let first = shown(sides.before);
        let last = shown(sides.after);
        // A mark in the place of few words is longer than these.
        if words.len() <= first + last + MIN_LEFT_OUT {
            return Self { begin: text, left_out: None, end: "" };
        }
        let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let begin = words[..first].last().map_or(0, |word| place(word) + word.len());
        let end = words[words.len() - last..].first().map_or(text.len(), |word| place(word));
        Self { begin: &text[..begin], left_out: Some(words.len() - first - last), end: &text[end..] }
    }
}

/// A text as it stands, without blank lines.
fn on_lines(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let is_shown = |number: usize, line: &str| number == 0 || number + 1 == lines.len() || !line.trim().is_empty();
    let shown = lines.iter().enumerate().filter(|(number, line)| is_shown(*number, line));
    shown.map(|(_, line)| escaped(line)).collect::<Vec<_>>().join("\n    ")
}
