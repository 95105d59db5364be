//! Passages against brute force: token by token.

use super::*;
use crate::base::Ragged;
use crate::base::hash::{HashKey, SplitMix64};
use crate::comparison::Features;
use crate::kernel::Kernel;
use crate::sets::ShingleOptions;
use crate::text::{TextOptions, TextUnit};
use std::collections::BTreeSet;
use std::ops::Range;

/// Texts of few different tokens, with long common runs.
fn texts(count: usize, seed: u64) -> Vec<Vec<u64>> {
    let mut random = SplitMix64::new(seed);
    let pool: Vec<u64> = (0..60).map(|_| random.next_below(4)).collect();
    let text = |_| {
        let mut text = Vec::new();
        for _ in 0..random.next_below(5) {
            let begin = random.next_below(50) as usize;
            let end = (begin + random.next_below(25) as usize).min(pool.len());
            text.extend_from_slice(&pool[begin..end]);
            text.extend((0..random.next_below(4)).map(|_| 100 + random.next_below(1000)));
        }
        text
    };
    (0..count).map(text).collect()
}

fn index_of(queries: &[Vec<u64>], size: usize) -> WindowIndex {
    let mut tokens = Ragged::default();
    queries.iter().for_each(|query| tokens.push(query));
    WindowIndex::new(size, &HashKey::BATCH, tokens).unwrap()
}

fn windows(text: &[u64], size: usize) -> BTreeSet<&[u64]> {
    text.windows(size).collect()
}

/// Tokens of a query in windows that this source has and that at most `max` sources have.
fn covered_by_definition(query: &[u64], source: &[u64], sources: &[Vec<u64>], size: usize, max: u32) -> Vec<bool> {
    let mut covered = vec![false; query.len()];
    for (begin, window) in query.windows(size).enumerate() {
        let having = sources.iter().filter(|source| windows(source, size).contains(window)).count();
        if windows(source, size).contains(window) && having <= max as usize {
            covered[begin..begin + size].fill(true);
        }
    }
    covered
}

fn marked(ranges: impl Iterator<Item = Range<usize>>, length: usize) -> Vec<bool> {
    let mut all = vec![false; length];
    ranges.for_each(|range| all[range].fill(true));
    all
}

#[test]
fn passages_cover_what_brute_force_covers_and_cannot_be_extended() {
    let mut passages_seen = 0;
    for seed in 0..60 {
        let queries = texts(6, seed);
        let sources = texts(9, seed + 1000);
        let size = 1 + seed as usize % 7;
        let max = 1 + seed as u32 % 5;
        let index = index_of(&queries, size);
        let counts = index.counts(max);
        let mut all_runs = vec![Vec::new(); sources.len()];
        for (source, runs) in sources.iter().zip(&mut all_runs) {
            index.find_runs(source, &counts, runs);
        }
        for (source, runs) in sources.iter().zip(&all_runs) {
            let found = passages_while(&index, &counts, runs, &|| true);
            let mut found = found.into_iter().peekable();
            for (number, query) in queries.iter().enumerate() {
                let passages = found.next_if(|found| found.query == number).map_or(Vec::new(), |found| found.passages);
                let expected = covered_by_definition(query, source, &sources, size, max);
                let ranges = passages.iter().map(|passage| passage.query.clone());
                assert_eq!(marked(ranges.clone(), query.len()), expected, "seed {seed}");
                let covered = expected.iter().filter(|&&is_covered| is_covered).count();
                assert_eq!(covered_tokens(ranges.collect()), covered);
                for TokenPassage { query: in_query, source: in_source } in &passages {
                    assert_eq!(query[in_query.clone()], source[in_source.clone()], "seed {seed}");
                    assert!(in_query.len() >= size);
                    passages_seen += 1;
                }
            }
            assert_eq!(found.next(), None);
        }
    }
    assert!(passages_seen > 1000, "{passages_seen}");
}

/// Passages of one query and one source.
fn passages_of(query: Vec<u64>, size: usize, source: &[u64], ignored: &[u64]) -> Vec<TokenPassage> {
    let index = index_of(&[query], size);
    let counts = index.counts(10);
    index.ignore(ignored, &counts);
    let mut runs = Vec::new();
    index.find_runs(source, &counts, &mut runs);
    passages_while(&index, &counts, &runs, &|| true).remove(0).passages
}

#[test]
fn without_common_windows_each_maximal_run_is_a_passage() {
    let query: Vec<u64> = (0..30).chain(100..104).chain(40..60).collect();
    let source: Vec<u64> = (200..205).chain(40..60).chain(300..302).chain(5..30).chain([400]).collect();
    let passage = |query, source| TokenPassage { query, source };
    assert_eq!(passages_of(query, 4, &source, &[]), [passage(5..30, 27..52), passage(34..54, 5..25)]);
}

#[test]
fn the_longest_of_several_places_is_taken() {
    let passages = passages_of(vec![1, 2, 3, 4, 5], 2, &[1, 2, 3, 9, 1, 2, 3, 4, 5, 9, 1, 2], &[]);
    assert_eq!(passages, [TokenPassage { query: 0..5, source: 4..9 }]);
}

#[test]
fn what_is_ignored_is_no_passage() {
    let text: Vec<u64> = (0..20).collect();
    let passages = passages_of(text.clone(), 3, &text, &text[..10]);
    // The first window that is not ignored has two tokens of those.
    assert_eq!(passages, [TokenPassage { query: 8..20, source: 8..20 }]);
}

#[test]
fn small_edits_are_bridged_and_not_counted() {
    let passage = |query, source| TokenPassage { query, source };
    let found =
        [passage(0..12, 100..112), passage(13..30, 113..130), passage(36..50, 133..147), passage(60..80, 0..20)];
    let bridged = bridge(&found, 3);
    let shown: Vec<_> = bridged.iter().map(|bridged| (bridged.passage.clone(), bridged.tokens)).collect();
    assert_eq!(shown, [(passage(0..30, 100..130), 29), (passage(36..50, 133..147), 14), (passage(60..80, 0..20), 20)]);
}

#[test]
fn documents_shorter_than_a_window_have_none() {
    let index = index_of(&[vec![1, 2], vec![], vec![1, 2, 3]], 3);
    let counts = index.counts(10);
    let mut runs = Vec::new();
    index.find_runs(&[1, 2], &counts, &mut runs);
    assert_eq!(runs, []);
    index.find_runs(&[0, 1, 2, 3], &counts, &mut runs);
    assert_eq!(runs, [WindowRun { at: 1, place: 0, windows: 1 }]);
}

#[test]
fn tokens_stand_where_their_hashes_are() {
    let text = "Die ﬁne Brücke\n\nist zu.  数据\r\nEnd of it, a == b!\n\n";
    let options = [
        ShingleOptions::words(3),
        ShingleOptions::characters(2),
        ShingleOptions::text_units(TextUnit::Line, 1),
        ShingleOptions::text_units(TextUnit::Paragraph, 1),
    ];
    for shingle in options {
        for text_options in [TextOptions::default(), TextOptions::code()] {
            let features = Features::Set { text: text_options, shingle };
            let mut shingler = features.shingler(Kernel::detect());
            let spans = TokenSpans::new(text, &mut shingler);
            let mut hashes = Vec::new();
            token_hashes(text, &mut shingler, &mut hashes);
            assert!(spans.get(&(0..hashes.len())).is_some() && spans.get(&(0..hashes.len() + 1)).is_none());
            let some = spans.only([1..2, 2..3, hashes.len() - 1..hashes.len()]);
            for token in 0..hashes.len() {
                let span = spans.get(&(token..token + 1)).unwrap();
                let before = |end: u64| 1 + text[..end as usize].matches('\n').count() as u64;
                assert_eq!((span.line, span.end_line), (before(span.start), before(span.end)));
                let is_kept = [1, 2, hashes.len() - 1].contains(&token);
                assert_eq!(some.get(&(token..token + 1)), is_kept.then_some(span));
                let mut own = Vec::new();
                let stretch = &text[span.start as usize..span.end as usize];
                token_hashes(stretch, &mut features.shingler(Kernel::detect()), &mut own);
                // A blank alone is no character that counts.
                assert!(own.contains(&hashes[token]) || stretch.trim().is_empty(), "{shingle:?} {token}");
            }
        }
    }
}

#[test]
fn runs_that_too_many_have_are_counted_in_full() {
    let shared: Vec<u64> = (0..20).collect();
    let own = |number: u64| -> Vec<u64> { (0..9).map(|token| 1000 + 100 * number + token).collect() };
    let query = [own(0), shared.clone(), own(1)].concat();
    let index = index_of(&[query], 4);
    let counts = index.counts(2);
    index.ignore(&own(1), &counts);
    let mut runs = Vec::new();
    for number in 2..15 {
        index.find_runs(&[own(number), shared.clone(), own(1)].concat(), &counts, &mut runs);
    }
    let found = common_runs(&index, &counts, 0);
    assert_eq!(found.iter().map(|run| (run.tokens.clone(), run.sources)).collect::<Vec<_>>(), [(9..32, 13)]);
    assert!(passages_while(&index, &counts, &runs, &|| true).is_empty());
}

#[test]
fn a_text_of_one_word_is_one_passage_and_its_places_take_few_bytes() {
    let tokens = vec![7u64; 200_000];
    let index = index_of(std::slice::from_ref(&tokens), 5);
    let counts = index.counts(10);
    let mut runs = Vec::new();
    index.find_runs(&tokens, &counts, &mut runs);
    assert_eq!(runs, [WindowRun { at: 0, place: 0, windows: 199_996 }]);
    let passages = passages_while(&index, &counts, &runs, &|| true).remove(0).passages;
    assert_eq!(passages, [TokenPassage { query: 0..200_000, source: 0..200_000 }]);
    let mut shingler = Features::shingles(ShingleOptions::words(5)).shingler(Kernel::detect());
    let spans = TokenSpans::new(&"word ".repeat(10_000), &mut shingler);
    let mut bytes = Vec::new();
    spans.append_to(&mut bytes);
    assert!(bytes.len() < 31_000, "{}", bytes.len());
    assert_eq!(TokenSpans::take_from(&mut &bytes[..]), Some(spans));
}

#[test]
fn a_text_of_one_character_has_a_superwindow_for_many_windows() {
    let mut superwindows = Vec::new();
    Superwindows::new(50, &HashKey::BATCH).each(&[7; 100_000], |superwindow| superwindows.push(superwindow));
    let windows: u32 = superwindows.iter().map(|superwindow| superwindow.windows).sum();
    assert_eq!(windows, 100_000 - 49);
    assert!(superwindows.len() < 4000, "{}", superwindows.len());
}
