//! Two texts in two columns. Lines stand beside each other where both texts begin one at the same word, and around
//! what is left out.

use super::differences::{DifferenceSides, Excerpt, heading, shown_parts, write_rest};
use crate::messages::{ADDED, FAINT, REMOVED, counted, styled};
use crate::table::width;
use anstyle::Style;
use lookalike::{
    doors::escaped,
    evidence::{Aligned, Comparison, TextDifference, paired_lines},
};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Between the columns.
const GAP: &str = " | ";
/// Columns of text are not made narrower.
const MIN_WIDTH: usize = 20;

/// Writes both texts as far as differences are shown, and what both have near them.
pub(super) fn write_columns(found: &Comparison, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}\n", heading(found))?;
    let column_width = (width().saturating_sub(GAP.len()) / 2).max(MIN_WIDTH);
    let mut columns =
        TextColumns { width: column_width, sides: [WrappedColumn::default(), WrappedColumn::default()], out };
    let parts = shown_parts(found);
    for (number, part) in parts.iter().enumerate() {
        let (Aligned::Common(TextDifference { left, right }) | Aligned::Changed(TextDifference { left, right })) = part;
        let texts = [(&found.left_text, left), (&found.right_text, right)];
        let texts = texts.map(|(text, place)| text.get(place.clone()).unwrap_or_default());
        match part {
            Aligned::Changed(_) => columns.add_changed(texts),
            Aligned::Common(_) => columns.add_excerpt(texts, DifferenceSides::new(number, parts.len()))?,
        }
    }
    columns.flush()?;
    write_rest(found, out)?;
    writeln!(out)
}

struct TextColumns<'o, W> {
    width: usize,
    sides: [WrappedColumn; 2],
    out: &'o mut W,
}

impl<W: Write> TextColumns<'_, W> {
    fn add_changed(&mut self, texts: [&str; 2]) {
        for ((column, text), style) in self.sides.iter_mut().zip(texts).zip([REMOVED, ADDED]) {
            for (number, line) in text.split('\n').enumerate() {
                if number > 0 {
                    column.new_line();
                }
                column.add_words(line, style, self.width);
            }
        }
    }

    /// Adds a part that both texts have, beside differences.
    fn add_excerpt(&mut self, texts: [&str; 2], sides: DifferenceSides) -> io::Result<()> {
        let [left, right] = texts.map(|text| Excerpt::new(text, sides));
        self.add_common([left.begin, right.begin])?;
        let (Some(words), Some(_)) = (left.left_out, right.left_out) else {
            return self.add_common([left.end, right.end]);
        };
        self.flush()?;
        writeln!(self.out, "{}", styled(FAINT, format_args!("[... {} ...]", counted(words as u64, "word"))))?;
        self.add_common([left.end, right.end])
    }

    /// Adds words to both columns; where both texts break a line, both columns do.
    fn add_common(&mut self, texts: [&str; 2]) -> io::Result<()> {
        let Some(lines) = paired_lines(texts[0], texts[1]) else {
            for (column, text) in self.sides.iter_mut().zip(texts) {
                column.add_words(text, Style::new(), self.width);
            }
            return Ok(());
        };
        for (number, beside) in lines.into_iter().enumerate() {
            if number > 0 {
                self.flush()?;
            }
            for (column, line) in self.sides.iter_mut().zip(beside) {
                if number > 0 {
                    column.indent(line, self.width);
                }
                column.add_words(line, Style::new(), self.width);
            }
        }
        Ok(())
    }

    /// Writes what both columns have so far, and begins new lines in both.
    fn flush(&mut self) -> io::Result<()> {
        let [left, right] = [0, 1].map(|side| std::mem::take(&mut self.sides[side]).lines);
        for number in 0..left.len().max(right.len()) {
            let (text, used) = left.get(number).map_or(("", 0), |line| (line.text.as_str(), line.used));
            let other = right.get(number).map_or("", |line| line.text.as_str());
            let padding = " ".repeat(self.width.saturating_sub(used));
            writeln!(self.out, "{}", format!("{text}{padding}{GAP}{other}").trim_end())?;
        }
        Ok(())
    }
}

#[derive(Default)]
struct WrappedColumn {
    lines: Vec<ColumnLine>,
    /// True if white space stands between the last word and the next.
    is_behind_space: bool,
}

#[derive(Default)]
struct ColumnLine {
    text: String,
    /// Columns of the terminal that the text takes.
    used: usize,
}

impl WrappedColumn {
    /// Adds the words of a text, with a blank where it has white space.
    fn add_words(&mut self, text: &str, style: Style, width: usize) {
        for part in text.split_inclusive(char::is_whitespace) {
            let word = part.trim_end();
            if !word.is_empty() {
                self.add(&escaped(word), style, width);
            }
            self.is_behind_space |= word.len() < part.len();
        }
    }

    /// Adds a word, on a new line if it does not fit; one that fits on none is cut.
    fn add(&mut self, word: &str, style: Style, width: usize) {
        let is_apart = std::mem::take(&mut self.is_behind_space);
        let used = self.lines.last().map_or(0, |line| line.used);
        let blank = usize::from(is_apart && self.lines.last().is_some_and(|line| !line.text.trim().is_empty()));
        match word.width() {
            needed if used + blank + needed <= width => self.push(&" ".repeat(blank), Style::new()),
            needed if needed <= width => {
                self.new_line();
            }
            _ => return self.add_in_pieces(word, style, width),
        }
        self.push(word, style);
    }

    fn add_in_pieces(&mut self, word: &str, style: Style, width: usize) {
        self.new_line();
        let mut piece = String::new();
        for character in word.chars() {
            piece.push(character);
            // The width of a text is not the sum of those of its characters: a sign may choose the form of another.
            if piece.width() > width {
                piece.pop();
                self.push(&std::mem::replace(&mut piece, character.to_string()), style);
                self.new_line();
            }
        }
        self.push(&piece, style);
    }

    fn push(&mut self, piece: &str, style: Style) {
        let line = match self.lines.last_mut() {
            Some(line) => line,
            None => self.new_line(),
        };
        line.text += &if style == Style::new() { piece.to_owned() } else { styled(style, piece) };
        line.used += piece.width();
    }

    /// The white space at the begin of a line, as blanks.
    fn indent(&mut self, line: &str, width: usize) {
        let blanks = line.chars().take_while(|c| c.is_whitespace()).count().min(width / 2);
        let line = self.new_line();
        line.text = " ".repeat(blanks);
        line.used = blanks;
    }

    fn new_line(&mut self) -> &mut ColumnLine {
        self.is_behind_space = false;
        self.lines.push(ColumnLine::default());
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }
}
