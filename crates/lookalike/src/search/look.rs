//! Queries of fewer tokens than a shingle has, looked for as a whole in the texts that an index stores.
//!
//! Sets of shingles know nothing of shorter runs, so every text is read: slow beside an answer by keys, and complete.

use super::answer::{FoundAnswer, Queries, contained_in};
use crate::ground::{Result, Stage};
use crate::run::Session;
use lookalike_core::DocId;
use lookalike_core::documents::{ElementSets, LoneElements, TextHash};
use lookalike_core::rule::Reason;
use lookalike_core::similarity::{Agreement, Overlap};
use lookalike_index::{Finding, Index, Place, View};

/// Calls `visit` with each query, each of which has one element, and the documents of an index whose texts contain it:
/// those that are equal to it first.
pub(crate) fn look_into_texts(
    queries: &Queries<'_>,
    (index, view): (&Index, &View),
    session: &Session<'_>,
    mut visit: impl FnMut(DocId, Vec<FoundAnswer<Place>>) -> Result<()>,
) -> Result<()> {
    let Queries { corpus, documents, limit, .. } = *queries;
    let mut shingler = index.settings().features.shingler(session.kernel());
    let lone = LoneElements::of(&corpus.sets, documents.iter().copied());
    let mut all: Vec<Vec<FoundAnswer<Place>>> = documents.iter().map(|_| Vec::new()).collect();
    session.stage(Stage::over_documents("looking into texts", view.len()), || {
        let mut inside = Vec::new();
        let mut own = ElementSets::new();
        for place in view.places() {
            session.stages.check()?;
            let text = view.text(place)?;
            inside.clear();
            shingler.find_short(&text, &lone, &mut inside);
            own.clear();
            shingler.push(&text, &mut own)?;
            let own = own.get(DocId(0));
            for (&query, answers) in documents.iter().zip(&mut all) {
                let Some(element) = corpus.sets.get(query).first().copied() else { continue };
                let (found, reason) = match *own == [element] {
                    true => {
                        let is_same = corpus.text_hash(query).is_same(TextHash::of(&text, 1));
                        (Overlap { common: 1, left: 1, right: 1 }, Reason::of_equal(is_same))
                    }
                    false if inside.contains(&element) => (contained_in(own.len()), Reason::Near),
                    false => continue,
                };
                let found = Finding::Verified(Agreement::Sets(found));
                answers.push(FoundAnswer { document: place, found, similarity: 1.0, reason });
            }
            session.stages.progress.advance(1);
        }
        Ok(())
    })?;
    for (&query, mut answers) in documents.iter().zip(all) {
        answers.sort_by_key(|answer| answer.reason == Reason::Near);
        answers.truncate(limit.map_or(usize::MAX, |limit| limit.get()));
        visit(query, answers)?;
    }
    Ok(())
}
