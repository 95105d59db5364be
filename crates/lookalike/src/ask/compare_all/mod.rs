//! Compares each query with every document of a corpus.
//!
//! Nothing is made before the first comparison, and most documents are refused by their sizes as soon as there are
//! enough answers: for few queries that is faster than any index, down to the lowest similarity.

mod vectors;

use crate::ask::answer::{FoundAnswer, Neighbour};
use crate::ask::question::{Queries, Wanted};
use crate::ground::{Result, Stage};
use crate::run::Session;
use crate::threads::ordered_map;
use lookalike_core::DocId;
use lookalike_core::kernel::Kernel;
use lookalike_core::keys::Bounds;
use lookalike_core::rule::Nearest;
use std::ops::Range;
use vectors::compare_vectors;

/// Documents that a thread compares at a time.
const CHUNK_DOCUMENTS: usize = 1 << 14;

/// Calls `visit` with each query that has elements, and the documents among the first `among` that are near to it; a
/// query is no answer to itself.
pub(super) fn compare_all(
    queries: &Queries<'_>,
    among: usize,
    session: &Session<'_>,
    mut visit: impl FnMut(DocId, Vec<FoundAnswer>) -> Result<()> + Send,
) -> Result<()> {
    let Wanted { measure, limit } = queries.wanted;
    if measure.is_of_vectors() {
        return compare_vectors(queries, among, session, visit);
    }
    let asked = queries.with_elements();
    session.stage(Stage::over_documents(Stage::SEARCHING, asked.len() * among), || {
        let chunks = (0..among).step_by(CHUNK_DOCUMENTS).map(|begin| begin..among.min(begin + CHUNK_DOCUMENTS));
        let all = asked.iter().flat_map(|&query| chunks.clone().map(move |chunk| (query, chunk)));
        let mut nearest = Nearest::new(limit);
        let work = |(): &mut (), (query, chunk): (DocId, Range<usize>)| {
            session.stages.check()?;
            let length = chunk.len();
            let is_last = chunk.end == among;
            let found = compare_chunk(queries, query, chunk);
            session.stages.progress.advance(length as u64);
            Ok((query, found, is_last))
        };
        let pace = session.pace_for(CHUNK_DOCUMENTS * size_of::<Neighbour>());
        ordered_map(
            all,
            pace,
            || (),
            work,
            |compared: Result<(DocId, Vec<Neighbour>, bool)>| {
                let (query, found, is_last) = compared?;
                found.into_iter().for_each(|found| {
                    let _ = nearest.push(found);
                });
                if !is_last {
                    return Ok(());
                }
                let found = std::mem::replace(&mut nearest, Nearest::new(limit)).into_sorted();
                visit(query, found.into_iter().map(|found| found.answer(queries, query)).collect())
            },
        )
    })
}

fn compare_chunk(queries: &Queries<'_>, query: DocId, chunk: Range<usize>) -> Vec<Neighbour> {
    let Queries { corpus, wanted: Wanted { mut measure, limit }, .. } = *queries;
    let kernel = Kernel::detect();
    let asked = corpus.sets.weighted(query);
    let mut nearest = Nearest::new(limit);
    for document in chunk.map(|index| DocId(index as u32)).filter(|&document| document != query) {
        if let Some(found) = queries.whole_in(query, document) {
            let similarity = measure.similarity(found);
            if let Some(worst) = nearest.push(Neighbour { document, found, similarity }) {
                measure = measure.raised_to(worst);
            }
            continue;
        }
        let sizes = [asked.elements().len(), corpus.sets.size(document)];
        // Its elements are not read if its size is proof enough.
        let is_possible = measure.hamming().is_some()
            || measure.weighted().is_some()
            || measure.required_overlap(sizes[0], sizes[1]) <= sizes[0].min(sizes[1]);
        if !is_possible {
            continue;
        }
        if let Some(found) = measure.verify_weighted(kernel, asked, corpus.sets.weighted(document)) {
            let similarity = measure.similarity(found);
            if let Some(worst) = nearest.push(Neighbour { document, found, similarity }) {
                measure = measure.raised_to(worst);
            }
        }
    }
    nearest.into_sorted()
}
