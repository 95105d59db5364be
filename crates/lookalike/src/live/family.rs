//! The family of a document: all that near-duplicates of near-duplicates connect with it, found by asking for one after
//! the other.

use super::asker::{Asker, LiveQuestion};
use crate::ground::{Progress, Result};
use lookalike_io::AnswerRow;
use std::collections::{HashSet, VecDeque};
use std::num::NonZeroUsize;

/// Documents that near-duplicates connect.
#[derive(Debug, Clone, PartialEq)]
pub struct Family {
    /// In the order in which they were found, the one that was asked about first.
    pub members: Vec<FamilyMember>,
    /// Whether these are all.
    pub is_whole: bool,
}

/// A document of a family.
#[derive(Debug, Clone, PartialEq)]
pub struct FamilyMember {
    /// Its id.
    pub id: String,
    /// The answer by which it was found, to an earlier member; `None` for the document that was asked about.
    pub found_by: Option<AnswerRow<'static>>,
}

impl Asker {
    /// The family of a document, of which at most `max_members` are named; `None` if there is no document with this id.
    /// Documents that come and go meanwhile may be missing, and those that were not found when it is cancelled.
    ///
    /// # Errors
    /// As [`Asker::search_id`].
    pub fn family(
        &mut self,
        id: &str,
        (question, max_members): (&LiveQuestion, usize),
        progress: &dyn Progress,
    ) -> Result<Option<Family>> {
        if self.index.view().find(id).is_none() {
            return Ok(None);
        }
        let mut members = vec![FamilyMember { id: id.to_owned(), found_by: None }];
        let mut known = HashSet::from([id.to_owned()]);
        let mut to_ask = VecDeque::from([id.to_owned()]);
        // Of so many at least one is new, or all that are near are known.
        let question = LiveQuestion { limit: NonZeroUsize::new(max_members + 1), ..*question };
        while let Some(next) = to_ask.pop_front() {
            if progress.is_cancelled() {
                return Ok(Some(Family { members, is_whole: false }));
            }
            for answer in self.search_id(&next, &question)?.unwrap_or_default() {
                if !known.insert(answer.id.to_string()) {
                    continue;
                }
                if members.len() >= max_members {
                    return Ok(Some(Family { members, is_whole: false }));
                }
                to_ask.push_back(answer.id.to_string());
                members.push(FamilyMember { id: answer.id.to_string(), found_by: Some(answer) });
            }
        }
        Ok(Some(Family { members, is_whole: true }))
    }
}
