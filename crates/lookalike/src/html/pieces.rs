//! A text cut where its marks change.

use super::visible::visible;
use std::ops::Range;

/// A piece of a text that is marked in one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The text, as a page may show it.
    pub text: String,
    /// How it is marked.
    pub mark: Mark,
}

/// How a piece of one of two texts is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Not at all: both texts have it, and it is too short for a passage.
    None,
    /// Only the first text has it.
    Removed,
    /// Only the second text has it.
    Added,
    /// It is part of a passage that both texts have, which has this number.
    Shared(usize),
}

/// A text, and where the passages stand in it that another one has, too.
pub(super) struct PassageText<'a> {
    pub(super) text: &'a str,
    /// Ascending, none in another, with the numbers of the passages.
    passages: Vec<(Range<usize>, usize)>,
}

impl<'a> PassageText<'a> {
    /// `passages` by their numbers, in any order; of what two of them share, the one that begins first has it.
    pub(super) fn new(text: &'a str, passages: impl Iterator<Item = Range<usize>>) -> Self {
        let mut all: Vec<_> = passages.zip(0..).collect();
        all.sort_by_key(|(place, _)| place.start);
        let (mut apart, mut end) = (Vec::with_capacity(all.len()), 0);
        for (place, number) in all {
            if place.end > end {
                apart.push((place.start.max(end)..place.end, number));
                end = place.end;
            }
        }
        Self { text, passages: apart }
    }

    /// Appends a part of the text; what belongs to no passage is marked with `mark`.
    pub(super) fn append(&self, part: Range<usize>, mark: Mark, pieces: &mut Vec<Piece>) {
        let mut add = |place: Range<usize>, mark| {
            if let Some(text) = self.text.get(place).filter(|text| !text.is_empty()) {
                pieces.push(Piece { text: visible(text), mark });
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
