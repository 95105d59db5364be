//! Two texts side by side, in rows: a row begins where both texts begin a line at the same word, and around what is
//! left out. Common passages are marked wherever they stand; of the rest, what only one of the texts has.

use super::shown::{beginning, ending, visible};
use lookalike_core::evidence::{Aligned, Comparison, TextDifference, aligned, paired_lines};
use lookalike_core::{counted, thousands};
use std::ops::Range;

/// A piece of a text that is marked in one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MarkedPiece {
    /// The text, as a page may show it.
    pub(crate) text: String,
    /// Mark of the piece.
    pub(crate) mark: Mark,
}

/// Mark of a piece of one of two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Not at all: both texts have it, and it is too short for a passage.
    None,
    /// The first text alone has it.
    Removed,
    /// The second text alone has it.
    Added,
    /// Part of a passage that both texts have, which has this number.
    Shared(usize),
}

/// A text, and where the passages stand in it that another one has, too.
struct PassageText<'a> {
    text: &'a str,
    /// Ascending, none in another, with the numbers of the passages.
    passages: Vec<(Range<usize>, usize)>,
}

impl<'a> PassageText<'a> {
    /// `passages` by their numbers, in any order; of what two of them share, the one that begins first has it.
    fn new(text: &'a str, passages: impl Iterator<Item = Range<usize>>) -> Self {
        let mut all: Vec<_> = passages.zip(0..).collect();
        all.sort_by_key(|(place, _)| place.start);
        let mut apart = Vec::with_capacity(all.len());
        let mut end = 0;
        for (place, number) in all {
            if place.end > end {
                apart.push((place.start.max(end)..place.end, number));
                end = place.end;
            }
        }
        Self { text, passages: apart }
    }

    /// Appends a part of the text; what belongs to no passage is marked with `mark`.
    fn append(&self, part: Range<usize>, mark: Mark, pieces: &mut Vec<MarkedPiece>) {
        let mut add = |place: Range<usize>, mark| {
            if let Some(text) = self.text.get(place).filter(|text| !text.is_empty()) {
                pieces.push(MarkedPiece { text: visible(text), mark });
            }
        };
        let mut at = part.start;
        let first = self.passages.partition_point(|(place, _)| place.end <= part.start);
        for (place, number) in self.passages[first..].iter().take_while(|(place, _)| place.start < part.end) {
            let shared = place.start.max(at)..place.end.min(part.end);
            add(at..shared.start, mark);
            at = shared.end;
            add(shared, Mark::Shared(*number));
        }
        add(at..part.end, mark);
    }
}

/// Limits of what is shown of two texts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowLimits {
    /// Characters that are shown of what both have, before and behind a difference; `None` for all.
    pub(crate) context: Option<usize>,
    /// Characters of both texts together, about.
    pub(crate) max_characters: usize,
}

/// A part of two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SideRow {
    /// Pieces of both texts, side by side.
    Both([Vec<MarkedPiece>; 2]),
    /// Note on what is left out.
    LeftOut(String),
}

/// The rows of two texts that were compared.
pub(crate) fn rows(found: &Comparison, limits: RowLimits) -> Vec<SideRow> {
    let sides = [
        PassageText::new(&found.left_text, found.passages.iter().map(|passage| passage.left.bytes())),
        PassageText::new(&found.right_text, found.passages.iter().map(|passage| passage.right.bytes())),
    ];
    let mut writer = SideWriter { sides, limits, rows: Vec::new(), open: Default::default(), characters: 0 };
    let parts = aligned(&found.differences, [found.left_text.len(), found.right_text.len()]);
    for (number, part) in parts.iter().enumerate() {
        match part {
            Aligned::Common(place) => writer.add_common(place, [number > 0, number + 1 < parts.len()]),
            Aligned::Changed(place) => writer.add_changed(place),
        }
        if writer.characters >= limits.max_characters && number + 1 < parts.len() {
            let (Aligned::Common(shown) | Aligned::Changed(shown)) = part;
            writer.leave_out_from(shown);
            break;
        }
    }
    writer.flush();
    writer.rows
}

/// Characters of one difference that are shown.
const MAX_CHANGED: usize = 4000;

struct SideWriter<'a> {
    sides: [PassageText<'a>; 2],
    limits: RowLimits,
    rows: Vec<SideRow>,
    /// The row that is not finished.
    open: [Vec<MarkedPiece>; 2],
    /// Number of characters so far.
    characters: usize,
}

impl<'a> SideWriter<'a> {
    fn add_changed(&mut self, place: &TextDifference) {
        let mut left_out = 0;
        for (side, part, mark) in [(0, &place.left, Mark::Removed), (1, &place.right, Mark::Added)] {
            let text = self.sides[side].text.get(part.clone()).unwrap_or_default();
            let most = if self.limits.context.is_some() { MAX_CHANGED } else { self.limits.max_characters };
            let shown = beginning(text, most).len();
            left_out += text[shown..].chars().count();
            self.add(side, part.start..part.start + shown, mark);
        }
        if left_out > 0 {
            self.flush();
            self.rows.push(SideRow::LeftOut(format!(
                "{} of this difference left out",
                counted(left_out as u64, "character")
            )));
        }
    }

    /// Adds a part that both texts have; around it there are differences `before` and `behind`.
    fn add_common(&mut self, place: &TextDifference, [before, behind]: [bool; 2]) {
        let texts = self.texts(place);
        let context = self.limits.context.unwrap_or(self.limits.max_characters / 2);
        let begin = texts.map(|text| if before { beginning(text, context).len() } else { 0 });
        let end =
            texts.map(|text| if behind { text.len() - ending(text, context).trim_start().len() } else { text.len() });
        let words = texts[0].get(begin[0]..end[0]).map_or(0, |text| text.split_whitespace().count());
        // What is hardly longer than what would be shown of it is shown.
        let is_short = texts.iter().all(|text| text.chars().count() <= 3 * context);
        if is_short || words < 4 || begin[1] >= end[1] {
            return self.add_lines(place);
        }
        let cut = |at: [usize; 2]| [place.left.start + at[0], place.right.start + at[1]];
        let begin = cut(begin);
        let end = cut(end);
        if before {
            self.add_lines(&TextDifference { left: place.left.start..begin[0], right: place.right.start..begin[1] });
        }
        self.flush();
        self.rows.push(SideRow::LeftOut(format!("{} left out, the same in both", counted(words as u64, "word"))));
        if behind {
            self.add_lines(&TextDifference { left: end[0]..place.left.end, right: end[1]..place.right.end });
        }
    }

    /// The parts of both texts.
    fn texts(&self, place: &TextDifference) -> [&'a str; 2] {
        let text = |side: usize, part: &Range<usize>| self.sides[side].text.get(part.clone()).unwrap_or_default();
        [text(0, &place.left), text(1, &place.right)]
    }

    /// Adds a part that both texts have, with a row for each line if both have as many.
    fn add_lines(&mut self, place: &TextDifference) {
        let texts = self.texts(place);
        let Some(lines) = paired_lines(texts[0], texts[1]) else {
            self.add(0, place.left.clone(), Mark::None);
            self.add(1, place.right.clone(), Mark::None);
            return;
        };
        let mut at = [place.left.start, place.right.start];
        for (number, beside) in lines.into_iter().enumerate() {
            if number > 0 {
                self.flush();
            }
            for side in [0, 1] {
                self.add(side, at[side]..at[side] + beside[side].len(), Mark::None);
                at[side] += beside[side].len() + 1;
            }
        }
    }

    fn add(&mut self, side: usize, part: Range<usize>, mark: Mark) {
        self.characters += self.sides[side].text.get(part.clone()).map_or(0, |text| text.chars().count());
        self.sides[side].append(part, mark, &mut self.open[side]);
    }

    fn leave_out_from(&mut self, shown: &TextDifference) {
        let rest = |side: usize, from: usize| {
            thousands(self.sides[side].text.get(from..).map_or(0, |rest| rest.chars().count() as u64))
        };
        let left = rest(0, shown.left.end);
        let right = rest(1, shown.right.end);
        self.flush();
        self.rows.push(SideRow::LeftOut(format!("the rest left out: {left} characters of A, {right} of B")));
    }

    fn flush(&mut self) {
        let open = std::mem::take(&mut self.open);
        let is_seen = |pieces: &Vec<MarkedPiece>| pieces.iter().any(|piece| !piece.text.trim().is_empty());
        if open.iter().any(is_seen) {
            self.rows.push(SideRow::Both(open));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::comparison::Features;
    use lookalike_core::evidence::compare;
    use lookalike_core::sets::ShingleOptions;

    fn shown(left: &str, right: &str, limits: RowLimits) -> Vec<String> {
        let features = Features::shingles(ShingleOptions::words(3));
        let found = compare(&features, left, right).unwrap();
        let piece = |MarkedPiece { text, mark }: &MarkedPiece| match mark {
            Mark::None => text.clone(),
            Mark::Removed => format!("-{text}-"),
            Mark::Added => format!("+{text}+"),
            Mark::Shared(number) => format!("<{number}:{text}>"),
        };
        let side = |pieces: &Vec<MarkedPiece>| pieces.iter().map(piece).collect::<String>();
        let row = |row: &SideRow| match row {
            SideRow::Both([left, right]) => format!("{} | {}", side(left), side(right)),
            SideRow::LeftOut(words) => words.clone(),
        };
        rows(&found, limits).iter().map(row).collect()
    }

    const ALL: RowLimits = RowLimits { context: None, max_characters: 100_000 };

    #[test]
    fn lines_stand_beside_each_other() {
        let found = shown("one two three\nold four", "one two three\nnew four", ALL);
        assert_eq!(found, ["<0:one two three> | <0:one two three>", "-old- four | +new+ four"]);
    }

    #[test]
    fn lines_of_other_words_are_no_rows() {
        let found = shown("one two\nthree four five", "one two three\nfour five", ALL);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn moved_passages_are_shared_and_no_difference() {
        let found = shown("a b c d. x y", "x y a b c d", ALL);
        assert_eq!(found, ["<0:a b c d>-. x y- | +x y+ <0:a b c d>"]);
    }

    #[test]
    fn long_common_parts_and_long_texts_are_left_out() {
        let common = "word ".repeat(300);
        let left = format!("{common}old {common}");
        let right = format!("{common}new {common}");
        let limits = RowLimits { context: Some(11), max_characters: 1000 };
        let found = shown(&left, &right, limits);
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(found[0], "298 words left out, the same in both");
        let limits = RowLimits { context: Some(11), max_characters: 10 };
        let texts = ["a1 b1 c1 d1 e1 f1", "a2 b2 c2 d2 e2 f2"];
        let long = |at: usize| format!("{} {} end", texts[at], "same word here ".repeat(3));
        assert!(shown(&long(0), &long(1), limits).last().unwrap().starts_with("the rest left out"));
    }
}
