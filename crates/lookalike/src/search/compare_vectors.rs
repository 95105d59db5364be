//! Compares vectors that are asked about with every vector of a corpus, in blocks: some queries at a time with a chunk
//! of documents, which stays in the cache while these pass.

use super::answer::{FoundAnswer, Queries};
use super::neighbour::{Neighbour, answer};
use crate::ground::{Result, Stage};
use crate::run::Session;
use crate::threads::ordered_map;
use lookalike_core::DocId;
use lookalike_core::comparison::{Measure, Verifier};
use lookalike_core::rule::Nearest;
use lookalike_core::similarity::CandidatePair;
use lookalike_core::vectors::VectorBlock;
use std::ops::Range;

/// Queries that are compared at a time.
const GROUP_QUERIES: usize = 64;
/// Documents that a thread compares with a group at a time.
const CHUNK_DOCUMENTS: usize = 1 << 14;
/// Documents after which what is left to be found is looked at again.
const STEP_DOCUMENTS: usize = 256;

/// Calls `visit` with each query and the documents among the first `among` that are near to it; a query is no answer to
/// itself.
pub(super) fn compare_vectors(
    queries: &Queries<'_>,
    among: usize,
    session: &Session<'_>,
    mut visit: impl FnMut(DocId, Vec<FoundAnswer<DocId>>) -> Result<()> + Send,
) -> Result<()> {
    let Queries { documents, limit, .. } = *queries;
    session.stage(Stage::over_documents("searching", documents.len() * among), || {
        let chunks = (0..among).step_by(CHUNK_DOCUMENTS).map(|begin| begin..among.min(begin + CHUNK_DOCUMENTS));
        let groups = documents.chunks(GROUP_QUERIES);
        let all = groups.enumerate().flat_map(|(group, _)| chunks.clone().map(move |chunk| (group, chunk)));
        let group_of = |group: usize| documents.chunks(GROUP_QUERIES).nth(group).unwrap_or_default();
        let work = |block: &mut VectorBlock, (number, chunk): (usize, Range<usize>)| {
            let group = group_of(number);
            session.stages.check()?;
            let (compared, is_last) = (group.len() * chunk.len(), chunk.end == among);
            let found = compare_group(queries, (group, chunk), block, session);
            session.stages.progress.advance(compared as u64);
            Ok((number, found, is_last))
        };
        let new_nearest = || -> Vec<Nearest<Neighbour>> { (0..GROUP_QUERIES).map(|_| Nearest::new(limit)).collect() };
        let mut nearest = new_nearest();
        let pace = session.pace_for(CHUNK_DOCUMENTS * size_of::<Neighbour>());
        ordered_map(all, pace, VectorBlock::default, work, |compared: Result<(usize, Vec<Vec<Neighbour>>, bool)>| {
            let (number, found, is_last) = compared?;
            for (nearest, found) in nearest.iter_mut().zip(found) {
                found.into_iter().for_each(|found| {
                    let _ = nearest.push(found);
                });
            }
            if !is_last {
                return Ok(());
            }
            let found = std::mem::replace(&mut nearest, new_nearest());
            group_of(number).iter().zip(found).try_for_each(|(&query, found)| {
                visit(query, found.into_sorted().into_iter().map(|found| answer(queries, query, found)).collect())
            })
        })
    })
}

/// By query of a group: what is near to it in a chunk of documents.
fn compare_group(
    queries: &Queries<'_>,
    (group, chunk): (&[DocId], Range<usize>),
    block: &mut VectorBlock,
    session: &Session<'_>,
) -> Vec<Vec<Neighbour>> {
    let Queries { corpus, limit, measure, .. } = *queries;
    let verifier = Verifier::new(&corpus.sets, measure, session.kernel());
    block.fill(&corpus.sets, measure.by_products(), group);
    let mut nearest: Vec<Nearest<Neighbour>> = group.iter().map(|_| Nearest::new(limit)).collect();
    let mut left: Vec<Measure> = vec![measure; group.len()];
    let (mut near, mut others) = (Vec::new(), Vec::new());
    for begin in chunk.clone().step_by(STEP_DOCUMENTS) {
        others.clear();
        others.extend((begin..chunk.end.min(begin + STEP_DOCUMENTS)).map(|index| DocId(index as u32)));
        block.find_near(session.kernel(), &corpus.sets, &others, |row, document| near.push((row, document)));
        for (row, document) in near.drain(..) {
            let Some(pair) = verifier.verify(CandidatePair { a: group[row], b: document }) else { continue };
            let similarity = verifier.similarity(&pair);
            if let Some(worst) = nearest[row].push(Neighbour { document, found: pair.found, similarity }) {
                left[row] = left[row].raised_to(worst);
            }
        }
        left.iter().enumerate().for_each(|(row, measure)| block.limit(row, measure.by_products()));
    }
    nearest.into_iter().map(Nearest::into_sorted).collect()
}
