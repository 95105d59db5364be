//! The passages of all queries in all sources, sorted by query: the largest thing that a search for sources makes. They
//! go through sorted runs in files where they exceed their share of the memory, and are put together query by query.

use super::hits::StoredHits;
use super::read::PassageQueries;
use crate::base::Result;
use crate::corpus::Listing;
use crate::run::Session;
use crate::spill::{ExternalSort, Repeats, Share};
use bytemuck::{Pod, Zeroable};
use lookalike_core::passages::{
    TokenPassage, TokenSpan, TokenSpans, WindowCounts, bridge, covered_tokens, passages_while,
};
use lookalike_core::{Array, DocId};
use std::ops::Range;

/// Sources of a document, and its tokens that stand in them.
#[derive(Debug)]
pub(crate) struct Attribution {
    pub(crate) document: DocId,
    /// Number of its tokens.
    pub(crate) tokens: usize,
    /// Number of those that stand in a source.
    pub(crate) covered: usize,
    /// Number of the others that stand in more documents than a source may.
    pub(crate) common: usize,
    /// Sources, the largest shares first; of equal ones, the first that was read.
    pub(crate) sources: Vec<SharedSource>,
}

/// A source of a document.
#[derive(Debug)]
pub(crate) struct SharedSource {
    pub(crate) source: DocId,
    /// Number of tokens of the document that stand in it.
    pub(crate) covered: usize,
    /// Passages in the order of the document.
    pub(crate) passages: Vec<SharedPassage>,
}

/// A passage, or several with small edits between, on both sides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SharedPassage {
    /// Number of tokens of the document that stand in the source, what lies between not counted.
    pub(crate) tokens: usize,
    /// Its place in the document.
    pub(crate) here: TokenSpan,
    /// Its place in the source.
    pub(crate) there: TokenSpan,
}

/// A passage of a query in a source, by its tokens on both sides and its place in the source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(super) struct FoundPassage {
    query: u32,
    source: u32,
    /// First token in the query: passages of a query and a source ascend by it.
    begin: u32,
    there_begin: u32,
    tokens: u32,
    /// 1 if the place in the source is known.
    is_located: u32,
    there: TokenSpan,
}

impl FoundPassage {
    pub(super) fn new(query: usize, source: DocId, passage: &TokenPassage, spans: &TokenSpans) -> Self {
        let TokenPassage { query: here, source: there } = passage;
        let span = spans.get(there);
        Self {
            query: query as u32,
            source: source.0,
            begin: here.start as u32,
            there_begin: there.start as u32,
            tokens: here.len() as u32,
            is_located: span.is_some().into(),
            there: span.unwrap_or_default(),
        }
    }

    /// Number of the query in its group.
    pub(super) fn query(&self) -> usize {
        self.query as usize
    }

    fn passage(&self) -> TokenPassage {
        let range = |begin: u32| begin as usize..begin as usize + self.tokens as usize;
        TokenPassage { query: range(self.begin), source: range(self.there_begin) }
    }

    fn there(&self) -> Option<TokenSpan> {
        (self.is_located == 1).then_some(self.there)
    }
}

/// The passages that these queries have in all sources, sorted.
pub(super) fn find_shared(
    queries: &PassageQueries,
    counts: &WindowCounts,
    hits: &StoredHits<'_>,
    listing: &Listing,
    session: &Session<'_>,
) -> Result<Array<FoundPassage>> {
    let max_bytes = session.spill.budget().share(Share::Pairs);
    let mut all = ExternalSort::new(&session.spill, Repeats::Kept, max_bytes);
    let goes_on = || session.stages.check().is_ok();
    for (number, hits) in hits.iter().enumerate() {
        session.stages.check_sometimes(number as u64)?;
        let hits = hits?;
        for found in passages_while(&queries.index, counts, &hits.runs, &goes_on) {
            let query = found.query;
            let document = queries.documents[query];
            // A snapshot does not tell of which file it was made: what has the same id and the same tokens is the
            // document itself.
            let is_itself = hits.stored_content == Some(queries.contents[query])
                && listing.ids.get(hits.source) == listing.ids.get(document);
            if document == hits.source || is_itself {
                continue;
            }
            let passage = |passage| FoundPassage::new(query, hits.source, passage, &hits.spans);
            all.extend(found.passages.iter().map(passage))?;
        }
    }
    session.stages.check()?;
    all.finish()
}

/// Passages that a query shares with all sources.
#[derive(Default)]
pub(super) struct SharedPassages {
    /// Sources in the order in which they were read.
    pub(super) sources: Vec<SharedSource>,
    /// The tokens of the query that are in a passage.
    pub(super) covered: Vec<Range<usize>>,
}

/// The sources of a query, of its passages in all sources; `here` has the places of its tokens.
pub(super) fn shared_sources(
    passages: impl Iterator<Item = FoundPassage>,
    here: &TokenSpans,
    gap: usize,
) -> SharedPassages {
    let mut shared = SharedPassages::default();
    let mut passages = passages.peekable();
    let mut of_source: Vec<FoundPassage> = Vec::new();
    let mut max_ranges = 1 << 10;
    while let Some(first) = passages.next() {
        of_source.clear();
        of_source.push(first);
        of_source.extend(std::iter::from_fn(|| passages.next_if(|next| next.source == first.source)));
        let ranges: Vec<Range<usize>> = of_source.iter().map(|found| found.passage().query).collect();
        shared.covered.extend(ranges.iter().cloned());
        if shared.covered.len() > max_ranges {
            shared.covered = joined(std::mem::take(&mut shared.covered));
            max_ranges = max_ranges.max(2 * shared.covered.len());
        }
        let passages = shown(&of_source, here, gap);
        shared.sources.push(SharedSource { source: DocId(first.source), covered: covered_tokens(ranges), passages });
    }
    shared
}

/// Ranges that have the same tokens, none of which overlap.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// The passages of a query in one source as they are shown.
fn shown(found: &[FoundPassage], here: &TokenSpans, gap: usize) -> Vec<SharedPassage> {
    let passages: Vec<TokenPassage> = found.iter().map(FoundPassage::passage).collect();
    let mut shown = Vec::new();
    let mut first = 0;
    for bridged in bridge(&passages, gap) {
        // Each bridged passage is made of the next ones, up to the one with which it ends.
        let ends_it = |passage: &TokenPassage| {
            passage.query.end == bridged.passage.query.end && passage.source.end == bridged.passage.source.end
        };
        let Some(others) = passages[first..].iter().position(ends_it) else { break };
        let last = first + others;
        let there = found[first]
            .there()
            .zip(found[last].there())
            .map(|(begin, TokenSpan { end, end_line, .. })| TokenSpan { end, end_line, ..begin });
        first = last + 1;
        if let Some((here, there)) = here.get(&bridged.passage.query).zip(there) {
            shown.push(SharedPassage { tokens: bridged.tokens, here, there });
        }
    }
    shown
}
