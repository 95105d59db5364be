//! From the windows that a source and queries have in common to passages.

use super::counts::WindowCounts;
use super::index::{WindowIndex, WindowRun};
use std::cell::Cell;
use std::ops::Range;

/// Places of a window in a source that are tried, at most; bounds the cost of texts that repeat a window thousands of
/// times. What is covered does not depend on it.
const MAX_PLACES: usize = 64;

/// Steps between two looks whether the search goes on: milliseconds.
const STEPS: u32 = 1 << 13;

/// A run of tokens that stands in a query and in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenPassage {
    /// Numbers of the tokens in the query.
    pub query: Range<usize>,
    /// Numbers of the tokens in the source.
    pub source: Range<usize>,
}

/// The passages of a query in one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryPassages {
    /// Number of the query in the index.
    pub query: usize,
    /// In the order of the query. Neighbouring ones may share tokens, fewer than a window has.
    pub passages: Vec<TokenPassage>,
}

/// The passages that queries have in a source whose runs were found, by windows that are not common; `counts` has
/// counted all sources.
///
/// From left to right, at each window of the query that is in the source, the longest common run from there on is a
/// passage, the first in the source of equally long ones; the search goes on behind its last window. So each window is
/// in a passage, and each passage cannot be extended.
pub fn passages_in(index: &WindowIndex, counts: &WindowCounts, runs: &[WindowRun]) -> Vec<QueryPassages> {
    passages_while(index, counts, runs, &|| true)
}

/// The same as long as `goes_on`; once that is false, which it stays, the passages are some of them and of no use.
pub fn passages_while(
    index: &WindowIndex,
    counts: &WindowCounts,
    runs: &[WindowRun],
    goes_on: &dyn Fn() -> bool,
) -> Vec<QueryPassages> {
    let windows_of = |run: &WindowRun| (0..run.windows).map(|offset| (run.place + offset, run.at + offset)).collect();
    let all = runs.iter().flat_map(|run| -> Vec<(u32, u32)> { windows_of(run) });
    let mut found: Vec<(u32, u32)> = all.map(|(place, at)| (index.window(place), at)).collect();
    found.retain(|&(window, _)| !counts.is_common(window));
    found.sort_unstable();
    let mut places: Vec<u32> = found
        .chunk_by(|a, b| a.0 == b.0)
        .flat_map(|of_window| index.occurrences(of_window[0].0).iter().copied())
        .collect();
    places.sort_unstable();
    let mut all = Vec::new();
    let mut rest = &places[..];
    while let Some(&first) = rest.first() {
        let query = index.query_of(first);
        let range = index.places_of(query);
        let (of_query, others) = rest.split_at(rest.partition_point(|&place| place < range.end));
        all.push(QueryPassages { query, passages: passages_of(index, &found, range, of_query, goes_on) });
        rest = others;
    }
    all
}

/// The passages of a query that has these places, of which the `wanted` ones have windows that were `found`.
fn passages_of(
    index: &WindowIndex,
    found: &[(u32, u32)],
    places: Range<u32>,
    mut wanted: &[u32],
    goes_on: &dyn Fn() -> bool,
) -> Vec<TokenPassage> {
    let stands_at = |place: u32, at: u32| found.binary_search(&(index.window(place), at)).is_ok();
    let steps = Cell::new(0_u32);
    let has_ended = Cell::new(false);
    let goes_on = || {
        steps.set(steps.get().wrapping_add(1));
        if steps.get().is_multiple_of(STEPS) && !goes_on() {
            has_ended.set(true);
        }
        !has_ended.get()
    };
    let length_from = |place: u32, at: u32| {
        let offsets = (1..places.end - place).take_while(|&offset| stands_at(place + offset, at + offset) && goes_on());
        1 + offsets.count()
    };
    let mut passages = Vec::new();
    while let Some(&place) = wanted.first().filter(|_| goes_on()) {
        let window = index.window(place);
        let of_window = &found[found.partition_point(|&(other, _)| other < window)..];
        let starts = of_window.iter().take_while(|(other, _)| *other == window).take(MAX_PLACES);
        let best = starts.map(|&(_, at)| (length_from(place, at), at));
        let Some((windows, at)) = best.max_by_key(|&(length, at)| (length, u32::MAX - at)) else { break };
        let (begin, at, tokens) = ((place - places.start) as usize, at as usize, windows + index.size() - 1);
        passages.push(TokenPassage { query: begin..begin + tokens, source: at..at + tokens });
        wanted = &wanted[wanted.partition_point(|&other| other < place + windows as u32)..];
    }
    passages
}

/// The ranges of tokens of a query whose windows are common, and in no passage therefore; they ascend, and overlap.
pub fn common_windows(index: &WindowIndex, counts: &WindowCounts, query: usize) -> Vec<Range<usize>> {
    let places = index.places_of(query);
    let common = places.clone().filter(|&place| counts.is_common(index.window(place)));
    common.map(|place| (place - places.start) as usize).map(|begin| begin..begin + index.size()).collect()
}

/// A run of tokens of a query that stands in too many sources to be a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommonRun {
    /// Numbers of the tokens in the query.
    pub tokens: Range<usize>,
    /// Number of sources in which each of its windows stands.
    pub sources: u32,
    /// The number of its first window, by which equal runs of several queries are known.
    pub window: u32,
}

/// The runs of consecutive windows of a query that equally many sources have, too many for a passage; without those
/// that are ignored.
pub fn common_runs(index: &WindowIndex, counts: &WindowCounts, query: usize) -> Vec<CommonRun> {
    let places = index.places_of(query);
    let mut runs: Vec<CommonRun> = Vec::new();
    for place in places.clone() {
        let Some(sources) = counts.sources_of_common(index.window(place)) else { continue };
        let begin = (place - places.start) as usize;
        let tokens = begin..begin + index.size();
        match runs.last_mut() {
            Some(run) if run.sources == sources && run.tokens.end + 1 == tokens.end => run.tokens.end = tokens.end,
            _ => runs.push(CommonRun { tokens, sources, window: index.window(place) }),
        }
    }
    runs
}

/// Number of tokens of a query that are in at least one of these ranges, which are in any order.
pub fn covered_tokens(mut ranges: Vec<Range<usize>>) -> usize {
    ranges.sort_unstable_by_key(|range| range.start);
    let (mut covered, mut end) = (0, 0);
    for range in ranges {
        covered += range.end.saturating_sub(end.max(range.start));
        end = end.max(range.end);
    }
    covered
}

/// Passages that are shown as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bridged {
    /// From the first to the last.
    pub passage: TokenPassage,
    /// Tokens of the query that are in one of them.
    pub tokens: usize,
}

/// Joins neighbouring passages between which at most `gap` tokens of the query, and of the source, stand: small edits
/// inside a longer passage. What lies between is shown, and not counted. With a `gap` of 0 all stay apart.
pub fn bridge(passages: &[TokenPassage], gap: usize) -> Vec<Bridged> {
    let mut shown: Vec<Bridged> = Vec::new();
    // Without a gap nothing is bridged: each passage is a run of equal tokens.
    let is_bridged = gap > 0;
    for TokenPassage { query, source } in passages {
        let tokens = query.len();
        match shown.last_mut() {
            Some(Bridged { passage: last, tokens: counted })
                if is_bridged && follows(&last.query, query, gap) && follows(&last.source, source, gap) =>
            {
                *counted += query.end - query.start.max(last.query.end);
                (last.query.end, last.source.end) = (query.end, source.end);
            }
            _ => shown.push(Bridged { passage: TokenPassage { query: query.clone(), source: source.clone() }, tokens }),
        }
    }
    shown
}

/// Whether a range of tokens goes on where another ends, after `gap` tokens at most.
fn follows(before: &Range<usize>, range: &Range<usize>, gap: usize) -> bool {
    range.start > before.start && range.end > before.end && range.start <= before.end + gap
}
