//! Limit of the pairs of an answer, and their number from which on it is reported.

use crate::base::{Error, Result};
use crate::run::Session;

/// Number of pairs that is said before they are written.
const MANY_PAIRS: u64 = 10_000_000;

/// Maximum number of pairs of an answer; `None` for any number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PairLimit {
    pub(crate) max_pairs: Option<u64>,
}

impl PairLimit {
    /// Ends a job that has found `pairs` pairs so far, if these are too many.
    ///
    /// # Errors
    /// [`Error::TooManyPairs`].
    pub(super) fn check_found(self, pairs: u64) -> Result<()> {
        match self.max_pairs.filter(|&max_pairs| pairs > max_pairs) {
            Some(max_pairs) => Err(Error::TooManyPairs { known: None, max_pairs }),
            None => Ok(()),
        }
    }

    /// Says that an answer has `pairs` pairs, or at least so many, if that is worth saying.
    pub(super) fn say(self, pairs: u64, are_all: bool, session: &Session<'_>) -> Result<()> {
        if let Some(max_pairs) = self.max_pairs.filter(|&max_pairs| pairs > max_pairs) {
            return Err(Error::TooManyPairs { known: Some(pairs), max_pairs });
        }
        if pairs >= MANY_PAIRS {
            session.stages.progress.many_pairs(pairs, are_all);
        }
        Ok(())
    }
}
