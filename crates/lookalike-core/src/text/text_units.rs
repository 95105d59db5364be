//! Text units: lines, sentences and paragraphs, as places in the text as it stands.
//!
//! Text units are cut before anything else, and each is cut into tokens by itself. What is between two of them, and
//! text units without tokens, count for nothing.

use super::characters::is_ignorable;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// A kind of text units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextUnit {
    /// Up to a line end: the mandatory breaks of Unicode Standard Annex 14 (LF, CR, CR LF, VT, FF, NEL, and the
    /// separators of lines and paragraphs).
    Line,
    /// Sentences by the boundaries of Unicode Standard Annex 29, which lets none go on behind a line end; a sentence
    /// ends in a run of 64 signs and blanks, too.
    Sentence,
    /// Lines up to one that is empty or in which nothing is seen, or up to a paragraph separator (U+2029).
    Paragraph,
}

const PARAGRAPH_SEPARATOR: char = '\u{2029}';

/// The places of the text units of a text, in order. Some are blank.
pub(crate) fn text_units(text: &str, kind: TextUnit) -> Box<dyn Iterator<Item = Range<usize>> + '_> {
    match kind {
        TextUnit::Line => Box::new(Lines { text, at: 0 }.map(|line| line.content)),
        TextUnit::Sentence => Box::new(between_long_runs(text).flat_map(|part| {
            let sentences = text[part.clone()].split_sentence_bound_indices();
            sentences.map(move |(start, sentence)| part.start + start..part.start + start + sentence.len())
        })),
        TextUnit::Paragraph => Box::new(Paragraphs { text, lines: Lines { text, at: 0 } }),
    }
}

/// The length of a run of characters, none of them a letter or digit, in which a sentence ends.
const LONG_RUN: usize = 64;

/// The parts of a text between such runs. Unicode lets a sentence go on behind a full stop if the next letter is small,
/// and unicode-segmentation looks for that letter from each blank and bracket that follows the stop: without a limit, a
/// stop before a million blanks takes their square.
fn between_long_runs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let mut run = 0;
        let end = rest.char_indices().find_map(|(at, character)| {
            run = match character {
                _ if character.is_alphanumeric() => 0,
                _ if is_ignorable(character) => run,
                _ => run + 1,
            };
            (run == LONG_RUN).then(|| at + character.len_utf8())
        });
        let part = start..start + end.unwrap_or(rest.len());
        start = part.end;
        Some(part)
    })
}

/// A line of a text.
struct Line {
    /// Place of the unit without the line end.
    content: Range<usize>,
    /// True if a paragraph ends with it.
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

/// Returns whether a line with this character is not blank.
fn is_seen(character: char) -> bool {
    !character.is_whitespace() && !is_ignorable(character)
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
            let is_blank = !self.text[content.clone()].contains(is_seen);
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

    fn found(text: &str, kind: TextUnit) -> Vec<&str> {
        text_units(text, kind).map(|place| text[place].trim()).filter(|unit| !unit.is_empty()).collect()
    }

    #[test]
    fn lines_end_at_every_mandatory_break() {
        let text = "a\nb\r\nc\rd\u{85}e\u{2028}f\u{2029}g\u{b}h\u{c}i";
        assert_eq!(found(text, TextUnit::Line), ["a", "b", "c", "d", "e", "f", "g", "h", "i"]);
        assert_eq!(found("", TextUnit::Line), Vec::<&str>::new());
        assert_eq!(found("\r\n\r\n", TextUnit::Line), Vec::<&str>::new());
    }

    #[test]
    fn paragraphs_end_at_blank_lines() {
        let text = "\n\none\r\ntwo\r\n \t\r\nthree\n\u{a0}\u{200b}\n\nfour\u{2029}five\n";
        assert_eq!(found(text, TextUnit::Paragraph), ["one\r\ntwo", "three", "four", "five"]);
        assert_eq!(found(" \n\n", TextUnit::Paragraph), Vec::<&str>::new());
    }

    #[test]
    fn sentences_follow_the_unicode_annex() {
        let text = "It cost 3.50 dollars. \"So.\" he said. \"Why?\" 今天好。明天也好！ Ende";
        let expected = ["It cost 3.50 dollars.", "\"So.\" he said.", "\"Why?\"", "今天好。", "明天也好！", "Ende"];
        assert_eq!(found(text, TextUnit::Sentence), expected);
    }

    /// Takes hours without the limit.
    #[test]
    fn a_long_run_of_signs_and_blanks_ends_a_sentence() {
        for sign in [" ", ")", "\"", "\u{a0}"] {
            let text = format!("One. Two.{}three. Four", sign.repeat(2_000_000));
            let all = text_units(&text, TextUnit::Sentence).map(|place| &text[place]);
            let lettered: Vec<&str> = all.filter(|part| part.contains(char::is_alphabetic)).collect();
            assert_eq!(lettered.len(), 4, "{sign:?}");
            assert!(lettered[1].starts_with("Two.") && lettered[2].ends_with("three. "), "{sign:?}");
        }
    }

    proptest! {
        #[test]
        fn sentences_are_those_of_the_annex(text in "([a-bA-B1.?!)\" \n,東。]|\u{301}|…){0,60}") {
            let places = text_units(&text, TextUnit::Sentence).map(|place| &text[place]);
            prop_assert_eq!(places.collect::<Vec<_>>(), text.split_sentence_bounds().collect::<Vec<_>>());
        }

        #[test]
        fn lines_and_paragraphs_equal_their_definition(text in "([ab]|\n|\r\n| ){0,40}") {
            let unix = text.replace("\r\n", "\n");
            let lines: Vec<&str> = unix.split('\n').map(str::trim).collect();
            let expected: Vec<&str> = lines.iter().copied().filter(|line| !line.is_empty()).collect();
            prop_assert_eq!(found(&text, TextUnit::Line), expected);
            let joined = lines.split(|line| line.is_empty()).map(|lines| lines.join("\n"));
            let paragraphs: Vec<String> = joined.filter(|all| !all.is_empty()).collect();
            let trimmed = |paragraph: &&str| paragraph.lines().map(str::trim).collect::<Vec<_>>().join("\n");
            prop_assert_eq!(found(&text, TextUnit::Paragraph).iter().map(trimmed).collect::<Vec<_>>(), paragraphs);
        }
    }
}
