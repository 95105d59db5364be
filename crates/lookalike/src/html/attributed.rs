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
    /// The ranks of all its sources, on the first piece of a passage; else empty.
    pub ranks: String,
    /// What it leads to: the passage among those of its best source.
    pub target: String,
    /// What leads to it, on the first piece of the passage.
    pub anchor: Option<String>,
}

/// A passage of a text.
#[derive(Debug, Clone)]
pub struct MarkedPlace {
    /// Its bytes.
    pub place: Range<usize>,
    /// The rank of the source, from 1.
    pub rank: usize,
    /// Number of the passage among those of its source, from 1.
    pub number: usize,
}

/// Characters that are shown beside a passage of a long text.
const CONTEXT: usize = 400;

impl AttributedText {
    /// The text with these passages, those of the best source first, and the number of its bytes that are left out at
    /// its end; of one with more than `max_characters` what stands
    /// far from passages is left out, and what comes behind so many. `document` begins the names of all links.
    pub fn new((text, rest): (&str, usize), places: &[MarkedPlace], document: &str, max_characters: usize) -> Self {
        let is_long = text.chars().nth(max_characters).is_some();
        let (mut pieces, mut shown, mut begun) = (Vec::new(), 0, vec![false; places.len()]);
        for (place, covering) in cut_at_ends(text, places) {
            let part = text.get(place.clone()).unwrap_or_default();
            if shown > max_characters {
                pieces.push(left_out(text[place.start..].len() + rest, "byte"));
                return Self { pieces };
            }
            shown += part.chars().count().min(2 * CONTEXT);
            let Some(&best) = covering.first() else {
                pieces.extend(unmarked(part, is_long));
                continue;
            };
            let link = |number: usize| {
                let MarkedPlace { rank, number, .. } = &places[number];
                format!("{document}-{rank}-{number}")
            };
            let is_first = !std::mem::replace(&mut begun[best], true);
            let ranks: Vec<String> = covering.iter().map(|&place| places[place].rank.to_string()).collect();
            let mark = SourceMark {
                color: (places[best].rank - 1) % COLORS,
                ranks: if is_first { ranks.join(", ") } else { String::new() },
                target: format!("there-{}", link(best)),
                anchor: is_first.then(|| format!("here-{}", link(best))),
            };
            pieces.push(AttributedPiece { text: visible(part), mark: Some(mark) });
        }
        if rest > 0 {
            pieces.push(left_out(rest, "byte"));
        }
        Self { pieces }
    }
}

fn left_out(count: usize, noun: &str) -> AttributedPiece {
    let text = format!("\n[... {} left out ...]\n", counted(count as u64, noun));
    AttributedPiece { text, mark: None }
}

/// What stands in no source; of a long text its ends.
fn unmarked(text: &str, is_long: bool) -> Vec<AttributedPiece> {
    let plain = |text: &str| AttributedPiece { text: visible(text), mark: None };
    let ([begin, _], [end, _]) = match is_long {
        true => ([beginning(text, CONTEXT).0, ""], [ending(text, CONTEXT).0, ""]),
        false => ([text, ""], ["", ""]),
    };
    match text.len().checked_sub(begin.len() + end.len()) {
        None | Some(0) => vec![plain(text)],
        Some(_) => {
            let between = text[begin.len()..text.len() - end.len()].chars().count();
            vec![plain(begin), left_out(between, "character"), plain(end)]
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
            |(place, rank): &(Range<usize>, usize)| MarkedPlace { place: place.clone(), rank: *rank, number: 1 };
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
        assert_eq!(shown(text, &[(5..12, 1), (9..18, 2)], 100), "zero <0:1:one ><0::two><1:2: three> four");
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
