//! Segments of a text: lines, sentences and paragraphs, as places in the text as it stands.
//!
//! Segments are cut before anything else, and each is cut into tokens by itself. What is between two segments, and
//! segments without tokens, count for nothing.

use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// A kind of segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Segment {
    /// Up to a line end: the mandatory breaks of Unicode Standard Annex 14 (LF, CR, CR LF, VT, FF, NEL, and the
    /// separators of lines and paragraphs).
    Line,
    /// Sentences by the boundaries of Unicode Standard Annex 29, which lets none go on behind a line end.
    Sentence,
    /// Lines up to one that is empty or blank, or up to a paragraph separator (U+2029).
    Paragraph,
}

const PARAGRAPH_SEPARATOR: char = '\u{2029}';

/// The places of the segments of a text, in order. Some are blank.
pub(super) fn segments(text: &str, kind: Segment) -> Box<dyn Iterator<Item = Range<usize>> + '_> {
    match kind {
        Segment::Line => Box::new(Lines { text, at: 0 }.map(|line| line.content)),
        Segment::Sentence => {
            Box::new(text.split_sentence_bound_indices().map(|(start, sentence)| start..start + sentence.len()))
        }
        Segment::Paragraph => Box::new(Paragraphs { text, lines: Lines { text, at: 0 } }),
    }
}

/// A line of a text.
struct Line {
    /// Its place without the line end.
    content: Range<usize>,
    /// Whether a paragraph ends with it.
    ends_paragraph: bool,
}

/// The lines of a text; the last one is empty if the text ends with a line end.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl Iterator for Lines<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let start = self.at;
        let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
        let found = rest.char_indices().find(|&(_, character)| is_line_end(character));
        let (length, end) = found.map_or((rest.len(), 0), |(at, character)| (at, character.len_utf8()));
        let is_pair = rest[length..].starts_with("\r\n");
        self.at = start + length + end + usize::from(is_pair);
        let ends_paragraph = rest[length..].starts_with(PARAGRAPH_SEPARATOR);
        Some(Line { content: start..start + length, ends_paragraph })
    }
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n'..='\r' | '\u{85}' | '\u{2028}' | PARAGRAPH_SEPARATOR)
}

/// The paragraphs of a text.
struct Paragraphs<'a> {
    text: &'a str,
    lines: Lines<'a>,
}

impl Iterator for Paragraphs<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let mut paragraph: Option<Range<usize>> = None;
        for Line { content, ends_paragraph } in self.lines.by_ref() {
            let is_blank = self.text[content.clone()].trim().is_empty();
            match (is_blank, &mut paragraph) {
                (true, None) => {}
                (true, Some(_)) => break,
                (false, None) => paragraph = Some(content),
                (false, Some(paragraph)) => paragraph.end = content.end,
            }
            if ends_paragraph && paragraph.is_some() {
                break;
            }
        }
        paragraph
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert_eq, proptest};

    fn found(text: &str, kind: Segment) -> Vec<&str> {
        segments(text, kind).map(|place| text[place].trim()).filter(|segment| !segment.is_empty()).collect()
    }

    #[test]
    fn lines_end_at_every_mandatory_break() {
        let text = "a\nb\r\nc\rd\u{85}e\u{2028}f\u{2029}g\u{b}h\u{c}i";
        assert_eq!(found(text, Segment::Line), ["a", "b", "c", "d", "e", "f", "g", "h", "i"]);
        assert_eq!(found("", Segment::Line), Vec::<&str>::new());
        assert_eq!(found("\r\n\r\n", Segment::Line), Vec::<&str>::new());
    }

    #[test]
    fn paragraphs_end_at_blank_lines() {
        let text = "\n\none\r\ntwo\r\n \t\r\nthree\n\u{a0}\n\nfour\u{2029}five\n";
        assert_eq!(found(text, Segment::Paragraph), ["one\r\ntwo", "three", "four", "five"]);
        assert_eq!(found(" \n\n", Segment::Paragraph), Vec::<&str>::new());
    }

    #[test]
    fn sentences_follow_the_unicode_annex() {
        let text = "It cost 3.50 dollars. \"So.\" he said. \"Why?\" 今天好。明天也好！ Ende";
        let expected = ["It cost 3.50 dollars.", "\"So.\" he said.", "\"Why?\"", "今天好。", "明天也好！", "Ende"];
        assert_eq!(found(text, Segment::Sentence), expected);
    }

    proptest! {
        #[test]
        fn lines_and_paragraphs_equal_their_definition(text in "([ab]|\n|\r\n| ){0,40}") {
            let unix = text.replace("\r\n", "\n");
            let lines: Vec<&str> = unix.split('\n').map(str::trim).collect();
            let expected: Vec<&str> = lines.iter().copied().filter(|line| !line.is_empty()).collect();
            prop_assert_eq!(found(&text, Segment::Line), expected);
            let joined = lines.split(|line| line.is_empty()).map(|lines| lines.join("\n"));
            let paragraphs: Vec<String> = joined.filter(|all| !all.is_empty()).collect();
            let trimmed = |paragraph: &&str| paragraph.lines().map(str::trim).collect::<Vec<_>>().join("\n");
            prop_assert_eq!(found(&text, Segment::Paragraph).iter().map(trimmed).collect::<Vec<_>>(), paragraphs);
        }
    }
}
