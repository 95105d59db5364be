//! A text with the passages marked that stand in its sources.

use super::look::COLORS;
use super::visible::{beginning, ending, visible};
use lookalike_core::counted;
use std::ops::Range;

/// A text in pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributedText {
    /// In the order of the text.
    pub pieces: Vec<AttributedPiece>,
}

/// A piece of a text, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributedPiece {
    /// The text, as a page may show it.
    pub text: String,
    /// Its best source; `None` if it stands in none.
    pub mark: Option<SourceMark>,
}

/// The mark of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceMark {
    /// Number of the colour.
    pub color: usize,
    /// The ranks of the sources whose passages begin with this piece; else empty.
    pub ranks: String,
    /// What it leads to: the passage among those of its best source.
    pub target: String,
    /// What leads to it: the names of all passages that begin with this piece.
    pub anchors: Vec<String>,
}

/// A passage of a text.
#[derive(Debug, Clone)]
pub struct MarkedPlace {
    /// Its bytes.
    pub place: Range<usize>,
    /// The rank of the source, from 1.
    pub rank: usize,
    /// Number of the passage among those of its source, from 1; `None` for one that is not listed there.
    pub number: Option<usize>,
}

/// Characters that are shown beside a passage of a long text.
const CONTEXT: usize = 400;

impl AttributedText {
    /// The text with these passages, those of the best source first; `rest` is the number of bytes that are missing at
    /// its end. Of a text with more than `max_characters` the ends of each part are shown, up to that number of
    /// characters in all. `document` is the prefix of the names of all links.
    pub fn new((text, rest): (&str, usize), places: &[MarkedPlace], document: &str, max_characters: usize) -> Self {
        let is_long = text.chars().nth(max_characters).is_some();
        let link = |place: &MarkedPlace| match place.number {
            Some(number) => format!("{document}-{}-{number}", place.rank),
            None => format!("{document}-{}", place.rank),
        };
        let (mut pieces, mut shown) = (Vec::new(), 0);
        for (part, covering) in cut_at_ends(text, places) {
            if shown > max_characters {
                pieces.push(left_out(text[part.start..].len() + rest, "byte"));
                return Self { pieces };
            }
            let beginning: Vec<&MarkedPlace> =
                covering.iter().map(|&place| &places[place]).filter(|place| place.place.start == part.start).collect();
            let ranks: Vec<String> = beginning.iter().map(|place| place.rank.to_string()).collect();
            let mark = covering.first().map(|&best| SourceMark {
                color: (places[best].rank - 1) % COLORS,
                ranks: ranks.join(", "),
                target: format!("there-{}", link(&places[best])),
                anchors: beginning
                    .iter()
                    .filter(|place| place.number.is_some())
                    .map(|place| format!("here-{}", link(place)))
                    .collect(),
            });
            let of_part = excerpts(text.get(part).unwrap_or_default(), is_long, mark.as_ref());
            shown += of_part.iter().map(|piece| piece.text.chars().count()).sum::<usize>();
            pieces.extend(of_part);
        }
        if rest > 0 {
            pieces.push(left_out(rest, "byte"));
        }
        Self { pieces }
    }

    /// The names of the passages that are shown.
    pub fn anchors(&self) -> impl Iterator<Item = &str> {
        let marks = self.pieces.iter().filter_map(|piece| piece.mark.as_ref());
        marks.flat_map(|mark| mark.anchors.iter().map(String::as_str))
    }
}

fn left_out(count: usize, noun: &str) -> AttributedPiece {
    let text = format!("\n[... {} left out ...]\n", counted(count as u64, noun));
    AttributedPiece { text, mark: None }
}

/// A part that is marked in one way; of a long text its ends.
fn excerpts(text: &str, is_long: bool, mark: Option<&SourceMark>) -> Vec<AttributedPiece> {
    let piece = |text: &str, mark: Option<SourceMark>| AttributedPiece { text: visible(text), mark };
    let (begin, end) = match is_long {
        true => (beginning(text, CONTEXT), ending(text, CONTEXT)),
        false => (text, ""),
    };
    match text.len().checked_sub(begin.len() + end.len()) {
        None | Some(0) => vec![piece(text, mark.cloned())],
        Some(_) => {
            let between = text[begin.len()..text.len() - end.len()].chars().count();
            let of_end = mark.map(|mark| SourceMark { ranks: String::new(), anchors: Vec::new(), ..mark.clone() });
            vec![piece(begin, mark.cloned()), left_out(between, "character"), piece(end, of_end)]
        }
    }
}

/// The text cut where passages begin and end, each part with those that cover it, in their order.
fn cut_at_ends(text: &str, places: &[MarkedPlace]) -> Vec<(Range<usize>, Vec<usize>)> {
    let ends = places.iter().flat_map(|place| [place.place.start, place.place.end]);
    let mut ends: Vec<usize> = ends.chain([0]).map(|end| end.min(text.len())).chain([text.len()]).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut starting: Vec<usize> = (0..places.len()).collect();
    starting.sort_by_key(|&place| places[place].place.start);
    let (mut next, mut open): (_, Vec<usize>) = (starting.into_iter().peekable(), Vec::new());
    let mut parts = Vec::new();
    for ends in ends.windows(2) {
        let part = ends[0]..ends[1];
        open.retain(|&place| places[place].place.end > part.start);
        while let Some(place) = next.next_if(|&place| places[place].place.start <= part.start) {
            open.push(place);
        }
        open.sort_unstable();
        parts.push((part, open.clone()));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, places: &[(Range<usize>, usize)], max: usize) -> String {
        let place =
            |(place, rank): &(Range<usize>, usize)| MarkedPlace { place: place.clone(), rank: *rank, number: Some(1) };
        let places: Vec<MarkedPlace> = places.iter().map(place).collect();
        let piece = |AttributedPiece { text, mark }: AttributedPiece| match mark {
            None => text,
            Some(mark) => format!("<{}:{}:{text}>", mark.color, mark.ranks),
        };
        AttributedText::new((text, 0), &places, "d", max).pieces.into_iter().map(piece).collect()
    }

    #[test]
    fn pieces_have_the_colour_of_their_best_source() {
        let text = "zero one two three four";
        assert_eq!(shown(text, &[(5..12, 1), (9..18, 2)], 100), "zero <0:1:one ><0:2:two><1:: three> four");
        assert_eq!(shown(text, &[(5..12, 1), (5..12, 2)], 100), "zero <0:1, 2:one two> three four");
        assert_eq!(shown(text, &[], 100), text);
    }

    #[test]
    fn of_long_texts_what_is_far_from_passages_is_left_out() {
        let text = format!("{}end", "word ".repeat(1000));
        let found = shown(&text, &[(0..9, 1)], 3000);
        assert!(found.starts_with("<0:1:word word>") && found.contains("left out"), "{found}");
        assert!(found.len() < 1000);
    }
}
