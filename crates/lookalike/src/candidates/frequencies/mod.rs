//! Frequencies of elements: how many documents have each, from which exact keys are made.
//!
//! ```text
//! sets --dealt--> streams --counted one by one--> ElementCounts --read in the order of the documents--> prefixes
//! ```

mod counts;
mod streams;

pub(super) use self::counts::ElementCounts;
use self::streams::ElementStreams;
use super::chunks::DocumentChunks;
use crate::base::Result;
use crate::run::Session;
use lookalike_core::comparison::EqualSets;
use lookalike_core::documents::ElementSets;

/// Counts the elements of the representatives' sets, for documents that come in `chunks` afterwards.
pub(super) fn count_elements(
    sets: &ElementSets,
    groups: &EqualSets,
    chunks: &DocumentChunks<'_>,
    session: &Session<'_>,
) -> Result<ElementCounts> {
    if ElementStreams::fit_memory(sets, chunks, &session.spill) {
        ElementStreams::<u16>::deal(sets, groups, chunks, session)?.count(session)
    } else {
        ElementStreams::<u32>::deal(sets, groups, chunks, session)?.count(session)
    }
}

#[cfg(test)]
mod tests;
