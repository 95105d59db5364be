//! Passages, made of the windows that a source and queries have in common.

use super::index::{WindowCounts, WindowIndex, WindowRun};
use std::ops::Range;

/// Places of a window in a source that are tried, at most; bounds the cost of texts that repeat a window thousands of
/// times. What is covered does not depend on it.
const MAX_PLACES: usize = 64;

/// Windows that are compared between two looks whether the search goes on: milliseconds.
const WINDOWS_A_LOOK: u32 = 1 << 13;

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
    /// Passages in the order of the query. Neighbouring ones may share tokens, fewer than a window has.
    pub passages: Vec<TokenPassage>,
}

/// The passages that queries have in a source whose runs were found, by windows that are not common; `counts` has
/// counted all sources.
///
/// From left to right, at each window of the query that is in the source, the longest common run from there on is a
/// passage, the first in the source of equally long ones; the search goes on behind its last window. So each window is
/// in a passage, and each passage cannot be extended.
///
/// Once `goes_on` is false, which it stays, the passages are some of them and of no use.
pub fn passages_while(
    index: &WindowIndex,
    counts: &WindowCounts,
    runs: &[WindowRun],
    goes_on: &dyn Fn() -> bool,
) -> Vec<QueryPassages> {
    let source = SourceWindows::new(index, without_common(index, counts, runs));
    let mut places: Vec<u32> =
        source.starts.chunk_by(|a, b| a.0 == b.0).flat_map(|of_window| index.occurrences(of_window[0].0)).collect();
    places.sort_unstable();
    let mut all = Vec::new();
    let mut rest = &places[..];
    while let Some(&first) = rest.first() {
        let query = index.query_of(first);
        let range = index.places_of(query);
        let (of_query, others) = rest.split_at(rest.partition_point(|&place| place < range.end));
        all.push(QueryPassages { query, passages: source.passages_of(range, of_query, goes_on) });
        rest = others;
    }
    all
}

/// The parts of runs that have no common windows.
fn without_common(index: &WindowIndex, counts: &WindowCounts, runs: &[WindowRun]) -> Vec<WindowRun> {
    let mut all: Vec<WindowRun> = Vec::with_capacity(runs.len());
    for run in runs {
        let mut is_open = false;
        for offset in 0..run.windows {
            let place = run.place + offset;
            let is_shared = !counts.is_common(index.window(place));
            match all.last_mut() {
                Some(last) if is_shared && is_open => last.windows += 1,
                _ if is_shared => all.push(WindowRun { at: run.at + offset, place, windows: 1 }),
                _ => {}
            }
            is_open = is_shared;
        }
    }
    all
}

/// The windows of a source that queries have.
struct SourceWindows<'a> {
    index: &'a WindowIndex,
    /// Runs in the order of the source.
    runs: Vec<WindowRun>,
    /// One entry for each window: the first places in the source, ascending.
    starts: Vec<(u32, u32)>,
}

impl<'a> SourceWindows<'a> {
    /// Starts of one window, many times over, that are held before those are dropped that are never tried.
    const MAX_STARTS: usize = 1 << 16;

    fn new(index: &'a WindowIndex, runs: Vec<WindowRun>) -> Self {
        let mut starts: Vec<(u32, u32)> = Vec::new();
        let mut max_starts = Self::MAX_STARTS;
        for run in &runs {
            for offset in 0..run.windows {
                if starts.len() == max_starts {
                    keep_first(&mut starts);
                    max_starts = Self::MAX_STARTS.max(2 * starts.len());
                }
                starts.push((index.window(run.place + offset), run.at + offset));
            }
        }
        keep_first(&mut starts);
        Self { index, runs, starts }
    }

    /// The passages of a query that has these places, of which the `shared` ones have windows of the source.
    fn passages_of(&self, places: Range<u32>, mut shared: &[u32], goes_on: &dyn Fn() -> bool) -> Vec<TokenPassage> {
        let mut passages = Vec::new();
        let mut compared = WINDOWS_A_LOOK;
        while let Some(&place) = shared.first() {
            if compared >= WINDOWS_A_LOOK {
                compared = 0;
                if !goes_on() {
                    break;
                }
            }
            let window = self.index.window(place);
            let of_window = &self.starts[self.starts.partition_point(|&(other, _)| other < window)..];
            // The longest, and the first of equally long ones.
            let mut best: Option<(u32, u32)> = None;
            for &(_, at) in of_window.iter().take_while(|(other, _)| *other == window).take(MAX_PLACES) {
                let windows = self.equal_from(place..places.end, at);
                compared = compared.saturating_add(windows);
                if best.is_none_or(|(longest, _)| windows > longest) {
                    best = Some((windows, at));
                }
                if windows == places.end - place {
                    break;
                }
            }
            let Some((windows, at)) = best else { break };
            let begin = (place - places.start) as usize;
            let at = at as usize;
            let tokens = windows as usize + self.index.size() - 1;
            passages.push(TokenPassage { query: begin..begin + tokens, source: at..at + tokens });
            shared = &shared[shared.partition_point(|&other| other < place + windows)..];
        }
        passages
    }

    /// Number of consecutive places, from the first of these on, whose windows stand in the source from `at` on.
    fn equal_from(&self, places: Range<u32>, mut at: u32) -> u32 {
        let mut place = places.start;
        let first = self.runs.partition_point(|run| run.at + run.windows <= at);
        for run in &self.runs[first..] {
            if run.at > at || place == places.end {
                break;
            }
            let offset = at - run.at;
            let most = (run.windows - offset).min(places.end - place);
            let equal = self.index.equal_windows(place, run.place + offset, most);
            place += equal;
            at += equal;
            if equal < most {
                break;
            }
        }
        place - places.start
    }
}

/// Sorts the places of windows and keeps the first ones of each window.
fn keep_first(starts: &mut Vec<(u32, u32)>) {
    starts.sort_unstable();
    let mut last = None;
    let mut count = 0;
    starts.retain(|&(window, _)| {
        count = if last == Some(window) { count + 1 } else { 1 };
        last = Some(window);
        count <= MAX_PLACES
    });
}

/// The ranges of tokens of a query whose windows are common, and in no passage therefore; they ascend.
pub fn common_windows(index: &WindowIndex, counts: &WindowCounts, query: usize) -> Vec<Range<usize>> {
    let places = index.places_of(query);
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for place in places.clone().filter(|&place| counts.is_common(index.window(place))) {
        let begin = (place - places.start) as usize;
        let tokens = begin..begin + index.size();
        match ranges.last_mut() {
            Some(last) if tokens.start <= last.end => last.end = tokens.end,
            _ => ranges.push(tokens),
        }
    }
    ranges
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
    let mut covered = 0;
    let mut end = 0;
    for range in ranges {
        covered += range.end.saturating_sub(end.max(range.start));
        end = end.max(range.end);
    }
    covered
}

/// Passages that are shown as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bridged {
    /// Passage from the first to the last window.
    pub passage: TokenPassage,
    /// Tokens of the query that are in one of them.
    pub tokens: usize,
}

/// Joins neighbouring passages between which at most `gap` tokens of the query, and of the source, stand: small edits
/// inside a longer passage. What lies between is shown, and not counted. With a `gap` of 0 all stay apart.
pub fn bridge(passages: &[TokenPassage], gap: usize) -> Vec<Bridged> {
    let mut shown: Vec<Bridged> = Vec::new();
    // A gap of 0 bridges nothing: each passage is a run of equal tokens.
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

/// Returns whether a range of tokens goes on where another ends, after `gap` tokens at most.
fn follows(before: &Range<usize>, range: &Range<usize>, gap: usize) -> bool {
    range.start > before.start && range.end > before.end && range.start <= before.end + gap
}
