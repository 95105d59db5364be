//! Queries of fewer tokens than a shingle has, looked for as a whole in the texts that an index stores.
//!
//! Sets of shingles know nothing of shorter runs, so every text is read: slow beside an answer by keys, and complete.

use super::answer::FoundAnswer;
use super::open_index::OpenIndex;
use super::question::Queries;
use crate::base::{Result, Stage};
use crate::run::Session;
use lookalike_core::DocId;
use lookalike_core::comparison::{PairCheck, VerifiedPair};
use lookalike_core::documents::{ElementSets, LoneElements, TextHash};
use lookalike_core::rule::Reason;
use lookalike_core::similarity::{Agreement, CandidatePair, Overlap};
use lookalike_index::{DocAddress, Finding};

/// A document whose text contains a query.
struct FoundIn {
    place: DocAddress,
    found: Agreement,
    reason: Reason,
}

/// Calls `visit` with each query, each of which has one element, and the documents of an index whose texts contain it:
/// those that are equal to it first.
pub(super) fn look_into_texts(
    queries: &Queries<'_>,
    open: &OpenIndex<'_>,
    session: &Session<'_>,
    mut visit: impl FnMut(DocId, Vec<FoundAnswer>) -> Result<()>,
) -> Result<()> {
    let Queries { corpus, documents, wanted, .. } = *queries;
    let OpenIndex { index, view, .. } = *open;
    let mut shingler = index.settings().features.shingler(session.kernel());
    let check = PairCheck::new(wanted.measure);
    let lone = LoneElements::new(&corpus.sets, documents.iter().copied());
    let mut all: Vec<Vec<FoundIn>> = documents.iter().map(|_| Vec::new()).collect();
    session.stage(Stage::over_documents(Stage::LOOKING_INTO_TEXTS, view.len()), || {
        let mut inside = Vec::new();
        let mut own = ElementSets::new();
        for (number, place) in (0..).zip(view.places()) {
            session.stages.check()?;
            let text = view.text(place)?;
            inside.clear();
            shingler.find_short(&text, &lone, &mut inside);
            own.clear();
            shingler.push(&text, &mut own)?;
            let own = own.get(DocId(0));
            for (&query, answers) in documents.iter().zip(&mut all) {
                let Some(element) = corpus.sets.get(query).first().copied() else { continue };
                let (right, reason) = if *own == [element] {
                    let is_same = corpus.text_hash(query).is_same(TextHash::new(&text, 1));
                    (1, Reason::of_equal(is_same))
                } else if inside.contains(&element) {
                    // It is one more element of the document.
                    (own.len() + 1, Reason::Near)
                } else {
                    continue;
                };
                let pair = CandidatePair { a: query, b: DocId(number) };
                let found = Agreement::Sets(Overlap { common: 1, left: 1, right });
                let verified = check.accept(pair, found);
                answers.extend(verified.map(|VerifiedPair { found, .. }| FoundIn { place, found, reason }));
            }
            session.stages.progress.advance(1);
        }
        Ok(())
    })?;
    for (&query, mut answers) in documents.iter().zip(all) {
        answers.sort_by_key(|answer| answer.reason == Reason::Near);
        answers.truncate(wanted.limit.map_or(usize::MAX, |limit| limit.get()));
        let answer =
            |FoundIn { place, found, reason }: FoundIn| open.answer_at(place, Finding::Verified(found), 1.0, reason);
        visit(query, answers.into_iter().map(answer).collect())?;
    }
    Ok(())
}
