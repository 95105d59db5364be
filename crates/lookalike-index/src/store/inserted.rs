//! Decisions on documents that are added to an index unless another is near.
//!
//! ```text
//! documents --all threads--> the nearest in the index as it was --in order--> one of these, or of those before it, is
//! near: left out; else it is added, and is there for the next ones
//! ```

use super::index::{Index, delete};
use crate::base::{IndexDocument, Result};
use crate::segment::{Deleted, Part, on_threads};
use crate::view::{Answer, Question, Searcher, View};
use lookalike_core::comparison::Measure;
use lookalike_core::rule::Reason;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Decision on a document that was to be added unless there is one near to it.
#[derive(Debug, Clone, PartialEq)]
pub enum Inserted {
    /// The document was added.
    Added {
        /// `true` if it came in place of one with the same id.
        replaced: bool,
    },
    /// The document was left out: this one is near, the most similar of all.
    Near {
        /// Id of the document that is near.
        id: String,
        /// Agreement that the exact check has found.
        answer: Answer,
        /// Reason of the pair.
        reason: Reason,
    },
}

/// Search for the nearest documents.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearestSearch<'a> {
    pub(super) index: &'a Index,
    pub(super) measure: Measure,
    pub(super) threads: usize,
}

impl NearestSearch<'_> {
    /// The nearest documents of a view, two at most: the former self of the document that asks may be one.
    fn nearest(self, searcher: &mut Searcher, view: &View, document: &IndexDocument) -> Result<Vec<Answer>> {
        let IndexDocument { elements, counts, .. } = document;
        if elements.is_empty() {
            return Ok(Vec::new());
        }
        searcher.search(view, &Question { elements, counts, measure: self.measure, limit: NonZeroUsize::new(2) })
    }

    /// The nearest documents of a view, by document.
    fn nearest_of_all(self, documents: &[IndexDocument], view: &View) -> Result<Vec<Vec<Answer>>> {
        let threads = if documents.len() < MIN_SHARED { 1 } else { self.threads.max(1) };
        let found = on_threads(threads, |thread| {
            let at = |thread| documents.len() * thread / threads;
            let mut searcher = self.index.searcher();
            let some = documents[at(thread)..at(thread + 1)].iter();
            some.map(|document| self.nearest(&mut searcher, view, document)).collect::<Result<Vec<_>>>()
        })?;
        Ok(found.into_iter().flatten().collect())
    }
}

/// Documents of a group from which on threads share the questions.
const MIN_SHARED: usize = 16;

/// Decides about the documents of `group`, one after the other. What is replaced is deleted from `view`; of the group
/// that is returned, what is not added is.
pub(super) fn decide(
    documents: &[IndexDocument],
    view: &mut View,
    group: Part,
    near: NearestSearch<'_>,
) -> Result<(Vec<Inserted>, Part)> {
    let known = near.nearest_of_all(documents, view)?;
    let nobody = Part { deleted: Arc::new(Deleted::all(documents.len())), ..group };
    let mut added = View { parts: vec![nobody], now: view.now };
    let mut inserted = Vec::with_capacity(documents.len());
    let mut searcher = near.index.searcher();
    for ((number, document), mut known) in (0..).zip(documents).zip(known) {
        if known.iter().any(|answer| !view.has(answer.place)) {
            // Others may be near that are less so than those that were replaced since.
            known = near.nearest(&mut searcher, view, document)?;
        }
        let others = near.nearest(&mut searcher, &added, document)?;
        let in_index = known.into_iter().find(|answer| view.id(answer.place) != document.id);
        let in_group = others.into_iter().find(|answer| added.id(answer.place) != document.id);
        // The first of equally similar ones, which is the one in the index.
        let is_nearer = |other: &Answer| in_index.is_none_or(|answer| other.similarity > answer.similarity);
        let nearest = match in_group.filter(is_nearer) {
            Some(answer) => Some((&added, answer)),
            None => in_index.map(|answer| (&*view, answer)),
        };
        inserted.push(match nearest {
            Some((near_in, answer)) => {
                let IndexDocument { elements, counts, text_hash, .. } = document;
                let reason = near_in.reason(elements, counts, *text_hash, &answer)?;
                Inserted::Near { id: near_in.id(answer.place).to_owned(), answer, reason }
            }
            None => {
                let was_in_index = delete(view, &document.id);
                let was_in_group = delete(&mut added, &document.id);
                Arc::make_mut(&mut added.parts[0].deleted).remove(number);
                Inserted::Added { replaced: was_in_index || was_in_group }
            }
        });
    }
    Ok((inserted, added.parts.swap_remove(0)))
}
