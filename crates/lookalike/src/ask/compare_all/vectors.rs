//! Compares vectors that are asked about with every vector of a corpus, in blocks: some queries at a time with a chunk
//! of documents, which stays in the cache while these pass.

use crate::ask::answer::{FoundAnswer, Neighbour};
use crate::ask::question::{Queries, Wanted};
use crate::ground::{Result, Stage};
use crate::run::Session;
use crate::threads::ordered_map;
use lookalike_core::DocId;
use lookalike_core::comparison::Verifier;
use lookalike_core::rule::Nearest;
use lookalike_core::similarity::{Block, CandidatePair, MANY};
use std::num::NonZeroUsize;
use std::ops::Range;

/// Queries that are compared at a time.
const GROUP_QUERIES: usize = 64;
/// Documents that a thread compares with a group at a time.
const CHUNK_DOCUMENTS: usize = 1 << 14;

/// Calls `visit` with each query and the documents among the first `among` that are near to it; a query is no answer to
/// itself.
pub(super) fn compare_vectors(
    queries: &Queries<'_>,
    among: usize,
    session: &Session<'_>,
    mut visit: impl FnMut(DocId, Vec<FoundAnswer>) -> Result<()> + Send,
) -> Result<()> {
    let Queries { corpus, documents, wanted: Wanted { measure, limit }, .. } = *queries;
    let space = measure.space(&corpus.sets, session.kernel());
    let verifier = space.verifier();
    session.stage(Stage::over_documents(Stage::SEARCHING, documents.len() * among), || {
        let chunks = (0..among).step_by(CHUNK_DOCUMENTS).map(|begin| begin..among.min(begin + CHUNK_DOCUMENTS));
        let groups = documents.chunks(GROUP_QUERIES);
        let all = groups.enumerate().flat_map(|(group, _)| chunks.clone().map(move |chunk| (group, chunk)));
        let group_of = |group: usize| documents.chunks(GROUP_QUERIES).nth(group).unwrap_or_default();
        let work = |block: &mut Box<dyn Block + '_>, (number, chunk): (usize, Range<usize>)| {
            let group = group_of(number);
            session.stages.check()?;
            let compared = group.len() * chunk.len();
            let is_last = chunk.end == among;
            let found = compare_group(verifier, group, chunk, limit, &mut **block);
            session.stages.progress.advance(compared as u64);
            Ok((number, found, is_last))
        };
        let new_nearest = || -> Vec<Nearest<Neighbour>> { (0..GROUP_QUERIES).map(|_| Nearest::new(limit)).collect() };
        let mut nearest = new_nearest();
        let pace = session.pace_for(CHUNK_DOCUMENTS * size_of::<Neighbour>());
        ordered_map(
            all,
            pace,
            || verifier.block(),
            work,
            |compared: Result<(usize, Vec<Vec<Neighbour>>, bool)>| {
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
                    visit(query, found.into_sorted().into_iter().map(|found| found.answer(queries, query)).collect())
                })
            },
        )
    })
}

/// By query of a group: what is near to it in a chunk of documents.
fn compare_group(
    verifier: Verifier<'_>,
    group: &[DocId],
    chunk: Range<usize>,
    limit: Option<NonZeroUsize>,
    block: &mut dyn Block,
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
