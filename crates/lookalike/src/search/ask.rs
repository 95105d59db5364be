//! Asks an index, by all threads.

use super::answer::{FoundAnswer, Queries};
use crate::ground::{Result, Stage};
use crate::run::Session;
use crate::threads::ordered_map;
use lookalike_core::DocId;
use lookalike_core::comparison::Measure;
use lookalike_core::documents::TextHash;
use lookalike_index::{Answer, Index, Place, Question, Searcher, SetBuffer, View};
use std::num::NonZeroUsize;

/// Queries that a thread asks at a time.
const CHUNK_QUERIES: usize = 16;

/// Calls `visit` with each query that has elements, and the documents of the index that are near to it.
pub(crate) fn ask_index(
    queries: &Queries<'_>,
    (index, view): (&Index, &View),
    session: &Session<'_>,
    mut visit: impl FnMut(DocId, Vec<FoundAnswer<Place>>) -> Result<()> + Send,
) -> Result<()> {
    let Queries { corpus, documents, measure, limit } = *queries;
    let asked: Vec<DocId> = documents.iter().copied().filter(|&document| corpus.sets.size(document) > 0).collect();
    session.stage(Stage::over_documents("searching", asked.len()), || {
        let work = |searcher: &mut Searcher, some: &[DocId]| {
            session.stages.check()?;
            let mut all = Vec::with_capacity(some.len());
            for &query in some {
                let (elements, counts) = (corpus.sets.get(query), corpus.sets.weights(query));
                let question = Question { elements: elements.elements(), counts, measure, limit };
                let content = (elements.elements(), counts, corpus.text_hash(query));
                let answers = searcher.search(view, &question)?;
                all.push((query, with_reasons(view, content, answers)?));
            }
            session.stages.progress.advance(some.len() as u64);
            Ok(all)
        };
        let chunks = asked.chunks(CHUNK_QUERIES);
        // A thread that has nothing to do takes longer to start than a query to be answered.
        let pace = session.pace_for(1 << 20).with_threads(chunks.len());
        ordered_map(
            chunks,
            pace,
            || index.searcher(),
            work,
            |answered: Result<Vec<_>>| answered?.into_iter().try_for_each(|(query, answers)| visit(query, answers)),
        )
    })
}

/// The documents that are near to one of the index itself.
pub(crate) fn ask_for_stored(
    (searcher, view): (&mut Searcher, &View),
    asked: Place,
    (measure, limit): (Measure, Option<NonZeroUsize>),
) -> Result<Vec<FoundAnswer<Place>>> {
    let mut set = SetBuffer::default();
    view.read_set(asked, &mut set)?;
    // One more, because it finds itself.
    let limit = limit.and_then(|limit| limit.checked_add(1));
    let question = Question { elements: &set.elements, counts: &set.counts, measure, limit };
    let answers = searcher.search(view, &question)?;
    let content = (&set.elements[..], &set.counts[..], view.facts(asked).text_hash);
    let mut others = with_reasons(view, content, answers)?;
    others.retain(|answer| answer.document != asked);
    if let Some(limit) = limit {
        others.truncate(limit.get() - 1);
    }
    Ok(others)
}

/// Answers with what they have in common with a query of these elements, counts and text.
pub(crate) fn with_reasons(
    view: &View,
    query: (&[u64], &[u32], TextHash),
    answers: Vec<Answer>,
) -> Result<Vec<FoundAnswer<Place>>> {
    let with_reason = |answer: Answer| {
        let reason = view.reason(query, &answer)?;
        let Answer { place, found, similarity } = answer;
        Ok(FoundAnswer { document: place, found, similarity, reason })
    };
    answers.into_iter().map(with_reason).collect()
}
