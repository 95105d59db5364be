//! Recall of an index whose method may miss answers: measured on a sample of the queries, which are
//! compared with every document.

use super::open_index::OpenIndex;
use super::question::{Queries, Query};
use crate::base::{Result, Stage};
use crate::candidates::MeasuredRecall;
use crate::run::Session;
use crate::threads::ordered_map;
use lookalike_core::DocId;
use lookalike_index::{Answer, Question, Searcher, Storage};

/// Queries from which on the recall is worth being measured: it takes some milliseconds for each that is sampled, and a
/// million documents.
const MIN_QUERIES: usize = 64;
const SAMPLED_QUERIES: usize = 500;
/// Documents that all sampled queries together are compared with; of weighted sets, which no sketch refuses, fewer.
const MAX_COMPARED: usize = 200_000_000;
const MAX_WEIGHED: usize = 2_000_000;
/// Queries that a thread compares at a time.
const CHUNK_QUERIES: usize = 4;

/// Measures the recall of an index, if there are queries enough to do so. Answers with equal sets do not count: no
/// method misses them.
pub(super) fn measure_recall(
    queries: &Queries<'_>,
    open: &OpenIndex<'_>,
    session: &Session<'_>,
) -> Result<Option<MeasuredRecall>> {
    let OpenIndex { index, view, .. } = *open;
    let measure = queries.wanted.measure;
    let queried = queries.with_elements();
    let max_compared = if measure.weighted().is_some() { MAX_WEIGHED } else { MAX_COMPARED };
    let sampled = queried.len().min(SAMPLED_QUERIES).min(max_compared / view.len().max(1));
    // Of estimates nobody knows which are true.
    let is_exact = index.settings().storage == Storage::Sets;
    if !is_exact || queried.len() < MIN_QUERIES || sampled == 0 {
        return Ok(None);
    }
    // Evenly, so that the sample is a function of the queries alone.
    let sample: Vec<DocId> = (0..sampled).map(|number| queried[number * queried.len() / sampled]).collect();
    let work = |searcher: &mut Searcher, some: &[DocId]| {
        session.stages.check()?;
        let mut found = 0;
        let mut all = 0;
        for &query in some {
            let Query { elements, counts, .. } = queries.get(query);
            let question = Question { elements, counts, measure, limit: None };
            let count = |answers: Vec<Answer>| answers.iter().filter(|answer| answer.similarity < 1.0).count() as u64;
            found += count(searcher.search(view, &question)?);
            all += count(searcher.search_every(view, &question)?);
        }
        session.stages.progress.advance(some.len() as u64);
        Ok((found, all))
    };
    let mut found_pairs = 0;
    let mut true_pairs = 0;
    // Only the queries tell whether there is something to measure.
    session.stages.next_is_part();
    session.stage(Stage::over_documents(Stage::MEASURING_RECALL, sample.len()), || {
        let chunks = sample.chunks(CHUNK_QUERIES);
        let pace = session.pace_for(1 << 20);
        ordered_map(
            chunks,
            pace,
            || index.searcher(),
            work,
            |counted: Result<(u64, u64)>| {
                let (found, all) = counted?;
                found_pairs += found;
                true_pairs += all;
                Ok(())
            },
        )
    })?;
    Ok(Some(MeasuredRecall::from_counts(sample.len() as u64, found_pairs, true_pairs)))
}
