//! Compares each query with every document of a corpus.
//!
//! Nothing is made before the first comparison, and most documents are refused by their sizes as soon as there are
//! enough answers: for few queries that is faster than any index, down to the lowest similarity. Vectors are compared
//! in blocks: some queries at a time with a chunk of documents, which stays in the cache while these pass.

use super::answer::{FoundAnswer, Neighbour};
use super::question::{AnswerLimits, Queries};
use crate::base::{Result, Stage};
use crate::run::Session;
use crate::threads::ordered_map;
use lookalike_core::DocId;
use lookalike_core::comparison::{Measure, Verifier};
use lookalike_core::kernel::Kernel;
use lookalike_core::rule::Nearest;
use lookalike_core::similarity::{CandidatePair, DocumentBlock, MANY, SearchFilters};
use std::num::NonZeroUsize;
use std::ops::Range;

/// Documents that a thread compares at a time.
const CHUNK_DOCUMENTS: usize = 1 << 14;
/// Vectors that are queried at a time.
const GROUP_VECTORS: usize = 64;

/// Calls `visit` with each query that has elements, and the documents among the first `among` that are near to it; a
/// query is no answer to itself.
pub(super) fn compare_all(
    queries: &Queries<'_>,
    among: usize,
    session: &Session<'_>,
    mut visit: impl FnMut(DocId, Vec<FoundAnswer>) -> Result<()> + Send,
) -> Result<()> {
    let Queries { corpus, wanted: AnswerLimits { measure, limit }, .. } = *queries;
    let queried = queries.with_elements();
    let are_vectors = measure.is_of_vectors();
    let groups: Vec<&[DocId]> = queried.chunks(if are_vectors { GROUP_VECTORS } else { 1 }).collect();
    let kernel = session.kernel();
    let space = measure.space(&corpus.sets, kernel);
    let verifier = space.verifier();
    session.stage(Stage::over_documents(Stage::SEARCHING, queried.len() * among), || {
        let chunks = (0..among).step_by(CHUNK_DOCUMENTS).map(|begin| begin..among.min(begin + CHUNK_DOCUMENTS));
        let all = (0..groups.len()).flat_map(|number| chunks.clone().map(move |chunk| (number, chunk)));
        let work = |block: &mut Option<Box<dyn DocumentBlock + '_>>, (number, chunk): (usize, Range<usize>)| {
            session.stages.check()?;
            let group = groups[number];
            let compared = group.len() * chunk.len();
            let is_last = chunk.end == among;
            let found: Vec<Vec<Neighbour>> = match block {
                Some(block) => compare_group(verifier, group, chunk, limit, &mut **block),
                None => group.iter().map(|&query| compare_query(queries, query, chunk.clone(), kernel)).collect(),
            };
            session.stages.progress.advance(compared as u64);
            Ok((number, found, is_last))
        };
        let mut nearest: Vec<Nearest<Neighbour>> = Vec::new();
        let take = |compared: Result<(usize, Vec<Vec<Neighbour>>, bool)>| {
            let (number, found, is_last) = compared?;
            let group = groups[number];
            nearest.resize_with(group.len(), || Nearest::new(limit));
            for (nearest, found) in nearest.iter_mut().zip(found) {
                found.into_iter().for_each(|found| {
                    let _ = nearest.push(found);
                });
            }
            if !is_last {
                return Ok(());
            }
            group.iter().zip(std::mem::take(&mut nearest)).try_for_each(|(&query, found)| {
                visit(query, found.into_sorted().into_iter().map(|found| found.answer(queries, query)).collect())
            })
        };
        let pace = session.pace_for(CHUNK_DOCUMENTS * size_of::<Neighbour>());
        ordered_map(all, pace, || are_vectors.then(|| verifier.block()), work, take)
    })
}

/// The nearest of a chunk of documents to a query.
fn compare_query(queries: &Queries<'_>, query: DocId, chunk: Range<usize>, kernel: Kernel) -> Vec<Neighbour> {
    let Queries { corpus, wanted: AnswerLimits { measure, limit }, .. } = *queries;
    let filters = SearchFilters { max_sketch_bytes: None, short: corpus.prepared.short() };
    let space_of = |measure: Measure| measure.space_with(&corpus.sets, kernel, filters);
    let mut space = space_of(measure);
    let mut nearest = Nearest::new(limit);
    for document in chunk.map(|index| DocId(index as u32)).filter(|&document| document != query) {
        let verifier = space.verifier();
        let Some(pair) = verifier.verify(CandidatePair { a: query, b: document }) else { continue };
        let similarity = verifier.similarity(&pair);
        if let Some(worst) = nearest.push(Neighbour { document, found: pair.found, similarity }) {
            // A higher threshold refuses most documents by their sizes.
            space = space_of(verifier.measure().raised_to(worst));
        }
    }
    nearest.into_sorted()
}

/// Nearest documents of a chunk by vector of a group.
fn compare_group(
    verifier: Verifier<'_>,
    group: &[DocId],
    chunk: Range<usize>,
    limit: Option<NonZeroUsize>,
    block: &mut dyn DocumentBlock,
) -> Vec<Vec<Neighbour>> {
    block.fill(group);
    let mut nearest: Vec<Nearest<Neighbour>> = group.iter().map(|_| Nearest::new(limit)).collect();
    let mut near = Vec::new();
    let mut others = Vec::new();
    for begin in chunk.clone().step_by(MANY) {
        others.clear();
        others.extend((begin..chunk.end.min(begin + MANY)).map(|index| DocId(index as u32)));
        block.find_near(&others, &mut near);
        for CandidatePair { a: document, b: query } in near.drain(..) {
            let Some(pair) = verifier.verify(CandidatePair { a: query, b: document }) else { continue };
            let Some(row) = group.iter().position(|&one| one == query) else { continue };
            let similarity = verifier.similarity(&pair);
            if let Some(worst) = nearest[row].push(Neighbour { document, found: pair.found, similarity }) {
                block.raise(row, worst);
            }
        }
    }
    nearest.into_iter().map(Nearest::into_sorted).collect()
}
