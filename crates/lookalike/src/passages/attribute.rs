//! Attribution of texts: queries by groups that fit into memory, each compared with all sources.

use super::read::{PassageQueries, find_hits, ignore, read_queries};
use super::shared::{Attribution, SharedPassages, find_shared, shared_sources};
use crate::base::{Result, Stage};
use crate::corpus::{Listing, Records, TextsAgain};
use crate::run::Session;
use lookalike_core::DocId;
use lookalike_core::comparison::Features;
use lookalike_core::passages::{CommonRun, TokenSpan, WindowCounts, common_runs, common_windows, covered_tokens};
use lookalike_io::{Inputs, Source, sources::SharedFiles};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

/// Memory of a character of a query, about: its tokens are hashed, indexed, and known by their places.
const BYTES_PER_CHARACTER: u64 = 24;

/// Parameters of the search.
pub(crate) struct Attributing<'a> {
    pub(crate) listing: &'a Listing,
    pub(crate) records: &'a Records,
    pub(crate) inputs: &'a Inputs,
    /// Windows are shingles of these.
    pub(crate) features: &'a Features,
    /// Inputs that are references, too.
    pub(crate) shared: &'a SharedFiles,
    /// Documents with what is no passage; `None` if there are none.
    pub(crate) ignored: Option<(&'a Listing, &'a Records)>,
    /// Maximum number of documents that have a passage.
    pub(crate) max_documents: u32,
    /// Tokens between passages that are shown as one.
    pub(crate) gap: usize,
}

/// A run of tokens that too many documents have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommonPlace {
    /// The first input that has it.
    pub(crate) document: DocId,
    pub(crate) here: TokenSpan,
    pub(crate) tokens: usize,
    /// Number of documents that have it.
    pub(crate) documents: u32,
}

/// Facts of all inputs once each was visited.
#[derive(Debug, Default)]
pub(crate) struct Attributed {
    /// The longest runs of each group of inputs that too many documents have.
    pub(crate) common: Vec<CommonPlace>,
    /// References with fewer tokens than the shortest passage.
    pub(crate) short_references: u64,
}

/// Common runs that are remembered of each group of inputs.
const COMMON_RUNS: usize = 3;

/// Calls `visit` with what of each input stands in which references, and in which other inputs that are references,
/// too; without references, in which other inputs. Sources are read once for each group of inputs that fits into
/// memory.
pub(crate) fn attribute(
    attributing: &Attributing<'_>,
    session: &Session<'_>,
    mut visit: impl FnMut(Attribution) -> Result<()>,
) -> Result<Attributed> {
    let Attributing { listing, records, inputs, features, ignored, max_documents, ref gap, .. } = *attributing;
    let ignored_documents: Vec<DocId> = ignored.map_or_else(Vec::new, |(listing, _)| listing.documents().collect());
    let again = |stage, records, wanted| TextsAgain { stage, records, inputs, features, wanted };
    let (references, documents) = documents_of(listing);
    let shared = shared_documents(attributing, &documents);
    let has_sources = !references.is_empty() || !shared.is_empty();
    let sources = if has_sources { [references, shared].concat() } else { documents.clone() };
    // A document that is its own source is one more.
    let is_reference = |document: &DocId| document.index() < listing.references;
    let may_be_own = sources.last().is_some_and(|last| !is_reference(last))
        || may_be_stored(attributing, &sources[..sources.partition_point(is_reference)], &documents);
    let max_documents = if may_be_own { max_documents.saturating_add(1) } else { max_documents };
    let groups = groups(listing, &documents, session.spill.budget().max_corpus_bytes() / 2);
    let mut all = Attributed::default();
    for group in groups {
        let group = &documents[group];
        let queries = read_queries(again(Stage::READING_PASSAGES, records, group), session)?;
        let counts = queries.index.counts(max_documents);
        if let Some((_, records)) = ignored {
            ignore(again(Stage::READING_IGNORED, records, &ignored_documents), &queries.index, &counts, session)?;
        }
        let sources_again = again(Stage::LOOKING_FOR_PASSAGES, records, &sources);
        let hits = find_hits(sources_again, &queries.index, &counts, session)?;
        // Each group reads the same references.
        all.short_references = hits.short_references;
        let found = find_shared(&queries, &counts, &hits.finish()?, listing, session)?;
        let mut found = found.chunks().flatten().copied().peekable();
        for query in 0..group.len() {
            session.stages.check_sometimes(query as u64)?;
            let of_query = std::iter::from_fn(|| found.next_if(|found| found.query() == query));
            let sources = shared_sources(of_query, &queries.spans[query], *gap);
            visit(attribution(&queries, query, &counts, sources))?;
        }
        all.common.extend(longest_common(&queries, &counts));
    }
    Ok(all)
}

/// The longest different runs of these queries that too many documents have, these first.
fn longest_common(queries: &PassageQueries, counts: &WindowCounts) -> Vec<CommonPlace> {
    let mut longest: Vec<(usize, CommonRun)> = Vec::new();
    for query in 0..queries.documents.len() {
        for run in common_runs(&queries.index, counts, query) {
            let is_known =
                longest.iter().any(|(_, known)| known.window == run.window && known.tokens.len() >= run.tokens.len());
            if !is_known {
                longest.push((query, run));
                longest.sort_by_key(|(_, run)| Reverse(run.tokens.len()));
                longest.truncate(COMMON_RUNS);
            }
        }
    }
    let place = |(query, run): (usize, CommonRun)| {
        let here = queries.spans[query].get(&run.tokens)?;
        let document = queries.documents[query];
        let tokens = run.tokens.len();
        Some(CommonPlace { document, here, tokens, documents: run.sources })
    };
    longest.into_iter().filter_map(place).collect()
}

/// References and inputs.
fn documents_of(listing: &Listing) -> (Vec<DocId>, Vec<DocId>) {
    let mut references: Vec<DocId> = listing.documents().collect();
    let inputs = references.split_off(listing.references);
    (references, inputs)
}

/// The inputs that are references, too.
fn shared_documents(Attributing { records, shared, .. }: &Attributing<'_>, documents: &[DocId]) -> Vec<DocId> {
    if shared.is_empty() {
        return Vec::new();
    }
    let is_shared = |document: &&DocId| {
        let place = records.place(**document);
        shared.hold(place.source as usize - records.reference_sources, place.number)
    };
    documents.iter().filter(is_shared).copied().collect()
}

/// Returns whether references in snapshots have the id of one of these documents.
fn may_be_stored(
    Attributing { listing, records, .. }: &Attributing<'_>,
    references: &[DocId],
    documents: &[DocId],
) -> bool {
    let is_stored = |document: DocId| records.sources[records.place(document).source as usize].is_stored();
    if !records.sources[..records.reference_sources].iter().any(Source::is_stored) {
        return false;
    }
    let ids: HashSet<&str> = documents.iter().map(|&document| listing.ids.get(document)).collect();
    references.iter().any(|&document| ids.contains(listing.ids.get(document)) && is_stored(document))
}

/// Ranges of the documents that fit into so much memory.
fn groups(listing: &Listing, documents: &[DocId], max_bytes: u64) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut begin = 0;
    let mut bytes = 0;
    for (at, &document) in documents.iter().enumerate() {
        let more = listing.characters(document).saturating_mul(BYTES_PER_CHARACTER);
        if at > begin && bytes + more > max_bytes {
            groups.push(begin..at);
            begin = at;
            bytes = 0;
        }
        bytes += more;
    }
    if begin < documents.len() {
        groups.push(begin..documents.len());
    }
    groups
}

pub(super) fn attribution(
    queries: &PassageQueries,
    query: usize,
    counts: &WindowCounts,
    SharedPassages { mut sources, covered: mut ranges }: SharedPassages,
) -> Attribution {
    let covered = covered_tokens(ranges.clone());
    ranges.extend(common_windows(&queries.index, counts, query));
    let common = covered_tokens(ranges) - covered;
    sources.sort_by_key(|source| Reverse(source.covered));
    let document = queries.documents[query];
    Attribution { document, tokens: queries.index.tokens_of(query), covered, common, sources }
}
