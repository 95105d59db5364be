//! Documents with their sources, or with what is cut: the text with its passages coloured, and beside it the documents
//! that have them, too. A page of many documents is made of such parts, and a server shows one alone.

use super::shown::{beginning, ending, visible};
use askama::Template;
use lookalike_core::counted;
use std::collections::BTreeSet;
use std::ops::Range;

/// Number of colours that marks have in turn: `p0`, `p1`, ...
const COLORS: usize = 8;

/// A piece of a text, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AttributedPiece {
    /// The text, as a page may show it.
    pub(super) text: String,
    /// Its best source; `None` if it stands in none.
    pub(super) mark: Option<SourceMark>,
}

/// The mark of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SourceMark {
    /// Number of the colour.
    pub(super) color: usize,
    /// The ranks of the sources whose passages begin with this piece; else empty.
    pub(super) ranks: String,
    /// Target of its link: the passage among those of its best source.
    pub(super) target: String,
    /// Names of all passages that begin with this piece, by which links lead to it.
    pub(super) anchors: Vec<String>,
}

/// A passage of a text.
#[derive(Debug, Clone)]
struct MarkedPlace {
    /// Its bytes.
    place: Range<usize>,
    /// The rank of the source, from 1.
    rank: usize,
    /// Number of the passage among those of its source, from 1; `None` for one that is not listed there.
    number: Option<usize>,
}

/// A text that is to be shown.
#[derive(Clone, Copy)]
pub(super) struct PlainText<'a> {
    pub(super) text: &'a str,
    /// Number of bytes behind it that are not at hand.
    pub(super) missing_bytes: usize,
    /// Characters that are shown, about: of a longer text those around the ends of passages.
    pub(super) max_characters: usize,
}

/// Characters that are shown beside a passage of a long text.
const CONTEXT: usize = 400;

/// The pieces of a text with the passages of these sources, the best first; `document` is the prefix of the names of
/// all links. Passages that are shown in the text are noted beside it.
pub(super) fn attributed_text(
    shown: PlainText<'_>,
    sources: &mut [ShownSource],
    document: &str,
) -> Vec<AttributedPiece> {
    let places: Vec<MarkedPlace> = (1..).zip(&*sources).flat_map(|(rank, source)| source.places(rank)).collect();
    let pieces = pieces_with_places(shown, &places, document);
    let marks = pieces.iter().filter_map(|piece| piece.mark.as_ref());
    let anchors: BTreeSet<&str> = marks.flat_map(|mark| mark.anchors.iter().map(String::as_str)).collect();
    for (source, rank) in sources.iter_mut().zip(1..) {
        for passage in &mut source.passages {
            let anchor = format!("here-{document}-{rank}-{}", passage.number);
            passage.is_in_text = anchors.contains(&anchor[..]);
        }
    }
    pieces
}

fn pieces_with_places(shown: PlainText<'_>, places: &[MarkedPlace], document: &str) -> Vec<AttributedPiece> {
    let PlainText { text, missing_bytes, max_characters } = shown;
    let is_long = text.chars().nth(max_characters).is_some();
    let link = |place: &MarkedPlace| match place.number {
        Some(number) => format!("{document}-{}-{number}", place.rank),
        None => format!("{document}-{}", place.rank),
    };
    let mut pieces = Vec::new();
    let mut shown = 0;
    for (part, covering) in cut_at_ends(text, places) {
        if shown > max_characters {
            pieces.push(left_out(text[part.start..].len() + missing_bytes, "byte"));
            return pieces;
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
    if missing_bytes > 0 {
        pieces.push(left_out(missing_bytes, "byte"));
    }
    pieces
}

fn left_out(count: usize, noun: &str) -> AttributedPiece {
    let text = format!("\n[... {} left out ...]\n", counted(count as u64, noun));
    AttributedPiece { text, mark: None }
}

/// A part that is marked in one way; of a long text its ends.
fn excerpts(text: &str, is_long: bool, mark: Option<&SourceMark>) -> Vec<AttributedPiece> {
    let piece = |text: &str, mark: Option<SourceMark>| AttributedPiece { text: visible(text), mark };
    let begin = if is_long { beginning(text, CONTEXT) } else { text };
    let end = if is_long { ending(text, CONTEXT) } else { "" };
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
    let mut next = starting.into_iter().peekable();
    let mut open: Vec<usize> = Vec::new();
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

/// Page of documents with their sources.
#[derive(Debug, Default, Template)]
#[template(path = "sources.html")]
pub(super) struct SourcesPage {
    /// The heading: how many documents have sources.
    pub(super) title: String,
    /// The question, in sentences.
    pub(super) about: Vec<String>,
    /// Headings of the shares and of the numbers of sources.
    pub(super) columns: [&'static str; 2],
    /// Documents that are listed: share in percent, name, and the name of a link to the text if it is shown.
    pub(super) listed: Vec<ListedDocument>,
    /// The rule by which documents are listed, and shown with their texts.
    pub(super) rule: String,
    /// Documents with their texts.
    pub(super) documents: Vec<AttributedDocument>,
    /// Basis of the answer, as JSON.
    pub(super) parameters: String,
}

/// A document in the list.
#[derive(Debug)]
pub(super) struct ListedDocument {
    /// Its share that stands in sources, in percent.
    pub(super) percent: String,
    /// Number of its sources.
    pub(super) sources: usize,
    /// Its id.
    pub(super) name: String,
    /// The link to its text; `None` if it is not shown.
    pub(super) link: Option<String>,
}

/// A document with its text and its sources: a part of a page.
#[derive(Debug, Template)]
#[template(path = "attributed.html")]
pub(super) struct AttributedDocument {
    /// Name of the document in links.
    pub(super) anchor: String,
    /// Its id.
    pub(super) name: String,
    /// Share of the document that stands in sources.
    pub(super) share: String,
    /// Heading of the list beside the text.
    pub(super) beside: String,
    /// The text.
    pub(super) text: Vec<AttributedPiece>,
    /// The best first.
    pub(super) sources: Vec<ShownSource>,
    /// Number of sources that are not shown.
    pub(super) left_out: usize,
}

/// A source of a document.
#[derive(Debug)]
pub(super) struct ShownSource {
    /// Its id.
    pub(super) name: String,
    /// Share of the document that stands in it, in percent.
    pub(super) percent: String,
    /// The share as a number from 0 to 100.
    pub(super) width: f64,
    /// The passages that are coloured in the text, each with its number if it is listed.
    pub(super) marked: Vec<(Range<usize>, Option<usize>)>,
    /// The passages that are listed, in the order of the document.
    pub(super) passages: Vec<ShownPassage>,
    /// Number of passages that are not listed.
    pub(super) left_out: usize,
}

impl ShownSource {
    fn places(&self, rank: usize) -> impl Iterator<Item = MarkedPlace> {
        self.marked.iter().cloned().map(move |(place, number)| MarkedPlace { place, rank, number })
    }
}

/// A passage as it stands in a source.
#[derive(Debug)]
pub(super) struct ShownPassage {
    /// Its number among those of its source, from 1.
    pub(super) number: usize,
    /// `true` if it is shown in the text, too.
    pub(super) is_in_text: bool,
    /// Its length and places.
    pub(super) about: String,
    /// Its text in the source.
    pub(super) text: String,
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
        pieces_with_places(PlainText { text, missing_bytes: 0, max_characters: max }, &places, "d")
            .into_iter()
            .map(piece)
            .collect()
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
