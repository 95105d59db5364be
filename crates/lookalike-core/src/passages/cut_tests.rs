//! Repeats against brute force, and texts without them.

#![expect(clippy::single_range_in_vec_init, reason = "a range is a run of tokens")]

use super::*;
use crate::base::hash::{HashKey, SplitMix64, mix64};
use crate::comparison::Features;
use crate::kernel::Kernel;
use crate::sets::{ShingleOptions, ShingleSize, Shingler};
use crate::text::{TextUnit, TokenUnit};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Documents that repeat each other and themselves, of so few tokens that windows overlap themselves.
fn documents(seed: u64) -> Vec<Vec<u64>> {
    let mut random = SplitMix64::new(seed);
    let alphabet = 1 + random.next_below(5);
    let mut all: Vec<Vec<u64>> = Vec::new();
    for _ in 0..12 {
        let mut document = Vec::new();
        for _ in 0..random.next_below(5) {
            if let Some(other) = all.get(random.next_below(12) as usize).filter(|other| !other.is_empty()) {
                let begin = random.next_below(other.len() as u64) as usize;
                let end = (begin + random.next_below(30) as usize).min(other.len());
                document.extend_from_slice(&other[begin..end]);
            }
            document.extend((0..random.next_below(12)).map(|_| mix64(random.next_below(alphabet))));
        }
        all.push(document);
    }
    all
}

/// Returns for each document which tokens are cut, straight from the definition.
fn cut_by_definition(documents: &[Vec<u64>], size: usize, references: Option<usize>) -> Vec<Vec<bool>> {
    let mut first: HashMap<&[u64], (usize, usize)> = HashMap::new();
    let mut cut: Vec<Vec<bool>> = documents.iter().map(|document| vec![false; document.len()]).collect();
    for (number, document) in documents.iter().enumerate() {
        for (at, window) in document.windows(size).enumerate() {
            let is_source = references.is_none_or(|references| number < references);
            let known =
                if is_source { Some(*first.entry(window).or_insert((number, at))) } else { first.get(window).copied() };
            let is_searched = references.is_none_or(|references| number >= references);
            if let Some((document, place)) = known
                && is_searched
                && (document < number || place + size <= at)
            {
                cut[number][at..at + size].fill(true);
            }
        }
    }
    cut
}

fn repeats_of(documents: &[Vec<u64>], size: usize, earlier: Earlier, max_windows: usize) -> Vec<Repeat> {
    let mut superwindows = Superwindows::new(size, &HashKey::BATCH);
    let mut occurrences = Vec::new();
    for (number, document) in (0..).zip(documents) {
        superwindows.each(document, |found| occurrences.push(Occurrence::new(number, found)));
    }
    occurrences.sort_unstable();
    let tokens = |place: TokenPlace, count: usize| &documents[place.document as usize][place.token as usize..][..count];
    let mut repeats = RepeatFinder::new(size, earlier, max_windows, tokens);
    let mut found = Vec::new();
    for group in occurrences.chunk_by(|a, b| a.minimizer == b.minimizer) {
        repeats.find(group, |repeat| found.push(repeat));
    }
    found.sort_unstable();
    found
}

#[test]
fn cut_passages_occurred_before_at_the_reported_places() {
    let mut cut_tokens = 0;
    for seed in 0..300 {
        let documents = documents(seed);
        for size in [1, 2, 3, 5, 8, 13] {
            for references in [None, Some(0), Some(5)] {
                let expected = cut_by_definition(&documents, size, references);
                let earlier = references.map_or(Earlier::Any, |count| Earlier::InReferences(count as u32));
                let whole = repeats_of(&documents, size, earlier, usize::MAX);
                let pieces_of = |all: &[Repeat], number: usize| {
                    let of_document = all.iter().filter(|repeat| repeat.place.document as usize == number);
                    cut_pieces(&of_document.copied().collect::<Vec<_>>(), size).collect::<Vec<_>>()
                };
                let parted = repeats_of(&documents, size, earlier, 7);
                for (number, expected) in expected.iter().enumerate() {
                    let pieces = pieces_of(&whole, number);
                    assert_eq!(pieces, pieces_of(&parted, number));
                    let mut cut = vec![false; expected.len()];
                    for &CutPiece { ref tokens, first } in &pieces {
                        let tokens = tokens.start as usize..tokens.end as usize;
                        assert!(cut[tokens.clone()].iter().all(|is_cut| !is_cut), "a token is in two pieces");
                        let first = first.unwrap();
                        let there = &documents[first.document as usize][first.token as usize..][..tokens.len()];
                        assert_eq!(there, &documents[number][tokens.clone()]);
                        assert!(references.is_none_or(|references| (first.document as usize) < references));
                        assert!((first.document as usize, first.token as usize) < (number, tokens.start));
                        cut[tokens].fill(true);
                    }
                    assert_eq!(&cut, expected, "seed {seed}, size {size}, {references:?}, document {number}");
                    cut_tokens += cut.iter().filter(|&&is_cut| is_cut).count();
                    assert!(cut_runs(&pieces).windows(2).all(|runs| runs[0].end < runs[1].start));
                }
            }
        }
    }
    assert!(cut_tokens > 100_000, "{cut_tokens}");
}

#[test]
fn every_window_is_in_one_superwindow_with_one_of_its_least_runs() {
    for seed in 0..50 {
        for document in documents(seed) {
            for size in [1usize, 2, 5, 12] {
                let run = size.div_ceil(2);
                let hasher = crate::base::hash::ShingleHasher::new(run, &HashKey::BATCH);
                let mut next = 0;
                Superwindows::new(size, &HashKey::BATCH).each(&document, |found| {
                    assert_eq!(found.at as usize, next);
                    next += found.windows as usize;
                    let anchor = (found.at + found.offset) as usize;
                    for at in found.at as usize..next {
                        let hashes: Vec<u64> =
                            document[at..at + size].windows(run).map(|run| hasher.hash(run)).collect();
                        let least = hashes.iter().min().unwrap();
                        assert_eq!(hashes.get(anchor - at), Some(least));
                        assert_eq!(*least, found.minimizer);
                    }
                });
                assert_eq!(next, (document.len() + 1).saturating_sub(size));
            }
        }
    }
}

#[test]
fn texts_that_share_nothing_have_few_superwindows() {
    let mut random = SplitMix64::new(1);
    let tokens: Vec<u64> = (0..100_000).map(|_| random.next_u64()).collect();
    let mut count = 0;
    Superwindows::new(50, &HashKey::BATCH).each(&tokens, |_| count += 1);
    // 2 / (m - k + 2) of the tokens, of random hashes.
    assert!((7_000..7_900).contains(&count), "{count}");
}

/// A shingler whose tokens are of this unit.
fn shingler(unit: TokenUnit) -> Shingler {
    let size = ShingleSize { unit, tokens: 1 };
    Features::shingles(ShingleOptions { size, ..Default::default() }).shingler(Kernel::detect())
}

/// The text without the tokens whose numbers are in `runs`.
fn without(text: &str, unit: TokenUnit, runs: &[(usize, usize)], separator: Option<&str>) -> String {
    let spans = TokenSpans::new(text, &mut shingler(unit)).widened(text, unit);
    let runs: Vec<Range<usize>> = runs.iter().map(|&(begin, end)| begin..end).collect();
    let left = text_without(text, &spans, &runs, separator);
    if separator.is_none() {
        let mut rest = text.to_owned();
        for bytes in cut_bytes(text, &spans, &runs).into_iter().rev() {
            rest.replace_range(bytes, "");
        }
        assert_eq!(left, rest);
    }
    left
}

#[test]
fn cuts_fall_between_tokens_and_take_what_follows_on_them() {
    let word = TokenUnit::Word;
    for (text, runs, separator, expected) in [
        ("a, (b c). d", vec![(1, 3)], None, "a, (d"),
        ("a, (b c). d", vec![(1, 3)], Some("|"), "a, (|d"),
        ("a b c d", vec![(1, 2), (3, 4)], Some(" ... "), "a ... c"),
        ("a, b; c d.\n", vec![(2, 4)], None, "a, b;\n"),
        ("\"a b\" c", vec![(0, 2)], None, "c"),
        ("  a b. \n", vec![(0, 2)], None, " \n"),
        ("a b", vec![], None, "a b"),
        // Each Han character is a token; no character is halved.
        ("今天天气很好。", vec![(1, 4)], None, "今很好。"),
        ("é\u{301}a öb ü", vec![(1, 2)], None, "é\u{301}a ü"),
    ] {
        assert_eq!(without(text, word, &runs, separator), expected, "{text} {runs:?}");
    }
}

#[test]
fn text_units_go_as_wholes() {
    let unit = TokenUnit::TextUnit;
    let paragraphs = "# One\n\n- two,\n  three.\n\n> \"four\"\n";
    assert_eq!(without(paragraphs, unit(TextUnit::Paragraph), &[(1, 2)], None), "# One\n\n> \"four\"\n");
    assert_eq!(without(paragraphs, unit(TextUnit::Paragraph), &[(2, 3)], None), "# One\n\n- two,\n  three.\n");
    assert_eq!(without(paragraphs, unit(TextUnit::Paragraph), &[(0, 1)], None), "- two,\n  three.\n\n> \"four\"\n");
    let lines = "  if a {\n    b();\n  }\n  c();\n";
    assert_eq!(without(lines, unit(TextUnit::Line), &[(0, 1)], None), "    b();\n  }\n  c();\n");
    assert_eq!(without(lines, unit(TextUnit::Line), &[(1, 2)], None), "  if a {\n  c();\n");
    let sentences = "He said: \"No.\" Why? (Yes.) 3 of them.";
    assert_eq!(
        without(sentences, unit(TextUnit::Sentence), &[(1, 2)], Some(" […] ")),
        "He said: \"No.\" […] (Yes.) 3 of them."
    );
}

#[test]
fn a_character_of_several_tokens_is_never_halved() {
    // Of compatibility characters, normalization makes several.
    let character = TokenUnit::Character;
    for text in ["aﬁb", "㍿x㍿", "½ and ½", "ﷺa"] {
        let mut hashes = Vec::new();
        token_hashes(text, &mut shingler(character), &mut hashes);
        let count = hashes.len();
        let own: HashSet<char> = text.chars().collect();
        for begin in 0..count {
            for end in begin + 1..=count {
                let left = without(text, character, &[(begin, end)], None);
                assert!(left.chars().all(|character| own.contains(&character)), "{left}");
            }
        }
    }
}

/// Pieces of these tokens, each from a document of its own.
fn pieces(runs: &[Range<u32>]) -> Vec<CutPiece> {
    let piece = |(document, tokens): (u32, &Range<u32>)| CutPiece {
        tokens: tokens.clone(),
        first: Some(TokenPlace { document, token: 0 }),
    };
    (0..).zip(runs).map(piece).collect()
}

#[test]
fn headings_stay_unless_what_they_head_goes() {
    // Words of the paragraphs: a heading has two.
    let words = [2, 30, 2, 40, 2, 2, 50, 2];
    let limits = CutLimits { min_cut: 8, min_between: 0 };
    let cut = |repeats: &[Range<u32>]| -> Vec<Range<u32>> {
        let cut = limits.apply(&pieces(repeats), |token| words[token as usize], words.len() as u32);
        cut.into_iter().map(|piece| piece.tokens).collect()
    };
    assert_eq!(cut(&[0..1, 2..3]), []);
    assert_eq!(cut(&[0..2]), [0..2]);
    // The heading behind a paragraph that goes is that of a paragraph which stays.
    assert_eq!(cut(&[1..3]), [1..2]);
    assert_eq!(cut(&[1..2, 2..3]), [1..2]);
    assert_eq!(cut(&[3..6]), [3..4]);
    // No token stands behind the last one.
    assert_eq!(cut(&[6..8]), [6..8]);
    // Short ones alone, as lines of a navigation, go together if they are enough.
    let lines = limits.apply(&pieces(&[0..4]), |_| 2, 5);
    assert_eq!(lines, pieces(&[0..4]));
    // One that is shorter than all lines before it heads what follows, however short these are.
    let lines = |words: &[u32]| -> Vec<Range<u32>> {
        let run = pieces(&[0..words.len() as u32]);
        let cut = limits.apply(&run, |token| words.get(token as usize).copied().unwrap_or(9), words.len() as u32 + 1);
        cut.into_iter().map(|piece| piece.tokens).collect()
    };
    assert_eq!(lines(&[7, 7, 2]), [0..2]);
    assert_eq!(lines(&[7, 7, 3, 2, 3]), [0..2]);
    assert_eq!(lines(&[3, 1, 3, 2, 1]), [0..5]);
    assert_eq!(lines(&[5, 4]), []);
    // The default limits let every piece through.
    assert_eq!(CutLimits::default().apply(&pieces(&[0..1, 4..5]), |_| 1, 9), pieces(&[0..1, 4..5]));
}

#[test]
fn crumbs_between_two_cuts_go_and_stand_nowhere_else() {
    let words = [10, 3, 10, 4, 10, 1];
    let cut = |min_between| {
        let limits = CutLimits { min_cut: 8, min_between };
        limits.apply(&pieces(&[0..1, 2..3, 4..5]), |token| words[token as usize], 6)
    };
    assert_eq!(cut(0), pieces(&[0..1, 2..3, 4..5]));
    let crumbs: Vec<Range<u32>> =
        cut(3).into_iter().filter(|piece| piece.first.is_none()).map(|piece| piece.tokens).collect();
    assert_eq!(crumbs, [1..2]);
    assert_eq!(cut_runs(cut(4)), [0..5]);
}

#[test]
fn words_of_text_units_are_counted_where_the_units_are_tokens() {
    let text = "# One two\n\n---\n\nthree four five six.\n\n数据 seven\n";
    for (unit, expected) in [(TokenUnit::TextUnit(TextUnit::Paragraph), vec![2, 4, 3]), (TokenUnit::Word, vec![])] {
        let mut shingler = shingler(unit);
        let mut hashes = Vec::new();
        assert_eq!(token_words(text, &mut shingler), expected);
        token_hashes(text, &mut shingler, &mut hashes);
        assert!(expected.is_empty() || hashes.len() == expected.len());
    }
}
